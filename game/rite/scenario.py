"""Named scenarios: who is present, which hall, who shoots, what is fixed by will."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from game.rite.schema import convert
from game.rite.yaml_strict import DataError, load_yaml


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
    """All scenarios of a data folder by id."""
    found = {}
    for path in sorted(folder.glob("*.yaml")):
        scenario = read_scenario(path)
        found[scenario.id] = scenario
    return found


def read_scenario(path: Path) -> Scenario:
    """One scenario file. DataError names file, line and remedy."""
    spec: ScenarioSpec = convert(load_yaml(path), ScenarioSpec)
    return checked(Scenario(spec.id, spec.options, spec.zh, spec.en), path.name)


def from_record(record: Mapping[str, Any], where: str) -> Scenario:
    """A scenario as a journal's header or a request gives it. DataError if it is not one."""
    if not isinstance(record.get("id", ""), str) or not isinstance(record.get("options", {}), dict):
        raise DataError(f"{where}: a scenario needs id and options")
    return checked(Scenario(str(record.get("id", "")), record.get("options", {})), where)


def checked(scenario: Scenario, where: str) -> Scenario:
    """The scenario if its options can be played. DataError says which cannot."""
    options = scenario.options
    guests, grandees = options.get("众宾", 3), options.get("大夫", 0)
    if not isinstance(guests, int) or not 3 <= guests <= 5000:
        raise DataError(f"{where}: 众宾 is {guests}; it must be a number from 3 (P08.014) to 5000")
    if not isinstance(grandees, int) or not 0 <= grandees <= 50:
        raise DataError(f"{where}: 大夫 is {grandees}; it must be a number from 0 to 50")
    if options.get("堂", "序") not in ("序", "庠"):
        raise DataError(f"{where}: 堂 is {options['堂']}; it must be 序 or 庠")
    if options.get("reading", "郑") not in ("郑", "敖"):
        raise DataError(f"{where}: reading is {options['reading']}; it must be 郑 or 敖")
    return scenario
