"""The base text as printed, its patches, and the reading text in clauses, proven equal; standard library only.

Files of ``data/text``, all UTF-8:

- ``base.txt``: the whole base on one line, phrases parted by 「．」;
- ``patches.json``: a list of ``{"id", "sev", "phase", "from", "to"}``, each ``from`` once in the base;
- ``reading.tsv``: ``id`` and ``clause``; the clauses joined by 「．」 are the base with every patch applied;
- ``phases.tsv``: ``id``, ``chinese``, ``english``, ``first`` and ``last`` clause of each section.
"""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

STOP = "．"
TITLE = "乡射礼 "
"""May be printed before the text, with the space that parts it; not a clause."""

BASE, PATCHES, READING, PHASES = "base.txt", "patches.json", "reading.tsv", "phases.tsv"

_CLAUSE_ID = re.compile(r"P[0-9]{2}\.[0-9]{3}[a-z]?")
_PHASE_ID = re.compile(r"[0-9]{2}-\S+")
_SPACE = re.compile(r"\s*")


class TextError(ValueError):
    """A file of the text that cannot be used: one line naming file, line and remedy."""


@dataclass(frozen=True, slots=True)
class Clause:
    """One clause of the reading text: P05.011, 宾进东北面辞洗."""

    id: str
    text: str

    @property
    def phase_number(self) -> int:
        """The number of the section it belongs to."""
        return int(self.id[1:3])


@dataclass(frozen=True, slots=True)
class PhaseText:
    """One of the sections into which the text is divided, with its first and last clause."""

    id: str
    chinese: str
    english: str
    first: str
    last: str

    @property
    def number(self) -> int:
        """Its place in the text, from 1."""
        return int(self.id.split("-")[0])


@dataclass(frozen=True, slots=True)
class Patch:
    """One emendation or re-cut: in section ``phase``, ``old`` of the base is read as ``new``."""

    id: str
    phase: int
    old: str
    new: str
    old_line: int
    """Line of its ``from`` in patches.json."""
    new_line: int
    """Line of its ``to`` in patches.json."""


def load_base(folder: Path) -> str:
    """The base as it stands in its file, without the line end. Raises TextError."""
    return _read(folder / BASE).rstrip("\r\n")


def load_patches(folder: Path) -> list[Patch]:
    """The patches in the order of their file. Raises TextError for anything but a list of well-formed patches."""
    text = _read(folder / PATCHES)
    patches: dict[str, Patch] = {}
    for start, end in _objects(text):
        where = f"{PATCHES}:{_line(text, start)}"
        record = json.loads(text[start:end])
        name, old, new = (record.get(k) for k in ("id", "from", "to"))
        if not all(isinstance(v, str) and v for v in (name, old, new)) or type(record.get("phase")) is not int:
            raise TextError(f"{where}: a patch needs id, from and to as text and phase as a number")
        if name in patches:
            raise TextError(f"{where}: patch {name} stands twice; rename or remove one")
        lines = [_line(text, _key(text, start, end, key)) for key in ("from", "to")]
        patches[name] = Patch(name, record["phase"], old, new, *lines)
    return list(patches.values())


def load_clauses(folder: Path) -> dict[str, Clause]:
    """Clauses by id, in the order of the text. Raises TextError."""
    return {clause.id: clause for _, clause in _clauses(folder)}


def load_phases(folder: Path) -> dict[str, PhaseText]:
    """Sections by id, in the order of the text. Raises TextError."""
    return {phase.id: phase for _, phase in _phases(folder)}


def prove(folder: Path) -> list[str]:
    """What is wrong with the text in ``folder``; an empty list is the proof that base and patches make the reading.

    Each patch must stand once in the base and change only its own section; the base with all of them must be the
    reading text, character for character; the sections must hold all clauses in order. Each problem is one line:
    ``file:line``, what is wrong, what to do. A broken file is a problem too, never an exception.
    """
    problems: list[str] = []
    try:
        clauses = _clauses(folder)
    except TextError as error:
        return [str(error)]
    try:
        problems += _prove_phases(_phases(folder), [c for _, c in clauses])
    except TextError as error:
        problems.append(str(error))
    try:
        base, patches = load_base(folder), load_patches(folder)
    except TextError as error:
        return [*problems, str(error)]
    misplaced, edits = _place(base, patches)
    patched = _apply(base, edits)
    different = _compare(patched, edits, clauses)
    if not misplaced and not different:
        different = _check_sections(patched, edits, [c for _, c in clauses])
    return problems + misplaced + different


# Reading the files


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise TextError(f"{path.name}: cannot be read ({error.strerror}); restore the file") from None
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise TextError(f"{path.name}:{line}: not UTF-8; save the file as UTF-8") from None


def _rows(path: Path, *columns: str) -> Iterator[tuple[int, list[str]]]:
    """(line, cells) of each row under the heading."""
    lines = _read(path).removesuffix("\n").split("\n")
    for number, line in enumerate(lines, 1):
        cells = line.split("\t")
        if number == 1 and cells != [*columns]:
            raise TextError(f"{path.name}:1: the columns must be {', '.join(columns)}, parted by tabs")
        if len(cells) != len(columns) or not all(cells):
            raise TextError(f"{path.name}:{number}: needs {', '.join(columns)}, parted by tabs")
        if number > 1:
            yield number, cells


def _clauses(folder: Path) -> list[tuple[int, Clause]]:
    found: list[tuple[int, Clause]] = []
    last = ""
    for line, (name, text) in _rows(folder / READING, "id", "clause"):
        if not _CLAUSE_ID.fullmatch(name):
            raise TextError(f"{READING}:{line}: {name!r} is not a clause id; write it as P05.012")
        if name <= last:
            raise TextError(f"{READING}:{line}: {name} does not come after {last}; put the clauses in order")
        found.append((line, Clause(name, text)))
        last = name
    return found


def _phases(folder: Path) -> list[tuple[int, PhaseText]]:
    found: list[tuple[int, PhaseText]] = []
    for line, cells in _rows(folder / PHASES, "id", "chinese", "english", "first", "last"):
        phase = PhaseText(*cells)
        number = len(found) + 1
        if not _PHASE_ID.fullmatch(phase.id) or phase.number != number:
            raise TextError(f"{PHASES}:{line}: {phase.id!r} must begin with its number in order, {number:02}-")
        found.append((line, phase))
    return found


def _objects(text: str) -> Iterator[tuple[int, int]]:
    """Where each object of a JSON list of objects begins and ends."""
    decoder = json.JSONDecoder()

    def expect(at: int, *marks: str) -> int:
        match = _SPACE.match(text, at)
        at = match.end() if match else at
        if not text.startswith(marks, at):
            raise TextError(
                f"{PATCHES}:{_line(text, at)}: {' or '.join(marks)} expected; the file is a JSON list of patches"
            )
        return at

    at = expect(expect(0, "[") + 1, "{", "]")
    while text[at] != "]":
        try:
            end = decoder.raw_decode(text, at)[1]
        except json.JSONDecodeError as error:
            raise TextError(f"{PATCHES}:{error.lineno}: not JSON ({error.msg}); check quotes and commas") from None
        yield at, end
        at = expect(end, ",", "]")
        if text[at] == ",":
            at = expect(at + 1, "{")


def _key(text: str, start: int, end: int, name: str) -> int:
    """Where a key stands in the source of an object."""
    match = re.compile(rf'(?<!\\)"{name}"\s*:').search(text, start, end)
    return match.start() if match else start


def _line(text: str, at: int) -> int:
    return text.count("\n", 0, at) + 1


# The proof


def _prove_phases(phases: list[tuple[int, PhaseText]], clauses: list[Clause]) -> list[str]:
    problems = []
    for line, phase in phases:
        own = [c.id for c in clauses if c.phase_number == phase.number] or ["none", "none"]
        if (phase.first, phase.last) != (own[0], own[-1]):
            problems.append(
                f"{PHASES}:{line}: {phase.id} is given as {phase.first} to {phase.last}, "
                f"in {READING} it is {own[0]} to {own[-1]}; correct whichever is wrong"
            )
    if stray := [c.id for c in clauses if not 1 <= c.phase_number <= len(phases)]:
        problems.append(f"{PHASES}:{len(phases) + 1}: clause {stray[0]} belongs to no section; add the section")
    return problems


@dataclass(frozen=True, slots=True)
class _Edit:
    """A patch found at ``at`` in the base; what it really changes is ``base[start:end]``, read as ``new``."""

    patch: Patch
    at: int
    start: int
    end: int
    new: str


@dataclass(frozen=True, slots=True)
class _Patched:
    """The base with patches applied: its text, and for each character the offset in the base that it comes from."""

    text: str
    origin: list[int]


def _place(base: str, patches: list[Patch]) -> tuple[list[str], list[_Edit]]:
    """What keeps patches from applying, and where the others apply, in the order of the base."""
    problems: list[str] = []
    edits: list[_Edit] = []
    for patch in patches:
        count = base.count(patch.old)
        if count != 1:
            problems.append(
                f"{PATCHES}:{patch.old_line}: patch {patch.id} needs its from once in {BASE}:1, "
                f"it is there {count} times; correct from, or restore the base"
            )
            continue
        at, old, new = base.index(patch.old), patch.old, patch.new
        head = _shared(old, new)
        tail = _shared(old[head:][::-1], new[head:][::-1])
        edits.append(_Edit(patch, at, at + head, at + len(old) - tail, new[head : len(new) - tail]))
    edits.sort(key=lambda e: (e.start, e.end))
    apart: list[_Edit] = []
    for edit in edits:
        if apart and (edit.start < apart[-1].end or edit.start == apart[-1].start):
            other = apart[-1].patch
            problems.append(
                f"{PATCHES}:{edit.patch.old_line}: patch {edit.patch.id} changes what patch {other.id} "
                f"({PATCHES}:{other.old_line}) changes; make them one"
            )
        else:
            apart.append(edit)
    return problems, apart


def _apply(base: str, edits: list[_Edit]) -> _Patched:
    """The base with edits applied, without title, spaces and the last 「．」."""
    pieces: list[tuple[str, int]] = []
    at = len(TITLE) if base.startswith(TITLE) else 0
    for edit in edits:
        pieces += [(base[i], i) for i in range(at, edit.start)]
        pieces += [(character, edit.start) for character in edit.new]
        at = edit.end
    pieces += [(base[i], i) for i in range(at, len(base))]
    pieces = [p for p in pieces if not p[0].isspace()]
    if pieces and pieces[-1][0] == STOP:
        pieces.pop()
    return _Patched("".join(c for c, _ in pieces), [i for _, i in pieces])


def _shared(a: str, b: str) -> int:
    """How many characters two texts have in common at their beginning."""
    return next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))


def _compare(patched: _Patched, edits: list[_Edit], clauses: list[tuple[int, Clause]]) -> list[str]:
    """One problem for each stretch of clauses that base and reading have otherwise."""
    mine, theirs = patched.text.split(STOP), [c.text for _, c in clauses]
    if mine == theirs:
        return []
    if not patched.origin:
        return [f"{BASE}:1: has no text; restore the base"]
    offsets = [0]
    for words in mine:
        offsets.append(offsets[-1] + len(words) + len(STOP))
    problems = []
    for tag, i, i_end, j, j_end in difflib.SequenceMatcher(None, mine, theirs, autojunk=False).get_opcodes():
        if tag == "equal":
            continue
        given, read = STOP.join(mine[i:i_end]), STOP.join(theirs[j:j_end])
        differ = offsets[i] + _shared(given, read)
        first, at = (patched.origin[min(k, len(patched.origin) - 1)] for k in (offsets[i], differ))
        near = [e.patch for e in edits if e.at <= at and first <= e.at + len(e.patch.old)]
        patches = " and ".join(f"patch {p.id} ({PATCHES}:{p.new_line})" for p in near)
        line = clauses[j][0] if j < len(clauses) else len(clauses) + 2
        problems.append(
            f"{READING}:{line}: reads 「{read}」, but {BASE}:1 (character {at + 1})"
            f"{' with ' + patches if patches else ''} gives 「{given}」; correct whichever is wrong"
        )
    return problems


def _check_sections(patched: _Patched, edits: list[_Edit], clauses: list[Clause]) -> list[str]:
    """Patches that change another section than theirs. The text must have been found equal before."""
    section = [c.phase_number for c in clauses for _ in range(len(c.text) + len(STOP))]
    by_origin: dict[int, int] = {}
    for number, at in zip(section, patched.origin, strict=False):
        by_origin.setdefault(at, number)
    problems = []
    for edit in edits:
        changed = range(edit.start, max(edit.start + 1, edit.end))
        found = {by_origin[at] for at in changed if at in by_origin} or {by_origin.get(edit.start - 1, 0)}
        if found != {edit.patch.phase}:
            problems.append(
                f"{PATCHES}:{edit.patch.old_line}: patch {edit.patch.id} is given for P{edit.patch.phase:02} "
                f"but stands in {' and '.join(f'P{n:02}' for n in sorted(found))}; correct its phase"
            )
    return problems
