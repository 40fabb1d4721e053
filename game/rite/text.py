"""The base text as printed, its patches, and the reading text in clauses; standard library only."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

STOP = "．"

@dataclass(frozen=True)
class Clause:
    """One clause of the reading text: P05.011, 宾进东北面辞洗."""

    id: str
    text: str

    @property
    def phase_number(self) -> int:
        """The number of the section it belongs to."""
        return int(self.id[1:3])


@dataclass(frozen=True)
class PhaseText:
    """One of the 55 sections, with its first and last clause."""

    id: str
    chinese: str
    english: str
    first: str
    last: str

    @property
    def number(self) -> int:
        """Its place in the text, from 1."""
        return int(self.id.split("-")[0])


def _rows(path: Path) -> list[list[str]]:
    return [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines()[1:]]


def load_clauses(folder: Path) -> dict[str, Clause]:
    """Clauses by id, in the order of the text."""
    return {row[0]: Clause(*row[:2]) for row in _rows(folder / "reading.tsv")}


def load_phases(folder: Path) -> dict[str, PhaseText]:
    """Sections by id, in the order of the text."""
    return {row[0]: PhaseText(*row[:5]) for row in _rows(folder / "phases.tsv")}


def prove(folder: Path) -> list[str]:
    """Prove base + patches = reading, character for character. Empty if it is so, else lines naming file and line."""
    base = (folder / "base.txt").read_text(encoding="utf-8").strip()
    raw = (folder / "patches.json").read_text(encoding="utf-8")
    try:
        patches: list[dict[str, Any]] = json.loads(raw)
    except ValueError as error:
        return [f"patches.json: not readable as JSON ({error})"]
    problems = []
    for patch in patches:
        line = raw[: max(0, raw.find(f'"id": "{patch["id"]}"'))].count("\n") + 1
        found = base.count(patch["from"])
        if found != 1:
            problems.append(f"patches.json:{line}: 'from' of {patch['id']} stands {found} times in base.txt; it must stand once")
    if problems:
        return problems
    text = base
    for patch in patches:
        text = text.replace(patch["from"], patch["to"], 1)
    text = text.replace(" ", "")
    reading = STOP.join(clause.text for clause in load_clauses(folder).values()) + STOP
    if text == reading:
        return []
    at = next((i for i, (a, b) in enumerate(zip(text, reading, strict=False)) if a != b), min(len(text), len(reading)))
    clause_line = reading[:at].count(STOP) + 2
    return [
        f"reading.tsv:{clause_line}: «{reading[max(0, at - 6) : at + 8]}» but base and patches give «{text[max(0, at - 6) : at + 8]}»; "
        "mend the reading, or add a patch"
    ]

