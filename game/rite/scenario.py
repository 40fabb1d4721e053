"""Named scenarios: who is present, which hall, who shoots, what is fixed by will."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from game.rite.schema import convert
from game.rite.yaml_cache import load_cached
from game.rite.yaml_strict import DataError, Record, load_yaml


class ScenarioSpec(msgspec.Struct, forbid_unknown_fields=True):
    """One file of ``data/scenarios``."""

    id: str
    zh: str = ""
    en: str = ""
    options: dict[str, Any] = {}


@dataclass(frozen=True)
class Scenario:
    """A scenario, whole: the journal's header holds it."""

    id: str
    options: Mapping[str, Any] = field(default_factory=dict)
    zh: str = ""
    en: str = ""

    def record(self) -> dict[str, Any]:
        """As the journal has it."""
        return {"id": self.id, "options": dict(self.options)}


def load_scenarios(folder: Path) -> dict[str, Scenario]:
    """All scenarios of a data folder by id. They may have options that only the folder's own conditions know."""
    found = {}
    for path in sorted(folder.glob("*.yaml")):
        scenario = read_scenario(path, own=True)
        found[scenario.id] = scenario
    return found


def read_scenario(path: Path, own: bool = False) -> Scenario:
    """One scenario file. DataError names file, line and remedy."""
    try:
        return _scenario(load_cached(path), path, own)
    except DataError:
        # A kept copy does not know the lines of single keys.
        return _scenario(load_yaml(path), path, own)


def _scenario(record: Any, path: Path, own: bool) -> Scenario:
    if not isinstance(record, Record):
        raise DataError(f"{path.name}:1: must be a mapping with id, zh, en and options; see data/scenarios")
    spec: ScenarioSpec = convert(record, ScenarioSpec)
    options = record.get("options")
    places = options.places if isinstance(options, Record) else {}
    return checked(Scenario(spec.id, spec.options, spec.zh, spec.en), record.where, own, places)


def from_record(record: Mapping[str, Any], where: str, own: bool = True) -> Scenario:
    """A scenario as a journal's header or a request gives it. DataError if it is not one."""
    if not isinstance(record.get("id", ""), str) or not isinstance(record.get("options", {}), dict):
        raise DataError(f"{where}: a scenario needs id and options")
    return checked(Scenario(str(record.get("id", "")), record.get("options", {})), where, own)


def checked(scenario: Scenario, where: str, own: bool = True, places: Mapping[str, str] | None = None) -> Scenario:
    """The scenario, its numbers filled in, if its options can be played. DataError says which cannot.

    ``own``: of a data folder, or saved from one; else options that no condition of the rite knows are refused.
    ``places`` are the lines of the options, where they are known.
    """
    options = {**scenario.options}
    options.setdefault("众宾", 3)
    options.setdefault("大夫", 0)
    for name, value in options.items():
        at = (places or {}).get(name, where)
        if name not in _OPTIONS:
            if not own:
                raise DataError(f"{at}: no option {name}; it is one of {', '.join(_OPTIONS)}")
            continue
        fits, wanted = _OPTIONS[name]
        if not fits(value):
            shown = str(value) if len(str(value)) < 60 else f"{str(value)[:60]}…"
            raise DataError(f"{at}: {name} is {shown}; it must be {wanted}")
    _check_archers(options, where, places or {})
    return Scenario(scenario.id, options, scenario.zh, scenario.en)


def _check_archers(options: Mapping[str, Any], where: str, places: Mapping[str, str]) -> None:
    """Who shoots beyond the three pairs: one of the other guests each, and nobody twice."""
    guests = {f"众宾{n + 1}" for n in range(options["众宾"])}
    pairs = [("众耦", archer) for pair in options.get("众耦", ()) for archer in pair.values()]
    seen: set[str] = set()
    for name, archer in [*pairs, *(("大夫耦", partner) for partner in options.get("大夫耦", ()))]:
        at = places.get(name, where)
        if archer not in guests:
            raise DataError(f"{at}: {name}: nobody is called {archer}; name one of 众宾1 to 众宾{options['众宾']}")
        if archer in seen:
            raise DataError(f"{at}: {name}: {archer} shoots twice; name another")
        seen.add(archer)
    if len(options.get("大夫耦", ())) > options["大夫"]:
        raise DataError(f"{places.get('大夫耦', where)}: 大夫耦 has more partners than there are 大夫; leave some out")


def _number(least: int, most: int) -> Callable[[Any], bool]:
    return lambda value: type(value) is int and least <= value <= most


def _hits(value: Any) -> bool:
    return isinstance(value, dict) and all(
        isinstance(person, str)
        and isinstance(rounds, dict)
        and all(
            number in ("0", "1", "2", "3") and isinstance(arrows, list) and all(a in _STRIKES for a in arrows)
            for number, arrows in rounds.items()
        )
        for person, rounds in value.items()
    )


def _pairs(value: Any) -> bool:
    return isinstance(value, list) and all(
        isinstance(pair, dict) and set(pair) == {"上射", "下射"} and all(isinstance(a, str) for a in pair.values())
        for pair in value
    )


_STRIKES = ("中", "侯", "不及", "过", "旁")
_OPTIONS: dict[str, tuple[Callable[[Any], bool], str]] = {
    "众宾": (_number(3, 5000), "a number from 3 (P08.014) to 5000"),
    "大夫": (_number(0, 50), "a number from 0 to 50"),
    "堂": (lambda value: value in ("序", "庠"), "序 or 庠"),
    "reading": (lambda value: value in ("郑", "敖"), "郑 or 敖"),
    "宾射": (lambda value: isinstance(value, bool), "true or false"),
    "主人射": (lambda value: isinstance(value, bool), "true or false"),
    "矢不备": (lambda value: isinstance(value, bool), "true or false"),
    "乐章": (lambda value: value in ("驺虞", "采苹"), "驺虞 or 采苹"),
    "大师": (lambda value: isinstance(value, bool), "true or false"),
    "众耦": (_pairs, "a list of {上射: …, 下射: …}"),
    "大夫耦": (
        lambda value: isinstance(value, list) and all(isinstance(a, str) for a in value),
        "a list of persons, the partner of each 大夫",
    ),
    "hits": (_hits, f'{{person: {{round: [{", ".join(_STRIKES)}]}}}}, rounds "0" to "3" in quotes'),
}
"""Option → whether a value can be played, and what it must be."""
