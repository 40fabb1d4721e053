"""Each person's own part of a phase: stations in the order of the text, and the guarded ways between them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Protocol

from game.core.choreography import START, Act, Group, Index, Key, Loop, Meet, Node, Phase, Rite, When

DONE = -2
"""The station after the last."""

Outcome = frozenset[str]


class Walker(Protocol):
    """What a way needs to know of the one who walks it."""

    person: str
    part: Part
    index: Index
    outcomes: dict[Key, Outcome]


@dataclass(frozen=True)
class Enter:
    """Into a loop, or on to its next turn, at the first turn that has a station for this person."""

    loop: Loop
    inner: tuple[tuple[Op, ...], ...]
    again: bool

    def apply(self, walker: Walker, index: Index) -> Index | None:
        depth = len(self.loop.loops)
        start = index[depth] + 1 if self.again else 0
        outer = index[:depth]
        for i in walker.part.turns(walker.person, self.loop, outer):
            if i >= start and any(follow(walker, (*outer, i), ops) is not None for ops in self.inner):
                return (*outer, i)
        return None

    @property
    def label(self) -> str:
        return f"next {self.loop.var}" if self.again else f"first {self.loop.var}"


@dataclass(frozen=True)
class Leave:
    """Past a loop, when no turn is left that has a station for this person."""

    entry: Enter

    def apply(self, walker: Walker, index: Index) -> Index | None:
        return index[: len(self.entry.loop.loops)] if self.entry.apply(walker, index) is None else None

    @property
    def label(self) -> str:
        return f"no more {self.entry.loop.var}"


@dataclass(frozen=True)
class Bound:
    """Along one branch of a condition on loop variables."""

    when: When
    truth: bool

    def apply(self, walker: Walker, index: Index) -> Index | None:
        rite = walker.part.rite
        return index if rite.bound_condition(self.when.condition, self.when, index) is self.truth else None

    @property
    def label(self) -> str:
        (name, value), *_ = self.when.condition.items()
        return f"{'' if self.truth else 'not '}{name} {value}"


@dataclass(frozen=True)
class Decided:
    """Along one branch of a condition on outcomes, once they are known."""

    when: When
    truth: bool

    def apply(self, walker: Walker, index: Index) -> Index | None:
        rite = walker.part.rite
        got = rite.decided(self.when.condition, self.when, index, walker.outcomes)
        return index if got is self.truth else None

    @property
    def label(self) -> str:
        value = self.when.condition.get("is", self.when.name)
        return f"{'' if self.truth else 'not '}{value}"


@dataclass(frozen=True)
class Met:
    """Into a meeting, or past it where there is nobody to meet."""

    meet: Meet
    truth: bool

    def apply(self, walker: Walker, index: Index) -> Index | None:
        return index if (walker.part.rite.partner(self.meet, index) is not None) is self.truth else None

    @property
    def label(self) -> str:
        return "meets" if self.truth else "meets nobody"


Op = Enter | Leave | Bound | Decided | Met


def follow(walker: Walker, index: Index, ops: tuple[Op, ...]) -> Index | None:
    """The binding at the end of a way, or None if one of its guards fails."""
    at: Index | None = index
    for op in ops:
        if at is None:
            return None
        at = op.apply(walker, at)
    return at


@dataclass(frozen=True)
class Way:
    """From one station to another (``to`` is a nid or DONE)."""

    ops: tuple[Op, ...]
    to: int

    def follow(self, walker: Walker) -> Index | None:
        """The binding after it, or None if it is closed."""
        return follow(walker, walker.index, self.ops)

    @property
    def label(self) -> str:
        return ", ".join(op.label for op in self.ops)


@dataclass(eq=False)
class Part:
    """What all persons with the same own steps do in one phase.

    ``stations`` are nids of own acts and of branches that outcomes decide, in the order of the text.
    """

    rite: Rite
    phase: Phase
    own: frozenset[int]
    stations: tuple[int, ...] = field(init=False)
    entry: tuple[Way, ...] = field(init=False)
    ways: Mapping[int, tuple[Way, ...]] = field(init=False)

    def __post_init__(self) -> None:
        assert self.phase.root is not None
        self._relevant: set[int] = set()
        for nid in self.own:
            node: Node | None = self.rite.nodes[nid]
            while node is not None and node.nid not in self._relevant:
                self._relevant.add(node.nid)
                node = node.parent
        self._turns: dict[tuple[int, Index], dict[str, tuple[int, ...]]] = {}
        self.entry = tuple(Way(ops, DONE if to is None else to) for ops, to in self._paths(self.phase.root))
        self.stations = tuple(
            n.nid
            for n in self.phase.root.walk()
            if n.nid in self._relevant and (n.nid in self.own or (isinstance(n, When) and self._asks(n)))
        )
        self.ways = {nid: tuple(self._ways_from(self.rite.nodes[nid])) for nid in self.stations}

    @cached_property
    def member_loops(self) -> frozenset[int]:
        """Loops in which these persons act as the loop's own members."""
        found = set()
        for nid in self.own:
            act = self.rite.nodes[nid]
            assert isinstance(act, Act)
            for loop in act.loops:
                if "{" + loop.var in act.who:
                    found.add(loop.nid)
                    found |= {outer.nid for outer in loop.loops if "{" + outer.var in loop.over}
        return frozenset(found)

    def turns(self, person: str, loop: Loop, outer: Index) -> tuple[int, ...] | range:
        """The turns of a loop in which this person has something to do, in order."""
        members = self.rite.members(loop, outer)
        if loop.nid not in self.member_loops:
            return range(len(members))
        key = (loop.nid, outer if "{" in loop.over else ())
        if key not in self._turns:
            table: dict[str, list[int]] = {}
            for i, member in enumerate(members):
                for one in (member, *self.rite.roster.pairs.get(member, {}).values()):
                    table.setdefault(one, []).append(i)
            self._turns[key] = {p: tuple(ts) for p, ts in table.items()}
        return self._turns[key].get(person, ())

    def _asks(self, when: When) -> bool:
        return bool(self.rite.deciders(when.condition, (0,) * len(when.loops)))

    def _paths(self, node: Node) -> Iterator[tuple[tuple[Op, ...], int | None]]:
        """Ways into a node: to a station, or (None) through it without one."""
        if node.nid not in self._relevant:
            yield (), None
        elif isinstance(node, Act):
            yield (), node.nid
        elif isinstance(node, Group):
            yield from self._along(node.steps)
        elif isinstance(node, Loop):
            yield from self._turn(node, again=False)
        elif isinstance(node, Meet):
            for ops, to in self._paths(node.body):
                yield (Met(node, True), *ops), to
            yield (Met(node, False),), None
        elif isinstance(node, When):
            if self._asks(node):
                yield (), node.nid
            else:
                yield from self._branches(node, Bound)

    def _along(self, steps: tuple[Node, ...]) -> Iterator[tuple[tuple[Op, ...], int | None]]:
        through: list[tuple[Op, ...]] = [()]
        for child in steps:
            if child.nid not in self._relevant:
                continue
            paths = list(self._paths(child))
            yield from ((before + ops, to) for before in through for ops, to in paths if to is not None)
            through = [before + ops for before in through for ops, to in paths if to is None]
        yield from ((ops, None) for ops in through)

    def _turn(self, loop: Loop, again: bool) -> Iterator[tuple[tuple[Op, ...], int | None]]:
        inner = [(ops, to) for ops, to in self._paths(loop.body) if to is not None]
        enter = Enter(loop, tuple(ops for ops, _ in inner), again)
        for ops, to in inner:
            yield (enter, *ops), to
        yield (Leave(enter),), None

    def _branches(self, when: When, guard: type[Bound] | type[Decided]) -> Iterator[tuple[tuple[Op, ...], int | None]]:
        for branch, truth in ((when.then, True), (when.otherwise, False)):
            paths: Iterator[tuple[tuple[Op, ...], int | None]] = iter([((), None)])
            if branch is not None:
                paths = self._paths(branch)
            for ops, to in paths:
                yield (guard(when, truth), *ops), to

    def _ways_from(self, node: Node) -> Iterator[Way]:
        paths: Iterator[tuple[tuple[Op, ...], int | None]] = iter([((), None)])
        if isinstance(node, When):
            paths = self._branches(node, Decided)
        for ops, to in paths:
            if to is not None:
                yield Way(ops, to)
            else:
                yield from (Way(ops + way.ops, way.to) for way in self._after(node))

    def _after(self, node: Node) -> Iterator[Way]:
        parent = node.parent
        if parent is None:
            yield Way((), DONE)
            return
        paths: Iterator[tuple[tuple[Op, ...], int | None]] = iter([((), None)])
        if isinstance(parent, Group):
            paths = self._along(parent.steps[node.place + 1 :])
        elif isinstance(parent, Loop):
            paths = self._turn(parent, again=True)
        for ops, to in paths:
            if to is not None:
                yield Way(ops, to)
            else:
                yield from (Way(ops + way.ops, way.to) for way in self._after(parent))

    def cue_nids(self, nid: int) -> frozenset[int]:
        """All steps that can be a cue of a station, over all turns of the loops around it."""
        node = self.rite.nodes[nid]
        return frozenset(k[0] for index in self.sample(node) for k in self.cues(nid, index))

    def sample(self, node: Node) -> list[Index]:
        """Enough bindings of a node to see every way in which its cues differ."""
        found: list[Index] = [()]
        for loop in node.loops:
            found = [(*i, j) for i in found for j in range(min(2, len(self.rite.members(loop, i))))]
        return found

    def cues(self, nid: int, index: Index) -> tuple[Key, ...]:
        """What must have been seen at a station: its cues, and for a branch the outcomes that decide it."""
        return self.rite.cues(self.rite.nodes[nid], index) + self.deciders(nid, index)

    def deciders(self, nid: int, index: Index) -> tuple[Key, ...]:
        """For a branch, the steps whose outcomes decide it."""
        node = self.rite.nodes[nid]
        return self.rite.deciders(node.condition, index) if isinstance(node, When) else ()


def project(rite: Rite, phase: Phase) -> dict[str, Part]:
    """Person → part, for everybody who acts in the phase. Persons with the same steps share one part."""
    owned: dict[str, set[int]] = {}
    if phase.root is not None:
        for node in phase.root.walk():
            if isinstance(node, Act):
                for person in actors(rite, node):
                    owned.setdefault(person, set()).add(node.nid)
    parts: dict[frozenset[int], Part] = {}
    result: dict[str, Part] = {}
    for person, nids in owned.items():
        own = frozenset(nids)
        if own not in parts:
            parts[own] = Part(rite, phase, own)
        result[person] = parts[own]
    return result


def actors(rite: Rite, act: Act) -> tuple[str, ...]:
    """Everybody who does this act in some turn of the loops around it."""
    if "{" not in act.who:
        return (act.who,)
    names: set[str] = {act.who}
    for loop in reversed(act.loops):
        if not any("{" + loop.var in n for n in names):
            continue
        names = {rite.substitute(n, {loop.var: m}) for n in names for m in _all_members(rite, loop)}
    return tuple(sorted(names))


def _all_members(rite: Rite, loop: Loop) -> tuple[str, ...]:
    if "{" not in loop.over:
        return rite.roster.members(loop.over)
    overs = {loop.over}
    for outer in reversed(loop.loops):
        overs = {rite.substitute(o, {outer.var: m}) for o in overs for m in _all_members(rite, outer)}
    return tuple(m for o in sorted(overs) for m in rite.roster.members(o))


def start_key(phase: Phase) -> Key:
    """The event at which a phase begins."""
    return (START, (phase.number,))
