"""P23–P44 against the text: what is counted, laid, fetched, taken up and put away, looked at in the journal alone."""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import Any

import pytest

from game.session.ceremony import Ceremony
from tests.builders import the_book

Line = dict[str, Any]
SCENARIOS = ("常", "无获", "大夫之耦")


@cache
def lines(scenario: str) -> tuple[Line, ...]:
    """The second and the third round as agents perform them."""
    found: list[Line] = []

    def record(t: str, **fields: Any) -> int:
        found.append({"t": t, **fields})
        return len(found) - 1

    book = the_book()
    ceremony = Ceremony(book, book.scenarios[scenario], (), record)
    ceremony.prepare("23-司射请射比耦", "44-退诸射器")
    ceremony.run()
    assert ceremony.over and ceremony.stuck is None
    return tuple(found)


def acts(scenario: str, *phases: int, **fields: Any) -> list[Line]:
    """Acts of some phases with these fields, in order."""
    return [
        x
        for x in lines(scenario)
        if x["t"] == "act"
        and (not phases or int(x["phase"][:2]) in phases)
        and all(x.get(k) == v for k, v in fields.items())
    ]


def state(scenario: str, phase: int, edge: str) -> Line:
    """How everything stands when a phase begins (始) or ends (终)."""
    found: Line = next(
        x["state"]
        for x in lines(scenario)
        if x["t"] == "phase" and x["phase"][:2] == f"{phase:02d}" and x["edge"] == edge
    )
    return found


def lying(scenario: str, phase: int, edge: str, word: str) -> Counter[str]:
    """Place or hand → how many things whose name begins so are there."""
    things = state(scenario, phase, edge)["things"]
    return Counter(where for thing, where in things.items() if thing.startswith(word))


def shots(scenario: str, number: int) -> list[Line]:
    return [x for x in lines(scenario) if x["t"] == "shot" and x["round"] == number]


@pytest.mark.parametrize("scenario", SCENARIOS)
@pytest.mark.parametrize(("number", "phases"), [(2, (27, 28, 29, 30)), (3, (39,))])
def test_one_counter_for_each_hit_right_for_the_upper_archers(
    scenario: str, number: int, phases: tuple[int, ...]
) -> None:
    """P27.002–005 P39.004: 若中则释获，每一个释一筭，上射于右，下射于左."""
    hits = Counter(x["team"] for x in shots(scenario, number) if x["struck"] == "中")
    laid = Counter({"中南": "右", "中北": "左"}[x["into"]] for x in acts(scenario, *phases, verb="释获"))
    assert laid == hits
    tally = next(x for x in lines(scenario) if x["t"] == "tally" and x["round"] == number)
    assert (tally["right"], tally["left"]) == (hits["右"], hits["左"])


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_every_archer_shoots_four_in_each_round(scenario: str) -> None:
    """P24.025 P25.003 P28.005 P29.002 P37: 乘矢, each."""
    for number in (2, 3):
        assert set(Counter(x["person"] for x in shots(scenario, number)).values()) == {4}
    assert {x["person"] for x in shots(scenario, 2)} == {x["person"] for x in shots(scenario, 3)}


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_eight_counters_stand_ready_for_each_pair(scenario: str) -> None:
    """P26.025 P26.038–039 P27.008–009: 实八筭于中; 取中之八筭，改实八筭于中, once for each pair."""
    for number, phases in ((2, (26, 27, 28, 29, 30)), (3, (39,))):
        pairs = len({x["person"] for x in shots(scenario, number)}) // 2
        drawn = [x for x in acts(scenario, *phases, verb="取", object="筭") if x["from"] == "中"]
        assert len(drawn) == pairs and {x["count"] for x in drawn} == {8}
    assert lying(scenario, 32, "始", "筭")["中"] == 8


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_all_arrows_come_to_the_rack(scenario: str) -> None:
    """P31.007–008 P40.006: as many as were shot; a grandee's four bound and apart."""
    for phase, number in ((31, 2), (40, 3)):
        arrows = sum(n for at, n in lying(scenario, phase, "终", "").items() if at == "楅" or at.endswith("束矢"))
        assert arrows - lying(scenario, phase, "终", "楅")["楅"] == len(shots(scenario, number))
        for where, n in lying(scenario, phase, "终", "大夫").items():
            assert not where.endswith("束矢") or n == 4


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_what_is_taken_at_the_rack_is_taken_in_turn(scenario: str) -> None:
    """P24.013–025: the upper archer first, one each, palm up from below the bow, palm down from above it."""
    taken = acts(scenario, 24, verb="取", object="矢")
    own = [x for x in taken if x["count"] in (None, 1)]
    assert {x["via"] for x in own if x["person"].endswith("上射")} == {"自弓下"}
    assert {x["via"] for x in own if x["person"].endswith("下射")} == {"自弓上"}
    for k in range(0, 24, 8):
        turn = [x["person"][-2:] for x in own[k : k + 8]]
        assert turn == ["上射", "下射"] * 4
    # 后者遂取诱射之矢．兼乘矢而取之: the very four that the director shot.
    last = [x for x in taken if x["count"] == 4]
    assert [x["person"] for x in last] == ["下耦下射"]
    assert sorted(last[0]["which"]) == ["矢1", "矢2", "矢3", "矢4"]


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_after_the_last_round_no_arrow_is_nocked_and_all_is_put_away(scenario: str) -> None:
    """P43.011–014 矢不挟，授有司于堂西; P44.001–010."""
    assert not acts(scenario, 43, verb="挟") and not acts(scenario, 43, verb="搢", object="矢")
    end = state(scenario, 44, "终")
    assert end["things"]["楅"] == "堂西" and end["things"]["扑"] == "堂西"
    assert set(lying(scenario, 44, "终", "筭")) == {"堂西"}
    assert not {at for at in lying(scenario, 44, "终", "矢") if at in ("楅", "侯")}
    assert all("决遂" not in p["dress"] and "袒" not in p["dress"] for p in end["persons"].values())


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_the_order_of_leave_and_order(scenario: str) -> None:
    """P26.011 P26.033 P38.011 P38.016 P38.020 P38.026: leave before the order, the guest before the musicians."""
    said = [x["speech"] for x in acts(scenario, 26, 38) if x["speech"]]
    wanted = ["请释获", "不贯不释", "请以乐乐", "请以乐乐于宾，宾许", "不鼓不释", "奏驺虞，闲若一"]
    assert [s for s in said if s in wanted] == wanted


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_nobody_drinks_after_a_tie(scenario: str) -> None:
    """P32.035 (敖): 若左右钧 there is no penalty cup; else all of the losing side drink, in both rounds."""
    for number, phase in ((2, 33), (3, 42)):
        tally = next(x for x in lines(scenario) if x["t"] == "tally" and x["round"] == number)
        drunk = {x["person"] for x in acts(scenario, phase, verb="卒")}
        losers = {"右": "左", "左": "右"}.get(tally["ahead"], "")
        assert drunk == {x["person"] for x in shots(scenario, number) if x["team"] == losers}
