"""Copies of the data folder, to be spoilt: a few phases, one scenario, one change."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from game.rite.book import Book
from game.session.check import Report, run_check
from tests.builders import DATA

P01, P02, P03, P04, P05 = "01-戒宾", "02-陈设", "03-速宾", "04-迎宾拜至", "05-主人献宾"


class Copy:
    """A data folder with a few phases and one scenario, to be spoilt."""

    def __init__(self, folder: Path, *phases: str) -> None:
        self.folder = folder / "data"
        shutil.copytree(DATA, self.folder, ignore=shutil.ignore_patterns("__pycache__"))
        for path in (self.folder / "rite").glob("*.yaml"):
            if path.stem not in phases:
                path.unlink()
        for path in (self.folder / "scenarios").glob("*.yaml"):
            if path.stem != "常":
                path.unlink()
        self._keep_general_rules(phases)

    def _keep_general_rules(self, phases: tuple[str, ...]) -> None:
        """Of the rule book only the general rules, with the examples in other phases told and not played."""
        path = self.folder / "rules.yaml"
        general = path.read_text(encoding="utf-8").partition("\n# §1 ")[0]
        kept = [
            line if any(f'phase: "{p}"' in line for p in phases) else re.sub(r"before: \S+, act: \{.*?\}, ", "", line)
            for line in general.splitlines(keepends=True)
        ]
        path.write_text("".join(kept) + "\n", encoding="utf-8")

    def spoil(self, name: str, old: str, new: str) -> str:
        """Replace the first ``old`` in a file; returns ``file:line`` of the place."""
        path = next(self.folder.rglob(f"{name}*"))
        text = path.read_text(encoding="utf-8")
        assert old in text, f"{path.name} has no {old}"
        path.write_text(text.replace(old, new, 1), encoding="utf-8")
        return f"{path.name}:{text[: text.index(old)].count(chr(10)) + 1}"

    def indent(self, name: str, step: str) -> str:
        """The space before the line of a step."""
        text = next(self.folder.rglob(f"{name}*")).read_text(encoding="utf-8")
        line = next(t for t in text.splitlines() if f"id: {step}," in t)
        return line[: len(line) - len(line.lstrip())]

    def check(self) -> Report:
        return run_check(Book(self.folder))

    def expect(self, where: str, *words: str) -> None:
        """The errors name this place, and say these words there."""
        errors = self.check().errors
        assert any(e.startswith(where + ": ") and all(w in e for w in words) for e in errors), (
            "\n".join(errors) or "no error"
        )


def after(phase: Copy, name: str, step: str, line: str) -> str:
    """Put a line after the line of a step; returns where it stands."""
    path = next(phase.folder.rglob(f"{name}*"))
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    n = next(i for i, text in enumerate(lines) if f"id: {step}," in text)
    lines.insert(n + 1, line)
    path.write_text("".join(lines), encoding="utf-8")
    return f"{path.name}:{n + 2}"


def next_line(where: str) -> str:
    file, _, line = where.rpartition(":")
    return f"{file}:{int(line) + 1}"
