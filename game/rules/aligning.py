"""Which step an act is meant for: the steps that a person may be about, and how far an act is from each."""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import dataclass

from game.core.act import Attempt
from game.core.choreography import Act, Group, Index, Key, Loop, Node, Rite, When
from game.rules.ensemble import Ensemble
from game.rules.excuses import STATE
from game.rules.expecting import Expecting, Values
from game.rules.machine import Performer
from game.rules.projection import DONE

_WINDOW = 40

# How much each difference counts against a step being meant. One step further ahead weighs less than any difference
# that is judged: an act exactly like the next step is the next step, done before its turn.
_AHEAD = 0.4
_OWED = 0.3
_UNCUED = 1.0
_SUBSTITUTE = 0.9
_DIFFERS = {
    "to": 1.5, "manner": 0.9, "at": 0.5, "facing": 0.5, "times": 0.5, "count": 0.5, "into": 0.5, "from": 0.5,
    "which": 1.0,
    "hand": 0.5, "speech": 0.5, "via": 0.5,
}  # fmt: skip
_SETS_APART = ("manner", "speech", "count")
"""Fields that tell an act from one of the same kind that has no such thing: 委 of one counter from 委 of all."""
_FARTHEST = 3.0
"""An act so far from every step is meant for none: it is uncalled for, and nothing is passed over."""
REPEATS = 0.6
"""An act further than this from every step that is not due yet, and just like the one done last, is that one again."""
ANOTHER_WAY = 0.7
"""A walk further than this from every step that is not due yet may be an owed one, by another verb."""
_ANOTHER_GOAL = 1.0
_ANOTHER_CUP = 1.0


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
    cued: bool = True
    """Whether everything before it has been seen, own steps apart."""


class Aligner:
    """Reads the machines; changes nothing."""

    def __init__(
        self, rite: Rite, ensemble: Ensemble, expecting: Expecting, owed: Mapping[Key, tuple[int, str]]
    ) -> None:
        self.rite = rite
        self.ensemble = ensemble
        self.expecting = expecting
        self.owed = owed
        self.words = expecting.world.words

    def window(self, person: str) -> list[Station]:
        """The steps that an act of this person may be meant for, owed ones last."""
        found: list[Station] = []
        for number, performer in self.ensemble.of(person):
            found += self.ahead(number, performer)
        for key in self.owing(person):
            number, act = self.owed[key][0], self.rite.nodes[key[0]]
            assert isinstance(act, Act)
            expected = self.expecting.accepted(person, act, key[1])
            found.append(Station(number, self.ensemble.performers[number, person], key, act, expected, 0, "owed"))
        return found

    def owing(self, person: str) -> list[Key]:
        """What a person owes, in the order of the text: a step taken back into the books would else come last."""
        return sorted((k for k, (_, owner) in self.owed.items() if owner == person), key=self.rite.position)

    def ahead(self, number: int, performer: Performer) -> list[Station]:
        """The steps of one performer from his station on, as far as they wait for nobody else, and one more."""
        key = performer.key
        if key is None or performer.station.startswith("ask_"):
            return []
        act = self.rite.nodes[key[0]]
        assert isinstance(act, Act)
        if not performer.is_due:
            return [Station(number, performer, key, act, self.expecting.stated(act, key[1]), 0, "wait", False)]
        found = [Station(number, performer, key, act, self.expecting.accepted(performer.person, act, key[1]), 0, "due")]
        own = {key}
        machine = self.ensemble.machine(performer)
        while found[-1].cued and len(found) < _WINDOW:
            following = machine.successor(performer, *found[-1].key)
            if following is None or following[0] == DONE:
                break
            nid, index = following
            step = self.rite.nodes[nid]
            assert isinstance(step, Act)
            cued = all(self._complete(performer, own, k) for k in performer.part.cues(nid, index))
            expected = self.expecting.stated(step, index)
            found.append(Station(number, performer, following, step, expected, len(found), "next", cued))
            own.add(following)
        return found

    def _complete(self, performer: Performer, own: Set[Key], key: Key) -> bool:
        """Whether an event has been seen, or would come about if the person did his ``own`` steps."""
        if key in performer.seen or key in own:
            return True
        if key[0] < 0 or key in self.ensemble.ledger.done:
            return key in self.ensemble.ledger.done
        node, index = self.rite.nodes[key[0]], key[1]

        def inside(child: Node, at: Index = index) -> bool:
            return self._complete(performer, own, (child.nid, at))

        if isinstance(node, Group):
            return inside(node.last_waited_for) if node.kind == "seq" else all(map(inside, node.steps))
        if isinstance(node, Loop):
            count = len(self.rite.members(node, index))
            return node.mode == "次" and count > 0 and inside(node.body, (*index, count - 1))
        if isinstance(node, When) and performer.seen.issuperset(self.rite.deciders(node.condition, index)):
            held = self.rite.decided(node.condition, node, index, performer.outcomes)
            branch = node.then if held else node.otherwise
            stands_before = self.rite.before(node, index)
            return all(self._complete(performer, own, k) for k in stands_before) if branch is None else inside(branch)
        return False

    def align(self, attempt: Attempt, window: list[Station]) -> tuple[Station, float] | None:
        """The step that an act is most likely meant for, and how far it is from it."""
        best: tuple[Station, float] | None = None
        for station in window:
            distance = self.distance(station, attempt)
            if distance is None:
                continue
            cost = distance + _AHEAD * station.ahead + (0.0 if station.cued else _UNCUED)
            cost += _OWED if station.status == "owed" else 0.0
            if best is None or cost < best[1]:
                best = (station, cost)
        return best if best is None or best[1] <= _FARTHEST or best[0].status == "due" else None

    def repeats(self, attempt: Attempt, key: Key) -> bool:
        """Whether an act is just what a person has done last."""
        act = self.rite.nodes[key[0]]
        assert isinstance(act, Act)
        return self.unlike(act, key[1], attempt) == 0

    def unlike(self, act: Act, index: Index, attempt: Attempt) -> float | None:
        """How unlike an occurrence of a step, as the rite has it, an act is; None if it is not of its kind."""
        return self._unlike(act, self.expecting.stated(act, index), 0, attempt)

    def substituted(self, attempt: Attempt, window: list[Station], cost: float | None) -> Station | None:
        """The due step for which an act of its family stands in, unless another step (at ``cost``) is likelier."""
        family = self.words.verbs[attempt.verb].family
        if not family or (cost is not None and cost < _SUBSTITUTE):
            return None
        for station in window:
            verb = self.words.verbs.get(station.act.verb)
            if station.status == "due" and verb and verb.family == family and verb.id != attempt.verb:
                meant = station.expected.get("to")
                return None if meant and self.differs("to", meant, attempt) else station
        return None

    def distance(self, station: Station, attempt: Attempt) -> float | None:
        """How unlike a step an act is (0: the same); None if it is not of its kind: another verb, or another thing."""
        return self._unlike(station.act, station.expected, station.ahead, attempt)

    def _unlike(self, act: Act, expected: Mapping[str, Values], ahead: int, attempt: Attempt) -> float | None:
        if act.verb != attempt.verb:
            return None
        total = 0.0
        if "object" in expected and attempt.object and not self.names(attempt.object, expected["object"]):
            if not (self.cup(attempt.object) and any(self.cup(str(w)) for w in expected["object"])):
                return None
            total += _ANOTHER_CUP
        goes = self.expecting.effect(attempt.verb) == "go"
        if goes and ahead and self.differs("at", expected.get("at", ()), attempt):
            return None
        for name, weight in _DIFFERS.items():
            values = expected.get(name)
            if values and self.differs(name, values, attempt):
                total += _ANOTHER_GOAL if name == "at" and goes else weight
            elif not values and name in _SETS_APART and name in attempt.given:
                total += weight
        if ahead and "count" in expected and not attempt.count:
            total += _DIFFERS["count"]
        return total

    def differs(self, name: str, values: Values, attempt: Attempt) -> bool:
        """Whether a field that was said is none of the accepted values."""
        got = attempt.value(name)
        if not got:
            return False
        if name == "to":
            return not self.towards(attempt.to, values)
        if isinstance(got, tuple):
            return not set(got) <= {str(v) for v in values}
        if name == "speech":
            return all(folded(str(got)) != folded(str(v)) for v in values)
        return got not in values

    def fits(self, name: str, values: Values, got: object, attempt: Attempt) -> bool:
        """Whether a judged field is as it should be; most are judged only where the person said them."""
        if name in (*STATE, "times"):
            return got in values
        if name == "to":
            return self.towards(attempt.to, values)
        if name == "object":
            return self.names(str(got), values)
        if name not in attempt.given:
            return True
        if name == "which":
            return set(attempt.which) <= {str(v) for v in values}
        if name == "speech":
            return any(folded(str(got)) == folded(str(v)) for v in values)
        return got in values

    def names(self, word: str, values: Values) -> bool:
        """Whether a word for a thing, its kind or its own id, is among the accepted ones."""
        things = self.words.things
        if word in values:
            return True
        kinds = {things[str(v)].kind for v in values if str(v) in things}
        return word in kinds or (word in things and things[word].kind in values)

    def cup(self, word: str) -> bool:
        """Whether a word names a cup."""
        return word in self.expecting.world.cups or (word in self.words.things and self.words.things[word].cup)

    def towards(self, to: tuple[str, ...], values: Values) -> bool:
        """Whether an act is directed at one of the accepted persons or at the whole of an accepted group."""
        members = self.words.roster.members
        meant = {m for one in to for m in members(one)}
        return any(meant == set(members(str(v))) for v in values)


def folded(text: str) -> str:
    """Words without their punctuation."""
    return "".join(c for c in text if c.isalnum())
