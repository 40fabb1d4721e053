"""What a saved line must have so that it can be shown as it was saved, without the rules."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from game.session.journal import JournalError

_PARTS: dict[str, dict[str, type | tuple[type, ...]]] = {
    "session": {"scenario": dict, "players": dict, "from": str, "to": str},
    "phase": {"phase": str, "edge": str, "state": dict},
    "happening": {"what": str},
    "become": {"person": str, "office": str},
    "act": {"person": str, "verb": str, "verdict": dict},
    "attempt": {"person": str, "verb": str, "verdict": dict},
    "omission": {"person": str, "step": str, "verdict": dict},
    "undo": {"to": int},
    "shot": {"person": str, "arrow": int, "struck": str},
    "tally": {"right": int, "left": int, "ahead": str},
    "score": {"persons": dict},
}  # fmt: skip
_SAID = {"actor": str, "at": str, "facing": str, "object": str, "speech": str, "times": int, "zh": str}
"""What may be left out or null, but not something else."""
_VERDICT: dict[str, type] = {"grade": str, "faults": list}
_FAULT: dict[str, type] = {"kind": str, "rule": str, "expected": object, "got": object, "clauses": list}


def check_parts(path: Path, lines: Iterable[Mapping[str, Any]]) -> None:
    """What it takes to show lines as they were saved, without running them again. JournalError if one lacks it."""

    def need(line: Mapping[str, Any], record: Any, parts: Mapping[str, Any]) -> None:
        for key, kind in parts.items():
            value = record.get(key) if isinstance(record, dict) else None
            if (kind is not object and (not isinstance(value, kind) or isinstance(value, bool))) or key not in record:
                where = f"{path}:{line['n'] + 1}"
                raise JournalError(
                    f"{where}: the {line['t']} line has no {key} that can be read; see a copy of the file"
                )

    for line in lines:
        if line["t"] not in _PARTS:
            continue
        need(line, line, _PARTS[line["t"]])
        need(line, line, {key: kind for key, kind in _SAID.items() if line.get(key) is not None})
        for key in ("to", "clauses"):
            values = line.get(key)
            if line["t"] in ("act", "attempt") and values is not None:
                need(line, {key: values} if _texts(values) else {}, {key: list})
        if "verdict" in _PARTS[line["t"]]:
            refused = "code" in line["verdict"]
            need(line, line["verdict"], {"code": str} if refused else _VERDICT)
            for fault in () if refused else line["verdict"]["faults"]:
                need(line, fault, _FAULT)
        elif line["t"] == "undo" and not 0 < line["to"] < line["n"]:
            need(line, {}, {"to": int})


def _texts(values: object) -> bool:
    return isinstance(values, list) and all(isinstance(v, str) for v in values)
