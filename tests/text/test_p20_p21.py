"""The demonstration and the first round of the three pairs (P20, P21)."""

from __future__ import annotations

from itertools import pairwise

import pytest

from tests.text.reading import THREE_PAIRS, Journal, Line, increasing, journal_of, on_hall, tell, verbs

SIX = [archer for pair in THREE_PAIRS for archer in pair]


@pytest.fixture(params=("常", "庠", "无获"))
def journal(request: pytest.FixtureRequest) -> Journal:
    """In a 序, in a 庠, and without a single hit."""
    return journal_of(request.param)


def bows_until(journal: Journal, phase: str, person: str, verb: str) -> list[tuple[str, str]]:
    """Where, and facing where, someone bows his hands before his first act of a kind."""
    end = journal.first(phase, person=person, verb=verb)
    return [(act["at"], act["facing"]) for act in journal.acts(phase, person=person, verb="揖") if act["n"] < end["n"]]


def on_the_way(act: Line) -> bool:
    """Whether a bow is not the one in passing, before the steps (P21.074)."""
    return not act["at"].startswith("阶前")


# P20 司射诱射


def test_p20_starts_north_of_the_pairs_facing_east(journal: Journal) -> None:
    """P20.001: 司射东面立于三耦之北."""
    stood = journal.one("20", person="司射", verb="立")
    assert (stood["at"], stood["facing"]) == ("三耦北", "东")


def test_p20_tucks_three_and_nocks_one(journal: Journal) -> None:
    """P20.002: 搢三而挟一个, before the first bow."""
    tucked = journal.first("20", verb="搢")
    assert tucked["object"] == "矢" and tucked["count"] == 3 == len(set(tucked["which"]))
    assert increasing(tucked, journal.first("20", verb="揖"))


def test_p20_six_bows_on_the_way_up(journal: Journal) -> None:
    """P20.003–010: 揖进, 当阶, 及阶, 升堂, 当左物, 及物: six places; N from the turn before the steps."""
    bows = bows_until(journal, "20", "司射", "履物")
    assert len(bows) == len({at for at, _ in bows}) == 6
    assert [facing for _, facing in bows] == ["东"] + ["北"] * 5
    assert [on_hall(at) for at, _ in bows] == [False] * 3 + [True] * 3
    assert [at for at, _ in bows][4:] == ["当左物", "左物"]


def test_p20_round_the_pillar_inside_in_a_xu_outside_in_a_xiang(journal: Journal) -> None:
    """P20.007–008: 豫则钩楹内，堂则由楹外, going and coming."""
    ways = {act["via"] for act in journal.acts("20") if act["via"] and "楹" in act["via"]}
    assert ways == {"钩楹内" if journal.options["堂"] == "序" else "由楹外"}


def test_p20_left_foot_on_the_left_mark_before_turning(journal: Journal) -> None:
    """P20.009–015: 左足履物，不方足，还，视侯中，俯正足: the feet are squared last."""
    foot, turn, sight, down, squared = journal.in_order(
        "20", "司射 履物", "司射 还", "司射 视侯", "司射 俯", "司射 正足"
    )
    assert (foot["manner"], foot["at"], turn["facing"], squared["facing"]) == ("左足", "左物", "南", "南")
    assert not [act for act in journal.acts("20", verb=("正足", "合足")) if act["n"] < turn["n"]]
    assert increasing(sight, down, squared, journal.first("20", verb="发"))


def test_p20_the_flag_is_not_moved_and_no_hit_is_called(journal: Journal) -> None:
    """P20.016: 不去旌: the flag-man does nothing."""
    assert not journal.acts("20", person="获者")
    assert not journal.acts("20", verb="获")


def test_p20_shoots_four_from_the_left_mark(journal: Journal) -> None:
    """P20.017–018: 诱射，将乘矢: four different arrows, facing the target."""
    shot = journal.acts("20", verb="发")
    assert len(shot) == 4 == len({act["which"][0] for act in shot})
    assert {(act["person"], act["at"], act["facing"]) for act in shot} == {("司射", "左物", "南")}
    assert [
        (line["round"], line["counted"]) for line in journal.lines_of("shot") if line["phase"] == "20-司射诱射"
    ] == [(0, False)] * 4


def test_p20_no_arrow_on_the_string_afterwards(journal: Journal) -> None:
    """P20.019–020: 执弓不挟，右执弦, until he takes a new one below."""
    last = journal.last("20", verb="发")
    grasp = journal.one("20", person="司射", verb="执弓")
    taken = journal.one("20", person="司射", verb="取", object="矢")
    assert grasp["manner"] == "右执弦" and increasing(last, grasp, taken)
    assert not [act for act in journal.acts("20", verb="挟") if last["n"] < act["n"] < taken["n"]]


def test_p20_bows_southward_and_back_as_he_came(journal: Journal) -> None:
    """P20.021–023: 南面揖，揖如升射: the places of the ascent the other way round, S all the way."""
    up = [at for at, _ in bows_until(journal, "20", "司射", "履物")]
    last = journal.last("20", verb="发")
    down = [act for act in journal.acts("20", verb="揖") if act["n"] > last["n"]]
    assert [act["at"] for act in down] == list(reversed(up))[: len(down)] and len(down) >= 5
    assert {act["facing"] for act in down} == {"南"}


def test_p20_past_the_south_of_his_place_for_another_arrow(journal: Journal) -> None:
    """P20.023–026: 降，出于其位南，适堂西，改取一个挟之."""
    down = journal.one("20", person="司射", verb="降")
    past, west, taken, nocked = journal.in_order(
        "20", "司射 行", "司射 适", "司射 取 矢", "司射 挟 矢", after=journal.one("20", via="出于其位南")["n"] - 1
    )
    assert increasing(down, past) and west["at"] == "堂西"
    assert nocked["which"] == taken["which"] and taken["count"] == 1
    assert not set(taken["which"]) & {act["which"][0] for act in journal.acts("20", verb="发")}


def test_p20_takes_the_rod_and_returns(journal: Journal) -> None:
    """P20.027–028: 遂适阶西，取扑搢之以反位."""
    west, rod, tucked, back = journal.in_order(
        "20", "司射 适", "司射 取 扑", "司射 搢 扑", "司射 反", after=journal.last("20", verb="挟")["n"]
    )
    assert west["at"] == rod["from"] == "西阶西" and back["at"] == "司射位"
    assert journal.acts("20")[-1] == back and increasing(rod, tucked)


# P21 三耦射: before the shooting


def test_p21_flag_man_to_the_target_first(journal: Journal) -> None:
    """P21.001–004: 司马命获者执旌以负侯; 获者适侯，执旌负侯而俟; then the call."""
    order, went, taken, back, call = journal.in_order("21", "相 命", "获者 适", "获者 执 旌", "获者 负侯", "司射 作")
    assert order["to"] == ["获者"] and went["at"] == "侯" and taken["from"] == "侯中"
    assert back["facing"] == "北" and call["n"] > back["n"]


def test_p21_director_turns_to_the_first_pair(journal: Journal) -> None:
    """P21.005–007: 司射还，当上耦西面: having stood facing E he turns round."""
    turned = journal.first("21", person="司射", verb="还")
    assert turned["facing"] != journal.last("20", person="司射")["facing"], tell(turned)


def test_p21_only_the_first_pair_is_called(journal: Journal) -> None:
    """P21.007–008 P30 司射所作唯上耦: opposite them, facing W; back in his place before they set out."""
    call = journal.one("21", verb="作")
    assert (call["person"], call["to"], call["facing"]) == ("司射", ["上耦"], "西")
    back = journal.first("21", person="司射", verb="反")
    assert increasing(call, back, journal.first("21", person="上耦上射")) and back["at"] == "司射位"


@pytest.mark.parametrize("pair", THREE_PAIRS)
def test_p21_six_bows_of_each_on_the_way_up(journal: Journal, pair: tuple[str, str]) -> None:
    """P21.009–022: 揖进, 当阶, 及阶, 升堂, 当其物, 及物 (the passing bow of P21.074 apart)."""
    for archer, mark in zip(pair, ("右物", "左物"), strict=True):
        end = journal.one("21", person=archer, verb="履物")
        bows = [a for a in journal.acts("21", person=archer, verb="揖") if a["n"] < end["n"] and on_the_way(a)]
        assert len(bows) == 6 == len({act["at"] for act in bows}), archer
        assert [act["facing"] for act in bows] == ["东"] + ["北"] * 5
        assert [act["at"] for act in bows][4:] == [f"当{mark}", mark]


@pytest.mark.parametrize("pair", THREE_PAIRS)
def test_p21_upper_archer_on_the_left_going_up(journal: Journal, pair: tuple[str, str]) -> None:
    """P21.010–012: 上射在左，并行: W of the other when they turn N before the steps."""
    files = [journal.first("21", person=archer, verb="揖", facing="北")["at"] for archer in pair]
    assert files == ["当阶西", "当阶东"]


@pytest.mark.parametrize("pair", THREE_PAIRS)
def test_p21_upper_archer_first_on_the_stairs(journal: Journal, pair: tuple[str, str]) -> None:
    """P21.014–018: 上射先升三等，下射从之，中等; 上射升堂少左，下射升."""
    upper, lower = pair
    climbed = [act for act in journal.acts("21", verb="升") if act["person"] in pair]
    assert [act["person"] for act in climbed] == [upper, lower, upper, lower]
    assert [act["manner"] for act in climbed] == ["三等", "中等", "少左", None]


@pytest.mark.parametrize("pair", THREE_PAIRS)
def test_p21_upper_archer_bows_first_on_the_hall(journal: Journal, pair: tuple[str, str]) -> None:
    """P21.019–020: 上射揖，并行."""
    bows = [a for a in journal.acts("21", verb="揖", at="西阶上", facing="北") if a["person"] in pair]
    assert bows[0]["person"] == pair[0]


@pytest.mark.parametrize("pair", THREE_PAIRS)
def test_p21_stance_on_the_marks(journal: Journal, pair: tuple[str, str]) -> None:
    """P21.021–025: the upper on the W mark, the lower on the E; 左足履物，还视侯中，合足, before anyone shoots."""
    shot = journal.first("21", person=pair[0], verb="发")
    for archer, mark in zip(pair, ("右物", "左物"), strict=True):
        foot, turn, sight, feet = journal.in_order("21", *(f"{archer} {v}" for v in ("履物", "还", "视侯", "合足")))
        assert (foot["at"], foot["manner"], turn["facing"]) == (mark, "左足", "南")
        assert increasing(sight, feet, shot)


def test_p21_way_round_the_pillar(journal: Journal) -> None:
    """P20.007–008 P21.020: the pairs as the 司射: inside in a 序, outside in a 庠."""
    ways = {a["via"] for a in journal.acts("21") if a["person"] in SIX and a["via"] and "楹" in a["via"]}
    assert ways == {"钩楹内" if journal.options["堂"] == "序" else "由楹外"}


def test_p21_marshal_bares_takes_a_bow_but_no_ring(journal: Journal) -> None:
    """P21.026–028: 司马适堂西，不决遂，袒执弓, when the first pair stands ready."""
    west, _, bow = journal.in_order("21", "相 适", "相 袒", "相 执弓")
    assert west["at"] == bow["from"] == "堂西"
    assert not journal.acts(person="相", verb=("决遂", "说决拾"))
    ready = [journal.first("21", person=archer, verb="合足") for archer in THREE_PAIRS[0]]
    assert increasing(ready[0], west) and increasing(ready[1], west)


def test_p21_marshal_between_the_marks_behind_the_upper_archer(journal: Journal) -> None:
    """P21.029–032: 出于司射之南，升自西阶钩楹，由上射之后，西南面立于物间."""
    found = journal.in_order("21", "相 执弓", "相 进", "相 升", "相 钩楹", "相 行", "相 立")
    assert found[1]["via"] == "司射之南" and found[4]["via"] == "上射之后"
    assert (found[5]["at"], found[5]["facing"]) == ("物间", "西南")


def test_p21_bow_raised_by_its_tip_and_the_order_to_clear(journal: Journal) -> None:
    """P21.033–035: 右执箫，南扬弓，命去侯: once in the round."""
    grasp, raised, order, reply = journal.in_order("21", "相 执", "相 扬弓", "相 命", "获者 诺")
    assert (grasp["hand"], grasp["manner"], order["speech"], order["to"]) == ("右", "箫", "去侯", ["获者"])
    assert len(journal.acts("21", speech="去侯")) == len(journal.acts("21", verb="扬弓")) == 1
    assert raised["at"] == "物间" and reply["re"] in (None, order["n"])


def test_p21_flag_man_goes_behind_the_screen_with_unbroken_voice(journal: Journal) -> None:
    """P21.036–039: 执旌许诺，声不绝以至于乏，坐东面偃旌，兴而俟; nobody shoots before."""
    _, went, kneel, lowered, up, shot = journal.in_order(
        "21", *(f"获者 {v}" for v in ("诺", "适", "坐", "偃旌", "兴")), "上耦上射 发"
    )
    assert (went["manner"], went["at"]) == ("声不绝", "乏")
    assert (kneel["facing"], lowered["facing"]) == ("东", "东") and increasing(up, shot)


def test_p21_marshal_leaves_round_the_lower_archer(journal: Journal) -> None:
    """P21.040–046: 出于下射之南，还其后，降自西阶; 堂西释弓，袭，反位，立于司射之南."""
    order = journal.one("21", speech="去侯")
    found = journal.in_order(
        "21", "相 行", "相 还", "相 降", "相 适", "相 释 弓", "相 袭", "相 反", "相 立", after=order["n"]
    )
    assert (found[0]["via"], found[1]["via"], found[4]["into"]) == ("下射之南", "下射之后", "堂西")
    assert found[3]["via"] == "司射之南" and found[7]["at"] == "司马位"
    assert not [act for act in journal.acts("21", person="相") if act["n"] > found[7]["n"]]


def test_p21_the_two_directors_pass_left_to_left(journal: Journal) -> None:
    """P21.047: 司射进，与司马交于阶前相左: the one going N on the E lane, the one going S on the W lane."""
    down = journal.one("21", person="相", verb="降")
    lanes = {
        person: next(a["at"] for a in journal.acts("21", person=person) if a["n"] > down["n"] and not on_the_way(a))
        for person in ("司射", "相")
    }
    assert lanes == {"司射": "阶前东", "相": "阶前西"}


def test_p21_warning_to_the_upper_archer_from_below(journal: Journal) -> None:
    """P21.048–051: 西阶之东，北面视上射，命曰：无射获，无猎获; once."""
    warned = journal.one("21", person="司射", verb="命")
    assert (warned["at"], warned["facing"], warned["to"]) == ("西阶东", "北", ["上耦上射"])
    assert warned["speech"] == "无射获，无猎获"
    assert increasing(journal.one("21", speech="去侯"), warned)


def test_p21_the_upper_archer_alone_bows_to_it(journal: Journal) -> None:
    """P21.052–055: 上射揖，司射退反位，乃射; the lower archer does not bow."""
    warned = journal.one("21", person="司射", verb="命")
    answers = [act["person"] for act in journal.acts("21", verb="揖") if act["re"] == warned["n"]]
    _, _, back, shot = journal.in_order("21", "上耦上射 揖", "司射 退", "司射 反", "上耦上射 发", after=warned["n"])
    assert answers == ["上耦上射"] and back["at"] == "司射位" and increasing(back, shot)
    assert not [a for a in journal.acts("21", person="上耦下射") if warned["n"] < a["n"] < shot["n"]]


# P21: the shooting


@pytest.mark.parametrize("pair", THREE_PAIRS)
def test_p21_alternately_four_each_the_upper_first(journal: Journal, pair: tuple[str, str]) -> None:
    """P21.055–059: 乃射; 拾发以将乘矢."""
    shot = [act for act in journal.acts("21", verb="发") if act["person"] in pair]
    assert [act["person"] for act in shot] == list(pair) * 4
    assert len({act["which"][0] for act in shot}) == 8
    assert {act["facing"] for act in shot} == {"南"}


@pytest.mark.parametrize("pair", THREE_PAIRS)
def test_p21_nocks_the_next_before_the_other_shoots(journal: Journal, pair: tuple[str, str]) -> None:
    """P21.056–058: 上射既发，挟弓矢，而后下射射; no arrow is nocked after the fourth (P21.065)."""
    mine = [act for act in journal.acts("21", verb=("发", "挟")) if act["person"] in pair]
    upper, lower = pair
    assert [(act["person"], act["verb"]) for act in mine] == [
        *[(archer, verb) for _ in range(3) for archer in (upper, lower) for verb in ("发", "挟")],
        (upper, "发"),
        (lower, "发"),
    ]


def test_p21_every_arrow_has_its_result_and_none_is_counted(journal: Journal) -> None:
    """P21.063: 获而未释获: hits are called, no counter is laid."""
    shots = [line for line in journal.lines_of("shot") if line["phase"] == "21-三耦射"]
    assert len(shots) == len(journal.acts("21", verb="发")) == 24
    assert not any(line["counted"] for line in shots) and {line["round"] for line in shots} == {1}
    assert not journal.acts("21", object="筭") and not journal.acts("21", verb="释获")
    assert not [line for line in journal.lines_of("tally") if line["n"] < shots[-1]["n"]]


def test_p21_upper_archers_are_the_right_lower_the_left(journal: Journal) -> None:
    """P54.010 上射于右: the side that each shoots for."""
    for line in journal.lines_of("shot"):
        if line["phase"] == "21-三耦射":
            assert line["team"] == ("右" if line["person"].endswith("上射") else "左")


def test_p21_a_call_for_each_hit_and_for_nothing_else(journal: Journal) -> None:
    """P21.060: 获者坐而获: once after each arrow in the 侯中, before the next arrow; never for a miss."""
    shots = [line for line in journal.lines_of("shot") if line["phase"] == "21-三耦射"]
    ends = [*(line["n"] for line in shots[1:]), journal.acts("21")[-1]["n"]]
    calls = journal.acts("21", verb="获")
    for line, end in zip(shots, ends, strict=True):
        called = [act for act in calls if line["n"] < act["n"] < end]
        assert len(called) == (1 if line["struck"] == "中" else 0), line
    assert len(calls) == sum(line["struck"] == "中" for line in shots)


def test_p21_how_a_hit_is_called(journal: Journal) -> None:
    """P21.060–062: 坐而获，举旌以宫，偃旌以商: kneeling at the screen, the flag up, the flag down, and he rises."""
    acts = journal.acts("21", person="获者")
    for call in journal.acts("21", verb="获"):
        k = acts.index(call)
        assert verbs(acts[k - 1 : k + 4]) == ["坐", "获", "举旌", "偃旌", "兴"], tell(call)
        assert (call["at"], call["posture"]) == ("乏", "坐")
        assert [act["manner"] for act in acts[k + 1 : k + 3]] == ["宫", "商"]


# P21: coming down


@pytest.mark.parametrize("pair", THREE_PAIRS)
def test_p21_both_bow_southward_when_done(journal: Journal, pair: tuple[str, str]) -> None:
    """P21.064–067: 卒射，皆执弓不挟，南面揖，揖如升射."""
    last = journal.last("21", person=pair[1], verb="发")
    for archer, mark in zip(pair, ("右物", "左物"), strict=True):
        bows = [a for a in journal.acts("21", person=archer, verb="揖") if a["n"] > last["n"] and on_the_way(a)]
        assert (bows[0]["at"], bows[0]["facing"]) == (mark, "南")
        assert [act["at"] for act in bows[:4]] == [mark, f"当{mark}", "西阶上", "西阶下"]
        assert {act["facing"] for act in bows} == {"南"}


@pytest.mark.parametrize("pair", THREE_PAIRS)
def test_p21_upper_archer_first_going_down(journal: Journal, pair: tuple[str, str]) -> None:
    """P21.068–070: 上射降三等，下射少右从之，中等."""
    upper, lower = pair
    down = [act for act in journal.acts("21", verb="降") if act["person"] in pair]
    assert [act["person"] for act in down] == [upper, lower, upper, lower]
    assert [act["manner"] for act in down][:2] == ["三等", "中等"]


@pytest.mark.parametrize("pair", THREE_PAIRS)
def test_p21_upper_archer_on_the_left_coming_back(journal: Journal, pair: tuple[str, str]) -> None:
    """P21.071–072: 并行，上射于左: now E of the other, as they walk S."""
    files = [journal.last("21", person=archer, verb="揖")["at"] for archer in pair]
    assert files == ["当阶东", "当阶西"]


def test_p21_pairs_cross_before_the_steps_left_to_left(journal: Journal) -> None:
    """P21.073–074: 与升射者相左，交于阶前相揖: each of the four; the last pair meets nobody."""
    passing = [act for act in journal.acts("21", verb="揖") if act["at"].startswith("阶前")]
    meetings = [passing[k : k + 4] for k in range(0, len(passing), 4)]
    assert len(passing) == 8
    for (down, up), met in zip(pairwise(THREE_PAIRS), meetings, strict=True):
        assert {(act["person"], act["at"], act["facing"]) for act in met} == {
            *((archer, "阶前西", "南") for archer in down),
            *((archer, "阶前东", "北") for archer in up),
        }


def test_p21_next_pair_goes_up_only_when_the_last_is_down(journal: Journal) -> None:
    """P21.073 P21.079: they meet on the ground: no two pairs on the hall together."""
    for down, up in pairwise(THREE_PAIRS):
        last = max(journal.last("21", person=archer, verb="降")["n"] for archer in down)
        assert journal.first("21", person=up[0], verb="升")["n"] > last


def test_p21_pairs_shoot_in_their_order(journal: Journal) -> None:
    """P21.007 P21.079: 上耦, then the others, 亦如之."""
    first = [journal.first("21", person=pair[0], verb="发") for pair in THREE_PAIRS]
    assert increasing(*first)


@pytest.mark.parametrize("archer", SIX)
def test_p21_disarms_west_of_the_hall(journal: Journal, archer: str) -> None:
    """P21.075–078: 由司马之南适堂西，释弓，说决拾，袭，而俟于堂西，南面."""
    down = journal.last("21", person=archer, verb="降")
    west, bow, _, _, stood = journal.in_order(
        "21", *(f"{archer} {v}" for v in ("适", "释", "说决拾", "袭", "立")), after=down["n"]
    )
    assert (west["via"], west["at"], bow["into"]) == ("司马之南", "堂西", "堂西")
    assert (stood["at"], stood["facing"]) == ("堂西", "南")


def test_p21_each_pair_does_as_the_first(journal: Journal) -> None:
    """P21.079: 三耦卒射亦如之: the same acts, but for the passing bows and the warning."""

    def deeds(pair: tuple[str, str]) -> list[tuple[int, str]]:
        acts = [a for a in journal.acts("21") if a["person"] in pair and on_the_way(a) and a["to"] != ["司射"]]
        return [(pair.index(act["person"]), act["verb"]) for act in acts]

    assert deeds(THREE_PAIRS[0]) == deeds(THREE_PAIRS[1]) == deeds(THREE_PAIRS[2])


def test_p21_reported_to_the_guest_without_the_rod(journal: Journal) -> None:
    """P21.080–084: 去扑倚于西阶之西，升堂北面告于宾：三耦卒射; 宾揖; when all three pairs are back."""
    rod, up, told, bow = journal.in_order("21", "司射 倚 扑", "司射 升", "司射 告", "宾 揖")
    assert rod["into"] == "西阶西" and (told["at"], told["facing"], told["to"]) == ("西阶上", "北", ["宾"])
    assert told["speech"] == "三耦卒射" and bow["re"] == told["n"] and up["n"] < told["n"]
    assert all(journal.last("21", person=archer)["n"] < rod["n"] for archer in SIX)


def test_p21_nobody_bows_to_the_ground(journal: Journal) -> None:
    """P20, P21: 揖 only; no 拜 in the shooting."""
    assert not journal.acts("20", verb="拜") and not journal.acts("21", verb="拜")


def test_p21_host_and_other_guests_keep_their_mats(journal: Journal) -> None:
    """P21: the first round is the three pairs' alone; of those on mats only the guest acts, and only by P21.084."""
    assert not [act for act in journal.acts("21") if act["person"] in ("主人", *journal.others())]
    assert verbs(journal.acts("21", person="宾")) == ["揖"]
