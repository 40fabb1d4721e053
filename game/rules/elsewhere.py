"""Where an act that nothing calls for here does belong: with another person, in the past, or further on."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from game.core.act import Attempt
from game.core.choreography import Act, Index, Key, Node, Rite, When
from game.rules.aligning import Aligner, Station
from game.rules.ensemble import Ensemble
from game.rules.machine import Performer
from game.rules.projection import actors

_LIKE = 1.0
"""An act is that of a step from which it differs by less than this."""
_REPLIES = ("辞", "对", "许", "诺")
"""They belong to what they answer, and to no phase by themselves."""
_ONE_THING = 0.5
"""Of a step in another phase it may differ in place, facing or number, and in one of these only."""


class Elsewhere:
    """Reads the machines; changes nothing."""

    def __init__(self, rite: Rite, ensemble: Ensemble, aligner: Aligner) -> None:
        self.rite = rite
        self.ensemble = ensemble
        self.aligner = aligner
        self._actors: dict[int, frozenset[str]] = {}

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
                if not self._is_like(act, index, attempt):
                    continue
                if (act.nid, index) in self.ensemble.ledger.done:
                    return act, True
                later = later or (act if self._is_ahead(performer, (act.nid, index)) else None)
        if later is not None:
            return later, False
        return self._in_other_phases(attempt)

    def _in_other_phases(self, attempt: Attempt) -> tuple[Act, bool] | None:
        """The same in phases past and to come: what he has done but once, or will do whatever comes about."""
        if attempt.verb in _REPLIES:
            return None
        running = self.ensemble.running()
        found: list[tuple[Act, bool]] = []
        for act in self._of_verb(attempt.verb):
            if act.phase.number in running or attempt.person not in self._who(act):
                continue
            for index in self._turns(act, attempt.person):
                if self._is_just(act, index, attempt):
                    found.append((act, (act.nid, index) in self.ensemble.ledger.done))
        if len(found) == 1 and found[0][1]:
            return found[0]
        now = max(running, default=0)
        return next(((a, False) for a, _ in found if a.phase.number > now and not self._depends(a)), None)

    @staticmethod
    def _depends(node: Node) -> bool:
        """Whether a step is done only if something turns out so."""
        while node.parent is not None:
            node = node.parent
            if isinstance(node, When):
                return True
        return False

    def office(self, attempt: Attempt) -> tuple[Act, str] | None:
        """The step of which this is the act, and whose it is, if one man, or one kind of men, alone does it.

        What people of several kinds do (to bow) is nobody's office; nor is the handling of things: who has them may.
        """
        if self.aligner.expecting.effect(attempt.verb) != "none":
            return None
        found: tuple[Act, str] | None = None
        kinds = set()
        for act in self._of_verb(attempt.verb):
            for index in self._few(act):
                if not self._is_just(act, index, attempt):
                    continue
                person = self.rite.fill(act.who, act, index)
                kinds.add(self._kind.get(person, person))
                found = found or (act, person)
        if found is None or len(kinds) > 1 or self._kind.get(attempt.person, attempt.person) in kinds:
            return None
        return found

    def _is_like(self, act: Act, index: Index, attempt: Attempt) -> bool:
        distance = self.aligner.unlike(act, index, attempt)
        return distance is not None and distance < _LIKE

    def _is_just(self, act: Act, index: Index, attempt: Attempt) -> bool:
        """Whether an act is that of a step far off: the kind that it has must be named, one thing may differ."""
        manners = act.fields.get("manner", ())
        if manners and attempt.manner not in manners:
            return False
        distance = self.aligner.unlike(act, index, attempt)
        return distance is not None and distance <= _ONE_THING

    @cached_property
    def _kind(self) -> dict[str, str]:
        return {p.id: p.kind for p in self.rite.roster.persons}

    @cached_property
    def _verbs(self) -> dict[str, list[Act]]:
        found: dict[str, list[Act]] = {}
        for node in self.rite.nodes:
            if isinstance(node, Act):
                found.setdefault(node.verb, []).append(node)
        return found

    def _of_verb(self, verb: str) -> list[Act]:
        return self._verbs.get(verb, [])

    def _who(self, act: Act) -> frozenset[str]:
        if act.nid not in self._actors:
            self._actors[act.nid] = frozenset(actors(self.rite, act))
        return self._actors[act.nid]

    def _few(self, act: Act) -> list[Index]:
        """Enough turns of the loops around a step: two of each."""
        found: list[Index] = [()]
        for loop in act.loops:
            found = [(*i, j) for i in found for j in range(min(2, len(self.rite.members(loop, i))))]
        return found

    def _turns(self, act: Act, person: str) -> list[Index]:
        """The turns in which a person does a step; of loops over others, two."""
        found: list[Index] = [()]
        for loop in act.loops:
            named = "{" + loop.var in act.who or any("{" + loop.var in inner.over for inner in act.loops)
            found = [(*i, j) for i in found for j in range(len(self.rite.members(loop, i))) if named or j < 2]
        return [index for index in found if self.rite.fill(act.who, act, index) == person]

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
