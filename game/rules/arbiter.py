"""The one door: no act takes effect unjudged. The decision table is docs/choreography.md §8; align, test, commit."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from game.core.act import Attempt
from game.core.choreography import Act, Forbid, Index, Key, Rite, When
from game.core.ruling import Fault, FaultKind, Refusal, Ruling, Verdict
from game.core.trail import Trail
from game.core.vocabulary import FACINGS, HANDS
from game.rules.effects import perform
from game.rules.ensemble import Ensemble
from game.rules.machine import DONE_STATE, Performer
from game.rules.outcomes import Outcomes
from game.rules.projection import DONE
from game.rules.world import World

Values = tuple[str | int, ...]

FIELD_FAULTS: dict[str, FaultKind] = {
    "times": "数", "count": "数", "at": "位", "facing": "面", "posture": "容", "manner": "容", "to": "位",
    "object": "器",
    "which": "器", "from": "位", "into": "位", "hand": "手", "via": "位", "speech": "辞",
}  # fmt: skip
_DIRECTED = set(["拜", "揖", "厌", "让", "辞", "对", "请", "告", "命", "戒", "速", "送", "迎", "许"])
_PERSONAL = {"go", "shift", "sit", "rise", "stand"}
_WINDOW = 40


@dataclass(frozen=True)
class Station:
    """One step that an act may be meant for: the occurrence, what is accepted, and how far off it is."""

    number: int
    performer: Performer
    key: Key
    act: Act
    expected: Mapping[str, Values]
    ahead: int
    """Own steps that would be passed over."""
    status: str
    """due, next, wait or owed."""


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
        self.excused: dict[tuple[str, str], object] = {}
        """(person, field) → the value that is off because of a slip already judged."""
        self.performed = Attempt("", "")
        """The last act that took effect, with everything filled in."""
        self.short: dict[str, tuple[str, int]] = {}
        """person → (verb, how many are missing) where a count was just left short."""

    # What is expected

    def expected(self, act: Act, index: Index) -> dict[str, Values]:
        """Accepted values of each judged field for one occurrence, names filled in."""
        return {
            name: tuple(self.rite.fill(v, act, index) if isinstance(v, str) else v for v in values)
            for name, values in act.fields.items()
        }

    def after(self, act: Act, expected: Mapping[str, Values]) -> dict[str, Values]:
        """What will be true of the person once the step is done: place, facing, posture."""
        result = {f: expected[f] for f in ("at", "facing", "posture") if f in expected}
        effect = self.world.words.verbs[act.verb].effect if act.verb in self.world.words.verbs else "none"
        if effect == "sit":
            result.setdefault("posture", ("坐",))
        elif effect in ("rise", "go", "stand"):
            result.setdefault("posture", ("立",))
        return result

    def holds(self, person: str, act: Act, expected: Mapping[str, Values]) -> bool:
        """Whether the effect of a step is so already, so that nothing is left to be done."""
        effect = self.world.words.verbs[act.verb].effect if act.verb in self.world.words.verbs else "none"
        dress = self.world.dress[person]
        if effect == "sit":
            return self.world.posture[person] == "坐"
        if effect == "rise":
            return self.world.posture[person] != "坐"
        if effect == "go":
            return self.world.place[person] in expected.get("at", ())
        if effect == "bare":
            return "袒" in dress
        if effect == "cover":
            return "袒" not in dress
        if effect == "ring":
            return "决遂" in dress
        if effect == "unring":
            return "决遂" not in dress
        return False

    def window(self, person: str) -> list[Station]:
        """The steps that an act of this person may be meant for, owed ones last."""
        found: list[Station] = []
        for number, performer in self.ensemble.of(person):
            found += self._ahead(number, performer)
        for key, (number, owner) in self.owed.items():
            if owner == person:
                act = self.rite.nodes[key[0]]
                assert isinstance(act, Act)
                performer_of = self.ensemble.performers[number, person]
                found.append(Station(number, performer_of, key, act, self.expected(act, key[1]), 0, "owed"))
        return found

    def _ahead(self, number: int, performer: Performer) -> list[Station]:
        key = performer.key
        if key is None or performer.station.startswith("ask_"):
            return []
        act = self.rite.nodes[key[0]]
        assert isinstance(act, Act)
        status = "due" if performer.is_due else "wait"
        found = [Station(number, performer, key, act, self.expected(act, key[1]), 0, status)]
        own = {key}
        machine = self.ensemble.machine(performer)
        while status != "wait" and len(found) < _WINDOW:
            following = machine.successor(performer, *found[-1].key)
            if following is None or following[0] == DONE or isinstance(self.rite.nodes[following[0]], When):
                break
            nid, index = following
            step = self.rite.nodes[nid]
            assert isinstance(step, Act)
            found.append(Station(number, performer, following, step, self.expected(step, index), len(found), "next"))
            if not performer.seen.union(own).issuperset(performer.part.cues(nid, index)):
                break
            own.add(following)
        return found

    # Reading

    def read(self, person: str, given: Mapping[str, Any]) -> Attempt | Refusal:
        """A player's words as an attempt: names checked, what has only one possible value filled in."""
        words = self.world.words
        verb = given.get("verb")
        if not isinstance(verb, str) or verb not in words.verbs:
            return Refusal("unclear", f"无此动作：{verb}", f"no such act: {verb}")
        for name in ("times", "count"):
            value = given.get(name, 1)
            if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= 999:
                return Refusal("unclear", f"{name} 须为数", f"{name} must be a number from 1")
        for name, allowed in (("facing", FACINGS), ("hand", HANDS), ("at", words.places)):
            value = given.get(name)
            if value and value not in allowed:
                return Refusal("unclear", f"无此：{value}", f"no such {name}: {value}")
        to = given.get("to") or ()
        to = (to,) if isinstance(to, str) else tuple(to)
        roster = words.roster
        for one in to:
            person_or_group = one in self.world.place or one in roster.groups or one in roster.pairs
            thing_or_place = any(self.world.is_kind(t, one) for t in words.things) or one in words.places
            if not person_or_group and not thing_or_place:
                return Refusal("unclear", f"无此人物：{one}", f"nobody and nothing is called {one}")
        which = given.get("which") or ()
        attempt = Attempt(
            person, verb, given.get("times", 1), str(given.get("manner") or ""), str(given.get("object") or ""),
            (which,) if isinstance(which, str) else tuple(which), given.get("count", 0), to,
            str(given.get("from") or ""),
            str(given.get("into") or ""), str(given.get("hand") or ""), str(given.get("via") or ""),
            str(given.get("at") or ""), str(given.get("facing") or ""), "", str(given.get("speech") or ""),
            str(given.get("aim") or ""), frozenset(k for k, v in given.items() if v not in (None, "", [], ())),
        )  # fmt: skip
        return self._completed(attempt)

    def _completed(self, attempt: Attempt) -> Attempt | Refusal:
        effect = self.world.words.verbs[attempt.verb].effect
        person = attempt.person
        window = [s for s in self.window(person) if s.act.verb == attempt.verb]
        if effect == "go" and not attempt.at:
            return Refusal(
                "ambiguous",
                "往何处？",
                "where to?",
                tuple(sorted({str(s.expected["at"][0]) for s in window if "at" in s.expected}))
                if len(window) > 1
                else (),
            )
        if not attempt.to and attempt.verb in _DIRECTED | {"授", "献", "酢", "酬"}:
            others = tuple(
                p.id
                for p in self.world.words.roster.persons
                if p.id != person and self.world.region(p.id) == self.world.region(person)
            )
            if len(others) == 1:
                attempt = replace(attempt, to=others)
            elif any("to" in s.expected for s in window) or not window:
                return Refusal("ambiguous", "向何人？", "towards whom?", others[:30])
        if not attempt.object and effect in ("put", "offer", "wash", "fill", "drink", "take", "receive", "hold"):
            things = self.world.held(person)
            if effect in ("take", "hold") and "弓" not in attempt.verb:
                place = attempt.source or self.world.place[person]
                lying = self.world.here.get((place, ""), ())
                things = lying if effect == "take" or lying else things
            elif effect == "receive":
                things = tuple(t for t, to in self.world.offered.items() if to == person)
            kinds = tuple(dict.fromkeys(self.world.words.things[t].kind for t in things))
            if len(kinds) == 1 and "弓" not in attempt.verb:
                attempt = replace(attempt, object=kinds[0])
            elif any("object" in s.expected for s in window):
                return Refusal("ambiguous", "何物？", "which thing?", kinds)
        return attempt

    # Judging

    def judge(self, attempt: Attempt) -> Refusal | Ruling:
        """Align, test, commit. On a refusal nothing has changed."""
        mark = self.trail.mark()
        station, substitute = self._align(attempt)
        filled = self._filled(attempt, station)
        refusal = perform(self.world, filled)
        if refusal is not None:
            self.trail.rollback(mark)
            self.ensemble.forget_order()
            return refusal
        self.performed = filled
        if station is None or self._expressly_forbidden(attempt, station):
            return self._uncalled(filled)
        return self._discharge(filled, station, substitute)

    def _align(self, attempt: Attempt) -> tuple[Station | None, bool]:
        best: tuple[float, int, Station] | None = None
        for n, station in enumerate(self.window(attempt.person)):
            distance = self.distance(station, attempt)
            if distance is None:
                continue
            cost = distance + station.ahead + (1 if station.status in ("owed", "wait") else 0)
            if best is None or cost < best[0]:
                best = (cost, n, station)
        family = self.world.words.verbs[attempt.verb].family
        if best is None or best[2].status != "due":
            for station in self.window(attempt.person):
                verb = self.world.words.verbs.get(station.act.verb)
                substitute = family and verb and verb.family == family and verb.id != attempt.verb
                if station.status == "due" and substitute and (best is None or best[0] > 1.5):
                    return station, True
        return (best[2], False) if best else (None, False)

    def distance(self, station: Station, attempt: Attempt) -> float | None:
        """How unlike a step an act is (0: the same); None if it is not of its kind."""
        if station.act.verb != attempt.verb:
            return None
        expected, total = station.expected, 0.0
        if "object" in expected and attempt.object and attempt.object not in expected["object"]:
            named = {str(w) for w in expected["object"]}
            kinds = {
                self.world.words.things[t].cup
                for t in self.world.words.things
                if self.world.words.things[t].kind in named
            }
            mine = {
                self.world.words.things[t].cup for t in self.world.words.things if self.world.is_kind(t, attempt.object)
            }
            if not (True in kinds and True in mine):
                return None
            total += 2
        effect = self.world.words.verbs[attempt.verb].effect
        if "to" in expected and attempt.to and not set(attempt.to) <= self._people(expected["to"]):
            total += 1
        if "manner" in expected and attempt.manner and attempt.manner not in expected["manner"]:
            total += 1.5
        if "at" in expected and attempt.at and attempt.at not in expected["at"]:
            total += 2 if effect == "go" else 0.5
        if "times" in expected and attempt.times not in expected["times"]:
            total += 0.5
        if "into" in expected and attempt.into and attempt.into not in expected["into"]:
            total += 0.5
        return total

    def _people(self, names: Values) -> set[str]:
        found = {str(n) for n in names}
        for n in names:
            found |= set(self.world.words.roster.members(str(n)))
        return found

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

    def _actual(self, name: str, attempt: Attempt) -> object:
        person = attempt.person
        if name == "at":
            return self.world.place[person]
        if name == "facing":
            return self.world.facing[person]
        if name == "posture":
            return self.world.posture[person]
        return attempt.value(name)

    def _discharge(self, attempt: Attempt, station: Station, substitute: bool) -> Ruling:
        person = attempt.person
        passed = [s for s in self.window(person) if s.performer is station.performer and s.status in ("due", "next")]
        passed = [s for s in passed if s.ahead < station.ahead] if station.status in ("due", "next") else []
        for one in passed:
            self.ensemble.passed(one.number, one.performer)
            self.trail.put(self.owed, one.key, (one.number, person))
            self._excuse(person, one)
        early, late = station.status == "wait", station.status == "owed"
        faults: list[Fault] = []
        if substitute:
            faults.append(self._fault("容", station, station.act.verb, attempt.verb, "verb"))
        if early:
            faults.append(self._fault("先后", station, "俟", station.act.verb, "early"))
        if late:
            faults.append(self._fault("序", station, station.act.verb, "后", "late"))
        faults += self._field_faults(attempt, station, late)
        faults += self._improper(attempt, station)
        if late:
            self.trail.drop(self.owed, station.key)
            for name in ("at", "facing", "posture"):
                self.trail.put(self.excused, (person, name), self._actual(name, attempt))
        else:
            self.ensemble.done(station.number, station.performer)
        outcome = self.outcomes.of(station.act, station.key, attempt)
        self._remember_short(attempt, station)
        verdict = self.table.verdict(tuple(faults))
        self.ensemble.discharged(station.key, outcome)
        return Ruling(verdict, station.key, outcome, tuple(s.key for s in passed), early, late)

    def _fault(self, kind: FaultKind, station: Station, expected: object, got: object, field: str) -> Fault:
        return Fault(kind, self.table.rules[kind], str(expected), str(got), station.act.clauses, field)

    def _field_faults(self, attempt: Attempt, station: Station, late: bool) -> list[Fault]:
        faults = []
        person = attempt.person
        for name, values in station.expected.items():
            got = self._actual(name, attempt)
            if name == "to":
                fits = set(attempt.to) <= self._people(values)
            elif name == "which":
                fits = "which" not in attempt.given or set(attempt.which) <= {str(v) for v in values}
            elif name == "speech":
                fits = "speech" not in attempt.given or any(_folded(str(got)) == _folded(str(v)) for v in values)
            elif name == "object":
                fits = got in values or any(
                    self.world.is_kind(t, str(got)) and t in values for t in self.world.words.things
                )
            elif name in ("at", "facing", "posture", "times"):
                fits = got in values
            else:
                fits = name not in attempt.given or got in values
            place = (person, name)
            if fits:
                if name in ("at", "facing", "posture"):
                    self.trail.drop(self.excused, place)
                continue
            if late and name in ("at", "facing", "posture"):
                continue
            if place in self.excused and self.excused[place] == got:
                continue
            faults.append(self._fault(FIELD_FAULTS[name], station, "、".join(map(str, values)), _shown(got), name))
            self.trail.put(self.excused, place, got)
        return faults

    def _improper(self, attempt: Attempt, station: Station | None) -> list[Fault]:
        if attempt.verb != "拜":
            return []
        held = tuple(t for t in self.world.held(attempt.person, ("左", "右", "两")) if self.world.words.things[t].cup)
        if not held or self.excused.get((attempt.person, "held")) == held:
            return []
        clauses = station.act.clauses if station else ("P05.058", "P05.059")
        self.trail.put(self.excused, (attempt.person, "held"), held)
        return [
            Fault(
                "容", "r_bow_without_cup", "奠爵而后拜", "执" + self.world.words.things[held[0]].kind, clauses, "held"
            )
        ]

    def _excuse(self, person: str, station: Station) -> None:
        """What is off from now on because this step was passed over has been judged with it."""
        for name, values in self.after(station.act, station.expected).items():
            table = {"at": self.world.place, "facing": self.world.facing, "posture": self.world.posture}[name]
            if table[person] not in values:
                self.trail.put(self.excused, (person, name), table[person])
        held = tuple(t for t in self.world.held(person, ("左", "右", "两")) if self.world.words.things[t].cup)
        self.trail.put(self.excused, (person, "held"), held)

    def _remember_short(self, attempt: Attempt, station: Station) -> None:
        wanted = max((v for v in station.expected.get("times", (1,)) if isinstance(v, int)), default=1)
        if attempt.times < wanted:
            self.trail.put(self.short, attempt.person, (attempt.verb, wanted - attempt.times))
        else:
            self.trail.drop(self.short, attempt.person)

    def _uncalled(self, attempt: Attempt) -> Ruling:
        person = attempt.person
        forbid = self._forbidden(attempt)
        if forbid is not None:
            fault = Fault("过", "r_forbidden", "不" + attempt.verb, attempt.verb, forbid.clauses, "verb")
            return Ruling(self.table.verdict((fault,)), None)
        missing = self.short.get(person)
        if missing is not None and missing[0] == attempt.verb and attempt.times <= missing[1]:
            self.trail.drop(self.short, person)
            return Ruling(self.table.verdict(()), None)
        if self._amends(attempt):
            return Ruling(self.table.verdict(()), None)
        owner = self._other_due(attempt)
        if owner is not None:
            fault = Fault("僭", self.table.rules["僭"], owner.performer.person, person, owner.act.clauses, "person")
            return Ruling(self.table.verdict((fault,)), None)
        faults = [Fault("过", self.table.rules["过"], "无", attempt.verb, (), "verb")]
        due = [s for s in self.window(person) if s.status == "due"]
        if due:
            faults = [replace(faults[0], expected=due[0].act.verb, clauses=due[0].act.clauses)]
        for name in ("at", "facing", "posture"):
            self.trail.put(self.excused, (person, name), self._actual(name, attempt))
        return Ruling(self.table.verdict(tuple(faults)), None)

    def _amends(self, attempt: Attempt) -> bool:
        """Whether an act only puts right what an earlier slip had left wrong."""
        effect = self.world.words.verbs[attempt.verb].effect
        name = {"sit": "posture", "rise": "posture", "go": "at", "shift": "facing"}.get(effect)
        if name is None:
            return False
        place = (attempt.person, name)
        if place in self.excused and self.excused[place] != self._actual(name, attempt):
            self.trail.drop(self.excused, place)
            return True
        return False

    def forbids(self) -> Iterator[Forbid]:
        """What the text rules out in the passages now under way."""
        running = self.ensemble.running()
        for phase in self.rite.phases:
            if phase.number in running:
                yield from (f for f in phase.forbids if self.ensemble.ledger.under_way(f.scope))

    def _forbidden(self, attempt: Attempt) -> Forbid | None:
        return next((f for f in self.forbids() if self._matches(f, attempt)), None)

    def _expressly_forbidden(self, attempt: Attempt, station: Station) -> bool:
        """Whether an act that names its kind (拜洗) is ruled out here by that kind, and is not what the step asks."""
        if not attempt.manner or attempt.manner in station.expected.get("manner", ()):
            return False
        return any(attempt.manner in f.pattern.get("manner", ()) and self._matches(f, attempt) for f in self.forbids())

    def _matches(self, forbid: Forbid, attempt: Attempt) -> bool:
        for name, values in forbid.pattern.items():
            if name == "who":
                roles = {m for v in values for m in self._role(str(v), forbid)}
                if attempt.person not in roles:
                    return False
            elif name == "to":
                if attempt.to and not set(attempt.to) & self._people(values):
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
        for number, person in self.ensemble.due:
            if person == attempt.person:
                continue
            for station in self._ahead(number, self.ensemble.performers[number, person])[:1]:
                distance = self.distance(station, attempt)
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
                if self.holds(person, act, self.expected(act, key[1])):
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
        owed = self.owed.get(key)
        if owed is not None:
            self.trail.drop(self.owed, key)
        else:
            number, performer = next(
                (n, p) for n, p in self.ensemble.of(self.rite.fill(act.who, act, key[1])) if p.key == key
            )
            self.ensemble.passed(number, performer)
            station = Station(number, performer, key, act, self.expected(act, key[1]), 0, "due")
            self._excuse(performer.person, station)
        self.ensemble.lapsed(key)
        return Fault("阙", self.table.rules["阙"], act.verb, "无", act.clauses, "act")


def _shown(value: object) -> str:
    return "、".join(value) if isinstance(value, tuple) else str(value)


def _folded(text: str) -> str:
    return "".join(c for c in text if c.isalnum())


__all__ = ["DONE_STATE", "Arbiter", "FaultTable", "Station"]
