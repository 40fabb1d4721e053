"""What a step accepts: as the rite writes it, and as the world still allows it after a slip."""

from __future__ import annotations

from collections.abc import Mapping
from math import hypot

from game.core.choreography import Act, Index, Rite
from game.rules.world import EMPTY, World

Values = tuple[str | int, ...]
Expected = dict[str, Values]

_FROM_PLACES = {"take", "hold", "nock", "tuck"}
_FROM_HANDS = {"take", "hold", "nock", "tuck", "put", "offer", "wash", "fill", "drink"}
_GRASPS = {"take", "hold", "receive"}


class Expecting:
    """Accepted values of each judged field for one occurrence of a step.

    A thing that an earlier slip has left elsewhere, in the other hand, in another's stead or short in number is
    accepted as it is, so that one slip is not judged twice and the rite can go on. In a faultless performance nothing
    is adapted.
    """

    def __init__(self, rite: Rite, world: World) -> None:
        self.rite = rite
        self.world = world

    def effect(self, verb: str) -> str:
        """What a verb does to the world."""
        known = self.world.words.verbs.get(verb)
        return known.effect if known else "none"

    def stated(self, act: Act, index: Index) -> Expected:
        """As the rite has it, names filled in."""
        return {
            name: tuple(self.rite.fill(v, act, index) if isinstance(v, str) else v for v in values)
            for name, values in act.fields.items()
        }

    def after(self, act: Act, expected: Mapping[str, Values]) -> Expected:
        """What will be true of the person once the step is done: place, facing, posture."""
        result = {f: expected[f] for f in ("at", "facing", "posture") if f in expected}
        effect = self.effect(act.verb)
        if effect == "sit":
            result.setdefault("posture", ("坐",))
        elif effect in ("rise", "go", "stand"):
            result.setdefault("posture", ("立",))
        return result

    def accepted(self, person: str, act: Act, index: Index) -> Expected:
        """As the world now allows it."""
        expected = self.stated(act, index)
        effect = self.effect(act.verb)
        if effect == "receive" or effect in _FROM_HANDS:
            things = self._things(person, effect, expected)
            named = self._named(act, expected, things)
            count = expected.get("count", (1,))[0]
            if not named:
                self._instead(person, act, effect, expected, things)
            elif "which" not in expected and isinstance(count, int) and len(named) < count:
                expected["count"] = (len(named),)
            if effect in _GRASPS:
                self._free_hand(person, act, expected)
        return expected

    def holds(self, person: str, act: Act, expected: Mapping[str, Values]) -> bool:
        """Whether the effect of a step is so already, so that nothing is left to be done."""
        world, effect = self.world, self.effect(act.verb)
        dress = world.dress[person]
        if effect == "sit":
            return world.posture[person] == "坐"
        if effect == "rise":
            return world.posture[person] != "坐"
        if effect == "go":
            return world.place[person] in expected.get("at", ())
        if effect == "bare":
            return "袒" in dress
        if effect == "cover":
            return "袒" not in dress
        if effect == "ring":
            return "决遂" in dress
        if effect == "unring":
            return "决遂" not in dress
        return self._handled(person, act, effect, expected)

    def _handled(self, person: str, act: Act, effect: str, expected: Mapping[str, Values]) -> bool:
        """Whether the thing is already where, or as, the step would bring it."""
        mine = self._named(act, expected, self.world.held(person))
        if effect == "drink":
            # A cup drained too soon cannot be drained again: nobody shall wait for it.
            return act.verb == "卒" and bool(mine) and all(self.world.wine.get(t, EMPTY) == EMPTY for t in mine)
        if effect == "nock" and not self._place(expected):
            # Too few were tucked in: the last is between the fingers already.
            return bool(self.world.held(person, ("挟",))) and not self.world.held(person, ("带",))
        if effect == "lay flat":
            lying = self.world.here.get((self.world.place[person], ""), ())
            return not self.world.of_kind(self.world.held(person), "旌") and bool(self.world.of_kind(lying, "旌"))
        if effect == "put":
            place = str(expected["into"][0]) if "into" in expected else self.world.place[person]
            return not mine and bool(self._named(act, expected, self.world.here.get((place, ""), ())))
        if effect == "receive" or (effect in _FROM_PLACES and self._place(expected)):
            return bool(mine) and not self._named(act, expected, self._things(person, effect, expected))
        return False

    # Things

    def _place(self, expected: Mapping[str, Values]) -> str:
        source = str(expected.get("from", ("",))[0])
        return source if source in self.world.words.places else ""

    def _things(self, person: str, effect: str, expected: Mapping[str, Values]) -> tuple[str, ...]:
        """The things among which the step looks for its own."""
        source = str(expected.get("from", ("",))[0])
        if effect == "receive":
            offered = tuple(t for t, to in self.world.offered.items() if to == person)
            if source in self.world.place:
                return tuple(t for t in offered if self.world.where[t][0] == source) or self.world.held(source)
            return offered
        if source in self.world.words.places and effect in _FROM_PLACES:
            return self.world.here.get((source, ""), ())
        return self.world.held(person)

    def _word(self, act: Act, expected: Mapping[str, Values]) -> str:
        for name in ("which", "object"):
            if name in expected:
                return str(expected[name][0])
        return "弓" if "弓" in act.verb else ""

    def _named(self, act: Act, expected: Mapping[str, Values], things: tuple[str, ...]) -> tuple[str, ...]:
        words = expected.get("which") or expected.get("object") or ((self._word(act, expected),))
        if words == ("",):
            return things
        return tuple(t for t in things if any(self.world.is_kind(t, str(w)) for w in words))

    def _instead(self, person: str, act: Act, effect: str, expected: Expected, things: tuple[str, ...]) -> None:
        """Another thing of the kind, another cup, or the same in another place."""
        word = self._word(act, expected)
        known = self.world.words.things.get(word)
        kind = known.kind if known else word
        like = self.world.of_kind(things, kind) if "which" in expected else ()
        if not like and kind in self.world.cups:
            like = tuple(t for t in things if self.world.words.things[t].cup)
        if like:
            if "which" in expected:
                expected["which"] = (like[0],)
            if "object" in expected:
                expected["object"] = (self.world.words.things[like[0]].kind,)
            return
        source = self._place(expected)
        if source and effect in _FROM_PLACES:
            self._elsewhere(person, word, source, expected)

    def _elsewhere(self, person: str, word: str, source: str, expected: Expected) -> None:
        stated = self.world.at(source)

        def far(name: str) -> float:
            place = self.world.at(name)
            return hypot(place.x - stated.x, place.y - stated.y)

        lying = [p for p in self.world.lying(word, stated.region) if self.world.at(p).level == stated.level]
        if lying:
            place = min(lying, key=lambda p: (far(p), p))
            expected["from"] = (place,)
            goal = str(expected["at"][0]) if "at" in expected else self.world.place[person]
            if not self.world.within(goal, place):
                expected["at"] = (place,)

    def _free_hand(self, person: str, act: Act, expected: Expected) -> None:
        hand = str(expected.get("hand", ("",))[0])
        if hand not in ("左", "右"):
            return
        word = self._word(act, expected)
        known = self.world.words.things.get(word)
        kind = known.kind if known else word

        def free(one: str) -> bool:
            return all(self.world.is_kind(t, kind) for t in self.world.here.get((person, one), ()))

        other = "左" if hand == "右" else "右"
        if not free(hand) and free(other):
            expected["hand"] = (other, *expected["hand"])
