"""Typed notation: «西阶上 北面 再拜 主人», «坐奠爵兴», «zuo dian jue xing», «bow twice to host» → acts.

Words come from the vocabulary and from what the rite itself joins (辞洗, 拜送); nothing typed is ever evaluated, and
what is due has no part in what it means.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from game.core.ruling import Refusal
from game.session.lexicon import Lexicon, Token, folded, sounded

LONGEST_LINE = 500
"""More than any phrase of the text, and little enough to be read at once."""
_OFTEN = 4
"""A verb is meant rather than another of the same sound if the rite has it so many times as often."""
_KNEELING = ("奠", "取", "祭", "绝祭", "哜", "啐", "饮", "卒", "洗", "委", "兴")
"""What follows upon 坐."""
_STEPS = {"升": "上", "降": "下"}
"""Where the steps lead of which one says 自: to their head or to their foot."""
Meanings = list[Token]


def _words(line: str, lexicon: Lexicon) -> list[Meanings] | Refusal:
    """A line as words, each with all that it may mean."""
    text, tones = sounded(line)
    found: list[Meanings] = []
    i = 0
    while i < len(text):
        if text[i] == " ":
            i += 1
        elif text[i].isascii():
            end = i
            while end < len(text) and text[end].isascii():
                end += 1
            run = _Run(text[i:end], {at - i: tone for at, tone in tones.items() if i <= at < end}, lexicon).words()
            if isinstance(run, Refusal):
                return run
            found += run
            i = end
        else:
            for length in range(min(lexicon.longest, len(text) - i), 0, -1):
                if text[i : i + length] in lexicon.chinese:
                    found.append(lexicon.chinese[text[i : i + length]])
                    i += length
                    break
            else:
                return Refusal("unclear", f"不识「{text[i:].strip()}」", f"not understood: {text[i:].strip()}")
    return found


@dataclass(frozen=True)
class _Cut:
    """The best way to cut letters from here on: its first word, and what it costs."""

    cost: tuple[int, int, int]
    """Cuts within a written word, words, verbs among them."""
    end: int
    meanings: Meanings


class _Run:
    """Latin letters that run on: cut into as few words as can be, within a written word only where it is pinyin."""

    def __init__(self, text: str, tones: Mapping[int, int], lexicon: Lexicon) -> None:
        self.lexicon = lexicon
        self.chunks = [m.group() for m in re.finditer(r"\S+", text)]
        self.letters = "".join(self.chunks)
        self.edges = {0}
        self.tones: dict[int, int] = {}
        at = 0
        for m in re.finditer(r"\S+", text):
            for k in range(m.start(), m.end()):
                if k in tones:
                    self.tones[at + k - m.start()] = tones[k]
            at += len(m.group())
            self.edges.add(at)

    def words(self) -> list[Meanings] | Refusal:
        """The words, or what was not understood."""
        n = len(self.letters)
        best: list[_Cut | None] = [None] * n + [_Cut((0, 0, 0), n, [])]
        for i in range(n - 1, -1, -1):
            for j in range(min(n, i + self.lexicon.longest_latin + 8), i, -1):
                rest = best[j]
                if rest is None or (meanings := self._meanings(i, j)) is None:
                    continue
                inner, count, verbs = rest.cost
                acts = all(kind in ("verb", "joined") for kind, _ in meanings)
                cost = (inner + (j not in self.edges), count + 1, verbs + acts)
                known = best[i]
                if known is None or cost < known.cost:
                    best[i] = _Cut(cost, j, meanings)
        if best[0] is None:
            return self._not_understood(best)
        found, i = [], 0
        while i < n:
            step = best[i]
            assert step is not None
            found.append(step.meanings)
            i = step.end
        return found

    def _meanings(self, i: int, j: int) -> Meanings | None:
        word = self.letters[i:j]
        whole = i in self.edges and j in self.edges
        if not whole and (j - i < 2 or not self.lexicon.is_sound(re.sub("[1-5]", "", word))):
            return None
        if whole and re.fullmatch("x?[0-9]{1,9}", word):
            return [("number", int(word.removeprefix("x")))]
        marks = {at - i: tone for at, tone in self.tones.items() if i <= at < j}
        if word in self.lexicon.latin:
            return self.lexicon.heard(word, marks, {})
        plain, digits = "", {}
        for at, c in enumerate(word, i):
            if c in "12345" and at not in self.edges:
                digits[len(plain)] = int(c)
            else:
                plain += c
        if digits and self.lexicon.is_sound(plain):
            return self.lexicon.heard(plain, marks, digits)
        return None

    def _not_understood(self, best: Sequence[object]) -> Refusal:
        """The last written word before which everything could go wrong, from the end."""
        at, word = 0, self.chunks[0]
        for chunk in self.chunks:
            word = chunk
            at += len(chunk)
            if best[at] is not None:
                break
        return Refusal("unclear", f"不识「{word}」", f"not understood: {word}")


def parse(line: str, lexicon: Lexicon) -> list[dict[str, Any]] | Refusal:
    """A typed line as acts in order, with the keys of ``Session.act``; a Refusal says what could not be read."""
    if len(line) > LONGEST_LINE:
        return Refusal("unclear", f"辞太长，至多 {LONGEST_LINE} 字", f"longer than {LONGEST_LINE} characters")
    words: list[Meanings] = []
    for n, part in enumerate(re.split("[(（]([^()（）]*)[)）]", line)):
        found = _words(part, lexicon)
        if isinstance(found, Refusal):
            return found
        # In brackets stands the manner of the act before: 再拜（告旨）.
        words += [[m for m in meanings if n % 2 and m[0] == "manner"] or meanings for meanings in found]
    sentence = _Sentence(lexicon)
    for n, meanings in enumerate(words):
        refusal = sentence.take(meanings, words[n + 1] if n + 1 < len(words) else [])
        if refusal is not None:
            return refusal
    if not sentence.acts:
        return Refusal("unclear", "未言何事", "no act is named")
    for key, value in sentence.pending.items():
        sentence.acts[-1].setdefault(key, value)
    return sentence.acts


@dataclass
class _Sentence:
    """Acts as far as they were read. What goes with a verb stands after it, the rest with the next verb."""

    lexicon: Lexicon
    acts: list[dict[str, Any]] = field(default_factory=list)
    pending: dict[str, Any] = field(default_factory=dict)
    preposition: str = ""
    joining: bool = False
    """After 及: the next person comes to the one before."""

    @property
    def last(self) -> dict[str, Any]:
        """The act that words still go to."""
        return self.acts[-1] if self.acts else {}

    def take(self, meanings: Meanings, following: Meanings) -> Refusal | None:
        """One word, with what may follow it."""
        token = self._meant(meanings, following)
        if isinstance(token, Refusal):
            return token
        kind, value = token
        if kind == "joined" and self.acts and not self.pending and _names_the_kind(value, self.last):
            self.last["manner"] = value["manner"]
        elif kind in ("verb", "joined"):
            act = {"verb": value} if kind == "verb" else dict(value)
            self.acts.append({**act, **self.pending})
            self.pending, self.preposition, self.joining = {}, "", False
        elif kind == "tail" and self.acts:
            # «offer the wine in sacrifice»: what was read as another verb of the same beginning is this one.
            self.last["verb"] = value
        elif kind == "word" and value == "及":
            self.joining = True
        elif kind == "word":
            self.preposition = value or self.preposition
        else:
            self._attach(kind, value, following)
            self.preposition, self.joining = "", False
        return None

    def _meant(self, meanings: Meanings, following: Meanings) -> Token | Refusal:
        """Which of its meanings a word has here: after 于 a place, after 向 one, after a verb what goes with it."""
        if len(meanings) == 1:
            return meanings[0]
        people = any(kind == "person" for kind, _ in following)
        for word, fits in (("向", people), ("及", people and "to" in (self.pending or self.last))):
            if fits and ("word", word) in meanings:
                return ("word", word)
        rest = [m for m in meanings if m[0] != "word"] or meanings
        for kind in self._order():
            found = [m for m in rest if m[0] == kind]
            if found:
                return found[0] if len(found) == 1 else self._which(found, following)
        return rest[0]

    def _order(self) -> tuple[str, ...]:
        fresh = bool(self.acts) and not self.pending
        if self.preposition == "向" or self.joining:
            return ("person", "thing", "place", "joined", "verb")
        if self.preposition:
            return ("place", "thing", "facing", "joined", "verb")
        if fresh and self.last["verb"] in self.lexicon.goings and "at" not in self.last:
            return ("place", "joined", "verb", "person", "thing")
        if fresh and "object" not in self.last and self.last["verb"] in self.lexicon.handling:
            return ("thing", "person", "joined", "verb", "place")
        return ("joined", "verb", "times", "number", "facing", "person", "place", "thing", "hand", "manner")

    def _which(self, found: Meanings, following: Meanings) -> Token | Refusal:
        """Of several words of one kind the one that fits what follows, else the one that the rite has far oftener."""
        names = [str(v) if kind != "joined" else str(v["verb"]) for kind, v in found]
        if found[0][0] in ("verb", "joined"):
            fits = [n for n in names if self._fits(n, following)] or self._whole(names)
            by_use = sorted(dict.fromkeys(fits), key=lambda v: -self.lexicon.uses[v])
            uses = [self.lexicon.uses[v] for v in by_use]
            if len(by_use) == 1 or uses[0] >= max(1, _OFTEN * uses[1]):
                return next(m for m, name in zip(found, names, strict=True) if name == by_use[0])
        shown = ", ".join(names)
        return Refusal("ambiguous", f"「{'、'.join(names)}」何者？", f"which of {shown}?", tuple(names))

    def _fits(self, verb: str, following: Meanings) -> bool:
        """Whether what follows goes with a verb."""
        takes = self.lexicon.takes.get(verb, set())
        if self.pending.get("times", 1) > 1 and verb in self.lexicon.family:
            return True
        return any(
            (kind == "place" and verb in self.lexicon.goings)
            or (kind == "thing" and "object" in takes)
            or (kind == "person" and "to" in takes)
            or (kind == "verb" and verb == "坐" and value in _KNEELING)
            or (kind == "joined" and verb == "坐" and value["verb"] in _KNEELING)
            for kind, value in following
        )

    def _whole(self, names: list[str]) -> list[str]:
        """Without a place after it a going verb is not meant where another has its sense alone (行 beside 兴)."""
        alone = [
            v for v in names if v not in self.lexicon.goings and not {"object", "to"} & self.lexicon.takes.get(v, set())
        ]
        return [v for v in names if v not in self.lexicon.goings] if alone else names

    def _attach(self, kind: str, value: Any, following: Meanings) -> None:
        last, pending, verb = self.last, self.pending, self.last.get("verb", "")
        going = verb in self.lexicon.goings
        leads = any(k in ("verb", "joined") for k, _ in following)
        """Whether a verb follows, to which the word can belong."""
        if kind == "number" and verb in self.lexicon.handling and "count" not in last and not self._counted(following):
            last["count"] = value
        elif kind in ("number", "times"):
            self._put("times", value, verb in self.lexicon.family and not leads)
        elif kind == "hand":
            self._put("hand", value, verb in self.lexicon.handling and not leads)
        elif kind == "manner":
            before = value == "答" and any(k in ("verb", "joined", "times", "number") for k, _ in following)
            self._put("manner", value, not before)
        elif kind == "thing" and last and "object" not in last and not self.preposition:
            last["object"] = value
        elif kind == "place" and verb == "席" and "into" not in last and not self.preposition:
            last["into"] = value
        elif kind == "place" and last and self.preposition and not going:
            self._put(self._whither(verb), value, True)
        elif kind == "place" and self.preposition == "自" and verb in _STEPS and value.endswith("阶"):
            # 升自西阶: the steps are the way, and where it leads follows from it.
            last.setdefault("via", f"自{value}")
            last.setdefault("at", f"{value}{_STEPS[verb]}")
        elif kind == "place":
            self._put("at", value, going)
        elif kind == "facing":
            self._put("facing", value, going and "at" in last)
        elif self.preposition == "自" and "from" in self.lexicon.takes.get(verb, ()):
            self._put("from", value, True)
        elif self.joining and "to" in pending:
            pending["to"].append(value)
        elif self.joining and "to" in last:
            last["to"].append(value)
        else:
            self._put("to", [value], True)

    def _whither(self, verb: str) -> str:
        """What a place after a preposition is to a verb: where from, where to, or where it is done."""
        if self.preposition == "自" or verb in ("取", "执", "受"):
            return "from"
        return "into" if "into" in self.lexicon.takes.get(verb, ()) else "at"

    def _put(self, name: str, value: Any, belongs: bool) -> None:
        """Into the last act if it belongs there and is not said yet, else to the next verb."""
        if self.acts and belongs and name not in self.last:
            self.last[name] = value
        else:
            self.pending[name] = value

    def _counted(self, following: Meanings) -> bool:
        """Whether a verb follows of which a number says how many times."""
        return any(
            (kind == "verb" and value in self.lexicon.family)
            or (kind == "joined" and value["verb"] in self.lexicon.family)
            for kind, value in following
        )


def _names_the_kind(joined: Mapping[str, Any], last: Mapping[str, Any]) -> bool:
    """«再拜（拜送）»: the same verb again only says of what kind the act just named is."""
    return "manner" in joined and joined["verb"] == last["verb"] and not {"manner", "to", "into"} & last.keys()


__all__ = ["LONGEST_LINE", "Lexicon", "folded", "parse"]
