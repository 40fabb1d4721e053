"""The resolved choreography: a tree of steps, and what stands before each of them.

A *key* names one occurrence of a step: ``(nid, index)`` with one index number for each loop around it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from game.core.vocabulary import Roster

Index = tuple[int, ...]
Key = tuple[int, Index]
Condition = Mapping[str, object]
FaultKind = Literal["序", "阙", "过", "位", "面", "数", "容", "器", "服", "手", "先后", "辞", "僭"]

START = -1
"""``nid`` of the edge at which a phase begins; its key is ``(START, (phase number,))``."""


@dataclass(eq=False)
class Node:
    """What every step has. ``loops`` are the loops around it, outermost first."""

    nid: int
    id: str | None
    clauses: tuple[str, ...]
    where: str
    """file:line of its record, for messages."""
    phase: Phase = field(init=False, repr=False)
    parent: Node | None = field(init=False, default=None, repr=False)
    place: int = field(init=False, default=0)
    """Its position among its parent's children."""
    loops: tuple[Loop, ...] = field(init=False, default=(), repr=False)

    @property
    def name(self) -> str:
        """Its id, or a number where it has none."""
        return self.id or f"n{self.nid}"

    def children(self) -> tuple[Node, ...]:
        """The steps inside, in the order of the text."""
        return ()

    def walk(self) -> Iterator[Node]:
        """Itself and everything inside, in the order of the text."""
        yield self
        for child in self.children():
            yield from child.walk()


@dataclass(eq=False)
class Act(Node):
    """One verb by one person. Each field is the set of accepted values, agents take the first; empty is not judged."""

    who: str
    verb: str
    fields: Mapping[str, tuple[str | int, ...]]
    basis: str = "文"
    words: str = ""
    note: str = ""
    re: str = ""
    after: tuple[str, ...] = ()
    may: bool = False
    fault: FaultKind | None = None
    """What it is to leave it undone, or to do it late, where that is not 阙 and 序."""
    trailing: bool = False
    """Nobody waits for it: what stands before it completes the passage that it closes."""
    choices: tuple[str, ...] = ()
    """Not empty for a named person's choice; its outcome is what was chosen."""


@dataclass(eq=False)
class Group(Node):
    """``seq``, ``par`` or ``any_order``."""

    kind: str
    steps: tuple[Node, ...] = ()

    @property
    def last_waited_for(self) -> Node:
        """The last step of a ``seq`` that is not trailing (the first, if all are)."""
        return next((n for n in reversed(self.steps) if not (isinstance(n, Act) and n.trailing)), self.steps[0])

    def children(self) -> tuple[Node, ...]:
        return self.steps


@dataclass(eq=False)
class Loop(Node):
    """``each`` (mode 次 皆 拾) or ``relay``; its body is drawn once and bound to each member."""

    over: str
    var: str
    mode: str
    rounds: int
    body: Node
    opens: str = ""

    def children(self) -> tuple[Node, ...]:
        return (self.body,)


@dataclass(eq=False)
class Meet(Node):
    """One side of a meeting in a relay: ``arriving`` or ``leaving``."""

    side: str
    body: Node

    def children(self) -> tuple[Node, ...]:
        return (self.body,)


@dataclass(eq=False)
class When(Node):
    """A branch decided in play: by a loop variable or by the outcome of a step."""

    condition: Condition
    then: Node | None
    otherwise: Node | None

    def children(self) -> tuple[Node, ...]:
        return tuple(n for n in (self.then, self.otherwise) if n is not None)


@dataclass(eq=False)
class Happening(Node):
    """Nobody does it (羹定, 明日), or a person's title changes (``person`` and ``office`` set)."""

    what: str
    person: str = ""
    office: str = ""


@dataclass(frozen=True)
class Forbid:
    """An act that the text rules out while ``scope`` is under way. Empty fields match anything."""

    pattern: Mapping[str, tuple[str | int, ...]]
    scope: Node
    clauses: tuple[str, ...]


@dataclass(eq=False)
class Phase:
    """One section of the text, resolved for a scenario. ``root`` is None where nothing is to be done."""

    id: str
    number: int
    root: Node | None
    clauses: tuple[str, ...] = ()
    beside: str = ""
    forbids: tuple[Forbid, ...] = ()


@dataclass(eq=False)
class Rite:
    """The whole choreography of one scenario."""

    phases: tuple[Phase, ...]
    roster: Roster
    nodes: tuple[Node, ...] = ()
    alone: frozenset[int] = frozenset()
    """Numbers of phases that run beside another, where what is played leaves that other out."""

    @cached_property
    def by_id(self) -> dict[str, Node]:
        """Nodes that have an id."""
        return {n.id: n for n in self.nodes if n.id}

    @cached_property
    def by_name(self) -> dict[str, Node]:
        """All nodes, those without an id by their number."""
        return {n.name: n for n in self.nodes}

    def phase(self, phase_id: str) -> Phase:
        """The phase with this id. KeyError if there is none."""
        for phase in self.phases:
            if phase.id == phase_id:
                return phase
        raise KeyError(phase_id)

    # Loops and names

    def members(self, loop: Loop, index: Index) -> tuple[str, ...]:
        """Whom the loop runs over, rounds unrolled; ``index`` is that of the loop itself."""
        over = self.fill(loop.over, loop, index) if "{" in loop.over else loop.over
        return self.roster.members(over) * loop.rounds

    def bindings(self, node: Node, index: Index) -> dict[str, str]:
        """Loop variable → member, for one occurrence of a node."""
        bound: dict[str, str] = {}
        for depth, loop in enumerate(node.loops[: len(index)]):
            bound[loop.var] = self._members(loop, index[:depth], bound)[index[depth]]
        return bound

    def _members(self, loop: Loop, index: Index, bound: Mapping[str, str]) -> tuple[str, ...]:
        over = self.substitute(loop.over, bound) if "{" in loop.over else loop.over
        return self.roster.members(over) * loop.rounds

    def substitute(self, text: str, bound: Mapping[str, str]) -> str:
        for var, member in bound.items():
            text = text.replace("{" + var + "}", member)
            if "{" + var + "." in text:
                for role, person in self.roster.pairs.get(member, {}).items():
                    text = text.replace("{" + var + "." + role + "}", person)
        return text

    def fill(self, text: str, node: Node, index: Index) -> str:
        """A name with its ``{variables}`` filled in for one occurrence."""
        return self.substitute(text, self.bindings(node, index)) if "{" in text else text

    def step_name(self, node: Node, index: Index) -> str:
        """The step's id with its bindings: ``p08_bows[众宾2]``."""
        if not index:
            return node.name
        bound = self.bindings(node, index)
        rounds = [
            i // max(1, len(self.members(lp, index[:d])) // lp.rounds)
            for d, (lp, i) in enumerate(zip(node.loops, index, strict=False))
            if lp.rounds > 1
        ]
        parts = list(bound.values()) + [str(r + 1) for r in rounds]
        return f"{node.name}[{','.join(parts)}]"

    def clauses(self, node: Node, index: Index) -> tuple[str, ...]:
        """What one occurrence performs: its own clauses, and from the second turn of a relay on those of the relay.

        Those say that the next do as the first did (三耦卒射亦如之); those of another loop say what is done in it.
        """
        turns = zip(node.loops, index, strict=False)
        again = (clause for loop, i in turns if i > 0 and loop.mode == "relay" for clause in loop.clauses)
        return tuple(dict.fromkeys((*node.clauses, *again)))

    # Order

    def position(self, key: Key) -> tuple[int, ...]:
        """Sorts occurrences by the order of the text, a loop member by member."""
        node = self.nodes[key[0]]
        path: list[int] = []
        for loop, i in zip(node.loops, key[1], strict=False):
            path += (loop.nid, i)
        path.append(node.nid)
        return tuple(path)

    def before(self, node: Node, index: Index) -> tuple[Key, ...]:
        """What must be complete before this occurrence is due: its cues."""
        parent = node.parent
        if parent is None:
            phase = node.phase
            if phase.beside in self.by_id and phase.number not in self.alone:
                return ((self.by_id[phase.beside].nid, ()),)
            return ((START, (phase.number,)),)
        if isinstance(parent, Group) and parent.kind == "seq" and node.place > 0:
            return (self._tail(parent.steps[node.place - 1], index),)
        if isinstance(parent, Loop):
            depth = len(parent.loops)
            outer, i = index[:depth], index[depth]
            if i == 0 or parent.mode == "皆":
                return self.before(parent, outer)
            previous = (*outer, i - 1)
            if parent.mode == "relay":
                return ((self.by_id[parent.opens].nid, previous),)
            return (self._tail(node, previous),)
        if isinstance(parent, Meet):
            other = self.partner(parent, index)
            here = self.before(parent, index)
            return here if other is None else here + self.before(*other)
        return self.before(parent, index)

    def cues(self, node: Node, index: Index) -> tuple[Key, ...]:
        """All cues of one occurrence: what stands before it, and its ``after``."""
        found = self.before(node, index)
        if isinstance(node, Act):
            for step in node.after:
                other = self.by_id[step]
                found += ((other.nid, index[: len(other.loops)]),)
        return found

    def _tail(self, node: Node, index: Index) -> Key:
        while isinstance(node, Group) and node.kind == "seq":
            node = node.last_waited_for
        return (node.nid, index[: len(node.loops)])

    def partner(self, meet: Meet, index: Index) -> tuple[Meet, Index] | None:
        """The other side of a meeting: None for the first arriving and the last leaving."""
        depth, relay = next((d, lp) for d, lp in reversed(list(enumerate(meet.loops))) if lp.mode == "relay")
        i = index[depth] + (-1 if meet.side == "arriving" else 1)
        if not 0 <= i < len(self.members(relay, index[:depth])):
            return None
        side = "leaving" if meet.side == "arriving" else "arriving"
        for other in relay.walk():
            if isinstance(other, Meet) and other.side == side:
                return other, (*index[:depth], i, *index[depth + 1 :])
        return None

    # Conditions

    def bound_condition(self, condition: Condition, node: Node, index: Index) -> bool | None:
        """The truth of a condition on loop variables; None if an outcome decides it."""

        def place(var: str) -> tuple[int, int]:
            for depth, loop in enumerate(node.loops):
                if loop.var == var:
                    return index[depth], len(self.members(loop, index[:depth]))
            raise KeyError(var)

        (name, value), *_ = condition.items()
        if name == "first":
            return place(str(value))[0] == 0
        if name == "last":
            i, count = place(str(value))
            return i == count - 1
        if name == "member":
            member = self.bindings(node, index)[str(value)]
            return member in self.roster.members(str(condition["of"]))
        if name == "not":
            inner = self.bound_condition(value, node, index)  # type: ignore[arg-type]
            return None if inner is None else not inner
        if name in ("all", "any"):
            inners = [self.bound_condition(c, node, index) for c in value]  # type: ignore[attr-defined]
            decisive = name == "any"
            if decisive in inners:
                return decisive
            return None if None in inners else not decisive
        return None

    def decided(self, condition: Condition, node: Node, index: Index, outcomes: Mapping[Key, frozenset[str]]) -> bool:
        """The truth of a condition once the outcomes are known; what lapsed has no outcome and makes it false."""
        (name, value), *_ = condition.items()
        if name == "outcome":
            step = self.by_id[str(value)]
            got = outcomes.get((step.nid, index[: len(step.loops)]), frozenset())
            wanted = condition["is"]
            return bool(got & set(wanted if isinstance(wanted, list | tuple) else [wanted]))
        if name == "not":
            return not self.decided(value, node, index, outcomes)  # type: ignore[arg-type]
        if name == "all":
            return all(self.decided(c, node, index, outcomes) for c in value)  # type: ignore[attr-defined]
        if name == "any":
            return any(self.decided(c, node, index, outcomes) for c in value)  # type: ignore[attr-defined]
        return bool(self.bound_condition(condition, node, index))

    def deciders(self, condition: Condition, index: Index) -> tuple[Key, ...]:
        """The occurrences whose outcomes decide a condition."""
        (name, value), *_ = condition.items()
        if name == "outcome":
            step = self.by_id[str(value)]
            return ((step.nid, index[: len(step.loops)]),)
        if name == "not":
            return self.deciders(value, index)  # type: ignore[arg-type]
        if name in ("all", "any"):
            return tuple(k for c in value for k in self.deciders(c, index))  # type: ignore[attr-defined]
        return ()
