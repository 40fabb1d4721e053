"""The independent checker of journals, on journals made by hand: sound ones pass, each fault is told with its line."""

from __future__ import annotations

import ast
import hashlib
import importlib.util
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from jsonschema import Draft202012Validator

DATA = Path(__file__).parents[2] / "data"
SCRIPT = DATA / "check_journal.py"
SCHEMA: dict[str, Any] = json.loads((DATA / "journal.schema.json").read_text(encoding="utf-8"))

Line = dict[str, Any]
Lines = list[Line]


def load_checker() -> ModuleType:
    """The script as a module, without leaving compiled files in the data folder."""
    spec = importlib.util.spec_from_file_location("check_journal", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    before, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    try:
        spec.loader.exec_module(module)
    finally:
        sys.dont_write_bytecode = before
    return module


CHECKER = load_checker()


# Journals by hand


def session(**more: Any) -> Line:
    return {
        "t": "session", "format": 1, "game": "0.1.0", "data": "0123456789abcdef", "reading": "郑",
        "scenario": {"id": "常"}, "seed": 1, "from": "01-戒宾", "to": "01-戒宾", "players": {"宾": "士"}, "agents": {},
        "parent": None, "started": None, **more,
    }  # fmt: skip


PERSON = {"at": "宾家门外", "facing": "东", "posture": "立", "hands": {}, "dress": ["朝服"]}


def phase(edge: str = "始", **more: Any) -> Line:
    state = {"persons": {"宾": PERSON}, "things": {"爵1": "上篚"}}
    return {"t": "phase", "phase": "01-戒宾", "edge": edge, "state": state, **more}


def right(**more: Any) -> Line:
    return {"grade": "正", "points": 1.0, "faults": [], **more}


def wrong(kind: str = "数", grade: str = "失", points: float = 0.5, **more: Any) -> Line:
    fault = {"kind": kind, "rule": "r_count", "expected": "2", "got": "1", "clauses": ["P01.003"], **more}
    return {"grade": grade, "points": points, "faults": [fault]}


def act(**more: Any) -> Line:
    return {
        "t": "act", "phase": "01-戒宾", "step": "p01_guest_bows", "basis": "文", "person": "宾", "actor": "宾",
        "verb": "拜", "times": 2, "manner": "拜辱", "object": None, "which": [], "count": 1, "to": ["主人"],
        "from": None, "into": None, "hand": None, "via": None, "at": "宾家门外", "facing": "东", "posture": "立",
        "speech": None, "re": None, "because": [1], "clauses": ["P01.003"], "by": "agent", "verdict": right(), **more,
    }  # fmt: skip


def attempt(**more: Any) -> Line:
    said = {k: None for k in act() if k not in ("t", "person", "actor", "verb", "by", "verdict")}
    verdict = {"code": "unclear", "candidates": []}
    return {k: {**act(), **said, "by": "player", "verdict": verdict, **more}[k] for k in act()} | {"t": "attempt"}


def scored(points: float = 2.0, of: int = 3, **faults: int) -> Line:
    etiquette = {"points": points, "of": of, "score": round(points / of, 4), "faults": faults}
    return {"etiquette": etiquette, "archery": None}


def score(*people: str, **more: Any) -> Line:
    persons = {"主人": scored(1, 1), "宾": scored(阙=1)}
    return {"t": "score", "phase": "01-戒宾", "persons": {p: persons[p] for p in people or persons}, **more}


def shot(**more: Any) -> Line:
    return {
        "t": "shot", "phase": "21-三耦射", "round": 1, "person": "上耦上射", "team": "右", "arrow": 1, "aim": [0.5],
        "x": 0.012, "y": -0.3, "struck": "中", "on_beat": None, "counted": False, "why": None, **more,
    }  # fmt: skip


def tally(**more: Any) -> Line:
    return {"t": "tally", "round": 2, "right": 3, "left": 1, "ahead": "右", "pairs": 1, "odd": 0, **more}


def end(**more: Any) -> Line:
    return {"t": "end", "why": "卒", "totals": {}, **more}


def sound() -> Lines:
    """One line of each kind, and some kinds that no program knows yet."""
    return [
        session(),
        phase(),
        {"t": "happening", "phase": "03-速宾", "what": "羹定", "clauses": ["P03.001"]},
        act(),
        act(person="主人", actor="主人", manner="答", to=["宾"], re=3, because=[3], clauses=["P01.004"]),
        attempt(),
        act(by="player", times=1, verdict=wrong()),
        {"t": "undo", "to": 6},
        {"t": "wait", "person": "宾"},
        {"t": "omission", "step": "p01_guest_bows", "person": "宾", "verdict": wrong("阙", "违", 0)},
        {"t": "become", "person": "相", "office": "司正", "clauses": ["P13.003"]},
        {"t": "choice", "what": "驺虞"},
        {"t": "note", "text": "何以再拜", "of": 4},
        {"t": "appeal", "of": 9, "note": ""},
        shot(),
        tally(),
        {"t": "weather", "what": "雨"},
        act(basis="补", step=None, clauses=[], hand="两", wind="北"),
        score(),
        phase("终"),
        score(phase=None),
        end(why="止", undos=1),
        act(by="player"),
        {**score("宾"), "persons": {"宾": scored(3, 4, 阙=1)}},
        phase("终"),
        {**score(phase=None), "persons": {"主人": scored(1, 1), "宾": scored(3, 4, 阙=1)}},
        end(undos=1, totals={"宾": scored(3, 4, 阙=1)}),
    ]


def written(lines: Lines) -> bytes:
    """Lines as a journal has them: numbered, compact, chained."""
    data, h = b"", "0" * 16
    for n, line in enumerate(lines):
        body = json.dumps({"n": n, **line}, ensure_ascii=False, separators=(",", ":"))[:-1].encode()
        h = hashlib.sha256(h.encode() + body).hexdigest()[:16]
        data += body + f',"h":"{h}"}}\n'.encode()
    return data


def problems(data: bytes | Lines) -> list[tuple[int, str]]:
    return list(CHECKER.check_bytes(data if isinstance(data, bytes) else written(data)))


# Sound journals


def test_a_sound_journal_has_no_problems() -> None:
    assert problems(sound()) == []


def test_the_session_alone_is_sound() -> None:
    assert problems([session()]) == []


def test_an_undo_takes_the_end_back() -> None:
    lines = [session(), phase(), act(by="player"), end(), {"t": "undo", "to": 2}, act(by="player"), end(undos=1)]
    assert problems(lines) == []


def test_it_imports_the_standard_library_alone() -> None:
    tree = ast.parse(SCRIPT.read_text(encoding="utf-8"))
    names = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    names |= {str(node.module) for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert {name.split(".")[0] for name in names} <= sys.stdlib_module_names


# The schema says the same


def test_the_schema_is_one_and_accepts_what_is_sound() -> None:
    Draft202012Validator.check_schema(SCHEMA)
    validator = Draft202012Validator(SCHEMA)
    for line in written(sound()).splitlines():
        assert [e.message for e in validator.iter_errors(json.loads(line))] == []


def test_schema_and_checker_require_the_same_keys() -> None:
    defs = SCHEMA["$defs"]
    required = {
        t: tuple(defs["act_keys" if t in ("act", "attempt") else t]["required"])
        for t in CHECKER.REQUIRED
        if t != "wait"
    }
    assert required == {t: keys for t, keys in CHECKER.REQUIRED.items() if t != "wait"}
    assert CHECKER.REQUIRED["wait"] == ()


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("facing", CHECKER.FACINGS), ("posture", CHECKER.POSTURES), ("hand", CHECKER.HANDS), ("basis", CHECKER.BASES),
        ("team", CHECKER.TEAMS), ("grade", CHECKER.GRADES), ("fault_kind", CHECKER.FAULT_KINDS),
        ("code", CHECKER.CODES),
    ],
)  # fmt: skip
def test_schema_and_checker_have_the_same_words(name: str, words: tuple[str, ...]) -> None:
    assert tuple(SCHEMA["$defs"][name]["enum"]) == words


# What one line can have wrong


BAD: list[tuple[Line, str]] = [
    (phase(edge="中"), "edge"),
    (phase(phase="戒宾"), "phase"),
    (phase(state={"persons": {"宾": {**PERSON, "facing": "上"}}, "things": {}}), "facing of 宾"),
    (phase(state={"persons": {"宾": {**PERSON, "dress": None}}, "things": {}}), "dress of 宾"),
    (phase(state={"persons": {"宾": PERSON}}), "things"),
    (phase(state={"things": {}}), "persons"),
    ({"t": "happening", "what": "羹定"}, "clauses"),
    ({"t": "become", "person": "相", "clauses": []}, "office"),
    (act(facing="上"), "facing"),
    (act(facing=None), "facing"),
    (act(basis="疑"), "basis"),
    (act(posture="卧"), "posture"),
    (act(hand="中"), "hand"),
    (act(times=0), "times"),
    (act(count=True), "count"),
    (act(to="主人"), "to"),
    (act(by="nobody"), "by"),
    (act(clauses=["P1.3"]), "clauses"),
    (act(clauses=[]), "only 补"),
    (act(verdict=right(grade="优")), "verdict.grade"),
    (act(verdict=right(points=1.5)), "verdict.points"),
    (act(verdict=wrong(grade="正")), "正 has none"),
    (act(verdict=right(grade="失")), "正 has none"),
    (act(verdict=wrong(kind="错")), "verdict.faults: kind"),
    (act(verdict=wrong(rule="")), "verdict.faults: rule"),
    (act(verdict={"grade": "失", "points": 0, "faults": [{"kind": "数"}]}), "a fault has no rule"),
    (act(verdict=right(code="unclear")), "code"),
    (act(verdict={"code": "unclear"}), "code"),
    (attempt(verdict=right()), "verdict.code"),
    (attempt(verdict={"code": "wrong"}), "verdict.code"),
    (attempt(by="agent"), "by"),
    ({"t": "omission", "step": "p01", "person": "宾", "verdict": wrong("数")}, "must be 阙"),
    ({"t": "choice"}, "what"),
    ({"t": "note"}, "text"),
    (shot(struck="天"), "struck"),
    (shot(arrow=5), "arrow"),
    (shot(round=4), "round"),
    (shot(team="东"), "team"),
    (tally(ahead="上"), "ahead"),
    (tally(odd=2), "odd"),
    (score(persons={"宾": scored(1, 1, 错=1)}), "fault 错"),
    (score(persons={"宾": {"etiquette": {"points": 1, "faults": {}}, "archery": None}}), "with points and of"),
    (score(persons={"宾": {"archery": None}}), "etiquette"),
    (end(why="败"), "why"),
]  # fmt: skip


@pytest.mark.parametrize(("line", "told"), BAD, ids=[f"{line['t']}-{told}-{i}" for i, (line, told) in enumerate(BAD)])
def test_a_bad_line_is_told_by_checker_and_schema(line: Line, told: str) -> None:
    data = written([session(), phase(), line])
    found = problems(data)
    assert found, "nothing was found"
    assert all(at == 3 for at, _ in found)
    assert any(told in problem for _, problem in found), found
    bad = json.loads(data.splitlines()[2])
    assert list(Draft202012Validator(SCHEMA).iter_errors(bad)), "the schema lets it pass"


@pytest.mark.parametrize("key", [k for k in session() if k != "t"])
def test_each_key_of_the_session_is_needed(key: str) -> None:
    line = {k: v for k, v in session().items() if k != key}
    assert problems([line]) == [(1, f"session has no {key}; every session line must have it")]


@pytest.mark.parametrize("key", [k for k in act() if k != "t"])
@pytest.mark.parametrize("make", [act, attempt])
def test_each_key_of_an_act_is_needed(make: Callable[[], Line], key: str) -> None:
    line = {k: v for k, v in make().items() if k != key}
    told = f"{line['t']} has no {key}; every {line['t']} line must have it"
    assert problems([session(), phase(), line])[0] == (3, told)


def test_keys_in_another_order_are_told() -> None:
    line = {"t": "tally", **dict(reversed(tally().items()))}
    ((at, problem),) = problems([session(), line])
    assert at == 2
    assert problem.endswith("their fixed order is round right left ahead pairs odd")


def test_a_tally_that_belies_its_counts_is_told() -> None:
    assert problems([session(), tally(ahead="左")]) == [(2, "ahead is 左 with right 3 and left 1; it must be 右")]


def test_a_newer_format_is_told() -> None:
    ((at, problem),) = problems([session(format=2)])
    assert at == 1
    assert problem.startswith("format is 2")


def test_shots_are_measured_to_the_millimetre() -> None:
    ((at, problem),) = problems([session(), shot(x=0.0123)])
    assert at == 2
    assert problem.startswith("x is 0.0123")


# What stands among other lines


@pytest.mark.parametrize(
    ("line", "told"),
    [
        (act(re=3), "re is 3; it must be the n of an earlier line"),
        (act(re=9), "re is 9; it must be the n of an earlier line"),
        (act(re=-1), "re is -1; it must be the n of an earlier line"),
        (act(re=1), "re is 1, which is phase; it must be act"),
        (act(because=[1, 3]), "because is 3; it must be the n of an earlier line"),
        (act(because=[None]), "because is null; it must be the n of an earlier line"),
        (act(because=1), "because is 1; it must be a list of line numbers"),
        ({"t": "appeal", "of": 3, "note": ""}, "of is 3; it must be the n of an earlier line"),
        ({"t": "appeal", "of": 1, "note": ""}, "of is 1, which is phase; it must be act or attempt or omission"),
        ({"t": "undo", "to": 3}, "to is 3; an undo goes back to the n of an earlier line, not before line 1"),
        ({"t": "undo", "to": 0}, "to is 0; an undo goes back to the n of an earlier line, not before line 1"),
        (session(), "a second session; a file holds one"),
    ],
)
def test_a_line_refers_to_lines_before_it(line: Line, told: str) -> None:
    assert problems([session(), phase(), act(), line]) == [(4, told)]


def test_void_lines_are_not_referred_to() -> None:
    void = [session(), phase(), act(), act(by="player"), {"t": "undo", "to": 3}]
    assert problems([*void, act(re=3)]) == [(6, "re is 3, which an undo has made void; it must be a line that counts")]
    assert problems([*void, act(because=[4])])[0][1].startswith("because is 4, which an undo has made void")
    assert problems([*void, {"t": "undo", "to": 3}])[0][1].startswith("to is 3, which is void already")
    assert problems([*void, act(re=2), {"t": "undo", "to": 2}, act()]) == []


def test_nothing_but_remarks_and_undo_follows_the_end() -> None:
    over = [session(), phase(), act(), end()]
    assert problems([*over, act()]) == [(5, "act after the end; only undo, note and appeal may follow it")]
    assert problems([*over, {"t": "note", "text": "善"}, {"t": "appeal", "of": 2, "note": "非也"}]) == []


def test_undos_are_counted() -> None:
    lines = [session(), phase(), act(by="player"), {"t": "undo", "to": 2}, end(undos=0)]
    assert problems(lines) == [(5, "undos is 0; there are 1 undo lines")]


def test_a_journal_begins_with_its_session() -> None:
    assert problems([phase()]) == [(1, "not the session; line 0 must be it")]
    assert problems(b"") == [(1, "the file is empty; a journal begins with its session line")]


# The bytes


def changed(at: int, change: Callable[[bytes], bytes]) -> list[tuple[int, str]]:
    """The problems of the sound journal with the bytes of one line changed."""
    lines = written(sound()).splitlines(keepends=True)
    assert change(lines[at]) != lines[at]
    lines[at] = change(lines[at])
    return problems(b"".join(lines))


def test_a_changed_line_is_told_once() -> None:
    ((at, problem),) = changed(3, lambda line: line.replace("主人".encode(), "介宾".encode()))
    assert at == 4
    assert problem.startswith("h is ")
    assert "this line was changed" in problem


def test_a_forged_h_is_told_where_the_chain_breaks() -> None:
    assert [at for at, _ in changed(3, lambda line: line[:-19] + b"0" * 16 + b'"}\n')] == [4, 5]


def test_a_lost_line_is_told() -> None:
    found = changed(8, lambda line: b"")
    assert found[0] == (9, "n is 9, expected 8; a line is missing, moved or added")
    assert found[1][1].startswith("h is ")


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda line: line.replace(b'"t":', b'"t": '), "not compact JSON"),
        (lambda line: line.replace("宾".encode(), b"\\u5bbe"), "not compact JSON"),
        (lambda line: line[:-1] + b"\r\n", "not compact JSON"),
        (lambda line: line.replace(b'"times":2', b'"times":2,"times":2'), "key times stands twice"),
        (lambda line: line.replace(b'"n":3,"t":"act"', b'"t":"act","n":3'), "n must be the first key"),
        (lambda line: line[:-2] + b',"z":1}\n', "h the last"),
        (lambda line: line.replace(b'"count":1', b'"count":NaN'), "not JSON"),
        (lambda line: line.replace(b'"because":[1]', b'"because":[1'), "not JSON"),
        (lambda line: line.replace("宾".encode(), b"\xff"), "not UTF-8"),
        (lambda line: b"[1,2]\n", "is not an object"),
        (lambda line: b"\n", "not JSON"),
        (lambda line: line.replace(b'"t":"act"', b'"t":7'), "t is 7"),
        (lambda line: line.replace(b'"t":"act",', b""), "no t"),
    ],
)
def test_bytes_of_another_form_are_told(change: Callable[[bytes], bytes], told: str) -> None:
    found = [problem for at, problem in changed(3, change) if at == 4]
    assert any(told in problem for problem in found), found


def test_a_line_cut_short_is_told() -> None:
    data = written(sound())
    assert problems(data[:-30])[-1] == (len(sound()), "the last line has no line end; it was cut short, remove it")


# The command


def test_the_command_prints_file_and_line(tmp_path: Path) -> None:
    good, bad = tmp_path / "good.jsonl", tmp_path / "bad.jsonl"
    good.write_bytes(written(sound()))
    bad.write_bytes(written([session(), tally(odd=3), tally(round=0)]))

    def run(*names: object) -> tuple[int, str, str]:
        command = [sys.executable, "-I", str(SCRIPT), *map(str, names)]
        done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
        return done.returncode, done.stdout, done.stderr

    assert run(good) == (0, "", "")
    code, out, err = run(good, bad)
    assert (code, err) == (1, "")
    assert [line.split(": ")[0] for line in out.splitlines()] == [f"{bad}:2", f"{bad}:3"]
    code, out, err = run(tmp_path / "none.jsonl")
    assert (code, out) == (2, "")
    assert "none.jsonl: cannot be read" in err
    assert run()[0] == 2
    assert run("--what")[0] == 2
