"""What holds in every part of the rite, from the text and the standing rules drawn from it."""

from __future__ import annotations

from collections import Counter
from itertools import groupby

import pytest

from tests.text.reading import (
    MOTION,
    WHOLE,
    Journal,
    Line,
    before,
    held,
    increasing,
    journal_of,
    on_hall,
    on_steps,
    tell,
)

CUPS = ("爵", "觯")


@pytest.fixture(params=WHOLE)
def journal(request: pytest.FixtureRequest) -> Journal:
    """Every scenario that is played from the beginning."""
    return journal_of(request.param)


def test_every_answering_bow_answers_a_bow_made_to_its_maker(journal: Journal) -> None:
    """P01.004 P04.004 P05.023 P06.047 …: 荅拜 goes to the one who bowed, and comes after his bow."""
    bows = {act["n"]: act for act in journal.acts(verb="拜")}
    for act in journal.acts(verb="拜", manner="答"):
        asked = bows[act["re"]]
        assert asked["n"] < act["n"]
        assert act["to"] == [asked["person"]], tell(act)
        assert act["person"] in asked["to"] or asked["to"] == ["众宾"], tell(act)


def test_an_answer_has_the_same_number_of_bows(journal: Journal) -> None:
    """P01.004 P04.022 P06.047 P13.021: 再拜 is answered by 再拜, one by one; only P08.007 answers three with one."""
    bows = {act["n"]: act for act in journal.acts(verb="拜")}
    for act in journal.acts(verb="拜", manner="答"):
        asked = bows[act["re"]]
        expected = 1 if asked["times"] == 3 else asked["times"]
        if asked["person"] == "主人" and asked["to"] == ["相"]:  # 司正荅拜: the text gives no number
            expected = act["times"]
        assert act["times"] == expected, tell(act)


def test_no_bow_is_answered_twice_by_one_person(journal: Journal) -> None:
    """P05.023 P06.020 …: each bow has one answer (P08.007: one from each of the 众宾)."""
    answers = Counter((act["re"], act["person"]) for act in journal.acts(verb="拜") if act["re"] is not None)
    assert set(answers.values()) <= {1}


def test_bows_that_nobody_answers_are_those_the_text_leaves_so(journal: Journal) -> None:
    """P01.011 P03.006: the leaver does not answer; P13.035: nor does anyone the 司正; the rest are answered."""
    answered = {act["re"] for act in journal.acts(verb="拜")}
    open_ended = [a for a in journal.acts(verb="拜") if a["n"] not in answered and a["re"] is None]
    assert [(a["phase"][:2], a["actor"]) for a in open_ended] == [("01", "宾"), ("03", "宾"), ("13", "司正")]


def test_a_bow_on_receiving_is_met_by_a_bow_on_sending(journal: Journal) -> None:
    """P05.035/039 P06.026/030 P07.029/034 P08.014/015 P09.023/028: 拜受 and 拜送 belong together, one each."""
    receiving = journal.acts(verb="拜", manner="拜受")
    sending = journal.acts(verb="拜", manner="拜送", times=1)
    assert len(receiving) == len(sending) > 0
    for given in sending:
        asked = next(act for act in receiving if act["n"] == given["re"])
        assert given["to"] == [asked["person"]] and asked["to"] == [given["person"]]
        assert increasing(asked, given)


def test_numbers_of_bows_are_those_of_the_text(journal: Journal) -> None:
    """P08.006 三拜 is the only three; 再拜 only in P01, P03, P04, P13, P10.007 and for 崇酒 (P06.046 P10.048)."""
    for act in journal.acts(verb="拜"):
        phase = act["phase"][:2]
        if act["times"] == 3:
            assert phase == "08" and act["person"] == "主人"
        elif act["times"] == 2:
            assert phase in ("01", "03", "04", "13") or (
                (phase == "06" and act["n"] >= journal.last("06", manner="崇酒")["n"])
                or _twice_to_a_grandee(journal, act)
            )
        else:
            assert act["times"] == 1 and phase not in ("01", "03", "04"), tell(act)


def _twice_to_a_grandee(journal: Journal, act: Line) -> bool:
    """P10.007–008 拜至 (a number is not given), P10.048–049 再拜崇酒, and the answers."""
    asked = [a["n"] for a in journal.acts("10", manner=("拜至", "崇酒"))]
    return act["n"] in asked or act["re"] in asked


def test_nobody_bows_with_a_cup_in_his_hands(journal: Journal) -> None:
    """P05.022–023 P05.058–059 P05.064–065 P07.012–013 P09.009 P13.034–035: the cup is set down first."""
    for act, where in held(journal, *CUPS):
        if act["verb"] == "拜":
            assert f"={act['person']}" not in where.values(), tell(act)


def test_a_cup_is_taken_from_where_it_was_put(journal: Journal) -> None:
    """P05.007 P05.032 P08.009 P33.034 P33.047 …: whoever takes a cup takes it from its place, not out of a hand."""
    for act, where in held(journal, *CUPS):
        if act["object"] in CUPS and act["verb"] in ("取", "彻") and act["which"][0] in where:
            assert where[act["which"][0]] == act["from"], tell(act)


def test_only_the_holder_sets_fills_washes_offers_or_drains(journal: Journal) -> None:
    """P05.009–034 P06.024 P07.011 P33.037 …: what is done with a cup is done by the one who holds it."""
    for act, where in held(journal, *CUPS):
        if act["object"] in CUPS and act["verb"] in ("奠", "洗", "实", "酌", "献", "酢", "酬", "授", "卒", "饮"):
            assert all(where[cup] == f"={act['person']}" for cup in act["which"]), tell(act)


def test_a_cup_changes_hands_between_giver_and_receiver(journal: Journal) -> None:
    """P05.037 P06.028 P08.019 P33.058 P33.061: who receives, receives from the one who holds it."""
    for act, where in held(journal, *CUPS):
        if act["verb"] == "受" and act["object"] in CUPS:
            assert where[act["which"][0]] == f"={act['from']}", tell(act)


def test_cups_are_set_down_and_taken_up_kneeling(journal: Journal) -> None:
    """P05.003 坐奠爵, P05.007 坐取爵, P13.030 坐取觯, P33.034 坐取丰上之觯, P33.038 进坐奠 …"""
    for act in journal.everything:
        if act["phase"].startswith("02"):  # the baskets are filled before anyone comes; the text does not say how
            continue
        if act["object"] in CUPS and (act["verb"] == "奠" or (act["verb"] in ("取", "执", "彻") and act["from"])):
            assert act["posture"] == "坐", tell(act)


def test_one_kneels_from_standing_and_rises_from_kneeling(journal: Journal) -> None:
    """P05.003–004 P05.048–055 P13.025–036 P32.016 …: 坐 and 兴 alternate, and nobody walks on his knees."""
    for act, last in before(journal):
        was = last["posture"] if last else "立"
        if act["verb"] == "坐":
            assert was == "立" and act["posture"] == "坐", tell(act)
        elif act["verb"] == "兴":
            assert was == "坐" and act["posture"] == "立", tell(act)
        else:
            assert act["posture"] == was, tell(act)
        assert act["verb"] not in MOTION or was == "立", tell(act)


def test_places_change_only_by_going(journal: Journal) -> None:
    """P04.012 P05.008 P07.033 …: one is elsewhere only after having gone."""
    for act, last in before(journal):
        if last and act["at"] != last["at"]:
            assert act["verb"] in MOTION, f"{tell(last)} → {tell(act)}"


def test_one_comes_onto_the_hall_only_by_ascending(journal: Journal) -> None:
    """P04.015–016 P09.007 P13.010 P14.007 P21.014 P33.031: from the court to the hall by 升."""
    for act, last in before(journal):
        if last and not on_hall(last["at"]) and on_hall(act["at"]):
            assert act["verb"] == "升", f"{tell(last)} → {tell(act)}"


def test_one_leaves_the_hall_only_by_descending(journal: Journal) -> None:
    """P05.001 P08.001 P13.024 P20.023 P21.042 P33.040: from the hall to the court by 降."""
    for act, last in before(journal):
        if last and on_hall(last["at"]) and not on_hall(act["at"]):
            assert act["verb"] == "降", f"{tell(last)} → {tell(act)}"


def test_the_east_steps_are_for_the_host_alone(journal: Journal) -> None:
    """P04.015 P13.010–011 P14.007 P20.003–006: all but the host go up and down in the west, even to reach 阼阶上."""
    for act in journal.acts(verb=("升", "降")):
        if act["at"] in ("阼阶", "阼阶上", "阼阶下", "阼阶前"):
            assert act["person"] == "主人", tell(act)


def test_the_host_never_uses_the_west_steps(journal: Journal) -> None:
    """P04.015 P05.018 P08.008 P13.008: the host goes up and down in the east."""
    assert not [act for act in journal.acts(person="主人", verb=("升", "降")) if act["at"].startswith("西")]


def test_bows_on_the_hall_face_north(journal: Journal) -> None:
    """P04.019 P04.022 P05.020 P05.035 P06.044 P13.020: N, but by the guest's mat (P05.059 P09.011)."""
    for act in journal.acts(verb="拜"):
        if on_hall(act["at"]) and act["at"] not in ("宾席西", "宾席末"):
            assert act["facing"] == "北", tell(act)


def test_bows_on_the_hall_are_made_at_ones_own_steps(journal: Journal) -> None:
    """P04.017 P04.020 P05.019 P05.039 P06.026 P12.011 P13.020–021: host E, guest W; the host W in P08.013 and P10.020.

    The host W also for the pipers (P12.028 P52.045); the first musician on his mat (P12.010).
    """
    for act in journal.acts(verb="拜"):
        if not on_hall(act["at"]):
            continue
        if act["person"] == "主人":
            by_a_grandee = act["phase"].startswith("10") and act["manner"] != "拜至"
            west = act["phase"].startswith("08") or act["to"] == ["笙1"]
            own = "西阶上" if west else "大夫之右" if by_a_grandee else "阼阶上"
            assert act["at"] == own, tell(act)
        elif act["person"] == "宾":
            assert act["at"] in ("西阶上", "宾席西", "宾席末"), tell(act)
        elif act["person"] == "工1":
            assert act["at"] == "工1席" and act["posture"] == "坐", tell(act)
        else:
            assert act["at"] == "西阶上", tell(act)


def test_at_a_gate_host_and_guest_face_each_other_across(journal: Journal) -> None:
    """P01.003–004 P03.003–004 P04.002–004: who is at home faces W, who comes faces E."""
    for act in journal.acts(verb="拜"):
        if act["phase"][:2] in ("01", "03"):
            assert act["facing"] == {"宾": "西", "主人": "东"}[act["person"]], tell(act)
        elif act["phase"].startswith("04") and not on_hall(act["at"]):
            assert act["facing"] == {"主人": "西", "宾": "东"}[act["person"]], tell(act)


def test_offerings_use_the_jue_and_all_else_the_zhi(journal: Journal) -> None:
    """P52.011–012 献用爵，其他用觯: the jue in P05, P06, P08, P10, P12; the zhi in P07, P09, P13, P33."""
    for act in journal.everything:
        if act["object"] in CUPS and not act["phase"].startswith("02"):
            offering = act["phase"][:2] in ("05", "06", "08", "10", "12")
            assert act["object"] == ("爵" if offering else "觯"), tell(act)


def test_cups_are_filled_at_the_jars(journal: Journal) -> None:
    """P05.033 P06.024 P07.011 P08.012 P09.008 P13.023 P33.007: filling is done where the jars stand (P02.005)."""
    filled = journal.acts(verb=("实", "酌"), object=set(CUPS))
    assert filled
    assert {act["at"] for act in filled} == {"尊"}


def test_full_cups_are_offered_and_drained_empty_ones_are_filled(journal: Journal) -> None:
    """P05.033–034 P05.062 P06.001 虚爵 P07.018 P08.012 P08.027 虚爵 P13.033 P33.047: wine goes in once, out once."""
    full: set[str] = set()
    for act in journal.everything:
        if act["object"] not in CUPS:
            continue
        cup = (act["which"] or [None])[0]
        if act["verb"] in ("实", "酌"):
            assert cup not in full, tell(act)
            full.add(cup)
        elif act["verb"] in ("献", "酢", "酬", "饮", "卒"):
            assert cup in full, tell(act)
            if act["verb"] == "卒":
                full.discard(cup)
        elif act["verb"] == "洗":
            assert cup not in full, tell(act)


def test_who_drains_kneeling_bows_and_who_drains_standing_does_not(journal: Journal) -> None:
    """P05.062–065 P06.038–041 P07.018–020 P09.013–016 P13.033–035; P08.017–018 P12.030–031 立饮，不拜既爵; P33.037.

    The musicians drink kneeling and do not bow (P12.014–015).
    """
    drained = [act for act in journal.acts(verb="卒", object=set(CUPS)) if act["actor"] != "工"]
    assert {act["posture"] for act in drained} >= {"坐", "立"}
    bows = {act["n"] for act in journal.acts(verb="拜", manner="既爵")}
    for act in drained:
        mine = [a for a in journal.acts(act["phase"][:2], person=act["person"]) if a["n"] > act["n"]]
        bowed = any(a["n"] in bows for a in mine[:4])
        assert bowed == (act["posture"] == "坐"), tell(act)
    assert len(bows) == len([act for act in drained if act["posture"] == "坐"])


def test_cups_are_washed_at_the_basin_in_hand(journal: Journal) -> None:
    """P05.008–016 P06.007–016 P07.006 P08.010 P09.005 P13.009 P33.007 P33.054."""
    washed = journal.acts(verb="洗", object=set(CUPS))
    assert {act["at"] for act in washed} == {"洗北", "洗南"}
    assert {act["facing"] for act in washed if act["at"] == "洗北"} == {"南"}  # P05.009
    assert {act["facing"] for act in washed if act["at"] == "洗南"} == {"北"}  # P06.008


def test_principals_rinse_their_hands_before_they_wash(journal: Journal) -> None:
    """P05.010 盥洗, P06.009 盥洗; so in P07 and P08 (如献礼, P07.024)."""
    for phase, person, times in (("05", "主人", 1), ("06", "宾", 1), ("07", "主人", 2), ("08", "主人", 1)):
        for key in journal.acts(phase, person=person, verb="洗"):
            earlier = [a for a in journal.acts(phase, person=person) if a["n"] < key["n"]]
            visit = next(a for a in reversed(earlier) if a["verb"] == "适" and a["at"] == key["at"])
            assert [a for a in earlier if a["verb"] == "盥" and a["n"] > visit["n"]], tell(key)
        assert len(journal.acts(phase, person=person, verb="洗")) == times


def test_declining_is_done_once_and_answered(journal: Journal) -> None:
    """P05.005–006 P05.011–014 P06.005–006 P06.011–014 P07.003–004: each 辞 has one 对 from the one declined."""
    replies = Counter(act["re"] for act in journal.acts(verb="对"))
    for act in journal.acts(verb="辞", manner=("辞降", "辞洗")):
        assert replies[act["n"]] == 1, tell(act)
        reply = next(a for a in journal.acts(verb="对") if a["re"] == act["n"])
        assert reply["person"] in act["to"] and reply["to"] == [act["person"]]


def test_consent_is_declined_once_never_twice(journal: Journal) -> None:
    """P01.006 P13.004 P13.015: 礼辞 is one refusal, then consent (P01.007 P13.005 P13.016)."""
    found = journal.acts(verb="辞", manner="礼辞")
    assert [(a["phase"][:2], a["actor"]) for a in found] == [("01", "宾"), ("13", "司正"), ("13", "宾")]
    for act in found:
        consent = journal.first(act["phase"][:2], person=act["person"], verb=("许", "诺"))
        assert increasing(act, consent)


def test_yielding_is_mutual_and_the_host_begins(journal: Journal) -> None:
    """P04.014 P05.017 P05.029 P06.017 P07.009 P09.001: host, then guest, as often the one as the other."""
    for phase in ("04", "05", "06", "07", "09"):
        found = journal.acts(phase, verb="让")
        assert [act["person"] for act in found] == ["主人", "宾"] * (len(found) // 2) and found, phase


def test_host_goes_up_before_the_guest_each_time(journal: Journal) -> None:
    """P04.015–016 P05.018 P05.030 P06.018 P06.023 P07.009 P09.001–002: the host is a step ahead."""
    for phase, ascents in (("04", 1), ("05", 2), ("06", 2), ("07", 2), ("09", 1)):
        climbed = [a["person"] for a in journal.acts(phase, verb="升", person=("主人", "宾"))]
        runs = [who for who, _ in groupby(climbed)]
        assert climbed[0] == "主人" and climbed.count("主人") == 2 * ascents, phase
        arrived = [a for a in journal.acts(phase, verb="升", at=("阼阶上", "西阶上"), person=("主人", "宾"))]
        assert [a["person"] for a in arrived] == ["主人", "宾"] * ascents, phase
        assert set(runs) == {"主人", "宾"}


def test_drawing_in_the_hands_is_the_guests_and_to_his_followers(journal: Journal) -> None:
    """P04.007 P09.002: 宾厌众宾, at the gate and before going up; P10.053–054 by the 大夫 (敖); never the host."""
    assert [(a["phase"][:2], a["person"], a["to"]) for a in journal.acts(verb="厌")] == [
        ("04", "宾", ["众宾"]),
        ("09", "宾", ["众宾"]),
        *([("10", "宾", ["大夫"]), ("10", "大夫1", ["众宾"])] if journal.options["大夫"] else []),
    ]


def test_the_hosts_greeting_by_hand_is_returned(journal: Journal) -> None:
    """P04.006 P04.011 P05.017 P08.001 P08.008 P09.001: 揖 to the guest by one, 揖 to the 众宾 by each of them."""
    for act in journal.acts(verb="揖", person="主人"):
        # The bows of the shooting are made to nobody (P28.001 ff.).
        if act["phase"][:2] == "13" or not act["to"]:
            continue
        back = [a["person"] for a in journal.acts(verb="揖") if a["re"] == act["n"]]
        greeted = {"众宾": journal.others(), "大夫": [f"大夫{k}" for k in range(1, journal.options["大夫"] + 1)]}
        assert back == greeted.get(act["to"][0], act["to"]), tell(act)


def test_no_one_is_on_the_steps_when_his_part_is_over(journal: Journal) -> None:
    """P08.020 P09.030 P21.077 P33.045: everybody ends a phase on the hall or in the court."""
    for line in journal.lines_of("phase"):
        for person, state in line["state"]["persons"].items():
            assert not on_steps(state["at"]), (line["phase"], person)


def test_the_three_seniors_and_host_and_guest_alone_have_mats(journal: Journal) -> None:
    """P02.001–003 P09.003–004: five mats; nobody else comes to stand on one."""
    for act in journal.everything:
        if act["at"] in ("宾席", "主人席") and not act["person"].startswith("赞者"):
            assert act["person"] == act["at"].removesuffix("席"), tell(act)
        if act["at"].startswith("众宾") and act["at"].endswith("席") and not act["person"].startswith("赞者"):
            assert act["person"] == act["at"].removesuffix("席"), tell(act)


def test_on_the_mat_one_faces_as_the_mat_lies(journal: Journal) -> None:
    """P02.001 席宾南面, P02.003–004 席主人西面: the guest on his mat faces S, so the seniors; the host W."""
    for act in journal.everything:
        if act["at"] == "主人席" and act["person"] == "主人":
            assert act["facing"] == "西", tell(act)
        if act["at"].endswith("席") and act["person"] in ("宾", *journal.others()):
            assert act["facing"] == "南", tell(act)


def test_below_the_steps_host_and_guest_face_each_other(journal: Journal) -> None:
    """P05.003 阼阶前西面, P06.003 西阶前东面, P07.005 东面立, P08.003 东面立于西阶西: until they go to shoot (P28)."""
    for act in (a for a in journal.everything if a["phase"][:2] < "28"):
        if act["person"] == "主人" and act["at"] in ("阼阶前", "阼阶东"):
            assert act["facing"] == "西", tell(act)
        if act["person"] == "宾" and act["at"] in ("西阶前", "西阶西"):
            assert act["facing"] == "东", tell(act)


def test_at_the_basin_one_faces_across_it(journal: Journal) -> None:
    """P05.009 南面 (the host, N of it), P06.008 北面 (the guest, S of it); and so whoever stands there."""
    for act in journal.everything:
        if act["at"] in ("洗北", "洗南"):
            assert act["facing"] == {"洗北": "南", "洗南": "北"}[act["at"]], tell(act)


def test_the_scorer_faces_east_at_the_counters(journal: Journal) -> None:
    """P32.007 东面于中西坐, P32.018 东面坐: at every act there."""
    for act in journal.acts("32", person="释获者", at=("中西", "中西北")):
        assert act["facing"] == "东", tell(act)


def test_on_the_steps_and_stair_heads_one_faces_north_going_up(journal: Journal) -> None:
    """P05.019–021 P06.019 P20.006 P21.017–019: whoever of host, guest and archers ascends faces N."""
    climbers = ("主人", "宾", *(act["person"] for act in journal.acts("21", verb="履物")))
    for act in journal.acts(verb="升"):
        if act["person"] in climbers and not (act["person"] == "主人" and act["phase"].startswith("13")):
            assert act["facing"] == "北", tell(act)


def test_each_descent_of_the_other_is_declined(journal: Journal) -> None:
    """P05.005 P05.026 P06.005 P06.022 P07.003 P07.024: 辞降 as often as the partner follows down; never in P08."""
    for phase, leader, follower, times in (
        *(("05", "主人", "宾", 2), ("06", "宾", "主人", 2)),
        *(("07", "主人", "宾", 2), ("08", "主人", "宾", 0)),
    ):
        declined = journal.acts(phase, person=leader, verb="辞", manner="辞降")
        assert len(declined) == times
        if times:
            assert len(journal.acts(phase, person=follower, verb="降")) == times


def test_each_return_from_the_basin_has_one_bow_of_the_hands(journal: Journal) -> None:
    """P05.017 P05.029 P06.017 P06.022 P07.009 P07.024 P09.001: 壹揖 before 壹让, each time."""
    for phase, times in (("05", 2), ("06", 2), ("07", 2), ("09", 1)):
        assert len(journal.acts(phase, person="主人", verb="揖", to="宾")) == times, phase
        assert len(journal.acts(phase, person="主人", verb="让", to="宾")) == times, phase
