"""Saved sessions: the same to the byte wherever they are made, whole after any end, continued as if never left."""

from __future__ import annotations

import errno
import json
import os
import subprocess
import sys
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import pytest

from game.session.journal import JournalError, read_journal
from game.session.replay import verify
from game.session.session import Session
from tests.builders import PerfectPlayer, the_book
from tests.session.careless import SHORT, TEXT, Input, Line, begin, chained, give, lines_of, played

ROOT = Path(__file__).parents[2]


def go_on(path: Path, inputs: Iterable[Input]) -> bytes:
    """Continue a saved session with some inputs; what its file holds then."""
    with closing(Session.open(the_book(), path)) as session:
        for one in inputs:
            give(session, one)
    return path.read_bytes()


# The same everywhere

PLACES = [
    {"PYTHONHASHSEED": "0", "LC_ALL": "C", "TZ": "UTC"},
    {"PYTHONHASHSEED": "1", "LC_ALL": "C.UTF-8", "TZ": "Asia/Shanghai"},
    {"PYTHONHASHSEED": "random", "LC_ALL": "POSIX", "TZ": "America/St_Johns"},
    {"PYTHONHASHSEED": "4242", "LANG": "tr_TR.UTF-8", "PYTHONOPTIMIZE": "1"},
]


def run(*arguments: str, place: dict[str, str]) -> bytes:
    env = {k: v for k, v in os.environ.items() if not k.startswith(("LC_", "LANG", "PYTHON"))}
    env |= {"PYTHONPATH": str(ROOT), **place}
    return subprocess.run([sys.executable, *arguments], cwd=ROOT, env=env, check=True, capture_output=True).stdout


def test_agents_alone_write_the_same_bytes_everywhere(tmp_path: Path) -> None:
    said = set()
    for i, place in enumerate(PLACES):
        out = tmp_path / f"{i}.jsonl"
        run("-m", "game", "simulate", "--from", "4", "--to", "6", "--out", str(out), place=place)
        said.add(out.read_bytes())
        said.add(run("-m", "game", "simulate", "--from", "4", "--to", "6", place=place))
    assert len(said) == 1
    assert said.pop().count(b"\n") > 200


def test_players_make_the_same_bytes_everywhere(tmp_path: Path) -> None:
    said = set()
    for i, place in enumerate(PLACES):
        out = tmp_path / f"{i}.jsonl"
        run("-m", "tests.session.careless", str(out), "5", place=place)
        said.add(out.read_bytes())
    assert len(said) == 1


def test_each_line_is_chained_as_documented() -> None:
    assert chained(played().lines) == played().data


def test_a_new_session_writes_over_no_file(tmp_path: Path) -> None:
    path = tmp_path / "there.jsonl"
    path.write_bytes(b"mine")
    with pytest.raises(FileExistsError):
        begin(*SHORT, out=path)
    assert path.read_bytes() == b"mine"


# Left and gone on with


def test_a_twin_left_after_every_input_ends_with_the_same_bytes(tmp_path: Path) -> None:
    path = tmp_path / "twin.jsonl"
    begin(*SHORT, "宾", "主人", out=path).close()
    for one in played().inputs[:60]:
        go_on(path, [one])
    kept = path.read_bytes()
    assert played().data.startswith(kept)
    assert kept.count(b"\n") == [*played().before, played().data.count(b"\n")][min(60, len(played().inputs))]


def test_a_faultless_twin_ends_with_the_same_bytes(tmp_path: Path) -> None:
    whole, left = tmp_path / "whole.jsonl", tmp_path / "left.jsonl"
    session = begin(*SHORT, "宾", out=whole)
    PerfectPlayer(session, "宾").finish()
    session.close()
    session = begin(*SHORT, "宾", out=left)
    while not session.ended:
        PerfectPlayer(session, "宾").turn()
        session.close()
        session = Session.open(the_book(), left)
    session.close()
    assert left.read_bytes() == whole.read_bytes()
    assert verify(the_book(), left).same


def test_a_session_broken_off_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "broken off.jsonl"
    session = begin(*SHORT, "宾", out=path)
    PerfectPlayer(session, "宾").turn()
    session.quit()
    assert lines_of(path)[-1]["why"] == "止"
    for _ in range(3):
        session = Session.open(the_book(), path)
        assert session.due()["must"]
        PerfectPlayer(session, "宾").turn()
        session.quit()
    with closing(Session.open(the_book(), path)) as session:
        PerfectPlayer(session, "宾").finish()
    assert [line["why"] for line in lines_of(path) if line["t"] == "end"] == ["止"] * 4 + ["卒"]
    assert verify(the_book(), path).same
    with closing(Session.open(the_book(), path)) as session:
        assert session.ended


def test_a_finished_session_goes_on_only_by_undo(tmp_path: Path) -> None:
    path = tmp_path / "done.jsonl"
    session = begin(*SHORT, "宾", out=path)
    PerfectPlayer(session, "宾").finish()
    session.close()
    session = Session.open(the_book(), path)
    assert not session.act({"verb": "拜"})["ok"]
    assert session.undo()["ok"]
    assert not session.ended
    PerfectPlayer(session, "宾").finish()
    session.close()
    assert verify(the_book(), path).same


# Cut short


def test_a_file_cut_anywhere_goes_on_as_if_it_had_not_been(tmp_path: Path) -> None:
    path, chance = tmp_path / "cut.jsonl", Random(7)
    first = played().data.index(b"\n") + 1
    last = played().data.rindex(b"\n", 0, -1) + 1
    cuts = [
        first,
        last,
        last + 1,
        len(played().data) - 1,
        *(chance.randrange(first, len(played().data)) for _ in range(16)),
    ]
    for at in cuts:
        path.write_bytes(played().data[:at])
        session = Session.open(the_book(), path)
        session.close()
        kept = path.read_bytes()
        assert played().data.startswith(kept)
        assert len(kept) > played().data.rfind(b"\n", 0, at), f"cut at {at}: a whole line was dropped"
        assert go_on(path, played().rest(kept.count(b"\n"))) == played().data


def test_a_torn_last_line_is_told_by_verify_and_left_in_place(tmp_path: Path) -> None:
    path = tmp_path / "torn.jsonl"
    path.write_bytes(played().data[:-5])
    report = verify(the_book(), path)
    assert report.same
    assert "torn" in report.message
    assert path.read_bytes() == played().data[:-5]
    whole = played().data.count(b"\n") - 1
    assert len(read_journal(path).lines) == whole


def test_nothing_is_lost_when_the_program_is_killed(tmp_path: Path) -> None:
    expected = played().lines
    requests = [_request(one) for one in played().inputs]
    chance = Random(20)
    for i in range(20):
        path = tmp_path / f"killed{i}.jsonl"
        new = {"do": "new", "players": {"宾": "士", "主人": "士"}, "from": SHORT[0], "to": SHORT[1], "out": str(path)}
        printed = _killed([new, *requests], chance.randrange(1, len(requests)))
        lines = lines_of(path)
        for reply in printed:
            for event in reply.get("events", []):
                assert lines[event["n"]] == event
        session = Session.open(the_book(), path)
        for one in played().rest(session.journal.next):
            give(session, one)
        session.close()
        assert [_bare(line) for line in lines_of(path)] == [_bare(line) for line in expected]
        assert verify(the_book(), path).same


def _killed(requests: list[dict[str, Any]], answers: int) -> list[dict[str, Any]]:
    """What a session printed that was killed, while at work, when it had given some answers."""
    command = [sys.executable, "-m", "game", "session"]
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(command, cwd=ROOT, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write("".join(json.dumps(r) + "\n" for r in requests).encode())
        process.stdin.flush()
        said = b"".join(process.stdout.readline() for _ in range(answers))
        process.kill()
        said += process.stdout.read()
    return [json.loads(line) for line in said.split(b"\n")[:-1]]


def _request(one: Input) -> dict[str, Any]:
    does, what = one
    if does == "act":
        return {"do": "act", **what}
    if does == "choose":
        return {"do": "choose", "what": what}
    if does == "undo":
        return {"do": "undo"} if what is None else {"do": "undo", "to": what}
    more = {"note": {"of": what, "text": TEXT}, "appeal": {"of": what, "note": TEXT}}
    return {"do": does, **more.get(does, {})}


def _bare(line: Line) -> Line:
    """A line without what differs between two sessions begun at different times."""
    return {k: v for k, v in line.items() if k not in ("h", "started")}


def test_a_line_that_cannot_be_written_is_told_and_the_file_stays_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "full.jsonl"
    session = begin(*SHORT, "宾", out=path)
    before = path.read_bytes()

    def full(number: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        with pytest.raises(JournalError, match=r"full\.jsonl: cannot be written \(No space left on device\)"):
            session.note(None, "满")
    assert path.read_bytes() == before
    with pytest.raises(JournalError, match="not written since"):
        session.note(None, "又")
    session.close()
    assert path.read_bytes() == before
    assert go_on(path, [("wait", None)]).startswith(before)


@pytest.mark.parametrize("value", ["\ud800", float("nan"), float("inf")])
def test_what_cannot_be_written_down_is_refused_before_anything_happens(tmp_path: Path, value: object) -> None:
    path = tmp_path / "odd.jsonl"
    session = begin(*SHORT, "宾", out=path)
    with closing(session):
        before, state = path.read_bytes(), session.state()
        (entry, *_) = session.due()["must"]
        reply = session.act({"verb": entry["verb"], "speech": value})
        assert not reply["ok"]
        assert (path.read_bytes(), session.state()) == (before, state)
