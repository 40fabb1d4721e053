"""Static checks of the phase files as written: shape, ids, clauses, references from step to step."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from game.rite.book import Book
from game.rite.schema import BODIES, SPECS, PhaseSpec, convert, kind_of
from game.rite.yaml_strict import DataError, Record, load_yaml
from game.rules.aligning import folded

_ID = re.compile(r"p[0-9]{2}_[a-z0-9_]+")
_BASES = ("文", "推", "注", "补")


@dataclass
class Findings:
    """Errors by place and message; the same error in several scenarios stands once."""

    found: dict[tuple[str, str], list[str]] = field(default_factory=dict)

    def add(self, where: str, message: str, scenario: str = "") -> None:
        """Enter an error at ``file:line``."""
        scenarios = self.found.setdefault((where, message), [])
        if scenario and scenario not in scenarios:
            scenarios.append(scenario)

    def has(self, where: str) -> bool:
        """Whether there is an error at this place."""
        return any(place == where for place, _ in self.found)

    def lines(self, scenarios: Collection[str]) -> list[str]:
        """One line an error, by file and line; the scenarios are named where it is not in all of ``scenarios``."""

        def order(item: tuple[tuple[str, str], list[str]]) -> tuple[str, int, str]:
            file, _, line = item[0][0].rpartition(":")
            return (file, int(line), item[0][1]) if line.isdigit() else (item[0][0], 0, item[0][1])

        lines = []
        for (where, message), named in sorted(self.found.items(), key=order):
            some = f" (scenario {', '.join(named)})" if named and len(named) < len(scenarios) else ""
            lines.append(f"{where}: {message}{some}")
        return lines


def all_records(record: Record) -> Iterator[Record]:
    """A step and all steps inside it."""
    yield record
    for body in BODIES:
        for child in record.get(body, []) if isinstance(record.get(body), list) else []:
            if isinstance(child, Record):
                yield from all_records(child)


# The files as written


@dataclass
class Raw:
    """The phase files, read without stopping at the first error."""

    phases: dict[str, Record] = field(default_factory=dict)
    steps: list[tuple[str, Record]] = field(default_factory=list)
    """(phase, step) for every step record at every depth."""
    ids: set[str] = field(default_factory=set)
    """All step ids, those of passages written out by ``like`` too."""


def read(book: Book, findings: Findings) -> Raw:
    """All phase files; what is not well shaped goes into ``findings``."""
    raw = Raw()
    places: dict[str, str] = {}
    for path in sorted((book.folder / "rite").glob("*.yaml")):
        try:
            record = load_yaml(path)
            if not isinstance(record, Record):
                raise DataError(f"{path.name}:1: must be a mapping with phase and steps")
            convert(record, PhaseSpec)
        except DataError as error:
            enter(findings, error)
            continue
        phase = str(record["phase"])
        if phase in raw.phases:
            findings.add(record.where, f"phase {phase} stands in two files; remove one")
        if phase not in book.phase_texts:
            findings.add(record.where, f"phase {phase} is not one of text/phases.tsv; use an id that is")
        raw.phases[phase] = record
        for top in record["steps"]:
            if not isinstance(top, Record):
                findings.add(record.where, f"a step must be a mapping, not {top!r}; see docs/choreography.md")
                continue
            for step in all_records(top):
                raw.steps.append((phase, step))
                _shape(step, findings)
                _own_id(step, phase, places, findings)
    by_id = {str(r["id"]): r for _, r in raw.steps if r.get("id")}
    for _, step in raw.steps:
        raw.ids |= _expanded(step, by_id, ())
    return raw


def enter(findings: Findings, error: DataError, scenario: str = "") -> None:
    """Enter what a loader refused: its message begins with file and line."""
    where, _, message = str(error).partition(": ")
    findings.add(where, message, scenario)


def _shape(step: Record, findings: Findings) -> None:
    try:
        convert(step, SPECS[kind_of(step)])
    except DataError as error:
        enter(findings, error)
    for body in BODIES:
        if isinstance(step.get(body), list) and not all(isinstance(c, Record) for c in step[body]):
            findings.add(step.where, f"{body} holds something that is not a step; see docs/choreography.md §3")


def _own_id(step: Record, phase: str, places: dict[str, str], findings: Findings) -> None:
    own = str(step.get("id", ""))
    if not own:
        if "verb" in step:
            findings.add(step.where, "an act needs an id; give it one that begins with " + f"p{phase[:2]}_")
        return
    if not _ID.fullmatch(own) or not own.startswith(f"p{phase[:2]}_"):
        findings.add(step.where, f"id {own}: must be p{phase[:2]}_ and then a-z, 0-9 and _")
    if own in places:
        findings.add(step.where, f"id {own} is taken at {places[own]}; choose another")
    places.setdefault(own, step.where)


def _expanded(step: Record, by_id: Mapping[str, Record], under_way: tuple[str, ...]) -> set[str]:
    """Ids of a step and of everything inside it, ``like`` written out."""
    own = str(step.get("id", ""))
    found = {own} if own else set()
    source = by_id.get(str(step.get("like", "")))
    if source is not None and own not in under_way:
        left_out = set(step.get("without", []))
        found |= {f"{own}__{i}" for i in _expanded(source, by_id, (*under_way, own)) if i not in left_out}
    for body in BODIES:
        for child in step.get(body, []) if isinstance(step.get(body), list) else []:
            if isinstance(child, Record):
                found |= _expanded(child, by_id, under_way)
    return found


def check_raw(book: Book, raw: Raw, verbs: Mapping[str, Any], findings: Findings) -> None:
    """What does not depend on a scenario: clauses, grounds, verbs, and references from step to step."""
    for phase, record in raw.phases.items():
        _clauses(book, record, phase, findings)
        beside = record.get("beside", {})
        if beside and beside.get("step") not in raw.ids:
            findings.add(record.where, f"beside: there is no step {beside.get('step')}; name one")
    by_id = {str(r["id"]): r for _, r in raw.steps if r.get("id")}
    for _, step in raw.steps:
        name = str(step.get("id", "step"))
        _clauses(book, step, name, findings)
        if "verb" in step or "choose" in step or "become" in step or "happening" in step:
            basis = step.get("basis", "文")
            if basis not in _BASES:
                findings.add(step.where, f"{name}: no basis {basis}; it is one of {', '.join(_BASES)}")
            elif basis != "补" and not step.get("clauses"):
                findings.add(step.where, f"{name}: has no clause; cite one, or say basis 补")
        if "verb" in step and step["verb"] not in verbs:
            findings.add(step.where, f"{name}: no verb {step['verb']}; add it to vocabulary/verbs.yaml, or use another")
        if step.get("mode", "次") not in ("次", "皆", "拾"):
            findings.add(step.where, f"{name}: no mode {step['mode']}; it is 次, 皆 or 拾")
        if step.get("meet", "arriving") not in ("arriving", "leaving"):
            findings.add(step.where, f"{name}: meet is {step['meet']}; it is arriving or leaving")
        _links(step, name, raw, by_id, findings)
        if step.get("verb") == "拜" and "答" in _list(step.get("manner", "")) and not step.get("re"):
            findings.add(step.where, f"{name}: an answering bow (manner 答) without re; name the bow that it answers")
        _said(book, step, name, findings)
    _unsaid(book, raw, findings)
    _repeated(raw, findings)


def _said(book: Book, step: Record, name: str, findings: Findings) -> None:
    """``speech`` is what its clauses say, with 曰 or without; ``words`` are ours and stand in none of them."""
    text = folded("".join(book.clauses[c].text for c in step.get("clauses", []) if c in book.clauses))
    speech, words = _list(step.get("speech") or []), str(step.get("words", ""))
    if speech and not any(folded(str(said)) in text for said in speech):
        findings.add(step.where, f"{name}: speech {speech[0]} stands in none of its clauses; cite it, or write words")
    if words and folded(words) in text:
        findings.add(step.where, f"{name}: words {words} are those of its clauses; write speech, which is judged")


def _unsaid(book: Book, raw: Raw, findings: Findings) -> None:
    """Where the text has 曰 somebody says what follows it."""
    said = {c for _, step in raw.steps if step.get("speech") for c in step.get("clauses", [])}
    for phase, record in raw.phases.items():
        number = book.phase_texts[phase].number if phase in book.phase_texts else 0
        for clause in book.clauses.values():
            if clause.phase_number == number and "曰" in clause.text and clause.id not in said:
                findings.add(record.where, f"{clause.id} 「{clause.text}」: nobody says it; give its step speech")


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _clauses(book: Book, record: Record, name: str, findings: Findings) -> None:
    for clause in record.get("clauses", []):
        if clause not in book.clauses:
            findings.add(record.where, f"{name}: no clause {clause} in text/reading.tsv; correct the number")


def _links(step: Record, name: str, raw: Raw, by_id: Mapping[str, Record], findings: Findings) -> None:
    for key in ("re", "after", "opens", "like", "scope"):
        for target in _list(step.get(key, [])):
            if target and target not in raw.ids:
                findings.add(step.where, f"{name}: {key} {target}: there is no such step; correct the id")
    for target in _outcomes(step.get("when", {})):
        if target not in raw.ids:
            findings.add(step.where, f"{name}: outcome of {target}: there is no such step; correct the id")
    source = by_id.get(str(step.get("like", "")))
    if source is not None:
        inside = _expanded(source, by_id, ())
        for key in (*step.get("without", []), *step.get("set", {})):
            if key not in inside:
                findings.add(step.where, f"{name}: {key} is not a step of {step['like']}; correct without or set")


def _outcomes(condition: Any) -> Iterator[str]:
    if isinstance(condition, Mapping):
        if "outcome" in condition:
            yield str(condition["outcome"])
        for value in condition.values():
            yield from _outcomes(value)
    elif isinstance(condition, list):
        for one in condition:
            yield from _outcomes(one)


def _repeated(raw: Raw, findings: Findings) -> None:
    """The same act twice running is a slip of the pen: the text would say 再."""

    def content(step: Record) -> dict[str, Any]:
        return {k: v for k, v in step.items() if k not in ("id", "clauses", "note", "basis", "words")}

    bodies = [p["steps"] for p in raw.phases.values()]
    bodies += [step[b] for _, step in raw.steps for b in BODIES if isinstance(step.get(b), list)]
    for body in bodies:
        steps = [s for s in body if isinstance(s, Record)]
        for one, two in pairwise(steps):
            if "verb" in one and content(one) == content(two):
                what = f"{two.get('id')}: the same act as {one.get('id')} just before; remove one, or tell them apart"
                findings.add(two.where, what)
