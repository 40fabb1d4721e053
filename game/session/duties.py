"""What is due to a person: single steps, and the phrase that the text makes of them. Asking changes nothing."""

from __future__ import annotations

from typing import Any

from game.core.choreography import Act, Group, Key
from game.session.ceremony import Ceremony

Entry = dict[str, Any]
LONGEST_PHRASE = 5


class Duties:
    """Reads the ceremony; every answer is plain data."""

    def __init__(self, ceremony: Ceremony) -> None:
        self.ceremony = ceremony

    def of(self, who: str | None) -> Entry:
        """``must``, ``any_order``, ``choose``, ``may`` and ``owed`` of one person (all empty for nobody)."""
        result: Entry = {"person": who, "must": [], "any_order": [], "choose": [], "may": [], "owed": []}
        if who is None:
            return result
        for _, performer in self.ceremony.ensemble.of(who):
            key = performer.key
            if not performer.is_due or key is None:
                continue
            act = self._act(key)
            if act.choices:
                result["choose"].append([*act.choices])
            elif act.may:
                result["may"].append(self.entry(key))
            elif isinstance(act.parent, Group) and act.parent.kind == "any_order":
                window = self.ceremony.arbiter.window(who)
                free = [s for s in window if s.act.parent is act.parent and s.status != "owed"]
                result["any_order"].append([self.entry(s.key) for s in free])
            else:
                result["must"].append(self.entry(key))
        result["owed"] = [self.entry(key) for key in self.ceremony.arbiter.aligner.owing(who)]
        return result

    def entry(self, key: Key) -> Entry:
        """One occurrence of a step: what is accepted for each field, and what is judged."""
        act = self._act(key)
        expected = self.ceremony.arbiter.expected(act, key[1])
        return {
            "step": self.ceremony.rite.step_name(act, key[1]),
            "phase": act.phase.id,
            "verb": act.verb,
            "accepts": {k: list(v) for k, v in expected.items()},
            "judged": sorted(expected),
            "words": self.ceremony.words_of(act),
            "basis": act.basis,
            "clauses": list(self.ceremony.rite.clauses(act, key[1])),
        }

    def ahead(self, who: str) -> list[Entry]:
        """The person's own steps from the due one on, as far as they wait for nobody else."""
        found: list[Entry] = []
        own: set[Key] = set()
        for station in self.ceremony.arbiter.window(who):
            if station.status not in ("due", "next"):
                continue
            performer = station.performer
            cues = performer.part.cues(*station.key)
            if station.status == "next" and not performer.seen.union(own).issuperset(cues):
                continue
            own.add(station.key)
            found.append(self.entry(station.key))
        return found

    def phrase(self, who: str) -> list[Entry]:
        """The first of those steps that the text says in one breath: they share a clause, or one follows the other."""
        found: list[Entry] = []
        for entry in self.ahead(who):
            if found and (len(found) == LONGEST_PHRASE or not self._continues(found[-1], entry)):
                break
            found.append(entry)
        return found

    def waiting(self, who: str) -> list[str]:
        """Those who can go on only when this person has done what is due to him, in roster order."""
        own = {p.key for _, p in self.ceremony.ensemble.of(who) if p.is_due and p.key is not None}
        found = set()
        for (_, other), performer in self.ceremony.ensemble.performers.items():
            if other == who or performer.key is None or performer.is_due or performer.station.startswith("ask_"):
                continue
            if own & (set(performer.part.cues(*performer.key)) - performer.seen):
                found.add(other)
        return sorted(found, key=lambda p: self.ceremony.words.order[p])

    def forbidden(self, who: str) -> list[Entry]:
        """What the text rules out for this person now: verb and fields, with the clauses."""
        found = []
        for forbid in self.ceremony.arbiter.forbids.current():
            names = [str(v) for v in forbid.pattern.get("who", (who,))]
            members = {m for n in names for m in self.ceremony.words.roster.members(n)}
            verbs = forbid.pattern.get("verb", ())
            if who in members and verbs:
                fields = {k: list(v) for k, v in forbid.pattern.items() if k not in ("who", "verb")}
                found.append({"verb": str(verbs[0]), "accepts": fields, "clauses": list(forbid.clauses)})
        return found

    def _continues(self, one: Entry, other: Entry) -> bool:
        a, b = set(one["clauses"]), set(other["clauses"])
        if a & b:
            return True
        numbers = sorted(c for c in a if c[:3] == f"P{one['phase'][:2]}")
        following = sorted(c for c in b if c[:3] == f"P{other['phase'][:2]}")
        return bool(numbers and following) and int(following[0][4:]) == int(numbers[-1][4:]) + 1

    def _act(self, key: Key) -> Act:
        act = self.ceremony.rite.nodes[key[0]]
        assert isinstance(act, Act)
        return act
