"""The music, the cup for those who made it, and their moving down (P11, P12, P18): the text's word on each act."""

from __future__ import annotations

from functools import cache

import pytest

from tests.builders import scene
from tests.text.reading import Journal, Line, held, increasing, journal_of, tell, verbs

MUSICIANS = ("工1", "工2", "工3", "工4")
PIPERS = ("笙1", "笙2", "笙3", "笙4")
GUIDES = ("相者1", "相者2", "相者3", "相者4")
ZITHERS = {"相者3": "工3", "相者4": "工4"}
SONGS = ("关雎", "葛覃", "卷耳", "鹊巢", "采蘩", "采苹")


@pytest.fixture(params=("常", "大夫"))
def journal(request: pytest.FixtureRequest) -> Journal:
    """The ordinary rite, and one with grandees."""
    return journal_of(request.param)


@cache
def with_a_master(scenario: str) -> Journal:
    """The music where the first musician is a master."""
    return Journal(tuple(scene("11-合乐乐宾", "13-立司正", scenario=scenario).journal.lines))


def firsts(journal: Journal, phase: str, people: tuple[str, ...], verb: str) -> list[Line]:
    """The only act of a kind of each of some people."""
    return [journal.one(phase, person=person, verb=verb) for person in people]


# P11 合乐乐宾


def test_p11_mats_at_the_head_of_the_west_steps_before_anyone_comes(journal: Journal) -> None:
    """P11.001–002: 席工于西阶上少东，乐正先升."""
    mats = journal.acts("11", verb="席")
    assert [mat["into"] for mat in mats] == [f"{person}席" for person in MUSICIANS]
    assert mats[-1]["n"] < journal.one("11", person="乐正", verb="升")["n"]


def test_p11_the_chief_musician_goes_up_first_and_stands_facing_north(journal: Journal) -> None:
    """P11.002–003: 乐正先升，北面立于其西."""
    up, stood = journal.in_order("11", "乐正 升", "乐正 立")
    assert up["via"] == "自西阶" and (stood["at"], stood["facing"]) == ("工席西", "北")
    assert all(stood["n"] < act["n"] for act in firsts(journal, "11", (*MUSICIANS, *GUIDES), "升"))


def test_p11_two_zithers_carried_on_the_left_guided_with_the_right(journal: Journal) -> None:
    """P11.004–010: 工四人二瑟; 相者皆左何瑟，面鼓，执越，内弦，右手相."""
    assert len(journal.acts("11", verb="何")) == 2
    for guide, musician in ZITHERS.items():
        lifted, hole, guided, _ = journal.in_order(
            "11", f"{guide} 何 瑟", f"{guide} 执越", f"{guide} 相工", f"{guide} 入"
        )
        assert (lifted["hand"], lifted["manner"], hole["manner"]) == ("左", "面鼓", "内弦")
        assert (guided["hand"], guided["to"]) == ("右", [musician])


def test_p11_zithers_first_in_and_up_the_west_steps(journal: Journal) -> None:
    """P11.005 P11.011–012: 瑟先; 入，升自西阶."""
    for verb in ("入", "升"):
        order = [act["person"] for act in journal.acts("11", verb=verb) if act["person"] in MUSICIANS]
        assert order == ["工3", "工4", "工1", "工2"]
    assert {act["via"] for act in firsts(journal, "11", (*MUSICIANS, *GUIDES), "升")} == {"自西阶"}


def test_p11_musicians_sit_facing_north_and_are_handed_the_zithers(journal: Journal) -> None:
    """P11.013–016: 北面东上，工坐，相者坐授瑟，乃降."""
    sat = firsts(journal, "11", MUSICIANS, "坐")
    assert [(act["at"], act["facing"]) for act in sat] == [(f"{person}席", "北") for person in MUSICIANS]
    for guide, musician in ZITHERS.items():
        knelt, given, down = journal.in_order("11", f"{guide} 坐", f"{guide} 授 瑟", f"{guide} 降")
        assert given["to"] == [musician] and given["posture"] == "坐"
        assert increasing(sat[-1], knelt, given, journal.one("11", person=musician, verb="受"), down)


def test_p11_pipers_stand_among_the_chimes_facing_west(journal: Journal) -> None:
    """P11.017–019 P52.040: 笙入，立于县中，西面; three and one."""
    for piper in PIPERS:
        _, stood = journal.in_order("11", f"{piper} 入", f"{piper} 立")
        assert (stood["at"], stood["facing"], stood["posture"]) == ("县中", "西", "立")
    ready = journal.acts("11", verb=("入", "立", "降"), person=(*GUIDES, *PIPERS))
    assert max(act["n"] for act in ready) < journal.first("11", verb="合乐")["n"]


def test_p11_six_songs_all_together_and_nothing_else(journal: Journal) -> None:
    """P11.020–028: 乃合乐 (no solo song, no pipes alone, no turns): each piece by all before the next."""
    played = journal.acts("11", verb="合乐")
    assert [act["manner"] for act in played] == [song for song in SONGS for _ in (*MUSICIANS, *PIPERS)]
    assert {act["person"] for act in played} == {*MUSICIANS, *PIPERS}
    assert not journal.acts("11", verb=("歌", "奏"))


def test_p11_announced_seated_told_to_the_guest(journal: Journal) -> None:
    """P11.029–032: 工不兴，告于乐正曰正歌备; 乐正告于宾，乃降."""
    told = journal.one("11", person="工1", verb="告")
    onward = journal.one("11", person="乐正", verb="告")
    down = journal.one("11", person="乐正", verb="降")
    assert (told["to"], told["speech"], told["posture"]) == (["乐正"], "正歌备", "坐")
    assert onward["to"] == ["宾"] and increasing(journal.last("11", verb="合乐"), told, onward, down)
    assert not journal.acts("11", person=MUSICIANS, verb="兴")


# P12 献工与笙


def test_p12_cup_from_the_upper_basket_to_the_lower(journal: Journal) -> None:
    """P12.001 P12.039 P52.041–044: 取爵于上篚; 既献，奠于下篚."""
    taken, put = journal.in_order("12", "主人 取 爵", "主人 奠 爵")
    assert (taken["from"], put["into"]) == ("上篚", "下篚")
    assert put["n"] > journal.last("12", person=PIPERS, verb="授")["n"]


def test_p12_nobody_washes_where_there_is_no_master(journal: Journal) -> None:
    """P12.002–003 P12.022: only 大师则为之洗; 不洗."""
    assert not journal.acts("12", verb=("洗", "卒洗", "盥"))
    assert not journal.acts("12", person="宾")


@pytest.mark.parametrize(("scenario", "with_washing"), [("大师", False), ("大师从敖", True)])
def test_p12_the_cup_is_washed_for_a_master(scenario: str, with_washing: bool) -> None:
    """P12.002–007 P12.040: 宾降，主人辞降，工不辞洗，卒洗升; the guest up again then (敖) or at the end (郑)."""
    journal = with_a_master(scenario)
    down, follows, declined, washed, up = journal.in_order("12", "主人 降", "宾 降", "主人 辞", "主人 洗 爵", "主人 升")
    assert declined["to"] == ["宾"] and increasing(down, follows, declined, washed, up)
    assert not journal.acts("12", person=MUSICIANS, verb=("辞", "降"))
    returned = journal.one("12", person="宾", verb="升", at="西阶上")
    offered = journal.first("12", verb="献")
    assert (returned["n"] < offered["n"]) is with_washing
    assert washed["n"] < offered["n"] and len(journal.acts("12", verb="洗")) == 1


def test_p12_zithers_laid_left_before_the_cup_comes(journal: Journal) -> None:
    """P12.008–009: 工不兴，左瑟."""
    for musician in ZITHERS.values():
        aside = journal.one("12", person=musician, verb="左瑟")
        assert aside["posture"] == "坐" and aside["n"] < journal.first("12", person="工1", verb="受")["n"]
    assert not journal.acts("12", person=MUSICIANS, verb="兴")


def test_p12_the_first_musician_bows_and_is_bowed_to_from_the_east_steps(journal: Journal) -> None:
    """P12.010–011: 一人拜受爵; 主人阼阶上拜送爵."""
    bow, received, sent = journal.in_order("12", "工1 拜", "工1 受 爵", "主人 拜")
    assert (bow["times"], bow["manner"], bow["posture"]) == (1, "拜受", "坐")
    assert received["posture"] == "坐"
    assert (sent["at"], sent["facing"], sent["times"], sent["re"]) == ("阼阶上", "北", 1, bow["n"])


def test_p12_the_first_musician_is_helped_to_offer(journal: Journal) -> None:
    """P12.012–016: 荐脯醢，使人相祭; 工饮，不拜既爵，授主人爵."""
    food, helped, drunk, given = journal.in_order("12", "赞者1 荐 脯醢", "相者1 相祭", "工1 饮", "工1 授 爵")
    assert food["to"] == helped["to"] == ["工1"] and given["to"] == ["主人"]
    assert {a["object"] for a in journal.acts("12", person="工1", verb="祭") if helped["n"] < a["n"] < drunk["n"]} == {
        "脯醢",
        "酒",
    }
    assert len(journal.acts("12", person="工1", verb="拜")) == 1


def test_p12_the_other_musicians_do_not_bow_and_offer_wine_only(journal: Journal) -> None:
    """P12.017–021: 众工不拜受爵，祭，饮; 辩有脯醢，不祭."""
    for musician in MUSICIANS[1:]:
        acts = journal.acts("12", person=musician, verb=("受", "祭", "饮", "授", "拜"))
        assert verbs(acts) == ["受", "祭", "饮", "授"]
        assert acts[1]["object"] == "酒" and {act["posture"] for act in acts} == {"坐"}
        assert journal.one("12", verb="荐", to=musician)["into"] == f"{musician}席"


def test_p12_pipers_after_all_the_musicians_at_the_west_steps(journal: Journal) -> None:
    """P12.023 P52.045: 遂献笙于西阶上."""
    offered = journal.acts("12", verb="献")
    assert [act["to"][0] for act in offered] == [*MUSICIANS, *PIPERS]
    assert {act["at"] for act in offered[4:]} == {"西阶上"}


def test_p12_the_first_piper_bows_below_and_takes_it_on_the_top_step(journal: Journal) -> None:
    """P12.024–028: 笙一人拜于下，尽阶，不升堂，受爵; 主人拜送爵."""
    bow, up, received, sent = journal.in_order("12", "笙1 拜", "笙1 升", "笙1 受 爵", "主人 拜")
    assert bow["at"] in ("西阶下", "西阶前") and (up["at"], received["at"]) == ("西阶", "西阶")
    assert (bow["times"], sent["times"], sent["at"], sent["re"]) == (1, 1, "西阶上", bow["n"])
    assert not journal.acts("12", person=PIPERS, at="西阶上")


def test_p12_pipers_offer_kneeling_and_drink_standing_before_the_steps(journal: Journal) -> None:
    """P12.029–038: 阶前坐祭，立饮，不拜既爵，升授主人爵; 众笙不拜受爵，坐祭，立饮; 辩有脯醢，不祭."""
    for piper in PIPERS:
        offered, drunk, given = journal.in_order("12", f"{piper} 祭 酒", f"{piper} 饮", f"{piper} 授 爵")
        assert (offered["at"], offered["posture"], drunk["at"], drunk["posture"]) == ("西阶前", "坐", "西阶前", "立")
        assert given["at"] == "西阶" and given["to"] == ["主人"]
        assert len(journal.acts("12", person=piper, verb="祭")) == 1
        assert len(journal.acts("12", person=piper, verb="拜")) == (piper == "笙1")
        assert journal.one("12", verb="荐", to=piper)["into"] == "县中"


def test_p12_the_host_has_the_cup_when_he_offers_it(journal: Journal) -> None:
    """P12.007 P12.016–019 P12.033: filled for each, and given back by each."""
    cup = journal.one("12", verb="取", object="爵")["which"][0]
    for act, where in held(journal, "爵"):
        if act["phase"].startswith("12") and act["verb"] in ("实", "献"):
            assert where[cup] == "=主人", tell(act)
    assert len(journal.acts("12", verb="实")) == len(journal.acts("12", verb="献")) == 8


def test_p12_the_host_goes_back_to_his_mat(journal: Journal) -> None:
    """P12.039–040: 主人以爵降奠于篚，反升就席."""
    down, put, up, seat = journal.in_order("12", "主人 降", "主人 奠 爵", "主人 升", "主人 就")
    assert seat["at"] == "主人席" and increasing(down, put, up, seat)


# P18 乐正迁乐


def test_p18_the_juniors_are_told_to_move_the_music(journal: Journal) -> None:
    """P18.001–002: 乐正适西方，命弟子赞工迁乐于下."""
    _, ordered, up = journal.in_order("18", "乐正 适", "乐正 命", "相者1 升")
    assert ordered["to"] == ["弟子"] and increasing(ordered, up)


def test_p18_they_go_down_as_they_came_in(journal: Journal) -> None:
    """P18.003–004: 弟子相工如初入，降自西阶: zithers as in P11.006–010, and first."""
    for guide, musician in ZITHERS.items():
        lifted, hole, guided, down = journal.in_order(
            "18", f"{guide} 何 瑟", f"{guide} 执越", f"{guide} 相工", f"{guide} 降"
        )
        assert (lifted["hand"], lifted["manner"], hole["manner"]) == ("左", "面鼓", "内弦")
        assert (guided["hand"], guided["to"], down["via"]) == ("右", [musician], "自西阶")
    went = [act for act in journal.acts("18", verb="降") if act["person"] in MUSICIANS]
    assert [act["person"] for act in went] == ["工3", "工4", "工1", "工2"]
    assert {act["via"] for act in went} == {"自西阶"}


def test_p18_they_sit_below_facing_west_the_first_in_the_north(journal: Journal) -> None:
    """P18.005–008: 阼阶下之东南，堂前三笴，西面北上坐; 乐正北面立于其南."""
    sat = firsts(journal, "18", MUSICIANS, "坐")
    assert [(act["at"], act["facing"]) for act in sat] == [(f"{person}堂下位", "西") for person in MUSICIANS]
    stood = journal.one("18", person="乐正", verb="立")
    assert (stood["at"], stood["facing"], stood["posture"]) == ("工堂下位南", "北", "立")
    for guide, musician in ZITHERS.items():
        assert journal.one("18", person=guide, verb="授", object="瑟")["to"] == [musician]
