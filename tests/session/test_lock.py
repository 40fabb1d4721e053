"""One writer a journal: a second one is told so, and nothing is written by it."""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from game.session.journal import JournalError
from game.session.replay import verify
from game.session.session import Session
from tests.builders import the_book
from tests.session.careless import SHORT, begin

ROOT = Path(__file__).parents[2]


def test_a_journal_that_is_being_written_opens_for_nobody_else(tmp_path: Path) -> None:
    path = tmp_path / "mine.jsonl"
    with closing(begin(*SHORT, "宾", out=path)) as session:
        before = path.read_bytes()
        with pytest.raises(JournalError, match=r"mine\.jsonl: is open in another"):
            Session.open(the_book(), path)
        assert path.read_bytes() == before
        assert session.wait()["ok"]
        assert verify(the_book(), path).same, "reading is free to all"


def test_a_continued_journal_is_held_too_and_let_go_when_it_is_left(tmp_path: Path) -> None:
    path = tmp_path / "mine.jsonl"
    begin(*SHORT, "宾", out=path).close()
    with closing(Session.open(the_book(), path)), pytest.raises(JournalError, match="is open in another"):
        Session.open(the_book(), path)
    Session.open(the_book(), path).close()


def test_a_journal_that_could_not_be_opened_is_let_go(tmp_path: Path) -> None:
    path = tmp_path / "torn.jsonl"
    begin(*SHORT, "宾", out=path).close()
    whole = path.read_bytes()
    path.write_bytes(whole.replace(b'"t":"phase"', b'"t":"phrase"', 1))
    for _ in range(2):
        with pytest.raises(JournalError, match=r"torn\.jsonl:2: h is"):
            Session.open(the_book(), path)
    path.write_bytes(whole)
    Session.open(the_book(), path).close()


def test_another_process_is_refused_with_one_line(tmp_path: Path) -> None:
    path = tmp_path / "mine.jsonl"
    command = [sys.executable, "-m", "game", "play", "--plain", "--open", str(path)]
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    with closing(begin(*SHORT, "宾", out=path)):
        done = subprocess.run(command, cwd=ROOT, env=env, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    assert done.returncode == 2
    assert done.stdout == b""
    assert done.stderr.decode().splitlines() == [
        f"xiangshe: {path}: is open in another xiangshe; leave it there first, or copy the file"
    ]
