from __future__ import annotations
from dataclasses import dataclass
from pathlib import Path
@dataclass(frozen=True)
class Clause:
    id: str
    text: str
@dataclass(frozen=True)
class PhaseText:
    id: str
    chinese: str
    english: str
    first: str
    last: str
def load_clauses(folder: Path) -> dict[str, Clause]:
    return {a: Clause(a,b) for a,b in (l.split("\t") for l in (folder/"reading.tsv").read_text().splitlines()[1:])}
def load_phases(folder: Path) -> dict[str, PhaseText]:
    return {l.split("\t")[0]: PhaseText(*l.split("\t")) for l in (folder/"phases.tsv").read_text().splitlines()[1:]}
