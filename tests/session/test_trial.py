"""What only a faultless performance shows: cues, branches, walks, refusals, faults, the steps that block."""

from __future__ import annotations

import re
from pathlib import Path

from game.rite.book import Book
from game.session.graph import Order
from game.session.references import Findings
from game.session.trial import blocking
from tests.builders import scenarios, the_book
from tests.session.copies import P01, P02, P03, P04, P05, Copy, after, next_line

ASIDE = '{id: p01_aside, who: "相", verb: "疑立", at: "赞者位", basis: "补"}'
STILL = '{id: p01_still, who: "宾", verb: "疑立", at: "宾家门外", basis: "补"}'
CHOICE = '{id: p01_choice, choose: ["甲", "乙"], who: "宾", basis: "补"}'


def test_a_cue_that_cannot_be_perceived_is_named_with_step_person_and_place(tmp_path: Path) -> None:
    data = Copy(tmp_path, P01)
    where = after(data, P01, "p01_guest_meets", f"  - {ASIDE}\n")
    data.expect(where, "p01_aside", "相 at 赞者位", "p01_guest_meets", "cannot perceive")


def test_a_voice_is_perceived_anywhere(tmp_path: Path) -> None:
    data = Copy(tmp_path, P01)
    call = '  - {id: p01_call, who: "宾", verb: "告", at: "宾家门外", basis: "补"}\n'
    after(data, P01, "p01_guest_meets", call + f"  - {ASIDE}\n")
    assert not [e for e in data.check().errors if ": p01_aside: " in e]


def branch(outcome: str, act: str, value: str = "甲") -> str:
    return f'{{when: {{outcome: {outcome}, is: "{value}"}}, do: [{act}]}}'


def test_a_branch_must_be_perceived_by_those_it_changes(tmp_path: Path) -> None:
    data = Copy(tmp_path, P01)
    where = after(data, P01, "p01_guest_meets", f"  - {CHOICE}\n  - {branch('p01_choice', ASIDE)}\n")
    data.expect(next_line(where), "相 at 赞者位", "p01_choice", "cannot perceive")


def test_a_branch_that_opens_before_it_is_decided(tmp_path: Path) -> None:
    data = Copy(tmp_path, P01)
    where = after(data, P01, "p01_guest_meets", f"  - {{par: [{branch('p01_choice', STILL)}, {CHOICE}]}}\n")
    data.expect(where, "p01_choice", "decides it")


def test_a_branch_that_waits_for_what_comes_after_it_is_a_deadlock(tmp_path: Path) -> None:
    data = Copy(tmp_path, P01)
    where = after(data, P01, "p01_guest_meets", f"  - {branch('p01_choice', STILL)}\n  - {CHOICE}\n")
    data.expect(where, "deadlock", "p01_choice")


def test_an_outcome_that_a_step_never_has(tmp_path: Path) -> None:
    data = Copy(tmp_path, P01)
    where = after(data, P01, "p01_guest_meets", f"  - {branch('p01_guest_meets', STILL, '中')}\n")
    data.expect(where, "p01_guest_meets never has an outcome")


def test_a_deadlock_is_shown_by_names(tmp_path: Path) -> None:
    data = Copy(tmp_path, P01)
    data.spoil(P01, "id: p01_host_calls,", "id: p01_host_calls, after: p01_guest_bows,")
    cycle = next(e for e in data.check().errors if "deadlock" in e)
    assert re.match(r"01-戒宾\.yaml:\d+: deadlock: ", cycle)
    assert not any("named scenario" in e for e in data.check().errors), "coverage is not judged where the rite stops"
    assert "p01_guest_bows" in cycle and "p01_host_calls" in cycle and "→" in cycle


def test_the_order_of_the_shipped_rite_has_no_cycle_in_any_scenario() -> None:
    book = the_book()
    for scenario in (book.scenarios[name] for name in scenarios()):
        findings = Findings()
        words = book.words(scenario.options)
        Order(book.rite(scenario.options, words), scenario.id, findings).check()
        assert findings.found == {}


def test_a_walk_that_is_not_a_step_of_its_own(tmp_path: Path) -> None:
    data = Copy(tmp_path, P01)
    still = STILL.replace("宾家门外", "宾家门内")
    where = after(data, P01, "p01_guest_meets", f"  - {still}\n")
    data.expect(where, "p01_still", "疑立", "from 宾家门外 to 宾家门内")


def test_a_walk_to_where_one_is(tmp_path: Path) -> None:
    data = Copy(tmp_path, P01)
    where = after(
        data, P01, "p01_guest_meets", '  - {id: p01_walk, who: "宾", verb: "进", at: "宾家门外", basis: "补"}\n'
    )
    data.expect(where, "p01_walk", "already")


def test_kneeling_when_kneeling(tmp_path: Path) -> None:
    data = Copy(tmp_path, P01)
    kneel = '  - {id: p01_kneel, who: "宾", verb: "坐", at: "宾家门外", basis: "补"}\n'
    again = '  - {id: p01_kneel_again, who: "宾", verb: "坐", basis: "补"}\n'
    where = after(data, P01, "p01_guest_meets", kneel + again)
    data.expect(next_line(where), "p01_kneel_again", "坐")


def test_an_act_that_is_refused(tmp_path: Path) -> None:
    data = Copy(tmp_path, P01)
    where = after(
        data,
        P01,
        "p01_guest_meets",
        '  - {id: p01_cup, who: "宾", verb: "奠", object: "爵", into: "宾家门外", basis: "补"}\n',
    )
    data.expect(where, "p01_cup", "refused", "爵")


def test_a_bow_with_a_cup_in_the_hand(tmp_path: Path) -> None:
    data = Copy(tmp_path, P01, P02, P03, P04, P05)
    bow = '{id: p05_odd_bow, who: "主人", verb: "拜", to: "宾", basis: "补"}'
    where = after(data, P05, "p05_host_takes_cup", f"{data.indent(P05, 'p05_host_takes_cup')}- {bow}\n")
    data.expect(where, "p05_odd_bow", "faultless agent", "容")


def test_a_fault_of_a_faultless_agent(tmp_path: Path) -> None:
    data = Copy(tmp_path, P01)
    where = data.spoil(
        P01,
        '{id: p01_guest_meets, who: "宾", verb: "迎", to: "主人",',
        '{id: p01_guest_meets, who: "宾", verb: "迎", to: "主人", posture: "坐",',
    )
    data.expect(where, "p01_guest_meets", "posture", "坐")


def test_a_step_whose_lack_makes_a_later_one_impossible_blocks(tmp_path: Path) -> None:
    book = Book(Copy(tmp_path, P01, P02, P03, P04, P05).folder)
    asked = {"p05_host_takes_cup", "p01_guest_bows", "p04_guest_answers_arrival", "p05_guest_declines_wash"}
    found = {step for step, _ in blocking(book, book.scenarios["常"], set(book.raw.records) - asked)}
    assert found & asked == {"p05_host_takes_cup"}
