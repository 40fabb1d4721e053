"""The world at each line of a session, to be shown act by act, forwards and backwards."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from game.rite.book import Book
from game.rite.scenario import Scenario
from game.session.journal import read_journal
from game.session.parts import check_parts
from game.session.replay import voided
from game.session.rerun import feed
from game.session.session import Session

Line = dict[str, Any]
State = dict[str, Any]


@dataclass(frozen=True)
class Frame:
    """One journal line and the world as it left it."""

    line: Line
    state: State


class Film:
    """Takes a frame of each line that it is shown. What has not changed is shared between frames."""

    def __init__(self) -> None:
        self.frames: deque[Frame] = deque()
        self._last: State = {}

    def take(self, session: Session, line: Line) -> None:
        """One line, just written."""
        self.frames.append(Frame(line, self._shared(session.ceremony.world.state())))

    def _shared(self, state: State) -> State:
        last = self._last
        persons = last.get("persons", {})
        state["persons"] = {p: persons[p] if persons.get(p) == r else r for p, r in state["persons"].items()}
        for part in ("things", "wine", "slack"):
            if last.get(part) == state[part]:
                state[part] = last[part]
        self._last = state
        return state


@dataclass(frozen=True)
class Reel:
    """A whole session to be shown: its header, its frames without what an undo made void, and a warning if any."""

    header: Line
    frames: list[Frame]
    warning: str = ""


def performed(book: Book, scenario: Scenario, first: str, last: str, seed: int) -> Reel:
    """The rite performed by agents alone."""
    film = Film()
    session = Session.new(book, scenario, first, last, {}, seed, None, watch=film.take)
    return Reel(session.header_line(), list(film.frames))


def recorded(book: Book, path: Path) -> Reel:
    """A saved session. JournalError if the file is damaged.

    If it was judged under the same data it is run again, so that every thing is where it was; else, or if a line would
    come out otherwise, its lines are shown as they were saved, and things stand as they did at the phase's beginning.
    """
    saved = read_journal(path)
    check_parts(path, saved.lines)
    void = voided(saved.lines)
    header = saved.lines[0]
    if header["data"] == book.digest:
        film = Film()
        session = Session.again(book, path, saved.lines, watch=film.take)
        if feed(session, saved.lines) is None:
            states = {f.line["n"]: f.state for f in film.frames}
            return Reel(header, _of_lines(saved.lines, void, states))
        return Reel(header, _of_lines(saved.lines, void, {}), "differs")
    return Reel(header, _of_lines(saved.lines, void, {}), "other rules")


def _of_lines(lines: list[Line], void: set[int], states: dict[int, State]) -> list[Frame]:
    frames = []
    state: State = {"persons": {}, "things": {}, "wine": {}, "slack": []}
    for i, line in enumerate(lines):
        if line["n"] in states:
            state = states[line["n"]]
        elif line["t"] == "phase":
            state = line["state"]
        elif line["t"] == "act" and not states:
            state = moved(state, line)
        if i not in void:
            frames.append(Frame(line, state))
    return frames


def moved(state: State, line: Line) -> State:
    """The world with the place, facing and posture that an act line tells."""
    person = line["person"]
    record = {**state["persons"].get(person, {"hands": {}, "dress": []})}
    record.update({k: line[k] for k in ("at", "facing", "posture") if line.get(k)})
    return {**state, "persons": {**state["persons"], person: record}}
