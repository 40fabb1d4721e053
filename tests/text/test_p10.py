"""The grandee who comes (P10): the text's word on each act."""

from __future__ import annotations

import pytest

from tests.text.reading import Journal, increasing, journal_of, verbs

ONE = "大夫一人"


@pytest.fixture(params=(ONE, "大夫"))
def journal(request: pytest.FixtureRequest) -> Journal:
    """One grandee, and two."""
    return journal_of(request.param)


@pytest.fixture
def alone() -> Journal:
    """One grandee: what the text has in view."""
    return journal_of(ONE)


def grandees(journal: Journal) -> list[str]:
    return [f"大夫{k}" for k in range(1, journal.options["大夫"] + 1)]


def test_without_a_grandee_nothing_is_done() -> None:
    """P10.001: 大夫若有遵者."""
    assert journal_of("常").acts("10") == []


def test_he_enters_on_the_left_and_all_go_down(journal: Journal) -> None:
    """P10.001–004: 入门左，主人降，宾及众宾皆降，复初位: the guest W of the steps, the 众宾 S of him (敖, 义疏, 盛)."""
    came = [journal.one("10", person=who, verb="入") for who in grandees(journal)]
    assert {a["at"] for a in came} == {"门内左"}
    assert increasing(came[-1], journal.first("10", person="主人", verb="降"))
    assert not journal.acts("10", person="主人", verb="出")
    guest = journal.first("10", person="宾", verb="降")
    assert (guest["at"], guest["facing"]) == ("西阶西", "东")
    for senior in ("众宾1", "众宾2", "众宾3"):
        down = journal.one("10", person=senior, verb="降")
        assert increasing(guest, down) and (down["at"], down["facing"]) == ("众宾堂下位", "东")


def test_he_is_led_up_from_the_gate(journal: Journal) -> None:
    """P10.005–008: 主人揖让，以大夫升，拜至，大夫荅拜."""
    arrival = journal.one("10", manner="拜至")
    answer = journal.one("10", re=arrival["n"])
    assert (arrival["person"], arrival["to"], arrival["at"]) == ("主人", ["大夫1"], "阼阶上")
    assert (answer["person"], answer["at"], answer["facing"]) == ("大夫1", "西阶上", "北")
    early = [a for a in journal.acts("10") if a["n"] < arrival["n"]]
    met = [a for a in early if a["person"] == "主人" and a["verb"] in ("揖", "让")]
    assert verbs(met) == ["揖"] * 3 + ["让"] * 3
    assert met[0]["at"] == "门内右"
    host, led = (next(a for a in early if a["person"] == p and a["verb"] == "升") for p in ("主人", "大夫1"))
    assert increasing(met[-1], host, led, arrival)


def test_the_cup_of_the_upper_basket_is_washed_for_him(journal: Journal) -> None:
    """P10.009–012: 主人以爵降，大夫降，主人辞降，大夫辞洗如宾礼 (P05.008–016)."""
    took, down = journal.in_order("10", "主人 取 爵", "主人 降")
    assert took["from"] == "上篚"
    follows = journal.first("10", person="大夫1", verb="降")
    declined = journal.first("10", person="主人", verb="辞", manner="辞降")
    washing = journal.first("10", person="大夫1", verb="辞", manner="辞洗")
    washed = journal.first("10", person="主人", verb="洗")
    assert increasing(took, down, follows, declined, washing, washed)
    assert declined["to"] == ["大夫1"] and washing["to"] == ["主人"]
    assert (washing["at"], washing["facing"]) == ("洗西南", "东北")
    assert [a["into"] for a in journal.acts("10", person="主人", verb="奠") if a["n"] < washed["n"]] == [
        "阼阶前", "篚下", "下篚",
    ]  # fmt: skip


def test_his_mats_lie_east_of_the_jars(journal: Journal) -> None:
    """P10.013 席于尊东 P10.021–023 辞加席，主人对，不去加席."""
    up = journal.acts("10", person="主人", verb="升", at="阼阶上")[1]
    for who in grandees(journal):
        for thing in ("席", "加席"):
            laid = next(a for a in journal.acts("10", verb=("席", "加"), object=thing) if a["into"] == f"{who}席")
            assert increasing(laid, up)
        declined = journal.one("10", person=who, verb="辞", object="加席")
        answer = journal.one("10", re=declined["n"])
        assert (answer["person"], answer["verb"], answer["at"]) == ("主人", "对", "大夫之右")
        assert declined["at"] == "西阶上"
    for person, place in ((w, f"{w}席") for w in grandees(journal)):
        assert journal.state("10", "终")["things"][f"加席:{person}"] == place
    assert not journal.acts("10", verb="彻")


def test_he_does_not_bow_for_the_washing(journal: Journal) -> None:
    """P10.014: 升不拜洗."""
    assert not journal.acts("10", manner="拜洗")


def test_the_cup_is_offered_before_his_mat(journal: Journal) -> None:
    """P10.015–020: 实爵，席前献于大夫，大夫西阶上拜，进受爵，反位，主人大夫之右拜送."""
    for who in grandees(journal):
        offered = journal.one("10", verb="献", to=who)
        bowed = journal.one("10", person=who, manner="拜受")
        received = journal.first("10", person=who, verb="受", object="爵")
        sent = journal.one("10", manner="拜送", to=who)
        assert offered["at"] == received["at"] == f"{who}席前"
        assert (bowed["at"], bowed["facing"]) == ("西阶上", "北")
        back = next(a for a in journal.acts("10", person=who) if a["n"] > received["n"])
        assert (back["verb"], back["at"]) == ("反", "西阶上")
        assert (sent["at"], sent["facing"], sent["re"]) == ("大夫之右", "北", bowed["n"])
        assert increasing(offered, bowed, received, back, sent)


def test_food_mat_and_plate_come_in_this_order(journal: Journal) -> None:
    """P10.024–026: 乃荐脯醢，大夫升席 (from the E, 郑)，设折俎."""
    for who in grandees(journal):
        declined = journal.one("10", person=who, verb="辞", object="加席")
        food = journal.one("10", verb="荐", to=who)
        up = journal.one("10", person=who, verb="升席")
        plate = journal.one("10", verb="设", into=f"{who}俎")
        assert increasing(declined, food, up, plate)
        assert (up["via"], up["facing"]) == ("自东方", "南")


def test_he_offers_as_the_guest_but_does_not_taste_sip_or_praise(journal: Journal) -> None:
    """P10.027–030: 祭如宾礼 (P05.045–055)，不哜肺，不啐酒，不告旨."""
    for who in grandees(journal):
        up = journal.one("10", person=who, verb="升席")
        found = verbs(a for a in journal.acts("10", person=who, at=f"{who}席") if a["n"] > up["n"])
        assert found[:15] == [
            "坐", "执", "祭", "奠", "兴", "取", "坐", "绝祭", "兴", "加", "坐", "挩手", "执", "祭", "兴",
        ]  # fmt: skip
    assert not journal.acts("10", verb=("哜", "啐", "告")) and not journal.acts("10", manner="告旨")


def test_he_drains_at_the_west_steps(journal: Journal) -> None:
    """P10.031–032: 西阶上卒爵拜，主人荅拜 (on his right, 敖)."""
    for who in grandees(journal):
        drained = journal.one("10", person=who, verb="卒")
        bow = journal.one("10", person=who, manner="既爵")
        answer = journal.one("10", re=bow["n"])
        assert drained["at"] == bow["at"] == "西阶上" and bow["facing"] == "北"
        assert (answer["person"], answer["at"], answer["facing"]) == ("主人", "大夫之右", "北")
        assert increasing(drained, bow, answer)


def test_he_goes_down_to_wash_and_the_host_after_him(journal: Journal) -> None:
    """P10.033–038: 大夫降洗，主人复阼阶，降，辞如初 (P06.001–016)，卒洗，主人盥; of several the senior alone (郑)."""
    last = max(a["n"] for a in journal.acts("10", verb="卒") if a["person"] != "主人")
    down = next(a for a in journal.acts("10", person="大夫1", verb="降") if a["n"] > last)
    back = journal.first("10", person="主人", verb="反", at="阼阶上")
    host = journal.one("10", person="主人", verb="降", at="阼阶东", clauses="P10.035")
    declined = journal.one("10", person="大夫1", verb="辞", manner="辞降")
    washing = journal.one("10", person="主人", verb="辞", manner="辞洗")
    done = journal.one("10", person="大夫1", verb="卒洗")
    rinsed = journal.last("10", person="主人", verb="盥")
    assert increasing(down, back, host, declined, washing, done, rinsed)
    assert (down["at"], down["facing"]) == ("西阶前", "东")
    assert journal.one("10", person="大夫1", verb="洗")["at"] == "洗南"


def test_the_host_pours_his_own_return(journal: Journal) -> None:
    """P10.039–046: 揖让升，授主人爵于两楹间，复位，主人实爵以酢于西阶上，坐奠爵拜，坐祭卒爵拜; each answered."""
    given = journal.one("10", person="大夫1", verb="授", at="楹间")
    received = journal.last("10", person="主人", verb="受", object="爵")
    filled = journal.last("10", person="主人", verb="实")
    first, second = journal.one("10", manner="奠爵"), journal.last("10", person="主人", manner="既爵")
    offered = journal.one("10", person="主人", verb="祭")
    drained = journal.one("10", person="主人", verb="卒")
    assert given["to"] == ["主人"] and received["at"] == "楹间"
    assert increasing(given, received, filled, first, offered, drained, second)
    for bow in (first, second):
        answer = journal.one("10", re=bow["n"])
        assert bow["at"] == "大夫之右" and bow["times"] == 1 and bow["to"] == ["大夫1"]
        assert (answer["person"], answer["at"]) == ("大夫1", "西阶上")
    assert not journal.acts("10", verb="酢")


def test_the_cup_is_left_south_of_the_west_pillar(journal: Journal) -> None:
    """P10.047–049: 坐奠爵于西楹南，再拜崇酒，大夫荅拜."""
    left = journal.last("10", person="主人", verb="奠")
    thanks = journal.one("10", manner="崇酒")
    answer = journal.one("10", re=thanks["n"])
    assert (left["into"], left["posture"]) == ("西楹南", "坐")
    assert thanks["times"] == 2 and answer["person"] == "大夫1"
    assert increasing(left, thanks, answer)
    cup = left["which"][0]
    assert journal.state("10", "终")["things"][cup] == "西楹南"


def test_all_go_down_and_up_again(journal: Journal) -> None:
    """P10.050–055: 复阼阶，揖降，大夫降立于宾南，主人揖让以宾升，大夫及众宾皆升，就席."""
    thanks = journal.one("10", manner="崇酒")
    acts = [a for a in journal.acts("10") if a["n"] > thanks["n"]]

    def the(person: str, verb: str, at: str = "") -> dict[str, object]:
        return next(a for a in acts if (a["person"], a["verb"]) == (person, verb) and at in ("", a["at"]))

    down = the("主人", "降")
    assert increasing(the("主人", "反", "阼阶上"), the("主人", "揖", "阼阶上"), down)
    for who in grandees(journal):
        stood = the(who, "立")
        assert (stood["at"], stood["facing"]) == ("宾南", "东") and increasing(down, the(who, "降"), stood)
    climbed = [a["person"] for a in acts if a["verb"] == "升" and a["at"] in ("阼阶上", "西阶上")]
    assert climbed == ["主人", "宾", *grandees(journal), "众宾1", "众宾2", "众宾3"]
    state = journal.state("10", "终")["persons"]
    for who in ("主人", "宾", *grandees(journal), "众宾1", "众宾2", "众宾3"):
        assert state[who]["at"] == f"{who}席"
    assert all(state[w]["at"] == "众宾堂下位" for w in journal.others()[3:])


def test_of_several_each_drinks_and_the_senior_returns(journal: Journal) -> None:
    """郑 on P10.033: 大夫若众，则辩献，长乃酢."""
    drank = [a["person"] for a in journal.acts("10", verb="卒") if a["person"] != "主人"]
    assert drank == grandees(journal)
    assert {a["person"] for a in journal.acts("10", verb="洗")} == {"主人", "大夫1"}


def test_one_cup_goes_from_hand_to_hand(alone: Journal) -> None:
    """P10.009 P10.016 P10.040 P10.047: the cup that the host brings down is the one that he leaves."""
    assert len({c for a in alone.acts("10") if a["object"] == "爵" for c in a["which"]}) == 1
