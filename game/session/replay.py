"""Saved sessions read again: ``verify`` runs the rules again, ``replay`` shows what was recorded."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from game.rite.book import Book
from game.session.journal import JournalError, read_journal, voided
from game.session.parts import check_parts
from game.session.rerun import again, feed
from game.session.session import Session


@dataclass(frozen=True)
class Report:
    """What verifying a journal found. ``same`` is false for a difference; ``message`` is one line."""

    same: bool
    message: str
    changed: list[str] = field(default_factory=list)
    """With ``rejudge``: one line for each step whose verdict would differ today."""


def verify(book: Book, path: Path, rejudge: bool = False) -> Report:
    """Run a session again from its header and inputs. JournalError if the file is damaged or too new."""
    saved = read_journal(path)
    header = saved.lines[0]
    if header["data"] != book.digest and not rejudge:
        return Report(
            False, f"{path}:1: judged under other rules (data {header['data']}, here {book.digest}); try --rejudge"
        )
    session = Session.again(book, path, saved.lines)
    if rejudge:
        check_parts(path, saved.lines)
        return _rejudged(session, saved.lines, path)
    difference = feed(session, saved.lines)
    if difference is not None:
        return Report(False, f"{path}:{difference[0] + 1}: expected {difference[1]}, found {difference[2]}")
    torn = "; a torn last line was left out" if saved.torn_at is not None else ""
    return Report(True, f"{path}: {len(saved.lines)} lines, all the same{torn}")


def _rejudged(session: Session, lines: list[dict[str, Any]], path: Path) -> Report:
    for line in lines:
        if "input" in line or line["t"] in ("wait", "choice", "undo", "note", "appeal"):
            again(session, line)

    def verdicts(of: list[dict[str, Any]]) -> list[tuple[str, Any]]:
        return [(str(x.get("step") or x.get("verb")), x["verdict"]) for x in of if x["t"] in ("act", "omission")]

    changed = []
    now = verdicts(session.journal.lines)
    for i, (step, verdict) in enumerate(verdicts(lines)):
        today = now[i] if i < len(now) else ("nothing", None)
        if today != (step, verdict):
            changed.append(f"{step}: {_grade(verdict)} → {today[0]} {_grade(today[1])}")
    return Report(not changed, f"{path}: {len(changed)} verdicts would differ today", changed)


def _grade(verdict: dict[str, Any] | None) -> str:
    if verdict is None:
        return "—"
    faults = "".join(f["kind"] for f in verdict.get("faults", []))
    return str(verdict.get("grade", verdict.get("code"))) + (f"({faults})" if faults else "")


class Recording:
    """A journal as it was recorded: its acts one after the other, forwards and backwards, never past either end."""

    def __init__(self, path: Path) -> None:
        self.path = path
        saved = read_journal(path)
        check_parts(path, saved.lines)
        self.lines = saved.lines
        self.void = voided(saved.lines)
        self.shown = [i for i, line in enumerate(saved.lines) if i not in self.void]
        self.at = 0

    @property
    def line(self) -> dict[str, Any]:
        """The line at which the reader stands."""
        return self.lines[self.shown[self.at]]

    def before(self) -> list[dict[str, Any]]:
        """The lines that count from the first to the one at which the reader stands."""
        return [self.lines[i] for i in self.shown[: self.at + 1]]

    def go(self, by: int) -> dict[str, Any]:
        """Forwards or backwards by some lines; both ends are safe."""
        self.at = max(0, min(len(self.shown) - 1, self.at + by))
        return self.line

    def jump(self, n: int) -> dict[str, Any]:
        """To line ``n`` of the file, or the nearest that counts."""
        nearest = min(range(len(self.shown)), key=lambda i: (abs(self.shown[i] - n), i))
        self.at = nearest
        return self.line

    def find(self, wanted: str, forward: bool = True) -> dict[str, Any] | None:
        """To the next (or last) fault or phase: ``wanted`` is ``fault`` or a phase id; None if there is none."""
        step = 1 if forward else -1
        i = self.at + step
        while 0 <= i < len(self.shown):
            line = self.lines[self.shown[i]]
            faulty = wanted == "fault" and bool(line.get("verdict", {}).get("faults"))
            if faulty or (line["t"] == "phase" and wanted in (line["phase"], "phase")):
                self.at = i
                return line
            i += step
        return None


__all__ = ["JournalError", "Recording", "Report", "verify", "voided"]
