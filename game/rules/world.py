"""Where everybody and everything is. Changed only through the trail, by committing a ruling."""

from __future__ import annotations

from collections.abc import Iterable
from math import hypot
from typing import Any

from game.core.trail import Trail
from game.core.vocabulary import HANDS, Place, Vocabulary

Location = tuple[str, str]
"""(place, "") or (person, hand); the hand is one of HANDS."""

EMPTY, FULL, BEGUN = 0, 1, 2
"""How much is in a cup: nothing, untouched, drunk from."""


class World:
    """Places, persons and things of one session."""

    def __init__(self, words: Vocabulary, trail: Trail) -> None:
        self.words = words
        self.trail = trail
        self.place: dict[str, str] = {p.id: p.at for p in words.roster.persons}
        self.facing: dict[str, str] = {p.id: p.facing for p in words.roster.persons}
        self.posture: dict[str, str] = {p.id: "立" for p in words.roster.persons}
        self.dress: dict[str, tuple[str, ...]] = {p.id: p.dress for p in words.roster.persons}
        self.office: dict[str, str] = {}
        self.where: dict[str, Location] = {}
        self.here: dict[Location, tuple[str, ...]] = {}
        self.wine: dict[str, int] = {}
        self.slack: dict[str, bool] = {}
        self.offered: dict[str, str] = {}
        self.loosed: dict[str, str] = {}
        """Arrow → who shot it last."""
        self.counted: dict[str, int] = {}
        """Team (右 左) → hits, once the scorer has counted them."""
        self.handled: list[str] = []
        """Things that the act just performed moved, filled, drank from or held out."""
        self.cups = frozenset(t.kind for t in words.things.values() if t.cup)
        """Words for cups: one may stand in for another, and cups go together in the hands."""
        for thing in words.things.values():
            self.where[thing.id] = (thing.at, "")
            self.here[thing.at, ""] = (*self.here.get((thing.at, ""), ()), thing.id)

    # Looking

    def at(self, place: str) -> Place:
        """The place with this id. KeyError if there is none."""
        return self.words.places[place]

    def region(self, person: str) -> str:
        """The region in which a person is."""
        return self.words.places[self.place[person]].region

    def held(self, person: str, hands: Iterable[str] = HANDS) -> tuple[str, ...]:
        """What a person carries, in the order of the hands."""
        return tuple(t for hand in hands for t in self.here.get((person, hand), ()))

    def hand_of(self, person: str, thing: str) -> str:
        """The hand in which a person carries a thing, or empty."""
        holder, hand = self.where[thing]
        return hand if holder == person and hand else ""

    def is_kind(self, thing: str, word: str) -> bool:
        """Whether a word names this thing, by kind or by its own id."""
        return word == thing or self.words.things[thing].kind == word

    def of_kind(self, things: Iterable[str], word: str) -> tuple[str, ...]:
        """Those things that a word names."""
        return tuple(t for t in things if self.is_kind(t, word))

    def lying(self, word: str, region: str) -> dict[str, tuple[str, ...]]:
        """Place → things that a word names and that lie in a region."""
        found: dict[str, tuple[str, ...]] = {}
        for (place, hand), things in self.here.items():
            if not hand and place in self.words.places and self.words.places[place].region == region:
                named = self.of_kind(things, word)
                if named:
                    found[place] = named
        return found

    def within(self, one: str, other: str, reach: float = 6.0) -> bool:
        """Whether two places are within ``reach`` 尺 of each other, on the same level."""
        a, b = self.at(one), self.at(other)
        return a.level == b.level and hypot(a.x - b.x, a.y - b.y) <= reach

    def near(self, person: str, place: str, reach: float = 6.0) -> bool:
        """Whether a person is within ``reach`` 尺 of a place, on the same level."""
        return self.within(self.place[person], place, reach)

    def perceives(self, person: str, actor: str, to: Iterable[str], carries: bool) -> bool:
        """Presence, not line of sight: the same region, or addressed to him, or a voice, flag or raised bow."""
        if person == actor or carries or person in to:
            return True
        return self.region(person) == self.region(actor)

    def title(self, person: str) -> str:
        """The title that the text uses of a person now."""
        return self.office.get(person, person)

    def own(self, thing: str, person: str) -> bool:
        """Whether a person takes this one of several alike before others: an arrow that he shot himself."""
        return self.loosed.get(thing) == person

    # Changing

    def move(self, thing: str, to: Location) -> None:
        """Put a thing somewhere else; it is always in exactly one place."""
        old = self.where[thing]
        left = tuple(t for t in self.here[old] if t != thing)
        if left:
            self.trail.put(self.here, old, left)
        else:
            self.trail.drop(self.here, old)
        self.trail.put(self.where, thing, to)
        self.trail.put(self.here, to, (*self.here.get(to, ()), thing))
        if thing in self.offered:
            self.trail.drop(self.offered, thing)
        self.handled.append(thing)

    def set_place(self, person: str, place: str) -> None:
        self.trail.put(self.place, person, place)

    def set_facing(self, person: str, facing: str) -> None:
        self.trail.put(self.facing, person, facing)

    def set_posture(self, person: str, posture: str) -> None:
        self.trail.put(self.posture, person, posture)

    def set_dress(self, person: str, dress: tuple[str, ...]) -> None:
        self.trail.put(self.dress, person, dress)

    def state(self) -> dict[str, Any]:
        """The whole of it, for a journal's phase lines and for comparing worlds."""
        persons = {}
        for person in self.words.roster.persons:
            p = person.id
            record: dict[str, Any] = {
                "at": self.place[p],
                "facing": self.facing[p],
                "posture": self.posture[p],
                "hands": {h: list(self.here[p, h]) for h in HANDS if self.here.get((p, h))},
                "dress": list(self.dress[p]),
            }
            if p in self.office:
                record["office"] = self.office[p]
            if p in self.words.roster.pair_of:
                record["pair"], role = self.words.roster.pair_of[p]
                record["team"] = "右" if role == "上射" else "左"
            persons[p] = record
        things = {}
        for thing in self.words.things:
            holder, hand = self.where[thing]
            things[thing] = holder if not hand else f"{holder}·{hand}"
        wine = {t: n for t, n in self.wine.items() if n}
        slack = sorted(t for t, s in self.slack.items() if s)
        return {"persons": persons, "things": things, "wine": dict(sorted(wine.items())), "slack": slack}
