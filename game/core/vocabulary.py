"""The words that the rite is written in: verbs, places, things, and who takes part."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

FACINGS = ("北", "南", "东", "西", "东北", "东南", "西北", "西南")
POSTURES = ("立", "坐", "行")
HANDS = ("左", "右", "两", "挟", "带")
"""Where a person carries things: left, right, both hands, across the string, in the belt."""


@dataclass(frozen=True, slots=True)
class Verb:
    """A ritual act as the text names it; ``effect`` is what it does to the world."""

    id: str
    effect: str
    family: str = ""
    carries: bool = False
    """True if it is heard or seen from every region (voice, flag, raised bow)."""
    pinyin: str = ""
    en: str = ""


@dataclass(frozen=True, slots=True)
class Place:
    """Where one can be or put something; ``x`` east and ``y`` north in 尺 from the middle of the hall's front edge."""

    id: str
    level: str
    region: str
    x: float
    y: float
    clauses: tuple[str, ...] = ()
    pinyin: str = ""
    en: str = ""


@dataclass(frozen=True, slots=True)
class Thing:
    """One thing that is somewhere: ``kind`` is the word of the text (爵), ``id`` the very one (爵1)."""

    id: str
    kind: str
    at: str
    cup: bool = False
    clauses: tuple[str, ...] = ()
    pinyin: str = ""
    en: str = ""


@dataclass(frozen=True, slots=True)
class Person:
    """One who takes part; ``kind`` is the numbered kind (众宾 of 众宾3) or the id itself."""

    id: str
    kind: str
    at: str
    facing: str
    side: str = ""
    dress: tuple[str, ...] = ()
    clauses: tuple[str, ...] = ()
    pinyin: str = ""
    en: str = ""


@dataclass(frozen=True, slots=True)
class Name:
    """How a group or a pair sounds, and what it is in English."""

    pinyin: str = ""
    en: str = ""


def together(name: str) -> tuple[str, ...]:
    """Those whom one word names together: 三耦及众宾 are 三耦 and 众宾."""
    return tuple(name.split("及"))


@dataclass(frozen=True, slots=True)
class Roster:
    """Everybody of one scenario, in order, with the groups and pairs that loops run over."""

    persons: tuple[Person, ...]
    groups: Mapping[str, tuple[str, ...]]
    pairs: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    names: Mapping[str, Name] = field(default_factory=dict)
    """Of groups and pairs; those without a name in the vocabulary are left out."""
    pair_of: Mapping[str, tuple[str, str]] = field(init=False, repr=False, compare=False)
    """Archer → (his pair, 上射 or 下射)."""

    def __post_init__(self) -> None:
        found = {archer: (pair, role) for pair, archers in self.pairs.items() for role, archer in archers.items()}
        object.__setattr__(self, "pair_of", found)

    def members(self, group: str) -> tuple[str, ...]:
        """The members of a group, the two archers of a pair (upper first), or the person named."""
        if group in self.groups:
            return self.groups[group]
        if len(together(group)) > 1:
            return tuple(dict.fromkeys(m for part in together(group) for m in self.members(part)))
        if group in self.pairs:
            return tuple(self.pairs[group].values())
        return (group,)


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """All words by id."""

    verbs: Mapping[str, Verb]
    places: Mapping[str, Place]
    things: Mapping[str, Thing]
    roster: Roster
    order: Mapping[str, int]
    """Position of each person in the roster."""
    said_of: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """Field (manner, via) → words that one may say there though no step asks for them."""
