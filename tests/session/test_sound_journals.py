"""The independent checker and the schema, on journals that sessions make, and on copies with one rule broken each."""

from __future__ import annotations

import copy
import json
import re
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from tests.session.careless import Line, Lines, begin, careless, chained, lines_of

ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / "data" / "check_journal.py"
VALIDATOR = Draft202012Validator(json.loads((ROOT / "data" / "journal.schema.json").read_text(encoding="utf-8")))
PHASES = ("03-速宾", "05-主人献宾")


def check(*paths: Path) -> tuple[int, list[str]]:
    """Exit code and lines of the checker, run as users run it."""
    command = [sys.executable, "-I", str(SCRIPT), *map(str, paths)]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
    assert done.stderr == ""
    return done.returncode, done.stdout.splitlines()


def written(lines: Lines) -> bytes:
    """Lines numbered and chained anew, so that nothing is wrong with a copy but what was broken in it."""
    return chained({"n": n, **{k: v for k, v in line.items() if k != "n"}} for n, line in enumerate(lines))


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A journal with all that can be broken, by the first of some careless players who makes one."""
    folder = tmp_path_factory.mktemp("played")
    for seed in range(40):
        path = folder / f"{seed}.jsonl"
        session = begin(*PHASES, "宾", "主人", out=path)
        careless(session, seed)
        session.undo()
        session.step()
        session.wait()
        session.note(5, "何以如此")
        session.appeal(next(line["n"] for line in session.journal.lines if line["t"] == "act"), "非也")
        session.quit()
        if complete(lines_of(path)):
            return path
    raise AssertionError("no journal has all that can be broken")


def complete(lines: Lines) -> bool:
    """Whether there is something of each kind to break."""
    kinds = {line["t"] for line in lines}
    undone = [x for x in lines if x["t"] == "undo" and any(y["t"] == "act" for y in lines[x["to"] : x["n"]])]
    wanted = {"session", "phase", "act", "attempt", "omission", "wait", "undo", "note", "appeal", "score", "end"}
    if not (wanted <= kinds and undone and {line.get("how") for line in lines} >= {"wait", "step"}):
        return False
    faulty_act = any(line["t"] == "act" and faulty(line) for line in lines)
    return faulty_act and any(line["t"] == "act" for line in lines[undone[0]["n"] :])


# Journals that sessions make


def test_agents_alone_make_sound_journals(tmp_path: Path) -> None:
    path = tmp_path / "agents.jsonl"
    session = begin("01-戒宾", "09-一人举觯", out=path)
    session.close()
    assert session.ended
    assert check(path) == (0, [])
    assert [e.message for line in lines_of(path) for e in VALIDATOR.iter_errors(line)] == []


@pytest.mark.parametrize("phases", [PHASES, ("06-宾酢主人", "09-一人举觯"), ("32-数获", "33-饮不胜者")])
def test_careless_players_make_sound_journals(tmp_path: Path, phases: tuple[str, str]) -> None:
    paths = []
    for seed, players in enumerate((["宾"], ["主人"], ["宾", "主人"], ["上耦上射", "上耦下射"])):
        paths.append(tmp_path / f"{seed}.jsonl")
        session = begin(*phases, *players, out=paths[-1])
        careless(session, seed)
        session.close()
    assert check(*paths) == (0, [])
    for path in paths:
        assert [(line["n"], e.message) for line in lines_of(path) for e in VALIDATOR.iter_errors(line)] == []


def test_the_journal_that_will_be_broken_is_sound(played: Path) -> None:
    assert check(played) == (0, [])


# Copies with one rule broken


def find(lines: Lines, t: str, good: Callable[[Line], bool] = lambda line: True, last: bool = False) -> Line:
    found = [line for line in lines if line["t"] == t and good(line)]
    assert found, t
    return found[-1 if last else 0]


def set_in(t: str, path: str, value: Any, good: Callable[[Line], bool] = lambda line: True) -> Callable[[Lines], Line]:
    """A break: the value at ``path`` (keys with dots) of the first line of a kind."""

    def breaks(lines: Lines) -> Line:
        line = at = find(lines, t, good)
        *keys, last = path.split(".")
        for key in keys:
            at = at[int(key)] if isinstance(at, list) else at[key]
        assert at[last] != value
        at[last] = value
        return line

    return breaks


def without(t: str, key: str) -> Callable[[Lines], Line]:
    def breaks(lines: Lines) -> Line:
        line = find(lines, t)
        del line[key]
        return line

    return breaks


def faulty(line: Line) -> bool:
    return bool(line["verdict"]["faults"])


def right_facing(line: Line) -> bool:
    return not faulty(line) and bool(line["clauses"]) and line["basis"] != "补"


def in_two_places(lines: Lines) -> Line:
    """A thing that lies somewhere, in somebody's hand as well."""
    line = find(lines, "phase")
    person = line["state"]["persons"]["宾"]
    person["hands"] = {"右": [next(iter(line["state"]["things"]))]}
    return line


def nobody_holds(lines: Lines) -> Line:
    line = find(lines, "phase")
    line["state"]["things"][next(iter(line["state"]["things"]))] = "宾·右"
    return line


def lost(lines: Lines) -> Line:
    line = find(lines, "phase", lambda line: line["edge"] == "终")
    line["state"]["things"].popitem()
    return line


def untold(lines: Lines) -> Line:
    line = find(lines, "score")
    line["persons"].popitem()
    return line


def void_answer(lines: Lines) -> Line:
    """An act that names a line as its cue that an undo has made void."""
    undo = find(lines, "undo")
    line = next(x for x in lines[undo["n"] :] if x["t"] == "act")
    line["because"] = [undo["to"]]
    return line


def not_undone(lines: Lines) -> Line:
    """Without the undo, what it took back counts again: the next score is another."""

    def counts(u: Line) -> bool:
        void = any(v["t"] == "undo" and v["to"] <= u["n"] < v["n"] for v in lines)
        return not void and any(x["t"] == "act" for x in lines[u["to"] : u["n"]])

    undo = find(lines, "undo", counts)
    after = lines[undo["n"] :]
    undo["t"] = "unknown"
    return next(line for line in after if line["t"] in ("score", "end"))


def a_line_short(lines: Lines) -> Line:
    line = find(lines, "act")
    lines.remove(line)
    return next(x for x in lines if x["t"] == "score" and line["person"] in x["persons"])


BREAKS: dict[str, tuple[Callable[[Lines], Line], str]] = {
    "format": (set_in("session", "format", 2), "format is 2"),
    "seed": (set_in("session", "seed", "1"), "seed"),
    "level": (set_in("session", "players", {"宾": "圣"}), "players"),
    "edge": (set_in("phase", "edge", "中"), "edge"),
    "facing": (set_in("act", "facing", "上"), "facing"),
    "facing in a state": (set_in("phase", "state.persons.宾.facing", "上"), "facing of 宾"),
    "posture": (set_in("act", "posture", "卧"), "posture"),
    "basis": (set_in("act", "basis", "疑"), "basis"),
    "no clause": (set_in("act", "clauses", [], right_facing), "only 补"),
    "grade": (set_in("act", "verdict.grade", "优"), "verdict.grade"),
    "正 with a fault": (set_in("act", "verdict.grade", "正", faulty), "正 has none"),
    "no fault and not 正": (set_in("act", "verdict.grade", "失", right_facing), "正 has none"),
    "kind of fault": (set_in("act", "verdict.faults.0.kind", "错", faulty), "kind"),
    "points": (set_in("act", "verdict.points", 1.5), "verdict.points"),
    "code": (set_in("attempt", "verdict.code", "wrong"), "verdict.code"),
    "omission": (set_in("omission", "verdict.faults.0.kind", "数"), "must be 阙"),
    "a key": (without("act", "re"), "no re"),
    "a key of an attempt": (without("attempt", "to"), "no to"),
    "a later bow": (set_in("act", "re", 10_000), "re is 10000"),
    "a later cue": (set_in("act", "because", [10_000]), "because is 10000"),
    "an appeal of nothing": (set_in("appeal", "of", 0), "of is 0"),
    "an undo of nothing": (set_in("undo", "to", 10_000), "to is 10000"),
    "a void cue": (void_answer, "made void"),
    "why it ended": (set_in("end", "why", "败"), "why"),
    "undos": (set_in("end", "undos", 99), "undos"),
    "a thing in two places": (in_two_places, "exactly one place"),
    "a thing that nobody holds": (nobody_holds, "does not hold it"),
    "a thing lost": (lost, "none is lost"),
    "a person untold": (untold, "tell it"),
    "points of a score": (set_in("score", "persons.宾.etiquette.points", 0.25), "points of 宾"),
    "number of a score": (set_in("score", "persons.宾.etiquette.of", 1000), "of of 宾"),
    "faults of a score": (set_in("score", "persons.宾.etiquette.faults", {"僭": 7}), "faults of 宾"),
    "share of a score": (set_in("score", "persons.宾.etiquette.score", 0.1234), "score of 宾"),
    "totals": (set_in("end", "totals.宾.etiquette.points", 0.25), "points of 宾"),
    "void lines counted": (not_undone, ""),
    "an act not counted": (a_line_short, "the verdicts"),
}


@pytest.mark.parametrize("name", BREAKS)
def test_a_broken_rule_is_told_with_its_line(played: Path, tmp_path: Path, name: str) -> None:
    breaks, told = BREAKS[name]
    lines = copy.deepcopy(lines_of(played))
    line = breaks(lines)
    path = tmp_path / "broken.jsonl"
    path.write_bytes(written(lines))
    code, said = check(path)
    assert code == 1
    start = f"{path}:{next(i for i, x in enumerate(lines, 1) if x is line)}: "
    assert any(one.startswith(start) and told in one and "; " in one for one in said), said


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda line: line.replace("宾".encode(), "众".encode(), 1), "h is "),
        (lambda line: line.replace("宾".encode(), b"\xff", 1), "not UTF-8"),
        (lambda line: line.replace("宾".encode(), b"\\u5bbe", 1), "not compact JSON"),
        (lambda line: line.replace(b'":', b'": ', 1), "not compact JSON"),
        (lambda line: line[:-10], "not JSON"),
        (lambda line: line.replace(b'{"n":', b'{"n":1', 1), "a line is missing"),
        (lambda line: b"", "not JSON"),
    ],
)
def test_broken_bytes_are_told_with_their_line(
    played: Path, tmp_path: Path, change: Callable[[bytes], bytes], told: str
) -> None:
    lines = played.read_bytes().split(b"\n")
    at = next(i for i, line in enumerate(lines) if b'"t":"act"' in line and "宾".encode() in line)
    lines[at] = change(lines[at])
    path = tmp_path / "broken.jsonl"
    path.write_bytes(b"\n".join(lines))
    code, said = check(path)
    assert code == 1
    assert any(one.startswith(f"{path}:{at + 1}: ") and told in one for one in said), said


def test_what_later_releases_add_is_let_pass(played: Path, tmp_path: Path) -> None:
    lines = lines_of(played)
    act = find(lines, "act")
    act["weather"] = {"rain": True}
    act["verdict"]["mood"] = "和"
    lines[0]["hall"] = "庠"
    lines.append({"t": "weather", "what": "雨"})
    path = tmp_path / "later.jsonl"
    path.write_bytes(written(lines))
    assert check(path) == (0, [])
    assert [e.message for line in lines_of(path) for e in VALIDATOR.iter_errors(line)] == []


# The documented formula


@cache
def documented_script() -> str:
    found = re.search(r"```python\n(.*?)```", (ROOT / "docs" / "scoring.md").read_text(encoding="utf-8"), re.S)
    assert found
    return found[1]


def test_the_documented_script_comes_to_the_same_scores(played: Path, tmp_path: Path) -> None:
    script = tmp_path / "scores.py"
    script.write_text(documented_script(), encoding="utf-8")
    command = [sys.executable, "-X", "utf8", "-I", "-W", "ignore", str(script), str(played)]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=True)
    told = {line.split(" ")[0]: line.split(" ")[1:4] for line in done.stdout.splitlines()}
    persons = find(lines_of(played), "score", lambda line: line["phase"] is None, last=True)["persons"]
    assert told.keys() == persons.keys()
    for person, score in persons.items():
        etiquette = score["etiquette"]
        assert [float(x) for x in told[person]] == [etiquette[k] for k in ("points", "of", "score")]


def test_the_documented_weights_are_those_of_the_data() -> None:
    documented: dict[str, float] = {}
    for line in (ROOT / "docs" / "scoring.md").read_text(encoding="utf-8").splitlines():
        if row := re.fullmatch(r"\| (\d(?:\.\d+)?) \| (.*) \|", line):
            documented |= {one.split(" ")[0]: float(row[1]) for one in row[2].split(" · ")}
    shipped = (ROOT / "data" / "faults.yaml").read_text(encoding="utf-8")
    assert documented == {k: float(w) for k, w in re.findall(r'kind: "(.+?)", name: ".+?", weight: ([\d.]+)', shipped)}
