"""`xiangshe check` passes the data that ship, and names file and line of every kind of error put into a copy."""

from __future__ import annotations

import argparse
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from game.rite.book import Book
from game.session import check, coverage, references
from game.session.check import Report, run_check
from game.session.graph import Order
from game.session.references import Findings
from game.session.trial import blocking
from tests.builders import DATA, the_book

P01, P02, P03, P04, P05 = "01-戒宾", "02-陈设", "03-速宾", "04-迎宾拜至", "05-主人献宾"
P13, P20, P21 = "13-立司正", "20-司射诱射", "21-三耦射"

KNOWN: tuple[str, ...] = (
    # The archers wait for the flag-man's rising at the screen, which is neither seen nor heard from the hall.
    "21-三耦射.yaml: p21_shoots: {射者}",
    "21-三耦射.yaml: p21_fourth__p21_shoots: {射者}",
    "21-三耦射.yaml: p21_upper_bows_south: {耦.上射}",
    "21-三耦射.yaml: p21_lower_bows_south: {耦.下射}",
    # 降, 反 of him who set the cup on the stand: he is W of the hall already (郑: 射位).
    "33-饮不胜者.yaml: p33_cup_returns: 下耦上射 is at 堂西 already",
    "33-饮不胜者.yaml: p33_cup_left__p33_cup_returns: 下耦下射 is at 堂西 already",
)
"""Beginnings of errors of the data that are not mended yet, without their line; empty when all is well."""

ASIDE = '{id: p01_aside, who: "相", verb: "疑立", at: "赞者位", basis: "补"}'
STILL = '{id: p01_still, who: "宾", verb: "疑立", at: "宾家门外", basis: "补"}'
CHOICE = '{id: p01_choice, choose: ["甲", "乙"], who: "宾", basis: "补"}'


class Copy:
    """A data folder with a few phases and one scenario, to be spoilt."""

    def __init__(self, folder: Path, *phases: str) -> None:
        self.folder = folder / "data"
        shutil.copytree(DATA, self.folder, ignore=shutil.ignore_patterns("__pycache__"))
        for path in (self.folder / "rite").glob("*.yaml"):
            if path.stem not in phases:
                path.unlink()
        for path in (self.folder / "scenarios").glob("*.yaml"):
            if path.stem != "常":
                path.unlink()

    def spoil(self, name: str, old: str, new: str) -> str:
        """Replace the first ``old`` in a file; returns ``file:line`` of the place."""
        path = next(self.folder.rglob(f"{name}*"))
        text = path.read_text(encoding="utf-8")
        assert old in text, f"{path.name} has no {old}"
        path.write_text(text.replace(old, new, 1), encoding="utf-8")
        return f"{path.name}:{text[: text.index(old)].count(chr(10)) + 1}"

    def indent(self, name: str, step: str) -> str:
        """The space before the line of a step."""
        text = next(self.folder.rglob(f"{name}*")).read_text(encoding="utf-8")
        line = next(t for t in text.splitlines() if f"id: {step}," in t)
        return line[: len(line) - len(line.lstrip())]

    def check(self) -> Report:
        return run_check(Book(self.folder))

    def expect(self, where: str, *words: str) -> None:
        """The errors name this place, and say these words there."""
        errors = self.check().errors
        assert any(e.startswith(where + ": ") and all(w in e for w in words) for e in errors), (
            "\n".join(errors) or "no error"
        )


def after(phase: Copy, name: str, step: str, line: str) -> str:
    """Put a line after the line of a step; returns where it stands."""
    path = next(phase.folder.rglob(f"{name}*"))
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    n = next(i for i, text in enumerate(lines) if f"id: {step}," in text)
    lines.insert(n + 1, line)
    path.write_text("".join(lines), encoding="utf-8")
    return f"{path.name}:{n + 2}"


@pytest.fixture
def copy(tmp_path: Path) -> Callable[..., Copy]:
    return lambda *phases: Copy(tmp_path, *phases)


# The data that ship


@pytest.fixture(scope="module")
def shipped() -> Report:
    return run_check(the_book())


def test_the_shipped_data_have_no_error_but_those_known(shipped: Report) -> None:
    new = [e for e in shipped.errors if not re.sub(r":\d+: ", ": ", e, count=1).startswith(KNOWN)]
    assert new == []


def test_clauses_of_phases_without_a_file_are_not_counted_as_covered(shipped: Report) -> None:
    book = the_book()
    numbers = {book.phase_texts[p].number for p in book.raw.phases}
    missing = sum(1 for c in book.clauses.values() if c.phase_number not in numbers)
    assert f"clauses: {missing} not encoded yet" in "\n".join(shipped.lines)
    assert f"phases: {len(numbers)} of 55 encoded" in shipped.lines


def test_every_named_scenario_is_performed(shipped: Report) -> None:
    assert f"scenarios: {', '.join(the_book().scenarios)}" in shipped.lines


def test_given_states_are_listed_with_what_they_stand_in_for(shipped: Report) -> None:
    assert any(line.startswith("given: 13-立司正 stands in for phase 12") for line in shipped.lines)


def test_a_small_copy_is_without_error(copy: Callable[..., Copy]) -> None:
    assert copy(P01, P02, P03, P04).check().errors == []


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
        ('forbid: {who: "宾", verb: "辞"}', 'forbid: {who: "宾", verb: "辤"}', ("forbid", "no verb 辤")),
        ('forbid: {who: "宾", verb: "辞"}', 'forbid: {actor: "宾", verb: "辞"}', ("forbid", "no field actor")),
    ],
)  # fmt: skip
def test_an_error_in_one_step_is_named_by_its_line(
    copy: Callable[..., Copy], old: str, new: str, words: tuple[str, ...]
) -> None:
    data = copy(P01)
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
        (P13, 'at: "荐东"', 'at: "荐东东"', ("given", "荐东东")),
        (P13, "{thing:", "{think:", ("given", "think")),
        (P20, 'when: {scenario: "堂"', 'when: {scenario: "室"', ("option 室",)),
    ],
)
def test_errors_in_loops_likes_givens_and_conditions(
    copy: Callable[..., Copy], phase: str, old: str, new: str, words: tuple[str, ...]
) -> None:
    data = copy(phase)
    where = data.spoil(phase, old, new)
    data.expect(where, *words)


def test_all_errors_are_reported_not_the_first(copy: Callable[..., Copy]) -> None:
    data = copy(P01, P03)
    places = [
        data.spoil(P01, 'verb: "戒", to', 'verb: "戎", to'),
        data.spoil(P01, "re: p01_host_thanks", "re: p01_nothing"),
        data.spoil(P03, 'clauses: ["P03.002"]', 'clauses: ["P03.099"]'),
        data.spoil(P03, "re: p03_guest_bows", "re: p03_nothing"),
    ]
    errors = data.check().errors
    assert [next((e for e in errors if e.startswith(p)), p) for p in places] != places
    assert all(any(e.startswith(p + ": ") for e in errors) for p in places)


def test_a_file_that_is_not_yaml_does_not_hide_errors_elsewhere(copy: Callable[..., Copy]) -> None:
    data = copy(P01, P03)
    data.spoil(P01, "steps:", "steps: [")
    where = data.spoil(P03, 'clauses: ["P03.002"]', 'clauses: ["P03.099"]')
    errors = data.check().errors
    assert any(e.startswith("01-戒宾.yaml:") and "YAML" in e for e in errors)
    assert any(e.startswith(where) for e in errors)


def test_the_same_act_twice_running_is_a_slip(copy: Callable[..., Copy]) -> None:
    data = copy(P03)
    text = next(data.folder.rglob(f"{P03}*")).read_text(encoding="utf-8")
    line = next(t for t in text.splitlines() if "id: p03_host_summons," in t)
    where = after(data, P03, "p03_host_summons", line.replace("p03_host_summons", "p03_host_summons_again") + "\n")
    data.expect(where, "p03_host_summons_again", "the same act as p03_host_summons")


def test_the_reading_must_be_base_and_patches(copy: Callable[..., Copy]) -> None:
    data = copy(P01)
    where = data.spoil("reading.tsv", "宾出迎再拜", "宾出迎一拜")
    data.expect(where, "宾出迎一拜")


# What is performed


def test_a_cue_that_cannot_be_perceived_is_named_with_step_person_and_place(copy: Callable[..., Copy]) -> None:
    data = copy(P01)
    where = after(data, P01, "p01_guest_meets", f"  - {ASIDE}\n")
    data.expect(where, "p01_aside", "相 at 赞者位", "p01_guest_meets", "cannot perceive")


def test_a_voice_is_perceived_anywhere(copy: Callable[..., Copy]) -> None:
    data = copy(P01)
    call = '  - {id: p01_call, who: "宾", verb: "告", at: "宾家门外", basis: "补"}\n'
    after(data, P01, "p01_guest_meets", call + f"  - {ASIDE}\n")
    assert not [e for e in data.check().errors if ": p01_aside: " in e]


def branch(outcome: str, act: str, value: str = "甲") -> str:
    return f'{{when: {{outcome: {outcome}, is: "{value}"}}, do: [{act}]}}'


def next_line(where: str) -> str:
    file, _, line = where.rpartition(":")
    return f"{file}:{int(line) + 1}"


def test_a_branch_must_be_perceived_by_those_it_changes(copy: Callable[..., Copy]) -> None:
    data = copy(P01)
    where = after(data, P01, "p01_guest_meets", f"  - {CHOICE}\n  - {branch('p01_choice', ASIDE)}\n")
    data.expect(next_line(where), "相 at 赞者位", "p01_choice", "cannot perceive")


def test_a_branch_that_opens_before_it_is_decided(copy: Callable[..., Copy]) -> None:
    data = copy(P01)
    where = after(data, P01, "p01_guest_meets", f"  - {{par: [{branch('p01_choice', STILL)}, {CHOICE}]}}\n")
    data.expect(where, "p01_choice", "decides it")


def test_a_branch_that_waits_for_what_comes_after_it_is_a_deadlock(copy: Callable[..., Copy]) -> None:
    data = copy(P01)
    where = after(data, P01, "p01_guest_meets", f"  - {branch('p01_choice', STILL)}\n  - {CHOICE}\n")
    data.expect(where, "deadlock", "p01_choice")


def test_an_outcome_that_a_step_never_has(copy: Callable[..., Copy]) -> None:
    data = copy(P01)
    where = after(data, P01, "p01_guest_meets", f"  - {branch('p01_guest_meets', STILL, '中')}\n")
    data.expect(where, "p01_guest_meets never has an outcome")


def test_a_deadlock_is_shown_by_names(copy: Callable[..., Copy]) -> None:
    data = copy(P01)
    data.spoil(P01, "id: p01_host_calls,", "id: p01_host_calls, after: p01_guest_bows,")
    cycle = next(e for e in data.check().errors if "deadlock" in e)
    assert re.match(r"01-戒宾\.yaml:\d+: deadlock: ", cycle)
    assert not any("named scenario" in e for e in data.check().errors), "coverage is not judged where the rite stops"
    assert "p01_guest_bows" in cycle and "p01_host_calls" in cycle and "→" in cycle


def test_the_order_of_the_shipped_rite_has_no_cycle_in_any_scenario() -> None:
    book = the_book()
    for scenario in book.scenarios.values():
        findings = Findings()
        words = book.words(scenario.options)
        Order(book.rite(scenario.options, words), scenario.id, findings).check()
        assert findings.found == {}


def test_a_walk_that_is_not_a_step_of_its_own(copy: Callable[..., Copy]) -> None:
    data = copy(P01)
    still = STILL.replace("宾家门外", "宾家门内")
    where = after(data, P01, "p01_guest_meets", f"  - {still}\n")
    data.expect(where, "p01_still", "疑立", "from 宾家门外 to 宾家门内")


def test_a_walk_to_where_one_is(copy: Callable[..., Copy]) -> None:
    data = copy(P01)
    where = after(
        data, P01, "p01_guest_meets", '  - {id: p01_walk, who: "宾", verb: "进", at: "宾家门外", basis: "补"}\n'
    )
    data.expect(where, "p01_walk", "already")


def test_kneeling_when_kneeling(copy: Callable[..., Copy]) -> None:
    data = copy(P01)
    kneel = '  - {id: p01_kneel, who: "宾", verb: "坐", at: "宾家门外", basis: "补"}\n'
    again = '  - {id: p01_kneel_again, who: "宾", verb: "坐", basis: "补"}\n'
    where = after(data, P01, "p01_guest_meets", kneel + again)
    data.expect(next_line(where), "p01_kneel_again", "坐")


def test_an_act_that_is_refused(copy: Callable[..., Copy]) -> None:
    data = copy(P01)
    where = after(
        data,
        P01,
        "p01_guest_meets",
        '  - {id: p01_cup, who: "宾", verb: "奠", object: "爵", into: "宾家门外", basis: "补"}\n',
    )
    data.expect(where, "p01_cup", "refused", "爵")


def test_a_bow_with_a_cup_in_the_hand(copy: Callable[..., Copy]) -> None:
    data = copy(P01, P02, P03, P04, P05)
    bow = '{id: p05_odd_bow, who: "主人", verb: "拜", to: "宾", basis: "补"}'
    where = after(data, P05, "p05_host_takes_cup", f"{data.indent(P05, 'p05_host_takes_cup')}- {bow}\n")
    data.expect(where, "p05_odd_bow", "faultless agent", "容")


def test_a_fault_of_a_faultless_agent(copy: Callable[..., Copy]) -> None:
    data = copy(P01)
    where = data.spoil(
        P01,
        '{id: p01_guest_meets, who: "宾", verb: "迎", to: "主人",',
        '{id: p01_guest_meets, who: "宾", verb: "迎", to: "主人", posture: "坐",',
    )
    data.expect(where, "p01_guest_meets", "posture", "坐")


# Coverage


def test_a_clause_that_nothing_covers(copy: Callable[..., Copy]) -> None:
    data = copy(P01)
    data.spoil(P01, 'clauses: ["P01.009"]', 'clauses: ["P01.008"]')
    errors = data.check().errors
    assert [e for e in errors if "P01.009" in e and "not covered" in e and e.startswith("01-戒宾.yaml:")]


def test_a_clause_that_only_an_unperformed_step_cites(copy: Callable[..., Copy]) -> None:
    data = copy(P01)
    where = data.spoil(
        P01, "- {id: p01_guest_answers,", '- {when: {scenario: "堂", is: "庠"}, do: [{id: p01_guest_answers,'
    )
    data.spoil(P01, 'clauses: ["P01.009"]}', 'clauses: ["P01.009"]}]}')
    errors = data.check().errors
    assert any("P01.009" in e and "p01_guest_answers" in e and "no named scenario" in e for e in errors)
    assert any(e.startswith(where) and "true in no named scenario" in e for e in errors)


def test_a_branch_that_a_named_scenario_performs_is_no_error(copy: Callable[..., Copy]) -> None:
    data = copy(P01)
    data.spoil(P01, "- {id: p01_guest_answers,", '- {when: {scenario: "堂", is: "序"}, do: [{id: p01_guest_answers,')
    data.spoil(P01, 'clauses: ["P01.009"]}', 'clauses: ["P01.009"]}]}')
    assert data.check().errors == []


def test_full_lists_each_clause_each_step_for_review_and_what_blocks(copy: Callable[..., Copy]) -> None:
    data = copy(P01)
    report = run_check(Book(data.folder), full=True)
    text = "\n".join(report.lines)
    assert "P01.003 宾出迎再拜: enacted p01_guest_comes_out" in text
    assert "P01.012 无介: forbids" in text
    assert re.search(r"review: 01-戒宾\.yaml:\d+ p01_asks_again 推 请 · P01\.006 · he who declines", text)
    assert re.search(r"blocking: \d+ of \d+ steps", text)


def test_a_step_whose_lack_makes_a_later_one_impossible_blocks(copy: Callable[..., Copy]) -> None:
    data = copy(P01, P02, P03, P04, P05)
    book = Book(data.folder)
    found = {step for step, _ in blocking(book, book.scenarios["常"], set())}
    assert "p05_host_takes_cup" in found
    assert not {"p01_guest_bows", "p04_guest_answers_arrival", "p05_guest_declines_wash"} & found


# Glyphs, the command


def test_glyphs_lists_rare_characters_with_every_place(copy: Callable[..., Copy]) -> None:
    data = copy(P01)
    where = data.spoil(P01, "敢以射事告", "敢以\U00020000事告")
    lines = coverage.glyphs(Book(data.folder))
    assert any(
        line.startswith("\U00020000 U+20000 outside the basic CJK block") and f"rite/{where}" in line for line in lines
    )
    assert any(line.startswith("膱 U+81B1 not in GB2312") and "text/reading.tsv:" in line for line in lines)
    assert not any(line.startswith("宾 ") for line in lines)


def test_the_command_tells_by_its_exit_code(copy: Callable[..., Copy], capsys: pytest.CaptureFixture[str]) -> None:
    data = copy(P01)
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
