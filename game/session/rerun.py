"""A saved session's inputs given to a fresh one: what it takes to continue, to verify and to judge again."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from game.session.journal import KINDS, differs

if TYPE_CHECKING:
    from game.session.session import Session

Line = dict[str, Any]
Difference = tuple[int, str, str]
"""(line, what came out now, what was saved)."""


def feed(session: Session, lines: list[Line]) -> Difference | None:
    """Give a begun session the inputs of ``lines``; the first line that comes out otherwise, or None.

    Then the session's journal holds the saved lines as they are, with what later releases added to them.
    """
    journal, n = session.journal, 0
    while True:
        while n < min(len(lines), len(journal.lines)):
            # Line 0 is what the session was begun from; its time and version are never compared.
            if n and differs(journal.lines[n], lines[n]):
                return n, _shown(journal.lines[n]), _shown(lines[n])
            n += 1
        if n >= len(lines):
            journal.take_over(lines)
            return None
        if lines[n]["t"] not in KINDS:
            journal.insert_foreign()
            continue
        again(session, lines[n])
        if len(journal.lines) == n:
            return n, "nothing", _shown(lines[n])


def again(session: Session, line: Mapping[str, Any]) -> None:
    """One input of a player given again; lines that are none, or cannot be one, do nothing."""

    def has(**kinds: type) -> bool:
        return all(isinstance(line.get(key), kind) for key, kind in kinds.items())

    kind, person = line["t"], line.get("person")
    session.go_on()
    if kind in ("act", "attempt") and has(input=dict, person=str):
        session.act(line["input"], person)
    elif kind == "wait":
        session.step(person) if line.get("how") == "step" else session.wait(person)
    elif kind == "choice" and has(what=str):
        session.choose(line["what"], person)
    elif kind == "undo" and has(to=int):
        session.undo(line["to"])
    elif kind == "note" and has(text=str):
        session.note(line.get("of"), line["text"])
    elif kind == "appeal" and has(of=int, note=str):
        session.appeal(line["of"], line["note"])
    elif kind == "end" or (kind == "score" and line.get("phase") is None):
        session.quit()


def _shown(line: Mapping[str, Any]) -> str:
    """A line as a message has it."""
    text = json.dumps({k: v for k, v in line.items() if k != "h"}, ensure_ascii=False, separators=(",", ":"))
    return text if len(text) < 400 else text[:400] + "…"
