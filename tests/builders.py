"""Scenes for tests, in one line each: a session at a phase, a player without fault, looks into a journal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from game.rite.book import Book
from game.session.ceremony import Ceremony
from game.session.session import Session

DATA = Path(__file__).parent.parent / "data"
Reply = dict[str, Any]
Given = dict[str, Any]

LARGE = ("五十耦",)
"""Scenarios that take long: played once, and left out where something is tried in every scenario."""

FIELDS = ("times", "manner", "object", "which", "count", "to", "from", "into", "hand", "via", "at", "facing", "speech")


@cache
def the_book() -> Book:
    """The data that ship with the game, read once."""
    return Book(DATA)


def scenarios() -> list[str]:
    """The named scenarios, without the large ones."""
    return [name for name in the_book().scenarios if name not in LARGE]


def scene(first: str, last: str, *players: str, scenario: str = "常") -> Session:
    """A session without a file, at the first turn of one of ``players``, who play at level 士."""
    book = the_book()
    return Session.new(book, book.scenarios[scenario], first, last, {p: "士" for p in players}, started=False)


def given(entry: Mapping[str, Any]) -> Given:
    """What a due step accepts, as an act: the first value of each field."""
    accepts = entry["accepts"]
    act: Given = {"verb": entry["verb"]}
    for name in FIELDS:
        if accepts.get(name):
            act[name] = list(accepts[name]) if name == "which" else accepts[name][0]
    return act


def open_entries(due: Reply) -> list[Reply]:
    """Everything that a person owes or has due, what he owes first."""
    return [*due["owed"], *due["must"], *(e for group in due["any_order"] for e in group), *due["may"]]


def step_id(step: str | None) -> str:
    """A step's id without its bindings."""
    return (step or "").split("[", 1)[0]


@dataclass
class PerfectPlayer:
    """Reads what is due and does it with the first accepted values; what he owes he makes good first."""

    session: Session
    person: str

    def __post_init__(self) -> None:
        self._refused: set[str] = set()

    def due(self) -> Reply | None:
        """The entry that he would do now; None where there is nothing but to wait."""
        entries = open_entries(self.session.due(self.person))
        return next((e for e in entries if e["step"] not in self._refused), None)

    def turn(self) -> Reply:
        """One input: the act that is due, the choice that is offered, or waiting."""
        choices = self.session.due(self.person)["choose"]
        if choices:
            return self.session.choose(choices[0][0], self.person)
        entry = self.due()
        if entry is None:
            self._refused.clear()
            return self.session.wait(self.person)
        reply = self.session.act(given(entry), self.person)
        stairs = next((v for v in ("升", "降", "出", "入") if not reply["ok"] and f"须{v}" in reply["error"]), None)
        if stairs and entry["accepts"].get("at") and entry["verb"] != "兴":
            # A slip has left him on the other level, or outside the gate: he goes back to where he should be.
            way: Given = {"verb": stairs, "at": entry["accepts"]["at"][0]}
            if self.session.ceremony.words.verbs[entry["verb"]].effect == "go" and "facing" in entry["accepts"]:
                way["facing"] = entry["accepts"]["facing"][0]
            reply = self.session.act(way, self.person)
        short = self.session.ceremony.arbiter.short.get(self.person)
        if "手不空" in reply.get("error", "") and short is not None:
            # A slip has left in his hands what he should have put down.
            expected = short.station.expected
            self.session.act({"verb": "适", "at": expected["at"][0]}, self.person)
            left = {"object": expected["object"][0], "count": short.count, "into": expected["into"][0]}
            reply = self.session.act({"verb": short.station.act.verb, **left}, self.person)
        if "未挟矢" in reply.get("error", ""):
            # A slip has left him without the arrow that he is to shoot.
            reply = self.session.act({"verb": "挟", "object": "矢"}, self.person)
        if not reply["ok"]:
            self._refused.add(entry["step"])
        return reply

    def finish(self, limit: int = 600) -> None:
        """Play to the end. AssertionError if the rite does not end."""
        for _ in range(limit):
            if self.session.ended:
                return
            self.turn()
        raise AssertionError(f"the rite does not end: {self.session.due(self.person)}")


def play(session: Session, *people: str, limit: int = 4000) -> None:
    """Let every player play perfectly until the rite ends."""
    players = {p: PerfectPlayer(session, p) for p in people or tuple(session.players)}
    for _ in range(limit):
        if session.ended:
            return
        players[session.whose() or next(iter(players))].turn()
    raise AssertionError(f"the rite does not end: {session.due()}")


def faults(lines: Iterable[Mapping[str, Any]]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """(person, fault) for every fault in some journal lines."""
    for line in lines:
        if line["t"] in ("act", "omission"):
            for fault in line["verdict"]["faults"]:
                yield line["person"], fault


def essence(session: Session) -> tuple[Any, ...]:
    """All that decides how a session goes on: two that are equal here have the same future."""
    c = session.ceremony
    world, ensemble, arbiter = c.world, c.ensemble, c.arbiter
    return (
        dict(world.place), dict(world.facing), dict(world.posture), dict(world.dress), dict(world.office),
        dict(world.where), {t: n for t, n in world.wine.items() if n}, {t for t, s in world.slack.items() if s},
        dict(world.offered), set(ensemble.ledger.done), dict(ensemble.ledger.outcomes), dict(ensemble.due),
        {k: (p.station, p.index) for k, p in ensemble.performers.items()}, dict(arbiter.owed),
        dict(arbiter.excuses.table),
        dict(c.outcomes.shots), dict(c.opened), list(c.ahead),
    )  # fmt: skip


def exact(session: Session) -> tuple[Any, ...]:
    """The whole state of a session but its journal, to the order of things in a heap."""
    c = session.ceremony
    seen = {k: (set(p.seen), dict(p.outcomes)) for k, p in c.ensemble.performers.items()}
    here = {k: v for k, v in c.world.here.items() if v}
    ledger = c.ensemble.ledger
    return (
        *essence(session), here, seen, set(ledger.open), dict(ledger.left), dict(c.world.wine), dict(c.world.slack),
        dict(c.scores.tallies), dict(c.lines_of), dict(c.outcomes.last), dict(c.arbiter.short), session.ended,
    )  # fmt: skip


def actors(first: str, last: str, scenario: str = "常") -> list[str]:
    """Everybody who acts in a range of phases when all goes well, in roster order."""
    book = the_book()
    acted: set[str] = set()

    def record(t: str, **fields: Any) -> int:
        if t == "act":
            acted.add(fields["person"])
        return -1

    ceremony = Ceremony(book, book.scenarios[scenario], (), record)
    ceremony.prepare(first, last)
    ceremony.run()
    return sorted(acted, key=lambda p: ceremony.words.order[p])


def sample(people: Iterable[str]) -> list[str]:
    """Of those who are many of a kind (众宾1 …) the first, the second and the last."""
    kinds: dict[str, list[str]] = {}
    for person in people:
        kinds.setdefault(person.rstrip("0123456789"), []).append(person)
    return [p for members in kinds.values() for p in dict.fromkeys((*members[:2], members[-1]))]
