"""The invariants can fail: a journal that departs from the text in one act is caught by at least one of them."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import cache
from types import ModuleType
from typing import Any

import pytest

from tests.text import test_p01_p09, test_p11_p12_p18, test_p13_p17, test_p20_p21, test_p32_p33, test_throughout
from tests.text.reading import Journal, Line, altered, journal_of, swapped, without

MODULES = {
    **{phase: test_p01_p09 for phase in ("01", "02", "03", "04", "05", "06", "07", "08", "09")},
    **{phase: test_p11_p12_p18 for phase in ("11", "12", "18")},
    **{phase: test_p13_p17 for phase in ("13", "14", "17")},
    **{phase: test_p20_p21 for phase in ("20", "21")},
    **{phase: test_p32_p33 for phase in ("32", "33")},
}


def invariants(module: ModuleType) -> dict[str, Callable[[Journal], None]]:
    """The invariants of a module that ask for nothing but a journal."""
    return {
        name: function
        for name, function in vars(module).items()
        if name.startswith("test_") and list(inspect.signature(function).parameters) in (["journal"], ["decided"])
    }


def holds(invariant: Callable[[Journal], None], journal: Journal) -> bool:
    """Whether an invariant holds of a journal; what it cannot even read it does not hold of."""
    try:
        invariant(journal)
    except (AssertionError, LookupError, StopIteration, TypeError, ValueError):
        return False
    return True


@cache
def sound(module: ModuleType, scenario: str) -> dict[str, Callable[[Journal], None]]:
    """The invariants of a module that hold of the rite as it is played."""
    journal = journal_of(scenario)
    return {name: function for name, function in invariants(module).items() if holds(function, journal)}


def noticed(journal: Journal, phase: str, scenario: str = "常") -> bool:
    """Whether any invariant, of that part or of the whole, no longer holds."""
    modules = (MODULES[phase], test_throughout)
    return any(not holds(function, journal) for module in modules for function in sound(module, scenario).values())


def changed(phase: str, changes: dict[str, Any], scenario: str = "常", **wanted: Any) -> tuple[str, str, Journal]:
    """A journal in which the first fitting act of a phase has other values."""
    journal = journal_of(scenario)
    return phase, scenario, altered(journal, journal.first(phase, **wanted)["n"], **changes)


def lost(phase: str, scenario: str = "常", **wanted: Any) -> tuple[str, str, Journal]:
    """A journal from which the first fitting act of a phase is missing."""
    journal = journal_of(scenario)
    n = journal.first(phase, **wanted)["n"]
    return phase, scenario, without(journal, lambda line: line["n"] == n)


def exchanged(phase: str, one: dict[str, Any], other: dict[str, Any], scenario: str = "常") -> tuple[str, str, Journal]:
    """A journal in which two acts of a phase have changed places."""
    journal = journal_of(scenario)
    return phase, scenario, swapped(journal, journal.first(phase, **one)["n"], journal.first(phase, **other)["n"])


def added(phase: str, changes: dict[str, Any], scenario: str = "常", **wanted: Any) -> tuple[str, str, Journal]:
    """A journal with one act more: a copy, with other values, of the first that fits, right after it."""
    journal = journal_of(scenario)
    act = journal.first(phase, **wanted)
    copy: Line = {**act, "n": act["n"] + 0.5, **changes}
    return (
        phase,
        scenario,
        Journal(tuple(x for line in journal.lines for x in ((line, copy) if line is act else (line,)))),
    )


DEPARTURES: dict[str, Callable[[], tuple[str, str, Journal]]] = {
    "the host bows once where it is twice": lambda: changed("01", {"times": 1}, person="主人", verb="拜"),
    "the guest refuses twice": lambda: added("01", {}, verb="辞"),
    "no farewell bow": lambda: lost("03", person="宾", manner="拜送"),
    "the farewell is answered": lambda: added("03", {"person": "主人", "to": ["宾"]}, person="宾", manner="拜送"),
    "two yieldings only": lambda: lost("04", person="主人", verb="让"),
    "the guest goes up first": lambda: exchanged(
        "04", {"person": "主人", "verb": "升"}, {"person": "宾", "verb": "升"}
    ),
    "the host faces south in bowing": lambda: changed("04", {"facing": "南"}, person="主人", manner="拜至"),
    "washed before the hands": lambda: exchanged("05", {"verb": "盥"}, {"verb": "洗"}),
    "offered facing north": lambda: changed("05", {"facing": "北"}, verb="献"),
    "the cup east of the food": lambda: changed("05", {"into": "荐东"}, into="荐西"),
    "cup in hand while bowing": lambda: lost("05", person="主人", verb="奠", into="阼阶上"),
    "plate before food": lambda: exchanged("05", {"verb": "荐"}, {"verb": "设", "object": "俎"}),
    "the host praises his wine": lambda: added("06", {"verb": "告", "manner": "告旨"}, verb="啐"),
    "a single bow for the wine": lambda: changed("06", {"times": 1}, manner="崇酒"),
    "bow for the washing in P07": lambda: added("07", {"person": "宾", "verb": "拜", "manner": "拜洗"}, verb="卒洗"),
    "the guest drinks the second cup": lambda: added("07", {"verb": "卒"}, person="宾", verb="取", object="觯"),
    "a fourth of the others bows": lambda: changed("08", {"person": "众宾4", "actor": "众宾"}, manner="拜受"),
    "an answer of two bows": lambda: changed("08", {"times": 2}, person="众宾2", manner="答"),
    "one of the others drinks kneeling": lambda: changed("08", {"posture": "坐"}, person="众宾5", verb="饮"),
    "the guest does not decline": lambda: lost("09", person="宾", verb="辞"),
    "the zhi is handed": lambda: changed("09", {"verb": "授"}, person="举觯者1", into="荐西"),
    "a singer first": lambda: exchanged("11", {"person": "工3", "verb": "入"}, {"person": "工1", "verb": "入"}),
    "the zither's head behind": lambda: changed("11", {"manner": "后首"}, verb="何"),
    "a song left out": lambda: lost("11", manner="卷耳"),
    "a musician gets up": lambda: added("11", {"verb": "兴"}, person="工1", verb="告"),
    "washed without a master": lambda: added("12", {"verb": "洗"}, person="主人", verb="取"),
    "a second musician bows": lambda: added("12", {"verb": "拜"}, person="工2", verb="受"),
    "food offered by all": lambda: changed("12", {"object": "脯醢"}, person="工3", verb="祭"),
    "a piper on the hall": lambda: changed("12", {"at": "西阶上"}, person="笙1", verb="受"),
    "the musicians face north below": lambda: changed("18", {"facing": "北"}, person="工2", verb="坐"),
    "down by the east steps": lambda: changed("18", {"via": "自阼阶"}, person="工4", verb="降"),
    "the director offers wine": lambda: added("13", {"verb": "祭"}, person="相", verb="卒"),
    "the director is answered": lambda: added("13", {"person": "主人"}, person="相", manner="既爵"),
    "across outside the pillars": lambda: changed("13", {"via": "由楹外"}, via="由楹内"),
    "the host is asked": lambda: changed("14", {"speech": "弓矢既具，有司请射"}, to="主人"),
    "the rope tied before it is undone": lambda: exchanged("17", {"verb": "说束"}, {"verb": "系"}),
    "a bow short on the way up": lambda: lost("20", verb="揖"),
    "three arrows": lambda: lost("20", verb="发"),
    "inside the pillar in a 庠": lambda: changed("20", {"via": "钩楹内"}, "庠", via="由楹外"),
    "the lower archer first": lambda: exchanged(
        "21", {"person": "上耦上射", "verb": "发"}, {"person": "上耦下射", "verb": "发"}
    ),
    "a hit not called": lambda: lost("21", verb="获"),
    "a miss called": lambda: added("21", {"person": "获者", "verb": "获"}, person="上耦下射", verb="发"),
    "the marshal with a ring": lambda: added("21", {"verb": "决遂"}, person="相", verb="袒"),
    "no clearing": lambda: lost("21", speech="去侯"),
    "the lower archer bows to the order": lambda: changed("21", {"person": "上耦下射"}, to="司射", verb="揖"),
    "the rod taken up the hall": lambda: lost("21", verb="倚", object="扑"),
    "the second pair called as well": lambda: added("21", {"to": ["次耦"]}, verb="作"),
    "left counted first": lambda: exchanged("32", {"verb": "数", "from": "中南"}, {"verb": "数", "from": "中北"}),
    "the wrong side ahead": lambda: changed("32", {"speech": "左贤于右"}, speech="右贤于左"),
    "onto the hall to report": lambda: changed("32", {"at": "西阶上"}, verb="升"),
    "seven counters back": lambda: changed("32", {"count": 7}, verb="实"),
    "a winner with a slack bow": lambda: added("33", {"verb": "弛"}, person="上耦上射", verb="执弓"),
    "the loser up first": lambda: exchanged(
        "33", {"person": "上耦上射", "verb": "升"}, {"person": "上耦下射", "verb": "升"}
    ),
    "the loser drinks kneeling": lambda: changed("33", {"posture": "坐"}, person="次耦下射", verb="卒"),
    "the cup back on the stand": lambda: changed("33", {"into": "丰上"}, person="下耦下射", into="丰下"),
    "the host drinks in the east": lambda: changed("33", {"at": "阼阶上"}, person="主人", verb="卒"),
    "a loser bows": lambda: added("33", {"verb": "拜"}, person="上耦下射", verb="卒"),
    "a winner drinks": lambda: changed("33", {"person": "下耦上射"}, person="下耦下射", verb="卒"),
    "a grandee's partner with him": lambda: added("33", {"person": "众宾1"}, "大夫", person="上耦下射", verb="升"),
    "no refill": lambda: lost("33", person="执爵者", verb="实"),
}


@pytest.mark.parametrize("departure", DEPARTURES)
def test_a_departure_from_the_text_is_noticed(departure: str) -> None:
    """Acts lost, added, exchanged or done otherwise than the text has them."""
    phase, scenario, journal = DEPARTURES[departure]()
    assert noticed(journal, phase, scenario)


def test_no_bow_can_be_lost_unnoticed() -> None:
    """Every single 拜 of the ordinary rite is asked for by some invariant."""
    journal = journal_of("常")
    for bow in journal.acts(verb="拜"):
        n = bow["n"]
        assert noticed(without(journal, lambda line, n=n: line["n"] == n), bow["phase"][:2]), bow["clauses"]  # type: ignore[misc]


def test_no_bow_can_be_doubled_unnoticed() -> None:
    """The number of every bow is fixed by some invariant (P13.007 apart, where the text gives none)."""
    journal = journal_of("常")
    for bow in journal.acts(verb="拜"):
        if "P13.007" not in bow["clauses"]:
            assert noticed(altered(journal, bow["n"], times=bow["times"] + 1), bow["phase"][:2]), bow["clauses"]
