"""English for the words of the rite: names, and whole acts in a few words. Where there is no gloss the word stays."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cached_property
from typing import Any

from game.core.vocabulary import Vocabulary, together

FACINGS = {"北": "N", "南": "S", "东": "E", "西": "W", "东北": "NE", "东南": "SE", "西北": "NW", "西南": "SW"}
POSTURES = {"立": "standing", "坐": "kneeling", "行": "walking"}
HANDS = {
    "左": "in the left hand",
    "右": "in the right hand",
    "两": "in both hands",
    "挟": "across the string",
    "带": "in the belt",
}
_DRESS = {
    "朝服": "court dress",
    "袒": "arm bared",
    "决": "ring",
    "遂": "armguard",
    "拾": "armguard",
    "决遂": "ring and armguard",
}
_SAID_OF_FAULTS = {"后": "late", "俟": "waiting", "无": "nothing"}
_FOOD = {"酒": "wine"}
_MANNERS = {
    "答": "in answer", "拜迎": "of welcome", "拜辱": "for the honour", "拜许": "of consent", "拜送": "on having given",
    "拜至": "at the arrival", "拜洗": "for the washing", "拜受": "before receiving", "既爵": "the cup emptied",
    "崇酒": "for honouring the wine", "奠觯": "the zhi set down", "旅拜": "all together", "礼辞": "once, for form",
    "辞降": "the descending", "辞洗": "the washing", "告旨": "that it is good", "请安": "to be at ease",
    "尚左手": "left hand above", "少立": "a while", "俟": "waiting", "共而俟": "waiting, hands folded",
    "左足": "left foot", "右执弦": "right hand on the string", "三等": "by the third step",
    "中等": "by the middle step", "少左": "a little to the left", "箫": "by the bow's tip",
    "声不绝": "the voice unbroken", "宫": "on the note gong",
    "商": "on the note shang", "缩": "lengthwise", "横": "crosswise", "贤获": "of the better side",
    "以纯数": "by pairs", "曰奇": "and an odd one", "却左手": "left hand turned up", "中掩": "the middle covered",
    "北括": "nocks to the north",
}  # fmt: skip
_HEAD = re.compile(r"[,;:]| of | on | in | for | with | over ")
_SAYS_WHERE = re.compile("(?:before|below|between|inside|off|on|opposite|outside|[NSEW]+ of) ")


def plain(en: str) -> str:
    """A gloss without its article."""
    return re.sub("^(?:the|an|a) ", "", en)


def first(act: Mapping[str, Any], name: str) -> str:
    """A field of an act as text; several persons joined."""
    value = act.get(name)
    if isinstance(value, list | tuple):
        return "及".join(str(v) for v in value)
    return "" if value is None else str(value)


class Gloss:
    """What the words of a scenario are in English."""

    def __init__(self, words: Vocabulary) -> None:
        self.words = words
        self.people = {p.id: p.en for p in words.roster.persons if p.en}
        self.people |= {name: n.en for name, n in words.roster.names.items() if n.en}
        self.kinds = _kinds(words)

    def person(self, name: str) -> str:
        """A person, a group, or several joined by 及."""
        return " and ".join(self.people.get(p) or self.thing(p) for p in together(name))

    def place(self, name: str) -> str:
        """A place, without what the vocabulary adds to explain it; one with a person's name is his."""
        found = self.words.places.get(name)
        if found is None or not found.en:
            return self.people.get(name, name)
        en = re.split("[,;:]", re.sub(r" ?\([^)]*\)", "", found.en))[0].strip()
        owner = name.rstrip("席前")
        return en.replace("a grandee", self.people[owner]) if owner in self.people else en

    def thing(self, kind: str) -> str:
        """A kind of thing, without article; a thing by its id is its kind."""
        found = self.words.things.get(kind)
        word = found.kind if found else kind
        return self.kinds.get(word) or _FOOD.get(word) or word

    def facing(self, name: str) -> str:
        """N, SE …"""
        return FACINGS.get(name, name)

    def manner(self, name: str) -> str:
        """In what manner."""
        return _MANNERS.get(name, name)

    def dress(self, name: str) -> str:
        """A piece of dress."""
        return _DRESS.get(name, name)

    def verb(self, name: str) -> str:
        """A verb."""
        found = self.words.verbs.get(name)
        return (found.en if found else "") or name

    def candidate(self, name: str) -> str:
        """One of the words between which somebody is asked to choose: a verb with its gloss, else the gloss alone."""
        return f"{name} ({self.verb(name)})" if name in self.words.verbs else self._meaning(name)

    def verbs_in(self, text: str) -> list[str]:
        """The verbs in a clause, each with its gloss."""
        return [f"{v.id} {v.en}" for v in self.words.verbs.values() if v.id in text and v.en]

    def message(self, english: str) -> str:
        """An English sentence in which persons, places, things and verbs stand by their names, all in English."""
        return self._names.sub(lambda found: self._meaning(found[0]), english)

    @cached_property
    def _names(self) -> re.Pattern[str]:
        words = self.words
        names = (*self.people, *words.places, *words.things, *self.kinds, *words.verbs)
        return re.compile("|".join(map(re.escape, sorted(names, key=len, reverse=True))))

    def _meaning(self, name: str) -> str:
        if name in self.people:
            return self.person(name)
        if name in self.words.places:
            return self.place(name)
        return self.verb(name) if name in self.words.verbs else self.thing(name)

    def value(self, kind: str, text: str) -> str:
        """What a fault of a kind says was expected or done."""
        if kind == "面":
            return self.facing(text)
        if kind == "容" and text in POSTURES:
            return POSTURES[text]
        if kind == "位" and text not in self.words.places:
            return " and ".join(self.person(p) for p in text.split("、"))
        say = {"位": self.place, "器": self.thing, "容": self.verb, "序": self.verb}.get(kind)
        return _SAID_OF_FAULTS.get(text) or (say(text) if say else text)

    def act(self, act: Mapping[str, Any], at: bool = True) -> str:
        """One act in a few words. The place is said where the act goes there, else only with ``at``."""
        verb = self.words.verbs.get(str(act["verb"]))
        goes = verb is not None and verb.effect == "go"
        done = self.verb(str(act["verb"]))
        thing, number, to = first(act, "object"), first(act, "count"), first(act, "to")
        times, manner, place = first(act, "times"), first(act, "manner"), first(act, "at")
        source, into, facing = first(act, "from"), first(act, "into"), first(act, "facing")
        hand = first(act, "hand")
        parts = [
            done,
            self.thing(thing) if thing and not done.endswith(self.thing(thing)) else "",
            f"x{number}" if number not in ("", "1") else "",
            {"": "", "1": "", "2": "twice", "3": "three times"}.get(times, f"{times} times"),
            f"to {self.person(to)}" if to else "",
            f"({self.manner(manner)})" if manner else "",
            f"from {self.place(source)}" if source else "",
            _into(self.place(into)) if into else "",
            _towards(done, self.place(place), goes) if place and (goes or at) else "",
            f"facing {self.facing(facing)}" if facing else "",
            {"左": "with the left", "右": "with the right", "两": "with both hands"}.get(hand, ""),
        ]
        return " ".join(p for p in parts if p)


def _towards(done: str, place: str, goes: bool) -> str:
    if not goes:
        return f"at: {place}"
    return place if done.endswith(" to") else f"to {place}"


def _into(place: str) -> str:
    if _SAYS_WHERE.match(place):
        return f"at: {place}"
    return f"{'in' if any(w in place for w in ('basket', 'jars', 'holder')) else 'at'} {place}"


def _kinds(words: Vocabulary) -> dict[str, str]:
    """What the things of a kind have in common: of the upper and the lower basket, ``basket``."""
    heads: dict[str, list[list[str]]] = {}
    for thing in words.things.values():
        if thing.en:
            head = _HEAD.split(re.sub(r"\([^)]*\) ?", "", plain(thing.en)))[0].strip()
            heads.setdefault(thing.kind, []).append(re.sub(r"^\S+'s ", "", head).split())
    found = {}
    for kind, glosses in heads.items():
        common = glosses[0]
        for other in glosses[1:]:
            n = 0
            while n < min(len(common), len(other)) and common[-1 - n] == other[-1 - n]:
                n += 1
            common = common[len(common) - n :]
        found[kind] = " ".join(common or glosses[0])
    return found
