"""The rite as graphs: the order of all its occurrences, which must have no cycle, and a role's machine, to be drawn."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from graphlib import CycleError, TopologicalSorter
from itertools import pairwise

from game.core.choreography import START, Act, Condition, Group, Index, Key, Loop, Meet, Node, Phase, Rite, When
from game.core.trail import Trail
from game.rules.machine import DONE_STATE, START_STATE, PartMachine, edges_of
from game.rules.projection import project
from game.session.names import bindings
from game.session.references import Findings

Phrase = Callable[[str, Mapping[str, object]], str]


# The order


class Order:
    """What must be complete before each occurrence is: cues, what it consists of, and each person's own order.

    All branches are taken at once, so that an order without a cycle is free of deadlock however the outcomes fall.
    """

    def __init__(self, rite: Rite, scenario: str, findings: Findings) -> None:
        self.rite = rite
        self.scenario = scenario
        self.findings = findings
        self.needs: dict[Key, set[Key]] = {}
        self.tree: dict[Key, frozenset[Key]] = {}
        """The same without the persons' own orders: what holds even where a branch is not taken."""
        ended: list[Key] = []
        for phase in rite.phases:
            if phase.root is None:
                continue
            self.needs[START, (phase.number,)] = set(ended)
            for node in phase.root.walk():
                for index in bindings(rite, node):
                    self.needs[node.nid, index] = {*rite.cues(node, index), *self._parts(node, index)}
            ended.append((phase.root.nid, ()))
        self.tree = {k: frozenset(n) for k, n in self.needs.items()}
        for phase in rite.phases:
            if phase.root is not None:
                self._own_orders(phase.root)

    def _parts(self, node: Node, index: Index) -> list[Key]:
        if isinstance(node, Group):
            last = node.steps[-1:] if node.kind == "seq" else node.steps
            return [(child.nid, index) for child in last]
        if isinstance(node, Loop):
            count = len(self.rite.members(node, index))
            turns = range(count) if node.mode in ("皆", "relay") else range(max(0, count - 1), count)
            return [(node.body.nid, (*index, i)) for i in turns]
        if isinstance(node, Meet):
            other = self.rite.partner(node, index)
            return [] if other is None else [(node.body.nid, index), (other[0].body.nid, other[1])]
        if isinstance(node, When):
            return [(child.nid, index) for child in node.children()] + list(self.rite.deciders(node.condition, index))
        return []

    def _own_orders(self, root: Node) -> None:
        own: dict[str, list[Key]] = {}
        for node in root.walk():
            if isinstance(node, Act):
                for index in bindings(self.rite, node):
                    own.setdefault(self.rite.fill(node.who, node, index), []).append((node.nid, index))
        for keys in own.values():
            keys.sort(key=self.rite.position)
            for before, after in pairwise(keys):
                self.needs[after].add(before)

    def name(self, key: Key) -> str:
        """A reader's name for an occurrence."""
        if key[0] == START:
            return f"始 of phase {key[1][0]}"
        return self.rite.step_name(self.rite.nodes[key[0]], key[1])

    def check(self) -> None:
        """Enter a cycle, cues that never come, and branches that open before they are decided."""
        for key, needs in self.needs.items():
            for cue in sorted(n for n in needs if n not in self.needs):
                node, other = self.rite.nodes[key[0]], self.rite.nodes[cue[0]]
                self._add(node, f"{node.name} waits for {other.name}, which is in a loop of its own; wait for the loop")
        known = {k: {n for n in needs if n in self.needs} for k, needs in self.needs.items()}
        try:
            TopologicalSorter(known).prepare()
        except CycleError as error:
            cycle: list[Key] = error.args[1]
            node = self.rite.nodes[next(k[0] for k in cycle if k[0] != START)]
            self._add(node, f"deadlock: {' → '.join(self.name(k) for k in cycle)}; let one of them wait for less")
            return
        for node in self.rite.nodes:
            if isinstance(node, When):
                self._decided_in_time(node)

    def _decided_in_time(self, when: When) -> None:
        for index in bindings(self.rite, when):
            for decider in self.rite.deciders(when.condition, index):
                if not self._comes_before(decider, self.rite.cues(when, index)):
                    other = self.rite.nodes[decider[0]]
                    what = f"{when.name}: the branch opens before {other.name} decides it; put it after that step"
                    self._add(when, what)

    def _comes_before(self, key: Key, cues: tuple[Key, ...]) -> bool:
        phase = self.rite.nodes[key[0]].phase.root
        whole = (phase.nid, ()) if phase else key
        seen: set[Key] = set()
        # The nearest first: what decides a branch mostly stands just before it.
        rest = deque(cues)
        while rest:
            at = rest.popleft()
            if at == key:
                return True
            if at not in seen:
                seen.add(at)
                needs = self.tree.get(at, frozenset())
                if at[0] == START and whole in needs:
                    return True
                rest += needs
        return False

    def _add(self, node: Node, message: str) -> None:
        self.findings.add(node.where, message, self.scenario)


# Drawings


def _condition(condition: Condition) -> str:
    """A condition in a few words."""
    (name, value), *_ = condition.items()
    if name == "outcome":
        wanted = condition["is"]
        return f"{value} = {'/'.join(map(str, wanted)) if isinstance(wanted, list | tuple) else wanted}"
    if name == "not":
        return f"not {_condition(value)}"  # type: ignore[arg-type]
    if name in ("all", "any"):
        joined = " and " if name == "all" else " or "
        return joined.join(f"({_condition(c)})" for c in value)  # type: ignore[attr-defined]
    return f"{name} {value}"


class Drawing:
    """A role's machine in one phase. KeyError where the person has no part in it."""

    def __init__(self, rite: Rite, phase: Phase, person: str, phrase: Phrase) -> None:
        part = project(rite, phase)[person]
        machine = PartMachine(part, Trail())
        self.rite = rite
        self.phrase = phrase
        self.title = f"{person} · {phase.id}"
        self.states = [str(s) for s in machine.machine.states]
        self.ways: dict[tuple[str, str], list[str]] = {}
        """(from, to) → labels; ways that differ only in the turn they take are drawn as one arrow."""
        for edge in edges_of(machine):
            labels = self.ways.setdefault((edge["source"], edge["dest"]), [])
            if (label := self._way(edge)) not in labels:
                labels.append(label)

    @staticmethod
    def roles(rite: Rite, phase: Phase) -> tuple[str, ...]:
        """Everybody who has a part in a phase."""
        return tuple(project(rite, phase))

    def label(self, state: str) -> tuple[str, ...]:
        """What a state shows, line by line: 候 or 当 with the act, its clauses, its step id."""
        if state in (START_STATE, DONE_STATE):
            return ("始" if state == START_STATE else "毕",)
        kind, name = state.split("_", 1)
        node = self.rite.by_name[name]
        if isinstance(node, When):
            return (f"疑 {_condition(node.condition)}", name)
        assert isinstance(node, Act)
        fields = {k: v for k, v in node.fields.items() if k != "speech"}
        word = "候" if kind == "wait" else "当"
        return tuple(t for t in (f"{word} {self.phrase(node.verb, fields)}", " ".join(node.clauses), name) if t)

    def _way(self, edge: Mapping[str, str]) -> str:
        """What an edge shows: for a cue who does what, for a step done the turn that it takes."""
        if not edge["source"].startswith("wait_"):
            return " · ".join(t for t in (edge["trigger"], edge["label"]) if t)
        cues = [self._cue(name) for name in edge["label"].split(", ") if name]
        return "see " + "，".join(cues)

    def _cue(self, name: str) -> str:
        node = self.rite.by_name.get(name)
        if not isinstance(node, Act):
            return name
        fields = {k: node.fields.get(k, ()) for k in ("times", "object", "manner")}
        return f"{node.who.strip('{}')} {self.phrase(node.verb, fields)}"

    def mermaid(self) -> str:
        """As a Mermaid state diagram."""

        def safe(text: str) -> str:
            return text.translate(str.maketrans('";:#', "'；：＃", "{}"))

        lines = ["---", f"title: {self.title}", "---", "stateDiagram-v2"]
        for state in self.states:
            if state not in (START_STATE, DONE_STATE):
                lines.append(f'    state "{"<br/>".join(safe(t) for t in self.label(state))}" as {state}')
        for (start, end), labels in self.ways.items():
            source, target = "[*]" if start == START_STATE else start, "[*]" if end == DONE_STATE else end
            lines.append(f"    {source} --> {target} : {'<br/>'.join(safe(t) for t in labels)}")
        return "\n".join(lines) + "\n"

    def dot(self) -> str:
        """As a DOT graph."""

        def quoted(*texts: str) -> str:
            return '"' + "\\n".join(t.replace("\\", "\\\\").replace('"', '\\"') for t in texts) + '"'

        lines = [f"digraph {quoted(self.title)} {{", "    node [shape=box, style=rounded];"]
        lines += [f"    {state} [label={quoted(*self.label(state))}];" for state in self.states]
        lines += [f"    {start} -> {end} [label={quoted(*labels)}];" for (start, end), labels in self.ways.items()]
        return "\n".join([*lines, "}"]) + "\n"
