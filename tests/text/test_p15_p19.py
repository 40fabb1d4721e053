"""The gear brought in, the pairs matched and handed bow and arrows (P15, P16, P19): the text's word on each act."""

from __future__ import annotations

import pytest

from tests.text.reading import THREE_PAIRS, Journal, increasing, journal_of

SIX = [archer for pair in THREE_PAIRS for archer in pair]


@pytest.fixture(params=("常", "大夫"))
def journal(request: pytest.FixtureRequest) -> Journal:
    """The ordinary rite, and one with grandees and further pairs."""
    return journal_of(request.param)


# P15 弟子纳射器


def test_p15_the_director_comes_down_and_orders_facing_west(journal: Journal) -> None:
    """P15.001–003: 司射降自西阶，阶前西面，命弟子纳射器."""
    down, order = journal.in_order("15", "司射 降", "司射 命")
    assert (down["via"], down["at"]) == ("自西阶", "西阶前")
    assert (order["at"], order["facing"], order["to"]) == ("西阶前", "西", ["弟子"])


def test_p15_juniors_bring_it_all_west_of_the_hall(journal: Journal) -> None:
    """P15.004: 乃纳射器皆在堂西: whoever carries gear comes in there, after the order."""
    order = journal.one("15", verb="命")
    entered = journal.acts("15", verb="入")
    assert entered and all(act["at"] == "堂西" and increasing(order, act) for act in entered)
    assert {act["person"] for act in entered} == {act["person"] for act in journal.acts("15", verb="倚")}


def test_p15_bows_and_arrows_lie_by_rank(journal: Journal) -> None:
    """P15.005–010: guest and grandees at the W wall, the company W of the hall, the host E of the E wall."""
    things = journal.state("15", "终")["things"]
    west = ["宾", *(p for p in journal.state("15", "终")["persons"] if p.startswith("大夫"))]
    for person in west:
        assert things[f"{person}之弓"] == things[f"{person}之矢1"] == things[f"{person}之矢4"] == "西序"
    assert things["主人之弓"] == things["主人之矢1"] == things["主人之矢4"] == "东序东"
    assert {things[f"{archer}之弓"] for archer in SIX} == {"堂西"}
    assert [things[f"矢{n}"] for n in range(6, 30)] == ["堂西"] * 24


def test_p15_arrows_after_their_bows_nocks_north(journal: Journal) -> None:
    """P15.006–009: 矢在弓下，北括; 矢在其上."""
    for person in ("弟子2", "弟子3"):
        leaned = journal.first("15", person=person, verb="倚")
        laid = journal.acts("15", person=person, verb=("委", "加"))
        assert laid and all(act["manner"] == "北括" and increasing(leaned, act) for act in laid)


def test_p15_the_flag_stays_where_it_is(journal: Journal) -> None:
    """P17.006–008: it is leaned on the target by another order."""
    assert not journal.acts("15", object="旌")


# P16 司射比三耦


def test_p16_the_director_keeps_bow_and_arrows(journal: Journal) -> None:
    """P16.001: 司射不释弓矢."""
    hands = journal.state("16", "终")["persons"]["司射"]["hands"]
    assert hands["左"] == ["司射之弓"] and len(hands["挟"]) == 4


def test_p16_each_is_told_with_whom_he_shoots(journal: Journal) -> None:
    """P16.002–007: 三耦之南，北面; 命上射曰某御于子，命下射曰子与某子射."""
    orders = journal.acts("16", person="司射", verb="命")
    assert [act["to"] for act in orders] == [[archer] for archer in SIX]
    assert {(act["at"], act["facing"]) for act in orders} == {("三耦南", "北")}
    assert [act["speech"] for act in orders] == ["某御于子", "子与某子射"] * 3


# P19 三耦取弓矢俟射


def test_p19_the_order(journal: Journal) -> None:
    """P19.001–004: 司射犹挟乘矢以命三耦，各与其耦让取弓矢，拾."""
    order = journal.one("19", verb="命")
    assert (order["person"], order["to"], order["speech"]) == ("司射", ["三耦"], "各与其耦让取弓矢，拾")
    assert len(journal.state("19", "终")["persons"]["司射"]["hands"]["挟"]) == 4


@pytest.mark.parametrize("pair", THREE_PAIRS, ids=lambda pair: pair[0])
def test_p19_yielding_and_in_turn(journal: Journal, pair: tuple[str, str]) -> None:
    """P19.003–009: the lower yields; both are bare by then; the upper has bow and arrows before the lower is served."""
    upper, lower = pair
    for archer in pair:
        journal.in_order("19", f"{archer} 袒", f"{archer} 决遂", f"{archer} 受 弓", f"{archer} 受 矢")
    yielded = journal.one("19", person=lower, verb="让")
    assert yielded["to"] == [upper]
    served = [act["person"] for act in journal.acts("19", person=pair, verb="受")]
    assert served == [upper, upper, lower, lower]
    assert increasing(yielded, journal.first("19", person=upper, verb="受"))


def test_p19_officers_hand_the_bow_and_then_the_arrows(journal: Journal) -> None:
    """P19.006–008: 有司左执弣，右执弦而授弓，遂授矢."""
    held = [act for act in journal.acts("19", verb="执弓") if act["person"] not in SIX]
    assert len(held) == 6 and {(a["hand"], a["manner"]) for a in held} == {("左", "右执弦")}
    assert all(act["person"].startswith("有司") for act in (*held, *journal.acts("19", verb="授")))
    for archer in SIX:
        given = [act for act in journal.acts("19", verb="授") if act["to"] == [archer]]
        assert [(act["object"], act["count"]) for act in given] == [("弓", 1), ("矢", 4)]


def test_p19_three_in_the_belt_and_one_across_the_string(journal: Journal) -> None:
    """P19.009–010: 三耦皆执弓，搢三而挟一个, before they leave."""
    persons = journal.state("19", "终")["persons"]
    for archer in SIX:
        journal.in_order("19", f"{archer} 受 矢", f"{archer} 执弓", f"{archer} 搢", f"{archer} 挟")
        hands = persons[archer]["hands"]
        assert hands["左"] == [f"{archer}之弓"] and (len(hands["带"]), len(hands["挟"])) == (3, 1)
        assert {act["at"] for act in journal.acts("19", person=archer, verb=("搢", "挟"))} == {"堂西"}


def test_p19_the_director_first_then_the_pairs_by_his_west(journal: Journal) -> None:
    """P19.011–016: 司射先立于所设中之西南，东面; 三耦皆进，由司射之西，立于其西南，东面."""
    stood = journal.one("19", person="司射", verb="立")
    assert (stood["at"], stood["facing"]) == ("司射位", "东")
    for archer in SIX:
        advanced, stands = journal.in_order("19", f"{archer} 进", f"{archer} 立")
        assert increasing(stood, advanced) and advanced["via"] == "司射之西"
        assert (stands["at"], stands["facing"]) == ("射位", "东")
