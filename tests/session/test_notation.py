"""Typed notation: Chinese, pinyin, English; what an input method and an old book write."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from game.core.ruling import Refusal
from game.palette import given
from game.seat import Seat
from game.session.notation import Lexicon, parse
from tests.builders import scene, the_book

BOW = [{"verb": "拜", "at": "西阶上", "facing": "北", "times": 2, "to": ["主人"]}]


@cache
def lexicon() -> Lexicon:
    options = the_book().scenarios["常"].options
    words = the_book().words(options)
    return Lexicon.of(words, the_book().rite(options, words))


def read(line: str) -> list[dict[str, Any]]:
    acts = parse(line, lexicon())
    assert not isinstance(acts, Refusal), acts
    return acts


@pytest.mark.parametrize(
    "line",
    [
        "西阶上 北面 再拜 主人",
        "西阶上，北面，再拜，主人。",
        "西阶上、北面：再拜　主人",
        "西阶上北面再拜主人",
        "西階上 北面 再拜 主人",
        "xi jie shang bei mian zai bai zhu ren",
        "xījiē shàng běi miàn zài bài zhǔrén",
        "西阶上 北面 ２ 拜 主人",
    ],
)
def test_one_bow_in_every_writing(line: str) -> None:
    assert read(line) == BOW


def test_a_phrase_is_several_acts() -> None:
    assert [a["verb"] for a in read("坐奠爵兴")] == ["坐", "奠", "兴"]
    assert [a["verb"] for a in read("坐奠爵遂拜执爵兴")] == ["坐", "奠", "拜", "执", "兴"]
    assert read("坐奠爵兴")[1]["object"] == "爵"


@pytest.mark.parametrize(
    ("line", "act"),
    [
        ("辞洗 主人", {"verb": "辞", "manner": "辞洗", "to": ["主人"]}),
        ("答拜 主人", {"verb": "拜", "manner": "答", "to": ["主人"]}),
        ("荅拜 主人", {"verb": "拜", "manner": "答", "to": ["主人"]}),
        ("拜洗", {"verb": "拜", "manner": "拜洗"}),
        ("三拜众宾", {"verb": "拜", "times": 3, "to": ["众宾"]}),
        ("适洗北", {"verb": "适", "at": "洗北"}),
        ("奠爵于荐西", {"verb": "奠", "object": "爵", "into": "荐西"}),
        ("取爵于上篚", {"verb": "取", "object": "爵", "from": "上篚"}),
        ("左执爵", {"verb": "执", "object": "爵", "hand": "左"}),
        ("bow twice to host", {"verb": "拜", "times": 2, "to": ["主人"]}),
        ("bai 2 zhuren", {"verb": "拜", "times": 2, "to": ["主人"]}),
        ("kneel", {"verb": "坐"}),
        ("取矢四", {"verb": "取", "object": "矢", "count": 4}),
        ("取 4 矢", {"verb": "取", "object": "矢", "count": 4}),
        ("take four arrows", {"verb": "取", "object": "矢", "count": 4}),
        ("两手 取爵", {"verb": "取", "object": "爵", "hand": "两"}),
        ("取爵 左手", {"verb": "取", "object": "爵", "hand": "左"}),
        ("荅再拜 主人", {"verb": "拜", "manner": "答", "times": 2, "to": ["主人"]}),
        ("答再拜", {"verb": "拜", "manner": "答", "times": 2}),
        ("da zai bai zhuren", {"verb": "拜", "manner": "答", "times": 2, "to": ["主人"]}),
        ("再拜（告旨） 主人", {"verb": "拜", "times": 2, "manner": "告旨", "to": ["主人"]}),
        ("揖 三耦及众宾", {"verb": "揖", "to": ["三耦", "众宾"]}),
        ("yi sanou ji zhongbin", {"verb": "揖", "to": ["三耦", "众宾"]}),
        ("salute the three pairs and the other guests", {"verb": "揖", "to": ["三耦", "众宾"]}),
        ("ci xiang bin", {"verb": "辞", "to": ["宾"]}),
        ("yi xiang", {"verb": "揖", "to": ["相"]}),
        ("salute other guest 2", {"verb": "揖", "to": ["众宾2"]}),
        ("salute the host's helper", {"verb": "揖", "to": ["相"]}),
        ("salute helper", {"verb": "揖", "to": ["相"]}),
        ("salute director", {"verb": "揖", "to": ["司射"]}),
        ("salute zhongbin", {"verb": "揖", "to": ["众宾"]}),
        ("受爵自宾", {"verb": "受", "object": "爵", "from": "宾"}),
        ("receive jue cup from the guest", {"verb": "受", "object": "爵", "from": "宾"}),
    ],
)
def test_single_acts(line: str, act: dict[str, Any]) -> None:
    assert read(line) == [act]


@pytest.mark.parametrize(
    ("line", "verbs"),
    [
        ("zuo dian jue xing", ["坐", "奠", "兴"]),
        ("zuodianjuexing", ["坐", "奠", "兴"]),
        ("zuo qu jue xing", ["坐", "取", "兴"]),
        ("zuo", ["坐"]),
        ("yi zhuren", ["揖"]),
        ("jin xi jie xia", ["进"]),
        ("xing xi jie xia", ["行"]),
        ("shi xi nan", ["适"]),
        ("shi jue", ["实"]),
        ("xi jue", ["洗"]),
        ("jiang xi jie", ["降"]),
        ("xíng", ["行"]),
        ("xing1", ["兴"]),
        ("zuo4 dian4 jue2 xing1", ["坐", "奠", "兴"]),
        ("yǐ", ["倚"]),
        ("xǐ", ["洗"]),
    ],
)
def test_a_syllable_of_several_verbs_is_read_as_an_input_method_would(line: str, verbs: list[str]) -> None:
    assert [a["verb"] for a in read(line)] == verbs


def test_where_nothing_decides_between_verbs_all_are_named() -> None:
    refusal = parse("xi", lexicon())
    assert isinstance(refusal, Refusal)
    assert refusal.code == "ambiguous"
    assert set(refusal.candidates) == {"洗", "袭", "席"}


def test_what_a_word_means_does_not_hang_on_what_is_due() -> None:
    session = scene("05-主人献宾", "05-主人献宾", "宾")
    meant = set()
    while not session.ended:
        meant.add(str(parse("zuo dian jue xing", session.lexicon)))
        session.wait() if not session.phrase() else session.act(given(session.phrase()[0]))
    assert len(meant) == 1


def test_what_goes_with_a_verb_stays_with_it() -> None:
    assert read("bow twice to host, rise") == [{"verb": "拜", "times": 2, "to": ["主人"]}, {"verb": "兴"}]
    assert read("坐取矢四兴")[1:] == [{"verb": "取", "object": "矢", "count": 4}, {"verb": "兴"}]
    assert read("取爵 再拜 主人")[1] == {"verb": "拜", "times": 2, "to": ["主人"]}


def test_four_arrows_are_taken_by_who_types_them() -> None:
    session = scene("14-司射请射", "14-司射请射", "司射")
    for _ in range(60):
        phrase = session.phrase()
        if phrase and phrase[0]["accepts"].get("count") == [4]:
            break
        session.act(given(phrase[0])) if phrase else session.wait()
    reply = session.say("取矢四 右手")
    assert reply["verdict"]["faults"] == []
    assert session.journal.lines[reply["n"]]["count"] == 4


def test_every_group_pair_and_person_can_be_typed_in_pinyin_and_in_english() -> None:
    options = the_book().scenarios["大夫之耦"].options
    words = the_book().words(options)
    found = Lexicon.of(words, the_book().rite(options, words))
    names = {value for tokens in found.latin.values() for kind, value in tokens if kind == "person"}
    assert names >= {p.id for p in words.roster.persons} | set(words.roster.groups) | set(words.roster.pairs)


@pytest.mark.parametrize(("role", "first"), [("宾", "04-迎宾拜至"), ("司射", "14-司射请射"), ("释获者", "32-数获")])
def test_what_is_offered_can_be_typed_in_either_language(role: str, first: str) -> None:
    session = scene(first, "33-饮不胜者", role)
    seat = Seat(session)
    for _ in range(40):
        choices = seat.choices()
        for choice in choices:
            for english in (True, False):
                for act, text in zip(choice.acts, seat.acts_in_words(choice, english), strict=True):
                    if text.startswith("尊"):
                        continue  # the place and the verb are one graph
                    acts = parse(text, session.lexicon)
                    assert not isinstance(acts, Refusal), text
                    assert [a["verb"] for a in acts] == [act["verb"]], text
                    named = act.get("to") and act["verb"].endswith(act["to"][0])  # 视侯
                    assert named or acts[0].get("to") == act.get("to"), text
                    assert acts[0].get("times", 1) == act.get("times", 1), text
        if session.ended:
            break
        right = next((c for c in choices if c.right), None)
        session.wait() if right is None else session.act(right.acts[0])


def test_what_cannot_be_read_is_named() -> None:
    refusal = parse("坐 喝彩", lexicon())
    assert isinstance(refusal, Refusal)
    assert refusal.code == "unclear"
    assert "喝彩" in refusal.zh


@pytest.mark.parametrize("line", ["", "   ", "，。", "{宾}", "__import__('os')", "[/b]", "主人"])
def test_what_names_no_act_is_refused(line: str) -> None:
    assert isinstance(parse(line, lexicon()), Refusal)


def test_saying_a_phrase_does_its_acts_up_to_the_first_refusal() -> None:
    session = scene("01-戒宾", "01-戒宾", "宾")
    reply = session.say("出 宾家门外 西面 迎 主人 再拜 主人")
    assert [r["ok"] for r in reply["acts"]] == [True, True, True]
    assert not any(r["verdict"]["faults"] for r in reply["acts"])
    before = session.state()["state"]
    assert session.say("兴 坐")["ok"] is False
    assert session.state()["state"] == before


def test_every_shown_phrase_can_be_typed_again() -> None:
    """What the face shows as a choice is notation that reads back to the same verbs."""
    session = scene("04-迎宾拜至", "05-主人献宾", "宾")
    for _ in range(30):
        for entry in session.phrase():
            shown = session.explainer.phrase(entry["verb"], entry["accepts"])
            acts = parse(shown, session.lexicon)
            assert not isinstance(acts, Refusal), shown
            assert acts[0]["verb"] == entry["verb"], shown
        if session.ended:
            break
        phrase = session.phrase()
        if not phrase:
            session.wait()
            continue
        session.act(given(phrase[0]))
