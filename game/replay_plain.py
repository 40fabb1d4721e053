"""``xiangshe replay --plain``: a saved session read line by line, forwards and backwards."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Any

from game.clean import clean, short
from game.rite.book import Book
from game.session.explain import Explainer
from game.session.replay import Recording
from game.session.telling import aloud, offices_at

_HELP = {
    "zh": "回车 次行，b 前行，数字 至该行，f 次失，F 前失，p 次节，P 前节，? 助，q 去。",
    "en": "Enter next line, b the one before, a number: to that line, f/F next/previous fault, p/P next/previous "
    "phase, ? help, q quit.",
}


def replay(book: Book, path: Path, source: IO[str], sink: IO[str], lang: str = "both", at: int = 0) -> int:
    """Read a recording aloud. With no terminal on ``source`` an empty input prints it whole. Returns 0."""
    recording = Recording(path)
    recording.jump(at)
    explainer = Explainer.of_saved(book, recording.lines[0])

    def say(line: Mapping[str, Any]) -> None:
        for text in aloud(line, explainer, lang, offices_at(recording.before())):
            sink.write(clean(text) + "\n")

    def tell(texts: Mapping[str, str]) -> None:
        for text in texts.values() if lang == "both" else [texts[lang]]:
            sink.write(text + "\n")

    tell(_HELP)
    say(recording.line)
    commands = 0
    for raw in source:
        word = unicodedata.normalize("NFKC", raw).strip()
        commands += 1
        if word in ("q", "quit", "去"):
            return 0
        if word in ("?", "help", "助"):
            tell(_HELP)
        elif re.fullmatch("-?[0-9]+", word):
            say(recording.jump(int(word[:12])))
        elif word in ("f", "F", "p", "P"):
            found = recording.find("fault" if word in "fF" else "phase", word.islower())
            say(found) if found is not None else tell({"zh": "无。", "en": "There is none."})
        elif word in ("b", "back", "前"):
            say(recording.go(-1))
        elif word in ("", "n", "次"):
            say(recording.go(1))
        else:
            tell({"zh": f"不识：{short(word, 60)}", "en": f"Not understood: {short(word, 60)}"})
        sink.flush()
    if not commands and not source.isatty():
        last = len(recording.shown) - 1
        while recording.at < last:
            say(recording.go(1))
    return 0
