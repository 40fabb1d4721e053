"""Typed notation: «西阶上 北面 再拜 主人», «坐奠爵兴», «bow twice to host» → acts.

Words come from the vocabulary and from what the rite itself joins (辞洗, 拜送); nothing typed is ever evaluated.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from game.core.choreography import Act, Rite
from game.core.ruling import Refusal
from game.core.vocabulary import FACINGS, Vocabulary

Token = tuple[str, Any]
"""(kind, value): kind is verb, joined, place, thing, person, facing, times, hand, word."""

LONGEST_LINE = 500
"""More than any phrase of the text, and little enough to be read at once."""
_SIMPLE = str.maketrans(
    "荅賓衆眾階東觶奠爵讓辭對許請謝興厭揖獻酬實執弓張說決襲獲釋馬長釁進適還堂門內外樂縣幣設薦醢席徹絕祭啐飲從轉"
    "諾戒請迎銘數筭楹間後負揚舉鼓與個羣鄉禮錄諸侯闌級氣兩邊北南西視發挾搢偃獻縱橫純贊當",
    "答宾众众阶东觯奠爵让辞对许请谢兴厌揖献酬实执弓张说决袭获释马长衅进适还堂门内外乐县币设荐醢席彻绝祭啐饮从转"
    "诺戒请迎铭数筭楹间后负扬举鼓与个群乡礼录诸侯阑级气两边北南西视发挟搢偃献纵横纯赞当",
)
_FACING_SOUNDS = ("bei", "nan", "dong", "xi", "dongbei", "dongnan", "xibei", "xinan")
_HANDLING = ("奠", "取", "执", "受", "授", "卒", "饮", "实")
_TIMES = {"再": 2, "三": 3, "壹": 1, "一": 1, "两": 2, "二": 2, "四": 4}
_ENGLISH_VERBS = {
    "拜": ("bow",), "揖": ("salute",), "厌": ("draw in",), "让": ("yield",), "辞": ("decline",),
    "对": ("reply", "answer"),
    "坐": ("kneel", "sit"), "兴": ("rise", "stand up"), "适": ("go", "go to"), "进": ("advance",), "退": ("withdraw",),
    "升": ("go up", "ascend"), "降": ("go down", "descend"), "入": ("enter", "go in"), "出": ("leave", "go out"),
    "洗": ("wash",), "盥": ("rinse",), "实": ("fill",), "饮": ("drink",), "卒": ("drain",), "取": ("take",),
    "奠": ("set down", "put"), "受": ("receive",), "献": ("offer",), "授": ("give", "hand over"), "执": ("hold",),
    "立": ("stand",), "发": ("shoot", "loose"), "挟": ("nock",), "搢": ("tuck",), "袒": ("bare",), "袭": ("cover",),
}  # fmt: skip
_ENGLISH_WORDS: dict[str, Token] = {
    "once": ("times", 1), "twice": ("times", 2), "thrice": ("times", 3), "two": ("times", 2), "three": ("times", 3),
    "host": ("person", "主人"), "guest": ("person", "宾"), "left": ("hand", "左"), "right": ("hand", "右"),
    "north": ("facing", "北"), "south": ("facing", "南"), "east": ("facing", "东"), "west": ("facing", "西"),
    "n": ("facing", "北"), "s": ("facing", "南"), "e": ("facing", "东"), "w": ("facing", "西"),
    "ne": ("facing", "东北"), "se": ("facing", "东南"), "nw": ("facing", "西北"), "sw": ("facing", "西南"),
    "northeast": ("facing", "东北"), "southeast": ("facing", "东南"), "northwest": ("facing", "西北"),
    "southwest": ("facing", "西南"), "at": ("word", "于"), "in": ("word", "于"), "into": ("word", "于"),
    "from": ("word", "自"), "to": ("word", "向"), "towards": ("word", "向"), "facing": ("word", ""),
    "the": ("word", ""),
    "times": ("word", ""), "and": ("word", ""), "then": ("word", ""), "cup": ("thing", "爵"), "a": ("word", ""),
}  # fmt: skip
_WORDS = {
    "于": "于",
    "向": "向",
    "自": "自",
    "遂": "",
    "以": "",
    "而": "",
    "乃": "",
    "其": "",
    "之": "",
    "皆": "",
    "面": "",
}


def folded(line: str) -> str:
    """NFKC, lower case, simplified graphs, punctuation as spaces, tone marks removed."""
    text = unicodedata.normalize("NFKC", line).lower().translate(_SIMPLE)
    text = "".join(c for c in unicodedata.normalize("NFD", text) if not unicodedata.combining(c))
    text = unicodedata.normalize("NFC", text)
    return "".join(c if c.isalnum() else " " for c in text)


@dataclass
class Lexicon:
    """What can be typed: Chinese words by their graphs, Latin words by their letters; each with all it may mean."""

    chinese: dict[str, list[Token]] = field(default_factory=dict)
    latin: dict[str, list[Token]] = field(default_factory=dict)
    goings: frozenset[str] = frozenset()
    longest: int = 1

    @classmethod
    def of(cls, words: Vocabulary, rite: Rite) -> Lexicon:
        """The lexicon of one scenario."""
        lexicon = cls(goings=frozenset(v.id for v in words.verbs.values() if v.effect == "go"))
        for verb in words.verbs.values():
            lexicon._add(verb.id, ("verb", verb.id), verb.pinyin, _ENGLISH_VERBS.get(verb.id, (verb.en,)))
        for place in words.places.values():
            short = place.en.split(",")[0].split(";")[0].split(":")[0].strip()
            lexicon._add(place.id, ("place", place.id), place.pinyin, (short,))
        for thing in words.things.values():
            lexicon._add(thing.kind, ("thing", thing.kind), thing.pinyin if thing.id.startswith(thing.kind) else "", ())
        for kind in ("酒", "肺", "脯醢"):
            lexicon._add(kind, ("thing", kind), "", ())
        for person in words.roster.persons:
            pinyin = person.pinyin + person.id[len(person.kind) :] if person.pinyin else ""
            lexicon._add(person.id, ("person", person.id), pinyin, ())
        for group in (*words.roster.groups, *words.roster.pairs):
            if group not in words.verbs:
                lexicon._add(group, ("person", group), "", ())
        for facing in FACINGS:
            lexicon._add(facing + "面", ("facing", facing), "", ())
            lexicon._add("面" + facing, ("facing", facing), "", ())
            lexicon._add(facing, ("facing", facing), "", ())
        for facing, sound in zip(
            FACINGS, ("bei", "nan", "dong", "xi", "dongbei", "dongnan", "xibei", "xinan"), strict=True
        ):
            lexicon._latin(sound + "mian", ("facing", facing))
        lexicon._joined(rite)
        for word, times in _TIMES.items():
            lexicon._chinese(word, ("times", times))
        lexicon._latin("zai", ("times", 2))
        lexicon._latin("san", ("times", 3))
        for hand in ("左", "右"):
            lexicon._chinese(hand, ("hand", hand))
        for word, token in _ENGLISH_WORDS.items():
            lexicon.latin[word] = [token]
        for word, meaning in _WORDS.items():
            if word not in lexicon.chinese:
                lexicon._chinese(word, ("word", meaning))
        lexicon.longest = max(map(len, lexicon.chinese))
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
        """(word, its reading or gloss) that the end of a line may become, in the order of the vocabulary.

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
                        word = value if isinstance(value, str) else "" if kind != "joined" else str(value["verb"])
                        if word and kind not in ("word", "hand"):
                            found.setdefault(word + ("面" if kind == "facing" else ""), spelling)
        else:
            for start in range(len(stem)):
                tail = stem[start:]
                for word in self.chinese:
                    if word.startswith(tail) and word != tail:
                        found.setdefault(stem[:start] + word, "")
                if found:
                    break
        return list(found.items())[:limit]

    def _joined(self, rite: Rite) -> None:
        for act in rite.nodes:
            if not isinstance(act, Act):
                continue
            for manner in act.fields.get("manner", ()):
                text = str(manner)
                fixed = {"verb": act.verb, "manner": text}
                if act.verb not in text:
                    self._chinese(text, ("manner", text))
                if text == "答":
                    self._chinese("答" + act.verb, ("joined", fixed))
                elif act.verb in text:
                    self._chinese(text, ("joined", fixed))
                else:
                    self._chinese(act.verb + text, ("joined", fixed))
            for thing in act.fields.get("object", ()):
                if "{" not in str(thing):
                    self._chinese(act.verb + str(thing), ("joined", {"verb": act.verb, "object": str(thing)}))

    def _add(self, word: str, token: Token, pinyin: str, english: Iterable[str]) -> None:
        self._chinese(word, token)
        if pinyin:
            self._latin(_letters(folded(pinyin)), token)
        for phrase in english:
            if phrase and len(phrase) < 40:
                self._latin(_letters(folded(phrase)), token)

    def _chinese(self, word: str, token: Token) -> None:
        meanings = self.chinese.setdefault(word.translate(_SIMPLE), [])
        if token not in meanings:
            meanings.append(token)

    def _latin(self, word: str, token: Token) -> None:
        meanings = self.latin.setdefault(word, [])
        if token not in meanings:
            meanings.append(token)


def _letters(text: str) -> str:
    return "".join(text.split())


def _tokens(line: str, lexicon: Lexicon) -> Iterator[list[Token] | Refusal]:
    text = folded(line)
    i = 0
    while i < len(text):
        if text[i] == " ":
            i += 1
        elif text[i].isascii():
            i, meanings = _latin_at(text, i, lexicon)
            yield meanings
        else:
            for length in range(min(lexicon.longest, len(text) - i), 0, -1):
                if text[i : i + length] in lexicon.chinese:
                    yield lexicon.chinese[text[i : i + length]]
                    i += length
                    break
            else:
                yield Refusal("unclear", f"不识「{text[i:].strip()}」", f"not understood: {text[i:].strip()}")
                return


def _latin_at(text: str, i: int, lexicon: Lexicon) -> tuple[int, list[Token] | Refusal]:
    ends, end = [], i
    while end < len(text) and (text[end].isascii() or text[end] == " "):
        start = end
        while end < len(text) and text[end].isascii() and text[end] != " ":
            end += 1
        if end > start:
            ends.append(end)
        while end < len(text) and text[end] == " ":
            end += 1
    for stop in reversed(ends[:8]):
        word = _letters(text[i:stop])
        if word.isdecimal() and len(word) < 10:
            return stop, [("times", int(word))]
        if word in lexicon.latin:
            return stop, lexicon.latin[word]
    word = text[i : ends[0]]
    return len(text), Refusal("unclear", f"不识「{word}」", f"not understood: {word}")


def parse(line: str, lexicon: Lexicon) -> list[dict[str, Any]] | Refusal:
    """A typed line as acts in order, with the keys of ``Session.act``; a Refusal says what could not be read."""
    if len(line) > LONGEST_LINE:
        return Refusal("unclear", f"辞太长，至多 {LONGEST_LINE} 字", f"longer than {LONGEST_LINE} characters")
    acts: list[dict[str, Any]] = []
    pending: dict[str, Any] = {}
    preposition = ""
    for meanings in _tokens(line, lexicon):
        if isinstance(meanings, Refusal):
            return meanings
        token = _meant(meanings, acts, pending, preposition, lexicon)
        if isinstance(token, Refusal):
            return token
        kind, value = token
        if kind == "joined" and acts and not pending and _names_the_kind(value, acts[-1]):
            acts[-1]["manner"] = value["manner"]
        elif kind in ("verb", "joined"):
            act = {"verb": value} if kind == "verb" else dict(value)
            acts.append({**act, **pending})
            pending, preposition = {}, ""
        elif kind == "word":
            preposition = value or preposition
        else:
            _attach(kind, value, acts, pending, preposition, lexicon)
            preposition = ""
    if not acts:
        return Refusal("unclear", "未言何事", "no act is named")
    for key, value in pending.items():
        acts[-1].setdefault(key, value)
    return acts


def _names_the_kind(joined: Mapping[str, Any], last: Mapping[str, Any]) -> bool:
    """«再拜（拜送）»: the same verb again only says of what kind the act just named is."""
    return "manner" in joined and joined["verb"] == last["verb"] and not {"manner", "to", "into"} & last.keys()


def _meant(
    meanings: list[Token], acts: list[dict[str, Any]], pending: Mapping[str, Any], preposition: str, lexicon: Lexicon
) -> Token | Refusal:
    """Which of its meanings a word has here: after a preposition a place or person, after a verb what goes with it."""
    if len(meanings) == 1:
        return meanings[0]
    order: tuple[str, ...]
    if preposition == "向":
        order = ("person", "thing", "place")
    elif preposition:
        order = ("place", "thing", "facing")
    elif acts and not pending and acts[-1]["verb"] in lexicon.goings and "at" not in acts[-1]:
        order = ("place", "joined", "verb", "person", "thing")
    elif (
        acts
        and not pending
        and "object" not in acts[-1]
        and acts[-1]["verb"] in ("奠", "取", "执", "受", "授", "卒", "饮", "实")
    ):
        order = ("thing", "person", "joined", "verb", "place")
    else:
        order = ("joined", "verb", "times", "facing", "person", "place", "thing", "hand", "word", "manner")
    for kind in order:
        found = [m for m in meanings if m[0] == kind]
        if len(found) == 1:
            return found[0]
        if found:
            names = tuple(str(m[1]) if m[0] != "joined" else m[1]["verb"] for m in found)
            return Refusal("ambiguous", f"「{'、'.join(names)}」何者？", f"which of {', '.join(names)}?", names)
    return meanings[0]


def _attach(
    kind: str,
    value: Any,
    acts: list[dict[str, Any]],
    pending: dict[str, Any],
    preposition: str,
    lexicon: Lexicon,
) -> None:
    """Put a word with the act it belongs to: what goes with a verb after it, the rest with the next verb."""
    last = acts[-1] if acts else {}
    going = last.get("verb") in lexicon.goings
    slot = {"place": "at", "facing": "facing", "times": "times", "hand": "hand"}.get(kind, "to")
    if last and kind == "thing" and "object" not in last and not preposition:
        last["object"] = value
    elif last and kind == "place" and preposition and not going:
        last["from" if preposition == "自" or last["verb"] in ("取", "执", "受") else "into"] = value
    elif last and kind == "place" and going and "at" not in last:
        last["at"] = value
    elif last and kind == "facing" and going and "at" in last and "facing" not in last:
        last["facing"] = value
    elif last and kind == "manner":
        last["manner"] = value
    elif last and slot == "to" and "to" not in last:
        last["to"] = [value]
    else:
        pending[slot] = [value] if slot == "to" else value


__all__ = ["Lexicon", "folded", "parse"]
