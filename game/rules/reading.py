"""A player's words as an attempt: names checked, what has only one possible value filled in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from difflib import get_close_matches
from functools import cached_property
from typing import Any

from game.core.act import FIELDS, Attempt
from game.core.choreography import Act
from game.core.ruling import Refusal
from game.core.vocabulary import FACINGS, HANDS, together
from game.rules.aligning import Aligner, Station
from game.rules.world import World

_DIRECTED = set(
    ["拜", "揖", "厌", "让", "辞", "对", "请", "告", "命", "戒", "速", "送", "迎", "许", "授", "献", "酢", "酬"]
)
_TEXT = ("manner", "object", "from", "into", "hand", "via", "at", "facing", "speech", "aim")
_KEYS = ("verb", *FIELDS, "posture")
_HANDLING = ("put", "offer", "wash", "fill", "drink", "take", "receive", "hold")


class Reader:
    """Tells what is unclear or ambiguous from what is wrong; changes nothing."""

    def __init__(self, world: World, aligner: Aligner) -> None:
        self.world = world
        self.aligner = aligner

    @cached_property
    def known(self) -> dict[str, frozenset[str]]:
        """Field → the words that mean something there."""
        words = self.world.words
        said: dict[str, set[str]] = {"manner": set(), "object": set(), "via": set()}
        for node in self.aligner.rite.nodes:
            if isinstance(node, Act):
                for name, values in said.items():
                    values.update(str(v) for v in node.fields.get(name, ()))
                said["manner"].update(node.choices)
        said["manner"] |= words.said_of.get("manner", frozenset())
        said["via"] |= words.said_of.get("via", frozenset())
        said["object"] |= set(words.things) | {t.kind for t in words.things.values()}
        people = set(self.world.place)
        groups = set(words.roster.groups) | set(words.roster.pairs)
        return {
            **{name: frozenset(values) for name, values in said.items()},
            "facing": frozenset(FACINGS), "hand": frozenset(HANDS), "at": frozenset(words.places),
            "into": frozenset(words.places),
            "from": frozenset(words.places) | people,
            "to": frozenset(people | groups | said["object"] | set(words.places)),
            "which": frozenset(words.things),
        }  # fmt: skip

    def read(self, person: str, given: Mapping[str, Any]) -> Attempt | Refusal:
        """The attempt, or a refusal: unclear for words without meaning, ambiguous for those with several."""
        verb = given.get("verb")
        if not isinstance(verb, str) or verb not in self.world.words.verbs:
            return Refusal("unclear", f"无此动作：{verb}", f"no such act: {verb}")
        for name in ("times", "count"):
            value = given.get(name, 1)
            if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= 999:
                return Refusal("unclear", f"{name} 须为数", f"{name} must be a number from 1")
        for name in given:
            if name not in _KEYS:
                near = tuple(get_close_matches(str(name)[:40], _KEYS, 3, 0.5)) or _KEYS
                return Refusal("unclear", f"无此项：{name}", f"an act has no {name}", near)
        texts: dict[str, str] = {}
        for name in _TEXT:
            value = given.get(name) or ""
            if not isinstance(value, str) or (value and name in self.known and value not in self.known[name]):
                return Refusal("unclear", f"无此：{value}", f"no such {name}: {value}")
            texts[name] = value
        lists: dict[str, tuple[str, ...]] = {}
        for name in ("to", "which"):
            value = given.get(name) or ()
            value = (value,) if isinstance(value, str) else value
            if name == "to" and isinstance(value, list | tuple) and all(isinstance(v, str) for v in value):
                value = tuple(p for v in value for p in together(v))
            if not isinstance(value, list | tuple):
                return Refusal("unclear", f"无此：{value}", f"no such {name}: {value}")
            for one in value:
                if not isinstance(one, str) or one not in self.known[name]:
                    return Refusal("unclear", f"无此人物：{one}", f"nobody and nothing is called {one}")
            lists[name] = tuple(value)
        attempt = Attempt(
            person, verb, given.get("times", 1), texts["manner"], texts["object"], lists["which"],
            given.get("count", 0), lists["to"],
            texts["from"], texts["into"], texts["hand"], texts["via"], texts["at"], texts["facing"], "",
            texts["speech"], texts["aim"],
            frozenset(k for k, v in given.items() if v not in (None, "", [], ())),
        )  # fmt: skip
        other = next((w for w in attempt.which if attempt.object and not self._is(w, attempt.object)), None)
        if other is not None:
            return Refusal("unclear", f"{other}非{attempt.object}", f"{other} is no {attempt.object}")
        return self._completed(attempt)

    def _is(self, which: str, word: str) -> bool:
        """Whether a word names a thing or its kind."""
        thing = self.world.words.things[which]
        return word in (thing.id, thing.kind)

    def _completed(self, attempt: Attempt) -> Attempt | Refusal:
        effect = self.world.words.verbs[attempt.verb].effect
        window = [s for s in self.aligner.window(attempt.person) if s.act.verb == attempt.verb]
        if effect == "go" and not attempt.at:
            goals = tuple(sorted({str(s.expected["at"][0]) for s in window if "at" in s.expected}))
            return Refusal("ambiguous", "往何处？", "where to?", goals if len(window) > 1 else ())
        if not attempt.to and attempt.verb in _DIRECTED:
            others = self._present(attempt.person)
            if len(others) == 1:
                attempt = replace(attempt, to=others)
            elif any("to" in s.expected for s in window) or not window:
                return Refusal("ambiguous", "向何人？", "towards whom?", others[:30])
        if not attempt.object and effect in _HANDLING and "弓" not in attempt.verb:
            return self._with_object(attempt, effect, window)
        return attempt

    def _present(self, person: str) -> tuple[str, ...]:
        """The others in the same region."""
        here = self.world.region(person)
        return tuple(
            p.id for p in self.world.words.roster.persons if p.id != person and self.world.region(p.id) == here
        )

    def _with_object(self, attempt: Attempt, effect: str, window: list[Station]) -> Attempt | Refusal:
        person = attempt.person
        things = self.world.held(person)
        if effect in ("take", "hold"):
            place = attempt.source or self.world.place[person]
            lying = self.world.here.get((place, ""), ())
            things = lying if effect == "take" or lying else things
        elif effect == "receive":
            things = tuple(t for t, to in self.world.offered.items() if to == person)
        kinds = tuple(dict.fromkeys(self.world.words.things[t].kind for t in things))
        if len(kinds) == 1:
            return replace(attempt, object=kinds[0])
        if any("object" in s.expected for s in window):
            return Refusal("ambiguous", "何物？", "which thing?", kinds)
        return attempt
