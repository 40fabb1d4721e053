"""`xiangshe check` passes the data that ship, and names file and line of every kind of error put into a copy."""

from __future__ import annotations

import argparse
import re
from pathlib import Path

import pytest

from game.rite.book import Book
from game.session import check, coverage, references
from game.session.check import run_check
from game.session.references import Findings
from tests.builders import the_book
from tests.session.copies import P01, P02, P03, P04, P05, Copy, after

P13, P14, P20 = "13-立司正", "14-司射请射", "20-司射诱射"

KNOWN: tuple[str, ...] = ("no error is known",)
"""Beginnings of errors of the data that are not mended yet, without their line; empty when all is well."""


# The data that ship


def test_the_shipped_data_have_no_error_but_those_known() -> None:
    """The whole check, once: it performs every named scenario, and takes as long as all other tests here together."""
    shipped = run_check(the_book())
    new = [e for e in shipped.errors if not re.sub(r":\d+: ", ": ", e, count=1).startswith(KNOWN)]
    assert new == []
    book = the_book()
    numbers = {book.phase_texts[p].number for p in book.raw.phases}
    missing = sum(1 for c in book.clauses.values() if c.phase_number not in numbers)
    assert f"clauses: {missing} not encoded yet" in "\n".join(shipped.lines), "never counted as covered"
    assert f"phases: {len(numbers)} of 55 encoded" in shipped.lines
    assert f"scenarios: {', '.join(book.scenarios)}" in shipped.lines


def test_a_small_copy_is_without_error(tmp_path: Path) -> None:
    assert Copy(tmp_path, P01, P02, P03, P04).check().errors == []


# What is written


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('clauses: ["P01.003"]', 'clauses: ["P01.999"]', ("P01.999", "reading.tsv")),
        ('verb: "戒"', 'verb: "戎"', ("no verb 戎", "verbs.yaml")),
        ('at: "宾家门外", facing: "东"', 'at: "宾家们外", facing: "东"', ("at 宾家们外", "places.yaml")),
        ('facing: "西", clauses: ["P01.003"]', 'facing: "中", clauses: ["P01.003"]', ("facing 中", "北")),
        ('who: "宾", verb: "出"', 'who: "賓", verb: "出"', ("no person 賓",)),
        ('to: "主人", at', 'to: "主入", at', ("to 主入",)),
        ("re: p01_guest_bows,", "re: p01_guest_bowed,", ("re p01_guest_bowed", "no such step")),
        ("re: p01_guest_bows,", "", ("manner 答", "re")),
        ('basis: "推"', 'basis: "猜"', ("no basis 猜",)),
        (', clauses: ["P01.004"]', "", ("no clause", "补")),
        ("id: p01_asks,", "id: ask,", ("id ask", "p01_")),
        ("id: p01_asks,", "id: p01_host_answers,", ("p01_host_answers", "taken at 01-戒宾.yaml:16")),
        ("id: p01_asks,", "", ("needs an id",)),
        ('verb: "请",', 'verb: "请", where: "门外",', ("where",)),
        ('words: "敢以射事告"', 'words: "戒宾"', ("words 戒宾", "write speech")),
        ('words: "敢以射事告"', 'speech: "敢以射事告"', ("speech 敢以射事告", "write words")),
        ('at: "宾家门外", words: "将与众', 'fault: "仪", at: "宾家门外", words: "将与众', ("仪",)),
        ('forbid: {who: "宾", verb: "辞"}', 'forbid: {who: "宾", verb: "辤"}', ("forbid", "no verb 辤")),
        ('forbid: {who: "宾", verb: "辞"}', 'forbid: {actor: "宾", verb: "辞"}', ("forbid", "no field actor")),
    ],
)  # fmt: skip
def test_an_error_in_one_step_is_named_by_its_line(tmp_path: Path, old: str, new: str, words: tuple[str, ...]) -> None:
    data = Copy(tmp_path, P01)
    where = data.spoil(P01, old, new)
    data.expect(where, *words)


@pytest.mark.parametrize(
    ("phase", "old", "new", "words"),
    [
        (P02, 'object: "斯禁"', 'object: "斯杯"', ("object 斯杯", "things.yaml")),
        (P02, 'which: "席:{客}"', 'which: "席:{宾}"', ("席:{宾}", "not bound")),
        (P02, 'each: "三宾"', 'each: "四宾"', ("no group 四宾",)),
        (P02, 'mode: "次"', 'mode: "同"', ("no mode 同",)),
        (P05, "like: p05_", "like: p99_", ("like p99_", "no such step")),
        (P20, 'when: {scenario: "堂"', 'when: {scenario: "室"', ("option 室",)),
    ],
)
def test_errors_in_loops_likes_and_conditions(
    tmp_path: Path, phase: str, old: str, new: str, words: tuple[str, ...]
) -> None:
    data = Copy(tmp_path, phase)
    where = data.spoil(phase, old, new)
    data.expect(where, *words)


@pytest.mark.parametrize(
    ("file", "old", "new", "word"),
    [
        ("verbs.yaml", 'id: "退"', 'id: "进"', "进"),
        ("places.yaml", 'id: "门外东"', 'id: "门外西"', "门外西"),
        ("things.yaml", 'id: "勺", number: 2', 'id: "水"', "水"),
        ("persons.yaml", 'id: "获者"', 'id: "司射"', "司射"),
        ("persons.yaml", 'id: "余宾"', 'id: "三宾"', "三宾"),
        ("persons.yaml", 'id: "次耦"', 'id: "上耦"', "上耦"),
    ],
)
def test_an_id_that_stands_twice_in_the_vocabulary_is_named(
    tmp_path: Path, file: str, old: str, new: str, word: str
) -> None:
    data = Copy(tmp_path, P01)
    lines = (data.folder / "vocabulary" / file).read_text(encoding="utf-8").splitlines()
    a, b = (next(n for n, t in enumerate(lines, 1) if f'id: "{w}"' in t) for w in (word, old.split('"')[1]))
    data.spoil(file, old, new)
    data.expect(f"{file}:{max(a, b)}", f"id {word} is taken at {file}:{min(a, b)}", "choose another")


def test_what_the_text_has_said_somebody_says(tmp_path: Path) -> None:
    """P14.009 告于宾曰: the words after it are spoken, not only gone through."""
    data = Copy(tmp_path, P14)
    data.spoil(P14, 'speech: "弓矢既具，有司请射"', 'words: "射乎"')
    data.expect(data.spoil(P14, "phase: ", "phase: "), "P14.009", "曰", "give its step speech")


def test_all_errors_are_reported_not_the_first(tmp_path: Path) -> None:
    data = Copy(tmp_path, P01, P03)
    places = [
        data.spoil(P01, 'verb: "戒", to', 'verb: "戎", to'),
        data.spoil(P01, "re: p01_host_thanks", "re: p01_nothing"),
        data.spoil(P03, 'clauses: ["P03.002"]', 'clauses: ["P03.099"]'),
        data.spoil(P03, "re: p03_guest_bows", "re: p03_nothing"),
    ]
    errors = data.check().errors
    assert [next((e for e in errors if e.startswith(p)), p) for p in places] != places
    assert all(any(e.startswith(p + ": ") for e in errors) for p in places)


def test_a_file_that_is_not_yaml_does_not_hide_errors_elsewhere(tmp_path: Path) -> None:
    data = Copy(tmp_path, P01, P03)
    data.spoil(P01, "steps:", "steps: [")
    where = data.spoil(P03, 'clauses: ["P03.002"]', 'clauses: ["P03.099"]')
    errors = data.check().errors
    assert any(e.startswith("01-戒宾.yaml:") and "YAML" in e for e in errors)
    assert any(e.startswith(where) for e in errors)


def test_the_same_act_twice_running_is_a_slip(tmp_path: Path) -> None:
    data = Copy(tmp_path, P03)
    text = next(data.folder.rglob(f"{P03}*")).read_text(encoding="utf-8")
    line = next(t for t in text.splitlines() if "id: p03_host_summons," in t)
    where = after(data, P03, "p03_host_summons", line.replace("p03_host_summons", "p03_host_summons_again") + "\n")
    data.expect(where, "p03_host_summons_again", "the same act as p03_host_summons")


def test_a_scenario_that_cannot_be_played_is_named_by_its_file(tmp_path: Path) -> None:
    data = Copy(tmp_path, P01)
    where = data.spoil("常.yaml", "众宾: 5", "众宾: 2")
    data.expect(where, "众宾 is 2", "P08.014")


def test_the_reading_must_be_base_and_patches(tmp_path: Path) -> None:
    data = Copy(tmp_path, P01)
    where = data.spoil("reading.tsv", "宾出迎再拜", "宾出迎一拜")
    data.expect(where, "宾出迎一拜")


# Coverage


def test_a_clause_that_nothing_covers(tmp_path: Path) -> None:
    data = Copy(tmp_path, P01)
    data.spoil(P01, 'clauses: ["P01.009"]', 'clauses: ["P01.008"]')
    errors = data.check().errors
    assert [e for e in errors if "P01.009" in e and "not covered" in e and e.startswith("01-戒宾.yaml:")]


def test_a_clause_that_only_an_unperformed_step_cites(tmp_path: Path) -> None:
    data = Copy(tmp_path, P01)
    where = data.spoil(
        P01, "- {id: p01_guest_answers,", '- {when: {scenario: "堂", is: "庠"}, do: [{id: p01_guest_answers,'
    )
    data.spoil(P01, 'clauses: ["P01.009"]}', 'clauses: ["P01.009"]}]}')
    errors = data.check().errors
    assert any("P01.009" in e and "p01_guest_answers" in e and "no named scenario" in e for e in errors)
    assert any(e.startswith(where) and "true in no named scenario" in e for e in errors)


def test_a_branch_that_a_named_scenario_performs_is_no_error(tmp_path: Path) -> None:
    data = Copy(tmp_path, P01)
    data.spoil(P01, "- {id: p01_guest_answers,", '- {when: {scenario: "堂", is: "序"}, do: [{id: p01_guest_answers,')
    data.spoil(P01, 'clauses: ["P01.009"]}', 'clauses: ["P01.009"]}]}')
    assert data.check().errors == []


def test_full_lists_each_clause_each_step_for_review_and_what_blocks(tmp_path: Path) -> None:
    data = Copy(tmp_path, P01)
    report = run_check(Book(data.folder), full=True)
    text = "\n".join(report.lines)
    assert "P01.003 宾出迎再拜: enacted p01_guest_comes_out" in text
    assert "P01.012 无介: forbids" in text
    assert re.search(r"review: 01-戒宾\.yaml:\d+ p01_asks_again 推 请 · P01\.006 · he who declines", text)
    assert re.search(r"blocking: \d+ of \d+ steps", text)


# Glyphs, the command


def test_glyphs_lists_rare_characters_with_every_place(tmp_path: Path) -> None:
    data = Copy(tmp_path, P01)
    where = data.spoil(P01, "敢以射事告", "敢以\U00020000事告")
    lines = coverage.glyphs(Book(data.folder))
    assert any(
        line.startswith("\U00020000 U+20000 outside the basic CJK block") and f"rite/{where}" in line for line in lines
    )
    assert any(line.startswith("膱 U+81B1 not in GB2312") and "text/reading.tsv:" in line for line in lines)
    assert not any(line.startswith("宾 ") for line in lines)


def test_the_command_tells_by_its_exit_code(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = Copy(tmp_path, P01)
    options = argparse.Namespace(graph=None, dot=False, glyphs=False, full=False)
    assert check.command(Book(data.folder), options) == 0
    where = data.spoil(P01, 'verb: "戒"', 'verb: "戎"')
    capsys.readouterr()
    assert check.command(Book(data.folder), options) == 1
    assert f"{where}: p01_host_calls: no verb 戎" in capsys.readouterr().out


def test_errors_stand_once_and_name_the_scenarios_only_where_they_differ() -> None:
    findings = Findings()
    for scenario in ("常", "庠"):
        findings.add("b.yaml:10", "in both", scenario)
    findings.add("b.yaml:9", "in one", "庠")
    findings.add("a.yaml:1", "in the file")
    assert findings.lines(["常", "庠"]) == [
        "a.yaml:1: in the file",
        "b.yaml:9: in one (scenario 庠)",
        "b.yaml:10: in both",
    ]


def test_ids_of_passages_written_out_by_like_are_known() -> None:
    raw = references.read(the_book(), Findings())
    assert any("__" in i for i in raw.ids)
    assert raw.ids >= {
        n.id
        for n in the_book().rite(the_book().scenarios["常"].options, the_book().words({"众宾": 5})).nodes
        if n.id and not re.fullmatch(r"p\d\d", n.id)
    }
