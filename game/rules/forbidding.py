"""What the text rules out (不拜洗, 不告旨) while a passage is under way."""

from __future__ import annotations

from collections.abc import Iterator

from game.core.act import Attempt
from game.core.choreography import Forbid, Rite
from game.rules.aligning import Station
from game.rules.ensemble import Ensemble


class Forbids:
    """Reads the choreography and the ledger; changes nothing."""

    def __init__(self, rite: Rite, ensemble: Ensemble) -> None:
        self.rite = rite
        self.ensemble = ensemble

    def current(self) -> Iterator[Forbid]:
        """What is ruled out in the passages now under way."""
        running = self.ensemble.running()
        for phase in self.rite.phases:
            if phase.number in running:
                yield from (f for f in phase.forbids if self.ensemble.ledger.under_way(f.scope))

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
                if attempt.person not in {m for v in values for m in self._role(str(v), forbid)}:
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

    def _role(self, name: str, forbid: Forbid) -> tuple[str, ...]:
        if "{" not in name:
            return self.rite.roster.members(name)
        found: set[str] = {name}
        for loop in reversed(forbid.scope.loops):
            members = self.rite.roster.members(loop.over)
            found = {self.rite.substitute(f, {loop.var: m}) for f in found for m in members}
        return tuple(found)
