"""Wrong acts with the fault and the rule that they should be given, and right ones that are easily taken for wrong.

The tables in ``acts/`` are written from the text, not from what the arbiter says of an act.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest

from game.rite.yaml_strict import load_yaml
from tests.rules.acting import Case, Judged, judge

FOLDER = Path(__file__).parent / "acts"
FILES = sorted(p.name for p in FOLDER.glob("*.yaml"))


def table(name: str, part: str) -> list[Case]:
    """The cases of one part of a file."""
    return [Case(**{k: v for k, v in entry.items() if k != "note"}) for entry in load_yaml(FOLDER / name)[part]]


@cache
def judged(name: str, part: str) -> dict[str, Judged | None]:
    """Case id → what came of it."""
    return {case.id: result for case, result in judge(table(name, part))}


def amiss(case: Case, result: Judged | None) -> str:
    """How a case came out otherwise than expected; empty if it did not."""
    if result is None:
        return "its moment never comes"
    if result.outcome != case.expect:
        return f"{result.outcome}{result.rules} ({result.refused}), not {case.expect}"
    if case.rule and result.rules and case.rule not in result.rules:
        return f"{result.rules}, not {case.rule}"
    if case.cites and result.kinds and not set(case.cites) & result.clauses:
        return f"cites {sorted(result.clauses)}, not {case.cites}"
    return ""


@pytest.mark.parametrize("part", ["wrong", "right"])
@pytest.mark.parametrize("name", FILES)
def test_acts_are_judged_as_the_text_has_it(name: str, part: str) -> None:
    """Kind, rule and clause."""
    found = judged(name, part)
    wrong = {c.id: amiss(c, found[c.id]) for c in table(name, part)}
    assert {k: v for k, v in wrong.items() if v} == {}


def test_there_are_enough() -> None:
    """Over all kinds of fault and all encoded phases."""
    wrong: list[Case] = [c for name in FILES for c in table(name, "wrong")]
    right: list[Case] = [c for name in FILES for c in table(name, "right")]
    assert len(wrong) >= 300 and len(right) >= 300
    kinds: set[Any] = {k for c in wrong for k in c.expect if c.expect != "refused"}
    assert kinds == {"序", "阙", "过", "位", "面", "数", "容", "器", "服", "手", "先后", "辞", "僭"}
