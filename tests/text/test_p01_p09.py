"""From the invitation to the raised cup (P01–P09): what the text says of each act, looked for in the journal."""

from __future__ import annotations

import pytest

from tests.text.reading import Journal, increasing, journal_of, tell, verbs


@pytest.fixture(params=("常", "众宾三", "众宾多"))
def journal(request: pytest.FixtureRequest) -> Journal:
    """Five, three and seventeen of the 众宾."""
    return journal_of(request.param)


def exchange(journal: Journal, phase: str) -> list[tuple[str, int, str]]:
    """The bows of a phase, in order: who, how often, what for."""
    return [(act["person"], act["times"], act["manner"]) for act in journal.acts(phase, verb="拜")]


# P01 戒宾


def test_p01_bows_in_their_order_and_number(journal: Journal) -> None:
    """P01.003–004 P01.008–009 P01.011: 再拜 each time; guest first, then the host for the consent, then farewell."""
    assert [bow[:2] for bow in exchange(journal, "01")] == [("宾", 2), ("主人", 2), ("主人", 2), ("宾", 2), ("宾", 2)]


def test_p01_request_refusal_consent(journal: Journal) -> None:
    """P01.005–008: after the bows of greeting he asks; the guest declines once, consents; then the host bows."""
    journal.in_order("01", "宾 拜", "主人 拜", "主人 请", "宾 辞", "宾 许", "主人 拜", "宾 拜")
    assert len(journal.acts("01", verb="辞")) == len(journal.acts("01", verb="许")) == 1


def test_p01_the_guest_sees_off_one_who_has_left(journal: Journal) -> None:
    """P01.010–011: 主人退，宾送再拜."""
    assert increasing(journal.one("01", person="主人", verb="退"), journal.one("01", person="宾", manner="拜送"))


def test_p01_there_is_no_second_guest(journal: Journal) -> None:
    """P01.012: 无介."""
    assert not any("介" in person for person in journal.state("01", "始")["persons"])
    assert {act["person"] for act in journal.acts("01")} == {"主人", "宾"}


def test_p01_p03_guest_comes_out_to_meet_and_sees_off(journal: Journal) -> None:
    """P01.002–003 P01.010–011 P03.002–003 P03.006: 戒 or 速; 出迎 and bow; the host leaves; 送 and bow."""
    for phase, call in (("01", "戒"), ("03", "速")):
        found = journal.in_order(
            phase, f"主人 {call}", "宾 出", "宾 迎", "宾 拜", "主人 拜", "主人 退", "宾 送", "宾 拜"
        )
        assert {act["at"] for act in found if act["person"] == "宾"} == {"宾家门外"}


# P02 陈设


def test_p02_mats_of_guest_others_host(journal: Journal) -> None:
    """P02.001–003: the guest's mat, then those of the three seniors going on westward, then the host's: five."""
    spread = [act["into"] for act in journal.acts("02", verb="席")]
    assert spread == ["宾席", "众宾1席", "众宾2席", "众宾3席", "主人席"]


def test_p02_two_jars_each_with_a_ladle(journal: Journal) -> None:
    """P02.005–008: 两壶斯禁，皆加勺; the stand under them, the ladles on them."""
    stand = journal.one("02", verb="设", object="斯禁", into="尊")
    jars = journal.acts("02", verb="尊", object="壶", into="尊")
    ladles = journal.acts("02", verb="加", object="勺")
    assert len(jars) == 2 and sum(act["count"] for act in ladles) == 2
    assert increasing(stand, *jars, ladles[0])


def test_p02_cloth_over_the_jars_until_the_guest_comes(journal: Journal) -> None:
    """P52.007–008: the jars are covered; the cloth is taken off when the guest has come, before the offering."""
    put = journal.one("02", verb="加", object="幂")
    off = journal.one(verb="彻", object="幂")
    assert increasing(put, journal.one("04", person="宾", verb="入"), off, journal.first("05"))


def test_p02_two_baskets_basin_and_water(journal: Journal) -> None:
    """P02.009 P02.011 P02.014–015: a basket S of the jars, one W of the basin; the basin before its water."""
    upper = journal.one("02", verb="设", object="篚", into="上篚")
    basin = journal.one("02", verb="设", object="洗")
    water = journal.one("02", verb="设", object="水")
    lower = journal.one("02", verb="设", object="篚", into="下篚")
    assert increasing(upper, basin, water, lower)


def test_p02_the_left_lower_rope_stays_untied(journal: Journal) -> None:
    """P02.019 P02.021–022: 不系左下纲，中掩束之; nothing is tied to it before P17."""
    _, bound = journal.in_order("02", "赞者4 张侯", "赞者4 束")
    assert bound["manner"] == "中掩" and bound["object"] == "侯"
    assert not [act for act in journal.acts(verb="系") if act["n"] < journal.first("17")["n"]]


def test_p02_chimes_then_target_then_screen(journal: Journal) -> None:
    """P02.017 P02.019 P02.023: 县, 张侯, 乏 in the order of the text."""
    chimes, target, screen = (
        journal.one("02", verb=v, object=o) for v, o in (("县", "县"), ("张侯", "侯"), ("设", "乏"))
    )
    assert increasing(chimes, target, screen)


def test_p02_nobody_but_the_staff_and_no_ceremony(journal: Journal) -> None:
    """P02.001–025: laid out before anyone comes; nobody bows or bows his hands."""
    assert all(act["person"].startswith("赞者") for act in journal.acts("02"))
    assert not journal.acts("02", verb=("拜", "揖", "让", "辞"))


# P03 速宾


def test_p03_host_summons_in_court_dress(journal: Journal) -> None:
    """P03.002–003: 主人朝服乃速宾，宾朝服出迎."""
    persons = journal.state("03", "始")["persons"]
    assert "朝服" in persons["主人"]["dress"] and "朝服" in persons["宾"]["dress"]


def test_p03_summoned_when_the_meat_is_done(journal: Journal) -> None:
    """P03.001–002: 羹定 before anything."""
    done = next(line for line in journal.lines_of("happening") if line["what"] == "羹定")
    assert done["n"] < journal.first("03")["n"]


def test_p03_bows_as_in_a_visit(journal: Journal) -> None:
    """P03.003–006: guest 再拜, host answers 再拜, leaves, guest 再拜 unanswered; no request, no refusal."""
    assert [bow[:2] for bow in exchange(journal, "03")] == [("宾", 2), ("主人", 2), ("宾", 2)]
    assert increasing(journal.one("03", verb="退"), journal.last("03", verb="拜"))
    assert not journal.acts("03", verb=("辞", "许", "请"))


def test_p03_guest_and_all_others_follow(journal: Journal) -> None:
    """P03.007: 宾及众宾遂从之, the guest first, all of them, after the host has left."""
    following = journal.acts("03", verb="从")
    assert [act["person"] for act in following] == ["宾", *journal.others()]
    assert increasing(journal.one("03", verb="退"), following[0])


# P04 迎宾拜至


def test_p04_host_and_one_helper_come_out(journal: Journal) -> None:
    """P04.002: 主人一相出迎于门外."""
    assert [act["person"] for act in journal.acts("04", verb="出")] == ["主人", "相"]


def test_p04_bows_at_the_gate_and_on_arrival(journal: Journal) -> None:
    """P04.003–004 P04.019 P04.022: 再拜 and 再拜, twice; the host first each time."""
    assert exchange(journal, "04") == [("主人", 2, "拜迎"), ("宾", 2, "答"), ("主人", 2, "拜至"), ("宾", 2, "答")]


def test_p04_others_are_greeted_by_hand_only(journal: Journal) -> None:
    """P04.005: 揖众宾, after the bows with the guest; none of them bows (拜)."""
    greeting = journal.one("04", verb="揖", to="众宾")
    assert increasing(journal.in_order("04", "宾 拜")[0], greeting)
    assert not [act for act in journal.acts("04", verb="拜") if act["person"].startswith("众宾")]


def test_p04_host_in_first_then_guest_then_others(journal: Journal) -> None:
    """P04.006–008: 主人以宾揖先入，宾厌众宾，众宾皆入门左."""
    bow = journal.first("04", person="主人", verb="揖", to="宾")
    entering = [act for act in journal.acts("04", verb="入") if act["person"] != "相"]
    assert [act["person"] for act in entering] == ["主人", "宾", *journal.others()]
    assert increasing(bow, entering[0], journal.one("04", verb="厌"), entering[1])


def test_p04_guests_stand_left_inside_facing_east(journal: Journal) -> None:
    """P04.008–009: 门左，东面."""
    for person in ("宾", *journal.others()):
        assert (
            journal.one("04", person=person, verb="入")["at"],
            journal.one("04", person=person, verb="入")["facing"],
        ) == (
            "门内左",
            "东",
        )


def test_p04_guest_steps_forward_before_the_three_bows(journal: Journal) -> None:
    """P04.010–011: 宾少进，主人以宾三揖."""
    forward = journal.one("04", person="宾", verb="少进")
    inside = [act for act in journal.acts("04", verb="揖", person="主人") if act["n"] > forward["n"]]
    assert len(inside) == 3


def test_p04_three_bows_at_three_places(journal: Journal) -> None:
    """P04.011–012: 三揖, each at another place, both of them, walking on in between."""
    forward = journal.one("04", person="宾", verb="少进")
    for person in ("主人", "宾"):
        bows = [act for act in journal.acts("04", verb="揖", person=person) if act["n"] > forward["n"]]
        assert len(bows) == len({act["at"] for act in bows}) == 3
        walked = [act for act in journal.acts("04", verb="行", person=person)]
        assert increasing(bows[0], walked[0], bows[1], walked[1], bows[2], walked[2])


def test_p04_only_host_and_guest_walk_on(journal: Journal) -> None:
    """P04.012: 皆行 is the two of them; the 众宾 wait inside the gate (default of the contested point)."""
    assert {act["person"] for act in journal.acts("04", verb="行")} == {"主人", "宾"}
    assert all(journal.state("04", "终")["persons"][person]["at"] == "门内左" for person in journal.others())


def test_p04_three_yieldings_at_the_foot_of_the_steps(journal: Journal) -> None:
    """P04.013–015: 及阶，三让, before anyone ascends."""
    yielded = journal.acts("04", verb="让")
    assert [act["at"] for act in yielded] == ["阼阶下", "西阶下"] * 3
    assert increasing(yielded[-1], journal.first("04", person=("主人", "宾"), verb="升"))


def test_p04_host_one_step_ahead(journal: Journal) -> None:
    """P04.015–016: 主人升一等，宾升: he is on the steps when the guest sets out."""
    host, guest = journal.in_order("04", "主人 升", "宾 升")
    assert host["at"] == "阼阶" and guest["at"].startswith("西阶")


def test_p04_bow_of_arrival_under_the_beam_facing_north(journal: Journal) -> None:
    """P04.017–022: 阼阶上当楣北面, 西阶上当楣北面."""
    host, guest = journal.acts("04", verb="拜")[2:]
    assert (host["at"], host["facing"], guest["at"], guest["facing"]) == ("阼阶上", "北", "西阶上", "北")


# P05 主人献宾


def test_p05_cup_from_the_upper_basket(journal: Journal) -> None:
    """P05.001–002: 坐取爵于上篚以降，宾降."""
    _, taken, down, guest = journal.in_order("05", "主人 坐", "主人 取 爵", "主人 降", "宾 降")
    assert taken["from"] == "上篚" and guest["facing"] == "东"
    assert down["at"] == "阼阶前"


def test_p05_descent_declined_with_the_cup_on_the_ground(journal: Journal) -> None:
    """P05.003–007: 阼阶前西面坐奠爵，兴，辞降，宾对，主人坐取爵兴."""
    found = journal.in_order(
        "05",
        "主人 坐",
        "主人 取 爵",
        "主人 坐",
        "主人 奠 爵",
        "主人 兴",
        "主人 辞",
        "宾 对",
        "主人 坐",
        "主人 取 爵",
        "主人 兴",
    )
    assert found[3]["into"] == "阼阶前" and found[5]["facing"] == "西" and found[5]["manner"] == "辞降"


def test_p05_at_the_basin_facing_south_cup_below_the_basket(journal: Journal) -> None:
    """P05.008–010: 适洗，南面坐奠爵于篚下，盥洗."""
    went = journal.first("05", person="主人", verb="适", at="洗北")
    put, _ = journal.in_order("05", "主人 奠 爵", "主人 盥", after=went["n"])
    assert went["facing"] == "南" and put["into"] == "篚下"


def test_p05_washing_declined_from_the_southwest(journal: Journal) -> None:
    """P05.011: 宾进东北面辞洗, once (N is accepted: contested point 24)."""
    declined = journal.one("05", person="宾", verb="辞", manner="辞洗")
    assert declined["facing"] in ("东北", "北")
    advance = [act for act in journal.acts("05", person="宾", verb="进") if act["n"] < declined["n"]]
    assert advance


def test_p05_reply_with_the_cup_in_the_basket(journal: Journal) -> None:
    """P05.012–016: 坐奠爵于篚，兴，对; the guest goes back; only then the washing is finished."""
    declined = journal.one("05", verb="辞", manner="辞洗")
    found = journal.in_order(
        "05", "主人 坐", "主人 奠 爵", "主人 兴", "主人 对", "宾 反", "主人 卒洗", after=declined["n"]
    )
    assert found[1]["into"] == "下篚"
    assert found[4]["at"] == journal.first("05", person="宾", verb="降")["at"]


def test_p05_one_bow_one_yielding_each_time(journal: Journal) -> None:
    """P05.017 P05.029: 壹揖壹让, after the washing and after the rinsing."""
    assert len(journal.acts("05", person="主人", verb="揖")) == len(journal.acts("05", person="主人", verb="让")) == 2
    journal.in_order(
        "05", "主人 卒洗", "主人 揖", "主人 让", "主人 升", "宾 升", "主人 盥", "主人 揖", "主人 让", "主人 升", "宾 升"
    )


def test_p05_bow_for_the_washing(journal: Journal) -> None:
    """P05.019–023: 宾西阶上北面拜洗; the host sets the cup down, then answers; one each."""
    bow, put, answer = journal.in_order("05", "宾 拜", "主人 奠 爵", "主人 拜")
    assert (bow["manner"], bow["times"], put["into"], answer["re"]) == ("拜洗", 1, "阼阶上", bow["n"])


def test_p05_second_descent_is_for_the_hands_only(journal: Journal) -> None:
    """P05.024–028: 乃降，宾降，主人辞降，宾对，卒盥: no washing, the cup stays above."""
    bow = journal.one("05", manner="拜洗")
    found = journal.in_order("05", "主人 降", "宾 降", "主人 辞", "宾 对", "主人 盥", "主人 升", after=bow["n"])
    between = [act for act in journal.acts("05") if found[0]["n"] < act["n"] < found[-1]["n"]]
    assert not [act for act in between if act["object"] == "爵" or act["verb"] == "洗" or act["manner"] == "辞洗"]


def test_p05_guest_stands_still_while_the_host_fills(journal: Journal) -> None:
    """P05.030–035: 西阶上疑立 until he bows to receive."""
    still = journal.one("05", person="宾", verb="疑立")
    mine = [act for act in journal.acts("05", person="宾") if act["n"] > still["n"]]
    assert still["at"] == "西阶上" and mine[0]["manner"] == "拜受"
    assert increasing(still, journal.one("05", verb="实"), mine[0])


def test_p05_offered_facing_northwest_before_the_guests_mat(journal: Journal) -> None:
    """P05.032–034: 取爵，实之，宾席之前西北面献宾."""
    offered = journal.in_order("05", "主人 取 爵", "主人 实 爵", "主人 献 爵")[2]
    assert (offered["at"], offered["facing"], offered["to"]) == ("宾席前", "西北", ["宾"])


def test_p05_receiving_and_sending(journal: Journal) -> None:
    """P05.035–040: bow, step back; advance, receive before the mat, return; bow, step back."""
    offered = journal.one("05", verb="献")
    found = journal.in_order(
        "05", "宾 拜", "主人 少退", "宾 进", "宾 受 爵", "宾 反", "主人 拜", "宾 少退", after=offered["n"]
    )
    assert found[3]["at"] == "宾席前" and found[4]["at"] == found[0]["at"] == "西阶上"
    assert found[0]["manner"] == "拜受" and found[5]["manner"] == "拜送"


def test_p05_food_then_mat_then_plate(journal: Journal) -> None:
    """P05.040–043: 荐脯醢，宾升席自西方，乃设折俎; after the bows."""
    back = journal.last("05", person="宾", verb="少退")
    food = journal.one("05", verb="荐", object="脯醢")
    mat = journal.one("05", person="宾", verb="升席")
    plate = journal.one("05", verb="设", object="俎")
    assert increasing(back, food, mat, plate)
    assert mat["via"] == "自西方"
    assert food["person"] not in ("主人", "宾") and plate["person"] not in ("主人", "宾")


def test_p05_host_stands_still_during_the_offering(journal: Journal) -> None:
    """P05.044: 主人阼阶东疑立, from the plate to the answer of 告旨."""
    still = journal.one("05", person="主人", verb="疑立")
    asked = journal.one("05", verb="拜", manner="告旨")
    assert still["at"] == "阼阶上东"
    assert not [act for act in journal.acts("05", person="主人") if still["n"] < act["n"] < asked["n"]]


def test_p05_order_of_the_guests_offering(journal: Journal) -> None:
    """P05.045–056: from 坐左执爵 to 席末坐啐酒, act by act."""
    plate = journal.one("05", verb="设", object="俎")
    mine = [a for a in journal.acts("05", person="宾") if a["n"] > plate["n"] and a["verb"] not in ("行", "适")]
    assert verbs(mine[:18]) == (
        ["坐", "执", "祭", "奠", "兴", "取", "坐", "绝祭", "哜", "兴", "加", "坐", "挩手", "执", "祭", "兴", "坐", "啐"]
    )
    assert [act["object"] for act in mine[:18] if act["verb"] in ("祭", "绝祭", "哜", "啐", "取", "加")] == (
        ["脯醢", "肺", "肺", "肺", "肺", "酒", "酒"]
    )


def test_p05_hands_of_the_offering(journal: Journal) -> None:
    """P05.045–046 P05.050: the cup in the left hand, the right offers; 尚左手 in tasting."""
    offered = journal.one("05", person="宾", verb="祭", object="脯醢")
    grasped = [act for act in journal.acts("05", person="宾", verb="执", object="爵") if act["n"] < offered["n"]]
    assert grasped[-1]["hand"] == "左" and offered["hand"] == "右"
    assert journal.one("05", verb="哜")["manner"] == "尚左手"


def test_p05_cup_rests_west_of_the_food_lung_returns_to_the_plate(journal: Journal) -> None:
    """P05.047 P05.052: 奠爵于荐西; 加于俎."""
    offered = journal.one("05", person="宾", verb="祭", object="脯醢")
    assert journal.in_order("05", "宾 奠 爵", after=offered["n"])[0]["into"] == "荐西"
    assert journal.one("05", person="宾", verb="加", object="肺")["into"] == "俎"


def test_p05_sips_at_the_mats_end(journal: Journal) -> None:
    """P05.056: 席末坐啐酒."""
    assert journal.one("05", verb="啐")["at"] == "宾席末"


def test_p05_praise_of_the_wine_off_the_mat(journal: Journal) -> None:
    """P05.057–061: 降席，坐奠爵，拜告旨，执爵兴; the host answers from his steps."""
    found = journal.in_order("05", "宾 啐", "宾 降席", "宾 坐", "宾 奠 爵", "宾 拜", "宾 执 爵", "宾 兴", "主人 拜")
    assert found[4]["manner"] == "告旨" and found[7]["re"] == found[4]["n"] and found[7]["at"] == "阼阶上"
    assert found[4]["at"] not in ("宾席", "宾席末", "西阶上")


def test_p05_drains_kneeling_at_the_west_steps(journal: Journal) -> None:
    """P05.062–067: 西阶上北面坐卒爵，兴，坐奠爵，遂拜，执爵兴; answered."""
    praised = journal.one("05", verb="拜", manner="告旨")
    found = journal.in_order(
        "05",
        "宾 坐",
        "宾 卒 爵",
        "宾 兴",
        "宾 坐",
        "宾 奠 爵",
        "宾 拜",
        "宾 执 爵",
        "宾 兴",
        "主人 拜",
        after=praised["n"],
    )
    assert (found[1]["at"], found[1]["facing"], found[5]["manner"], found[8]["re"]) == (
        "西阶上",
        "北",
        "既爵",
        found[5]["n"],
    )


def test_p05_four_bows_each(journal: Journal) -> None:
    """P05.020–067: 拜洗, 拜受 with 拜送, 告旨, 既爵; one each, no more."""
    assert exchange(journal, "05") == [
        ("宾", 1, "拜洗"),
        ("主人", 1, "答"),
        ("宾", 1, "拜受"),
        ("主人", 1, "拜送"),
        ("宾", 1, "告旨"),
        ("主人", 1, "答"),
        ("宾", 1, "既爵"),
        ("主人", 1, "答"),
    ]


# P06 宾酢主人


def test_p06_descends_with_the_same_cup(journal: Journal) -> None:
    """P06.001–006: 以虚爵降，主人降，西阶前东面坐奠爵，兴，辞降，主人对."""
    found = journal.in_order("06", "宾 降", "主人 降", "宾 坐", "宾 奠 爵", "宾 兴", "宾 辞", "主人 对")
    assert found[3]["which"] == journal.first("05", verb="献")["which"]
    assert (found[5]["at"], found[5]["facing"], found[5]["manner"]) == ("西阶前", "东", "辞降")
    assert found[6]["re"] == found[5]["n"]


def test_p06_at_the_basin_facing_north(journal: Journal) -> None:
    """P06.007–009: 适洗，北面坐奠爵于篚下，兴，盥."""
    went = journal.first("06", person="宾", verb="适")
    _, put, _, rinsed = journal.in_order("06", "宾 坐", "宾 奠 爵", "宾 兴", "宾 盥", after=went["n"])
    assert went["facing"] == "北" and put["into"] == "篚下" and rinsed["facing"] == "北"


def test_p06_host_declines_the_washing_facing_south(journal: Journal) -> None:
    """P06.010–015: 阼阶之东南面辞洗; cup in the basket, rise, reply; the host goes back; then washing ends."""
    declined = journal.one("06", person="主人", verb="辞", manner="辞洗")
    assert declined["facing"] == "南" and declined["at"].startswith("阼阶东")
    found = journal.in_order("06", "宾 坐", "宾 奠 爵", "宾 兴", "宾 对", "主人 反", "宾 卒洗", after=declined["n"])
    assert found[1]["into"] == "下篚" and found[3]["re"] == declined["n"]


def test_p06_bow_and_yielding_as_before(journal: Journal) -> None:
    """P06.017 P06.022: 揖让如初: one and one, after the washing and after the rinsing."""
    assert len(journal.acts("06", person="主人", verb="揖")) == len(journal.acts("06", person="主人", verb="让")) == 2


def test_p06_host_bows_for_the_washing(journal: Journal) -> None:
    """P06.019–021: 主人拜洗，宾荅拜，兴; the cup is set down for the answer."""
    washed = journal.one("06", verb="卒洗")
    bow, put, answer, _ = journal.in_order("06", "主人 拜", "宾 奠 爵", "宾 拜", "宾 兴", after=washed["n"])
    assert bow["manner"] == "拜洗" and answer["re"] == bow["n"] and put["into"] == "西阶上"


def test_p06_second_descent_like_the_hosts(journal: Journal) -> None:
    """P06.022: 降盥如主人之礼 (P05.024–029), the two exchanged; no washing."""
    bow = journal.one("06", manner="拜洗")
    found = journal.in_order("06", "宾 降", "主人 降", "宾 辞", "主人 对", "宾 盥", "主人 升", "宾 升", after=bow["n"])
    between = [act for act in journal.acts("06") if found[0]["n"] < act["n"] < found[-1]["n"]]
    assert not [act for act in between if act["object"] == "爵" or act["verb"] == "洗"]


def test_p06_offered_facing_southeast_before_the_hosts_mat(journal: Journal) -> None:
    """P06.024–025: 实爵，主人之席前东南面酢主人."""
    _, offered = journal.in_order("06", "宾 实 爵", "宾 酢 爵")
    assert (offered["at"], offered["facing"], offered["to"]) == ("主人席前", "东南", ["主人"])


def test_p06_receiving_and_sending(journal: Journal) -> None:
    """P06.026–030: 主人阼阶上拜，宾少退，主人进受爵，复位，宾西阶上拜送爵."""
    offered = journal.one("06", verb="酢")
    found = journal.in_order(
        "06", "主人 拜", "宾 少退", "主人 进", "主人 受 爵", "主人 反", "宾 拜", after=offered["n"]
    )
    assert found[0]["manner"] == "拜受" and found[5]["manner"] == "拜送" and found[5]["at"] == "西阶上"
    assert found[4]["at"] == "阼阶上"


def test_p06_food_then_mat_from_the_north_then_plate(journal: Journal) -> None:
    """P06.031–033: 荐脯醢，主人升席自北方，乃设折俎."""
    sent = journal.one("06", manner="拜送")
    food = journal.one("06", verb="荐", object="脯醢")
    mat = journal.one("06", person="主人", verb="升席")
    assert increasing(sent, food, mat, journal.one("06", verb="设", object="俎"))
    assert mat["via"] == "自北方"


def test_p06_offering_like_the_guests(journal: Journal) -> None:
    """P06.034: 祭如宾礼: the same acts in the same order as P05.045–056."""
    plates = {phase: journal.one(phase, verb="设", object="俎") for phase in ("05", "06")}
    mine = {
        phase: [
            (a["verb"], a["object"], a["hand"])
            for a in journal.acts(phase, person=person)
            if a["n"] > plates[phase]["n"] and a["verb"] not in ("行", "适")
        ][:18]
        for phase, person in (("05", "宾"), ("06", "主人"))
    }
    assert mine["05"][-1][0] == "啐" and mine["06"] == mine["05"]


def test_p06_the_host_does_not_praise_his_own_wine(journal: Journal) -> None:
    """P06.035: 不告旨."""
    assert not journal.acts("06", manner="告旨") and not journal.acts("06", verb="告")


def test_p06_drains_kneeling_at_the_east_steps(journal: Journal) -> None:
    """P06.036–044: 自席前适阼阶上，北面坐卒爵，兴，坐奠爵，遂拜，执爵兴; the guest answers."""
    went = journal.one("06", person="主人", via="自席前")
    found = journal.in_order(
        "06",
        *("主人 坐", "主人 卒 爵", "主人 兴", "主人 坐", "主人 奠 爵", "主人 拜", "主人 执 爵", "主人 兴", "宾 拜"),
        after=went["n"],
    )
    assert went["at"] == found[1]["at"] == "阼阶上" and found[1]["facing"] == "北" and found[8]["re"] == found[5]["n"]


def test_p06_cup_to_the_wall_end_then_thanks_for_the_wine(journal: Journal) -> None:
    """P06.045–047: 坐奠爵于序端，阼阶上再拜崇酒，宾西阶上荅再拜."""
    put = journal.last("06", person="主人", verb="奠", object="爵")
    bow, answer = journal.in_order("06", "主人 拜", "宾 拜", after=put["n"])
    assert put["into"] == "东序端" and (bow["manner"], bow["times"], answer["times"]) == ("崇酒", 2, 2)
    assert not [act for act in journal.acts("06") if act["n"] > answer["n"]]


def test_p06_bows_in_order(journal: Journal) -> None:
    """P06.019–047: 拜洗, 拜受 with 拜送, 既爵, 崇酒."""
    assert [bow[:2] for bow in exchange(journal, "06")] == [
        *(("主人", 1), ("宾", 1)),
        *(("主人", 1), ("宾", 1)),
        *(("主人", 1), ("宾", 1)),
        *(("主人", 2), ("宾", 2)),
    ]


# P07 主人酬宾


def test_p07_another_vessel_and_the_descent(journal: Journal) -> None:
    """P07.001–005: 坐取觯于篚以降，宾降，主人奠觯辞降，宾对，东面立."""
    found = journal.in_order(
        "07",
        "主人 坐",
        "主人 取 觯",
        "主人 降",
        "宾 降",
        "主人 奠 觯",
        "主人 辞",
        "宾 对",
        "宾 立",
        "主人 取 觯",
        "主人 洗 觯",
    )
    assert found[7]["facing"] == "东" and found[1]["from"] == "上篚"


def test_p07_first_washing_is_not_declined_the_second_is(journal: Journal) -> None:
    """P07.007 宾不辞洗; P07.023–024 宾降辞如献礼."""
    declined = journal.one("07", verb="辞", manner="辞洗")
    first, second = journal.acts("07", person="主人", verb="洗")
    assert declined["person"] == "宾" and increasing(first, declined, second)


def test_p07_descent_is_declined_both_times(journal: Journal) -> None:
    """P07.003 P07.024: 辞降, as in the offering, each time that the guest comes down."""
    assert len(journal.acts("07", person="宾", verb="降")) == len(journal.acts("07", person="主人", manner="辞降")) == 2


def test_p07_the_washing_is_not_bowed_for(journal: Journal) -> None:
    """P07.025: 升不拜洗; nor the first time."""
    assert not journal.acts("07", manner="拜洗")


def test_p07_guest_stands_still_then_stands(journal: Journal) -> None:
    """P07.010 西阶上疑立; P07.026 西阶上立."""
    still = journal.one("07", person="宾", verb="疑立")
    stood = journal.last("07", person="宾", verb="立")
    assert still["at"] == stood["at"] == "西阶上"
    assert increasing(still, journal.acts("07", verb="实")[0], stood, journal.acts("07", verb="实")[1])


def test_p07_host_drinks_first(journal: Journal) -> None:
    """P07.011–022: sets the cup, bows, is answered; offers, drinks kneeling, rises; sets, bows, is answered."""
    filled = journal.first("07", verb="实")
    found = journal.in_order(
        "07",
        *(
            "主人 坐",
            "主人 奠 觯",
            "主人 拜",
            "主人 执 觯",
            "主人 兴",
            "宾 拜",
            "主人 坐",
            "主人 祭",
            "主人 卒 觯",
            "主人 兴",
        ),
        *("主人 坐", "主人 奠 觯", "主人 拜", "主人 执 觯", "主人 兴", "宾 拜", "主人 降"),
        after=filled["n"],
    )
    assert found[2]["at"] == "阼阶上" and found[5]["re"] == found[2]["n"] and found[15]["re"] == found[12]["n"]


def test_p07_guest_neither_offers_nor_drinks(journal: Journal) -> None:
    """P07.030–036: the cup of 酬 is set down, not drunk."""
    assert not journal.acts("07", person="宾", verb=("祭", "饮", "卒", "啐"))


def test_p07_two_washings_two_fillings(journal: Journal) -> None:
    """P07.006 P07.011 P07.023 P07.027."""
    found = verbs(journal.acts("07", person="主人", verb=("洗", "卒洗", "实", "酬", "卒")))
    assert found == ["洗", "卒洗", "实", "酬", "卒", "洗", "卒洗", "实"]


def test_p07_guest_bows_before_the_cup_is_set_down(journal: Journal) -> None:
    """P07.028–030: 宾之席前北面; 宾西阶上拜; 主人坐奠觯于荐西."""
    filled = journal.last("07", verb="实")
    stood, bow, _, put = journal.in_order("07", "主人 适", "宾 拜", "主人 坐", "主人 奠 觯", after=filled["n"])
    assert (stood["at"], stood["facing"]) == ("宾席前", "北")
    assert bow["manner"] == "拜受" and bow["at"] == "西阶上" and put["into"] == "荐西"


def test_p07_the_cup_is_set_down_not_handed(journal: Journal) -> None:
    """P07.030: no giving from hand to hand."""
    assert not journal.acts("07", verb=("授", "受"))


def test_p07_guest_declines_takes_returns_and_moves_it_east(journal: Journal) -> None:
    """P07.031–036: 宾辞，坐取觯以兴，反位，主人拜送，宾北面坐奠觯于荐东，反位."""
    put = journal.last("07", person="主人", verb="奠")
    found = journal.in_order(
        "07", "宾 辞", "宾 坐", "宾 取 觯", "宾 兴", "宾 反", "主人 拜", "宾 坐", "宾 奠 觯", "宾 反", after=put["n"]
    )
    assert found[2]["from"] == "荐西" and found[7]["into"] == "荐东" and found[7]["facing"] == "北"
    assert found[5]["manner"] == "拜送" and found[4]["at"] == found[8]["at"] == "西阶上"


def test_p07_that_cup_is_never_touched_again(journal: Journal) -> None:
    """P07.035 P52.028: on the left is what will not be raised."""
    last = journal.last("07", person="宾", verb="奠")
    cup = last["which"][0]
    assert not [act for act in journal.everything if act["n"] > last["n"] and cup in act["which"]]


def test_p07_three_bows_each(journal: Journal) -> None:
    """P07.013–034: host on setting, on draining, on sending; guest answers, answers, and bows to receive."""
    assert [bow[:2] for bow in exchange(journal, "07")] == [
        *(("主人", 1), ("宾", 1)),
        *(("主人", 1), ("宾", 1)),
        *(("宾", 1), ("主人", 1)),
    ]


# P08 主人献众宾


def test_p08_host_and_guest_come_down(journal: Journal) -> None:
    """P08.001–004: 主人揖降，宾降，东面立于西阶西当西序."""
    *_, stood = journal.in_order("08", "主人 揖", "主人 降", "宾 降", "宾 立")
    assert (stood["at"], stood["facing"]) == ("西阶西", "东")


def test_p08_the_guest_stays_below_until_p09(journal: Journal) -> None:
    """P08.002 P09.001–002: he goes up again only when the 众宾 have been served."""
    assert not journal.acts("08", person="宾", verb="升")
    assert [act["verb"] for act in journal.acts("08", person="宾")] == ["揖", "降", "立"]


def test_p08_three_bows_to_all_facing_southwest(journal: Journal) -> None:
    """P08.005–006: 主人西南面三拜众宾, below."""
    bow = journal.one("08", verb="拜", times=3)
    assert (bow["person"], bow["facing"], bow["to"]) == ("主人", "西南", ["众宾"])
    assert increasing(journal.one("08", person="主人", verb="降", at="阼阶东"), bow)


def test_p08_each_answers_once(journal: Journal) -> None:
    """P08.007: 众宾皆荅壹拜."""
    bow = journal.one("08", verb="拜", times=3)
    answers = [act for act in journal.acts("08", verb="拜") if act["re"] == bow["n"]]
    assert [act["person"] for act in answers] == journal.others()
    assert {act["times"] for act in answers} == {1}


def test_p08_up_alone_for_the_cup_of_p06_and_down_to_wash(journal: Journal) -> None:
    """P08.008–011: 主人揖升，坐取爵于序端，降洗，升."""
    found = journal.in_order(
        "08", "主人 拜", "主人 揖", "主人 升", "主人 坐", "主人 取 爵", "主人 降", "主人 洗 爵", "主人 升"
    )
    assert found[4]["from"] == "东序端"
    assert found[4]["which"] == journal.last("06", verb="奠", object="爵")["which"]


def test_p08_washed_once_for_all_and_declined_by_the_first_alone(journal: Journal) -> None:
    """P08.010 P52.030–031: 众宾之长一人辞洗如宾礼; nobody bows for it."""
    journal.one("08", verb="洗")
    declined = journal.one("08", verb="辞")
    assert declined["person"] == "众宾1" and declined["facing"] in ("东北", "北")
    back = journal.in_order("08", "主人 对", "众宾1 反", "主人 卒洗", after=declined["n"])[1]
    assert (back["at"], back["facing"]) == ("众宾堂下位", "东")
    assert not journal.acts("08", manner="拜洗")


def test_p08_offered_to_each_by_rank_at_the_west_steps(journal: Journal) -> None:
    """P08.012–013 P08.024: 实爵，西阶上献众宾; 每一人献."""
    offered = journal.acts("08", verb="献")
    assert [act["to"] for act in offered] == [[person] for person in journal.others()]
    assert {act["at"] for act in offered} == {"西阶上"}
    assert len(journal.acts("08", verb="实")) == len(offered)


def test_p08_three_seniors_bow_to_receive_the_rest_do_not(journal: Journal) -> None:
    """P08.014–015 P08.021: 众宾之长升拜受者三人，主人拜送; 众宾皆不拜受爵."""
    assert [a["person"] for a in journal.acts("08", manner="拜受")] == ["众宾1", "众宾2", "众宾3"]
    assert [a["to"] for a in journal.acts("08", manner="拜送")] == [["众宾1"], ["众宾2"], ["众宾3"]]


def test_p08_a_senior_goes_up_bows_receives_is_bowed_to(journal: Journal) -> None:
    """P08.014–020: 升，拜，受; 主人拜送; 坐祭，立饮，授爵，降."""
    for person in ("众宾1", "众宾2", "众宾3"):
        up = journal.one("08", person=person, verb="升")
        found = journal.in_order("08", f"{person} 拜", f"{person} 受 爵", "主人 拜", f"{person} 坐", after=up["n"] - 1)
        assert found[2]["to"] == [person]
        assert up["at"] == "西阶上"


def test_p08_all_offer_kneeling_and_drink_standing(journal: Journal) -> None:
    """P08.016–017 P08.022–023: 坐祭，立饮; the wine only, no sip, no draining on the knees."""
    for person in journal.others():
        offered = journal.one("08", person=person, verb="祭")
        drunk = journal.one("08", person=person, verb="饮")
        assert (offered["posture"], offered["object"], drunk["posture"]) == ("坐", "酒", "立")
        assert increasing(offered, drunk)
    assert not journal.acts("08", verb=("啐", "哜", "绝祭"))


def test_p08_nobody_bows_on_draining(journal: Journal) -> None:
    """P08.018: 不拜既爵."""
    assert not journal.acts("08", manner="既爵")


def test_p08_the_cup_goes_back_to_the_host_and_the_drinker_down(journal: Journal) -> None:
    """P08.019–020: 授主人爵，降复位, before the next is offered."""
    offered = journal.acts("08", verb="献")
    for k, person in enumerate(journal.others()):
        gave = journal.one("08", person=person, verb="授")
        taken = journal.one("08", person="主人", verb="受", **{"from": person})
        down = journal.one("08", person=person, verb="降")
        assert gave["to"] == ["主人"] and increasing(gave, taken) and increasing(gave, down)
        if k + 1 < len(offered):
            assert increasing(taken, offered[k + 1])


def test_p08_back_where_they_stood(journal: Journal) -> None:
    """P08.020: 降复位: below, facing E."""
    for person in journal.others():
        down = journal.one("08", person=person, verb="降")
        assert (down["at"], down["facing"]) == ("众宾堂下位", "东")


def test_p08_food_for_each_once_offered(journal: Journal) -> None:
    """P08.024–026: 每一人献则荐诸其席; 众宾辩有脯醢: the seniors at their mats, the rest where they stand."""
    food = journal.acts("08", verb="荐", object="脯醢")
    assert [act["to"] for act in food] == [[person] for person in journal.others()]
    for act, offered in zip(food, journal.acts("08", verb="献"), strict=True):
        assert increasing(offered, act)
        mat = f"{act['to'][0]}席" if act["to"][0] in ("众宾1", "众宾2", "众宾3") else "众宾堂下位"
        assert act["into"] == mat, tell(act)


def test_p08_no_plates_for_the_others(journal: Journal) -> None:
    """P08.025–026: 脯醢 only; the three have no 俎."""
    assert not journal.acts("08", object="俎")


def test_p08_empty_cup_to_the_lower_basket(journal: Journal) -> None:
    """P08.027: 主人以虚爵降奠于篚."""
    put = journal.last("08", verb="奠", object="爵")
    assert (put["person"], put["into"]) == ("主人", "下篚")
    assert increasing(
        journal.acts("08", verb="受", person="主人")[-1], journal.last("08", person="主人", verb="降"), put
    )


# P09 一人举觯


def test_p09_bow_and_yielding_then_all_go_up(journal: Journal) -> None:
    """P09.001–003: 揖让升; 宾厌众宾，升; 众宾皆升."""
    found = journal.in_order(
        "09", "主人 揖", "主人 让", "主人 升", "宾 厌", "宾 升", "众宾1 升", "众宾2 升", "众宾3 升"
    )
    assert len(journal.acts("09", verb="让", person="主人")) == 1
    assert found[3]["to"] == ["众宾"]


def test_p09_to_their_mats(journal: Journal) -> None:
    """P09.004: 就席: those who have one, the others stay below."""
    assert {a["person"]: a["at"] for a in journal.acts("09", verb="就")} == {
        p: f"{p}席" for p in ("主人", "宾", "众宾1", "众宾2", "众宾3")
    }
    assert not [a for a in journal.acts("09", verb="升") if a["person"] in journal.others()[3:]]


def test_p09_one_man_from_the_hosts_side_and_a_cup_of_the_lower_basket(journal: Journal) -> None:
    """P09.005–008: 一人洗，升，实觯; after all are at their mats."""
    servers = {act["person"] for act in journal.acts("09")} - {"主人", "宾", *journal.others()}
    assert servers == {"举觯者1"}
    taken = journal.one("09", person="举觯者1", verb="取")
    found = journal.in_order("09", "宾 就", "举觯者1 取 觯", "举觯者1 洗 觯", "举觯者1 升", "举觯者1 实 觯")
    assert taken["from"] == "下篚" and found[1] == taken
    assert len(journal.acts("09", verb="洗")) == len(journal.acts("09", verb="实")) == 2


def test_p09_he_bows_over_the_cup_and_is_answered_from_the_mats_end(journal: Journal) -> None:
    """P09.009–011: 西阶上坐奠觯拜，执觯兴; 宾席末荅拜."""
    found = journal.in_order("09", *(f"举觯者1 {v}" for v in ("坐", "取", "坐", "奠", "拜", "执", "兴")), "宾 拜")
    assert found[4]["at"] == "西阶上" and found[7]["at"] == "宾席末" and found[7]["re"] == found[4]["n"]


def test_p09_he_offers_and_drains_kneeling(journal: Journal) -> None:
    """P09.012–018: 坐祭，遂饮卒觯，兴，坐奠觯，拜，执觯兴; 宾荅拜."""
    first = journal.first("09", person="宾", verb="拜")
    found = journal.in_order(
        "09",
        *(f"举觯者1 {v}" for v in ("坐", "祭", "卒", "兴", "坐", "奠", "拜", "执", "兴")),
        "宾 拜",
        after=first["n"],
    )
    assert found[2]["posture"] == "坐" and found[9]["re"] == found[6]["n"]


def test_p09_washes_and_fills_again(journal: Journal) -> None:
    """P09.019–022: 降洗，升，实之，西阶上北面."""
    drained = journal.one("09", verb="卒")
    found = journal.in_order("09", *(f"举觯者1 {v}" for v in ("降", "洗", "升", "实")), after=drained["n"])
    back = journal.in_order("09", "举觯者1 适", after=found[-1]["n"])[0]
    assert (back["at"], back["facing"]) == ("西阶上", "北")


def test_p09_guest_bows_before_the_cup_is_set_down(journal: Journal) -> None:
    """P09.023–025: 宾拜，举觯者进，坐奠觯于荐西; not handed."""
    filled = journal.last("09", verb="实")
    found = journal.in_order("09", "宾 拜", "举觯者1 进", "举觯者1 坐", "举觯者1 奠", after=filled["n"])
    assert found[3]["into"] == "荐西"
    assert not journal.acts("09", verb=("授", "受"))


def test_p09_guest_declines_takes_and_puts_it_back(journal: Journal) -> None:
    """P09.026–030: 宾辞，坐取以兴; 举觯者西阶上拜送; 宾反奠于其所; 举觯者降."""
    put = journal.last("09", person="举觯者1", verb="奠")
    found = journal.in_order(
        "09", "宾 辞", "宾 坐", "宾 取", "宾 兴", "举觯者1 拜", "宾 奠", "举觯者1 降", after=put["n"]
    )
    assert found[5]["into"] == put["into"] and found[4]["manner"] == "拜送" and found[4]["at"] == "西阶上"


def test_p09_guest_does_not_drink_and_the_full_cup_waits(journal: Journal) -> None:
    """P09.029 P52.029: W of the food, where it waits for P45: touched by nobody until the end of the shooting."""
    assert not journal.acts("09", person="宾", verb=("祭", "饮", "卒", "啐"))
    last = journal.last("09", person="宾", verb="奠")
    assert not [act for act in journal.everything if act["n"] > last["n"] and last["which"][0] in act["which"]]
    assert journal.state("33", "终")["things"][last["which"][0]] == "荐西"


def test_p09_three_bows_each_none_by_the_host(journal: Journal) -> None:
    """P09.009–028."""
    assert [bow[:2] for bow in exchange(journal, "09")] == [
        *(("举觯者1", 1), ("宾", 1)),
        *(("举觯者1", 1), ("宾", 1)),
        *(("宾", 1), ("举觯者1", 1)),
    ]
