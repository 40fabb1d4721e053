"""One slip costs one fault, of the right kind, with a clause; the rite goes on, or the others prompt.

Here every own act of the chief parts is lapsed, swapped, varied in each field, substituted, repeated, usurped and
forbidden. ``python -m tests.rules.test_slips`` does the same for everybody who acts in any encoded phase; a word
after ``@`` is the scenario: ``10-遵入献酢@大夫``.
"""

from __future__ import annotations

import sys

import pytest

from tests.builders import actors, sample, scene, the_book
from tests.rules.slips import Sweep

PARTS = [
    ("01-戒宾", "主人"), ("01-戒宾", "宾"), ("03-速宾", "宾"), ("03-速宾", "众宾1"), ("04-迎宾拜至", "主人"),
    ("04-迎宾拜至", "宾"), ("04-迎宾拜至", "相"), ("05-主人献宾", "宾"), ("06-宾酢主人", "宾"), ("07-主人酬宾", "宾"),
    ("08-主人献众宾", "众宾5"), ("09-一人举觯", "举觯者1"), ("13-立司正", "相"), ("13-立司正", "宾"),
    ("14-司射请射", "司射"), ("15-弟子纳射器", "弟子2"), ("19-三耦取弓矢俟射", "下耦上射"),
    ("20-司射诱射", "司射"), ("32-数获", "释获者"), ("33-饮不胜者", "主人"),
]  # fmt: skip


@pytest.mark.parametrize(("phase", "person"), PARTS)
def test_one_slip_costs_one_fault(phase: str, person: str) -> None:
    report = Sweep(scene(phase, phase, person), person).run()
    assert report.tried > 0
    assert report.wrong == []


def test_a_grandees_slip_costs_one_fault() -> None:
    """He comes in no ordinary rite."""
    report = Sweep(scene("10-遵入献酢", "10-遵入献酢", "大夫1", scenario="大夫一人"), "大夫1").run()
    assert report.tried > 0
    assert report.wrong == []


def main(phases: list[str]) -> int:
    """Sweep every part of some phases (all encoded ones without an argument)."""
    tried = wrong = 0
    for phase in phases or list(the_book().raw.phases):
        phase, _, scenario = phase.partition("@")
        scenario = scenario or "常"
        for person in sample(actors(phase, phase, scenario)):
            report = Sweep(scene(phase, phase, person, scenario=scenario), person).run()
            tried, wrong = tried + report.tried, wrong + len(report.wrong)
            print(f"{phase} {person}: {report.tried} slips, {len(report.wrong)} not as they should be", flush=True)
            for line in report.wrong:
                print(f"  {line[:300]}")
    print(f"{tried} slips, {wrong} not as they should be")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
