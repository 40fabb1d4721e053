"""The words that can be typed in a scenario, by their graphs, their sound, and in English."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from game.core.choreography import Act, Happening, Rite
from game.core.vocabulary import FACINGS, Vocabulary
from game.session.gloss import APART, Gloss, plain

Token = tuple[str, Any]
"""(kind, value): kind is verb, tail (the end of a verb), joined, place, thing, person, facing, times, number, hand,
manner, word.
"""

_SIMPLE = str.maketrans(
    "荅賓衆眾階東觶奠爵讓辭對許請謝興厭揖獻酬實執弓張說決襲獲釋馬長釁進適還堂門內外樂縣幣設薦醢席徹絕祭啐飲從轉"
    "諾戒請迎銘數筭楹間後負揚舉鼓與個羣鄉禮錄諸侯闌級氣兩邊北南西視發挾搢偃獻縱橫純贊當",
    "答宾众众阶东觯奠爵让辞对许请谢兴厌揖献酬实执弓张说决袭获释马长衅进适还堂门内外乐县币设荐醢席彻绝祭啐饮从转"
    "诺戒请迎铭数筭楹间后负扬举鼓与个群乡礼录诸侯阑级气两边北南西视发挟搢偃献纵横纯赞当",
)
_TONES = {"\u0304": 1, "\u0301": 2, "\u030c": 3, "\u0300": 4}
_FACING_SOUNDS = ("běi", "nán", "dōng", "xī", "dōng běi", "dōng nán", "xī běi", "xī nán")
_TIMES = {"再": 2}
_NUMBERS = {"壹": 1, "一": 1, "二": 2, "两": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9, "十": 10}
_HANDLING = ("put", "offer", "wash", "fill", "drink", "sip", "take", "receive", "hold", "nock", "tuck")
_ENGLISH_VERBS = {
    "揖": ("salute",), "厌": ("draw in",), "对": ("answer",), "坐": ("sit",), "兴": ("stand up",), "适": ("go",),
    "升": ("ascend",), "降": ("descend",), "入": ("enter",), "出": ("leave",), "盥": ("rinse",), "奠": ("put",),
    "授": ("give",), "执": ("hold", "take up"), "执弓": ("take up the bow",), "席": ("spread",), "奉": ("bear",),
    "升席": ("step onto",), "相工": ("guide",), "发": ("shoot",), "搢": ("tuck",), "袒": ("bare",), "袭": ("cover",),
}  # fmt: skip
_ENGLISH_WORDS: dict[str, Token] = {
    "once": ("times", 1), "twice": ("times", 2), "thrice": ("times", 3),
    "left": ("hand", "左"), "right": ("hand", "右"),
    "both": ("hand", "两"), "bothhands": ("hand", "两"), "lefthand": ("hand", "左"), "righthand": ("hand", "右"),
    "north": ("facing", "北"), "south": ("facing", "南"), "east": ("facing", "东"), "west": ("facing", "西"),
    "n": ("facing", "北"), "s": ("facing", "南"), "e": ("facing", "东"), "w": ("facing", "西"),
    "ne": ("facing", "东北"), "se": ("facing", "东南"), "nw": ("facing", "西北"), "sw": ("facing", "西南"),
    "northeast": ("facing", "东北"), "southeast": ("facing", "东南"), "northwest": ("facing", "西北"),
    "southwest": ("facing", "西南"), "at": ("word", "于"), "in": ("word", "于"), "into": ("word", "于"),
    "from": ("word", "自"), "to": ("word", "向"), "towards": ("word", "向"), "facing": ("word", ""),
    "the": ("word", ""), "a": ("word", ""), "with": ("word", ""), "times": ("word", ""), "and": ("word", "及"),
    "then": ("word", ""), "cup": ("thing", "爵"),
    **{w: ("number", n) for n, w in enumerate(
        ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"), 1)},
}  # fmt: skip
_WORDS = {
    "于": "于", "向": "向", "自": "自", "及": "及", "遂": "", "以": "", "而": "", "乃": "", "其": "", "之": "",
    "皆": "", "面": "", "个": "",
}  # fmt: skip
_WORD_SOUNDS = {"yú": "于", "xiàng": "向", "zì": "自", "jí": "及", "suì": ""}
_SOUNDS = {"答": "dá", "再": "zài"}
_LONGEST_ENGLISH = 80

Marks = Mapping[int, int]
"""Place in a word → tone."""


def sounded(line: str) -> tuple[str, dict[int, int]]:
    """NFKC, lower case, simplified graphs, punctuation as spaces; and the tone marks, by the letter that had them."""
    text = unicodedata.normalize("NFD", unicodedata.normalize("NFKC", line).lower().translate(_SIMPLE))
    letters: list[str] = []
    tones: dict[int, int] = {}
    for c in text:
        if not unicodedata.combining(c):
            letters.append(c if c.isalnum() else " ")
        elif c in _TONES and letters:
            tones[len(letters) - 1] = _TONES[c]
    return "".join(letters), tones


def folded(line: str) -> str:
    """The same without the tones."""
    return sounded(line)[0]


def written(joined: Mapping[str, Any]) -> str:
    """A verb with what the rite joins to it, in graphs."""
    verb, manner = joined["verb"], joined.get("manner", "")
    if manner:
        return f"答{verb}" if manner == "答" else manner if verb in manner else verb + manner
    return str(verb + joined.get("object", ""))


@dataclass
class Lexicon:
    """Chinese words by their graphs, Latin words by their letters; each with all it may mean."""

    chinese: dict[str, list[Token]] = field(default_factory=dict)
    latin: dict[str, list[Token]] = field(default_factory=dict)
    tones: dict[str, list[Marks | None]] = field(default_factory=dict)
    """Of each meaning of a Latin word, in the same order; None of English ones."""
    goings: frozenset[str] = frozenset()
    handling: frozenset[str] = frozenset()
    family: frozenset[str] = frozenset()
    """The verbs that are counted: 拜, 揖 …"""
    uses: Counter[str] = field(default_factory=Counter)
    """How often the rite has a verb."""
    takes: dict[str, set[str]] = field(default_factory=dict)
    """What goes with a verb in the rite: object, to, at …"""
    longest: int = 1
    longest_latin: int = 1

    @classmethod
    def of(cls, words: Vocabulary, rite: Rite) -> Lexicon:
        """The lexicon of one scenario."""
        verbs = words.verbs.values()
        lexicon = cls(
            goings=frozenset(v.id for v in verbs if v.effect == "go"),
            handling=frozenset(v.id for v in verbs if v.effect in _HANDLING),
            family=frozenset(v.id for v in verbs if v.family),
        )
        gloss = Gloss(words)
        for verb in verbs:
            lexicon._add(verb.id, ("verb", verb.id), verb.pinyin, (verb.en, *_ENGLISH_VERBS.get(verb.id, ())))
        for name, (head, tail) in APART.items():
            if name in words.verbs:
                lexicon._latin(tail, ("tail", name), False)
                if "".join(head.split()) not in lexicon.latin:
                    lexicon._latin(head, ("verb", name), False)
        lexicon._settings(words, gloss)
        lexicon._people(words, gloss)
        lexicon._offices(rite, gloss)
        for facing, sound in zip(FACINGS, _FACING_SOUNDS, strict=True):
            for word in (facing + "面", "面" + facing, facing):
                lexicon._chinese(word, ("facing", facing))
            lexicon._latin(sound + "miàn", ("facing", facing), True)
        lexicon._joined(words, rite, gloss)
        for kind, numbers in (("times", _TIMES), ("number", _NUMBERS)):
            for word, number in numbers.items():
                lexicon._chinese(word, (kind, number))
        lexicon._latin("dá", ("manner", "答"), True)
        lexicon._latin("zài", ("times", 2), True)
        lexicon._latin("sān", ("number", 3), True)
        for hand in ("左", "右"):
            lexicon._chinese(hand, ("hand", hand))
        for hand, sound in (("左", "zuǒ shǒu"), ("右", "yòu shǒu"), ("两", "liǎng shǒu")):
            lexicon._chinese(hand + "手", ("hand", hand))
            lexicon._latin(sound, ("hand", hand), True)
        for word, token in _ENGLISH_WORDS.items():
            lexicon.latin[word], lexicon.tones[word] = [token], [None]
        for word, meaning in _WORDS.items():
            if word not in lexicon.chinese:
                lexicon._chinese(word, ("word", meaning))
        for word, meaning in _WORD_SOUNDS.items():
            lexicon._latin(word, ("word", meaning), True)
        lexicon.longest = max(map(len, lexicon.chinese))
        lexicon.longest_latin = max(map(len, lexicon.latin))
        return lexicon

    @staticmethod
    def stem(text: str) -> str:
        """The unfinished word at the end of a typed line: Latin letters, or the graphs after the last space."""
        if not text or text[-1].isspace():
            return ""
        ascii_tail = ""
        for c in reversed(text):
            if c.isascii() != text[-1].isascii() or c.isspace():
                break
            ascii_tail = c + ascii_tail
        return ascii_tail

    def complete(self, text: str, limit: int = 12) -> list[tuple[str, str]]:
        """(word, its reading or gloss) that the end of a line may become, the shortest first.

        What is due has no part in the order. A shorter tail is tried where graphs run on without a space.
        """
        stem = folded(self.stem(text)).replace(" ", "")
        if not stem:
            return []
        found: dict[str, str] = {}
        if stem.isascii():
            for spelling, tokens in self.latin.items():
                if spelling.startswith(stem):
                    for kind, value in tokens:
                        word = value if isinstance(value, str) else "" if kind != "joined" else written(value)
                        if word and kind not in ("word", "hand", "manner"):
                            found.setdefault(word + ("面" if kind == "facing" else ""), spelling)
        else:
            for start in range(len(stem)):
                tail = stem[start:]
                for word in self.chinese:
                    if word.startswith(tail) and word != tail:
                        found.setdefault(stem[:start] + word, "")
                if found:
                    break
        return sorted(found.items(), key=lambda word: len(word[1] or word[0]))[:limit]

    def heard(self, word: str, typed: Marks, digits: Marks) -> list[Token]:
        """What a Latin word may mean: of several meanings those that have the tones typed, if any has."""
        tokens = self.latin[word]
        fit = [
            token
            for token, tones in zip(tokens, self.tones[word], strict=True)
            if tones is not None and _agrees(tones, typed, digits)
        ]
        return fit if (typed or digits) and fit else tokens

    def is_sound(self, word: str) -> bool:
        """Whether a Latin word is pinyin."""
        return any(tones is not None for tones in self.tones.get(word, ()))

    def _settings(self, words: Vocabulary, gloss: Gloss) -> None:
        for place in words.places.values():
            self._add(
                place.id, ("place", place.id), place.pinyin, (gloss.place(place.id), plain(gloss.place(place.id)))
            )
        for thing in words.things.values():
            en = gloss.thing(thing.kind)
            pinyin = thing.pinyin if thing.id.startswith(thing.kind) and len(thing.pinyin.split()) <= 2 else ""
            self._add(thing.kind, ("thing", thing.kind), pinyin, (en, en + "s", f"the {en}"))
        for kind in ("酒", "肺", "脯醢"):
            self._add(kind, ("thing", kind), {"酒": "jiǔ"}.get(kind, ""), (gloss.thing(kind),))

    def _people(self, words: Vocabulary, gloss: Gloss) -> None:
        roster = words.roster
        for person in roster.persons:
            pinyin = person.pinyin + person.id[len(person.kind) :] if person.pinyin else ""
            self._add(person.id, ("person", person.id), pinyin, _called(gloss.person(person.id)))
        for group in (*roster.groups, *roster.pairs):
            if group not in words.verbs:
                name = roster.names.get(group)
                self._add(group, ("person", group), name.pinyin if name else "", _called(name.en) if name else ())

    def _offices(self, rite: Rite, gloss: Gloss) -> None:
        """A person may be called by an office that he gets."""
        for node in rite.nodes:
            if isinstance(node, Happening) and node.office:
                self._add(node.office, ("person", node.person), "", _called(gloss.office(node.office)))

    def _joined(self, words: Vocabulary, rite: Rite, gloss: Gloss) -> None:
        sounds = _graphs(words)
        for act in rite.nodes:
            if not isinstance(act, Act):
                continue
            self.uses[act.verb] += 1
            self.takes.setdefault(act.verb, set()).update(act.fields)
            for value in act.fields.get("manner", ()):
                manner = str(value)
                if act.verb not in manner:
                    self._chinese(manner, ("manner", manner))
                english = gloss.manner(manner)
                if english != manner:
                    for said in (english, plain(english), english.removeprefix("with the ")):
                        self._latin(said, ("manner", manner), False)
                self._join({"verb": act.verb, "manner": manner}, sounds)
                if manner == "答":
                    for word, times in (_TIMES | _NUMBERS).items():
                        self._chinese(
                            f"答{word}{act.verb}", ("joined", {"verb": act.verb, "manner": "答", "times": times})
                        )
            for thing in act.fields.get("object", ()):
                if "{" not in str(thing):
                    self._join({"verb": act.verb, "object": str(thing)}, sounds)

    def _join(self, joined: Mapping[str, Any], sounds: Mapping[str, str]) -> None:
        word = written(joined)
        if ("verb", word) in self.chinese.get(word, ()):
            return
        self._chinese(word, ("joined", dict(joined)))
        if all(c in sounds for c in word):
            self._latin(" ".join(sounds[c] for c in word), ("joined", dict(joined)), True)

    def _add(self, word: str, token: Token, pinyin: str, english: Iterable[str]) -> None:
        self._chinese(word, token)
        if pinyin:
            self._latin(pinyin, token, True)
        for phrase in english:
            if phrase and len(phrase) < _LONGEST_ENGLISH and phrase.isascii():
                self._latin(phrase, token, False)

    def _chinese(self, word: str, token: Token) -> None:
        meanings = self.chinese.setdefault(word.translate(_SIMPLE), [])
        if token not in meanings:
            meanings.append(token)

    def _latin(self, spelled: str, token: Token, pinyin: bool) -> None:
        text, marks = sounded("".join(spelled.split()))
        word = text.replace(" ", "")
        meanings = self.latin.setdefault(word, [])
        if token not in meanings:
            meanings.append(token)
            self.tones.setdefault(word, []).append(marks if pinyin else None)


def _called(en: str) -> tuple[str, ...]:
    """What a person can be called in English: director of archery or director, host's helper or helper."""
    name = plain(en)
    short = name.split(" of ")[0].split("'s ")[-1]
    names = (name,) if "archer of" in name or "guests beyond" in name else tuple(dict.fromkeys((name, short)))
    return (*names, f"{name}'s")


def _graphs(words: Vocabulary) -> dict[str, str]:
    """The sound of each graph, from the words that have one syllable a graph; those of verbs go before."""
    sounds = dict(_SOUNDS)
    spelled: list[tuple[str, str]] = [(v.id, v.pinyin) for v in words.verbs.values()]
    spelled += [(t.kind, t.pinyin) for t in words.things.values()]
    spelled += [(p.id, p.pinyin) for p in words.places.values()]
    for word, pinyin in spelled:
        syllables = pinyin.split()
        if len(syllables) == len(word):
            for graph, syllable in zip(word, syllables, strict=True):
                sounds.setdefault(graph, syllable)
    return sounds


def _agrees(tones: Marks, typed: Marks, digits: Marks) -> bool:
    """Whether a word has the tone marks typed, and before each tone digit that tone (5 is none)."""
    if any(tones.get(at) != tone for at, tone in typed.items()):
        return False
    start = 0
    for end, tone in sorted(digits.items()):
        found = [t for at, t in tones.items() if start <= at < end]
        if (found[-1:] or [5]) != [tone]:
            return False
        start = end
    return True


__all__ = ["Lexicon", "Marks", "Token", "folded", "sounded", "written"]
