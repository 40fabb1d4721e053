"""What a session's etiquette points are made of: by person, by kind of fault and by phase, from its lines alone."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from game.clean import clean
from game.rite.book import Book, FaultSpec
from game.session.explain import Explainer
from game.session.gloss import plain
from game.session.journal import JournalError, read_journal
from game.session.replay import voided
from game.session.score import in_full
from game.session.telling import phase_name

Line = Mapping[str, Any]


@dataclass
class Sum:
    """Acts and omissions judged, points earned, and for each kind of fault how often and at what cost."""

    points: float = 0.0
    of: int = 0
    faults: dict[str, int] = field(default_factory=dict)
    lost: dict[str, float] = field(default_factory=dict)

    def count(self, verdict: Line, weights: Mapping[str, float]) -> None:
        """One verdict. A fault costs its weight, as far as the act had so much left to lose."""
        self.points = round(self.points + verdict["points"], 2)
        self.of += 1
        left = round(1 - verdict["points"], 2)
        for n, fault in enumerate(verdict["faults"], 1):
            kind = fault["kind"]
            cost = left if n == len(verdict["faults"]) else min(left, weights.get(kind, 0.0))
            left = round(left - cost, 2)
            self.faults[kind] = self.faults.get(kind, 0) + 1
            self.lost[kind] = round(self.lost.get(kind, 0.0) + cost, 2)

    def record(self) -> dict[str, Any]:
        """As data, kinds in a fixed order; without a fault the score is exactly 1."""
        return {
            "points": self.points,
            "of": self.of,
            "score": round(self.points / self.of, 4) if self.of else 1.0,
            "faults": dict(sorted(self.faults.items())),
            "lost": dict(sorted(self.lost.items())),
        }


def breakdown(lines: list[dict[str, Any]], faults: Iterable[FaultSpec]) -> dict[str, dict[str, Any]]:
    """Person → the whole sum, with ``phases``: the same of each phase, in the order in which they were played."""
    weights = {f.kind: f.weight for f in faults}
    whole: dict[str, Sum] = {}
    phases: dict[str, dict[str, Sum]] = {}
    void = voided(lines)
    for n, line in enumerate(lines):
        if line["t"] in ("act", "omission") and n not in void:
            person = line["person"]
            there = phases.setdefault(person, {}).setdefault(line["phase"], Sum())
            for one in (whole.setdefault(person, Sum()), there):
                one.count(line["verdict"], weights)
    return {
        person: {**whole[person].record(), "phases": {p: s.record() for p, s in phases[person].items()}}
        for person in sorted(whole)
    }


def formula(faults: Iterable[FaultSpec]) -> tuple[str, str]:
    """How an act is scored, in Chinese and English, with the weights of the book."""
    by_weight: dict[float, list[FaultSpec]] = {}
    for fault in faults:
        by_weight.setdefault(fault.weight, []).append(fault)
    weights = sorted(by_weight.items())
    zh = "，".join(f"{'、'.join(f.kind for f in some)}各减 {weight:g}" for weight, some in weights)
    en = "; ".join(f"{', '.join(f.name for f in some)} {weight:g}" for weight, some in weights)
    return (
        f"每行一事、每阙一事，各计一分；有失则减：{zh}，减尽为止。所得除以所当为分，无失者为一。",
        f"Each act, and each step left out, counts one point, less its faults ({en}), never below 0. "
        "Score: points by that number; faultless 1.",
    )


def command(book: Book, options: argparse.Namespace) -> int:
    """``xiangshe score``: the points of a saved session."""
    journal = read_journal(Path(options.file))
    for n, line in enumerate(journal.lines, 1):
        if not _countable(line):
            raise JournalError(f"{options.file}:{n}: not a line that a session writes; use the file as it was saved")
    found = breakdown(journal.lines, book.faults)
    players = journal.lines[0]["players"]
    if options.format == "json":
        print(json.dumps({"players": list(players), "persons": found}, ensure_ascii=False, separators=(",", ":")))
        return 0
    for text, lang in zip(formula(book.faults), ("zh", "en"), strict=True):
        if options.lang in (lang, "both"):
            print(text)
    english = options.lang != "zh"
    explainer = Explainer.of_saved(book, journal.lines[0])
    for person in [p for p in found if p in players] or found:
        name = plain(explainer.gloss.person(person)) if english else person
        print(f"{clean(name)}\t{clean(told(found[person], explainer, english))}")
        for phase, one in found[person]["phases"].items():
            print(f"  {clean(phase_name(phase, explainer, english))}\t{clean(told(one, explainer, english))}")
    return 0


def _countable(line: Line) -> bool:
    """Whether a line has what is counted, each of its kind."""
    if line["t"] == "session":
        return isinstance(line.get("players"), dict)
    if line["t"] not in ("act", "omission"):
        return True
    verdict = line.get("verdict")
    if not (isinstance(line.get("person"), str) and isinstance(line.get("phase"), str) and isinstance(verdict, dict)):
        return False
    faults = verdict.get("faults")
    return (
        type(verdict.get("points")) in (int, float)
        and isinstance(faults, list)
        and all(isinstance(f, dict) and isinstance(f.get("kind"), str) for f in faults)
    )


def told(one: Line, explainer: Explainer, english: bool) -> str:
    """A sum in one line: points of how many, score, and what each kind of fault has cost."""
    return "  ".join(filter(None, (in_full(one), cost(one, explainer, english))))


def cost(one: Line, explainer: Explainer, english: bool) -> str:
    """How often each kind of fault was made, and what that has cost: facing 2 −0.5."""
    called = explainer.fault_name
    return "  ".join(f"{called(kind, english)} {n} −{one['lost'][kind]:g}" for kind, n in one["faults"].items())
