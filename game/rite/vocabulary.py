"""Reads ``data/vocabulary`` and a scenario into the words and the people of one session."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from game.core.vocabulary import Person, Place, Roster, Thing, Verb, Vocabulary
from game.rite.schema import convert
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


class ThingSpec(_Word, kw_only=True):
    at: str
    number: int = 0
    per: str = ""
    kind: str = ""


class PersonSpec(_Word, kw_only=True):
    at: str
    facing: str
    number: int = 0
    count: str = ""
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


def _records(path: Path, spec: type[Any]) -> list[Any]:
    records = load_yaml(path)
    if not isinstance(records, list):
        raise DataError(f"{path.name}:1: must be a list of records")
    return [convert(r, spec) for r in records]


def load_words(folder: Path, roster: Roster) -> tuple[dict[str, Verb], dict[str, Place], list[ThingSpec]]:
    """Verbs and places by id (one place a member where a record says ``per``), and the kinds of things."""
    verbs = {
        v.id: Verb(v.id, v.effect, v.family, v.carries, v.pinyin, v.en)
        for v in _records(folder / "verbs.yaml", VerbSpec)
    }
    places: dict[str, Place] = {}
    for p in _records(folder / "places.yaml", PlaceSpec):
        members = roster.groups.get(p.per, ()) if p.per else ("",)
        for n, member in enumerate(members):
            place = member + p.id
            places[place] = Place(place, p.level, p.region, p.x + 3 * n, p.y, tuple(p.clauses), p.pinyin, p.en)
    return verbs, places, _records(folder / "things.yaml", ThingSpec)


def load_roster(folder: Path, options: Mapping[str, Any]) -> Roster:
    """Everybody of a scenario. ``options`` gives the numbers (众宾: 5) and who archers beyond the three pairs are."""
    record = load_yaml(folder / "persons.yaml")
    persons: list[Person] = []
    groups: dict[str, tuple[str, ...]] = {}
    for raw in record["persons"]:
        spec = convert(raw, PersonSpec)
        count = int(options.get(spec.count, 0)) if spec.count else spec.number
        ids = [f"{spec.id}{i + 1}" for i in range(count)] if spec.count or spec.number else [spec.id]
        persons += [
            Person(
                i,
                spec.id,
                spec.at,
                spec.facing,
                spec.side,
                tuple(spec.dress),
                tuple(spec.clauses),
                spec.pinyin,
                spec.en,
            )
            for i in ids
        ]
        if spec.count or spec.number:
            groups[spec.id] = tuple(ids)
    known = {p.id for p in persons}
    for raw in record.get("groups", []):
        group = convert(raw, GroupSpec)
        if group.if_ and not options.get(group.if_):
            groups[group.id] = ()
        elif group.rest:
            groups[group.id] = groups[group.rest][group.beyond :]
        else:
            groups[group.id] = tuple(m for m in group.members if m in known)
    pairs: dict[str, dict[str, str]] = {}
    for raw in record.get("pairs", []):
        pair = convert(raw, PairSpec)
        pairs[pair.id] = {"上射": pair.upper, "下射": pair.lower}
    further = [dict(p) for p in options.get("众耦", [])]
    for n, pair_record in enumerate(further):
        pairs[f"众耦{n + 1}"] = {"上射": pair_record["上射"], "下射": pair_record["下射"]}
    if "大夫耦" in options:
        for n, partner in enumerate(options["大夫耦"]):
            pairs[f"大夫耦{n + 1}"] = {"上射": partner, "下射": f"大夫{n + 1}"}
    groups["三耦"] = tuple(p for p in pairs if p in ("上耦", "次耦", "下耦"))
    groups["后耦"] = groups["三耦"][1:]
    groups["众耦"] = tuple(p for p in pairs if p.startswith("众耦"))
    groups["大夫耦"] = tuple(p for p in pairs if p.startswith("大夫耦"))
    if options.get("宾射") and options.get("主人射"):
        pairs["宾主耦"] = {"上射": "宾", "下射": "主人"}
    archers = [a for p in pairs.values() for a in p.values()]
    for archer in archers:
        if archer not in known:
            persons.append(Person(archer, archer, "堂西", "南", "西", (), ("P53.001",), "", "an archer"))
            known.add(archer)
    return Roster(tuple(persons), groups, pairs)


def make_vocabulary(folder: Path, options: Mapping[str, Any]) -> Vocabulary:
    """All words for one scenario."""
    roster = load_roster(folder, options)
    verbs, places, kinds = load_words(folder, roster)
    things: dict[str, Thing] = {}
    for kind in kinds:
        if kind.per:
            ids = [f"{kind.id}:{m}" for m in roster.groups.get(kind.per, ())]
        elif kind.number:
            ids = [f"{kind.id}{i + 1}" for i in range(kind.number)]
        else:
            ids = [kind.id]
        for thing in ids:
            word = kind.kind if kind.kind and not kind.kind.isascii() else kind.id
            things[thing] = Thing(thing, word, kind.at, kind.kind == "cup", tuple(kind.clauses), kind.pinyin, kind.en)
    for person in roster.persons:
        if person.id in {a for p in roster.pairs.values() for a in p.values()} and f"{person.id}之弓" not in things:
            things[f"{person.id}之弓"] = Thing(f"{person.id}之弓", "弓", "堂西")
    order = {p.id: n for n, p in enumerate(roster.persons)}
    return Vocabulary(verbs, places, things, roster, order)


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
