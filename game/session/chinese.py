"""Acts in Chinese, in a few words, as the text would have them: 东北面 辞洗 向主人; 适洗南 北面."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from game.core.numerals import spoken
from game.core.vocabulary import Vocabulary, together
from game.session.gloss import first

_TIMES = {"": "", "1": "", "2": "再", "3": "三"}
_OBJECT = frozenset(("戒", "速", "送", "迎", "从", "作", "命", "视", "比", "挞", "揖", "厌", "酬", "相祭", "相工"))
"""Verbs of which the person is the object: 揖 宾, not 揖 向宾."""
_GIVEN = frozenset(("献", "酢", "酬", "授", "告", "请", "受命"))
"""What is given to somebody, asked or told: 献爵 于宾, 告 于主人."""
_HOLDS = {"左": "左手执", "右": "右手执", "两": "两手奉", "挟": "挟", "带": "带搢"}


class Chinese:
    """Says acts and names of a scenario in Chinese."""

    def __init__(self, words: Vocabulary, offices: Mapping[str, str]) -> None:
        """``offices``: person → the office that he has at this moment, by which he is then called."""
        self.words = words
        self.offices = offices

    def person(self, name: str) -> str:
        """A person by his office if he has one, a group, or several joined by 及."""
        return "及".join(self.offices.get(p, p) for p in together(name))

    def in_full(self, name: str) -> str:
        """A person by his office, with himself in brackets."""
        called = self.person(name)
        return called if called == name else f"{called}（{name}）"

    def hands(self, held: Mapping[str, Sequence[str]]) -> str:
        """What one holds where: 左手执弓，挟三矢."""
        return "，".join(f"{_HOLDS.get(hand, hand)}{_counted(things)}" for hand, things in held.items())

    def act(self, act: Mapping[str, Any], at: bool = False) -> str:
        """One act; the place is said where the act goes there, else only with ``at``."""
        verb = str(act["verb"])
        found = self.words.verbs.get(verb)
        goes = found is not None and found.effect == "go"
        place, manner, to = first(act, "at"), first(act, "manner"), first(act, "to")
        source, into, facing = first(act, "from"), first(act, "into"), first(act, "facing")
        turned = f"{facing}面" if facing else ""
        # 视侯 names already at whom or what one looks.
        whom = self._whom(verb, to, bool(act.get("object"))) if to and not verb.endswith(to) else ""
        times = _TIMES.get(first(act, "times"), first(act, "times"))
        done = ("答" if manner == "答" else "") + times + self._done(act, verb, manner)
        if goes and whom and verb in _OBJECT:
            done, whom = f"{done}{whom} 于{place}", ""
        elif goes:
            done = joined(done, place)
        if manner and not _named(verb, manner):
            done += f"（{manner}）"
        hand = first(act, "hand")
        parts = [
            place if at and not goes and place not in (source, into, verb) else "",
            "" if goes else turned,
            done,
            f"自{self.person(source)}" if source else "",
            f"于{into}" if into and into not in (verb, first(act, "object")) else "",
            whom,
            turned if goes else "",
            f"{hand}手" if hand in ("左", "右") else "",
        ]
        return " ".join(p for p in parts if p)

    def _whom(self, verb: str, to: str, gives: bool) -> str:
        """The person addressed, as the text has him with the verb."""
        if verb in _OBJECT and not gives:
            return self.person(to)
        return f"{'于' if verb in _GIVEN else '向'}{self.person(to)}"

    def _done(self, act: Mapping[str, Any], verb: str, manner: str) -> str:
        """The verb with its thing and their number, or the name that the text has for it: 拜送, 礼辞."""
        if _named(verb, manner):
            return verb if manner == "答" else manner
        thing, number = first(act, "object"), first(act, "count")
        if not thing or verb.endswith(thing):
            return verb
        if thing.startswith(verb):
            return f"{verb} {thing}"
        many = spoken(int(number)) if number.isdecimal() and 1 < int(number) < 100 else ""
        return f"{verb}{many}{thing}"


def kind(thing: str) -> str:
    """The word for a thing: 爵 of 爵1, 弓 of 司射之弓."""
    return thing.rsplit("之", 1)[-1].rstrip("0123456789") or thing


def _counted(things: Sequence[str]) -> str:
    """Things by name, those of one name with their number: 三矢、扑."""
    many = Counter(map(kind, things))
    return "、".join(f"{spoken(n)}{name}" if 1 < n < 100 else name for name, n in many.items())


def joined(verb: str, place: str) -> str:
    """A going verb with where it leads; 升席于宾席, since 升席宾席 reads as one word too many."""
    return f"{verb}{'于' if place and (len(verb) > 1 or verb[-1] == place[0]) else ''}{place}"


def _named(verb: str, manner: str) -> bool:
    return manner == "答" or (bool(manner) and verb in manner)
