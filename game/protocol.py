"""``xiangshe session``: one JSON object a line each way, on top of the session's public interface."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import IO, Any

from game.clean import short
from game.rite.book import Book
from game.rite.scenario import Scenario, from_record, read_scenario
from game.rite.yaml_strict import DataError
from game.session.journal import JournalError
from game.session.session import Session

Reply = dict[str, Any]
Request = Mapping[str, Any]


class _BadRequest(Exception):
    """A key of a request that cannot be read: one line naming it."""


class Protocol:
    """Answers requests; at most one session is open at a time."""

    def __init__(self, book: Book) -> None:
        self.book = book
        self.session: Session | None = None

    def answer(self, line: str) -> Reply:
        """The answer to one line; a bad line changes nothing."""
        try:
            request = json.loads(line)
            json.dumps(request, ensure_ascii=False).encode()
        except (ValueError, RecursionError):
            return _refused("not a JSON object in UTF-8; send one object a line")
        if not isinstance(request, dict) or not isinstance(request.get("do"), str):
            return _refused("no 'do' in the request", sorted(_DOES))
        does = _DOES.get(request["do"])
        if does is None:
            return _refused(f"unknown do: {request['do']}", sorted(_DOES))
        try:
            return _brief(does(self, request))
        except (DataError, JournalError, _BadRequest) as error:
            return _refused(str(error))
        except FileExistsError as error:
            return _refused(f"out: {error.filename} is there already; choose another name")
        except (OSError, ValueError) as error:
            return _refused(f"cannot be served: {getattr(error, 'strerror', None) or error}")

    def new(self, request: Request) -> Reply:
        """Begin a session."""
        scenario = self._scenario(request.get("scenario"))
        first, last = self.book.range(_phase(request, "from"), _phase(request, "to"))
        players = request.get("players")
        if players is None:
            players = {}
        if not isinstance(players, dict):
            raise _BadRequest("players must be {person: level}")
        seed = _number(request, "seed")
        out = _text(request, "out")
        path = None if out is None else Path(out)
        session = Session.new(self.book, scenario, first, last, players, 1 if seed is None else seed, path)
        self._leave()
        self.session = session
        return {"ok": True, "events": session.events(), "due": session.due()}

    def _scenario(self, given: object) -> Scenario:
        if given is None:
            given = "常"
        if isinstance(given, dict):
            return from_record(given, "scenario", own=False)
        if not isinstance(given, str):
            raise _BadRequest("scenario must be a name, a .yaml file or {id, options}")
        if given in self.book.scenarios:
            return self.book.scenarios[given]
        if Path(given).suffix in (".yaml", ".yml"):
            return read_scenario(Path(given))
        raise DataError(f"no scenario {given!r}; see `xiangshe scenarios`")

    def open(self, request: Request) -> Reply:
        """Go on with a saved session."""
        path = _text(request, "path")
        if path is None:
            raise _BadRequest("path must name a saved session")
        session = Session.open(self.book, Path(path))
        self._leave()
        self.session = session
        return {"ok": True, "events": session.journal.lines[:], "due": session.due()}

    def _leave(self) -> None:
        if self.session is not None:
            self.session.close()
            self.session = None

    def due(self, request: Request) -> Reply:
        """What is due; answerable at any moment."""
        person = _text(request, "person")
        if self.session is None:
            return {
                "ok": True,
                "due": {"person": person, "must": [], "any_order": [], "choose": [], "may": [], "owed": []},
            }
        return {"ok": True, "due": self.session.due(person)}

    def _current(self) -> Session:
        if self.session is None:
            raise DataError("no session is open; send new or open first")
        return self.session

    def act(self, request: Request) -> Reply:
        """One act."""
        given = {k: v for k, v in request.items() if k not in ("do", "person")}
        return self._current().act(given, _text(request, "person"))

    def say(self, request: Request) -> Reply:
        """Typed notation."""
        return self._current().say(_text(request, "line") or "", _text(request, "person"))

    def wait(self, request: Request) -> Reply:
        """Let the others go on."""
        return self._current().wait(_text(request, "person"))

    def step(self, request: Request) -> Reply:
        """Let one act of the others happen."""
        return self._current().step(_text(request, "person"))

    def choose(self, request: Request) -> Reply:
        """A choice that the rite leaves to the person."""
        return self._current().choose(_text(request, "what") or "", _text(request, "person"))

    def why(self, request: Request) -> Reply:
        """Reasons of what is due, of a line, or of a word."""
        return self._current().why(_number(request, "of"), _text(request, "person"), _text(request, "about"))

    def appeal(self, request: Request) -> Reply:
        """Contest a verdict."""
        of = _number(request, "of")
        if of is None:
            raise _BadRequest("of must be the number of the line that is contested")
        return self._current().appeal(of, _text(request, "note") or "")

    def note(self, request: Request) -> Reply:
        """Annotate."""
        return self._current().note(_number(request, "of"), _text(request, "text") or "")

    def state(self, request: Request) -> Reply:
        """The world."""
        return self._current().state()

    def undo(self, request: Request) -> Reply:
        """Take back."""
        return self._current().undo(_number(request, "to"))

    def quit(self, request: Request) -> Reply:
        """End the session."""
        if self.session is None:
            return {"ok": True, "events": []}
        session, self.session = self.session, None
        try:
            return session.quit()
        finally:
            session.close()


_DOES: dict[str, Callable[[Protocol, Request], Reply]] = {
    "new": Protocol.new, "open": Protocol.open, "due": Protocol.due, "act": Protocol.act, "say": Protocol.say,
    "wait": Protocol.wait, "step": Protocol.step, "choose": Protocol.choose, "why": Protocol.why,
    "appeal": Protocol.appeal, "note": Protocol.note, "state": Protocol.state, "undo": Protocol.undo,
    "quit": Protocol.quit,
}  # fmt: skip


def _text(request: Request, key: str) -> str | None:
    """A key that is text or left out; _BadRequest for anything else."""
    value = request.get(key)
    if not isinstance(value, str | None):
        raise _BadRequest(f"{key} must be text")
    return value


def _phase(request: Request, key: str) -> str | None:
    given = request.get(key)
    if type(given) is int:
        given = str(given)
    if not isinstance(given, str | None):
        raise _BadRequest(f"{key} must be a phase; see `xiangshe phases`")
    return given


def _number(request: Request, key: str) -> int | None:
    value = request.get(key)
    if value is not None and type(value) is not int:
        raise _BadRequest(f"{key} must be a whole number")
    return value


def _refused(error: str, candidates: list[str] | None = None) -> Reply:
    return {"ok": False, "code": "unclear", "error": short(error, 500), "candidates": candidates or []}


def _brief(reply: Reply) -> Reply:
    """A refusal does not read back a whole book."""
    return reply if reply["ok"] else {**reply, "error": short(reply["error"], 500)}


def serve(book: Book, source: IO[str], sink: IO[str]) -> int:
    """Answer each line of ``source`` on ``sink`` until the end of input or after ``quit``."""
    protocol = Protocol(book)
    try:
        for line in source:
            if not line.strip():
                continue
            reply = protocol.answer(line)
            sink.write(json.dumps(reply, ensure_ascii=False, separators=(",", ":")) + "\n")
            sink.flush()
    finally:
        if protocol.session is not None:
            protocol.session.close()
    return 0
