"""Etiquette points: every act judged and every step left out counts one, earned in part or whole (docs/scoring.md)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from game.core.ruling import Verdict
from game.core.trail import Trail


@dataclass(frozen=True)
class Tally:
    """What one person has earned of what could be earned."""

    points: float = 0.0
    of: int = 0
    faults: tuple[tuple[str, int], ...] = ()

    def record(self) -> dict[str, Any]:
        """As the journal has it; the score of a faultless part is exactly 1."""
        score = round(self.points / self.of, 4) if self.of else 1.0
        return {"points": round(self.points, 2), "of": self.of, "score": score, "faults": dict(self.faults)}


def in_points(score: Mapping[str, Any]) -> str:
    """A tally's record as every face tells it: the points of those that could be had."""
    return f"{score.get('points', 0):g}/{score.get('of', 0):g}"


def in_full(score: Mapping[str, Any]) -> str:
    """The same with what that comes to."""
    return f"{in_points(score)} = {score['score']:.3f}"


class Scores:
    """Tallies by person."""

    def __init__(self, trail: Trail) -> None:
        self.trail = trail
        self.tallies: dict[str, Tally] = {}
        self._changed: dict[str, bool] = {}

    def reset(self) -> None:
        """Forget everything (after a fast-forward)."""
        self.tallies.clear()
        self._changed.clear()

    def count(self, person: str, verdict: Verdict, phase: str) -> None:
        """Add one judged act, or one omission."""
        tally = self.tallies.get(person, Tally())
        faults = dict(tally.faults)
        for fault in verdict.faults:
            faults[fault.kind] = faults.get(fault.kind, 0) + 1
        new = Tally(round(tally.points + verdict.points, 2), tally.of + 1, tuple(sorted(faults.items())))
        self.trail.put(self.tallies, person, new)
        self.trail.put(self._changed, person, True)

    def changed(self) -> dict[str, Any]:
        """Tallies that changed since this was last asked."""
        result = {p: {"etiquette": self.tallies[p].record(), "archery": None} for p in sorted(self._changed)}
        for person in list(self._changed):
            self.trail.drop(self._changed, person)
        return result

    def totals(self) -> dict[str, Any]:
        """All tallies."""
        return {p: {"etiquette": t.record(), "archery": None} for p, t in sorted(self.tallies.items())}
