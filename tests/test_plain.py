"""The text face, driven as a pipe drives it."""

from __future__ import annotations

import io
import re
from contextlib import closing
from pathlib import Path

import pytest

from game import cli, plain
from game.lookup import person_named
from game.messages import MESSAGES, message
from game.palette import given
from game.replay_plain import replay
from game.rite.yaml_strict import DataError
from game.seat import Seat
from game.session.journal import read_journal
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
    assert any("数：" in line and "宾出迎再拜" in line for line in said)


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


def test_each_act_of_a_typed_phrase_is_told_with_its_own_verdict() -> None:
    said, session = played(["出 宾家门外 西面 拜 主人 拜 主人", "quit"], "士", lang="zh")
    own = [line["n"] for line in session.journal.lines if line.get("by") == "player" and line["t"] == "act"]
    assert len(own) == 3
    assert [sum(line.startswith(f"{n} ") for line in said) for n in own] == [1, 1, 1]
    for n in own:
        faults = session.journal.lines[n]["verdict"]["faults"]
        after = said[next(i for i, line in enumerate(said) if line.startswith(f"{n} ")) + 1]
        assert (after == "正。") == (not faults)


@pytest.mark.parametrize("level", ["童子", "士"])
def test_what_is_owed_is_offered_where_nothing_else_is_due(level: str) -> None:
    book = the_book()
    session = Session.new(book, book.scenarios["常"], "04-迎宾拜至", "05-主人献宾", {"宾": level}, started=False)
    with closing(session):
        for n in range(80):
            steps = session.duties.ahead("宾")
            if session.due()["owed"] and not steps:
                break
            if steps:
                session.act(given(steps[1] if n == 5 else steps[0]))
            else:
                session.wait()
        assert session.due()["owed"] and not session.phrase()
        sink = io.StringIO()
        plain.play(session, io.StringIO("1\n"), sink, "en")
    said = sink.getvalue().splitlines()
    turn = said[: said.index("Make good what you owe first: choose it, or type it.") + 2]
    assert any(line.startswith("Owed: ") for line in turn)
    assert turn[-1].startswith("1. ")
    assert not any(line.startswith("Nothing is due") for line in turn)


def test_waiting_is_told_in_words_not_ids() -> None:
    said, session = played(["wait"] * 12, "士", phase="05-主人献宾", lang="en", role="主人")
    omitted = [line for line in session.journal.lines if line["t"] == "omission"]
    assert omitted
    assert any(line.startswith("They wait for the host: ") for line in said)
    assert any("left undone: go to the upper basket" in line for line in said)
    assert not any(line["step"].split("[")[0] in text for line in omitted for text in said)
    assert not any("p05_" in text for text in said)


def test_waiting_that_would_be_a_fault_is_said_before() -> None:
    said, session = played(["wait", "quit"], "士", phase="05-主人献宾", lang="en", role="主人")
    assert "Nobody else can act now; wait again to leave undone what is due: a fault." in said
    assert not any(line["t"] in ("wait", "omission") for line in session.journal.lines)


@pytest.mark.parametrize("role", ["主人", "宾"])
def test_english_alone_has_no_chinese(role: str) -> None:
    words = ["where", "due", "why", "1", "where", "2", "r", "a", "d", "x", "w 9", "f", "1", "1", "1", "help", "again"]
    said, _ = played(words, "士", role, "08-主人献众宾", "en")
    own = [line for line in said if not line.startswith("The text: ") and "level" not in line]
    assert any(line.startswith("1. ") for line in own)
    assert any(" — " in line for line in own), "somebody is faulted"
    assert [line for line in own if re.search("[\u3400-\u9fff]", re.sub("「.*?」", "", line))] == []


def test_chinese_alone_has_no_english() -> None:
    words = ["where", "due", "why", "1", "where", "2", "r", "a", "d", "x", "w 9", "f", "0", "c", "胡言"]
    said, _ = played(words, "士", "主人", "05-主人献宾", "zh")
    own = [line for line in said if not line.startswith(("存于", "已存")) and not line.startswith("w 何以")]
    assert [line for line in own if re.search("[A-Za-z]{4,} [A-Za-z]", line)] == []


@pytest.mark.parametrize(
    ("screen", "word"),
    [("w", "why"), ("何以", "何故"), ("r", "who"), ("a", "account"), ("c", "text"), ("0", "verbs"), ("?", "help")],
)
def test_the_letters_of_the_screen_and_the_plain_words_are_one(screen: str, word: str) -> None:
    assert played([screen, "quit"], "士")[0] == played([word, "quit"], "士")[0]
    quiet, _ = played(["quit"], "士")
    assert len(played([screen, "quit"], "士")[0]) > len(quiet)


def test_the_help_names_every_letter() -> None:
    for text in MESSAGES["help"]:
        for words in plain._COMMANDS.values():
            assert any(re.search(rf"(?<![a-z]){re.escape(w)}(?![a-z])", text) for w in words), words


def test_the_language_is_changed_by_a_word() -> None:
    said, _ = played(["e", "where", "e", "where", "quit"], lang="zh")
    assert any(line.startswith("The guest is ") for line in said) and any(line.startswith("宾 在") for line in said)


def test_a_replay_says_what_was_left_undone_as_an_act(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    played(["wait", "wait"], "士", phase="05-主人献宾", role="主人", out=path)
    sink = io.StringIO()
    assert replay(the_book(), path, io.StringIO(""), sink, "zh") == 0
    assert "主人 阙 适上篚 北面" in sink.getvalue()
    assert "p05_" not in sink.getvalue()


def test_no_two_choices_read_alike() -> None:
    for role in ("主人", "宾"):
        book = the_book()
        session = Session.new(book, book.scenarios["常"], "04-迎宾拜至", "08-主人献众宾", {role: "士"}, started=False)
        seat = Seat(session)
        for _ in range(60):
            choices = seat.choices()
            for english in (False, True):
                words = [seat.in_words(c, english) for c in choices]
                assert len(set(words)) == len(words)
            right = next((c for c in choices if c.right), None)
            session.wait() if right is None else session.act(right.acts[0])
            if session.ended:
                break


@pytest.mark.parametrize("word", ["why 主人", "何以主人", "why zhu ren", "why host", "何故 主人"])
def test_why_of_a_neighbour_in_either_language(word: str) -> None:
    said, session = played([word, "quit"], phase="05-主人献宾")
    told = "\n".join(said)
    assert "宾所俟即此；宾当" in told and "That is what you waited for; you are to go down" in told
    assert "P05.002" in told and session.ceremony.scores.totals().get("宾") is None


def test_why_of_a_word_at_level_scholar_and_gentleman_tells_no_more_than_the_level() -> None:
    said, _ = played(["why 主人", "why", "why 爵", "quit"], "士", phase="05-主人献宾", lang="zh")
    asked = said[next(i for i, line in enumerate(said) if "行礼之主" in line) :]
    assert "P05.002「宾降」" in asked[0] and asked[1].startswith("经云") and not any("宾当" in line for line in asked)
    said, _ = played(["why 主人", "why 爵", "quit"], "君子", phase="05-主人献宾", lang="en")
    assert any("it is your turn" in line for line in said) and not any("you are to" in line for line in said)
    assert any("2 at the upper basket" in line for line in said)


def test_what_cannot_be_answered_is_said_in_one_line() -> None:
    said, _ = played(["why xi", "why [red]zz", "quit"], lang="en")
    assert any("which of" in line for line in said) and any("not known: [red]zz" in line for line in said)


@pytest.mark.parametrize(
    ("said", "person"),
    [
        ("宾", "宾"), ("guest", "宾"), ("The Guest", "宾"), ("bin", "宾"), ("bīn", "宾"), ("主人", "主人"),
        ("host", "主人"), ("zhu ren", "主人"), ("helper", "相"), ("司正", "相"), ("overseer", "相"),
        ("the marshal", "相"),
        ("other guest 2", "众宾2"), ("zhongbin2", "众宾2"), ("director of archery", "司射"), ("director", "司射"),
    ],
)  # fmt: skip
def test_a_role_is_known_by_all_its_names(said: str, person: str) -> None:
    assert person_named(the_book(), the_book().scenarios["常"].options, said) == person


@pytest.mark.parametrize("said", ["", "nobody", "archer", "三耦", "拜", "东"])
def test_a_word_that_names_nobody_is_refused_with_the_remedy(said: str) -> None:
    with pytest.raises(DataError, match="xiangshe roles"):
        person_named(the_book(), the_book().scenarios["常"].options, said)


def test_roles_and_levels_of_the_command_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("quit\n"))
    path = tmp_path / "a.jsonl"
    call = ["play", "--plain", "--role", "host", "--role", "bin", "--level", "shi", "--from", "5", "--out", str(path)]
    assert cli.main(call) == 0
    assert read_journal(path).lines[0]["players"] == {"主人": "士", "宾": "士"}


@pytest.mark.parametrize("command", ["roles", "phases", "scenarios", "rules", "vocabulary", "text 5", "rules r_place"])
def test_what_is_looked_up_is_told_in_the_language_asked_for(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    told = {}
    for lang in ("zh", "en", "both"):
        assert cli.main([*command.split(), "--lang", lang]) == 0
        told[lang] = capsys.readouterr().out
    assert not re.search("([a-z]+ ){3}", told["zh"]) or command == "vocabulary"
    assert len(re.findall("[a-z]{4}", told["en"])) > len(re.findall("[a-z]{4}", told["zh"]))
    assert len(told["both"]) >= max(len(told["zh"]), len(told["en"]))


@pytest.mark.parametrize("command", ["roles", "phases", "scenarios"])
def test_a_list_begins_with_what_its_columns_are(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main([command, "--lang", "en"]) == 0
    heading, first = capsys.readouterr().out.splitlines()[:2]
    assert heading.startswith("# ") and "," in heading and not first.startswith("#")
