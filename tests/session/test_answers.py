"""``why`` of a thing, a place, a person, a verb: what it is, where it is, what was done, whom it concerns."""

from __future__ import annotations

import time
from typing import Any

import pytest

from game.session.answers import ALL, NOTHING_DUE, TEXT, asked
from game.session.session import Session
from tests.builders import PerfectPlayer, scene

P01, P04, P05, P14, P21, P33 = "01-戒宾", "04-迎宾拜至", "05-主人献宾", "14-司射请射", "21-三耦射", "33-饮不胜者"


def answer(session: Session, word: str, told: str = ALL, person: str | None = None) -> dict[str, Any]:
    reply = session.about(word, person, told)
    assert reply["ok"], reply
    (one,) = reply["why"]
    assert isinstance(one, dict)
    return one


def ids(reply: dict[str, Any]) -> list[str]:
    return [clause["id"] for clause in reply["clauses"]]


def until(session: Session, person: str, step: str) -> None:
    """Play without fault until a step is due to the person."""
    player = PerfectPlayer(session, person)
    for _ in range(80):
        entry = player.due()
        if entry is not None and entry["step"] == step:
            return
        player.turn()
    raise AssertionError(f"{step} is never due")


# What is asked


@pytest.mark.parametrize(
    ("line", "about"),
    [
        ("why 爵", "爵"), ("why", ""), ("何以 爵", "爵"), ("何以爵", "爵"), ("何故主人", "主人"),
        ("Why the host", "the host"),
        ("he yi jue", "jue"), ("he gu", ""), ("whyte", None), ("坐奠爵", None), ("", None),
    ],
)  # fmt: skip
def test_a_line_that_asks(line: str, about: str | None) -> None:
    assert asked(line) == about


@pytest.mark.parametrize(
    ("word", "kind", "about"),
    [
        ("爵", "thing", "爵"), ("觯", "thing", "觯"), ("爵1", "thing", "爵1"), ("zhi cup", "thing", "觯"),
        ("主人", "person", "主人"), ("zhu ren", "person", "主人"), ("host", "person", "主人"),
        ("众宾2", "person", "众宾2"), ("other guests", "person", "众宾"), ("三耦", "person", "三耦"),
        ("阼阶上", "place", "阼阶上"), ("zuo jie shang", "place", "阼阶上"), ("西階西", "place", "西阶西"),
        ("辞", "verb", "辞"), ("決", "word", "things:决"), ("司正", "word", "persons:司正"),
        ("乐正", "person", "乐正"),
    ],
)  # fmt: skip
def test_what_a_word_means(word: str, kind: str, about: str) -> None:
    found = answer(scene(P05, P05, "宾"), word)
    assert (found["kind"], found["about"]) == (kind, about)
    assert found["zh"].endswith("。") and found["en"].endswith(".")


@pytest.mark.parametrize(("phase", "office", "en"), [(P14, "司正", "overseer"), (P21, "司马", "marshal")])
def test_an_office_is_whoever_has_it(phase: str, office: str, en: str) -> None:
    session = scene(phase, phase, "司射")
    assert answer(session, office)["about"] == "相"
    assert en in answer(session, "相")["en"]


def test_a_graph_that_is_a_verb_and_a_thing_is_answered_as_both() -> None:
    reply = scene(P05, P05, "宾").about("洗")
    assert [one["kind"] for one in reply["why"]] == ["thing", "verb"]


def test_a_sound_that_several_words_have_is_asked_back() -> None:
    reply = scene(P05, P05, "宾").about("xi")
    assert reply["code"] == "ambiguous" and {"洗", "席", "袭"} <= set(reply["candidates"])


def test_what_nobody_knows_is_refused_with_what_is_near_it() -> None:
    reply = scene(P05, P05, "宾").about("arow rack")
    assert not reply["ok"] and "楅" in reply["candidates"]


@pytest.mark.parametrize("word", ["", " ", "爵" * 5000, "\x00", "\ud800", "why", "九九"])
def test_nothing_that_is_asked_breaks_it(word: str) -> None:
    reply = scene(P05, P05, "宾").about(word)
    assert not reply["ok"] and len(reply["error"]) < 300


# What is said


def test_of_a_thing_what_it_is_where_it_is_who_had_it_and_what_comes_next() -> None:
    session = scene(P05, P05, "宾")
    told = answer(session, "爵")
    assert "献酢" in told["zh"] and "一在主人两手，二在上篚" in told["zh"]
    assert "主人取爵自上篚" in told["zh"] and "take the jue cup from the upper basket" in told["en"]
    assert {"P52.011", "P05.001"} <= set(ids(told))
    until(session, "宾", "p05_guest_replies")
    told = answer(session, "爵")
    assert "一在阼阶前" in told["zh"] and "主人奠爵于阼阶前" in told["zh"]
    assert "其次，主人当" in told["zh"] and "取爵" in told["zh"] and "P05.007" in ids(told)


def test_of_a_place_what_it_is_who_is_there_and_what_is_done_there() -> None:
    session = scene(P05, P05, "宾")
    told = answer(session, "阼阶上")
    assert "无人" in told["zh"] and "P04.018" in ids(told)
    assert "主人坐、奠爵、答拜" in told["zh"] and "P05.022" in ids(told)
    assert "宾（立）" in answer(session, "西阶上")["zh"]
    assert "Here now: the guest (standing)" in answer(session, "西阶上")["en"]


def test_of_a_neighbour_his_last_act_what_it_answers_and_that_it_is_my_turn() -> None:
    session = scene(P01, P01, "主人")
    until(session, "主人", "p01_host_leaves")
    told = answer(session, "宾")
    assert "宾答再拜向主人" in told["zh"] and "P01.009" in told["zh"]
    assert "以答主人再拜" in told["zh"] and "P01.008" in told["zh"], "the bow that it answers, with its clause"
    assert "in answer to the host: bow twice" in told["en"]
    assert "主人所俟即此；主人当" in told["zh"] and "you are to withdraw" in told["en"] and "P01.010" in ids(told)


def test_of_a_neighbour_whose_act_asks_nothing_of_me() -> None:
    session = scene(P05, P05, "宾")
    assert "主人所俟" not in answer(session, "宾")["zh"]
    told = answer(session, "主人", person="司射")
    assert "不待司射" in told["zh"] and "the guest is to go down" in told["en"]


def test_of_a_verb_what_it_is_who_did_it_and_who_is_to_do_it() -> None:
    session = scene(P05, P05, "宾")
    until(session, "宾", "p05_guest_replies")
    told = answer(session, "辞")
    assert "末一次，主人辞降向宾" in told["zh"] and "P05.005" in told["zh"]
    assert "其次，宾当" in told["zh"] and "P05.011" in ids(told)


def test_what_was_taken_back_is_not_told() -> None:
    session = scene(P05, P05, "宾")
    before = answer(session, "宾")
    PerfectPlayer(session, "宾").turn()
    assert "宾降" in answer(session, "宾")["zh"]
    session.undo()
    assert answer(session, "宾") == before


@pytest.mark.parametrize("word", ["主人", "宾", "降", "西阶西", "爵"])
def test_how_much_of_what_is_due_is_told(word: str) -> None:
    """At ``text`` of one's own act only its clause; at ``nothing``, of a person, only whose turn it is."""
    session = scene(P05, P05, "宾")
    everything, text, nothing = (answer(session, word, told) for told in (ALL, TEXT, NOTHING_DUE))
    assert ("宾当" in everything["zh"]) == (word in ("主人", "宾", "降"))
    for less in (text, nothing):
        assert "宾当" not in less["zh"] and "you are to go" not in less["en"]
        assert "西阶西 东面" not in less["zh"]
    assert "主人当" not in nothing["zh"] and ("P05.002" not in ids(nothing) or word == "降")
    assert ("P05.002「宾降」" in text["zh"]) == (word in ("主人", "宾", "降"))
    if word in ("主人", "宾"):
        assert "轮到宾" in nothing["zh"] and "it is your turn" in nothing["en"].lower()


def test_asking_changes_nothing() -> None:
    session = scene(P05, P05, "宾")
    before = session.state(), session.due(), session.journal.next
    for word in ("爵", "主人", "阼阶上", "揖", "众宾"):
        session.about(word)
    assert (session.state(), session.due(), session.journal.next) == before


@pytest.mark.parametrize(("phase", "person"), [(P04, "主人"), (P21, "司射"), (P33, "宾")])
def test_everything_there_is_can_be_asked_about(phase: str, person: str) -> None:
    session = scene(phase, phase, person)
    words = session.ceremony.words
    subjects = [("person", p.id) for p in words.roster.persons]
    subjects += [("person", g) for g in (*words.roster.groups, *words.roster.pairs)]
    subjects += [("place", p) for p in words.places] + [("verb", v) for v in words.verbs]
    subjects += [("thing", t) for t in {t.kind for t in words.things.values()}]
    begun = time.monotonic()
    for subject in subjects:
        told = session.answer(subject)
        assert told["zh"].endswith("。") and told["en"].endswith("."), subject
        assert told["zh"].count("。") <= 3, told["zh"]
        assert "{" not in told["zh"] + told["en"], subject
    assert (time.monotonic() - begun) / len(subjects) < 0.2
