"""The rule book against the text and the choreography: its examples are judged as it says they are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

import pytest

from game.core.rule import Example, Rule
from game.rite.rulebook import load_rules
from game.rite.yaml_strict import DataError
from game.session.rulebook import find_rules, rule_in_full
from tests.builders import DATA, the_book
from tests.rules.acting import Case, Judged, judge

RULES = list(the_book().rules.values())
ENCODED = the_book().raw.phases
# Who takes part in these phases is not there in the ordinary rite.
SCENARIOS = {
    "10-遵入献酢": "大夫一人",
    "23-司射请射比耦": "众宾与射",
    "25-众宾受弓矢序立": "众宾与射",
    "29-大夫与耦射": "大夫",
}


def _judge(cases: Iterable[Case]) -> Iterator[tuple[Case, Judged | None]]:
    """Each case in a scenario in which its phase is played."""
    groups: dict[str, list[Case]] = {}
    for case in cases:
        groups.setdefault(SCENARIOS.get(case.phase, "常"), []).append(case)
    for scenario, group in groups.items():
        yield from judge(group, scenario)


def _cases(kind: str) -> list[tuple[Rule, Case]]:
    def case(rule: Rule, n: int, example: Example) -> Case:
        name = f"{rule.id} {kind} {n}"
        return Case(name, example.phase, example.person, example.before, [dict(example.act)], rule=rule.id)

    return [
        (rule, case(rule, n, example))
        for rule in RULES
        for n, example in enumerate(getattr(rule, kind))
        if example.before and example.phase in ENCODED
    ]


def _judged(kind: str) -> dict[str, Judged | None]:
    return {case.id: judged for case, judged in _judge(case for _, case in _cases(kind))}


def test_every_rule_has_ground_and_examples() -> None:
    """Each rests on clauses of the text, and has a right and a wrong example."""
    clauses = the_book().clauses
    assert len({r.id for r in RULES}) == len(RULES) >= 100
    for rule in RULES:
        assert rule.clauses and set(rule.clauses) <= set(clauses), rule.id
        assert rule.right and rule.wrong, rule.id
        assert all(set(e.clauses) <= set(clauses) for e in rule.exceptions), rule.id


def test_each_kind_of_fault_has_a_general_rule() -> None:
    """Where nothing more particular is known, that is the reason."""
    assert {f.rule for f in the_book().faults} <= {r.id for r in RULES if r.is_general}


def test_right_examples_are_right() -> None:
    """What keeps a rule costs nothing."""
    found = _judged("right")
    assert {name: j for name, j in found.items() if j is None or j.outcome != []} == {}


def test_wrong_examples_break_their_rule() -> None:
    """That rule is the reason: at once, or when what was left out lapses or is made good; or the world refuses."""
    cases = {case.id: case for _, case in _cases("wrong")}
    left = dict(cases)
    for lapse, mend in ((False, False), (True, False), (False, True)):
        found = _judge(replace(case, lapse=lapse, mend=mend) for case in left.values())
        left = {c.id: cases[c.id] for c, j in found if j is None or not (j.refused or c.rule in j.rules)}
    assert list(left) == []


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ('confidence: "T"', 'confidence: "?"'),
        ('kind: "数"', 'kind: "多"'),
    ],
)
def test_a_broken_rule_is_refused_in_one_line(tmp_path, change: str, said: str) -> None:  # type: ignore[no-untyped-def]
    """File, line and remedy."""
    good = (
        '- {id: "a", section: "1", kind: "数", zh: "一", en: "one", clauses: ["P01.003"], confidence: "T",\n'
        '   applies: {kind: ["数"]}, right: [], wrong: []}\n'
    )
    path = tmp_path / "rules.yaml"
    path.write_text(good.replace(change, said), "utf-8")
    with pytest.raises(DataError, match=r"rules\.yaml:1: "):
        load_rules(path)


def test_rules_are_found_by_id_clause_kind_and_words() -> None:
    """And one of them is told in full, with the words of its clauses."""
    book = the_book()
    one = RULES[-1]
    assert find_rules(book, one.id) == [one]
    assert one in find_rules(book, one.clauses[0])
    assert one in find_rules(book, one.kind)
    assert one in find_rules(book, one.en.split()[0].lower())
    assert find_rules(book, "no such rule at all") == []
    full = rule_in_full(book, one)
    assert one.zh in full and one.en in full and book.clauses[one.clauses[0]].text in full


def test_the_file_is_part_of_the_digest(tmp_path) -> None:  # type: ignore[no-untyped-def]
    """A session judged under other rules is told from one that is damaged."""
    import shutil

    from game.rite.load import digest

    copy = tmp_path / "data"
    shutil.copytree(DATA, copy)
    before = digest(copy)
    (copy / "rules.yaml").write_text((copy / "rules.yaml").read_text("utf-8") + "\n", "utf-8")
    assert digest(copy) != before
