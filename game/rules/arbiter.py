"""The one door: no act takes effect unjudged. The decision table is docs/choreography.md §8; align, test, commit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from game.core.act import Attempt
from game.core.choreography import Act, FaultKind, Forbid, Group, Index, Key, Phase, Rite
from game.core.ruling import Fault, Refusal, Ruling
from game.core.trail import Trail
from game.core.vocabulary import together
from game.rules.aligning import ANOTHER_WAY, REPEATS, Aligner, Station
from game.rules.effects import impossible, perform
from game.rules.elsewhere import Elsewhere
from game.rules.ensemble import Ensemble
from game.rules.excuses import STATE, Excuses
from game.rules.expecting import Expecting, Values
from game.rules.faults import FIELD_FAULTS, FaultTable, shown
from game.rules.forbidding import Forbids
from game.rules.outcomes import Outcomes
from game.rules.reading import Reader
from game.rules.world import World

_PERSONAL = {"go", "shift", "sit", "rise", "stand"}
_DRESSING = {"bare", "cover", "ring", "unring"}
_SUBSTITUTE_FIELDS = {"at", "facing", "posture", "to"}
"""What is judged of an act that stands in for another: how often and in what manner belongs to the other."""


@dataclass(frozen=True)
class Shortfall:
    """A number left short by the act just done, which may still be made up."""

    station: Station
    times: int
    count: int


class Arbiter:
    """Judges every act, agents' and players' alike."""

    def __init__(
        self, rite: Rite, world: World, ensemble: Ensemble, outcomes: Outcomes, table: FaultTable, trail: Trail
    ):
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
        self.judged: set[int] = set()
        """Jumps faulted at once: the first of their steps that is never made good costs nothing more."""
        self.short: dict[str, Shortfall] = {}
        self.last: dict[str, Key] = {}
        """Person → the step that he discharged last."""
        self.performed = Attempt("", "")
        """The last act that took effect, with everything filled in."""
        self.expecting = Expecting(rite, world)
        self.excuses = Excuses(world, trail)
        self.forbids = Forbids(rite, ensemble)
        self.aligner = Aligner(rite, ensemble, self.expecting, self.owed)
        self.reader = Reader(world, self.aligner)
        self.elsewhere = Elsewhere(rite, ensemble, self.aligner)

    # What is expected

    def expected(self, act: Act, index: Index) -> dict[str, Values]:
        """Accepted values of each judged field for one occurrence; of a step due or owed, as the world allows."""
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
        if (
            found is not None
            and found[0].status in ("next", "wait")
            and self._likelier_otherwise(attempt, found[1], window)
        ):
            found = None
        short = self.short.get(attempt.person)
        if short is not None and (found is None or found[1] > 0) and self._makes_up(short, attempt):
            return self._take_effect(mark, self._filled(attempt, short.station), short.station, "makes up", window)
        if self._readies(attempt, window):
            return self._take_effect(mark, self._filled(attempt, None), None, "readies", window)
        forbid = self.forbids.by_name(attempt, found[0] if found else None)
        if forbid is not None:
            return self._take_effect(mark, self._filled(attempt, None), None, "forbidden", window, forbid)
        if found is None or found[0].status != "due":
            substituted = self.aligner.substituted(attempt, window, found[1] if found else None)
            if substituted is not None and self._repeats(attempt, substituted.act.phase):
                substituted = None
            forbid = self.forbids.against(attempt) if found is None or substituted is not None else None
            if substituted is not None and forbid is None:
                return self._take_effect(mark, self._filled(attempt, substituted), substituted, "substitute", window)
            if forbid is not None:
                return self._take_effect(mark, self._filled(attempt, None), None, "forbidden", window, forbid)
        station = found[0] if found else self._other_way(attempt, window)
        return self._take_effect(
            mark, self._filled(attempt, station), station, station.status if station else "", window
        )

    def _take_effect(
        self,
        mark: int,
        attempt: Attempt,
        station: Station | None,
        how: str,
        window: list[Station],
        forbid: Forbid | None = None,
    ) -> Refusal | Ruling:
        before, excused = self.excuses.all(attempt.person), self.excuses.excused(attempt.person)
        idle = {s.key for s in window if s.status in ("due", "next") and self._idle(attempt.person, s.act, s.expected)}
        refusal = self._unoffered(attempt, station) or perform(self.world, attempt)
        if refusal is not None:
            self.trail.rollback(mark)
            self.ensemble.forget_order()
            return refusal
        self.performed = attempt
        self.excuses.refresh(attempt.person)
        if how == "makes up":
            self.trail.drop(self.short, attempt.person)
        if how in ("makes up", "readies"):
            return Ruling(self.table.verdict(()), None)
        if station is None:
            return self._uncalled(attempt, before, excused, window, forbid)
        return self._discharge(attempt, station, how, before, window, idle)

    def _unoffered(self, attempt: Attempt, station: Station | None) -> Refusal | None:
        """Nobody takes out of another's hand what is not handed to him, unless the handing over was left out."""
        if self.expecting.effect(attempt.verb) != "receive" or (station and station.status in ("due", "owed")):
            return None
        giver = attempt.source
        if giver not in self.world.place or any(
            to == attempt.person and self.world.where[t][0] == giver for t, to in self.world.offered.items()
        ):
            return None
        return impossible(f"{giver}未授", f"{giver} has not handed it over")

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
                changes["to"] = together(str(station.expected["to"][0]))
        if not attempt.at and self.world.words.verbs[attempt.verb].effect != "go":
            changes["at"] = self.world.place[attempt.person]
        return replace(attempt, **changes) if changes else attempt

    # An act that discharges a step

    def _discharge(
        self,
        attempt: Attempt,
        station: Station,
        how: str,
        before: Mapping[str, str],
        window: list[Station],
        idle: set[Key],
    ) -> Ruling:
        person = attempt.person
        passed = self._pass_over(person, station, window, idle)
        faults: list[Fault] = []
        if how == "substitute":
            faults.append(self._fault("容", station, station.act.verb, attempt.verb, "verb"))
        elif how == "wait" or (how == "next" and not station.cued and not self._is_paid(passed)):
            faults.append(self._early(station, passed))
            self._pay(passed)
        elif how == "owed" and self._costs_order(station):
            faults.append(self._fault(station.act.fault or "序", station, station.act.verb, "后", "late"))
        faults += self._field_faults(attempt, station, how)
        improper = self._improper(attempt, station, bool(faults) or (bool(passed) and attempt.verb != "拜"))
        if improper:
            self._pay(passed)
        faults += improper
        if how == "owed":
            self.trail.drop(self.owed, station.key)
            self.excuses.changed(person, before)
        else:
            self.ensemble.done(station.number, station.performer)
        outcome = self.outcomes.of(station.act, station.key, attempt)
        self._remember(attempt, station)
        self.ensemble.discharged(station.key, outcome)
        early = any(f.field == "early" for f in faults)
        return Ruling(self.table.verdict(tuple(faults)), station.key, outcome, passed, early, how == "owed")

    def _pass_over(self, person: str, station: Station, window: list[Station], idle: set[Key]) -> tuple[Key, ...]:
        """Steps before the one meant become owed; those whose effect held already are discharged in silence."""
        if station.status not in ("due", "next"):
            return ()
        between = [
            s for s in window if s.performer is station.performer and s.status != "owed" and s.ahead < station.ahead
        ]
        jump = len(self.jumps) + 1
        owed = []
        for one in between:
            self.ensemble.decide(one.number, one.performer)
            if one.key in idle:
                self.ensemble.done(one.number, one.performer)
                self.ensemble.discharged(one.key)
                continue
            self.ensemble.passed(one.number, one.performer)
            self.trail.put(self.owed, one.key, (one.number, person))
            self.trail.put(self.jumps, one.key, jump)
            self.excuses.missed(person, self.expecting.after(one.act, one.expected))
            owed.append(one)
        if between:
            self.ensemble.decide(station.number, station.performer)
        if owed and any(all(free(one, station) for one in owed) for free in (self._any_order, self._either_place)):
            self.trail.add(self.paid, jump)
        return tuple(one.key for one in owed)

    def _either_place(self, one: Station, other: Station) -> bool:
        """Whether of two steps one is a walk, and the other may be done before it as well as after.

        So the salute at the basin or at the steps (P05.017), the declining from the steps or from the mat (P07.031).
        """
        for walk, act in ((one, other), (other, one)):
            goals, places = walk.expected.get("at", ()), act.expected.get("at", ())
            if self.expecting.effect(walk.act.verb) == "go" and len(places) > 1 and set(goals) & set(places):
                return True
        return False

    @staticmethod
    def _any_order(one: Station, other: Station) -> bool:
        """Whether two steps belong to one group that may be done in any order."""
        parent = one.act.parent
        return isinstance(parent, Group) and parent.kind == "any_order" and parent is other.act.parent

    def _early(self, station: Station, passed: tuple[Key, ...]) -> Fault:
        """A step done before its turn; if no rule says why, that on what was passed over for it may."""
        fault = self._fault("先后", station, "俟", station.act.verb, "early")
        general = self.table.reasons.general
        if fault.rule != general["先后"] or not passed:
            return fault
        act = self.rite.nodes[passed[0][0]]
        assert isinstance(act, Act)
        rule = self._rule_of_omission(self.performed.person, act)
        if rule == general["阙"]:
            return fault
        return replace(fault, rule=rule, clauses=_joined(fault.clauses, act.clauses))

    def _pay(self, passed: tuple[Key, ...]) -> None:
        """What made a person pass steps over has been judged: to make them good costs nothing more."""
        for key in passed:
            self.trail.add(self.paid, self.jumps[key])
            self.trail.add(self.judged, self.jumps[key])

    def _is_paid(self, passed: tuple[Key, ...]) -> bool:
        return bool(passed) and all(self.jumps[key] in self.paid for key in passed)

    def _costs_order(self, station: Station) -> bool:
        """Whether a step done late costs a 序: the first of its jump does."""
        jump = self.jumps[station.key]
        if jump in self.paid:
            return False
        self.trail.add(self.paid, jump)
        return True

    def _fault(self, kind: FaultKind, station: Station, expected: object, got: object, field: str) -> Fault:
        return self._because(kind, field, station.act, station.act.clauses, str(expected), str(got))

    def _because(
        self, kind: FaultKind, field: str, act: Act | None, clauses: tuple[str, ...], expected: str, got: str
    ) -> Fault:
        """A fault of the act that is being judged, with the rule that is its reason."""
        person = self.performed.person
        phases = (act.phase.number,) if act else self.ensemble.running()
        rule = self.table.reasons.rule(kind, field, person, act, self.performed, clauses, phases, got)
        return Fault(kind, rule, expected, got, clauses, field)

    def _field_faults(self, attempt: Attempt, station: Station, how: str) -> list[Fault]:
        faults = []
        person = attempt.person
        for name, values in station.expected.items():
            if how == "substitute" and not (name in _SUBSTITUTE_FIELDS and name in attempt.given):
                if name in STATE:
                    self.excuses.put(person, name)
                continue
            got = self.excuses.actual(person, name) if name in STATE else attempt.value(name)
            if self.aligner.fits(name, values, got, attempt):
                if name in STATE and how != "owed":
                    self.excuses.settle(person, name)
                continue
            if name in STATE and (how == "owed" or self.excuses.cover(person, name)):
                continue
            faults.append(self._fault(FIELD_FAULTS[name], station, "、".join(map(str, values)), shown(got), name))
            if name in STATE:
                self.excuses.put(person, name)
        if attempt.count > 1 and "count" not in station.expected and attempt.object != "筭":
            faults.append(self._fault("数", station, 1, attempt.count, "count"))
        return faults

    def _cups(self, person: str) -> frozenset[str]:
        held = self.world.held(person, ("左", "右", "两"))
        return frozenset(t for t in held if self.world.words.things[t].cup)

    def _improper(self, attempt: Attempt, station: Station, slipped: bool) -> list[Fault]:
        """One never bows with a cup in the hand (坐奠爵，遂拜，执爵兴), unless a slip left it there."""
        cups = self._cups(attempt.person)
        if slipped:
            self.excuses.hold(attempt.person, cups)
        if attempt.verb != "拜" or cups <= self.excuses.holding(attempt.person):
            return []
        self.excuses.hold(attempt.person, cups)
        kind = self.world.words.things[sorted(cups)[0]].kind
        clauses = station.act.clauses or ("P05.058", "P05.059")
        return [Fault("容", "r_bow_without_cup", "奠爵而后拜", "执" + kind, clauses, "held")]

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
        elif person in self.short and not self._still_in_hand(person, self.short[person]):
            self.trail.drop(self.short, person)

    def _still_in_hand(self, person: str, short: Shortfall) -> bool:
        """Whether things that should have been put down are still held: until they are, that can be made up."""
        puts = short.count and self.expecting.effect(short.station.act.verb) == "put"
        words = short.station.expected.get("object", ())
        return bool(puts) and any(self.aligner.names(t, words) for t in self.world.held(person))

    def _likelier_otherwise(self, attempt: Attempt, cost: float, window: list[Station]) -> bool:
        """Whether an act is rather what he did last, or a walk to what he owes, than a step still to come."""
        if cost > REPEATS and self._repeats(attempt):
            return True
        owes = any(s.status == "owed" and s.act.verb == attempt.verb for s in window)
        if self.expecting.effect(attempt.verb) in ("sit", "rise") and not owes:
            # If he kneels or stands as he does because of a slip, this puts it right.
            return self.excuses.cover(attempt.person, "posture")
        if cost <= ANOTHER_WAY:
            return False
        return self._other_way(attempt, window) is not None or self._goes_back(attempt, window)

    def _repeats(self, attempt: Attempt, phase: Phase | None = None) -> bool:
        """Whether an act does the last step over again; with ``phase``, only a step of that phase."""
        last = self.last.get(attempt.person)
        if last is None or (phase is not None and self.rite.nodes[last[0]].phase is not phase):
            return False
        return self.aligner.repeats(attempt, last)

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
        self,
        attempt: Attempt,
        before: Mapping[str, str],
        excused: Mapping[str, object],
        window: list[Station],
        forbid: Forbid | None,
    ) -> Ruling:
        person = attempt.person
        if forbid is None and self._amends(attempt, before, excused):
            return Ruling(self.table.verdict(()), None)
        if forbid is None and self._goes_back(attempt, window):
            self.excuses.changed(person, before)
            return Ruling(self.table.verdict(()), None)
        fault = self._out_of_place(attempt, window, forbid)
        self.excuses.changed(person, before)
        self.excuses.hold(person, self._cups(person))
        return Ruling(self.table.verdict((fault,)), None)

    def _out_of_place(self, attempt: Attempt, window: list[Station], forbid: Forbid | None) -> Fault:
        """The best reason why an act does not belong here: forbidden, another's, done already, not yet, or none.

        What is another's is so because it is due to him now, or because in the whole rite nobody else does it.
        """
        if forbid is not None:
            there = (forbid.scope.phase.number,)
            rule = self.table.reasons.rule("过", "forbidden", attempt.person, None, attempt, forbid.clauses, there)
            rule = "r_forbidden" if rule == self.table.reasons.general["过"] else rule
            return Fault("过", rule, "不" + attempt.verb, attempt.verb, forbid.clauses, "verb")
        due = _due(window)
        wanted = due.verb if due else "无"
        effect = self.expecting.effect(attempt.verb)
        repeated = self._repeats(attempt)
        clauses = due.clauses if due else self._ground(attempt.person, window)
        if effect not in _PERSONAL | _DRESSING and not repeated:
            owner = self.elsewhere.of_another(attempt)
            if owner is not None:
                fault = self._fault("僭", owner, owner.performer.person, attempt.person, "person")
                return replace(fault, clauses=_joined(fault.clauses, clauses))
        if effect in _DRESSING:
            return self._because("服", "verb", due, clauses, wanted, attempt.verb)
        fault = self._because("过", "verb", due, clauses, wanted, attempt.verb)
        if effect in _PERSONAL or fault.rule != self.table.reasons.general["过"]:
            return fault
        own = self.elsewhere.own(attempt)
        if own is not None and own[0].clauses:
            rule = "r_repeated" if own[1] else "r_not_yet"
            return replace(fault, rule=rule, clauses=_joined(own[0].clauses, clauses))
        office = self.elsewhere.office(attempt) if own is None else None
        if office is not None and office[0].clauses:
            act, whose = office
            return self._because("僭", "person", act, _joined(act.clauses, clauses), whose, attempt.person)
        return fault

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

    def _readies(self, attempt: Attempt, window: list[Station]) -> bool:
        """Whether an act only nocks the arrow that the due shot lacks because of a slip."""
        due = _due(window)
        if due is None or self.expecting.effect(due.verb) != "shoot":
            return False
        return self.expecting.effect(attempt.verb) == "nock" and not self.world.held(attempt.person, ("挟",))

    def _amends(self, attempt: Attempt, before: Mapping[str, str], excused: Mapping[str, object]) -> bool:
        """Whether an act only puts right what an earlier slip had left wrong: it changes what was excused."""
        effect = self.world.words.verbs[attempt.verb].effect
        name = {"sit": "posture", "rise": "posture", "go": "at", "shift": "facing"}.get(effect)
        return name is not None and name in excused and excused[name] == before[name]

    def _goes_back(self, attempt: Attempt, window: list[Station]) -> bool:
        """Whether a walk only leads back to where an owed step is to be done, or a number made up."""
        if self.expecting.effect(attempt.verb) != "go":
            return False
        open_steps = [s for s in window if s.status == "owed"]
        if attempt.person in self.short:
            open_steps.append(self.short[attempt.person].station)
        wanted = [s.expected.get(n, ()) for s in open_steps for n in ("at", "from")]
        return any(attempt.at in places for places in wanted)

    def _other_way(self, attempt: Attempt, window: list[Station]) -> Station | None:
        """A walk whose end is reached by another verb, as a slip makes it needful: by 降 where 升 was left out."""
        if self.expecting.effect(attempt.verb) != "go":
            return None
        strayed = self.excuses.cover(attempt.person, "at")
        for station in window:
            walk = self.expecting.effect(station.act.verb) == "go" and attempt.at in station.expected.get("at", ())
            if walk and (station.status == "owed" or (strayed and station.status == "due")):
                return station
        return None

    # Steps left undone

    def _idle(self, person: str, act: Act, expected: Mapping[str, Values]) -> bool:
        """Whether a step's effect is so already. What he still owes to put down he will have to take up again."""
        if not self.expecting.holds(person, act, expected):
            return False
        takes = self.expecting.effect(act.verb) in ("take", "hold")
        owing = (self.rite.nodes[k[0]] for k, (_, owner) in self.owed.items() if owner == person)
        return not (takes and any(isinstance(n, Act) and self.expecting.effect(n.verb) == "put" for n in owing))

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
                if self._idle(person, act, self.expecting.stated(act, key[1])):
                    self.ensemble.done(number, performer)
                    self.ensemble.discharged(key)
                    changed = True
                    break
            else:
                return changed

    def is_settled(self, key: Key) -> bool:
        """Whether an owed step may lapse in silence, since passing it over has cost its fault already."""
        return key in self.owed and self.jumps[key] in self.judged

    def lapse(self, key: Key) -> Fault | None:
        """A step is left undone for good: 阙, or what the step says, unless passing it over has been judged."""
        act = self.rite.nodes[key[0]]
        assert isinstance(act, Act)
        person = self.rite.fill(act.who, act, key[1])
        settled = self.is_settled(key)
        if key in self.owed:
            self.trail.discard(self.judged, self.jumps[key])
            self.trail.drop(self.owed, key)
        else:
            number, performer = next((n, p) for n, p in self.ensemble.of(person) if p.key == key)
            expected = self.expecting.accepted(person, act, key[1])
            self.ensemble.passed(number, performer)
            self.excuses.missed(person, self.expecting.after(act, expected))
        self.excuses.hold(person, self._cups(person))
        self.ensemble.lapsed(key)
        if settled:
            return None
        return Fault(act.fault or "阙", self._rule_of_omission(person, act), act.verb, "无", act.clauses, "act")

    def _rule_of_omission(self, person: str, act: Act) -> str:
        phases = (act.phase.number,)
        return self.table.reasons.rule(act.fault or "阙", "act", person, act, None, act.clauses, phases)


def _due(window: list[Station]) -> Act | None:
    """The step that is due, of a window."""
    return next((s.act for s in window if s.status == "due"), None)


def _joined(first: tuple[str, ...], then: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(first + then))


__all__ = ["FIELD_FAULTS", "Arbiter", "FaultTable", "Shortfall", "Station"]
