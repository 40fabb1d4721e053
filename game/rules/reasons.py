"""Which rule is the reason for a fault: the most particular one that fits, else the general one of its kind."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property

from game.core.act import Attempt
from game.core.choreography import Act, FaultKind
from game.core.rule import Rule
from game.core.vocabulary import Roster

_SHARED_CLAUSE = 10
"""How much more a clause that rule and fault share says than any one fact."""


class Reasons:
    """Reads the rule book when the first fault is found; changes nothing."""

    def __init__(self, rules: Callable[[], Mapping[str, Rule]], general: Mapping[str, str], roster: Roster) -> None:
        """``general``: kind of fault → the id of the rule that stands behind it where no other does."""
        self._read = rules
        self.general = general
        self.roster = roster
        self._groups = {name: frozenset(members) for name, members in roster.groups.items()}

    @cached_property
    def _by_kind(self) -> Mapping[str, Sequence[Rule]]:
        found: dict[str, list[Rule]] = {}
        for rule in self._read().values():
            if not rule.is_general:
                for kind in rule.applies.get("kind", {rule.kind}):
                    found.setdefault(kind, []).append(rule)
        return found

    def rule(
        self,
        kind: FaultKind,
        field: str,
        person: str,
        act: Act | None,
        attempt: Attempt | None,
        clauses: Sequence[str],
        phases: Sequence[int],
        got: str = "",
    ) -> str:
        """The id of the rule behind a fault of this kind in this field.

        ``act`` is the step that was due or meant, None if none was; ``attempt`` what was done, None if nothing was;
        ``clauses`` are those that the fault cites; ``phases`` the number of the one whose step it is or that rules it
        out, or of those under way; ``got`` is what stood where something else should have.
        """
        facts = self._facts(kind, field, person, act, attempt)
        facts |= {"got": frozenset({got}), "phase": frozenset(map(str, phases))}
        best, most = self.general[kind], 0
        for rule in self._by_kind.get(kind, ()):
            if all(facts.get(name, frozenset()) & values for name, values in rule.applies.items()):
                shares = _SHARED_CLAUSE if set(rule.clauses) & set(clauses) else 0
                weight = shares + len(rule.applies.keys() - {"kind"})
                if weight > most:
                    best, most = rule.id, weight
        return best

    def _facts(
        self, kind: str, field: str, person: str, act: Act | None, attempt: Attempt | None
    ) -> dict[str, frozenset[str]]:
        facts = {"kind": frozenset({kind}), "field": frozenset({field}), "who": self._names(person)}
        facts["step"] = frozenset({"none"})
        if attempt is not None:
            facts["got_verb"] = frozenset({attempt.verb})
            for name in ("manner", "object", "at"):
                facts[name] = frozenset({str(attempt.value(name))})
            facts["to"] = frozenset(n for one in attempt.to for n in self._names(one))
        if act is None:
            return facts
        step = act.id or ""
        facts["verb"] = frozenset({act.verb})
        facts["step"] = frozenset({step, step.rsplit("__", 1)[-1]})
        if kind not in ("过", "僭"):
            # What was meant counts; of an act that was meant for nothing, what was done.
            for name in ("manner", "object", "at"):
                values = [str(v) for v in act.fields.get(name, ())]
                if values and not any("{" in v for v in values):
                    facts[name] = frozenset(values)
        facts["to"] = facts.get("to", frozenset()).union(*(self._names(str(v)) for v in act.fields.get("to", ())))
        return facts

    def _names(self, name: str) -> frozenset[str]:
        """A person or group, every group that he, or all of it, belongs to, and an archer's part in his pair."""
        members = set(self.roster.members(name))
        within = {g for g, people in self._groups.items() if members and members <= people}
        part = self.roster.pair_of.get(name, ())[1:]
        return frozenset({name, *within, *part})
