"""The text face, driven as a pipe drives it."""

from __future__ import annotations

import io
from contextlib import closing
from pathlib import Path

import pytest

from game import plain
from game.messages import MESSAGES, message
from game.session.session import Session
from tests.builders import the_book


def played(
    lines: list[str],
    level: str = "童子",
    role: str = "宾",
    phase: str = "01-戒宾",
    lang: str = "both",
    out: Path | None = None,
) -> tuple[list[str], Session]:
    book = the_book()
    session = Session.new(book, book.scenarios["常"], phase, phase, {role: level}, out=out, started=False)
    sink = io.StringIO()
    with closing(session):
        assert plain.play(session, io.StringIO("\n".join(lines) + "\n"), sink, lang) == 0
    return sink.getvalue().splitlines(), session


@pytest.mark.parametrize("phase", ["01-戒宾", "04-迎宾拜至", "05-主人献宾"])
def test_a_child_who_does_what_is_said_makes_no_fault(phase: str) -> None:
    said, session = played(["1"] * 80, phase=phase)
    assert session.ended
    assert session.ceremony.scores.totals()["宾"]["etiquette"]["score"] == 1
    assert "无失。" in said


def test_the_mode_is_announced_once_and_first() -> None:
    said, _ = played(["quit"])
    assert sum("Plain mode" in line for line in said) == 1
    assert any("Plain mode" in line for line in said[:2])
    assert any("help" in line for line in said[:10])


def test_nothing_typed_is_read_back() -> None:
    said, _ = played(["where", "why", "help", "quit"])
    assert not {"where", "why", "help", "quit"} & set(said)


@pytest.mark.parametrize(
    "word",
    [
        "where",
        "why",
        "repeat",
        "due",
        "help",
        "step",
        "在何处",
        "何故",
        "再说",
        "当何",
        "助",
        "why 3",
        "why 9999",
        "7",
        "胡言",
    ],
)
@pytest.mark.parametrize("level", ["童子", "士", "君子"])
def test_every_word_is_answered_at_every_level(word: str, level: str) -> None:
    quiet, _ = played(["quit"], level)
    said, session = played([word, "quit"], level)
    assert len(said) > len(quiet)
    assert session.ceremony.scores.totals().get("宾") is None, "asking costs nothing"


def test_undo_takes_back_and_says_so() -> None:
    said, session = played(["1", "undo", "quit"])
    assert any("Taken back" in line for line in said)
    assert "宾" not in session.ceremony.scores.totals()


def test_a_gentleman_is_told_nothing() -> None:
    said, _ = played(["due", "why", "undo", "quit"], "君子")
    assert not any(line.startswith("1. ") for line in said)
    assert any("nothing is told" in line for line in said)
    assert any("no undo" in line for line in said)


def test_a_scholar_gets_the_due_act_among_wrong_ones_each_spelled_out() -> None:
    said, _ = played(["quit"], "士", lang="zh")
    choices = [line for line in said if line[:2] in {f"{n}." for n in range(1, 6)}]
    assert 4 <= len(choices) <= 5
    assert len(set(c[3:] for c in choices)) == len(choices)
    assert any("再拜" in c and "西面" in c and "向主人" in c for c in choices)


def test_the_same_choices_in_the_same_order_each_time() -> None:
    assert played(["quit"], "士")[0] == played(["quit"], "士")[0]


def test_a_wrong_act_is_explained_with_its_clause() -> None:
    said, _ = played(["出 宾家门外 西面", "迎 主人", "拜 主人", "quit"], "君子", lang="zh")
    assert any("失数" in line and "宾出迎再拜" in line for line in said)


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_one_language_alone(lang: str) -> None:
    said, _ = played(["1", "quit"], lang=lang)
    both, _ = played(["1", "quit"])
    assert len(said) < len(both)


def test_the_end_of_input_saves(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    _, session = played(["1"], out=path)
    with closing(Session.open(the_book(), path)) as again:
        assert again.ceremony.world.state() == session.ceremony.world.state()


@pytest.mark.parametrize("key", sorted(MESSAGES))
def test_every_message_is_there_in_both_languages(key: str) -> None:
    zh, en = MESSAGES[key]
    assert zh.strip() and en.strip()
    blanks = {part.split("}")[0] for part in zh.split("{")[1:]}
    assert blanks == {part.split("}")[0] for part in en.split("{")[1:]}
    assert len(message(key, "both", **dict.fromkeys(blanks, "x"))) == 2
