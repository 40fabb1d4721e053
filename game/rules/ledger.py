"""Counts what is complete, once for everybody: groups, untaken branches, turns of a loop, meetings."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from game.core.choreography import START, Group, Happening, Index, Key, Loop, Meet, Node, Phase, Rite, When
from game.core.trail import Trail

Outcome = frozenset[str]
NOTHING: Outcome = frozenset()


class Ledger:
    """Turns the discharge or lapse of single steps into the completion of what they belong to.

    ``emit`` is called with each key that becomes complete and its outcome; ``occur`` with each happening and
    change of office that comes about, which its owner reports back by ``complete``.
    """

    def __init__(
        self, rite: Rite, trail: Trail, emit: Callable[[Key, Outcome], None], occur: Callable[[Happening, Index], None]
    ) -> None:
        self.rite = rite
        self.trail = trail
        self.emit = emit
        self.occur = occur
        self.open: set[Key] = set()
        self.done: set[Key] = set()
        self.left: dict[Key, int] = {}
        self.outcomes: dict[Key, Outcome] = {}
        self._opens = {rite.by_id[n.opens].nid: n for n in rite.nodes if isinstance(n, Loop) and n.mode == "relay"}
        self._work: deque[tuple[bool, Node, Index]] = deque()
        self._busy = False

    def start(self, phase: Phase) -> None:
        """Open a phase; its start is an event like any other."""
        self.emit((START, (phase.number,)), NOTHING)
        if phase.root is not None:
            self._run(True, phase.root, ())

    def complete(self, key: Key, outcome: Outcome = NOTHING) -> None:
        """An act was discharged, or lapsed (no outcome); a happening came about."""
        if outcome:
            self.trail.put(self.outcomes, key, outcome)
        self._run(False, self.rite.nodes[key[0]], key[1])

    def finished(self, phase: Phase) -> bool:
        """Whether the phase has come to its end."""
        return phase.root is None or (phase.root.nid, ()) in self.done

    def under_way(self, node: Node, index: Index = ()) -> bool:
        """Whether a composite is open and not complete (any turn of it where ``index`` is short)."""
        key = (node.nid, index[: len(node.loops)])
        if len(key[1]) < len(node.loops):
            return any(k[0] == node.nid and k not in self.done for k in self.open)
        return key in self.open and key not in self.done

    def turns_under_way(self, node: Node) -> list[Index]:
        """Each turn of a composite that is open and not complete, in order."""
        if not node.loops:
            return [()] if self.under_way(node) else []
        return sorted(k[1] for k in self.open if k[0] == node.nid and k not in self.done)

    def _run(self, opening: bool, node: Node, index: Index) -> None:
        self._work.append((opening, node, index))
        if self._busy:
            return
        self._busy = True
        try:
            while self._work:
                is_opening, at, where = self._work.popleft()
                (self._open if is_opening else self._complete)(at, where)
        finally:
            self._busy = False

    def _open(self, node: Node, index: Index) -> None:
        key = (node.nid, index)
        if key in self.open:
            return
        self.trail.add(self.open, key)
        if isinstance(node, Group):
            first = node.steps if node.kind != "seq" else node.steps[:1]
            for child in first:
                self._work.append((True, child, index))
        elif isinstance(node, Loop):
            count = len(self.rite.members(node, index))
            if count == 0:
                self._work.append((False, node, index))
            for i in range(count if node.mode == "皆" else min(count, 1)):
                self._work.append((True, node.body, (*index, i)))
        elif isinstance(node, Meet):
            other = self.rite.partner(node, index)
            if other is None:
                self._work.append((False, node, index))
            elif (other[0].nid, other[1]) in self.open:
                self._work.append((True, node.body, index))
                self._work.append((True, other[0].body, other[1]))
        elif isinstance(node, When):
            branch = node.then if self.rite.decided(node.condition, node, index, self.outcomes) else node.otherwise
            self._work.append((False, node, index) if branch is None else (True, branch, index))
        elif isinstance(node, Happening):
            self.occur(node, index)

    def _complete(self, node: Node, index: Index) -> None:
        key = (node.nid, index)
        if key in self.done:
            return
        self.trail.add(self.done, key)
        self.emit(key, self.outcomes.get(key, NOTHING))
        if node.nid in self._opens:
            relay = self._opens[node.nid]
            depth = len(relay.loops)
            if index[depth] + 1 < len(self.rite.members(relay, index[:depth])):
                self._work.append((True, relay.body, (*index[:depth], index[depth] + 1)))
        parent = node.parent
        if parent is None:
            return
        if isinstance(parent, Group) and parent.kind == "seq":
            if node.place + 1 < len(parent.steps):
                self._work.append((True, parent.steps[node.place + 1], index))
            if node is parent.last_waited_for or node.place + 1 == len(parent.steps):
                self._work.append((False, parent, index))
        elif isinstance(parent, Group):
            self._count(parent, index, len(parent.steps))
        elif isinstance(parent, Loop):
            outer, i = index[: len(parent.loops)], index[len(parent.loops)]
            count = len(self.rite.members(parent, outer))
            if parent.mode in ("次", "拾"):
                last = i + 1 == count
                self._work.append((False, parent, outer) if last else (True, node, (*outer, i + 1)))
            else:
                self._count(parent, outer, count)
        elif isinstance(parent, Meet):
            self._met(parent, index)
        else:
            self._work.append((False, parent, index))

    def _met(self, meet: Meet, index: Index) -> None:
        """A meeting is over for both sides at once."""
        other = self.rite.partner(meet, index)
        assert other is not None
        if (other[0].body.nid, other[1]) in self.done:
            self._work.append((False, meet, index))
            self._work.append((False, *other))

    def _count(self, group: Node, index: Index, count: int) -> None:
        key = (group.nid, index)
        left = self.left.get(key, count) - 1
        self.trail.put(self.left, key, left)
        if left == 0:
            self._work.append((False, group, index))
