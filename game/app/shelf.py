"""The saved sessions, as the title screen lists them: what each is, or that it is broken and where."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from game.clean import clean
from game.paths import saves_dir
from game.session.journal import JournalError, read_ends
from game.session.parts import check_parts

SHOWN = 60


@dataclass(frozen=True)
class Volume:
    """One saved session: ``broken`` says what is wrong with the file; ``over`` whether it was played to its end.

    ``drill``: one phase practised. ``points``: of each player what he got of what could be had, if it is over.
    """

    path: Path
    players: Mapping[str, str] = field(default_factory=dict)
    phase: str = ""
    n: int = 0
    started: str = ""
    over: bool = False
    broken: str = ""
    drill: bool = False
    points: Mapping[str, str] = field(default_factory=dict)


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
    players = {clean(person): clean(level) for person, level in volume.players.items()}
    return replace(volume, players=players, phase=clean(volume.phase), broken=clean(volume.broken))


def _volume(path: Path) -> Volume:
    """Only the head and the tail of a file are read: what is wrong between is said when it is opened."""
    try:
        header, *lines = read_ends(path, "phase")
        phases = [x for x in lines if x["t"] == "phase"]
        check_parts(path, phases)
    except JournalError as error:
        return Volume(path, broken=str(error).removeprefix(str(path)).lstrip(": "))
    last = lines[-1] if lines else header
    over = last["t"] == "end" and last.get("why") == "卒"
    return Volume(
        path,
        header["players"],
        phases[-1]["phase"] if phases else header["from"],
        last["n"],
        str(header.get("started") or "")[:16].replace("T", " "),
        over,
        drill=header.get("drill") is True,
        points=_points(last) if over else {},
    )


def _points(end: Mapping[str, Any]) -> dict[str, str]:
    """What the last line says that the players got; nothing where it cannot be read."""
    from game.session.score import in_points

    totals = end.get("totals")
    found = {}
    for person, total in totals.items() if isinstance(totals, dict) else ():
        score = total.get("etiquette") if isinstance(total, dict) else None
        if isinstance(score, dict) and all(isinstance(score.get(k), int | float) for k in ("points", "of")):
            found[clean(str(person))] = in_points(score)
    return found
