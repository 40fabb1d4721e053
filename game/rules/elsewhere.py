"""Where an act that nothing calls for here does belong: with another person, in the past, or further on."""

from __future__ import annotations

from collections.abc import Iterator

from game.core.act import Attempt
from game.core.choreography import Act, Index, Key, Rite
from game.rules.aligning import Aligner, Station
from game.rules.ensemble import Ensemble
from game.rules.machine import Performer

_LIKE = 1.0
"""An act is that of a step from which it differs by less than this."""


class Elsewhere:
    """Reads the machines; changes nothing."""

    def __init__(self, rite: Rite, ensemble: Ensemble, aligner: Aligner) -> None:
        self.rite = rite
        self.ensemble = ensemble
        self.aligner = aligner

    def of_another(self, attempt: Attempt) -> Station | None:
        """What is due to somebody else and is what this person has done."""
        for number, person in sorted(self.ensemble.due):
            if person == attempt.person:
                continue
            for station in self.aligner.ahead(number, self.ensemble.performers[number, person])[:1]:
                distance = self.aligner.distance(station, attempt)
                if distance is not None and distance < _LIKE:
                    return station
        return None

    def own(self, attempt: Attempt) -> tuple[Act, bool] | None:
        """The person's own step of which this is the act, and whether it has been done already; None if none is."""
        later: Act | None = None
        for _number, performer in self.ensemble.of(attempt.person):
            for act, index in self._occurrences(performer):
                distance = self.aligner.unlike(act, index, attempt)
                if distance is None or distance >= _LIKE:
                    continue
                if (act.nid, index) in self.ensemble.ledger.done:
                    return act, True
                later = later or (act if self._is_ahead(performer, (act.nid, index)) else None)
        return None if later is None else (later, False)

    def _occurrences(self, performer: Performer) -> Iterator[tuple[Act, Index]]:
        """The steps of a part: where a step comes many times, the first two times and the present one."""
        loops = () if performer.nid is None else self.rite.nodes[performer.nid].loops
        for nid in performer.part.stations:
            node = self.rite.nodes[nid]
            if isinstance(node, Act):
                depth = len(node.loops)
                # In another loop the place in this one means nothing.
                here = [performer.index[:depth]] if loops[:depth] == node.loops else []
                for index in dict.fromkeys([*here, *performer.part.sample(node)]):
                    if self.rite.fill(node.who, node, index) == performer.person:
                        yield node, index

    def _is_ahead(self, performer: Performer, key: Key) -> bool:
        return performer.key is not None and self.rite.position(key) > self.rite.position(performer.key)
