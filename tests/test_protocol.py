"""The JSON face: every request of the contract is served, and none can break it."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

from game.protocol import Protocol, serve
from tests.builders import the_book

NEW = {"do": "new", "players": {"宾": "士"}, "from": "1", "to": "1"}
VALUES: list[Any] = [
    True, 0, -1, 1, 2**70, 1.5, "x", "\x00", "\ud800", "\x1b[31m", "9" * 5000, [], [[]], ["宾"], {}, {"宾": []}, [None],
]  # fmt: skip
KEYS = {
    "new": ("scenario", "seed", "players", "from", "to", "out"), "open": ("path",), "due": ("person",),
    "act": ("verb", "object", "to", "times", "at", "facing", "manner", "hand", "count", "speech", "aim",
            "person", "zz"),
    "say": ("line", "person"), "wait": ("person",), "step": ("person",), "choose": ("what", "person"),
    "why": ("of", "person", "about"), "appeal": ("of", "note"), "note": ("of", "text"), "undo": ("to",),
}  # fmt: skip


def asked(protocol: Protocol, **request: Any) -> dict[str, Any]:
    return protocol.answer(json.dumps(request))


def begun() -> Protocol:
    protocol = Protocol(the_book())
    assert asked(protocol, **NEW)["ok"]
    return protocol


def test_every_request_of_the_contract_is_served(tmp_path: Path) -> None:
    protocol = Protocol(the_book())
    path = str(tmp_path / "s.jsonl")
    assert asked(protocol, **NEW, out=path)["ok"]
    assert asked(protocol, do="due")["due"]["must"]
    assert asked(protocol, do="say", line="出 宾家门外 西面")["took_effect"]
    assert asked(protocol, do="act", verb="迎", to=["主人"])["took_effect"]
    n = asked(protocol, do="state")["n"] - 1
    assert asked(protocol, do="why")["why"]
    assert asked(protocol, do="why", of=n)["why"][0]["n"] == n
    assert asked(protocol, do="why", about="主人")["why"][0]["about"] == "主人"
    assert asked(protocol, do="appeal", of=n, note="何也")["events"][0]["of"] == n
    assert asked(protocol, do="note", of=n, text="记")["events"][0]["text"] == "记"
    assert asked(protocol, do="undo", to=n)["undone_to"] == n
    assert asked(protocol, do="undo")["ok"]
    assert asked(protocol, do="step")["ok"]
    assert asked(protocol, do="wait")["ok"]
    assert asked(protocol, do="choose", what="驺虞")["code"] == "unclear", "nothing is offered here"
    assert asked(protocol, do="quit")["events"][-1]["why"] == "止"
    assert asked(protocol, do="open", path=path)["due"]["person"] == "宾"
    assert asked(protocol, do="quit")["ok"]


@pytest.mark.parametrize("do", KEYS)
def test_no_value_of_any_key_breaks_it_or_changes_the_world(do: str, tmp_path: Path) -> None:
    protocol = begun()
    assert protocol.session is not None
    for key in KEYS[do]:
        for value in VALUES:
            if do == "new" and (key, value) in (("players", {}), ("to", 1), ("from", 1), ("seed", 0), ("seed", -1)):
                continue
            request = {"do": do, "verb": "拜", "of": 0, **(NEW if do == "new" else {}), key: value}
            if do == "new":
                request["to"] = value if key == "to" else "x"
            if key == "out":
                continue
            before = protocol.session.state()["state"]
            reply = asked(protocol, **request)
            json.dumps(reply, ensure_ascii=False).encode()
            if not reply["ok"]:
                assert protocol.session is not None
                assert protocol.session.state()["state"] == before
                assert reply["code"] in ("unclear", "ambiguous", "impossible")
                assert 0 < len(reply["error"]) < 600
                assert "\n" not in reply["error"]


@pytest.mark.parametrize("person", ["nobody", "司射", ["宾"], 1])
@pytest.mark.parametrize("do", ["act", "wait", "step"])
def test_who_plays_no_part_gives_no_input(do: str, person: Any) -> None:
    protocol = begun()
    assert protocol.session is not None
    lines = protocol.session.journal.next
    assert not asked(protocol, do=do, verb="拜", person=person)["ok"]
    assert protocol.session.journal.next == lines


def test_due_is_answered_at_any_moment_for_anyone() -> None:
    protocol = Protocol(the_book())
    empty: dict[str, list[str]] = {"must": [], "any_order": [], "choose": [], "may": [], "owed": []}
    for person in ("宾", "nobody"):
        assert asked(protocol, do="due", person=person)["due"] == {"person": person, **empty}
    protocol = begun()
    assert asked(protocol, do="due", person="nobody")["due"] == {"person": "nobody", **empty}
    asked(protocol, do="quit")
    assert asked(protocol, do="due")["due"] == {"person": None, **empty}


@pytest.mark.parametrize(
    ("wrong", "named"),
    [
        ({"players": {"宾": "高"}}, "高"),
        ({"players": {"宾": ["士"]}}, "士"),
        ({"players": {"某": "士"}}, "某"),
        ({"players": ["宾"]}, "players"),
        ({"players": False}, "players"),
        ({"from": "99"}, "99"),
        ({"from": False}, "from"),
        ({"from": "2"}, "exchange"),
        ({"seed": "1"}, "seed"),
        ({"seed": True}, "seed"),
        ({"seed": 2**64}, "seed"),
        ({"scenario": "无此"}, "无此"),
        ({"scenario": "none.yaml"}, "none.yaml"),
        ({"scenario": {"id": "x", "options": {"众賓": 5}}}, "众賓"),
        ({"scenario": {"id": "x", "options": {"众耦": [1]}}}, "众耦"),
        ({"out": 1}, "out"),
    ],
)
def test_what_cannot_be_begun_is_named_and_leaves_the_session_as_it_was(wrong: dict[str, Any], named: str) -> None:
    protocol = begun()
    session = protocol.session
    reply = asked(protocol, **{**NEW, **wrong})
    assert not reply["ok"]
    assert named in reply["error"]
    assert protocol.session is session


def test_lines_that_are_no_requests_are_answered_each() -> None:
    deep = "[" * 100_000
    inner = '{"do":"act","verb":"拜","zz":' + "[" * 500 + "]" * 500 + "}"
    lines = [
        json.dumps(NEW),
        "{",
        "[]",
        "1",
        "null",
        '"x"',
        '{"do":1}',
        '{"do":"x"}',
        deep,
        '{"do":NaN}',
        "\udcff",
        inner,
    ]
    sink = io.StringIO()
    assert serve(the_book(), io.StringIO("\n\n".join(lines) + "\n"), sink) == 0
    replies = [json.loads(line) for line in sink.getvalue().splitlines()]
    assert [r["ok"] for r in replies] == [True] + [False] * (len(lines) - 1)


def test_many_undos_and_acts_without_a_pause_end_where_they_began() -> None:
    protocol = begun()
    start = asked(protocol, do="state")["state"]
    for _ in range(200):
        assert asked(protocol, do="act", verb="出", at="宾家门外", facing="西")["ok"]
        assert asked(protocol, do="undo")["ok"]
    assert asked(protocol, do="state")["state"] == start
    assert not asked(protocol, do="undo")["ok"]


def test_a_range_left_out_is_that_of_the_command_line() -> None:
    book, protocol = the_book(), Protocol(the_book())
    for request in ({"from": "5"}, {}, {"to": "4"}, {"from": "4", "to": "5"}):
        begin = asked(protocol, do="new", **request)
        header = begin["events"][0]
        assert (header["from"], header["to"]) == book.range(request.get("from"), request.get("to"))
        asked(protocol, do="quit")
    assert book.range("5", None) == ("05-主人献宾", "05-主人献宾")
    assert book.range(None, None) == ("01-戒宾", "44-退诸射器")


def test_a_key_that_no_act_has_is_named_with_those_it_may_be() -> None:
    protocol = begun()
    assert protocol.session is not None
    before = protocol.session.state()["state"]
    reply = asked(protocol, do="act", verb="出", at="宾家门外", facin="西")
    assert (reply["ok"], reply["code"]) == (False, "unclear")
    assert "facin" in reply["error"]
    assert "facing" in reply["candidates"]
    assert protocol.session.state()["state"] == before
    assert protocol.session.journal.lines[-1]["input"]["facin"] == "西"
    assert asked(protocol, do="act", verb="出", at="宾家门外", facing="西")["ok"]


def test_the_answer_to_an_act_names_its_line() -> None:
    protocol = begun()
    assert protocol.session is not None
    reply = asked(protocol, do="say", line="出 宾家门外 西面 迎 主人")
    lines = [protocol.session.journal.lines[one["n"]] for one in reply["acts"]]
    assert [line["verb"] for line in lines] == ["出", "迎"]
    assert all(line["by"] == "player" for line in lines)
