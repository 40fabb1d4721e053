"""The text proves itself, and a single character changed in any of its files is found."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from game.rite.text import Clause, PhaseText, TextError, load_base, load_clauses, load_patches, load_phases, prove

TEXT = Path(__file__).parents[2] / "data" / "text"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of the text that may be spoiled."""
    return Path(shutil.copytree(TEXT, tmp_path / "text"))


def change(path: Path, old: str, new: str) -> int:
    """Replace what stands exactly once in a file; returns its line."""
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times in {path.name}"
    path.write_text(text.replace(old, new), encoding="utf-8", newline="\n")
    return text[: text.index(old)].count("\n") + 1


def test_the_text_is_proven() -> None:
    assert prove(TEXT) == []


def test_the_printed_title_is_not_a_clause(folder: Path) -> None:
    change(folder / "base.txt", "乡射之礼．主人戒宾．", "乡射礼 乡射之礼．主人戒宾．")
    assert prove(folder) == []


def test_clauses_and_sections_are_read_in_order() -> None:
    clauses, phases = load_clauses(TEXT), load_phases(TEXT)
    assert len(clauses) == 1545
    assert clauses["P01.002"] == Clause("P01.002", "主人戒宾")
    assert len(phases) == 55
    assert phases["01-戒宾"] == PhaseText("01-戒宾", "戒宾", "Inviting the guest", "P01.001", "P01.012")


def test_each_patch_stands_once_and_changes_something() -> None:
    base, patches = load_base(TEXT), load_patches(TEXT)
    assert len(patches) == 154
    assert [p.id for p in patches if base.count(p.old) != 1 or p.old == p.new] == []


def test_a_patch_knows_its_lines() -> None:
    lines = (TEXT / "patches.json").read_text(encoding="utf-8").split("\n")
    for patch in load_patches(TEXT):
        assert patch.old in lines[patch.old_line - 1]
        assert patch.new in lines[patch.new_line - 1]


def test_a_changed_character_of_the_base_is_found(folder: Path) -> None:
    base = (folder / "base.txt").read_text(encoding="utf-8")
    change(folder / "base.txt", "司正降复位．使二人举觯", "司正升复位．使二人举觯")
    (problem,) = prove(folder)
    assert f"base.txt:1 (character {base.index('司正降复位．使二人举觯') + 3})" in problem
    assert "「司正降复位」" in problem
    assert "「司正升复位」" in problem


def test_a_changed_character_of_the_base_inside_a_patch_is_found(folder: Path) -> None:
    change(folder / "base.txt", "弟子说东．遂系左下纲", "弟子说西．遂系左下纲")
    (patch,) = (p for p in load_patches(folder) if p.id == "C02")
    problems = prove(folder)
    assert problems[0].startswith(f"patches.json:{patch.old_line}: patch C02 needs its from once in base.txt:1")
    assert any("「弟子说束」" in p and "「弟子说西」" in p for p in problems[1:])


def test_a_changed_character_of_a_patch_is_found(folder: Path) -> None:
    line = change(folder / "patches.json", '"弟子说束．遂系左下纲"', '"弟子说柬．遂系左下纲"')
    (problem,) = prove(folder)
    assert f"patch C02 (patches.json:{line})" in problem
    assert "「弟子说束」" in problem


def test_a_changed_place_of_a_patch_is_found(folder: Path) -> None:
    line = change(folder / "patches.json", '"弟子说东．遂系左下纲"', '"弟子税东．遂系左下纲"')
    assert prove(folder)[0].startswith(f"patches.json:{line}: patch C02 needs its from once")


@pytest.mark.parametrize(
    ("old", "new", "clause"),
    [
        ("P21.001\t", "P21.001\t乃", "P21.001"),
        ("P01.001\t乡射之礼\n", "P01.001\t鄉射之礼\n", "P01.001"),
        ("\t大夫射则肉袒\n", "\t大夫射则肉袓\n", "P55.048"),
    ],
)
def test_a_changed_character_of_the_reading_is_found(folder: Path, old: str, new: str, clause: str) -> None:
    line = change(folder / "reading.tsv", old, new)
    (problem,) = prove(folder)
    assert problem.startswith(f"reading.tsv:{line}: ")
    assert "base.txt:1 (character " in problem
    assert load_clauses(folder)[clause].text in problem


def test_a_lost_clause_is_found(folder: Path) -> None:
    line = change(folder / "reading.tsv", "P01.003\t宾出迎再拜\n", "")
    (problem,) = prove(folder)
    assert problem.startswith(f"reading.tsv:{line}: ")
    assert "宾出迎再拜" in problem


def test_clauses_joined_or_parted_otherwise_are_found(folder: Path) -> None:
    change(folder / "reading.tsv", "P01.006\t宾礼辞\nP01.007\t许\n", "P01.006\t宾礼辞许\n")
    (problem,) = prove(folder)
    assert "「宾礼辞许」" in problem
    assert "「宾礼辞．许」" in problem
    assert "patch N31" in problem


def test_a_patch_for_another_section_is_found(folder: Path) -> None:
    text = (folder / "patches.json").read_text(encoding="utf-8")
    (patch,) = (p for p in load_patches(folder) if p.id == "C02")
    at = text.index('"id": "C02"')
    spoiled = text[:at] + text[at:].replace('"phase": 17', '"phase": 18', 1)
    (folder / "patches.json").write_text(spoiled, encoding="utf-8")
    (problem,) = prove(folder)
    assert problem.startswith(f"patches.json:{patch.old_line}: patch C02 is given for P18 but stands in P17")


def test_two_patches_of_the_same_words_are_found(folder: Path) -> None:
    text = (folder / "patches.json").read_text(encoding="utf-8")
    (patch,) = (p for p in load_patches(folder) if p.id == "C02")
    again = '[{"id": "X01", "sev": "L", "phase": 17, "from": "说东．遂系", "to": "说束．遂系"},' + text[1:]
    (folder / "patches.json").write_text(again, encoding="utf-8")
    (problem,) = prove(folder)
    assert "patch X01" in problem
    assert "patch C02" in problem
    assert f"patches.json:{patch.old_line}" in problem


def test_a_section_that_begins_elsewhere_is_found(folder: Path) -> None:
    line = change(folder / "phases.tsv", "P02.001", "P02.002")
    (problem,) = prove(folder)
    assert problem.startswith(f"phases.tsv:{line}: 02-陈设 ")


def tabs(folder: Path) -> int:
    return change(folder / "reading.tsv", "P01.004\t", "P01.004 ")


def disorder(folder: Path) -> int:
    return change(folder / "reading.tsv", "P01.004\t", "P01.003\t")


def comma(folder: Path) -> int:
    return change(folder / "patches.json", '"C03",', '"C03"') + 1


def missing(folder: Path) -> int:
    return change(folder / "phases.tsv", "\tP02.001\tP02.025", "\tP02.001")


@pytest.mark.parametrize(
    ("spoil", "name"),
    [(tabs, "reading.tsv"), (disorder, "reading.tsv"), (comma, "patches.json"), (missing, "phases.tsv")],
)
def test_a_broken_file_is_a_problem_with_its_line(folder: Path, spoil: Callable[[Path], int], name: str) -> None:
    line = spoil(folder)
    assert any(p.startswith(f"{name}:{line}: ") for p in prove(folder))


def test_bytes_that_are_not_utf8_are_a_problem_with_their_line(folder: Path) -> None:
    data = (folder / "reading.tsv").read_bytes().split(b"\n")
    data[4] = b"P01.004\t\xff"
    (folder / "reading.tsv").write_bytes(b"\n".join(data))
    assert prove(folder) == ["reading.tsv:5: not UTF-8; save the file as UTF-8"]
    with pytest.raises(TextError, match=r"reading\.tsv:5"):
        load_clauses(folder)


def test_an_empty_base_is_a_problem(folder: Path) -> None:
    (folder / "base.txt").write_text("\n", encoding="utf-8")
    (folder / "patches.json").write_text("[]", encoding="utf-8")
    assert prove(folder) == ["base.txt:1: has no text; restore the base"]


def test_a_missing_file_is_a_problem(folder: Path) -> None:
    (folder / "base.txt").unlink()
    (problem,) = prove(folder)
    assert problem.startswith("base.txt: cannot be read")
