"""Kinds of fault: which field makes which, what each weighs, and where the rule behind it comes from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from game.core.choreography import FaultKind
from game.core.ruling import Fault, Verdict
from game.rules.reasons import Reasons

FIELD_FAULTS: dict[str, FaultKind] = {
    "times": "数", "count": "数", "at": "位", "facing": "面", "posture": "容", "manner": "容", "to": "位",
    "object": "器", "which": "器", "from": "位", "into": "位", "hand": "手", "via": "位", "speech": "辞",
}  # fmt: skip
"""The kind of fault where a judged field differs."""
OTHER_FIELDS = ("verb", "early", "late", "act", "person", "forbidden", "held")
"""What else a fault may be in: the act itself, when it was done, or that it was not."""


@dataclass(frozen=True)
class FaultTable:
    """Weight of each kind of fault (``data/faults.yaml``), and the rule that stands behind each single one."""

    weights: Mapping[str, float]
    reasons: Reasons

    def verdict(self, faults: tuple[Fault, ...]) -> Verdict:
        """Points are 1 less the weights, never below 0; the grade follows from the points."""
        points = max(0.0, 1.0 - sum(self.weights[f.kind] for f in faults))
        grade = "正" if not faults else "小失" if points >= 0.75 else "失" if points > 0 else "违"
        return Verdict(grade, round(points, 2), faults)


def shown(value: object) -> str:
    """A field's value as a fault names it."""
    return "、".join(value) if isinstance(value, tuple) else str(value)
