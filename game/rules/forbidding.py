"""What the text rules out (不拜洗, 不告旨) while a passage is under way."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from game.core.act import Attempt
from game.core.choreography import Forbid, Index, Rite
from game.rules.aligning import Station
from game.rules.ensemble import Ensemble


class Forbids:
    """Reads the choreography and the ledger; changes nothing."""

    def __init__(self, rite: Rite, ensemble: Ensemble) -> None:
        self.rite = rite
        self.ensemble = ensemble

    def current(self) -> Iterator[Forbid]:
        """What is ruled out in the passages now under way; in a loop, for whose turn it is and no longer."""
        running = self.ensemble.running()
        for phase in self.rite.phases:
            if phase.number in running:
                for forbid in phase.forbids:
                    for index in self.ensemble.ledger.turns_under_way(forbid.scope):
                        yield self._bound(forbid, index)

    def against(self, attempt: Attempt) -> Forbid | None:
        """The text's word against an act."""
        return next((f for f in self.current() if self.matches(f, attempt)), None)

    def by_name(self, attempt: Attempt, station: Station | None) -> Forbid | None:
        """The text's word against an act that names its kind (拜洗), unless the step it is meant for asks for that."""
        if not attempt.manner or (station and attempt.manner in station.expected.get("manner", ())):
            return None
        named = (f for f in self.current() if attempt.manner in f.pattern.get("manner", ()))
        return next((f for f in named if self.matches(f, attempt)), None)

    def matches(self, forbid: Forbid, attempt: Attempt) -> bool:
        """Whether an act is what is ruled out; what was left open (to whom, in what manner) does not clear it."""
        members = self.rite.roster.members
        for name, values in forbid.pattern.items():
            if name == "who":
                if attempt.person not in {m for v in values for m in members(str(v))}:
                    return False
            elif name == "to":
                meant = {m for v in values for m in members(str(v))}
                if attempt.to and not {m for one in attempt.to for m in members(one)} & meant:
                    return False
            elif name == "manner":
                if attempt.manner and attempt.manner not in values:
                    return False
            elif attempt.value(name) not in values:
                return False
        return True

    def _bound(self, forbid: Forbid, index: Index) -> Forbid:
        """With the names of one turn for its loop variables."""

        def filled(value: str | int) -> str | int:
            return self.rite.fill(value, forbid.scope, index) if isinstance(value, str) else value

        return replace(forbid, pattern={name: tuple(map(filled, vs)) for name, vs in forbid.pattern.items()})
