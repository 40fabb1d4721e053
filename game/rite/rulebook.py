"""Reads ``data/rules.yaml``: the standing rules behind the acts."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, get_args

import msgspec

from game.core.choreography import FaultKind
from game.core.rule import Example, Exemption, Rule
from game.rite.schema import convert
from game.rite.yaml_cache import load_cached
from game.rite.yaml_strict import DataError, Record

FACTS = (
    "kind", "field", "verb", "got_verb", "got", "who", "to", "phase", "step", "manner", "object", "at",
)  # fmt: skip
"""What a rule may ask of a fault; ``docs/data-authors.md`` explains each."""
CONFIDENCE = ("T", "P", "C", "X")


class ExemptionSpec(msgspec.Struct, forbid_unknown_fields=True):
    """A case in which the rule does not hold."""

    zh: str
    en: str
    clauses: list[str] = []


class ExampleSpec(msgspec.Struct, forbid_unknown_fields=True):
    """An act that keeps or breaks the rule."""

    phase: str
    person: str
    zh: str
    en: str
    before: str = ""
    act: dict[str, Any] = {}


class RuleSpec(msgspec.Struct, forbid_unknown_fields=True):
    """One record of the file."""

    id: str
    section: str
    kind: str
    zh: str
    en: str
    clauses: list[str]
    confidence: str
    applies: dict[str, list[str | int]]
    right: list[ExampleSpec]
    wrong: list[ExampleSpec]
    except_: list[ExemptionSpec] = msgspec.field(default_factory=list, name="except")


def load_rules(path: Path) -> Mapping[str, Rule]:
    """Rule id → rule, in the order of the file. DataError for anything amiss in it."""
    found: dict[str, Rule] = {}
    for record in load_cached(path):
        rule = _rule(record)
        if rule.id in found:
            raise DataError(f"{record.where}: a second rule {rule.id}; give it another id")
        found[rule.id] = rule
    return found


def _rule(record: Record) -> Rule:
    spec = convert(record, RuleSpec)
    if spec.kind not in get_args(FaultKind):
        raise DataError(f"{record.where}: no kind of fault {spec.kind}; one of {' '.join(get_args(FaultKind))}")
    if spec.confidence not in CONFIDENCE:
        raise DataError(f"{record.where}: confidence {spec.confidence}; one of {' '.join(CONFIDENCE)}")
    unknown = [name for name in spec.applies if name not in FACTS]
    if unknown:
        raise DataError(f"{record.where}: applies has no {unknown[0]}; it may have {' '.join(FACTS)}")
    return Rule(
        spec.id, spec.section, spec.kind, spec.zh, spec.en, tuple(spec.clauses), spec.confidence,
        tuple(Exemption(e.zh, e.en, tuple(e.clauses)) for e in spec.except_),
        {name: frozenset(str(v) for v in values) for name, values in spec.applies.items()},
        tuple(map(_example, spec.right)), tuple(map(_example, spec.wrong)),
    )  # fmt: skip


def _example(spec: ExampleSpec) -> Example:
    return Example(spec.phase, spec.person, spec.before, spec.act, spec.zh, spec.en)
