"""What the arbiter says of an act."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from game.core.choreography import FaultKind, Key

Code = Literal["unclear", "ambiguous", "impossible"]


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why an act could not take effect; nothing has changed."""

    code: Code
    zh: str
    en: str
    candidates: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Fault:
    """One slip: its kind, the rule behind it, what was right, what was done, and the clauses it rests on."""

    kind: FaultKind
    rule: str
    expected: str
    got: str
    clauses: tuple[str, ...]
    field: str = ""

    def record(self) -> dict[str, Any]:
        """As the journal has it."""
        return {
            "kind": self.kind,
            "rule": self.rule,
            "expected": self.expected,
            "got": self.got,
            "clauses": list(self.clauses),
        }


@dataclass(frozen=True, slots=True)
class Verdict:
    """The judgement of an act that took effect, or of a step left out."""

    grade: str
    points: float
    faults: tuple[Fault, ...] = ()

    def record(self) -> dict[str, Any]:
        """As the journal has it."""
        return {"grade": self.grade, "points": self.points, "faults": [f.record() for f in self.faults]}


@dataclass(frozen=True, slots=True)
class Ruling:
    """An act that took effect: its verdict and the step it discharged, if any."""

    verdict: Verdict
    step: Key | None
    outcome: frozenset[str] = frozenset()
    passed: tuple[Key, ...] = ()
    """Own steps passed over, now owed."""
    early: bool = False
    late: bool = False
