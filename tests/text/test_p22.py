"""The arrows fetched and laid on the rack (P22)."""

from __future__ import annotations

import pytest

from tests.text.reading import Journal, increasing, journal_of, verbs

JUNIORS = ("弟子1", "弟子2", "弟子3")
# What the marshal does to order from the hall, without the way to it (P22.003–004, P22.009–013).
ORDERING = ["适", "袒", "执弓", "进", "升", "钩楹", "行", "立", "揖弓", "命"]
COUNTING = ["进", "坐", "抚", "乘矢", "兴"]


@pytest.fixture(params=("常", "庠", "矢不备"))
def journal(request: pytest.FixtureRequest) -> Journal:
    """In a 序, in a 庠, and with arrows missing at first."""
    return journal_of(request.param)


@pytest.fixture
def searched() -> Journal:
    """With arrows missing at first."""
    return journal_of("矢不备")


def test_p22_director_takes_the_rod_and_returns(journal: Journal) -> None:
    """P22.001–002: 司射降，搢扑反位: the rod is where he leaned it (P21.081)."""
    down, rod, tucked, back = journal.in_order("22", "司射 降", "司射 取 扑", "司射 搢 扑", "司射 反")
    assert rod["from"] == "西阶西" and increasing(down, rod, tucked)
    assert (back["at"], back["facing"]) == ("司射位", "东")


def test_p22_marshal_bares_and_takes_the_bow_without_ring(journal: Journal) -> None:
    """P22.003–006: 适堂西，袒执弓，由其位南，进: no ring, as P21.027."""
    west, bare, bow, forward = journal.in_order("22", "相 适", "相 袒", "相 执弓", "相 进")
    assert west["at"] == bare["at"] == bow["at"] == "堂西" and forward["via"] == "由其位南"
    assert not journal.acts("22", verb="决遂")


def test_p22_they_cross_left_to_left_before_the_steps(journal: Journal) -> None:
    """P22.007–008: 与司射交于阶前，相左: the one who goes N is E of the one who goes S."""
    north = journal.first("22", person="相", verb="进")
    south = journal.one("22", person="司射", verb="行")
    assert (north["at"], south["at"]) == ("阶前东", "阶前西")
    assert (north["facing"], south["facing"]) == ("北", "南")
    assert journal.one("22", person="司射", verb="反")["n"] > max(north["n"], south["n"])


def test_p22_orders_between_the_marks_facing_southwest(journal: Journal) -> None:
    """P22.009–014: 升自西阶，钩楹，自右物之后，立于物间，西南面，揖弓，命取矢; the pillar in either kind of hall."""
    up, _, way, stood, bow, order = journal.in_order("22", "相 升", "相 钩楹", "相 行", "相 立", "相 揖弓", "相 命")
    assert up["via"] == "自西阶" and way["via"] == "右物之后"
    assert {(act["at"], act["facing"]) for act in (stood, bow, order)} == {("物间", "西南")}
    assert order["speech"] == "取矢" and not journal.acts("22", verb="扬弓")


def test_p22_flagman_answers_all_the_way_to_the_target(journal: Journal) -> None:
    """P22.015–017: 执旌许诺，声不绝，以旌负侯而俟."""
    flag, assent, way, back = journal.in_order("22", "获者 执 旌", "获者 诺", "获者 适", "获者 负侯")
    order = journal.first("22", person="相", verb="命")
    assert increasing(order, flag) and assent["re"] == order["n"]
    assert (way["manner"], way["at"]) == ("声不绝", "侯") and (back["at"], back["facing"]) == ("侯", "北")
    assert journal.acts("22", person="获者")[-1] == back


def test_p22_marshal_leaves_round_the_left_mark(journal: Journal) -> None:
    """P22.018–020: 出于左物之南，还其后，降自西阶."""
    south, behind, down = journal.in_order(
        "22", "相 行", "相 还", "相 降", after=journal.one("22", person="获者", verb="负侯")["n"]
    )
    assert (south["via"], behind["via"], down["via"]) == ("左物之南", "左物之后", "自西阶")


def test_p22_rack_ordered_from_the_south_of_its_place(journal: Journal) -> None:
    """P22.021–024: 遂适堂前，北面立于所设楅之南，命弟子设楅."""
    came, stood, order = journal.in_order(
        "22", "相 适", "相 立", "相 命", after=journal.first("22", verb="降", person="相")["n"]
    )
    assert came["at"] == stood["at"] == order["at"] == "楅南" and stood["facing"] == order["facing"] == "北"
    assert (order["to"], order["speech"]) == (["弟子"], "设楅")


def test_p22_rack_carried_crosswise_and_set_down_facing_south(journal: Journal) -> None:
    """P22.025–027, P54.018–020: 横而奉之，南面坐而奠之，南北当洗，东肆."""
    order = journal.one("22", verb="命", speech="设楅")
    carried, knelt, placed = (journal.one("22", person="弟子1", verb=verb) for verb in ("奉", "坐", "设"))
    assert increasing(order, carried, knelt, placed)
    assert (carried["manner"], carried["hand"], knelt["facing"], placed["into"]) == ("横", "两", "南", "楅")


def test_p22_marshal_lays_the_bow_aside(journal: Journal) -> None:
    """P22.028–030: 由司射之南，退，释弓于堂西，袭，反位; P54.003–004 无事不执弓."""
    order = journal.one("22", verb="命", speech="设楅")
    way, bow, _, back = journal.in_order("22", "相 退", "相 释 弓", "相 袭", "相 反", after=order["n"])
    assert (way["via"], bow["into"], back["at"]) == ("司射之南", "堂西", "司马位")
    state = journal.state("22", "终")["persons"]["相"]
    assert (state["at"], state["facing"]) == ("司马位", "东") and "袒" not in state.get("dress", ())


def test_p22_arrows_laid_down_kneeling_nocks_north(journal: Journal) -> None:
    """P22.031–034: 取矢，北面坐委于楅，北括，乃退: not before the rack is there."""
    rack = journal.one("22", verb="设")
    laid = journal.one("22", verb="委")
    taken = journal.one("22", verb="取", object="矢")
    assert increasing(taken, laid, journal.last("22", person=laid["person"], verb="退")) and rack["n"] < laid["n"]
    assert (taken["from"], laid["into"], laid["facing"], laid["manner"]) == ("侯", "楅", "北", "北括")
    assert set(taken["which"]) == set(laid["which"]) and laid["person"] in JUNIORS


def test_p22_all_that_were_shot_come_to_the_rack(journal: Journal) -> None:
    """P22.031, P54.024–026: four each, and the four of the demonstration; the director keeps his one."""
    brought = [arrow for act in journal.acts("22", verb=("委", "加")) for arrow in act["which"]]
    assert len(brought) == len(set(brought)) == 3 * 2 * 4 + 4


def test_p22_counted_by_fours_covered_and_without_a_bow(journal: Journal) -> None:
    """P22.035–038: 袭，进当楅南，北面坐，左右抚矢而乘之."""
    came, knelt, touched, counted = journal.in_order(
        "22", "相 进", "相 坐", "相 抚 矢", "相 乘矢", after=journal.first("22", person="相", verb="反")["n"]
    )
    assert came["at"] == "楅南" and knelt["facing"] == "北" and touched["hand"] == "两"
    mine = [act for act in journal.acts("22", person="相") if act["n"] < counted["n"]]
    assert verbs([act for act in mine if act["verb"] in ("袒", "袭", "执弓", "释")]) == ["袒", "执弓", "释", "袭"]


def test_p22_no_search_unless_arrows_are_missing() -> None:
    """P22.039: 若矢不备."""
    for name in ("常", "庠"):
        journal = journal_of(name)
        assert not journal.acts("22", verb=("求", "加")) and len(journal.acts("22", person="相", verb="袒")) == 1
        assert not journal.acts("22", speech="取矢不索")


def test_p22_missing_arrows_are_not_full_fours(searched: Journal) -> None:
    """P22.038–039: they are found wanting by counting in fours."""
    assert len(searched.one("22", verb="委")["which"]) % 4


def test_p22_ordered_again_as_before(searched: Journal) -> None:
    """P22.040–042: 又袒执弓如初，升，命曰取矢不索: each act once more, from the going W to the levelled bow."""
    deeds = searched.acts("22", person="相")
    order = searched.one("22", speech="取矢不索")
    end = deeds.index(order)
    assert verbs(deeds[end - len(ORDERING) + 1 : end + 1]) == ORDERING
    assert (order["at"], order["facing"], order["to"]) == ("物间", "西南", ["弟子"])


def test_p22_juniors_answer_from_the_west(searched: Journal) -> None:
    """P22.043: 弟子自西方应曰诺; the flag-man stays where he is."""
    order = searched.one("22", speech="取矢不索")
    said = [act for act in searched.acts("22", verb="诺") if act["n"] > order["n"]]
    assert {act["person"] for act in said} == set(JUNIORS)
    assert {(act["at"], act["re"], act["speech"]) for act in said} == {("弟子位", order["n"], "诺")}


def test_p22_found_arrows_are_added(searched: Journal) -> None:
    """P22.044: 乃复求矢，加于楅; then he counts them again (大射, 敖)."""
    found, added = searched.one("22", verb="求"), searched.one("22", verb="加")
    assert found["which"] == added["which"] and added["into"] == "楅" and found["from"] == "侯"
    assert verbs([a for a in searched.acts("22", person="相") if a["n"] > added["n"]])[-6:] == [*COUNTING, "反"]


def test_p22_nobody_else_moves(journal: Journal) -> None:
    """P22: guest, host and the pairs wait where they are."""
    assert {act["person"] for act in journal.acts("22")} <= {"司射", "相", "获者", *JUNIORS}
    assert not journal.acts("22", verb=("拜", "揖"))
