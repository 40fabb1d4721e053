"""What a fault was, in a sentence of its kind: what was due, and what was done instead."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from game.core.numerals import spoken
from game.core.vocabulary import POSTURES, Vocabulary
from game.session.chinese import Chinese
from game.session.gloss import POSTURES as STANDING
from game.session.gloss import QUARTERS, Gloss

_SIDES = {"左": "left", "右": "right", "两": "both", "挟": "the string", "带": "the belt"}
Say = Callable[[str], str]
_NOTHING = ("", "无", "None")


class FaultWords:
    """Says faults as the journal has them; values that it does not know stay as they are."""

    def __init__(self, words: Vocabulary, gloss: Gloss, chinese: Chinese) -> None:
        self.words = words
        self.gloss = gloss
        self.chinese = chinese

    def zh(self, fault: Mapping[str, Any]) -> str:
        """In Chinese: 当面北，而面南。"""
        kind, wanted, got = str(fault["kind"]), str(fault["expected"]), str(fault["got"])
        say: Say = {"位": self._where_zh, "手": _hand_zh, "数": _number_zh}.get(kind, str)
        due = "或".join(say(v) for v in wanted.split("、"))
        did = say(got)
        nothing = wanted in _NOTHING
        if kind == "序":
            return f"{due}之事当及其时，而后时乃为。"
        if kind == "先后":
            return f"未至其时：当俟，而先{did}。"
        if kind == "阙":
            return f"当{due}，而终不为。"
        if kind == "过" and wanted == f"不{got}":
            return f"此时不可{did}，而{did}。"
        if kind in ("过", "服"):
            return f"此时无所当为，而{did}。" if nothing else f"所当为者{due}，而{did}。"
        if kind == "位":
            return f"当{due}，而{did if got not in _NOTHING else '不言其所'}。"
        if kind == "面":
            return f"当面{due}，而面{did}。"
        if kind == "数":
            return f"其数当{due}，而{did if got not in (*_NOTHING, '0') else '不言其数'}。"
        if kind == "器":
            return f"当用{due}，而{f'用{did}' if got not in _NOTHING else '不用'}。"
        if kind == "手":
            return f"当用{due}，而用{did}。" if got not in _NOTHING else f"当用{due}，而不然。"
        if kind == "辞":
            return f"当言「{wanted}」，而{f'言「{got}」' if got not in _NOTHING else '不言'}。"
        if kind == "僭":
            owner, other = self.chinese.person(wanted), self.chinese.person(got)
            return f"此{owner}之事，而{other}为之。"
        if kind == "容" and got in _NOTHING:
            return f"当以「{due}」为之，而不然。"
        return f"当{due}，而{did}。"

    def en(self, fault: Mapping[str, Any]) -> str:
        """In English: you faced south where north is due."""
        kind, wanted, got = str(fault["kind"]), str(fault["expected"]), str(fault["got"])
        verbs: Say = self._verb
        ways: dict[str, Say] = {
            "位": self._where_en, "面": lambda v: QUARTERS.get(v, v), "数": str, "器": self.gloss.things,
            "手": _hand_en, "容": self._bearing, "辞": str,
        }  # fmt: skip
        say = ways.get(kind, verbs)
        due = " or ".join(say(v) for v in wanted.split("、"))
        did = say(got)
        nothing, none = wanted in _NOTHING, got in _NOTHING
        if kind == "序":
            said = f"to {due} was due before, and came too late"
        elif kind == "先后":
            said = f"it was too early to {did}: to wait was due"
        elif kind == "阙":
            said = f"to {due} was due, and was never done"
        elif kind == "过" and wanted == f"不{got}":
            said = f"to {did} is ruled out here"
        elif kind in ("过", "服"):
            said = f"nothing called for you to {did}" if nothing else f"you came to {did} where to {due} was due"
        elif kind == "位" and not none and self._is_person(got) and all(map(self._is_person, wanted.split("、"))):
            persons = " or ".join(map(self.gloss.person, wanted.split("、")))
            said = f"you addressed {self.gloss.person(got)}, not {persons}"
        elif kind == "位":
            said = f"{due} is due, and you said no place or person" if none else f"it was {did}, not {due}"
        elif kind == "面":
            said = f"you faced {did} where {due} is due"
        elif kind == "数":
            none = none or got == "0"
            said = f"{due} is due, and you said no number" if none else f"the number was {did} where {due} is due"
        elif kind == "器":
            said = f"{due} is due, and you used none" if none else f"you used {did} where {due} is due"
        elif kind == "手":
            said = f"{due} is due, and you used another way" if none else f"you used {did} where {due} is due"
        elif kind == "辞":
            said = f"the words are 「{wanted}」" + ("" if none else f", and you said 「{got}」")
        elif kind == "僭":
            owner, other = self.gloss.person(wanted), self.gloss.person(got)
            said = f"this is for {owner} to do, and {other} did it"
        elif kind == "容" and none:
            said = f"it is to be done {due}"
        else:
            said = f"it was {did} where {due} is due"
        return f"{said[0].upper()}{said[1:]}."

    def _verb(self, name: str) -> str:
        """A verb in English; a place's or person's verb may have lost its end: go to."""
        return self.gloss.verb(name).removesuffix(" to")

    def _where_zh(self, value: str) -> str:
        if value in self.words.places:
            return f"在{value}"
        return value if self._is_way(value) else f"向{self.chinese.person(value)}"

    def _where_en(self, value: str) -> str:
        if value in self.words.places:
            return self.gloss.at(value)
        return f"the way {self.gloss.way(value)}" if self._is_way(value) else f"towards {self.gloss.person(value)}"

    def _is_way(self, value: str) -> bool:
        """Whether a value says by what way somebody goes: 自西阶, 由楹内."""
        roster = self.words.roster
        return (
            value not in roster.groups
            and value not in roster.pairs
            and value not in self.words.things
            and not any(value == p.id or p.id in value.split("及") for p in roster.persons)
        )

    def _is_person(self, value: str) -> bool:
        """Whether a value is somebody, a group or a pair."""
        return value not in self.words.places and value not in self.words.things and not self._is_way(value)

    def _bearing(self, value: str) -> str:
        if value in POSTURES:
            return STANDING[value]
        if value in ("奠爵而后拜", "执爵", "执觯"):
            return {"奠爵而后拜": "a bow with the cup set down before"}.get(value, "a bow with the cup in hand")
        return f"to {self._verb(value)}" if value in self.words.verbs else self.gloss.manner(value)


def _hand_zh(value: str) -> str:
    return {"挟": "弦外", "带": "带间"}.get(value, f"{value}手")


def _hand_en(value: str) -> str:
    if value in ("挟", "带"):
        return _SIDES[value]
    return "both hands" if value == "两" else f"the {_SIDES.get(value, value)} hand"


def _number_zh(value: str) -> str:
    return spoken(int(value)) if value.isdecimal() and int(value) < 100 else value
