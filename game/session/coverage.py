"""What of the text is performed, and on what ground: coverage by clause, steps for review, given states, glyphs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from game.core.vocabulary import Roster
from game.rite.book import Book
from game.rite.vocabulary import setting_clauses
from game.rite.yaml_strict import Record
from game.session.references import Findings, Raw, all_records
from game.session.trial import Trial

KINDS = ("enacted", "forbids", "condition", "setting")
"""How a clause can be covered, the strongest first."""
_CJK = (0x4E00, 0x9FFF)


def settled(condition: Mapping[str, Any], options: Mapping[str, Any], roster: Roster) -> bool | None:
    """The truth of a condition that a scenario decides; None if a loop variable or an outcome does."""
    (name, value), *_ = condition.items()
    if name == "scenario":
        got = options.get(value)
        wanted = condition.get("is")
        return bool(got) if wanted is None else got in (wanted if isinstance(wanted, list) else [wanted])
    if name == "present":
        there = {p.id for p in roster.persons} | set(roster.pairs)
        return any(m in there for m in roster.members(value))
    if name == "reading":
        return bool(options.get("reading", "郑") == value)
    if name == "not":
        inner = settled(value, options, roster)
        return None if inner is None else not inner
    if name in ("all", "any"):
        inners = [settled(c, options, roster) for c in value]
        decisive = name == "any"
        return decisive if decisive in inners else None if None in inners else not decisive
    return None


class Coverage:
    """Gathers over all scenarios what each clause rests on."""

    def __init__(self, book: Book, raw: Raw) -> None:
        self.book = book
        self.raw = raw
        self.grounds: dict[str, dict[str, list[str]]] = {}
        """clause → kind → what covers it."""
        self.cited: dict[str, set[str]] = {}
        """clause → steps that cite it, performed or not."""
        self.performed: set[str] = set()
        """Where (file:line) the steps stand that were performed in some scenario."""
        self.ways: dict[str, set[bool]] = {}
        """Where each branch stands → which ways it went in some scenario."""
        for _, step in raw.steps:
            for clause in step.get("clauses", []):
                self.cited.setdefault(clause, set()).add(str(step.get("id") or step.where))
        for clause, words in setting_clauses(book.folder / "vocabulary").items():
            for word in words:
                self._cover(clause, "setting", word)
        for phase, record in raw.phases.items():
            for clause in record.get("clauses", []):
                self._cover(clause, "setting", phase)

    def _cover(self, clause: str, kind: str, what: str) -> None:
        told = self.grounds.setdefault(clause, {}).setdefault(kind, [])
        if what not in told:
            told.append(what)

    def add(self, trial: Trial) -> None:
        """What one scenario's performance covers."""
        for nid in sorted(trial.enacted()):
            node = trial.rite.nodes[nid]
            self.performed.add(node.where)
            for clause in node.clauses:
                self._cover(clause, "enacted", node.name)
        for phase in trial.rite.phases:
            for forbid in phase.forbids:
                for clause in forbid.clauses:
                    self._cover(clause, "forbids", forbid.scope.name)
        for where, ways in trial.decided().items():
            self.ways.setdefault(where, set()).update(ways)
        for _, step in self.raw.steps:
            if "when" in step:
                truth = settled(step["when"], trial.scenario.options, trial.words.roster)
                if truth is not None:
                    self.ways.setdefault(step.where, set()).add(truth)
                if True in self.ways.get(step.where, ()):
                    for clause in step.get("clauses", []):
                        self._cover(clause, "condition", trial.scenario.id)

    def check(self, findings: Findings) -> None:
        """Clauses of the encoded phases that nothing covers, branches and steps that no named scenario performs."""
        for record in self.raw.phases.values():
            for step in record["steps"]:
                if isinstance(step, Record):
                    self._unperformed(step, findings)
        for phase, record in self.raw.phases.items():
            for clause in self.clauses_of(phase):
                if clause in self.grounds:
                    continue
                text = self.book.clauses[clause].text
                if clause in self.cited:
                    steps = ", ".join(sorted(self.cited[clause]))
                    what = f"{clause} 「{text}」 is cited by {steps} only, which no named scenario performs"
                    what += "; add one to data/scenarios"
                else:
                    what = f"{clause} 「{text}」 is not covered"
                    what += "; cite it in a step, a forbid, a condition or a word of the vocabulary"
                findings.add(record.where, what)

    def _unperformed(self, step: Record, findings: Findings) -> None:
        if "when" in step:
            ways = self.ways.get(step.where, set())
            for body, truth in (("do", True), ("else", False)):
                if step.get(body) and truth not in ways:
                    what = f"condition {'' if truth else 'else '}of {step.get('id') or 'this when'}"
                    findings.add(step.where, f"{what} is true in no named scenario; add one to data/scenarios")
                elif step.get(body):
                    for child in step[body]:
                        self._unperformed(child, findings)
            return
        if step.where not in self.performed and any(k in step for k in ("verb", "choose", "happening", "become")):
            used = any(s.get("like") == step.get("id") for _, s in self.raw.steps)
            if not used:
                findings.add(step.where, f"{step.get('id')}: performed in no named scenario; add one to data/scenarios")
        for body in ("seq", "par", "any_order", "do"):
            for child in step.get(body, []):
                self._unperformed(child, findings)

    # Tables

    def clauses_of(self, phase: str) -> list[str]:
        """The clauses of a section."""
        number = self.book.phase_texts[phase].number if phase in self.book.phase_texts else -1
        return [c.id for c in self.book.clauses.values() if c.phase_number == number]

    def kind(self, clause: str) -> str:
        """The strongest way in which a clause is covered; empty if it is not."""
        return next((k for k in KINDS if k in self.grounds.get(clause, {})), "")

    def summary(self) -> list[str]:
        """Counts over the whole text; sections without a file are never counted as covered."""
        encoded = [c for phase in self.raw.phases for c in self.clauses_of(phase)]
        counts = Counter(self.kind(c) or "NOT COVERED" for c in encoded)
        rest = [c for c in self.book.clauses if c not in set(encoded)]
        cited = sum(c in self.cited for c in rest)
        parts = ", ".join(f"{k} {counts[k]}" for k in (*KINDS, "NOT COVERED") if counts[k] or k == "NOT COVERED")
        return [
            f"phases: {len(self.raw.phases)} of {len(self.book.phase_texts)} encoded",
            f"clauses: {len(self.book.clauses)}; of encoded phases {len(encoded)}: {parts}",
            f"clauses: {len(rest)} not encoded yet, never counted as covered ({cited} are cited by other phases)",
        ]

    def table(self) -> list[str]:
        """One line a clause of the encoded phases: how it is covered and by what."""
        lines = []
        for phase in sorted(self.raw.phases):
            for clause in self.clauses_of(phase):
                kind = self.kind(clause)
                by = self.grounds.get(clause, {}).get(kind, [])
                shown = ", ".join(by[:3]) + (f" +{len(by) - 3}" if len(by) > 3 else "")
                lines.append(f"{clause} {self.book.clauses[clause].text}: {kind or 'NOT COVERED'} {shown}".rstrip())
        return lines


def review(raw: Raw) -> list[str]:
    """Every step that does not rest on the text's own words: where, id, ground, verb, clauses, note."""
    lines = []
    for _, step in raw.steps:
        basis = step.get("basis", "文")
        if basis != "文":
            word = step.get("verb") or step.get("happening") or step.get("become") or "择"
            cited = " ".join(step.get("clauses", []))
            parts = (f"{step.where} {step.get('id')} {basis} {word}", cited, step.get("note", ""))
            lines.append(" · ".join(p for p in parts if p))
    return lines


def grounds(raw: Raw) -> str:
    """How many acts rest on what, as written (a passage referred to by ``like`` counts once)."""
    counts = Counter(step.get("basis", "文") for _, step in raw.steps if "verb" in step)
    return "acts as written: " + ", ".join(f"{b} {counts[b]}" for b in ("文", "推", "注", "补"))


def glyphs(book: Book) -> list[str]:
    """Rare characters of the data (outside the basic CJK block, or not in GB2312), each with where it stands."""
    places: dict[str, list[str]] = {}
    for path in sorted(book.folder.rglob("*")):
        if path.suffix not in (".yaml", ".tsv", ".txt", ".json") or not path.is_file():
            continue
        for n, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            for glyph in sorted(set(line)):
                if _why_rare(glyph):
                    places.setdefault(glyph, []).append(f"{path.relative_to(book.folder).as_posix()}:{n}")
    return [f"{g} U+{ord(g):04X} {_why_rare(g)}: {', '.join(where)}" for g, where in sorted(places.items())]


def _why_rare(glyph: str) -> str:
    """Why a character may lack in a font; empty for all that is not Han or not rare."""
    point = ord(glyph)
    han = 0x2E80 <= point <= 0x2FDF or 0x3400 <= point <= 0x9FFF or 0xF900 <= point <= 0xFAFF or point >= 0x20000
    if 0xE000 <= point <= 0xF8FF:
        return "private use"
    if not han:
        return ""
    if not _CJK[0] <= point <= _CJK[1]:
        return "outside the basic CJK block"
    try:
        glyph.encode("gb2312")
    except UnicodeEncodeError:
        return "not in GB2312"
    return ""


def count_steps(raw: Raw) -> int:
    """Step records of all phase files."""
    return sum(1 for record in raw.phases.values() for top in record["steps"] for _ in all_records(top))
