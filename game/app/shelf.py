"""The saved sessions, as the title screen lists them: what each is, or that it is broken and where."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from game.clean import clean
from game.paths import saves_dir
from game.session.journal import JournalError, read_journal
from game.session.parts import check_parts

SHOWN = 60


@dataclass(frozen=True)
class Volume:
    """One saved session: ``broken`` says what is wrong with the file; ``over`` whether it was played to its end."""

    path: Path
    title: str
    over: bool = False
    broken: str = ""


def volumes(folder: Path | None = None) -> list[Volume]:
    """The newest saved sessions, newest first. A file that cannot be read is listed as broken and blocks nothing."""
    folder = folder or saves_dir()
    try:
        paths = sorted((p for p in folder.iterdir() if p.suffix == ".jsonl"), key=lambda p: p.name, reverse=True)
    except OSError:
        return []
    return [_shown(_volume(path)) for path in paths[:SHOWN]]


def _shown(volume: Volume) -> Volume:
    """Names and values are from outside."""
    return replace(volume, title=clean(volume.title), broken=clean(volume.broken))


def _volume(path: Path) -> Volume:
    try:
        lines = read_journal(path).lines
        check_parts(path, (x for x in lines if x["t"] == "phase"))
    except JournalError as error:
        return Volume(path, path.name, broken=str(error).removeprefix(str(path)).lstrip(": "))
    header = lines[0]
    players = " ".join(f"{p} {level}" for p, level in header["players"].items()) or "-"
    phase = next((x["phase"] for x in reversed(lines) if x["t"] == "phase"), header["from"])
    over = lines[-1]["t"] == "end" and lines[-1].get("why") == "卒"
    stamp = str(header.get("started") or "")[:16].replace("T", " ")
    return Volume(path, f"{players}  {phase}  n {lines[-1]['n']}  {stamp}", over)
