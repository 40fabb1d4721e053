"""``xiangshe session``: one JSON object a line each way, on top of the session's public interface."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import IO, Any

from game.rite.book import Book
from game.rite.scenario import Scenario, from_record, read_scenario
from game.rite.yaml_strict import DataError
from game.session.journal import JournalError
from game.session.session import Session

Reply = dict[str, Any]


class Protocol:
    """Answers requests; at most one session is open at a time."""

    def __init__(self, book: Book) -> None:
        self.book = book
        self.session: Session | None = None

    def answer(self, line: str) -> Reply:
        """The answer to one line; a bad line changes nothing."""
        try:
            request = json.loads(line)
        except (ValueError, RecursionError):
            return _refused("unclear", "not a JSON object; send one object a line")
        if not isinstance(request, dict) or not isinstance(request.get("do"), str):
            return _refused("unclear", "no 'do' in the request", sorted(_DOES))
        does = _DOES.get(request["do"])
        if does is None:
            return _refused("unclear", f"unknown do: {request['do']}", sorted(_DOES))
        try:
            return does(self, request)
        except (DataError, JournalError) as error:
            return _refused("unclear", str(error))
        except (TypeError, ValueError, KeyError, OSError, RecursionError) as error:
            return _refused("unclear", f"cannot read the request: {error}")

    def new(self, request: Mapping[str, Any]) -> Reply:
        """Begin a session."""
        scenario = self._scenario(request.get("scenario", "常"))
        encoded = [p for p in self.book.phase_texts if p in self.book.raw.phases]
        first = self.book.phase_id(str(request.get("from") or encoded[0]))
        last = self.book.phase_id(str(request.get("to") or encoded[-1]))
        players = request.get("players") or {}
        if not isinstance(players, dict):
            return _refused("unclear", "players must be {person: level}")
        out = Path(request["out"]) if request.get("out") else None
        if out is not None and out.exists():
            return _refused("unclear", f"{out} is there already; choose another name")
        session = Session.new(self.book, scenario, first, last, players, int(request.get("seed", 1)), out)
        self._leave()
        self.session = session
        return {"ok": True, "events": session.events(), "due": session.due()}

    def _scenario(self, given: object) -> Scenario:
        if isinstance(given, dict):
            return from_record(given, "scenario")
        if str(given) in self.book.scenarios:
            return self.book.scenarios[str(given)]
        path = Path(str(given))
        if path.suffix in (".yaml", ".yml") and path.exists():
            return read_scenario(path)
        raise DataError(f"no scenario {given!r}; see `xiangshe scenarios`")

    def open(self, request: Mapping[str, Any]) -> Reply:
        """Go on with a saved session."""
        session = Session.open(self.book, Path(str(request["path"])))
        self._leave()
        self.session = session
        return {"ok": True, "events": session.journal.lines[:], "due": session.due()}

    def _leave(self) -> None:
        if self.session is not None:
            self.session.close()
            self.session = None

    def due(self, request: Mapping[str, Any]) -> Reply:
        """What is due; answerable at any moment."""
        if self.session is None:
            return {
                "ok": True,
                "due": {"person": None, "must": [], "any_order": [], "choose": [], "may": [], "owed": []},
            }
        return {"ok": True, "due": self.session.due(request.get("person"))}

    def _current(self) -> Session:
        if self.session is None:
            raise DataError("no session is open; send new or open first")
        return self.session

    def act(self, request: Mapping[str, Any]) -> Reply:
        """One act."""
        given = {k: v for k, v in request.items() if k not in ("do", "person")}
        return self._current().act(given, request.get("person"))

    def say(self, request: Mapping[str, Any]) -> Reply:
        """Typed notation."""
        return self._current().say(str(request.get("line", "")), request.get("person"))

    def wait(self, request: Mapping[str, Any]) -> Reply:
        """Let the others go on."""
        return self._current().wait(request.get("person"))

    def step(self, request: Mapping[str, Any]) -> Reply:
        """Let one act of the others happen."""
        return self._current().step(request.get("person"))

    def choose(self, request: Mapping[str, Any]) -> Reply:
        """A choice that the rite leaves to the person."""
        return self._current().choose(str(request.get("what", "")), request.get("person"))

    def why(self, request: Mapping[str, Any]) -> Reply:
        """Reasons."""
        of = request.get("of")
        if of is not None and not isinstance(of, int):
            return _refused("unclear", "of must be a line number")
        return self._current().why(of, request.get("person"))

    def appeal(self, request: Mapping[str, Any]) -> Reply:
        """Contest a verdict."""
        return self._current().appeal(int(request["of"]), str(request.get("note", "")))

    def note(self, request: Mapping[str, Any]) -> Reply:
        """Annotate."""
        return self._current().note(request.get("of"), str(request.get("text", "")))

    def state(self, request: Mapping[str, Any]) -> Reply:
        """The world."""
        return self._current().state()

    def undo(self, request: Mapping[str, Any]) -> Reply:
        """Take back."""
        to = request.get("to")
        return self._current().undo(int(to) if to is not None else None)

    def quit(self, request: Mapping[str, Any]) -> Reply:
        """End the session."""
        if self.session is None:
            return {"ok": True, "events": []}
        reply = self.session.quit()
        self.session = None
        return reply


_DOES: dict[str, Callable[[Protocol, Mapping[str, Any]], Reply]] = {
    name: getattr(Protocol, name)
    for name in [
        "new",
        "open",
        "due",
        "act",
        "wait",
        "step",
        "choose",
        "why",
        "appeal",
        "note",
        "state",
        "undo",
        "quit",
    ]
}


def _refused(code: str, error: str, candidates: list[str] | None = None) -> Reply:
    return {"ok": False, "code": code, "error": error, "candidates": candidates or []}


def serve(book: Book, source: IO[str], sink: IO[str]) -> int:
    """Answer each line of ``source`` on ``sink`` until the end of input or after ``quit``."""
    protocol = Protocol(book)
    for line in source:
        if not line.strip():
            continue
        reply = protocol.answer(line)
        sink.write(json.dumps(reply, ensure_ascii=False, separators=(",", ":")) + "\n")
        sink.flush()
    if protocol.session is not None:
        protocol.session.close()
    return 0
