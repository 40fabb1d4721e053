"""Static checks of a scenario: every name in every act known, in every binding of its loop variables."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from game.core.act import FIELDS
from game.core.choreography import Act, Happening, Index, Loop, Node, Rite, When
from game.core.vocabulary import FACINGS, HANDS, POSTURES, Vocabulary, together
from game.rules.outcomes import COUNT_TOLD, SHOOTING_TOLD, is_step
from game.session.references import Findings, Raw

TASTED = ("酒",)
"""What can be offered or tasted without being a thing of its own."""
_OUTCOME_EFFECTS = ("shoot", "count")


def bindings(rite: Rite, node: Node) -> list[Index]:
    """All index tuples under which a node occurs."""
    found: list[Index] = [()]
    for loop in node.loops:
        found = [(*i, j) for i in found for j in range(len(rite.members(loop, i)))]
    return found


class Names:
    """Which names a scenario knows; what it does not know goes into the findings."""

    def __init__(self, words: Vocabulary, rite: Rite, scenario: str, findings: Findings) -> None:
        self.words = words
        self.rite = rite
        self.scenario = scenario
        self.findings = findings
        self.kinds = {t.kind for t in words.things.values()} | set(words.things)
        self.people = {*words.order, *words.roster.groups, *words.roster.pairs}

    def check(self) -> None:
        """Every act, loop and happening of the rite."""
        for node in self.rite.nodes:
            if isinstance(node, Loop):
                self._loop(node)
        if any(s for s in self.findings.found if "no group" in s[1]):
            return
        for node in self.rite.nodes:
            if isinstance(node, When):
                self._when(node)
            elif isinstance(node, Act):
                self._act(node)
            elif isinstance(node, Happening) and node.person:
                for index in bindings(self.rite, node):
                    self._one(node, "who", self.rite.fill(node.person, node, index))

    def _loop(self, loop: Loop) -> None:
        over = {loop.over}
        if "{" in loop.over:
            over = {self.rite.fill(loop.over, loop, i) for i in bindings(self.rite, loop)}
        for name in sorted(over):
            if name not in self.people:
                self._add(loop, f"no group {name}; see groups and pairs of vocabulary/persons.yaml")

    def _when(self, when: When) -> None:
        """What the scenario decides cannot stand beside an outcome in one condition."""
        names = {next(iter(c)) for c in _simple(when.condition)}
        if names & {"scenario", "present", "reading"}:
            self._add(when, "a condition on the scenario and one on play stand together; write one when inside another")
        unbound = {str(c[n]) for c in _simple(when.condition) for n in ("first", "last", "member") if n in c}
        for variable in sorted(unbound - {loop.var for loop in when.loops}):
            self._add(when, f"condition on {variable}: this loop variable is not bound here; use one of a loop around")

    def _act(self, act: Act) -> None:
        indexes = bindings(self.rite, act)
        named = [("who", act.who), *((f, v) for f, values in act.fields.items() for v in values)]
        for name, value in named:
            if isinstance(value, int):
                if value < 1:
                    self._add(act, f"{name} is {value}; it is a number from 1")
                continue
            filled = {self.rite.fill(value, act, i) for i in indexes} if "{" in value else {value}
            for one in sorted(filled):
                self._one(act, name, one)

    def _add(self, node: Node, message: str) -> None:
        self.findings.add(node.where, f"{node.name}: {message}", self.scenario)

    def _one(self, node: Node, name: str, value: str) -> None:
        message = self.unknown(name, value)
        if message:
            self._add(node, message)

    def unknown(self, name: str, value: str) -> str:
        """Why a value cannot stand in a field; empty if it can."""
        words = self.words
        if "{" in value:
            return f"{name} {value}: the loop variable is not bound here; use one of the loops around"
        if name == "who" and value not in words.order:
            return f"no person {value} in this scenario; see vocabulary/persons.yaml"
        if name in ("at", "into") and value not in words.places:
            return f"{name} {value}: no such place; add it to vocabulary/places.yaml or use one that is there"
        if name == "from" and value not in words.places and value not in words.order:
            return f"from {value}: no such place or person; see vocabulary/places.yaml"
        if name == "to" and any(
            part not in self.people and part not in self.kinds and part not in words.places for part in together(value)
        ):
            return f"to {value}: no such person, group or thing; see vocabulary/persons.yaml"
        if name == "object" and value not in self.kinds and value not in TASTED:
            return f"object {value}: no such thing; add it to vocabulary/things.yaml or use one that is there"
        if name == "which" and value not in words.things:
            return f"which {value}: no such thing; see vocabulary/things.yaml"
        for field_name, allowed in (("facing", FACINGS), ("hand", HANDS), ("posture", POSTURES)):
            if name == field_name and value not in allowed:
                return f"{name} {value}: it is one of {' '.join(allowed)}"
        return ""

    def can_come_out(self, step: str) -> bool:
        """Whether a step has outcomes at all: a shot, a count, a report of it, a choice."""
        act = self.rite.by_id.get(step)
        if not isinstance(act, Act):
            return False
        verb = self.words.verbs.get(act.verb)
        reports = is_step(act, COUNT_TOLD) or is_step(act, SHOOTING_TOLD)
        return bool(act.choices) or reports or (verb is not None and verb.effect in _OUTCOME_EFFECTS)


def check_forbids(raw: Raw, names: Collection[Names], findings: Findings) -> None:
    """What is forbidden must be an act that somebody could do."""
    for _, step in raw.steps:
        pattern = step.get("forbid", {})
        for name, value in pattern.items():
            if name not in (*FIELDS, "who", "verb"):
                findings.add(step.where, f"forbid: no field {name}; it is one of who, verb, {', '.join(FIELDS)}")
                continue
            for text in value if isinstance(value, list) else [value]:
                if isinstance(text, int) or "{" in text:
                    continue
                if name == "verb":
                    if not any(text in n.words.verbs for n in names):
                        findings.add(step.where, f"forbid: no verb {text}; see vocabulary/verbs.yaml")
                elif name == "who":
                    if not any(text in n.people for n in names):
                        findings.add(step.where, f"forbid: no person {text}; see vocabulary/persons.yaml")
                elif all(n.unknown(name, text) for n in names):
                    findings.add(step.where, f"forbid: {next(iter(names)).unknown(name, text)}")


def check_conditions(raw: Raw, names: Collection[Names], options: Collection[str], findings: Findings) -> None:
    """Names in conditions: options, groups, loop variables, steps that can have an outcome."""
    people = set().union(*(n.people for n in names))
    for _, step in raw.steps:
        for condition in _simple(step.get("when", {})):
            name, value = next(iter(condition.items()))
            if name == "scenario" and value not in options:
                what = f"condition: no named scenario has an option {value}; add one to data/scenarios"
                findings.add(step.where, what)
            elif name == "present" and value not in people:
                findings.add(step.where, f"condition: no group {value}; see vocabulary/persons.yaml")
            elif name == "member" and condition.get("of") not in people:
                findings.add(step.where, f"condition: no group {condition.get('of')}; see vocabulary/persons.yaml")
            elif name == "reading" and value not in ("郑", "敖"):
                findings.add(step.where, f"condition: no reading {value}; it is 郑 or 敖")
            elif name == "outcome":
                there = [n for n in names if value in n.rite.by_id]
                if there and not any(n.can_come_out(str(value)) for n in there):
                    what = f"condition: {value} never has an outcome; name a shot, a count, its report or a choice"
                    findings.add(step.where, what)


def _simple(condition: Any) -> Iterator[Mapping[str, Any]]:
    if isinstance(condition, list):
        for one in condition:
            yield from _simple(one)
    elif isinstance(condition, Mapping) and condition:
        name = next(iter(condition))
        if name in ("not", "all", "any"):
            yield from _simple(condition[name])
        else:
            yield condition
