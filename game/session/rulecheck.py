"""Static check of the rule book: every name in ``applies`` and in the examples is known, every clause is there."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from functools import cached_property
from typing import Any, get_args

from game.core.act import FIELDS
from game.core.choreography import FaultKind
from game.core.vocabulary import FACINGS, HANDS, POSTURES
from game.rite.book import Book
from game.rite.yaml_cache import load_cached
from game.rite.yaml_strict import DataError, Record, load_yaml
from game.rules.faults import FIELD_FAULTS, OTHER_FIELDS
from game.session.names import TASTED, Names
from game.session.references import Findings, Raw, enter

_SEE = {
    "kind": "a kind of data/faults.yaml",
    "field": "a field of docs/data-authors.md",
    "verb": "one of vocabulary/verbs.yaml",
    "got_verb": "one of vocabulary/verbs.yaml",
    "got": "a word of the vocabulary",
    "who": "one of vocabulary/persons.yaml",
    "to": "one of vocabulary/persons.yaml",
    "phase": "the number of a phase, from 1 to 55",
    "step": "the id of a step, or none",
    "manner": "one that a step has, or one of vocabulary/said.yaml",
    "object": "one of vocabulary/things.yaml",
    "at": "one of vocabulary/places.yaml",
}
"""Fact of ``applies`` → what its values are."""


def check_rules(book: Book, raw: Raw, names: Collection[Names], findings: Findings) -> None:
    """Every rule of the book; ``names`` are those of the named scenarios."""
    try:
        rules = list(book.rules.values())
        general = {rule.id for rule in rules if rule.is_general}
        for record in load_cached(book.folder / "faults.yaml"):
            if record["rule"] not in general:
                findings.add(record.where, f"no general rule {record['rule']} in rules.yaml; name one without section")
        records = load_yaml(book.folder / "rules.yaml")
    except DataError as error:
        enter(findings, error)
        return
    known = _Known(book, raw, names)
    for record in records:
        _rule(record, known, findings)


def _rule(record: Record, known: _Known, findings: Findings) -> None:
    name = record["id"]
    for part in (record, *record.get("except", [])):
        for clause in part.get("clauses", []):
            if clause not in known.book.clauses:
                findings.add(
                    part.places["clauses"], f"{name}: no clause {clause} in text/reading.tsv; correct the number"
                )
    if not record["clauses"]:
        findings.add(record.places["clauses"], f"{name}: has no clause; cite what it rests on")
    for fact, values in record["applies"].items():
        for value in values:
            if not known.fits(fact, str(value)):
                where = record["applies"].places[fact]
                findings.add(where, f"{name}: applies: {fact} {value} is not known; write {_SEE[fact]}")
    if "forbidden" in record["applies"].get("field", ()) and "phase" not in record["applies"]:
        findings.add(record.places["applies"], f"{name}: applies to what is forbidden; say in which phase")
    for side in ("right", "wrong"):
        if not record[side]:
            findings.add(record.places[side], f"{name}: has no {side} example; add one from the text")
        for example in record[side]:
            for message in _example(example, known):
                findings.add(example.where, f"{name}: {message}")


def _example(example: Record, known: _Known) -> Iterator[str]:
    """What is wrong with an example. Those with ``before`` and ``act`` are played by the tests."""
    phase, person = example["phase"], example["person"]
    before, act = example.get("before", ""), example.get("act", {})
    if phase not in known.book.phase_texts:
        yield f"phase {phase} is not one of text/phases.tsv; use an id that is"
        return
    if not known.fits("who", person):
        yield f"no person {person}; write {_SEE['who']}"
    if bool(before) != bool(act):
        yield "an example has before and act, or neither; add the other"
    if not before:
        return
    if phase not in known.raw.phases:
        yield f"phase {phase} is not encoded, so that nothing can be played; leave before and act out"
    elif before not in known.raw.ids or not before.startswith(f"p{phase[:2]}_"):
        yield f"before {before}: there is no such step in {phase}; correct the id"
    if not any(person in n.words.order for n in known.names):
        yield f"{person} is several, and one of them acts; name one, as {person}1"
    yield from _act(act, known)


def _act(act: Mapping[str, Any], known: _Known) -> Iterator[str]:
    if not known.fits("verb", str(act.get("verb"))):
        yield f"act: no verb {act.get('verb')}; write {_SEE['verb']}"
    for name, value in act.items():
        if name == "verb":
            continue
        if name not in FIELDS:
            yield f"act: no field {name}; it is one of verb, {', '.join(FIELDS)}"
            continue
        for one in value if isinstance(value, list) else [value]:
            if name in ("times", "count"):
                if not isinstance(one, int) or one < 1:
                    yield f"act: {name} is {one}; it is a number from 1"
            elif name in ("manner", "via"):
                if one not in known.words_of(name):
                    yield f"act: {name} {one} is not known; write one that a step has, or one of vocabulary/said.yaml"
            elif all(n.unknown(name, one) for n in known.names):
                yield f"act: {next(iter(known.names)).unknown(name, one)}"


class _Known:
    """Words that a rule may use: those of some named scenario, and of phases without a file those of the text."""

    def __init__(self, book: Book, raw: Raw, names: Collection[Names]) -> None:
        self.book, self.raw, self.names = book, raw, names

    def fits(self, fact: str, value: str) -> bool:
        """Whether a fact can have this value."""
        if fact == "phase":
            return any(str(p.number) == value for p in self.book.phase_texts.values())
        if fact == "step":
            number = value[1:3]
            encoded = any(phase.startswith(f"{number}-") for phase in self.raw.phases)
            return value == "none" or value in self.raw.ids or (number.isdigit() and not encoded)
        return value in self._values[fact] or (fact in ("who", "to", "manner", "object") and value in self._to_come)

    def words_of(self, field: str) -> set[str]:
        """Manners or ways: those of the steps as written, and those that one may say."""
        found = {w for n in self.names for w in n.words.said_of.get(field, ())}
        for _, step in self.raw.steps:
            value = step.get(field, [])
            found |= set(value if isinstance(value, list) else [value])
            for change in step.get("set", {}).values():
                value = change.get(field) or []
                found |= set(value if isinstance(value, list) else [value])
        return found - {""}

    @cached_property
    def _to_come(self) -> str:
        """The text of the phases that have no file yet: whom and what it names will be in the vocabulary with them."""
        encoded = {self.book.phase_texts[p].number for p in self.raw.phases if p in self.book.phase_texts}
        return "".join(c.text for c in self.book.clauses.values() if c.phase_number not in encoded)

    @cached_property
    def _values(self) -> dict[str, Collection[str]]:
        verbs = {v for n in self.names for v in n.words.verbs}
        places = {p for n in self.names for p in n.words.places}
        people = {p for n in self.names for p in n.people} | {"上射", "下射"}
        kinds = {k for n in self.names for k in n.kinds} | set(TASTED)
        manners = self.words_of("manner")
        fields = {*FIELD_FAULTS, *OTHER_FIELDS}
        words = {*verbs, *places, *people, *kinds, *manners, *self.words_of("via"), *FACINGS, *HANDS, *POSTURES}
        return {
            "kind": get_args(FaultKind), "field": fields, "verb": verbs, "got_verb": verbs, "got": words,
            "who": people, "to": people, "manner": manners, "object": kinds, "at": places,
        }  # fmt: skip
