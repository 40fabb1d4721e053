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


@pytest.mark.parametrize("scenario", SCENARIOS)
@pytest.mark.parametrize("phase", [36, 43])
def test_nobody_goes_to_the_station_before_his_partner_is_ready(scenario: str, phase: int) -> None:
    """P36.016–018 P43.009: 皆袒决遂执弓，各以其耦进，反于射位."""
    done = [x for x in acts(scenario, phase) if x["verb"] in ("执弓", "进")]
    for first in [x for x in done if x["at"] == "射位" and x["person"].endswith("上射")]:
        partner = first["person"].replace("上射", "下射")
        armed = next(x for x in done if x["person"] == partner and x["verb"] == "执弓")
        assert done.index(armed) < done.index(first)


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_guest_and_host_take_and_stow_their_arrows_opposite_each_other(scenario: str) -> None:
    """P37.009–014: 阶前揖 (南面, 郑), 及楅揖, 北面搢三挟一个."""
    for person, side, steps in (("宾", "西", "西阶前"), ("主人", "东", "阼阶前")):
        mine = acts(scenario, 37, person=person)
        bows = [(x["at"], x["facing"]) for x in mine if x["verb"] == "揖"]
        assert (steps, "南") in bows and any(at == f"楅{side}" for at, _ in bows)
        stowed = [x for x in mine if x["verb"] in ("搢", "挟")]
        assert [(x["verb"], x["count"] or 1, x["facing"]) for x in stowed] == [("搢", 3, "北"), ("挟", 1, "北")]


def test_a_grandee_unties_and_then_each_takes_four_at_once() -> None:
    """P37.027–037: 大夫坐说矢束，反位，而后耦兼取乘矢，大夫亦兼取乘矢，如其耦."""
    for grandee, partner in (("大夫1", "众宾1"), ("大夫2", "众宾2")):
        both = [x for x in acts("大夫之耦", 37) if x["person"] in (grandee, partner)]
        wanted = [x for x in both if x["verb"] == "说束" or (x["verb"] == "取" and x["object"] == "矢")]
        assert [(x["person"], x["verb"]) for x in wanted] == [(grandee, "说束"), (partner, "取"), (grandee, "取")]
        assert [x["count"] for x in wanted[1:]] == [4, 4]


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_five_times_through_for_each_pair_and_all_the_musicians_play(scenario: str) -> None:
    """P38.025–027 P39.001 P54.057–059: 奏驺虞，五终, one of them before the first arrow."""
    played = acts(scenario, 39, verb="奏")
    pairs = len({x["person"] for x in shots(scenario, 3)}) // 2
    assert Counter(x["person"] for x in played) == {f"工{n}": 5 * pairs for n in (1, 2, 3, 4)}
    assert {x["manner"] for x in played} == {"驺虞"}


@pytest.mark.parametrize("scenario", ["常", "大夫之耦"])
def test_the_second_order_to_winners_and_losers_is_in_its_own_words(scenario: str) -> None:
    """P42.003–004: 命胜者执张弓，不胜者执弛弓."""
    orders = [x["speech"] for x in acts(scenario, 42, person="司射", verb="命")]
    assert orders == ["设丰", "胜者执张弓，不胜者执弛弓"]


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_the_last_arrows_are_held_at_the_rack_and_handed_over_west_of_the_hall(scenario: str) -> None:
    """P43.011–014: 兼诸弦弣以退，不反位，遂授有司于堂西 (the host E of the hall, 敖)."""
    archers = {x["person"] for x in shots(scenario, 3)}
    held = acts(scenario, 43, verb="兼", manner="诸弦弣")
    assert {(x["person"], x["count"], x["facing"]) for x in held} == {(p, 4, "北") for p in archers}
    handed = acts(scenario, 43, verb="授", object="矢")
    assert {(x["person"], x["count"]) for x in handed} == {(p, 4) for p in archers}
    assert all(x["at"] == ("堂东" if x["person"] == "主人" else "堂西") for x in handed)
    assert all(to.startswith("有司") for x in handed for to in x["to"])
    after = acts(scenario, 43)
    for x in handed:
        assert not [y for y in after[after.index(x) :] if y["person"] == x["person"] and y["at"] == "射位"]


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_food_and_plates_of_flagman_and_scorer_end_where_they_are_moved_aside(scenario: str) -> None:
    """P34.030–032 辟设于乏南; P35.023 少西辟荐 (亦辟俎, 郑)."""
    then = state(scenario, 35, "终")["things"]
    assert (then["脯醢4"], then["俎3"]) == ("乏南", "乏南")
    assert (then["脯醢5"], then["俎4"]) == ("释获者荐西", "释获者荐")
