"""What ``check`` says of a rule book with one slip in it: one line with file, line and remedy."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from game.rite.book import Book
from game.rite.rulebook import FACTS
from game.session.names import Names
from game.session.references import Findings, read
from game.session.rulecheck import _SEE, check_rules
from tests.builders import DATA, the_book


def errors(rules: str, tmp_path: Path, **files: str) -> list[str]:
    """What is found in the shipped data with another rule book."""
    for name in ("text", "rite", "scenarios", "vocabulary"):
        (tmp_path / name).symlink_to(DATA / name)
    (tmp_path / "rules.yaml").write_text(rules, encoding="utf-8")
    (tmp_path / "faults.yaml").write_text(files.get("faults", (DATA / "faults.yaml").read_text("utf-8")), "utf-8")
    book, findings = Book(tmp_path), Findings()
    raw = read(book, findings)
    rite: Any = None
    names = [Names(book.words(s.options), rite, s.id, findings) for s in book.scenarios.values()]
    check_rules(book, raw, names, findings)
    return findings.lines([])


def test_the_shipped_rule_book_has_no_error(tmp_path: Path) -> None:
    assert errors((DATA / "rules.yaml").read_text("utf-8"), tmp_path) == []


def test_every_fact_has_its_remedy() -> None:
    assert set(_SEE) == set(FACTS)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('clauses: ["P05.035"', 'clauses: ["P05.935"', ("no clause P05.935", "reading.tsv")),
        ('applies: {kind: ["阙"', 'applies: {kind: ["阕"', ("kind 阕", "faults.yaml")),
        ('verb: ["少退"]', 'verb: ["稍退"]', ("verb 稍退", "verbs.yaml")),
        ('got_verb: ["挞"]', 'got_verb: ["打"]', ("got_verb 打", "verbs.yaml")),
        ('got: ["右物"', 'got: ["右勿"', ("got 右勿", "vocabulary")),
        ('field: ["times"]', 'field: ["time"]', ("field time", "data-authors")),
        ('who: ["三宾"', 'who: ["四宾"', ("who 四宾", "persons.yaml")),
        ('to: ["众宾"]', 'to: ["眾賓"]', ("to 眾賓", "persons.yaml")),
        ("phase: [22]", "phase: [56]", ("phase 56", "1 to 55")),
        ("step: [p08_three_bows]", "step: [p08_three_bow]", ("step p08_three_bow ", "id of a step")),
        ('manner: ["拜至"]', 'manner: ["拜到"]', ("manner 拜到", "said.yaml")),
        ('object: ["扑"]', 'object: ["鞭"]', ("object 鞭", "things.yaml")),
        ('at: ["物间"]', 'at: ["物閒"]', ("at 物閒", "places.yaml")),
    ],
)  # fmt: skip
def test_an_unknown_name_in_a_rule_is_told_with_its_line(
    tmp_path: Path, old: str, new: str, words: tuple[str, ...]
) -> None:
    expect(tmp_path, old, new, words)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('{phase: "06-宾酢主人"', '{phase: "06-酢"', ("phase 06-酢", "phases.tsv")),
        ('person: "执爵者"', 'person: "执爵人"', ("no person 执爵人", "persons.yaml")),
        ('person: "众宾2"', 'person: "众宾"', ("众宾 is several", "众宾1")),
        ("before: p04_host_meets,", "before: p04_host_met,", ("before p04_host_met:", "correct the id")),
        ("before: p04_host_meets,", "before: p05_host_descends,", ("no such step in 04-迎宾拜至",)),
        ("before: p04_host_meets, ", "", ("neither", "add the other")),
        ('{phase: "04-迎宾拜至"', '{phase: "51-息司正"', ("51-息司正 is not encoded", "leave before and act out")),
        ('act: {verb: "迎"', 'act: {verb: "逆"', ("no verb 逆", "verbs.yaml")),
        ('act: {verb: "迎", to', 'act: {verb: "迎", toward', ("no field toward",)),
        ('act: {verb: "拜", times: 2', 'act: {verb: "拜", times: 0', ("times is 0", "from 1")),
        ('manner: "拜迎"', 'manner: "拜逆"', ("manner 拜逆", "said.yaml")),
        ('facing: "西"}', 'facing: "右"}', ("facing 右", "北 南")),
        ('at: "左下纲"}', 'at: "左下网"}', ("at 左下网", "places.yaml")),
        ('object: "勺"', 'object: "匙"', ("object 匙", "things.yaml")),
    ],
)  # fmt: skip
def test_an_example_that_cannot_be_played_is_told_with_its_line(
    tmp_path: Path, old: str, new: str, words: tuple[str, ...]
) -> None:
    expect(tmp_path, old, new, words)


def test_a_kind_of_fault_needs_its_general_rule(tmp_path: Path) -> None:
    faults = (DATA / "faults.yaml").read_text("utf-8").replace('rule: "r_order"', 'rule: "bow_twice"')
    (error,) = errors((DATA / "rules.yaml").read_text("utf-8"), tmp_path, faults=faults)
    assert error.startswith("faults.yaml:2: ") and "no general rule bow_twice" in error


def test_the_file_is_written_in_one_style() -> None:
    """What is read as words is quoted, ids and numbers are not; a rule stands under the one before it."""
    lines = (DATA / "rules.yaml").read_text("utf-8").splitlines()
    for n, line in enumerate(lines, 1):
        bare = re.sub(r'"[^"]*"', '""', line)
        if not bare.lstrip().startswith("#"):
            assert bare.isascii(), f"rules.yaml:{n}: put words in quotes"
        ids = re.search(r"\bstep: \[([^\]]*)\]|\bbefore: (\S+)", line)
        assert ids is None or '"' not in ids.group(0), f"rules.yaml:{n}: ids stand without quotes"
        if not line:
            assert lines[n].startswith("# "), f"rules.yaml:{n}: an empty line stands before a heading only"


def test_the_examples_that_can_be_played_are_played() -> None:
    """Of the phases that are encoded most rules have one of either side; a rule that loses its own is missed here."""
    raw = the_book().raw.phases
    for side in ("right", "wrong"):
        told = [e for r in the_book().rules.values() for e in getattr(r, side) if e.phase in raw]
        assert sum(1 for e in told if e.before) >= 0.8 * len(told), side


def expect(tmp_path: Path, old: str, new: str, words: tuple[str, ...]) -> None:
    text = (DATA / "rules.yaml").read_text("utf-8")
    assert old in text
    line = text[: text.index(old)].count("\n") + 1
    found = [e for e in errors(text.replace(old, new, 1), tmp_path) if e.startswith(f"rules.yaml:{line}: ")]
    assert any(all(word in e for word in words) for e in found), found
