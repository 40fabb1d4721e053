"""A player who slips, tries the impossible, waits, steps, undoes, notes and appeals: the same for the same seed.

And journals as bytes: what such a player leaves behind, read and chained without the program's own help.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from game.session.session import Session
from tests.builders import given, the_book

Input = tuple[str, Any]
Line = dict[str, Any]
Lines = list[Line]
SHORT = ("03-速宾", "04-迎宾拜至")
TEXT = '何也 🏹 \u2028 "\\'
"""What a careless player remarks."""


@dataclass
class Careless:
    """Chooses inputs by looking at what is due, and gives them to a session."""

    rng: Random

    def choose(self, session: Session) -> Input:
        """The next input."""
        due = session.due()
        entries = due["must"] + due["may"] + [e for group in due["any_order"] for e in group] + due["owed"]
        chance = self.rng.random()
        if due["choose"] and chance < 0.7:
            return "choose", self.rng.choice(due["choose"][0])
        if entries and chance < 0.72:
            return "act", self._slip(given(self.rng.choice(entries)))
        if chance < 0.78:
            return "act", {"verb": self.rng.choice("拜坐兴揖取奠"), "to": self.rng.choice(("主人", "宾", "众宾"))}
        if chance < 0.88:
            return "wait", None
        if chance < 0.92:
            return "step", None
        if chance < 0.96:
            return "undo", None if self.rng.random() < 0.6 else self.rng.randrange(1, session.journal.next)
        return self.rng.choice(("note", "appeal")), self.rng.randrange(session.journal.next)

    def _slip(self, act: dict[str, Any]) -> dict[str, Any]:
        if self.rng.random() < 0.3:
            act["facing"] = self.rng.choice("北南东西")
        if self.rng.random() < 0.1:
            act["times"] = 3
        return act


def give(session: Session, one: Input) -> None:
    """One input."""
    does, what = one
    if does in ("wait", "step"):
        getattr(session, does)()
    elif does in ("note", "appeal"):
        getattr(session, does)(what, TEXT)
    else:
        getattr(session, does)(what)


def begin(first: str, last: str, *players: str, out: Path | None = None, seed: int = 1) -> Session:
    """A session with its file, which says nothing of when it began."""
    book = the_book()
    levels = {player: "士" for player in players}
    return Session.new(book, book.scenarios["常"], first, last, levels, seed, out, started=False)


def careless(session: Session, seed: int, most: int = 150) -> None:
    """Play a session carelessly, to its end or for as many inputs."""
    player = Careless(Random(seed))
    for _ in range(most):
        if session.ended:
            return
        give(session, player.choose(session))


def lines_of(path: Path) -> Lines:
    """The lines of a journal file."""
    return [json.loads(line) for line in path.read_bytes().split(b"\n")[:-1]]


def chained(lines: Iterable[Line]) -> bytes:
    """Lines as a journal has them, chained anew."""
    data, h = b"", "0" * 16
    for line in lines:
        body = json.dumps({k: v for k, v in line.items() if k != "h"}, ensure_ascii=False, separators=(",", ":"))
        text = body[:-1].encode()
        h = hashlib.sha256(h.encode() + text).hexdigest()[:16]
        data += text + f',"h":"{h}"}}\n'.encode()
    return data


@dataclass(frozen=True)
class Played:
    """A careless session: its inputs, the bytes of its journal, and how many lines there were before each input."""

    inputs: tuple[Input, ...]
    data: bytes
    before: tuple[int, ...]

    @property
    def lines(self) -> Lines:
        """Its lines."""
        return [json.loads(line) for line in self.data.splitlines()]

    def rest(self, n: int) -> tuple[Input, ...]:
        """The inputs still to give to a session that has ``n`` lines. AssertionError if it stopped within one."""
        if n == self.data.count(b"\n"):
            return ()
        assert n in self.before, f"{n} lines, in the middle of an input"
        return self.inputs[len(self.before) - 1 - self.before[::-1].index(n) :]


@cache
def played() -> Played:
    """The first careless session of two players that has an input of each kind, and some length."""
    for seed in range(100):
        session, player = begin(*SHORT, "宾", "主人"), Careless(Random(seed))
        inputs: list[Input] = []
        before: list[int] = []
        while not session.ended and len(inputs) < 150:
            inputs.append(player.choose(session))
            before.append(session.journal.next)
            give(session, inputs[-1])
        kinds = {line["t"] for line in session.journal.lines}
        if len(inputs) > 40 and kinds >= {"attempt", "omission", "wait", "undo", "note", "appeal"}:
            return Played(tuple(inputs), chained(session.journal.lines), tuple(before))
    raise AssertionError("no session has an input of each kind")


if __name__ == "__main__":
    one = begin("03-速宾", "05-主人献宾", "宾", "主人", out=Path(sys.argv[1]))
    careless(one, int(sys.argv[2]))
    one.close()
