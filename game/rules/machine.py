"""A part as a `transitions` machine, and the performers who are its models."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from transitions import Machine

from game.core.choreography import Act, Index, Key
from game.core.trail import Trail
from game.rules.projection import DONE, Outcome, Part, Way

logging.getLogger("transitions").setLevel(logging.ERROR)

START_STATE = "start"
DONE_STATE = "done"


@dataclass(eq=False)
class Performer:
    """One person in one phase: the model of a machine. ``seen`` and ``outcomes`` are what has been perceived."""

    person: str
    part: Part
    index: Index = ()
    seen: set[Key] = field(default_factory=set)
    outcomes: dict[Key, Outcome] = field(default_factory=dict)
    station: str = START_STATE
    """The machine's state."""

    def trigger(self, name: str) -> bool:
        """Fire a trigger of the machine; the machine puts its own function here when the performer joins it.

        It is the only thing that the machine may graft on a performer (`model_override`).
        """
        raise NotImplementedError(f"{self.person} has joined no machine ({name})")

    @property
    def nid(self) -> int | None:
        """The step or branch at which the performer is; None before the first and after the last."""
        return self.part.rite.by_name[self.station.split("_", 1)[1]].nid if "_" in self.station else None

    @property
    def key(self) -> Key | None:
        """The occurrence at which the performer is."""
        nid = self.nid
        return None if nid is None else (nid, self.index)

    @property
    def is_due(self) -> bool:
        """Whether the step at this station is to be done now."""
        return self.station.startswith("due_")


class PartMachine:
    """The state machine of a part, shared by everybody who has it.

    Three triggers: ``see`` (an event perceived), ``do`` (own step discharged), ``lapse`` (own step left undone).
    Guards are callables over the performer; no edge has an effect.
    """

    def __init__(self, part: Part, trail: Trail) -> None:
        self.part = part
        self.trail = trail
        self._ways: dict[str, tuple[Way, ...]] = {START_STATE: part.entry}
        states = [START_STATE, DONE_STATE]
        for nid in part.stations:
            if self._is_act(nid):
                states += [self._name("wait", nid), self._name("due", nid)]
                self._ways[self._name("wait", nid)] = self._ways[self._name("due", nid)] = part.ways[nid]
            else:
                states.append(self._name("ask", nid))
                self._ways[self._name("ask", nid)] = part.ways[nid]
        self.machine = Machine(
            model=None,
            states=states,
            initial=START_STATE,
            transitions=self.transitions(),
            auto_transitions=False,
            send_event=True,
            queued=False,
            ignore_invalid_triggers=True,
            model_attribute="station",
            model_override=True,
        )

    def _is_act(self, nid: int) -> bool:
        return isinstance(self.part.rite.nodes[nid], Act)

    def _name(self, kind: str, nid: int) -> str:
        return DONE_STATE if nid == DONE else f"{kind}_{self.part.rite.nodes[nid].name}"

    def _enter(self, nid: int) -> str:
        return self._name("wait" if nid == DONE or self._is_act(nid) else "ask", nid)

    def transitions(self) -> list[dict[str, Any]]:
        """The edges, each with the label that a drawing shows."""
        edges: list[dict[str, Any]] = []

        def edge(trigger: str, source: str, way: Way, guard: Callable[..., bool]) -> None:
            edges.append({"trigger": trigger, "source": source, "dest": self._enter(way.to), "conditions": [guard]})

        for way in self.part.entry:
            edge("see", START_STATE, way, _open(way))
        for nid in self.part.stations:
            if self._is_act(nid):
                wait, due = self._name("wait", nid), self._name("due", nid)
                edges.append({"trigger": "see", "source": wait, "dest": due, "conditions": [_cued]})
                for way in self.part.ways[nid]:
                    for source in (due, wait):
                        edge("do", source, way, _open(way))
                        edge("lapse", source, way, _open(way))
            else:
                for way in self.part.ways[nid]:
                    edge("see", self._name("ask", nid), way, _asked(way))
                    edge("lapse", self._name("ask", nid), way, _known(way))
        return edges

    def join(self, performer: Performer) -> None:
        """Make the performer a model of this machine."""
        self.machine.add_model(performer, initial=performer.station)
        self.trail.push(lambda: self.leave(performer))

    def rejoin(self, performer: Performer) -> None:
        """Take back a leaving."""
        self.machine.add_model(performer, initial=performer.station)

    def leave(self, performer: Performer) -> None:
        """Forget a performer whose part is over, so that nothing keeps it alive."""
        if performer in self.machine.models:
            self.machine.remove_model(performer)

    def fire(self, performer: Performer, trigger: str) -> bool:
        """Fire a trigger; the binding follows the way that the machine took. False if no edge was open."""
        station, index = performer.station, performer.index
        moved = performer.trigger(trigger)
        if not moved:
            return False
        self.trail.push(lambda: _restore(performer, station, index))
        if not (station.startswith("wait_") and trigger == "see"):
            performer.index = next(
                at for at in (way.follow(performer) for way in self._ways[station]) if at is not None
            )
        return True

    def successor(self, performer: Performer, nid: int, index: Index) -> tuple[int, Index] | None:
        """The act after an occurrence (or DONE), without moving; None if an outcome must be known first."""
        following = self._after(performer, nid, index)
        while following is not None and following[0] != DONE and not self._is_act(following[0]):
            following = self._after(performer, *following) if _decided(performer, *following) else None
        return following

    def _after(self, performer: Performer, nid: int, index: Index) -> tuple[int, Index] | None:
        probe = Performer(performer.person, self.part, index, performer.seen, performer.outcomes)
        for way in self.part.ways[nid]:
            at = way.follow(probe)
            if at is not None:
                return way.to, at
        return None


def _restore(performer: Performer, station: str, index: Index) -> None:
    performer.station, performer.index = station, index


def _open(way: Way) -> Callable[..., bool]:
    return lambda event: way.follow(event.model) is not None


def _asked(way: Way) -> Callable[..., bool]:
    return lambda event: _cued(event) and way.follow(event.model) is not None


def _known(way: Way) -> Callable[..., bool]:
    """A branch that is decided can be passed before its turn: by one who leaves out what stands before it."""

    def open_now(event: Any) -> bool:
        performer: Performer = event.model
        assert performer.nid is not None
        return _decided(performer, performer.nid, performer.index) and way.follow(performer) is not None

    return open_now


def _decided(performer: Performer, nid: int, index: Index) -> bool:
    return performer.seen.issuperset(performer.part.deciders(nid, index))


def _cued(event: Any) -> bool:
    performer: Performer = event.model
    nid = performer.nid
    assert nid is not None
    return performer.seen.issuperset(performer.part.cues(nid, performer.index))


def edges_of(machine: PartMachine) -> list[Mapping[str, str]]:
    """Edges as plain records for drawing: trigger, source, dest, label."""
    rite = machine.part.rite
    found: list[Mapping[str, str]] = []
    for source, ways in machine._ways.items():
        nid = rite.by_name[source.split("_", 1)[1]].nid if "_" in source else None
        if source.startswith("wait_") and nid is not None:
            cues = ", ".join(sorted(rite.nodes[k].name if k >= 0 else "始" for k in machine.part.cue_nids(nid)))
            found.append({"trigger": "see", "source": source, "dest": "due_" + source[5:], "label": cues})
            continue
        trigger = "do" if source.startswith("due_") else "see"
        for way in ways:
            found.append({"trigger": trigger, "source": source, "dest": machine._enter(way.to), "label": way.label})
    return found
