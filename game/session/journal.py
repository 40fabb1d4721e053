"""The saved session: JSON lines, append-only, each chained to the one before."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

FORMAT = 1
_FIRST = "0" * 16


class JournalError(Exception):
    """A journal that cannot be read: one line naming file, line and remedy."""


def encode(record: Mapping[str, Any], previous: str) -> tuple[bytes, str]:
    """One line (with its newline) and its ``h``; ``previous`` is the ``h`` of the line before."""
    body = json.dumps(record, ensure_ascii=False, separators=(",", ":"), allow_nan=False)[:-1].encode()
    h = hashlib.sha256(previous.encode() + body).hexdigest()[:16]
    return body + f',"h":"{h}"}}\n'.encode(), h


class Journal:
    """Lines of one session, in memory and (with a path) on disk.

    A line is on disk before ``write`` returns when ``sync`` is true; otherwise at ``flush``.
    """

    def __init__(self, path: Path | None = None, sync: bool = True, keep: bool = True) -> None:
        self.lines: list[dict[str, Any]] = []
        self.path = path
        self._sync = sync
        self._keep = keep
        self._h = _FIRST
        self._n = 0
        self._file: IO[bytes] | None = None

    @property
    def next(self) -> int:
        """The number that the next line will have."""
        return self._n

    def start(self) -> None:
        """Create the file; an existing one is never overwritten (FileExistsError)."""
        if self.path is not None:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._file = self.path.open("xb", buffering=0)

    def resume(self) -> None:
        """Append to an existing file after its lines were loaded into ``lines``."""
        if self.path is not None:
            self._file = self.path.open("r+b", buffering=0)
            self._file.seek(0, os.SEEK_END)

    def write(self, t: str, **fields: Any) -> dict[str, Any]:
        """Append one line; returns it with ``n``, ``t`` and ``h``."""
        record = {"n": self._n, "t": t, **fields}
        data, self._h = encode(record, self._h)
        if self._file is not None:
            self._file.write(data)
            if self._sync:
                os.fsync(self._file.fileno())
        self._n += 1
        record["h"] = self._h
        if self._keep:
            self.lines.append(record)
        return record

    def adopt(self, line: dict[str, Any]) -> None:
        """Take over a line that is on disk already."""
        self.lines.append(line)
        self._n, self._h = line["n"] + 1, line["h"]

    def write_again(self, line: dict[str, Any]) -> None:
        """Put on disk a line that is so far only in memory (its act was lost with a torn line)."""
        if self._file is not None:
            body = {k: v for k, v in line.items() if k != "h"}
            previous = self.lines[line["n"] - 1]["h"]
            self._file.write(encode(body, previous)[0])
            os.fsync(self._file.fileno())

    def flush(self) -> None:
        """Make sure that everything written is on disk."""
        if self._file is not None:
            os.fsync(self._file.fileno())

    def close(self) -> None:
        """Close the file."""
        if self._file is not None:
            self.flush()
            self._file.close()
            self._file = None


@dataclass(frozen=True)
class Saved:
    """What a journal file holds: its good lines, and where a torn tail begins (None if there is none)."""

    lines: list[dict[str, Any]]
    torn_at: int | None


def read_journal(path: Path) -> Saved:
    """Read a journal. A last line that was cut short is dropped; anything else that is wrong is a JournalError."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise JournalError(f"{path}: cannot be read ({error.strerror}); check the name") from None
    lines: list[dict[str, Any]] = []
    previous, offset = _FIRST, 0
    chunks = data.split(b"\n")
    for number, chunk in enumerate(chunks, 1):
        last = number == len(chunks)
        if last and not chunk:
            break
        if last:
            return Saved(_header(path, lines), offset)
        try:
            line = json.loads(chunk)
            if not isinstance(line, dict):
                raise ValueError
        except ValueError:
            raise JournalError(f"{path}:{number}: not a JSON line; the lines before it can be kept") from None
        mark = chunk.rfind(b',"h":')
        wanted = hashlib.sha256(previous.encode() + chunk[:mark]).hexdigest()[:16]
        if line.get("n") != number - 1:
            raise JournalError(f"{path}:{number}: n is {line.get('n')}, expected {number - 1}; a line is missing or moved")
        if line.get("h") != wanted:
            raise JournalError(f"{path}:{number}: h is {line.get('h')}, expected {wanted}; the line was changed")
        lines.append(line)
        previous = wanted
        offset += len(chunk) + 1
    return Saved(_header(path, lines), None)


def _header(path: Path, lines: list[dict[str, Any]]) -> list[dict[str, Any]]:
    if not lines or lines[0].get("t") != "session":
        raise JournalError(f"{path}:1: not a session; its first line must have t = session")
    form = lines[0].get("format")
    if not isinstance(form, int) or form > FORMAT:
        raise JournalError(f"{path}:1: format {form}, this program reads up to {FORMAT}; use a newer xiangshe")
    return lines
