"""A rule of the rite: what it says, what it rests on, and which faults it is the reason for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from game.core.choreography import FaultKind


@dataclass(frozen=True, slots=True)
class Exemption:
    """A case in which the rule does not hold."""

    zh: str
    en: str
    clauses: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Example:
    """An act that keeps or breaks the rule; ``before`` is the own step then due, if encoded."""

    phase: str
    person: str
    before: str
    act: Mapping[str, Any]
    zh: str
    en: str


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule of ``data/rules.yaml``."""

    id: str
    section: str
    kind: FaultKind
    zh: str
    en: str
    clauses: tuple[str, ...]
    confidence: str
    """T stated by this chapter, P by a parallel text, C inferred by commentators and undisputed, X contested."""
    exceptions: tuple[Exemption, ...]
    applies: Mapping[str, frozenset[str]]
    """Fact about a fault → the values for which this rule is its reason; a fact that is absent fits everything."""
    right: tuple[Example, ...]
    wrong: tuple[Example, ...]

    @property
    def is_general(self) -> bool:
        """Whether it is the rule of a whole kind of fault, for which nothing more particular is known."""
        return not self.section
