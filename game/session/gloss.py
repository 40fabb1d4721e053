"""English for the words of the rite: names, and whole acts in a few words. Where there is no gloss the word stays.

What is said of an act can be typed again (see ``notation``): a verb stays in one piece, and what goes with it after it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cached_property
from typing import Any

from game.core.vocabulary import Vocabulary, together

FACINGS = {"北": "N", "南": "S", "东": "E", "西": "W", "东北": "NE", "东南": "SE", "西北": "NW", "西南": "SW"}
QUARTERS = {
    "北": "north", "南": "south", "东": "east", "西": "west",
    "东北": "north-east", "东南": "south-east", "西北": "north-west", "西南": "south-west",
}  # fmt: skip
POSTURES = {"立": "standing", "坐": "kneeling", "行": "walking"}
HANDS = {
    "左": "in the left hand",
    "右": "in the right hand",
    "两": "in both hands",
    "挟": "across the string",
    "带": "in the belt",
}
OFFICES = {"司正": "the overseer", "司马": "the marshal"}
_WITH = {"左": "with the left hand", "右": "with the right hand", "两": "with both hands"}
_DRESS = {
    "朝服": "court dress",
    "袒": "arm bared",
    "决": "ring",
    "遂": "armguard",
    "拾": "armguard",
    "决遂": "ring and armguard",
}
_HAPPENINGS = {
    "羹定": "the broth is done", "及门": "guest and company are at the gate", "明日": "the next day",
    "陔作": "the Gai is played",
}  # fmt: skip
_FOOD = {"酒": "wine", "脯醢": "dried meat and sauce", "俎": "plate"}
_MANNERS = {
    "答": "in answer", "拜迎": "in welcome", "拜辱": "for the honour", "拜许": "for the consent", "拜送": "on sending",
    "拜至": "for the arrival", "拜洗": "for the washing", "拜受": "before receiving", "既爵": "with the cup emptied",
    "崇酒": "for honouring the wine", "奠觯": "with the zhi set down", "旅拜": "all together",
    "礼辞": "once for form", "固辞": "a second time", "终辞": "for good", "辞降": "the coming down",
    "辞洗": "the washing", "告旨": "in praise of the wine", "请安": "to be at ease",
    "稽首": "with the head to the ground", "顿首": "with the head knocked on the ground",
    "奠爵": "with the jue set down", "尚左手": "with the left hand above", "少立": "for a while",
    "俟": "and wait", "共而俟": "and wait with hands folded", "左足": "with the left foot",
    "右足": "with the right foot", "右执弦": "with the right hand on the string", "三等": "as far as the third step",
    "中等": "as far as the middle step", "一等": "as far as the first step", "少左": "a little to the left",
    "少右": "a little to the right", "箫": "by its tip", "弣": "by its grip", "声不绝": "with unbroken voice",
    "不声": "without a sound", "宫": "on the note gong", "商": "on the note shang", "缩": "lengthwise",
    "横": "crosswise", "贤获": "of the better side", "以纯数": "by pairs", "曰奇": "that there is an odd one",
    "却左手": "with the left palm up", "却右手": "with the right palm up",
    "覆左手": "with the left palm down", "覆右手": "with the right palm down",
    "中掩": "with the middle covered", "立": "standing", "坐": "kneeling",
    "北括": "with the nocks northward",
    "面鼓": "with the played end in front", "内弦": "with the strings inward",
    "关雎": "Guan ju", "葛覃": "Ge tan", "卷耳": "Juan er", "鹊巢": "Que chao", "采蘩": "Cai fan", "采苹": "Cai pin",
    "驺虞": "the Zouyu", "却手": "with the palm up", "覆手": "with the palm down", "左还": "by the left",
    "诸弣": "against the grip", "诸弦": "along the string", "诸弦弣": "along string and grip", "兼": "all at once",
    "先首": "head first", "执而俟": "holding them and wait", "纁襦": "to the light red jacket",
    "于物": "from the mark", "以茅上握": "with rush, above where the hand holds",
}  # fmt: skip
_PLACES = {
    "众宾堂下位": "the other guests' place below the hall", "宾席西": "the W of the guest's mat",
    "西阶上少右": "the place a little E of the head of the W steps",
    "阼阶东少南": "the place E of the E steps and a little S", "中西北": "the NW of the counter-holder",
    "大夫之右": "the grandee's right", "众宾1席前": "the front of the mat of the first senior guest",
    "众宾2席前": "the front of the mat of the second senior guest",
    "众宾3席前": "the front of the mat of the third senior guest",
    "司射位南": "the S of the director's station", "丰上": "the top of the stand",
    "当楅西": "the western place in line with the rack", "当楅东": "the eastern place in line with the rack",
    "楅南西": "the western place close S of the rack", "楅南东": "the eastern place close S of the rack",
    "楅道南": "the southern way to the rack", "楅道北": "the northern way from the rack",
    "左个西北三步": "the place three paces NW of the left arm", "左个西北荐右": "the right of the flag-man's food",
    "释获者荐右": "the right of the scorer's food",
}  # fmt: skip
"""Where what the vocabulary says of a place is more than its name, or could be read as another's."""
_WAYS = {
    "自阼阶": "by the E steps", "自西阶": "by the W steps", "由楹外": "outside the pillar",
    "由楹内": "inside the pillar", "钩楹内": "round the pillar inside", "由东方": "by the E", "由西方": "by the W",
    "由中西": "W of the counter-holder", "由中东": "E of the counter-holder", "自前": "by the front",
    "自后": "by the back", "自席前": "by the front of the mat", "自北方": "from the N", "自南方": "from the S",
    "自西方": "from the W", "自东方": "from the E", "司马之北": "N of the marshal", "司马之南": "S of the marshal",
    "司射之北": "N of the director", "司射之南": "S of the director", "出于其位北": "N of his own station",
    "出于其位南": "S of his own station", "下射之北": "N of the lower archer", "下射之南": "S of the lower archer",
    "右物之后": "behind the right mark", "左物之后": "behind the left mark", "左物之南": "S of the left mark",
    "上射之后": "behind the upper archer", "下射之后": "behind the lower archer", "堂下": "below the hall",
}  # fmt: skip
_SHORT = {"揖": "salute", "适": "go", "奉": "bear"}
APART = {
    "祭": ("offer", "in sacrifice"), "搢": ("tuck", "in the belt"), "合乐": ("play", "in concert"),
    "何": ("carry", "on the shoulder"), "酢": ("offer", "in return"),
    "厌": ("salute", "with hands drawn in"), "相祭": ("help", "at the offering"), "送": ("see", "off"),
}  # fmt: skip
"""Verbs of which what they are done with or to stands in the middle: offer the wine in sacrifice."""
_TAKEN_UP = {"执": "take up", "执弓": "take up the bow"}
"""What one holds is taken up where it is said from where."""
_TOWARDS = frozenset(("戒", "速", "请", "送", "迎", "从", "作", "命", "视", "比", "挞", "揖", "酬"))
"""Verbs that have the person addressed as their object: meet the host."""
_COUNTABLE = {"矢": "one arrow", "筭": "counters"}
_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_HEAD = re.compile(r"[,;:]| of | on | in | for | with | over ")
_NOUNS = (("before ", "the front of "), ("below ", "the foot of "), ("at ", ""), ("still ", ""))
_QUARTER = re.compile("the (?=(?:[NS][EW]?|[EW]) of )")
"""Of places that are a quarter of another: N of the basin."""
_SAYS_WHERE = re.compile("(?:among|between|inside|level with|off|on|opposite|outside|in) ")
"""Places that need no preposition."""


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

    def __init__(self, words: Vocabulary, offices: Mapping[str, str] | None = None) -> None:
        """``offices``: person → the office that he has at this moment, by which he is then called."""
        self.words = words
        self.offices: Mapping[str, str] = {} if offices is None else offices
        self.people = {p.id: p.en for p in words.roster.persons if p.en}
        self.people |= {name: n.en for name, n in words.roster.names.items() if n.en}
        self.kinds = _kinds(words)

    def person(self, name: str) -> str:
        """A person by his office if he has one, a group, or several joined by 及."""
        return " and ".join(self._called(p) for p in together(name))

    def _called(self, name: str) -> str:
        office = self.offices.get(name, name)
        return OFFICES.get(office) or self.people.get(name) or self.thing(name)

    def office(self, name: str) -> str:
        """An office."""
        return OFFICES.get(name, name)

    def in_full(self, name: str) -> str:
        """A person by his office, with himself in brackets."""
        called, himself = self._called(name), self.people.get(name, name)
        return called if called == himself else f"{called} ({plain(himself)})"

    def place(self, name: str) -> str:
        """A place, without what the vocabulary adds to explain it; one with a person's name is his."""
        if name in _PLACES:
            return _PLACES[name]
        found = self.words.places.get(name)
        if found is None or not found.en:
            return self.people.get(name) or self.kinds.get(name) or name
        en = re.split("[,;:]", re.sub(r" ?\([^)]*\)", "", found.en))[0].strip()
        owner = name.rstrip("席前荐西俎束矢")
        en = en.replace("a grandee", self.people[owner]) if owner in self.people else en
        for word, letter in (("north", "N"), ("south", "S"), ("east", "E"), ("west", "W")):
            en = re.sub(rf"\b{word}\b", letter, en)
        for said, noun in _NOUNS:
            if en.startswith(said):
                en = noun + en.removeprefix(said)
        return en if _SAYS_WHERE.match(en) or re.match(r"the |\S+( \d+)?'s ", en) else f"the {en}"

    def at(self, name: str) -> str:
        """Being at a place: at the basin, inside the gate."""
        place = self.place(name)
        if _QUARTER.match(place):
            return place.removeprefix("the ")
        return place if _SAYS_WHERE.match(place) else f"at {place}"

    def thing(self, kind: str) -> str:
        """A kind of thing, without article; a thing by its id is its kind."""
        found = self.words.things.get(kind)
        word = found.kind if found else kind
        return _FOOD.get(word) or self.kinds.get(word) or word

    def things(self, kind: str, number: str = "") -> str:
        """So many of a kind: the jue cup, an arrow, three arrows."""
        en = self.thing(kind)
        if number.isdecimal() and int(number) > 1:
            return f"{_NUMBERS[int(number)] if int(number) < len(_NUMBERS) else number} {en}s"
        word = self.words.things[kind].kind if kind in self.words.things else kind
        if word in _COUNTABLE:
            return f"one {en}" if number else _COUNTABLE[word]
        return f"the {en}"

    def facing(self, name: str) -> str:
        """N, SE …"""
        return FACINGS.get(name, name)

    def manner(self, name: str) -> str:
        """In what manner."""
        return _MANNERS.get(name, name)

    def way(self, name: str) -> str:
        """By what way somebody goes."""
        return _WAYS.get(name) or self.manner(name)

    def dress(self, name: str) -> str:
        """A piece of dress."""
        return _DRESS.get(name, name)

    def happening(self, name: str) -> str:
        """What comes about by itself."""
        return _HAPPENINGS.get(name, name)

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
        if name in self.words.verbs:
            return self.verb(name)
        return self.person(name) if name not in _MANNERS else self.manner(name)

    def act(self, act: Mapping[str, Any], at: bool = True) -> str:
        """One act in a few words. The place is said where the act goes there, else only with ``at``."""
        verb = str(act["verb"])
        found = self.words.verbs.get(verb)
        goes = found is not None and found.effect == "go"
        done = _SHORT.get(verb) or self.verb(verb)
        thing, to, place = first(act, "object"), first(act, "to"), first(act, "at")
        times, manner = first(act, "times"), first(act, "manner")
        source, into, facing = first(act, "from"), first(act, "into"), first(act, "facing")
        hand = first(act, "hand")
        if to and (to == thing or verb.endswith(to)):
            to = ""
        how = self.manner(manner) if manner else ""
        whom = self._whom(verb, to) if to else ""
        if source:
            done = _TAKEN_UP.get(verb, done)
        if verb == "升席" and self.place(place).endswith("mat"):
            done = done.removesuffix(" the mat")
        said = self._with_thing(done, verb, thing, first(act, "count"), into)
        if verb == "席" and into:
            said, into = f"spread {self.place(into)}", ""
        elif verb in APART and (thing or how or whom):
            said, how, whom = self._apart(verb, said.removeprefix(done).strip(), how, whom)
        elif verb == "辞" and manner in ("辞洗", "辞降") and whom:
            said, how, whom = f"{done} {self.person(to)}'s {plain(how)}", "", ""
        elif verb == "酬" and to:
            said, whom = f"{done} {whom}" + (f" with {self.things(thing)}" if thing else ""), ""
        elif verb == "相工" and whom:
            said, whom = f"guide {self.person(to)}", ""
        one_hand = _WITH.get(hand, "") if "both hands" not in said else ""
        parts = [
            said,
            {"": "", "1": "", "2": "twice", "3": "three times"}.get(times, f"{times} times"),
            how if verb == "辞" else "",
            whom,
            how if verb != "辞" and not goes and not one_hand else "",
            self._from(source) if source else "",
            self._into(into, verb, thing) if into else "",
            self._towards(done, place) if place and goes else "",
            how if goes else "",
            one_hand,
            f", {how.removeprefix('with the ')}" if how and verb != "辞" and one_hand and not goes else "",
        ]
        words = " ".join(p for p in parts if p).replace(" ,", ",")
        words += f", facing {self.facing(facing)}" if facing else ""
        there = place in (source, into, first(act, "into")) or (bool(place) and self.place(place) in done)
        return f"{self.at(place)}, {words}" if place and at and not goes and not there else words

    @staticmethod
    def _apart(verb: str, thing: str, how: str, whom: str) -> tuple[str, str, str]:
        """A verb that stands apart with what comes in its middle, and what is still to be said of how and to whom."""
        head, tail = APART[verb]
        if thing:
            return f"{head} {thing} {tail}", how, whom
        if whom:
            return f"{head} {whom.removeprefix('to ')} {tail}", how, ""
        return f"{head} {how} {tail}", "", whom

    def _whom(self, verb: str, to: str) -> str:
        """The person addressed, as the verb has him."""
        if to in self.words.things:
            return f"towards the {self.thing(to)}"
        if verb in _TOWARDS:
            return self.person(to)
        return f"{'from' if verb == '受命' else 'to'} {self.person(to)}"

    def _with_thing(self, done: str, verb: str, thing: str, number: str, into: str) -> str:
        """A verb with its thing, unless the verb names it already."""
        if not thing or set(self.thing(thing).split()) & set(done.split()):
            return done
        if self._belongs(into, thing):
            return f"{done} {self.place(into)}"
        return f"{done} {self.things(thing, number)}"

    def _belongs(self, into: str, thing: str) -> bool:
        """Whether a place is that which a thing makes: the basket's, the mat's."""
        return bool(into and thing) and self.place(into).endswith(self.thing(thing).split()[-1])

    def _from(self, name: str) -> str:
        place = self.place(name) if name in self.words.places else self.person(name)
        return f"from {place}"

    def _into(self, name: str, verb: str, thing: str) -> str:
        place = self.place(name)
        if verb != "席" and self._belongs(name, thing):
            return ""
        if verb == "实":
            return f"into {place}"
        if _SAYS_WHERE.match(place) or _QUARTER.match(place):
            return self.at(name)
        if verb == "加":
            return f"to {place}"
        return f"{'in' if re.fullmatch('the [^ ]+ ?(?:basket|room)|the counter-holder', place) else 'at'} {place}"

    def _towards(self, done: str, name: str) -> str:
        """Whither a walk leads."""
        place = self.place(name)
        if done.endswith("place"):
            return self.at(name)
        if _SAYS_WHERE.match(place):
            # «go in inside the gate»: the verb has said half of it.
            return f", {place}" if done.split()[-1] in ("in", "out", "mat") else place
        return place if done.endswith((" to", " onto")) else f"to {place}"


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
