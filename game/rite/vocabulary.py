"""Reads ``data/vocabulary`` and a scenario into the words and the people of one session."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from game.core.vocabulary import Name, Person, Place, Roster, Thing, Verb, Vocabulary
from game.rite.schema import convert
from game.rite.yaml_cache import load_cached
from game.rite.yaml_strict import DataError, Record, load_yaml


class _Word(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    id: str
    pinyin: str = ""
    en: str = ""
    note: str = ""
    clauses: list[str] = []


class VerbSpec(_Word, kw_only=True):
    effect: str
    family: str = ""
    carries: bool = False


class PlaceSpec(_Word, kw_only=True):
    level: str
    region: str
    x: float
    y: float
    per: str = ""
    y_in: dict[str, float] = {}
    """``y`` in another kind of hall."""


class ThingSpec(_Word, kw_only=True):
    at: str
    number: int = 0
    each_pair: int = 0
    """At least so many for each pair that shoots, and for one pair more."""
    per: str = ""
    kind: str = ""
    hall: str = ""
    """The only kind of hall in which the thing is used; empty for both."""


class PersonSpec(_Word, kw_only=True):
    at: str
    facing: str
    number: int = 0
    count: str = ""
    one: str = ""
    """English of one of a numbered kind, before the number."""
    side: str = ""
    dress: list[str] = []


class GroupSpec(_Word, kw_only=True):
    members: list[str] = []
    rest: str = ""
    beyond: int = 0
    if_: str = msgspec.field(default="", name="if")


class PairSpec(_Word, kw_only=True):
    upper: str = msgspec.field(name="上射")
    lower: str = msgspec.field(name="下射")


class NameSpec(_Word, kw_only=True):
    """A group or a pair whose members the program or the scenario settles."""


def _records(path: Path, spec: type[Any]) -> list[tuple[str, Any]]:
    """(``file:line``, record) of each record of a file."""
    records = load_cached(path)
    if not isinstance(records, list):
        raise DataError(f"{path.name}:1: must be a list of records")
    return [(r.where if isinstance(r, Record) else f"{path.name}:1", convert(r, spec)) for r in records]


class _Taken:
    """Which ids a file has given away, and where."""

    def __init__(self) -> None:
        self.at: dict[str, str] = {}

    def take(self, word: str, where: str) -> str:
        """The id itself; DataError if another record has it."""
        if word in self.at:
            raise DataError(f"{where}: id {word} is taken at {self.at[word]}; choose another, or remove one")
        self.at[word] = where
        return word


def load_words(folder: Path, roster: Roster, hall: str) -> tuple[dict[str, Verb], dict[str, Place], dict[str, Thing]]:
    """Verbs, places and things by id: one place or thing a member where a record says ``per``. ``hall`` is 序 or 庠."""
    verbs: dict[str, Verb] = {}
    taken = _Taken()
    for where, v in _records(folder / "verbs.yaml", VerbSpec):
        verbs[taken.take(v.id, where)] = Verb(v.id, v.effect, v.family, v.carries, v.pinyin, v.en)
    places: dict[str, Place] = {}
    taken = _Taken()
    for where, p in _records(folder / "places.yaml", PlaceSpec):
        members = roster.groups.get(p.per, ()) if p.per else ("",)
        for n, member in enumerate(members):
            place = taken.take(member + p.id, where)
            y = p.y_in.get(hall, p.y)
            places[place] = Place(place, p.level, p.region, p.x + 3 * n, y, tuple(p.clauses), p.pinyin, p.en)
    things: dict[str, Thing] = {}
    taken = _Taken()
    for where, t in _records(folder / "things.yaml", ThingSpec):
        if t.hall and t.hall != hall:
            continue
        if t.per:
            ids = [f"{t.id}:{m}" for m in roster.groups.get(t.per, ())]
        else:
            many = max(t.number, t.each_pair * (len(roster.pairs) + 1))
            ids = [f"{t.id}{i + 1}" for i in range(many)] if many else [t.id]
        for thing in ids:
            word = t.kind if t.kind and not t.kind.isascii() else t.id
            things[taken.take(thing, where)] = Thing(
                thing, word, t.at, t.kind == "cup", tuple(t.clauses), t.pinyin, t.en
            )
    return verbs, places, things


def load_roster(folder: Path, options: Mapping[str, Any]) -> Roster:
    """Everybody of a scenario. ``options`` gives the numbers (众宾: 5) and who archers beyond the three pairs are."""
    record = load_cached(folder / "persons.yaml")
    persons: list[Person] = []
    groups: dict[str, tuple[str, ...]] = {}
    names: dict[str, Name] = {}
    taken = _Taken()
    for raw in record["persons"]:
        spec = convert(raw, PersonSpec)
        taken.take(spec.id, raw.where)
        numbered = bool(spec.count or spec.number)
        many = int(options.get(spec.count, 0)) if spec.count else spec.number
        ids = [f"{spec.id}{i + 1}" for i in range(many)] if numbered else [spec.id]
        for n, one in enumerate(ids):
            if numbered:
                taken.take(one, raw.where)
            en = f"{spec.one} {n + 1}" if numbered and spec.one else spec.en
            dress, clauses = tuple(spec.dress), tuple(spec.clauses)
            persons.append(Person(one, spec.id, spec.at, spec.facing, spec.side, dress, clauses, spec.pinyin, en))
        if numbered:
            groups[spec.id] = tuple(ids)
            names[spec.id] = Name(spec.pinyin, spec.en)
    known = {p.id for p in persons}
    for raw in record.get("groups", []):
        group = convert(raw, GroupSpec)
        names[taken.take(group.id, raw.where)] = Name(group.pinyin, group.en)
        if group.if_ and not options.get(group.if_):
            groups[group.id] = ()
        elif group.rest:
            groups[group.id] = groups[group.rest][group.beyond :]
        else:
            groups[group.id] = tuple(m for m in group.members if m in known)
    pairs: dict[str, dict[str, str]] = {}
    for raw in record.get("pairs", []):
        pair = convert(raw, PairSpec)
        names[taken.take(pair.id, raw.where)] = Name(pair.pinyin, pair.en)
        pairs[pair.id] = {"上射": pair.upper, "下射": pair.lower}
    for raw in record.get("named", []):
        named = convert(raw, NameSpec)
        names[taken.take(named.id, raw.where)] = Name(named.pinyin, named.en)
    _pair_off(options, pairs, groups, names)
    for pair_id, archers in pairs.items():
        for half, archer in archers.items():
            if archer not in known:
                persons.append(_archer(archer, half, names.get(pair_id, Name())))
                known.add(archer)
    return Roster(tuple(persons), groups, pairs, names)


_ROW = 5
"""How many further pairs find room in the row that faces S, W of the hall; the text gives no number (P23.026)."""


def _pair_off(
    options: Mapping[str, Any],
    pairs: dict[str, dict[str, str]],
    groups: dict[str, tuple[str, ...]],
    names: dict[str, Name],
) -> None:
    """The pairs of a scenario, and the groups of pairs."""
    added: dict[str, list[dict[str, str]]] = {
        "众耦": [dict(p) for p in options.get("众耦", [])],
        "大夫耦": [{"上射": p, "下射": f"大夫{n + 1}"} for n, p in enumerate(options.get("大夫耦", []))],
    }
    groups["三耦"] = tuple(p for p in pairs if p in ("上耦", "次耦", "下耦"))
    groups["后耦"] = groups["三耦"][1:]
    for group, further in added.items():
        kind = names.get(group, Name())
        for n, archers in enumerate(further):
            pairs[f"{group}{n + 1}"] = {"上射": archers["上射"], "下射": archers["下射"]}
            en = kind.en.removeprefix("the ").removesuffix("s")
            names[f"{group}{n + 1}"] = Name(f"{kind.pinyin}{n + 1}" if kind.pinyin else "", f"{en} {n + 1}".strip())
        groups[group] = tuple(p for p in pairs if p.startswith(group))
    if options.get("宾射") and options.get("主人射"):
        pairs["宾主耦"] = {"上射": "宾", "下射": "主人"}
    shooting = [*groups["三耦"], *(p for p in pairs if p == "宾主耦"), *groups["大夫耦"], *groups["众耦"]]
    groups["末耦"] = tuple(shooting[-1:])
    groups["众射者"] = tuple(
        archer for p in shooting if p not in ("上耦", "次耦", "下耦", "宾主耦") for archer in pairs[p].values()
    )
    groups["东面耦"] = groups["众耦"][_ROW:]
    groups["众上射"] = tuple(archers["上射"] for archers in pairs.values())


def _archer(archer: str, half: str, pair: Name) -> Person:
    """One who is in no list of persons: an archer of a pair."""
    en = f"the {'upper' if half == '上射' else 'lower'} archer of {pair.en}" if pair.en else "an archer"
    sound = {"上射": "shàng shè", "下射": "xià shè"}[half]
    pinyin = f"{pair.pinyin} {sound}" if pair.pinyin and archer.endswith(half) else ""
    return Person(archer, archer, "堂西", "南", "西", (), ("P53.001",), pinyin, en)


def _gear(archer: str) -> dict[str, Thing]:
    """Bow and four arrows of an archer whom only a scenario makes one, where the gear is before P15."""
    bow = f"{archer}之弓"
    arrows = [f"{archer}之矢{n}" for n in (1, 2, 3, 4)]
    return {bow: Thing(bow, "弓", "门外西"), **{arrow: Thing(arrow, "矢", "门外西") for arrow in arrows}}


def make_vocabulary(folder: Path, options: Mapping[str, Any]) -> Vocabulary:
    """All words for one scenario."""
    roster = load_roster(folder, options)
    verbs, places, things = load_words(folder, roster, str(options.get("堂", "序")))
    for person in roster.persons:
        if person.id in roster.pair_of and f"{person.id}之弓" not in things:
            things |= _gear(person.id)
    order = {p.id: n for n, p in enumerate(roster.persons)}
    return Vocabulary(verbs, places, things, roster, order, load_said(folder / "said.yaml"))


class SaidSpec(msgspec.Struct, forbid_unknown_fields=True):
    """Words that no step asks for."""

    manner: list[str] = []
    via: list[str] = []


def load_said(path: Path) -> dict[str, frozenset[str]]:
    """Field → words that one may say there though no step asks for them."""
    spec = convert(load_cached(path), SaidSpec)
    return {"manner": frozenset(spec.manner), "via": frozenset(spec.via)}


def setting_clauses(folder: Path) -> dict[str, list[str]]:
    """clause id → places, things, persons and groups that cite it."""
    cited: dict[str, list[str]] = {}

    def note(record: Record) -> None:
        for clause in record.get("clauses", []):
            cited.setdefault(clause, []).append(record["id"])

    for name in ("places", "things", "verbs"):
        for record in load_yaml(folder / f"{name}.yaml"):
            note(record)
    people = load_yaml(folder / "persons.yaml")
    for part in ("persons", "groups", "pairs"):
        for record in people.get(part, []):
            note(record)
    return cited
