"""Saved sessions that others have written: changed, forged, of later releases; and names that would be paths."""

from __future__ import annotations

import copy
import json
from contextlib import closing
from pathlib import Path

import pytest

from game import paths
from game.protocol import Protocol
from game.session.journal import FORMAT, JournalError
from game.session.replay import verify
from game.session.session import Session
from tests.builders import the_book
from tests.session.careless import SHORT, Line, Lines, begin, careless, chained, give, lines_of, played

# Changed


@pytest.mark.parametrize("part", [0.0, 0.3, 0.6, 1.0])
def test_a_changed_line_is_named(tmp_path: Path, part: float) -> None:
    path = tmp_path / "changed.jsonl"
    lines = played().data.splitlines(keepends=True)
    at = round(part * (len(lines) - 1))
    lines[at] = lines[at].replace(b'"t":', b'"T":')
    path.write_bytes(b"".join(lines))
    for read in (lambda: verify(the_book(), path), lambda: Session.open(the_book(), path)):
        with pytest.raises(JournalError, match=rf"changed\.jsonl:{at + 1}: "):
            read()


@pytest.mark.parametrize("t", ["phase", "act", "attempt", "omission", "score"])
def test_a_forged_line_is_named_with_what_was_expected(tmp_path: Path, t: str) -> None:
    path = tmp_path / "forged.jsonl"
    session = begin("03-速宾", "05-主人献宾", "宾", "主人", out=path)
    careless(session, 5)
    session.act({"verb": "兴"})
    session.quit()
    lines = lines_of(path)
    line = [x for x in lines if x["t"] == t][-1]
    forge = {"phase": ("edge", "中"), "act": ("facing", "上"), "score": ("persons", {})}
    key, value = forge.get(t, ("person", "众宾3"))
    line[key] = value
    path.write_bytes(chained(lines))
    report = verify(the_book(), path)
    assert not report.same
    assert report.message.startswith(f"{path}:{line['n'] + 1}: expected ")
    assert "found " in report.message
    if t != "attempt":
        assert json.dumps(value, ensure_ascii=False) in report.message.partition("found ")[2]


@pytest.mark.parametrize(
    "forged",
    [
        {"t": "act", "person": "众宾3", "input": {"verb": "拜"}},
        {"t": "act", "person": "宾", "input": "拜"},
        {"t": "undo", "to": 0},
        {"t": "undo", "to": "1"},
        {"t": "undo"},
        {"t": "note"},
        {"t": "appeal", "of": 10_000, "note": ""},
        {"t": "choice", "what": "无"},
        {"t": "omission", "person": "宾"},
    ],
)
def test_an_input_that_does_nothing_is_named(tmp_path: Path, forged: Line) -> None:
    path = tmp_path / "forged.jsonl"
    begin(*SHORT, "宾", out=path).close()
    lines = lines_of(path)
    path.write_bytes(chained([*lines, {"n": len(lines), **forged}]))
    report = verify(the_book(), path)
    assert not report.same
    assert report.message.startswith(f"{path}:{len(lines) + 1}: expected nothing, found ")


def test_a_file_that_is_no_session_is_told(tmp_path: Path) -> None:
    path = tmp_path / "other.jsonl"
    for data in (b"", b"\n", b"[]\n", b"{}\n", b'{"n":0,"t":"act","h":""}\n', b"\xff\xfe\n", b"[" * 100_000 + b"\n"):
        path.write_bytes(data)
        with pytest.raises(JournalError, match=r"other\.jsonl:1: "):
            Session.open(the_book(), path)
    with pytest.raises(JournalError, match=r"none\.jsonl: cannot be read"):
        verify(the_book(), tmp_path / "none.jsonl")


@pytest.mark.parametrize("key", ["data", "scenario", "seed", "from", "to", "players"])
def test_a_header_that_lacks_something_is_told(tmp_path: Path, key: str) -> None:
    path = tmp_path / "header.jsonl"
    header = json.loads(played().data.splitlines()[0])
    del header[key]
    path.write_bytes(chained([header]))
    with pytest.raises(JournalError, match=rf"header\.jsonl:1: the session line has no {key} "):
        verify(the_book(), path)


# Of later releases


@pytest.mark.parametrize("chain", ["as now", "another"])
def test_a_newer_format_is_refused_with_both_numbers(tmp_path: Path, chain: str) -> None:
    path = tmp_path / "newer.jsonl"
    lines = played().lines
    lines[0]["format"] = FORMAT + 1
    data = chained(lines)
    path.write_bytes(data if chain == "as now" else data.replace(b'"h":', b'"h2":'))
    for read in (lambda: verify(the_book(), path), lambda: Session.open(the_book(), path)):
        with pytest.raises(JournalError, match=rf"newer\.jsonl:1: format {FORMAT + 1}, .* up to {FORMAT};"):
            read()
    assert path.read_bytes() == (data if chain == "as now" else data.replace(b'"h":', b'"h2":'))


def with_more(lines: Lines, every: int) -> Lines:
    """A journal as a later release might write it: lines of an unknown kind among the others, unknown keys in them."""
    news: dict[int, int] = {}
    result: Lines = []
    for i, line in enumerate(lines):
        if i and i % every == 0:
            result.append({"n": len(result), "t": "weather", "what": "雨", "of": i})
        news[i] = len(result)
        more = copy.deepcopy(line)
        more["n"] = len(result)
        more.pop("h")
        for key in ("re", "to", "of"):
            if isinstance(more.get(key), int):
                more[key] = news[more[key]]
        if isinstance(more.get("because"), list):
            more["because"] = [news[n] for n in more["because"]]
        more["mood"] = {"of": [i]}
        if "faults" in more.get("verdict", {}):
            more["verdict"]["tone"] = None
            for fault in more["verdict"]["faults"]:
                fault["seen_by"] = ["主人"]
        result.append(more)
    return result


@pytest.mark.parametrize("every", [1, 2, 7])
def test_unknown_lines_and_keys_are_kept_and_skipped(tmp_path: Path, every: int) -> None:
    inputs = [one for one in played().inputs if one[1] is None or one[0] in ("act", "choose")]
    path = tmp_path / "plain.jsonl"
    session = begin(*SHORT, "宾", "主人", out=path)
    half = len(inputs) // 2
    for one in inputs[:half]:
        give(session, one)
    lines = session.journal.next
    for one in inputs[half:]:
        give(session, one)
    session.close()
    plain = lines_of(path)
    later = tmp_path / "later.jsonl"
    start = with_more(plain[:lines], every)
    start.append({"n": len(start), "t": "weather", "what": "霁"})
    data = chained(start)
    later.write_bytes(data)
    assert verify(the_book(), later).same
    with closing(Session.open(the_book(), later)) as session:
        assert later.read_bytes() == data
        for one in inputs[half:]:
            give(session, one)
    assert later.read_bytes().startswith(data)
    assert verify(the_book(), later).same
    whole = lines_of(later)
    assert [x["t"] for x in whole if x["t"] != "weather"] == [x["t"] for x in plain]
    last = [line for line in whole if line["t"] == "score"][-1:]
    assert [line["persons"] for line in last] == [line["persons"] for line in plain if line["t"] == "score"][-1:]


# Names are data

NAMES = ["../a", "a:b", "🏹", "射 礼", "-x", "a\nb", "%s{0}", "C:\\b", "[red]x", "…" * 60]


@pytest.mark.parametrize("name", NAMES)
def test_a_name_is_no_path(tmp_path: Path, name: str) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    out = folder / "s.jsonl"
    protocol = Protocol(the_book())
    options = dict(the_book().scenarios["常"].options)
    new = {"do": "new", "from": SHORT[0], "to": SHORT[1], "players": {"宾": "士"}, "out": str(out)}
    assert protocol.answer(json.dumps({**new, "scenario": {"id": name, "options": options}}))["ok"]
    assert protocol.answer(json.dumps({"do": "note", "text": name}))["ok"]
    protocol.answer(json.dumps({"do": "act", "verb": name, "object": name, "to": name}))
    protocol.answer('{"do":"quit"}')
    assert [p for p in tmp_path.rglob("*") if p.is_file()] == [out]
    assert lines_of(out)[0]["scenario"]["id"] == name
    assert verify(the_book(), out).same
    for wrong in ({"scenario": name}, {"players": {name: "士"}}, {"players": {"宾": name}}, {"from": name}):
        other = {**new, "out": str(folder / "other.jsonl"), **wrong}
        assert not protocol.answer(json.dumps(other))["ok"]
    assert [p for p in tmp_path.rglob("*") if p.is_file()] == [out]


@pytest.mark.parametrize("name", [n for n in NAMES if "\\" not in n])
def test_a_file_has_just_the_name_that_was_asked_for(tmp_path: Path, name: str) -> None:
    folder = tmp_path / "in"
    out = folder / f"{name[:20]}.jsonl"
    begin(*SHORT, "宾", out=out).close()
    assert [p.resolve() for p in tmp_path.rglob("*") if p.is_file()] == [out.resolve()]
    assert verify(the_book(), out).same
    Session.open(the_book(), out).close()


@pytest.mark.parametrize("name", NAMES)
def test_a_save_is_named_within_its_folder(name: str) -> None:
    path = paths.new_save(name)
    assert path.parent == paths.saves_dir()
    assert path.resolve().parent == paths.saves_dir().resolve()
    assert len(path.name.encode()) < 200
    assert not set(path.name) & set('/\\:*?"<>|\n')
