"""All machines of the phases under way, and the events that pass between them."""

from __future__ import annotations

import heapq
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from functools import partial

from game.core.choreography import START, Act, Happening, Index, Key, Node, Phase, Rite, When
from game.core.trail import Trail
from game.rules.ledger import NOTHING, Ledger, Outcome
from game.rules.machine import DONE_STATE, PartMachine, Performer
from game.rules.projection import Part, project

Turn = tuple[tuple[int, ...], int, int, str]
"""Sort key of one who is due: order of the text, roster order, phase number, person."""


class Routes:
    """Who must be told of which event; made once a phase."""

    def __init__(self, rite: Rite, phase: Phase) -> None:
        self.parts: dict[str, Part] = project(rite, phase)
        self.by_key: dict[Key, list[str]] = {}
        self.by_nid: dict[int, list[str]] = {}
        for person, part in self.parts.items():
            for nid in part.stations:
                self._subscribe(rite, person, part, rite.nodes[nid])

    def _subscribe(self, rite: Rite, person: str, part: Part, node: Node) -> None:
        if all(loop.nid in part.member_loops for loop in node.loops):
            indexes: list[Index] = [()]
            for loop in node.loops:
                indexes = [(*i, t) for i in indexes for t in part.turns(person, loop, i)]
            for index in indexes:
                for key in part.cues(node.nid, index):
                    told = self.by_key.setdefault(key, [])
                    if person not in told[-1:]:
                        told.append(person)
        else:
            for nid in part.cue_nids(node.nid):
                told = self.by_nid.setdefault(nid, [])
                if person not in told[-1:]:
                    told.append(person)

    def told(self, key: Key) -> Iterable[str]:
        """Everybody who waits for this event now or later."""
        yield from self.by_key.get(key, ())
        yield from self.by_nid.get(key[0], ())


class Ensemble:
    """Runs the machines by passing events; knows nothing of the world or of right and wrong.

    ``happens`` is called with each happening or change of office; ``told`` (optional) with (person, key) for each event
    delivered, so that the owner can check that it was perceived.
    """

    def __init__(
        self,
        rite: Rite,
        order: Mapping[str, int],
        trail: Trail,
        happens: Callable[[Happening, Index], None],
        told: Callable[[str, Key], None] | None = None,
        completed: Callable[[Key], None] | None = None,
    ) -> None:
        self.rite = rite
        self.trail = trail
        self.order = order
        self.told = told
        self.completed = completed
        self.ledger = Ledger(rite, trail, self._emit, happens)
        self.performers: dict[tuple[int, str], Performer] = {}
        self.machines: dict[frozenset[int], PartMachine] = {}
        self.routes: dict[int, Routes] = {}
        self.due: dict[tuple[int, str], Turn] = {}
        self._heap: list[Turn] = []
        self._stale = False
        self._queue: deque[tuple[Key, Outcome]] = deque()
        self._delivering = False
        self._running: dict[int, Phase] = {}

    # Phases

    def open(self, phase: Phase) -> None:
        """Begin a phase."""
        if phase.number not in self.routes:
            self.routes[phase.number] = Routes(self.rite, phase)
        self.trail.put(self._running, phase.number, phase)
        self.ledger.start(phase)
        self._deliver()

    def close(self, phase: Phase) -> None:
        """End a phase: its performers leave their machines."""
        for (number, person), performer in list(self.performers.items()):
            if number == phase.number:
                self.trail.drop(self.performers, (number, person))
                self.trail.drop(self.due, (number, person))
                machine = self.machines[performer.part.own]
                machine.leave(performer)
                self.trail.push(partial(machine.rejoin, performer))
        self.trail.drop(self._running, phase.number)

    # Events

    def discharged(self, key: Key, outcome: Outcome = NOTHING) -> None:
        """An act was done."""
        self.ledger.complete(key, outcome)
        self._deliver()

    def lapsed(self, key: Key) -> None:
        """A step was left undone for good."""
        self.ledger.complete(key)
        self._deliver()

    def happened(self, node: Happening, index: Index) -> None:
        """A happening came about."""
        self.ledger.complete((node.nid, index))
        self._deliver()

    def _emit(self, key: Key, outcome: Outcome) -> None:
        if self.completed is not None:
            self.completed(key)
        self._queue.append((key, outcome))

    def _deliver(self) -> None:
        if self._delivering:
            return
        self._delivering = True
        try:
            while self._queue:
                key, outcome = self._queue.popleft()
                for number in sorted(self._running):
                    for person in self.routes[number].told(key):
                        self.see(number, person, key, outcome)
        finally:
            self._delivering = False

    def see(self, number: int, person: str, key: Key, outcome: Outcome) -> None:
        """One performer perceives one event."""
        if self.told is not None:
            self.told(person, key)
        performer = self.performers.get((number, person))
        if performer is None:
            performer = self._join(number, person)
        self.trail.add(performer.seen, key)
        if outcome:
            self.trail.put(performer.outcomes, key, outcome)
        self._advance(number, performer)

    def _join(self, number: int, person: str) -> Performer:
        part = self.routes[number].parts[person]
        performer = Performer(person, part)
        if part.own not in self.machines:
            self.machines[part.own] = PartMachine(part, self.trail)
        self.machines[part.own].join(performer)
        self.trail.put(self.performers, (number, person), performer)
        for key in self._decided_before(part):
            performer.seen.add(key)
            performer.outcomes[key] = self.ledger.outcomes.get(key, NOTHING)
        return performer

    def _decided_before(self, part: Part) -> Iterable[Key]:
        """Outcomes of earlier phases on which this part depends: they were known when the phase began."""
        for nid in part.stations:
            node = self.rite.nodes[nid]
            if isinstance(node, When):
                for key in self.rite.deciders(node.condition, (0,) * len(node.loops)):
                    if self.rite.nodes[key[0]].phase is not part.phase and key in self.ledger.done:
                        yield key

    # Moves

    def machine(self, performer: Performer) -> PartMachine:
        """The machine whose model the performer is."""
        return self.machines[performer.part.own]

    def done(self, number: int, performer: Performer) -> None:
        """The performer's step was discharged: on to the next station."""
        self._move(number, performer, "do")

    def passed(self, number: int, performer: Performer) -> None:
        """The performer's step is left undone (owed, or lapsed): on to the next station."""
        self._move(number, performer, "lapse")

    def decide(self, number: int, performer: Performer) -> None:
        """Past a branch that is decided, though what stands before it has been left out: on to the next own step."""
        while performer.station.startswith("ask_"):
            self._move(number, performer, "lapse")

    def _move(self, number: int, performer: Performer, trigger: str) -> None:
        self.trail.drop(self.due, (number, performer.person))
        if not self.machine(performer).fire(performer, trigger):
            raise RuntimeError(f"{performer.person} cannot {trigger} at {performer.station}")
        self._advance(number, performer)

    def _advance(self, number: int, performer: Performer) -> None:
        machine = self.machine(performer)
        while performer.station != DONE_STATE and machine.fire(performer, "see"):
            pass
        place = (number, performer.person)
        if performer.is_due and place not in self.due:
            key = performer.key
            assert key is not None
            turn = (self.rite.position(key), self.order[performer.person], number, performer.person)
            self.trail.put(self.due, place, turn)
            heapq.heappush(self._heap, turn)

    # Whose turn

    def forget_order(self) -> None:
        """After a rollback the queue of turns is made anew."""
        self._stale = True

    def next(self) -> Performer | None:
        """Among all who are due, the one whose step is earliest in the text; ties in roster order."""
        if self._stale:
            self._heap = sorted(self.due.values())
            self._stale = False
        while self._heap:
            turn = self._heap[0]
            place = (turn[2], turn[3])
            if self.due.get(place) == turn:
                return self.performers[place]
            heapq.heappop(self._heap)
        return None

    def set_aside(self, number: int, person: str) -> None:
        """Take someone out of the order of turns, though he stays due, until ``take_back``."""
        heapq.heappop(self._heap)

    def take_back(self, number: int, person: str) -> None:
        """Put someone who was set aside into the order again."""
        if (number, person) in self.due:
            heapq.heappush(self._heap, self.due[number, person])

    def of(self, person: str) -> list[tuple[int, Performer]]:
        """The performers of one person in the phases under way, with the phase's number."""
        return [(n, p) for n in sorted(self._running) if (p := self.performers.get((n, person))) is not None]

    def running(self) -> tuple[int, ...]:
        """Numbers of the phases under way."""
        return tuple(sorted(self._running))

    def step_key(self, act: Act, index: Index) -> Key:
        """The key of one occurrence of an act."""
        return (act.nid, index)


__all__ = ["START", "Ensemble", "Routes", "Turn"]
