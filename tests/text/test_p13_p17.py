"""The 司正, the asking for the shooting, the target stretched (P13, P14, P17): the text's word on each act."""

from __future__ import annotations

import pytest

from tests.text.reading import THREE_PAIRS, Journal, increasing, journal_of, verbs

SIX = [archer for pair in THREE_PAIRS for archer in pair]


@pytest.fixture(params=("常", "大夫"))
def journal(request: pytest.FixtureRequest) -> Journal:
    """The ordinary rite, and one with grandees."""
    return journal_of(request.param)


# P13 立司正


def test_p13_host_leaves_his_mat_by_the_south_and_descends_alone(journal: Journal) -> None:
    """P13.001–002: 降席自南方，侧降: this time the guest does not follow."""
    off, down = journal.in_order("13", "主人 降席", "主人 降")
    assert off["via"] == "自南方" and increasing(off, down)
    assert not journal.acts("13", person="宾", verb="降")


def test_p13_the_helper_becomes_director_after_one_refusal(journal: Journal) -> None:
    """P13.003–005: 作相为司正，司正礼辞，许诺."""
    made = journal.one("13", verb="作")
    found = journal.in_order("13", "主人 作", "相 辞", "相 诺")
    became = next(line for line in journal.lines_of("become") if line["office"] == "司正")
    assert made["to"] == ["相"] and became["person"] == "相"
    assert found[1]["manner"] == "礼辞" and len(journal.acts("13", person="相", verb="辞")) == 1


def test_p13_host_bows_twice_below_before_he_goes_up(journal: Journal) -> None:
    """P13.006–008: 主人再拜，司正荅拜，主人升就席."""
    bow, answer, up, _seat = journal.in_order("13", "主人 拜", "相 拜", "主人 升", "主人 就")
    assert bow["times"] == 2 and answer["re"] == bow["n"]
    assert bow["at"] == journal.one("13", person="主人", verb="降")["at"]
    assert up["at"] == "阼阶上"


def test_p13_washes_goes_up_in_the_west_and_across_inside_the_pillars(journal: Journal) -> None:
    """P13.009–012: 洗觯，升自西阶，由楹内适阼阶上，北面受命于主人."""
    washed, up, across, told = journal.in_order("13", "相 洗 觯", "相 升", "相 适", "相 受命")
    assert (up["via"], across["via"], across["at"]) == ("自西阶", "由楹内", "阼阶上")
    assert (told["at"], told["facing"], told["to"]) == ("阼阶上", "北", ["主人"])
    assert washed["n"] > journal.one("13", person="主人", verb="升")["n"]


def test_p13_asks_the_guest_to_be_at_ease(journal: Journal) -> None:
    """P13.013–016: 西阶上北面请安于宾; 宾礼辞，许."""
    asked, refused, _, consent = journal.in_order("13", "相 请", "宾 辞", "相 请", "宾 许")
    assert (asked["at"], asked["facing"], asked["to"]) == ("西阶上", "北", ["宾"])
    assert refused["manner"] == "礼辞" and len(journal.acts("13", person="宾", verb="辞")) == 1
    assert consent["to"] == ["相"]


def test_p13_reports_to_the_host_then_stands_between_the_pillars(journal: Journal) -> None:
    """P13.017–019: 司正告于主人，遂立于楹间以相拜."""
    consent, told, stood, ushered, bow = journal.in_order("13", "宾 许", "相 告", "相 立", "相 相拜", "主人 拜")
    assert told["to"] == ["主人"] and stood["at"] == ushered["at"] == "楹间" and bow["n"] > consent["n"]


def test_p13_host_and_guest_bow_twice_each(journal: Journal) -> None:
    """P13.020–021: 主人阼阶上再拜，宾西阶上荅再拜."""
    stood = journal.one("13", person="相", verb="立", at="楹间")
    bow, answer = journal.in_order("13", "主人 拜", "宾 拜", after=stood["n"])
    assert (bow["times"], bow["at"], answer["times"], answer["at"]) == (2, "阼阶上", 2, "西阶上")


def test_p13_both_bow_their_hands_and_go_to_their_mats(journal: Journal) -> None:
    """P13.022: 皆揖就席."""
    answer = journal.last("13", person="宾", verb="拜")
    for person in ("主人", "宾"):
        _, seat = journal.in_order("13", f"{person} 揖", f"{person} 就", after=answer["n"])
        assert seat["at"] == f"{person}席"


def test_p13_fills_and_sets_the_cup_in_mid_court(journal: Journal) -> None:
    """P13.023–025: 实觯，降自西阶，中庭北面坐奠觯, when they are seated."""
    filled, down, _, put = journal.in_order("13", "相 实 觯", "相 降", "相 坐", "相 奠 觯")
    assert down["via"] == "自西阶" and (put["into"], put["facing"]) == ("中庭", "北")
    assert increasing(journal.last("13", verb="就", person="宾"), filled)


def test_p13_steps_back_stands_comes_forward(journal: Journal) -> None:
    """P13.026–031: 兴，退，少立，进，坐取觯，兴: nothing between."""
    put = journal.first("13", verb="奠", object="觯")
    mine = [act for act in journal.acts("13", person="相") if act["n"] > put["n"]]
    assert verbs(mine[:7]) == ["兴", "退", "立", "进", "坐", "取", "兴"]


def test_p13_no_sacrifice(journal: Journal) -> None:
    """P13.032: 反坐不祭."""
    assert not journal.acts("13", verb=("祭", "绝祭"))


def test_p13_drains_kneeling_sets_bows_rises(journal: Journal) -> None:
    """P13.032–036: 反坐，卒觯，兴，坐奠觯，拜，执觯兴."""
    taken = journal.first("13", person="相", verb="取", **{"from": "中庭"})
    journal.in_order("13", *(f"相 {v}" for v in ("坐", "卒", "兴", "坐", "奠", "拜", "执", "兴")), after=taken["n"])
    assert journal.one("13", verb="卒")["person"] == "相"


def test_p13_his_bow_is_answered_by_nobody(journal: Journal) -> None:
    """P13.035: 拜; the text has no answer."""
    bow = journal.last("13", person="相", verb="拜")
    assert bow["times"] == 1
    assert not [act for act in journal.acts("13", verb="拜") if act["re"] == bow["n"] or act["n"] > bow["n"]]


def test_p13_washes_again_and_sets_the_empty_cup_in_its_place(journal: Journal) -> None:
    """P13.037–039: 洗，北面坐奠于其所，兴."""
    drained = journal.one("13", verb="卒")
    _, _, put, _ = journal.in_order("13", "相 洗 觯", "相 坐", "相 奠 觯", "相 兴", after=drained["n"])
    assert put["into"] == journal.first("13", verb="奠", object="觯")["into"] == "中庭"
    assert put["facing"] == "北"
    assert len(journal.acts("13", verb="洗")) == 2 and len(journal.acts("13", verb="实")) == 1


def test_p13_stands_south_of_it_facing_north(journal: Journal) -> None:
    """P13.040–041: 少退，北面立于觯南."""
    put = journal.last("13", verb="奠", object="觯")
    _, stood = journal.in_order("13", "相 少退", "相 立", after=put["n"])
    assert (stood["at"], stood["facing"]) == ("觯南", "北")
    assert journal.state("13", "终")["things"][put["which"][0]] == "中庭"


def test_p13_food_for_the_director_after_his_cup(journal: Journal) -> None:
    """P52.047: 司正既举觯而荐诸其位."""
    food = journal.one("13", verb="荐")
    assert food["to"] == ["相"] and increasing(journal.last("13", verb="奠", object="觯"), food)


def test_p13_the_toast_round_is_held_back(journal: Journal) -> None:
    """P13.042: 未旅: no cup passes from hand to hand, none but the 司正 drinks, and his cup stays where it is."""
    assert not journal.acts("13", verb=("酬", "授", "受", "献"))
    put = journal.last("13", verb="奠", object="觯")
    assert not [act for act in journal.everything if act["n"] > put["n"] and put["which"][0] in act["which"]]


# P14 司射请射


def test_p14_three_pairs_wait_west_of_the_hall(journal: Journal) -> None:
    """P14.001–002: 三耦俟于堂西，南面: all six."""
    waiting = journal.acts("14", verb="立")
    assert [act["person"] for act in waiting] == SIX
    assert {(act["at"], act["facing"]) for act in waiting} == {("堂西", "南")}


def test_p14_director_of_archery_arms_himself(journal: Journal) -> None:
    """P14.003–006: 适堂西，袒决遂，取弓于阶西，兼挟乘矢: four arrows at once."""
    went, _, _, bow, nocked = journal.in_order("14", "司射 适", "司射 袒", "司射 决遂", "司射 取 弓", "司射 挟 矢")
    assert went["at"] == "堂西" and bow["from"] == "西阶西"
    assert nocked["count"] == 4 == len(set(nocked["which"]))


def test_p14_asks_the_guest_from_the_west_steps(journal: Journal) -> None:
    """P14.007–011: 升自西阶，阶上北面，告于宾曰：弓矢既具，有司请射; armed already."""
    up = journal.one("14", person="司射", verb="升")
    asked = journal.one("14", person="司射", verb="告", to="宾")
    assert up["via"] == "自西阶" and (asked["at"], asked["facing"]) == ("西阶上", "北")
    assert asked["speech"] == "弓矢既具，有司请射"
    assert increasing(journal.one("14", verb="挟"), up, asked)


def test_p14_the_guest_consents_for_the_others(journal: Journal) -> None:
    """P14.012–014: 宾对曰：某不能，为二三子许诺."""
    asked, reply = journal.in_order("14", "司射 告", "宾 对")
    assert reply["speech"] == "某不能，为二三子许诺" and reply["re"] == asked["n"]


def test_p14_then_the_host_is_told_facing_northeast(journal: Journal) -> None:
    """P14.015–018: 适阼阶上，东北面告于主人曰：请射于宾，宾许; he is told, not asked."""
    _, went, told = journal.in_order("14", "宾 对", "司射 适", "司射 告")
    assert went["at"] == told["at"] == "阼阶上" and told["facing"] == "东北"
    assert told["to"] == ["主人"] and told["speech"] == "请射于宾，宾许"
    assert not journal.acts("14", person="主人")


# P17 司马命张侯倚旌


def test_p17_the_director_is_now_marshal(journal: Journal) -> None:
    """P17.001: 司正为司马, the same man."""
    became = [(line["person"], line["office"]) for line in journal.lines_of("become")]
    assert became == [("相", "司正"), ("相", "司马")]
    assert {act["actor"] for act in journal.acts("13", person="相")} == {"司正"}
    assert {act["actor"] for act in journal.acts("17", person="相")} == {"司马"}
    assert {act["actor"] for act in journal.acts("21", person="相")} == {"司马"}


def test_p17_target_ordered_untied_and_fastened_by_the_juniors(journal: Journal) -> None:
    """P17.002–004: 司马命张侯，弟子说束，遂系左下纲."""
    order = journal.first("17", person="相", verb="命")
    untied, tied = journal.in_order("17", "弟子1 说束", "弟子1 系", after=order["n"])
    assert order["to"] == ["弟子"] and order["speech"] == "张侯"
    assert untied["object"] == "侯" and tied["object"] == "左下纲"


def test_p17_flag_ordered_after_the_target(journal: Journal) -> None:
    """P17.005–006: 司马又命获者倚旌于侯中."""
    first, second = journal.acts("17", person="相", verb="命")
    assert second["to"] == ["获者"] and second["speech"] == "倚旌于侯中" and increasing(first, second)


def test_p17_flag_taken_kneeling_leaned_on_the_centre(journal: Journal) -> None:
    """P17.007–009: 获者由西方，坐取旌倚于侯中，乃退."""
    order = journal.last("17", person="相", verb="命")
    kneel, taken, leaned, back = journal.in_order(
        "17", "获者 坐", "获者 取 旌", "获者 倚 旌", "获者 退", after=order["n"]
    )
    assert kneel["posture"] == taken["posture"] == "坐" and leaned["into"] == "侯中"
    assert [act["via"] for act in journal.acts("17", person="获者") if act["via"]] == ["由西方"]
    assert back["at"] != leaned["at"]


def test_p17_ordered_before_the_steps_once_the_archery_director_is_up(journal: Journal) -> None:
    """P53.006–008: 司射既袒决遂而升，司马阶前命张侯，遂命倚旌."""
    up = journal.one("14", person="司射", verb="升")
    for order in journal.acts("17", person="相", verb="命"):
        assert order["at"] == "西阶前" and increasing(up, order)


def test_p17_no_bows(journal: Journal) -> None:
    """P14, P17: orders and reports; nobody bows."""
    assert not journal.acts("14", verb="拜") and not journal.acts("17", verb=("拜", "揖"))
