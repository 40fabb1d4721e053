"""Typed notation: Chinese, pinyin, English; what an input method and an old book write."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from game.core.ruling import Refusal
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
    ],
)
def test_single_acts(line: str, act: dict[str, Any]) -> None:
    assert read(line) == [act]


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
        from game.palette import given

        session.act(given(phrase[0]))
