"""Files, names and keys that are wrong on purpose: one line that names file, line and remedy, never a traceback."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from game import plain
from game.cli import main
from game.replay_plain import replay
from game.rite.scenario import read_scenario
from game.rite.yaml_strict import DataError
from game.session.journal import JournalError, read_journal
from game.session.replay import Recording, verify
from game.session.session import Session
from tests.builders import the_book
from tests.session.careless import SHORT, begin, chained, played

ROOT = Path(__file__).parents[2]


def run(*arguments: str, said: bytes = b"", cut: str = "") -> subprocess.CompletedProcess[bytes]:
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "game", *arguments]
    if cut:
        command = ["sh", "-c", f'"$@" {cut}', "sh", *command]
    return subprocess.run(command, cwd=ROOT, env=env, input=said, capture_output=True, check=False)


# Scenario files

HEAD = "id: 'a'\noptions:\n"
WRONG = {
    "": 1, "- a\n": 1, "a\n": 1, "id: 'a'\nid: 'b'\n": 2, "id: 'a'\n\toptions: 3\n": 2, "id: &x [*x]\n": 1,
    "id: !!python/object/apply:os.system ['x']\n": 1, "id: 'a'\n---\nid: 'b'\n": 2, "id: 'a'\x00\n": 1,
    "id: " + "{a: " * 900 + "1" + "}" * 900: 1,
    HEAD + "  众宾: '5'\n": 3, HEAD + "  众宾: 2\n": 3, HEAD + "  众宾: true\n": 3,
    HEAD + "  众宾: 5\n  宾射: yes\n": 4,
    HEAD + "  众宾: 5\n  众賓: 5\n": 4, HEAD + "  众宾: 5\n  众耦: 3\n": 4, HEAD + "  众耦: [{上射: '众宾1'}]\n": 3,
    HEAD + "  众耦: [{上射: '众宾1', 下射: '众宾9'}]\n": 3, HEAD + "  众耦: [{上射: '众宾1', 下射: '众宾1'}]\n": 3,
    HEAD + "  大夫耦: ['众宾1']\n": 3, HEAD + "  hits: [1]\n": 3,
    HEAD + "  hits: {司射: {'0': ['准']}}\n": 3, HEAD + "  堂: '殿'\n": 3,
}  # fmt: skip


@pytest.mark.parametrize("text", WRONG)
def test_a_wrong_scenario_file_is_told_by_line(text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(text, encoding="utf-8")
    assert main(["simulate", "--from", "1", "--scenario", str(path)]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(f"xiangshe: mine.yaml:{WRONG[text]}: ")
    assert err.count("\n") == 1


def test_a_scenario_of_another_encoding_is_told_by_line(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_bytes("id: 'a'\nzh: '乡'\n".encode("gb18030"))
    with pytest.raises(DataError, match=r"mine\.yaml:2: .*UTF-8"):
        read_scenario(path)
    with pytest.raises(DataError, match="check the name"):
        read_scenario(tmp_path / "none.yaml")


def test_a_scenario_without_numbers_is_played_with_the_fewest(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text("id: 'a'\n", encoding="utf-8")
    scenario = read_scenario(path)
    assert (scenario.options["众宾"], scenario.options["大夫"]) == (3, 0)
    assert Session.new(the_book(), scenario, "08-主人献众宾", "08-主人献众宾").ended


@pytest.mark.parametrize("name", ["5", "05", "P05", "p5", "５", " 5 ", "05-主人献宾", "主人献宾"])
def test_a_phase_is_found_in_every_writing(name: str) -> None:
    assert the_book().phase_id(name) == "05-主人献宾"


@pytest.mark.parametrize("name", ["", "0", "00", "56", "-1", "5.0", "P", "P05.001", "../5"])
def test_what_is_no_phase_is_refused(name: str) -> None:
    with pytest.raises(DataError, match="no phase"):
        the_book().phase_id(name)


# Journals

ODD: list[Any] = [None, True, 0, 10**30, "x", "\x1b[31m", "\ud800", [], {}, [{}], {"verb": ["\ud800"]}]


def escaped(lines: list[dict[str, Any]]) -> bytes:
    """Chained by the book, with what UTF-8 cannot hold written as JSON escapes."""
    marked = json.loads(json.dumps(lines).replace("\\ud800", "@half@"))
    data = chained(marked)
    return data if b"@half@" not in data else data.replace(b"@half@", b"\\ud800")


@pytest.mark.parametrize("t", ["session", "phase", "act", "attempt", "omission", "wait", "undo", "note", "score"])
def test_a_line_with_a_wrong_value_is_told_or_shown_but_breaks_nothing(t: str, tmp_path: Path) -> None:
    path = tmp_path / "odd.jsonl"
    at = next(n for n, line in enumerate(played().lines) if line["t"] == t)
    lines = [dict(line) for line in played().lines[: at + 3]]
    for key in [k for k in lines[at] if k not in ("h", "data")]:
        for value in ODD:
            path.write_bytes(escaped([*lines[:at], {**lines[at], key: value}, *lines[at + 1 :]]))
            sink = io.StringIO()
            try:
                replay(the_book(), path, io.StringIO("f\nF\np\n9\nb\n"), sink)
            except JournalError as error:
                assert str(error).startswith(f"{path}:{at + 1}: ")
                with pytest.raises(JournalError):
                    Recording(path)
            assert "\x1b" not in sink.getvalue()


@pytest.mark.parametrize(
    ("t", "key", "value"),
    [
        ("note", "text", "\ud800"),
        ("undo", "to", "x"),
        ("act", "re", ODD[-1]),
        ("act", "verdict", "宾"),
        ("session", "players", {"宾": ["士"]}),
        ("session", "seed", True),
        ("note", "n", True),
    ],
)
def test_a_line_with_a_wrong_value_fails_every_check_of_the_file(t: str, key: str, value: Any, tmp_path: Path) -> None:
    path = tmp_path / "odd.jsonl"
    lines = [dict(line) for line in played().lines]
    at = next(n for n, line in enumerate(lines) if line["t"] == t)
    lines[at][key] = value
    path.write_bytes(escaped(lines))
    with pytest.raises(JournalError, match=rf"odd\.jsonl:{at + 1}: "):
        Session.open(the_book(), path)
    for rejudge in (False, True):
        try:
            assert rejudge or not verify(the_book(), path).same
            verify(the_book(), path, rejudge)
        except JournalError as error:
            assert str(error).startswith(f"{path}:{at + 1}: ")


def test_each_bad_journal_among_good_ones_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good, bad, format_ = tmp_path / "a.jsonl", tmp_path / "b.jsonl", tmp_path / "format.jsonl"
    good.write_bytes(played().data)
    lines = [dict(line) for line in played().lines[:1]]
    bad.write_bytes(chained([{**lines[0], "players": {"某": "士"}}]))
    format_.write_bytes(b"{}\n")
    assert main(["verify", *map(str, (bad, good, format_, good))]) == 1, "damaged, whatever it is called"
    out, err = capsys.readouterr()
    assert out.count("all the same") == 2
    assert [line.split(": ")[0] for line in err.splitlines()] == [f"{bad}:1", f"{format_}:1"]
    assert main(["verify", str(tmp_path / "none.jsonl"), str(good)]) == 2


def test_a_mark_of_byte_order_is_told_and_line_ends_of_windows_are_read(tmp_path: Path) -> None:
    path = tmp_path / "edited.jsonl"
    path.write_bytes(b"\xef\xbb\xbf" + played().data)
    with pytest.raises(JournalError, match=r"edited\.jsonl:1: a byte order mark"):
        verify(the_book(), path)
    path.write_bytes(played().data.replace(b"\n", b"\r\n"))
    assert verify(the_book(), path).same


# What reaches the terminal


def test_nothing_from_outside_steers_the_terminal(tmp_path: Path) -> None:
    path = tmp_path / "evil.jsonl"
    with closing(begin(*SHORT, "宾", out=path)) as session:
        session.act({"verb": "拜", "to": ["主人"], "speech": "\x1b]0;x\x07\x9b31m\u202e[red]\n"})
        sink = io.StringIO()
        plain.play(session, io.StringIO("拜 \x1b[31m\nwhy 9\n\x00\n"), sink)
    replay(the_book(), path, io.StringIO(), sink)
    said = sink.getvalue()
    assert "[red]" in said
    assert not set(said) & set("\x00\x07\x1b\x9b\u202e")


@pytest.mark.parametrize("word", ["9" * 5000, "፩", "²", "--5", "why ፩", "why " + "9" * 5000, "拜" * 5000, "a " * 9000])
def test_odd_numbers_and_long_lines_are_answered(word: str, tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    with closing(begin(*SHORT, "宾", out=path)) as session:
        sink = io.StringIO()
        assert plain.play(session, io.StringIO(f"{word}\nquit\n"), sink) == 0
    assert replay(the_book(), path, io.StringIO(f"{word}\nq\n"), sink) == 0


def test_bytes_that_are_no_text_are_answered() -> None:
    done = run("session", said=b'\xff\xfe\n{"do":"due"}\n')
    assert done.returncode == 0
    assert [json.loads(line)["ok"] for line in done.stdout.splitlines()] == [False, True]
    done = run("verify", os.fsdecode(b"none\xff.jsonl"))
    assert done.returncode == 2
    assert done.stderr.count(b"\n") == 1


@pytest.mark.skipif(os.name != "posix", reason="needs sh")
@pytest.mark.parametrize("cut", ["<&-", ">&-", "2>&-", "| head -n 1"])
def test_closed_streams_end_it_quietly_with_the_session_saved(cut: str, tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    done = run("play", "--plain", "--from", "1", "--out", str(path), said=b"where\n" * 999, cut=cut)
    assert (done.returncode, done.stderr) == (0, b"")
    saved = read_journal(path)
    assert saved.torn_at is None
    assert len(saved.lines) > 3


def test_a_folder_is_no_file_to_write(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", "--from", "1", "--out", "/", "--count", "2"]) == 2
    assert "folder" in capsys.readouterr().err
