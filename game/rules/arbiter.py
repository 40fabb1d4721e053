"""The one door: no act takes effect unjudged. The decision table is docs/choreography.md §8; align, test, commit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from game.core.act import Attempt
from game.core.choreography import Act, Forbid, Group, Index, Key, Rite
from game.core.ruling import Fault, FaultKind, Refusal, Ruling, Verdict
from game.core.trail import Trail
from game.rules.aligning import Aligner, Station, folded
from game.rules.effects import perform
from game.rules.ensemble import Ensemble
from game.rules.excuses import STATE, Excuses
from game.rules.expecting import Expecting, Values
from game.rules.outcomes import Outcomes
from game.rules.reading import Reader
from game.rules.world import World

FIELD_FAULTS: dict[str, FaultKind] = {
    "times": "数", "count": "数", "at": "位", "facing": "面", "posture": "容", "manner": "容", "to": "位", "object": "器",
    "which": "器", "from": "位", "into": "位", "hand": "手", "via": "位", "speech": "辞",
}  # fmt: skip
_PERSONAL = {"go", "shift", "sit", "rise", "stand"}
_DRESSING = {"bare", "cover", "ring", "unring"}
_SUBSTITUTE_FIELDS = {"at", "facing", "posture", "to"}
"""What is judged of an act that stands in for another: how often and in what manner it was done belongs to the other."""


@dataclass(frozen=True)
class FaultTable:
    """Weight of each kind of fault, and the rule that stands behind it (``data/faults.yaml``)."""

    weights: Mapping[str, float]
    rules: Mapping[str, str]

    def verdict(self, faults: tuple[Fault, ...]) -> Verdict:
        """Points are 1 less the weights, never below 0; the grade follows from the points."""
        points = max(0.0, 1.0 - sum(self.weights[f.kind] for f in faults))
        grade = "正" if not faults else "小失" if points >= 0.75 else "失" if points > 0 else "违"
        return Verdict(grade, round(points, 2), faults)


@dataclass(frozen=True)
class Shortfall:
    """A number left short by the act just done, which may still be made up."""

    station: Station
    times: int
    count: int


class Arbiter:
    """Judges every act, agents' and players' alike."""

    def __init__(self, rite: Rite, world: World, ensemble: Ensemble, outcomes: Outcomes, table: FaultTable, trail: Trail):
        self.rite = rite
        self.world = world
        self.ensemble = ensemble
        self.outcomes = outcomes
        self.table = table
        self.trail = trail
        self.owed: dict[Key, tuple[int, str]] = {}
        """Steps passed over and not yet done or lapsed → phase number and person."""
        self.jumps: dict[Key, int] = {}
        """Owed step → the jump that passed it over. A jump costs one 序, however many steps it passed over."""
        self.paid: set[int] = set()
        """Jumps that have cost their 序, or are free (within ``any_order``)."""
        self.short: dict[str, Shortfall] = {}
        self.last: dict[str, Key] = {}
        """Person → the step that he discharged last."""
        self.performed = Attempt("", "")
        """The last act that took effect, with everything filled in."""
        self.expecting = Expecting(rite, world)
        self.excuses = Excuses(world, trail)
        self.aligner = Aligner(rite, ensemble, self.expecting, self.owed)
        self.reader = Reader(world, self.aligner)

    # What is expected

    def expected(self, act: Act, index: Index) -> dict[str, Values]:
        """Accepted values of each judged field for one occurrence; for a step due or owed, as the world now allows it."""
        person = self.rite.fill(act.who, act, index)
        key = (act.nid, index)
        performer = self.ensemble.performers.get((act.phase.number, person))
        if key in self.owed or (performer is not None and performer.is_due and performer.key == key):
            return self.expecting.accepted(person, act, index)
        return self.expecting.stated(act, index)

    def window(self, person: str) -> list[Station]:
        """The steps that an act of this person may be meant for, owed ones last."""
        return self.aligner.window(person)

    def read(self, person: str, given: Mapping[str, Any]) -> Attempt | Refusal:
        """A player's words as an attempt: names checked, what has only one possible value filled in."""
        return self.reader.read(person, given)

    # Judging

    def judge(self, attempt: Attempt) -> Refusal | Ruling:
        """Align, test, commit. On a refusal nothing has changed."""
        mark = self.trail.mark()
        window = self.aligner.window(attempt.person)
        found = self.aligner.align(attempt, window)
        short = self.short.get(attempt.person)
        if short is not None and (found is None or found[1] > 0) and self._makes_up(short, attempt):
            return self._take_effect(mark, self._filled(attempt, short.station), short.station, "makes up", window)
        forbid = None
        if found is None or found[0].status != "due":
            substituted = self.aligner.substituted(attempt, window, found[1] if found else None)
            forbid = self._forbidden(attempt) if found is None or substituted is not None else None
            if substituted is not None and forbid is None:
                return self._take_effect(mark, self._filled(attempt, substituted), substituted, "substitute", window)
            if forbid is not None:
                return self._take_effect(mark, self._filled(attempt, None), None, "forbidden", window, forbid)
        station = found[0] if found else None
        return self._take_effect(mark, self._filled(attempt, station), station, station.status if station else "", window)

    def _take_effect(
        self, mark: int, attempt: Attempt, station: Station | None, how: str, window: list[Station], forbid: Forbid | None = None
    ) -> Refusal | Ruling:
        before = self.excuses.all(attempt.person)
        idle = {s.key for s in window if s.status in ("due", "next") and self.expecting.holds(attempt.person, s.act, s.expected)}
        refusal = perform(self.world, attempt)
        if refusal is not None:
            self.trail.rollback(mark)
            self.ensemble.forget_order()
            return refusal
        self.performed = attempt
        self.excuses.refresh(attempt.person)
        if how == "makes up":
            self.trail.drop(self.short, attempt.person)
            return Ruling(self.table.verdict(()), None)
        if station is None:
            return self._uncalled(attempt, before, window, forbid)
        return self._discharge(attempt, station, how, before, window, idle)

    def possible(self, attempt: Attempt) -> bool:
        """Whether the world allows an act. Changes nothing."""
        mark = self.trail.mark()
        allowed = perform(self.world, attempt) is None
        self.trail.rollback(mark)
        return allowed

    def _filled(self, attempt: Attempt, station: Station | None) -> Attempt:
        """Fields that the person left open and the step settles (the customary hand, manner, source …)."""
        changes: dict[str, Any] = {}
        if station is not None:
            for name in ("manner", "object", "count", "from", "into", "hand", "via", "speech"):
                values = station.expected.get(name)
                if values and name not in attempt.given and not attempt.value(name):
                    changes["source" if name == "from" else name] = values[0]
            if "which" in station.expected and not attempt.which:
                changes["which"] = tuple(str(v) for v in station.expected["which"])
            if "to" in station.expected and not attempt.to:
                changes["to"] = (str(station.expected["to"][0]),)
        if not attempt.at and self.world.words.verbs[attempt.verb].effect != "go":
            changes["at"] = self.world.place[attempt.person]
        return replace(attempt, **changes) if changes else attempt

    # An act that discharges a step

    def _discharge(
        self, attempt: Attempt, station: Station, how: str, before: Mapping[str, str], window: list[Station], idle: set[Key]
    ) -> Ruling:
        person = attempt.person
        passed = self._pass_over(person, station, window, idle)
        faults: list[Fault] = []
        if how == "substitute":
            faults.append(self._fault("容", station, station.act.verb, attempt.verb, "verb"))
        elif how == "wait":
            faults.append(self._fault("先后", station, "俟", station.act.verb, "early"))
        elif how == "owed" and self._costs_order(station):
            faults.append(self._fault("序", station, station.act.verb, "后", "late"))
        faults += self._field_faults(attempt, station, how)
        if how == "owed":
            self.trail.drop(self.owed, station.key)
            self.excuses.changed(person, before)
        else:
            self.ensemble.done(station.number, station.performer)
        outcome = self.outcomes.of(station.act, station.key, attempt)
        self._remember(attempt, station)
        self.ensemble.discharged(station.key, outcome)
        return Ruling(self.table.verdict(tuple(faults)), station.key, outcome, passed, how == "wait", how == "owed")

    def _pass_over(self, person: str, station: Station, window: list[Station], idle: set[Key]) -> tuple[Key, ...]:
        """Steps before the one meant become owed; those whose effect held already are discharged in silence."""
        if station.status not in ("due", "next"):
            return ()
        between = [s for s in window if s.performer is station.performer and s.status != "owed" and s.ahead < station.ahead]
        jump = len(self.jumps) + 1
        owed = []
        for one in between:
            if one.key in idle:
                self.ensemble.done(one.number, one.performer)
                self.ensemble.discharged(one.key)
                continue
            self.ensemble.passed(one.number, one.performer)
            self.trail.put(self.owed, one.key, (one.number, person))
            self.trail.put(self.jumps, one.key, jump)
            self.excuses.missed(person, self.expecting.after(one.act, one.expected))
            owed.append(one)
        if owed and all(self._any_order(one) is not None and self._any_order(one) is self._any_order(station) for one in owed):
            self.trail.add(self.paid, jump)
        return tuple(one.key for one in owed)

    @staticmethod
    def _any_order(station: Station) -> Group | None:
        parent = station.act.parent
        return parent if isinstance(parent, Group) and parent.kind == "any_order" else None

    def _costs_order(self, station: Station) -> bool:
        """Whether a step done late costs a 序: the first of its jump does."""
        jump = self.jumps[station.key]
        if jump in self.paid:
            return False
        self.trail.add(self.paid, jump)
        return True

    def _fault(self, kind: FaultKind, station: Station, expected: object, got: object, field: str) -> Fault:
        return Fault(kind, self.table.rules[kind], str(expected), str(got), station.act.clauses, field)

    def _field_faults(self, attempt: Attempt, station: Station, how: str) -> list[Fault]:
        faults = []
        person = attempt.person
        for name, values in station.expected.items():
            if how == "substitute" and name not in _SUBSTITUTE_FIELDS:
                continue
            got = self.excuses.actual(person, name) if name in STATE else attempt.value(name)
            if self._fits(name, values, got, attempt):
                if name in STATE:
                    self.excuses.settle(person, name)
                continue
            if name in STATE and (how == "owed" or self.excuses.cover(person, name)):
                continue
            faults.append(self._fault(FIELD_FAULTS[name], station, "、".join(map(str, values)), _shown(got), name))
            if name in STATE:
                self.excuses.put(person, name)
        return faults

    def _fits(self, name: str, values: Values, got: object, attempt: Attempt) -> bool:
        if name in (*STATE, "times"):
            return got in values
        if name == "to":
            return self.aligner.towards(attempt.to, values)
        if name == "object":
            return self.aligner.names(str(got), values)
        if name not in attempt.given:
            return True
        if name == "which":
            return set(attempt.which) <= {str(v) for v in values}
        if name == "speech":
            return any(folded(str(got)) == folded(str(v)) for v in values)
        return got in values

    def _remember(self, attempt: Attempt, station: Station) -> None:
        """The step just done, and what is missing of its number."""
        person = attempt.person
        self.trail.put(self.last, person, station.key)

        def missing(name: str, got: int) -> int:
            wanted = max((v for v in station.expected.get(name, ()) if isinstance(v, int)), default=0)
            return max(0, wanted - got)

        times, count = missing("times", attempt.times), missing("count", attempt.count) if attempt.count else 0
        if times or count:
            self.trail.put(self.short, person, Shortfall(station, times, count))
        else:
            self.trail.drop(self.short, person)

    def _makes_up(self, short: Shortfall, attempt: Attempt) -> bool:
        """Whether an act only adds what the act before left short."""
        act = short.station.act
        if attempt.verb != act.verb or self.aligner.distance(replace(short.station, status="due"), attempt) is None:
            return False
        if short.count:
            return 0 < (attempt.count or 1) <= short.count
        return attempt.times <= short.times

    # An act that discharges nothing

    def _uncalled(
        self, attempt: Attempt, before: Mapping[str, str], window: list[Station], forbid: Forbid | None
    ) -> Ruling:
        person = attempt.person
        if forbid is not None:
            fault = Fault("过", "r_forbidden", "不" + attempt.verb, attempt.verb, forbid.clauses, "verb")
        elif self._amends(attempt, before):
            return Ruling(self.table.verdict(()), None)
        else:
            owner = self._other_due(attempt)
            if owner is not None:
                fault = self._fault("僭", owner, owner.performer.person, person, "person")
            else:
                effect = self.world.words.verbs[attempt.verb].effect
                kind: FaultKind = "服" if effect in _DRESSING else "过"
                due = next((s.act for s in window if s.status == "due"), None)
                clauses = due.clauses if due else self._ground(person, window)
                fault = Fault(kind, self.table.rules[kind], due.verb if due else "无", attempt.verb, clauses, "verb")
        self.excuses.changed(person, before)
        return Ruling(self.table.verdict((fault,)), None)

    def _ground(self, person: str, window: list[Station]) -> tuple[str, ...]:
        """Clauses for an act where nothing is due: what he waits with, what he did last, what others are about."""
        acts = [s.act for s in window]
        if person in self.last:
            last = self.rite.nodes[self.last[person][0]]
            assert isinstance(last, Act)
            acts.append(last)
        for place in sorted(self.ensemble.due):
            key = self.ensemble.performers[place].key
            node = self.rite.nodes[key[0]] if key is not None else None
            if isinstance(node, Act):
                acts.append(node)
        return next((a.clauses for a in acts if a.clauses), ())

    def _amends(self, attempt: Attempt, before: Mapping[str, str]) -> bool:
        """Whether an act only puts right what an earlier slip had left wrong: it changes what was excused."""
        effect = self.world.words.verbs[attempt.verb].effect
        name = {"sit": "posture", "rise": "posture", "go": "at", "shift": "facing"}.get(effect)
        excused = self.wrong_before.get((attempt.person, name)) if name else None
        return excused is not None and name is not None and excused == before[name]

    def _forbidden(self, attempt: Attempt) -> Forbid | None:
        for number in {n for n, _ in self.ensemble.of(attempt.person)} | set(self.ensemble.running()):
            for phase in self.rite.phases:
                if phase.number != number:
                    continue
                for forbid in phase.forbids:
                    if self.ensemble.ledger.under_way(forbid.scope) and self._matches(forbid, attempt):
                        return forbid
        return None

    def _matches(self, forbid: Forbid, attempt: Attempt) -> bool:
        for name, values in forbid.pattern.items():
            if name == "who":
                roles = {m for v in values for m in self._role(str(v), forbid)}
                if attempt.person not in roles:
                    return False
            elif name == "to":
                meant = {m for v in values for m in self.rite.roster.members(str(v))}
                if attempt.to and not {m for one in attempt.to for m in self.rite.roster.members(one)} & meant:
                    return False
            elif name == "manner":
                if attempt.manner and attempt.manner not in values:
                    return False
            elif attempt.value(name) not in values:
                return False
        return True

    def _role(self, name: str, forbid: Forbid) -> tuple[str, ...]:
        if "{" not in name:
            return self.world.words.roster.members(name)
        found: set[str] = {name}
        for loop in reversed(forbid.scope.loops):
            found = {self.rite.substitute(f, {loop.var: m}) for f in found for m in self.rite.roster.members(loop.over)}
        return tuple(found)

    def _other_due(self, attempt: Attempt) -> Station | None:
        if self.world.words.verbs[attempt.verb].effect in _PERSONAL:
            return None
        for number, person in sorted(self.ensemble.due):
            if person == attempt.person:
                continue
            for station in self.aligner.ahead(number, self.ensemble.performers[number, person])[:1]:
                distance = self.aligner.distance(station, attempt)
                if distance is not None and distance < 1:
                    return station
        return None

    # Steps left undone

    def settle(self, person: str) -> bool:
        """Discharge silently each due step of a person whose effect already holds. True if any was."""
        changed = False
        while True:
            for number, performer in self.ensemble.of(person):
                key = performer.key
                if not performer.is_due or key is None:
                    continue
                act = self.rite.nodes[key[0]]
                assert isinstance(act, Act)
                if self.expecting.holds(person, act, self.expecting.stated(act, key[1])):
                    self.ensemble.done(number, performer)
                    self.ensemble.discharged(key)
                    changed = True
                    break
            else:
                return changed

    def lapse(self, key: Key) -> Fault:
        """A step is left undone for good: 阙. The rite goes on without it."""
        act = self.rite.nodes[key[0]]
        assert isinstance(act, Act)
        if key in self.owed:
            self.trail.drop(self.owed, key)
        else:
            person = self.rite.fill(act.who, act, key[1])
            number, performer = next((n, p) for n, p in self.ensemble.of(person) if p.key == key)
            expected = self.expecting.accepted(person, act, key[1])
            self.ensemble.passed(number, performer)
            self.excuses.missed(person, self.expecting.after(act, expected))
        self.ensemble.lapsed(key)
        return Fault("阙", self.table.rules["阙"], act.verb, "无", act.clauses, "act")


def _shown(value: object) -> str:
    return "、".join(value) if isinstance(value, tuple) else str(value)


__all__ = ["FIELD_FAULTS", "Arbiter", "FaultTable", "Shortfall", "Station"]
