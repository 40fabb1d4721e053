"""``xiangshe replay --plain``: a saved session read line by line, forwards and backwards."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import IO, Any

from game.clean import clean, short
from game.rite.book import Book
from game.rite.scenario import from_record
from game.rite.yaml_strict import DataError
from game.session.ceremony import Ceremony
from game.session.explain import Explainer
from game.session.replay import Recording

_HELP = {
    "zh": "回车 前一行，b 后退，数字 至该行，f 次失，F 前失，p 次节，P 前节，? 助，q 去。",
    "en": "Enter forward, b back, a number: to that line, f/F next/last fault, p/P next/last phase, ? help, q quit.",
}


Named = Callable[[str], tuple[str, str] | None]
"""A step's name → its act in Chinese and English, if the rite has it."""


def replay(book: Book, path: Path, source: IO[str], sink: IO[str], lang: str = "both", at: int = 0) -> int:
    """Read a recording aloud. With no terminal on ``source`` an empty input prints it whole. Returns 0."""
    recording = Recording(path)
    recording.jump(at)
    named = _steps(book, recording.lines[0])

    def say(line: Mapping[str, Any]) -> None:
        sink.write(clean(describe(line, named, lang)) + "\n")

    for text in _both(_HELP, lang):
        sink.write(text + "\n")
    say(recording.line)
    commands = 0
    for raw in source:
        word = unicodedata.normalize("NFKC", raw).strip()
        commands += 1
        if word in ("q", "quit", "去"):
            return 0
        if word in ("?", "help", "助"):
            for text in _both(_HELP, lang):
                sink.write(text + "\n")
        elif re.fullmatch("-?[0-9]+", word):
            say(recording.jump(int(word[:12])))
        elif word in ("f", "F", "p", "P"):
            found = recording.find("fault" if word in "fF" else "phase", word.islower())
            sink.write("无 · none\n") if found is None else say(found)
        elif word in ("b", "back", "后"):
            say(recording.go(-1))
        elif word in ("", "n", "前"):
            say(recording.go(1))
        else:
            sink.write(f"不识：{short(word, 60)} · not understood: {short(word, 60)}\n")
        sink.flush()
    if not commands and not source.isatty():
        last = len(recording.shown) - 1
        while recording.at < last:
            say(recording.go(1))
    return 0


def _steps(book: Book, header: Mapping[str, Any]) -> Named | None:
    """The steps of the rite that a recording was judged by; None if that was another."""
    if header["data"] != book.digest:
        return None
    try:
        return Explainer(book, Ceremony(book, from_record(header["scenario"], "scenario"))).named
    except DataError:
        return None


def _both(texts: Mapping[str, str], lang: str) -> list[str]:
    return list(texts.values()) if lang == "both" else [texts[lang]]


def describe(line: Mapping[str, Any], named: Named | None = None, lang: str = "zh") -> str:
    """One journal line as a sentence. ``named`` says a step left undone as an act; else it stands with its id."""
    n, t = line["n"], line["t"]
    if t in ("act", "attempt"):
        parts = [
            line.get("actor", line.get("person", "")),
            line.get("at") or "",
            f"{line['facing']}面" if line.get("facing") else "",
        ]
        times = {1: "", 2: "再", 3: "三"}.get(line.get("times", 1), str(line.get("times", "")))
        parts.append(f"{times}{line.get('verb', '')}{line.get('object') or ''}")
        if line.get("to"):
            parts.append("向" + "、".join(line["to"]))
        if line.get("speech"):
            parts.append(f"曰：「{line['speech']}」")
        verdict = line["verdict"]
        if "code" in verdict:
            parts.append(f"未行（{verdict.get('zh', verdict['code'])}）")
        elif verdict["faults"]:
            parts.append(
                verdict["grade"]
                + "："
                + "，".join(f"{f['kind']} 当{f['expected']}而{f['got']}" for f in verdict["faults"])
            )
        clauses = " ".join(line.get("clauses") or [])
        return f"{n} " + " ".join(p for p in parts if p) + (f"（{clauses}）" if clauses else "")
    if t == "phase":
        return f"{n} 【{line['phase']} {line['edge']}】"
    if t == "happening":
        return f"{n} {line['what']}"
    if t == "become":
        return f"{n} {line['person']}为{line['office']}"
    if t == "omission":
        words = named(line["step"]) if named else None
        if words is None:
            return f"{n} {line['person']} 阙 {line['step']}"
        zh, en = words
        said = {"zh": f"阙 {zh}", "en": f"left undone: {en}"}.get(lang, f"阙 {zh} · left undone: {en}")
        return f"{n} {line['person']} {said}"
    if t == "shot":
        return f"{n} {line['person']} 第{line['arrow']}矢 {line['struck']}"
    if t == "tally":
        return f"{n} 右{line['right']} 左{line['left']} 贤者{line['ahead']}"
    if t == "session":
        players = "、".join(f"{p}（{lv}）" for p, lv in line["players"].items()) or "皆自行"
        return f"{n} {line['scenario'].get('id', '')} 自{line['from']} 至{line['to']}，{players}，seed {line['seed']}"
    return f"{n} {t}"
