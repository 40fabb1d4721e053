"""Points by person, by kind of fault and by phase: from the lines alone, and adding up to the whole."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from game import cli
from game.session.breakdown import Sum, breakdown, cost, formula
from game.session.replay import voided
from game.session.score import in_full
from tests.builders import PerfectPlayer, scene, the_book
from tests.session.careless import played

WEIGHTS = {f.kind: f.weight for f in the_book().faults}


def careless() -> list[dict[str, Any]]:
    return [json.loads(line) for line in played().data.splitlines()]


def verdict(*kinds: str) -> dict[str, Any]:
    points = max(0.0, round(1 - sum(WEIGHTS[k] for k in kinds), 2))
    return {"points": points, "faults": [{"kind": k} for k in kinds]}


def test_a_faultless_part_scores_exactly_one() -> None:
    session = scene("01-戒宾", "04-迎宾拜至", "宾")
    player = PerfectPlayer(session, "宾")
    while not session.ended:
        player.turn()
    found = breakdown(session.journal.lines, the_book().faults)
    assert set(found) >= {"宾", "主人"}
    for person in found.values():
        assert person["score"] == 1 and person["points"] == person["of"] > 0
        assert person["lost"] == person["faults"] == {}
        assert all(phase["score"] == 1 for phase in person["phases"].values())
    assert list(found["宾"]["phases"]) == ["01-戒宾", "03-速宾", "04-迎宾拜至"]


def test_the_whole_is_that_of_the_journal_and_the_sum_of_its_parts() -> None:
    lines = careless()
    last = next(line for line in reversed(lines) if line["t"] == "score")
    found = breakdown(lines, the_book().faults)
    assert any(person["lost"] for person in found.values())
    for name, person in found.items():
        told = last["persons"][name]["etiquette"]
        assert {k: person[k] for k in told} == told
        assert round(person["of"] - person["points"], 2) == round(sum(person["lost"].values()), 2)
        for key in ("points", "of"):
            assert round(sum(p[key] for p in person["phases"].values()), 2) == person[key]
        for kind, n in person["faults"].items():
            assert sum(p["faults"].get(kind, 0) for p in person["phases"].values()) == n


def test_void_lines_count_for_nothing() -> None:
    lines = careless()
    void = voided(lines)
    assert void
    without = [line for n, line in enumerate(lines) if n not in void]
    assert breakdown(lines, the_book().faults) == breakdown(without, the_book().faults)


def test_an_act_loses_no_more_than_it_is_worth() -> None:
    """What is beyond the point of the act is nobody's: the costs by kind still add up."""
    one = Sum()
    one.count(verdict("位", "位", "面"), WEIGHTS)
    one.count(verdict("面", "容"), WEIGHTS)
    assert (one.points, one.of) == (0.5, 2)
    assert one.lost == {"位": 1.0, "面": 0.25, "容": 0.25}


def test_the_formula_has_the_weights_of_the_book() -> None:
    for text, name in zip(formula(the_book().faults), ("kind", "name"), strict=True):
        for fault in the_book().faults:
            assert getattr(fault, name) in text and f"{fault.weight:g}" in text


def test_the_command_tells_it_as_text_and_as_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "careless.jsonl"
    path.write_bytes(played().data)
    assert cli.main(["score", str(path), "--format", "json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["persons"] == breakdown(careless(), the_book().faults)
    assert told["players"] == list(careless()[0]["players"])
    assert cli.main(["score", str(path), "--lang", "en"]) == 0
    text = capsys.readouterr().out
    assert "counts one point" in text and "各计一分" not in text
    for player in told["players"]:
        one = told["persons"][player]
        assert f"\t{in_full(one)}" in text, "as it is told at the end of play"
        for phase in one["phases"]:
            assert f"  {phase[:2]} {the_book().phase_texts[phase].english}\t" in text
    assert not re.search("[\u3400-\u9fff]", text.split("\n", 1)[1]), text
    assert cli.main(["score", str(path), "--lang", "zh"]) == 0
    assert not re.search("[A-Za-z]", capsys.readouterr().out)


def test_a_kind_of_fault_has_one_name_in_the_formula_the_verdict_and_the_result() -> None:
    explainer = scene("01-戒宾", "01-戒宾", "宾").explainer
    for fault in the_book().faults:
        assert explainer.fault_name(fault.kind, True) == fault.name
        assert explainer.fault_name(fault.kind, False) == fault.kind
        one = {"faults": {fault.kind: 2}, "lost": {fault.kind: 0.5}}
        assert cost(one, explainer, True) == f"{fault.name} 2 −0.5"
        done = {"kind": fault.kind, "rule": fault.rule, "expected": "无", "got": "无", "clauses": []}
        assert explainer.fault(done)["zh"].startswith(f"{fault.kind}：")
