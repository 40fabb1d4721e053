"""What ``xiangshe check`` proves of the data (docs/choreography.md §10): every error with file, line and remedy."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass, field

from game.rite.book import Book
from game.rite.scenario import Scenario
from game.rite.text import prove
from game.rite.yaml_strict import DataError
from game.session import coverage
from game.session.ceremony import Ceremony
from game.session.coverage import Coverage
from game.session.explain import Explainer
from game.session.glossary import check_glossary
from game.session.graph import Drawing, Order
from game.session.names import Names, check_conditions, check_forbids
from game.session.references import Findings, Raw, check_raw, enter, read
from game.session.rulecheck import check_rules
from game.session.trial import Trial, blocking


@dataclass
class Report:
    """``errors``: one line each, ``file:line: what; remedy``. ``lines``: the summary, and the lists asked for."""

    errors: list[str] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        """Whether the data prove what they should."""
        return not self.errors


def run_check(book: Book, *, full: bool = False) -> Report:
    """Check a data folder. ``full`` adds coverage clause by clause, steps for review, steps that block (slow)."""
    report = Report(prove(book.folder / "text"))
    findings = Findings()
    raw = read(book, findings)
    scenarios = _scenarios(book, findings)
    names = _static(book, raw, scenarios, findings)
    if findings.found:
        report.lines.append("not performed, coverage not judged: mend what is written first")
    else:
        report.lines += _performed(book, raw, names, scenarios, findings, full)
    report.errors += findings.lines([s.id for s in scenarios])
    report.lines.append(f"errors: {len(report.errors)}")
    return report


def _performed(
    book: Book, raw: Raw, names: Sequence[Names], scenarios: Sequence[Scenario], findings: Findings, full: bool
) -> list[str]:
    """Order, faultless performance and coverage; the summary and the lists asked for."""
    lines = [f"scenarios: {', '.join(s.id for s in scenarios)}", f"steps as written: {coverage.count_steps(raw)}"]
    for one in names:
        Order(one.rite, one.scenario, findings).check()
    table = Coverage(book, raw)
    trials = [Trial(book, scenario, findings) for scenario in scenarios]
    for trial in trials:
        trial.perform()
        table.add(trial)
    if all(trial.over for trial in trials):
        table.check(findings)
        lines += table.summary()
    else:
        lines.append("coverage not judged: mend what stops the performance first")
    lines += [coverage.grounds(raw)]
    idle = {where: step for trial in trials for where, step in trial.idle.items()}
    lines += [f"already so, passed over in silence: {step} ({where})" for where, step in sorted(idle.items())]
    if full:
        lines += [*table.table(), *(f"review: {line}" for line in coverage.review(raw))]
        if all(trial.over and trial.stuck is None for trial in trials):
            lines += _blocking(book, scenarios)
    else:
        lines.append("not listed: clauses one by one, steps for review, steps that block; see --full")
    return lines


def _scenarios(book: Book, findings: Findings) -> Sequence[Scenario]:
    try:
        scenarios = list(book.scenarios.values())
    except DataError as error:
        enter(findings, error)
        return []
    if not scenarios:
        findings.add("scenarios", "there is no named scenario; add one to data/scenarios")
    return scenarios


def _static(book: Book, raw: Raw, scenarios: Sequence[Scenario], findings: Findings) -> list[Names]:
    """Everything that can be said without performing; the names of each scenario that can be made."""
    try:
        verbs = book.words(scenarios[0].options).verbs if scenarios else {}
    except DataError as error:
        enter(findings, error)
        return []
    broken = bool(findings.found)
    check_raw(book, raw, verbs, findings)
    if broken:
        return []
    names = []
    for scenario in scenarios:
        try:
            words = book.words(scenario.options)
            names.append(Names(words, book.rite(scenario.options, words), scenario.id, findings))
        except DataError as error:
            if not findings.has(str(error).partition(": ")[0]):
                enter(findings, error, scenario.id)
    for one in names:
        one.check()
    if names:
        options = {key for s in scenarios for key in s.options}
        check_forbids(raw, names, findings)
        check_conditions(raw, names, options, findings)
        try:
            check_glossary(book, findings)
        except DataError as error:
            enter(findings, error)
        check_rules(book, raw, names, findings)
    return names


def _blocking(book: Book, scenarios: Sequence[Scenario]) -> list[str]:
    tried: set[str] = set()
    found = [step for scenario in scenarios for step in blocking(book, scenario, tried)]
    return [f"blocking: {len(found)} of {len(tried)} steps"] + [f"blocks: {step} ({where})" for step, where in found]


def graph(book: Book, role: str, phase: str, dot: bool = False) -> str:
    """A role's machine in a phase as Mermaid, or DOT, in the first scenario that has it. DataError if none has."""
    phase_id = book.phase_id(phase)
    if phase_id not in book.raw.phases:
        raise DataError(f"phase {phase_id} is not encoded yet; encoded are {', '.join(sorted(book.raw.phases))}")
    people: set[str] = set()
    for scenario in sorted(book.scenarios.values(), key=lambda s: s.id != "常"):
        ceremony = Ceremony(book, scenario)
        machine_of = Drawing.roles(ceremony.rite, ceremony.rite.phase(phase_id))
        people |= set(machine_of)
        if role in machine_of:
            explainer = Explainer(book, ceremony)
            drawing = Drawing(ceremony.rite, ceremony.rite.phase(phase_id), role, explainer.phrase)
            return drawing.dot() if dot else drawing.mermaid()
    raise DataError(f"{role} has no part in {phase_id}; those who have: {', '.join(sorted(people))}")


def command(book: Book, options: argparse.Namespace) -> int:
    """``xiangshe check``: prints what was asked for; 1 if the data are not as they should be."""
    if options.graph:
        print(graph(book, options.graph[0], options.graph[1], options.dot), end="")
        return 0
    if options.glyphs:
        for line in coverage.glyphs(book):
            print(line)
        return 0
    report = run_check(book, full=options.full)
    for line in (*report.lines, *report.errors):
        print(line)
    return 0 if report.ok else 1
