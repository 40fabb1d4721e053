"""Says the lines of a journal, in Chinese or English: what was done, shot or left out, and how it was judged."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from game.session.explain import Explainer
from game.session.gloss import plain

Line = Mapping[str, Any]

_GRADES = {"正": "right", "小失": "slight fault", "失": "fault", "违": "breach"}
_STRUCK = {
    "中": ("中的", "hits the middle"), "侯": ("著侯不中", "strikes the cloth beside it"),
    "不及": ("不及侯", "falls short"), "过": ("过侯", "flies over"), "旁": ("旁出", "goes wide"),
}  # fmt: skip
_AHEAD = {"右": ("右贤于左", "the right is ahead"), "左": ("左贤于右", "the left is ahead"), "钧": ("左右钧", "a tie")}
_SPOKEN = ("verb", "times", "manner", "object", "count", "to", "from", "into", "hand", "at", "facing")
_UNTURNED = frozenset(("坐", "兴", "奠", "取", "执", "受", "实", "洗", "盥"))
"""Verbs with which one does not turn: the facing tells nothing, but where it was judged."""
_SILENT = {
    "session": ("此卷之始", "the session begins"), "score": ("计分", "points are counted"),
    "end": ("卷终", "the end"), "undo": ("反", "taken back"), "choice": ("择", "chosen"),
}  # fmt: skip


def grade(name: str, english: bool) -> str:
    """A grade: 失, fault."""
    return _GRADES.get(name, name) if english else name


def faulty(verdict: Line, explainer: Explainer, english: bool) -> str:
    """A grade with the kinds of its faults, each once: fault: facing, place."""
    names = [explainer.fault_name(f["kind"], english) for f in verdict["faults"]]
    kinds = (", " if english else "、").join(dict.fromkeys(names))
    return f"{grade(verdict['grade'], english)}{': ' if english else '：'}{kinds}"


def phase_name(phase: str, explainer: Explainer, english: bool) -> str:
    """A phase by its number and name."""
    text = explainer.book.phase_texts.get(phase)
    return f"{text.number:02d} {text.english}" if english and text else phase


def follow(offices: dict[str, str], line: Line) -> None:
    """Who has which office after a journal line: it may be another by now than when the line was written."""
    if line["t"] == "phase":
        persons = (line.get("state") or {}).get("persons") or {}
        offices.clear()
        offices.update({p: str(r["office"]) for p, r in persons.items() if r.get("office")})
    elif line["t"] == "become":
        offices[str(line["person"])] = str(line["office"])


def offices_at(lines: Sequence[Line]) -> dict[str, str]:
    """Who has which office after the last of some lines from a journal's beginning."""
    offices: dict[str, str] = {}
    for line in lines:
        follow(offices, line)
    return offices


def sentence(
    line: Line, explainer: Explainer, english: bool, offices: Mapping[str, str] | None = None, full: bool = False
) -> str:
    """One journal line in a few words; empty for lines that tell nothing to a reader.

    ``offices``: who had which when the line was written; without them, who has them now. ``full``: with where one is
    and how one faces, for those who see no plan.
    """
    with explainer.at_the_time(offices):
        return _sentence(line, explainer, english, full)


def _sentence(line: Line, explainer: Explainer, english: bool, full: bool) -> str:
    kind = line["t"]
    if kind in ("act", "attempt"):
        return _act(line, explainer, english, full) if line.get("verb") else ""
    if kind == "phase":
        return phase_name(line["phase"], explainer, english) if line["edge"] == "始" else ""
    if kind == "happening":
        return explainer.gloss.happening(line["what"]) if english else str(line["what"])
    if kind == "become":
        if not english:
            return f"{line['person']}为{line['office']}"
        himself = explainer.gloss.people.get(line["person"]) or str(line["person"])
        return f"{plain(himself)} becomes {explainer.gloss.office(line['office'])}"
    if kind == "omission":
        acts = explainer.named(line["step"])
        act = acts[1 if english else 0] if acts else str(line["step"])
        return f"{_person(line, explainer, english)} {'left undone:' if english else '阙'} {act}"
    if kind == "shot":
        struck = _STRUCK.get(line["struck"], (line["struck"], line["struck"]))[english]
        arrow = f"arrow {line['arrow']}" if english else f"第{line['arrow']}矢"
        return f"{_person(line, explainer, english)}{':' if english else ''} {arrow} {struck}"
    if kind == "tally":
        ahead = _AHEAD.get(line["ahead"], (line["ahead"], line["ahead"]))[english]
        right, left = line["right"], line["left"]
        return f"right {right}, left {left}: {ahead}" if english else f"右 {right}，左 {left}：{ahead}"
    return ""


def _act(line: Line, explainer: Explainer, english: bool, full: bool) -> str:
    act = {k: v for k, v in line.items() if k in _SPOKEN and v is not None}
    if act["verb"] in _UNTURNED and not full:
        act.pop("facing", None)
    said = f"「{line['speech']}」" if line.get("speech") else ""
    return f"{_person(line, explainer, english)}{': ' if english else ' '}{explainer.act(act, english, full)}{said}"


def _person(line: Line, explainer: Explainer, english: bool) -> str:
    name = str(line["person"])
    return plain(explainer.gloss.person(name)) if english else explainer.chinese.person(name)


def silent(line: Line, explainer: Explainer, english: bool) -> str:
    """What a line is that tells nothing in the account."""
    kind = line["t"]
    if kind == "phase":
        name = phase_name(line["phase"], explainer, english)
        edge = {"始": ("之始", "begins"), "终": ("之终", "ends")}.get(line["edge"], (line["edge"],) * 2)[english]
        return f"{name} {edge}" if english else f"{name}{edge}"
    if kind == "wait":
        who = _person(line, explainer, english) if line.get("person") else ""
        return f"{who} waited".strip() if english else f"{who}待众"
    if kind in ("note", "appeal"):
        words = line.get("text") if kind == "note" else line.get("note")
        return f"{kind}: {words}" if english else f"{'注' if kind == 'note' else '诉'}：{words}"
    return _SILENT.get(kind, (kind, kind))[english]


def judged(line: Line, explainer: Explainer, english: bool) -> str:
    """How a line was judged, in a sentence for each fault; empty where there is nothing to say."""
    verdict = line.get("verdict") or {}
    if "code" in verdict:
        zh, en = verdict.get("zh", verdict["code"]), verdict.get("en", verdict["code"])
        return f"not done: {explainer.gloss.message(str(en))}" if english else f"未行：{zh}"
    if not verdict.get("faults"):
        return ""
    words = explainer.fault_words
    said = [words.en(f) if english else words.zh(f) for f in verdict["faults"]]
    return faulty(verdict, explainer, english) + (". " + " ".join(said) if english else "。" + "".join(said))


def aloud(
    line: Line, explainer: Explainer, lang: str, offices: Mapping[str, str] | None = None, why: bool = True
) -> list[str]:
    """One journal line with its number, its judgement and its clauses, for those who see no plan.

    One text in ``zh`` or ``en``, two in ``both``. ``why``: with what was due and done, not the kinds of faults alone.
    """
    with explainer.at_the_time(offices):
        wanted = [english for english in (False, True) if lang in ("both", ("zh", "en")[english])]
        return [_aloud(line, explainer, english, why) for english in wanted]


def _aloud(line: Line, explainer: Explainer, english: bool, why: bool) -> str:
    words = _sentence(line, explainer, english, full=True)
    if line["t"] == "session":
        words = _header(line, explainer, english)
    elif line["t"] == "phase" or not words:
        words = silent(line, explainer, english)
    if line["t"] not in ("act", "attempt"):
        return f"{line['n']} {words}"
    verdict = line["verdict"]
    told = judged(line, explainer, english) if why or "code" in verdict else ""
    if not why and verdict.get("faults"):
        told = faulty(verdict, explainer, english)
    clauses = " ".join(line.get("clauses") or [])
    cited = (f" ({clauses})" if english else f"（{clauses}）") if clauses else ""
    return f"{line['n']} {words}{f' — {told}' if told else ''}{cited}"


def _header(line: Line, explainer: Explainer, english: bool) -> str:
    first, last = (phase_name(line[edge], explainer, english) for edge in ("from", "to"))
    name = explainer.gloss.person if english else explainer.chinese.person
    players = [f"{name(p)} ({lv})" if english else f"{name(p)}（{lv}）" for p, lv in line["players"].items()]
    scenario = line["scenario"].get("id", "")
    if not english:
        phases = first if first == last else f"自{first} 至{last}"
        return f"{scenario} {phases}，{'、'.join(players) or '皆自行'}，种子 {line['seed']}"
    phases = first if first == last else f"from {first} to {last}"
    return f"scenario {scenario}: {phases}; {', '.join(players) or 'agents alone'}; seed {line['seed']}"
