"""Does acts at named moments of the rite and tells what they were judged; every one is taken back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.builders import Given, PerfectPlayer, Reply, faults, given, open_entries, scene, step_id


@dataclass(frozen=True)
class Case:
    """Some acts of a person at the moment when one of his own steps is due; none, to let it lapse."""

    id: str
    phase: str
    person: str
    before: str
    acts: Sequence[Given]
    lapse: bool = False
    mend: bool = False
    """Whether the step itself is done after the acts."""
    expect: Any = ()
    rule: str = ""
    cites: Sequence[str] = ()
    why: str = ""


@dataclass
class Judged:
    """What came of a case: the kinds, rules and clauses of its faults, or that the last act was refused."""

    kinds: list[str] = field(default_factory=list)
    rules: list[str] = field(default_factory=list)
    clauses: set[str] = field(default_factory=set)
    refused: str = ""

    @property
    def outcome(self) -> Any:
        """As a case's ``expect`` has it."""
        return "refused" if self.refused else self.kinds


def judge(cases: Iterable[Case], scenario: str = "常") -> Iterator[tuple[Case, Judged | None]]:
    """Each case with what came of it; None where its moment never came."""
    groups: dict[tuple[str, str], list[Case]] = {}
    for case in cases:
        groups.setdefault((case.phase, case.person), []).append(case)
    for (phase, person), group in groups.items():
        yield from _in_one_run(phase, person, group, scenario)


def _in_one_run(phase: str, person: str, cases: list[Case], scenario: str) -> Iterator[tuple[Case, Judged | None]]:
    session = scene(phase, phase, person, scenario=scenario)
    player = PerfectPlayer(session, person)
    left = list(cases)
    while left and not session.ended:
        entry = player.due()
        here = [c for c in left if entry is not None and _is(entry["step"], c.before)]
        for case in here:
            left.remove(case)
            start = session.journal.next
            yield case, _do(session, person, case)
            if session.journal.next > start:
                session.undo(start)
        player.turn()
    for case in left:
        yield case, None


def _is(step: str, before: str) -> bool:
    return before in (step, step_id(step))


def _is_open(due: Reply, before: str) -> bool:
    return any(_is(e["step"], before) for e in open_entries(due))


def _do(session: Any, person: str, case: Case) -> Judged:
    start = session.journal.next
    result = Judged()
    for act in case.acts:
        reply = session.act(dict(act), person)
        if not reply["ok"]:
            result.refused = reply["error"]
            return result
    if case.mend:
        owed = next((e for e in session.due(person)["owed"] if _is(e["step"], case.before)), None)
        if owed is not None:
            session.act(given(owed), person)
    if case.lapse:
        for _n in range(200):
            reply = session.wait(person)
            if session.ended or not reply["ok"] or reply["prompt"] or not _is_open(reply["due"], case.before):
                break
    for who, fault in faults(session.journal.lines[start:]):
        if who == person:
            result.kinds.append(fault["kind"])
            result.rules.append(fault["rule"])
            result.clauses |= set(fault["clauses"])
    return result


__all__ = ["Case", "Judged", "judge"]
