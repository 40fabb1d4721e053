"""Every part of P01–P44 can be played from the first act to the last without a fault.

One session in which everybody is a player shows it of all of them at once. Where some are played by agents these act
before or after others than they would as players, so that the ordinary rite is also played with every other person.
"""

from __future__ import annotations

from collections import Counter
from functools import cache

import pytest

from game.session.ceremony import Ceremony
from game.session.session import Session
from tests.builders import play, scene, the_book

FIRST, LAST = "01-戒宾", "22-取矢委楅"

Steps = Counter[tuple[str, str]]


@cache
def _steps_of_agents(scenario: str, first: str = FIRST, last: str = LAST) -> Steps:
    """(person, step) for everything that is done when agents play every part."""
    book, steps = the_book(), Steps()

    def record(t: str, **fields: object) -> int:
        if t == "act":
            steps[str(fields["person"]), str(fields["step"])] += 1
        return -1

    ceremony = Ceremony(book, book.scenarios[scenario], (), record)
    ceremony.prepare(first, last)
    ceremony.run()
    return steps


def _actors(steps: Steps) -> list[str]:
    return list(dict.fromkeys(person for person, _ in steps))


def _assert_faultless(session: Session, steps: Steps) -> None:
    """Each player has done all of his part, nothing was prompted, owed or left out, and his score is exactly 1."""
    lines = session.journal.lines
    assert Steps((n["person"], n["step"]) for n in lines if n["t"] == "act") == steps
    assert not {n["t"] for n in lines} & {"wait", "attempt", "omission"}
    assert session.ended and not session.ceremony.arbiter.owed and session.ceremony.stuck is None
    scores = {person: total["etiquette"] for person, total in lines[-1]["totals"].items()}
    assert set(scores) == set(session.players)
    assert {p: s for p, s in scores.items() if s["score"] != 1 or s["faults"] or not s["of"]} == {}


def test_everybody_plays_without_a_fault() -> None:
    """All forty persons of the ordinary rite."""
    steps = _steps_of_agents("常")
    session = scene(FIRST, LAST, *_actors(steps))
    play(session)
    _assert_faultless(session, steps)


@pytest.mark.parametrize("half", [0, 1])
def test_every_other_person_plays_among_agents(half: int) -> None:
    """The rest are played by agents."""
    steps = _steps_of_agents("常")
    session = scene(FIRST, LAST, *_actors(steps)[half::2])
    play(session)
    _assert_faultless(session, steps)


@pytest.mark.parametrize(
    ("scenario", "first", "last"),
    [
        ("众宾三", "03-速宾", "09-一人举觯"),
        ("众宾多", "08-主人献众宾", "09-一人举觯"),
        ("大夫", "10-遵入献酢", "15-弟子纳射器"),
        ("大夫一人", "10-遵入献酢", "10-遵入献酢"),
        ("大师", "11-合乐乐宾", "12-献工与笙"),
        ("大师从敖", "11-合乐乐宾", "12-献工与笙"),
        ("庠", "19-三耦取弓矢俟射", "21-三耦射"),
        ("矢不备", "22-取矢委楅", LAST),
        ("常", "23-司射请射比耦", "44-退诸射器"),
        ("众宾与射", "23-司射请射比耦", "25-众宾受弓矢序立"),
        ("大夫一人", "28-宾主人射", "31-司马命取矢乘矢"),
        ("大夫一人", "37-三耦宾主人大夫众宾皆拾取矢", "37-三耦宾主人大夫众宾皆拾取矢"),
    ],
)
def test_everybody_plays_the_phases_that_a_scenario_changes(scenario: str, first: str, last: str) -> None:
    """Other persons, other branches."""
    steps = _steps_of_agents(scenario, first, last)
    session = scene(first, last, *_actors(steps), scenario=scenario)
    play(session)
    _assert_faultless(session, steps)


def test_the_usher_is_one_person_through_both_his_offices() -> None:
    """相, then 司正, then 司马: whoever has the part goes through all of it."""
    session = scene(FIRST, LAST, "相")
    play(session)
    _assert_faultless(session, _steps_of_agents("常"))
    own = [n for n in session.journal.lines if n.get("person") == "相"]
    assert [n["office"] for n in own if n["t"] == "become"] == ["司正", "司马"]
    acting_as = list(dict.fromkeys(n["actor"] for n in own if n["t"] == "act"))
    assert acting_as == ["相", "司正", "司马"]
    assert own[-1]["phase"] == LAST


def test_everybody_named_acts() -> None:
    """Every person whom the text names in them is somebody's part."""
    acted = set(_actors(_steps_of_agents("常")))
    assert {"主人", "宾", "相", "司射", "获者", "乐正", "弟子1", "工1"} <= acted
    assert {f"{pair}{role}" for pair in ("上耦", "次耦", "下耦") for role in ("上射", "下射")} <= acted
    assert {"大夫1", "大夫2"} <= set(_actors(_steps_of_agents("大夫", "10-遵入献酢", "15-弟子纳射器")))
