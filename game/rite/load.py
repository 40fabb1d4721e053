"""Phase files → the raw choreography: every record checked, every id known by its place."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from game.rite.schema import BODIES, PhaseSpec, check_step, convert
from game.rite.yaml_cache import load_cached
from game.rite.yaml_strict import DataError, Record


@dataclass(frozen=True)
class RawPhase:
    """One phase file, checked but not yet resolved for a scenario."""

    spec: PhaseSpec
    record: Record


@dataclass(frozen=True)
class RawRite:
    """All phase files, and every step record by its id."""

    phases: Mapping[str, RawPhase]
    records: Mapping[str, Record]


def load_rite(folder: Path) -> RawRite:
    """Read ``data/rite/*.yaml``. DataError names file, line and remedy."""
    phases: dict[str, RawPhase] = {}
    records: dict[str, Record] = {}
    for path in sorted(folder.glob("*.yaml")):
        record = load_cached(path)
        if not isinstance(record, Record):
            raise DataError(f"{path.name}:1: must be a mapping with phase and steps")
        spec = convert(record, PhaseSpec)
        if spec.phase in phases:
            raise DataError(f"{record.where}: phase {spec.phase} stands in two files; remove one")
        for step in spec.steps:
            check_step(step)
            _index(step, records)
        phases[spec.phase] = RawPhase(spec, record)
    return RawRite(phases, records)


def _index(record: Record, records: dict[str, Record]) -> None:
    if step := record.get("id"):
        if step in records:
            raise DataError(f"{record.where}: id {step} is taken at {records[step].where}; choose another")
        records[step] = record
    for body in BODIES:
        for child in record.get(body, []) if isinstance(record.get(body), list) else []:
            _index(child, records)


def digest(folder: Path) -> str:
    """SHA-256 (first 16 hex digits) over all that decides how a session goes: text, rite, vocabulary, faults, rules."""
    total = hashlib.sha256()
    for part in ("text", "rite", "vocabulary"):
        for path in sorted((folder / part).glob("*")):
            total.update(path.name.encode())
            total.update(hashlib.sha256(path.read_bytes()).digest())
    for name in ("faults.yaml", "rules.yaml"):
        if (folder / name).exists():
            total.update(hashlib.sha256((folder / name).read_bytes()).digest())
    return total.hexdigest()[:16]
