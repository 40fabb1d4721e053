"""The saved session: JSON lines, append-only, each chained to the one before."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from game.rite.yaml_strict import DataError
from game.session.lock import claim

FORMAT = 1
_FIRST = "0" * 16

KINDS = frozenset(
    ("session", "phase", "happening", "become", "act", "attempt", "omission", "wait", "choice", "undo", "note",
     "appeal", "shot", "tally", "score", "end")
)  # fmt: skip
"""The kinds of line that this program knows; lines of any other ``t`` are kept and skipped."""

_HEADER: dict[str, type | tuple[type, ...]] = {
    "format": int, "game": str, "data": str, "scenario": dict, "seed": int, "from": str, "to": str, "players": dict,
}  # fmt: skip


MOST = 10**15
"""The largest number that a player can say; every reader of JSON holds it exactly."""


class JournalError(Exception):
    """A journal that cannot be read: one line naming file, line and remedy."""


class JournalUnusable(JournalError):
    """Not damaged, but not for this program or at this moment: no such file, a newer format, open elsewhere."""


def encode(record: Mapping[str, Any], previous: str) -> tuple[bytes, str]:
    """One line (with its newline) and its ``h``; ``previous`` is the ``h`` of the line before.

    ValueError for what JSON or UTF-8 cannot hold (NaN, half a surrogate pair).
    """
    body = json.dumps(record, ensure_ascii=False, separators=(",", ":"), allow_nan=False)[:-1].encode()
    h = hashlib.sha256(previous.encode() + body).hexdigest()[:16]
    return body + f',"h":"{h}"}}\n'.encode(), h


def writable(value: object, depth: int = 6) -> bool:
    """Whether a line can hold a player's words: plain values, not nested deeply, no half surrogate pairs."""
    if isinstance(value, str):
        return not any("\ud800" <= c <= "\udfff" for c in value)
    if isinstance(value, list | tuple | dict):
        inside = [*value, *value.values()] if isinstance(value, dict) else list(value)
        return depth > 0 and all(writable(v, depth - 1) for v in inside)
    return value is None or (isinstance(value, int | float) and -MOST <= value <= MOST)


def check_range(header: Mapping[str, Any], phases: Sequence[str]) -> None:
    """DataError for a seed or a range of phases that cannot be played; ``phases`` are those encoded, in order."""
    if not -(2**63) <= header["seed"] < 2**63:
        raise DataError("the seed is too large; it must have 18 digits at most")
    first, last = header["from"], header["to"]
    for name in (first, last):
        if name not in phases:
            raise DataError(f"phase {name} is not encoded yet; encoded are {', '.join(phases)}")
    if phases.index(first) > phases.index(last):
        raise DataError(f"{first} comes after {last}; exchange --from and --to")


def as_said(given: Mapping[str, Any]) -> dict[str, Any]:
    """The words of a refused act as its line has them: as said, else null (``times``: 1)."""

    def said(key: str, kind: type) -> Any:
        value = given.get(key)
        return value if isinstance(value, kind) else None

    def listed(key: str) -> list[str] | None:
        values = [given[key]] if isinstance(given.get(key), str) else given.get(key)
        fit = isinstance(values, list | tuple) and all(isinstance(v, str) for v in values)
        return list(values) if fit and values else None

    texts = {key: said(key, str) for key in ("from", "into", "hand", "via", "speech")}
    return {
        "verb": said("verb", str) or "", "times": said("times", int) or 1, "manner": said("manner", str),
        "object": said("object", str), "which": listed("which"), "count": said("count", int), "to": listed("to"),
        **texts,
    }  # fmt: skip


class Journal:
    """Lines of one session, in memory and (with a path) on disk.

    A line is on disk before ``write`` returns when ``sync`` is true; otherwise at ``flush``. When a line cannot be
    written, the file keeps the lines before it and takes no more: JournalError, then and at every later ``write``.
    """

    def __init__(self, path: Path | None = None, sync: bool = True, keep: bool = True) -> None:
        self.lines: list[dict[str, Any]] = []
        self.path = path
        self._sync = sync
        self._keep = keep
        self._h = _FIRST
        self._n = 0
        self._file: IO[bytes] | None = None
        self._held: IO[bytes] | None = None
        self._full = False
        self._foreign: dict[int, dict[str, Any]] = {}

    @property
    def next(self) -> int:
        """The number that the next line will have."""
        n = self._n
        while n in self._foreign:
            n += 1
        return n

    def expect(self, lines: Iterable[dict[str, Any]]) -> None:
        """Lines of an unknown ``t`` among these are put in their places again when their turn comes."""
        self._foreign = {line["n"]: line for line in lines if line["t"] not in KINDS}

    def insert_foreign(self) -> None:
        """Put in the expected lines of an unknown ``t`` whose turn it is."""
        while self._n in self._foreign:
            line = self._foreign.pop(self._n)
            self._append({k: v for k, v in line.items() if k not in ("n", "h")})

    def start(self) -> None:
        """Create the file; an existing one is never overwritten (FileExistsError)."""
        if self.path is not None:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._file = self.path.open("xb", buffering=0)
            claim(self._file)
            self._sync_folder()

    def _sync_folder(self) -> None:
        """The new file's name is to outlast a power cut too, where the system can promise it."""
        if self.path is not None and self._sync:
            with suppress(OSError):
                folder = os.open(self.path.parent, os.O_RDONLY)
                try:
                    os.fsync(folder)
                finally:
                    os.close(folder)

    @classmethod
    def held(cls, path: Path) -> Journal:
        """An existing journal, held so that no other program writes to it, but not yet read: see ``resume``."""
        journal = cls(None)
        try:
            file = path.open("r+b", buffering=0)
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or "no such name"
            raise JournalUnusable(
                f"{path}: cannot be read (and written to) ({reason}); check the name, or copy it"
            ) from None
        if not claim(file):
            file.close()
            raise JournalUnusable(f"{path}: is open in another xiangshe; leave it there first, or copy the file")
        journal._held = file
        return journal

    def let_go(self) -> None:
        """Give up a file that is held, but not resumed."""
        if self._held is not None:
            self._held.close()
            self._held = None

    def resume(self, path: Path, torn_at: int | None) -> None:
        """Append to the file that is held, after its lines were loaded into ``lines``; a torn tail is cut off."""
        assert self._held is not None
        self.path, self._file, self._held = path, self._held, None
        if torn_at is not None:
            self._file.truncate(torn_at)
        self._file.seek(0, os.SEEK_END)

    def write(self, t: str, /, **fields: Any) -> dict[str, Any]:
        """Append one line; returns it with ``n``, ``t`` and ``h``."""
        self.insert_foreign()
        return self._append({"t": t, **fields})

    def _append(self, fields: Mapping[str, Any]) -> dict[str, Any]:
        record = {"n": self._n, **fields}
        data, h = encode(record, self._h)
        self._put(data, self._sync)
        self._n, self._h = self._n + 1, h
        record["h"] = h
        if self._keep:
            self.lines.append(record)
        return record

    def _put(self, data: bytes, sync: bool) -> None:
        """Bytes to the end of the file, all of them or none."""
        if self._full:
            raise JournalError(f"{self.path}: not written since the line that failed; make room and open it again")
        if self._file is None:
            return
        start = self._file.tell()
        try:
            rest = memoryview(data)
            while rest:
                rest = rest[self._file.write(rest) :]
            if sync:
                os.fsync(self._file.fileno())
        except OSError as error:
            self._full = True
            with suppress(OSError):
                self._file.truncate(start)
            raise JournalError(
                f"{self.path}: cannot be written ({error.strerror}); the lines before are kept: make room, reopen it"
            ) from error

    def adopt(self, line: dict[str, Any]) -> None:
        """Take over a line that is on disk already."""
        self.lines.append(line)
        self._n, self._h = line["n"] + 1, line["h"]

    def take_over(self, lines: list[dict[str, Any]]) -> None:
        """Hold the saved lines instead of their like, and chain what follows to them."""
        rest = self.lines[len(lines) :]
        self.lines = []
        for line in lines:
            self.adopt(line)
        for line in rest:
            self._append({k: v for k, v in line.items() if k not in ("n", "h")})

    def write_again(self, line: dict[str, Any]) -> None:
        """Put on disk a line that is so far only in memory (its act was lost with a torn line)."""
        if self._file is not None:
            body = {k: v for k, v in line.items() if k != "h"}
            previous = self.lines[line["n"] - 1]["h"]
            self._put(encode(body, previous)[0], sync=True)

    def flush(self) -> None:
        """Make sure that everything written is on disk."""
        if self._file is not None:
            os.fsync(self._file.fileno())

    def close(self) -> None:
        """Close the file, and let others have it."""
        if self._file is not None:
            with suppress(OSError):
                self.flush()
            self._file.close()
            self._file = None


def differs(mine: Mapping[str, Any], theirs: Mapping[str, Any]) -> bool:
    """Whether a line comes out otherwise than it was saved. Keys that only the saved one has are of a later release."""
    for key, value in mine.items():
        if key == "h":
            continue
        if key not in theirs:
            return True
        other = theirs[key]
        if key == "verdict" and isinstance(value, dict) and isinstance(other, dict):
            if differs(value, other):
                return True
        elif key == "faults" and isinstance(value, list) and isinstance(other, list):
            if len(value) != len(other) or any(differs(a, b) for a, b in zip(value, other, strict=True)):
                return True
        elif value != other:
            return True
    return False


@dataclass(frozen=True)
class Saved:
    """What a journal file holds: its good lines, and where a torn tail begins (None if there is none)."""

    lines: list[dict[str, Any]]
    torn_at: int | None


def read_journal(path: Path) -> Saved:
    """Read a journal. A last line that was cut short is dropped; anything else that is wrong is a JournalError."""
    try:
        data = path.read_bytes()
    except (OSError, ValueError) as error:
        raise _unreadable(path, error) from None
    return _parsed(path, data)


def _unreadable(path: Path, error: Exception) -> JournalUnusable:
    reason = getattr(error, "strerror", None) or "no such name"
    return JournalUnusable(f"{path}: cannot be read ({reason}); check the name")


def _parsed(path: Path, data: bytes) -> Saved:
    if data.startswith(b"\xef\xbb\xbf"):
        raise JournalError(f"{path}:1: a byte order mark stands before the line; save the file without it")
    lines: list[dict[str, Any]] = []
    previous, offset = _FIRST, 0
    *chunks, rest = data.split(b"\n")
    for number, chunk in enumerate(chunks, 1):
        line = _line(f"{path}:{number}", chunk)
        if number == 1:
            # Before the chain: a newer format may chain its lines in another way.
            _check_format(path, line)
        previous = _linked(f"{path}:{number}", chunk, line, number - 1, previous)
        lines.append(line)
        offset += len(chunk) + 1
    return Saved(_header(path, lines), offset if rest else None)


def _line(where: str, chunk: bytes) -> dict[str, Any]:
    """One line read, but not yet known to belong where it stands."""
    try:
        line = json.loads(chunk.decode(), parse_constant=_no_number)
        if not isinstance(line, dict) or not isinstance(line.get("t"), str):
            raise ValueError
        if b"\\u" in chunk or line["t"] not in KINDS:
            encode(line, "")
    except (ValueError, RecursionError):
        raise JournalError(f"{where}: not a JSON line; the lines before it can be kept") from None
    return line


def _linked(where: str, chunk: bytes, line: Mapping[str, Any], expected: int, previous: str) -> str:
    """The ``h`` of a line that follows on the one of which ``h`` is ``previous``; JournalError if it does not."""
    mark = chunk.rfind(b',"h":')
    wanted = hashlib.sha256(previous.encode() + chunk[:mark]).hexdigest()[:16]
    n, h = line.get("n"), line.get("h")
    if type(n) is not int or n != expected:
        raise JournalError(f"{where}: n is {_brief(n)}, expected {expected}; a line is missing or moved")
    if h != wanted:
        raise JournalError(f"{where}: h is {_brief(h)}, expected {wanted}; the line was changed")
    return wanted


_END = 32 * 1024
"""Bytes of the head, and at least of the tail, that are read of a file of which only the ends are wanted."""


def read_ends(path: Path, back_to: str) -> list[dict[str, Any]]:
    """The session line of a journal and its last lines, back to one of kind ``back_to`` if there is any.

    What is read is proved as ``read_journal`` proves it; what lies between is not looked at.
    """
    mark = f'"t":"{back_to}"'.encode()
    try:
        with path.open("rb") as file:
            size = file.seek(0, os.SEEK_END)
            file.seek(0)
            head, tail = file.read(_END), b""
            start = size
            while start > len(head) and mark not in tail[tail.find(b"\n") + 1 :]:
                start = max(len(head), start - _END)
                file.seek(start)
                tail = file.read(size - start)
    except (OSError, ValueError) as error:
        raise _unreadable(path, error) from None
    first = head[: head.find(b"\n") + 1]
    if start == len(head):
        return _parsed(path, head + tail).lines
    if not first:
        return read_journal(path).lines
    header = _parsed(path, first).lines[0]
    *chunks, _torn = tail[tail.find(b"\n") + 1 :].split(b"\n")
    lines: list[dict[str, Any]] = []
    for chunk in chunks:
        line = _line(f"{path} (near its end)", chunk)
        if lines:
            _linked(f"{path} (near its end)", chunk, line, lines[-1]["n"] + 1, lines[-1]["h"])
        elif type(line.get("n")) is not int or not isinstance(line.get("h"), str):
            raise JournalError(f"{path} (near its end): not a line of a session; the lines before it can be kept")
        lines.append(line)
    return [header, *lines]


def _check_format(path: Path, line: Mapping[str, Any]) -> None:
    if line["t"] != "session":
        raise JournalError(f"{path}:1: not a session; its first line must have t = session")
    form = line.get("format")
    if type(form) is not int or form > FORMAT:
        raise JournalUnusable(
            f"{path}:1: format {_brief(form)}, this program reads up to {FORMAT}; use a newer xiangshe"
        )


def _header(path: Path, lines: list[dict[str, Any]]) -> list[dict[str, Any]]:
    if not lines:
        raise JournalError(f"{path}:1: not a session; its first line must have t = session")
    for key, kind in _HEADER.items():
        value = lines[0].get(key)
        if not isinstance(value, kind) or isinstance(value, bool):
            raise JournalError(f"{path}:1: the session line has no {key} that can be read; restore it from a copy")
    return lines


def _no_number(name: str) -> None:
    raise ValueError(name)


def _brief(value: object) -> str:
    """A value of a damaged line, as a message may have it."""
    text = json.dumps(value)
    return text if len(text) < 60 else text[:60] + "…"


def voided(lines: list[dict[str, Any]]) -> set[int]:
    """Indexes of lines that an undo has made void: they count for no score, export or invariant."""
    void: set[int] = set()
    for i, line in enumerate(lines):
        if line["t"] == "undo":
            if type(line.get("to")) is int and 0 < line["to"] < i:
                void.update(range(line["to"], i))
            void.add(i)
    return void
