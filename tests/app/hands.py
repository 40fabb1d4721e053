"""Hands and eyes for tests of the screen: open it, press, click, read what stands on it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from textual.pilot import Pilot
from textual.widgets import Static

from game.app.app import Start, XiangsheApp
from game.app.rite import RiteScreen
from game.session.journal import read_journal
from tests.builders import the_book

P01, P04, P05, P21 = "01-戒宾", "04-迎宾拜至", "05-主人献宾", "21-三耦射"
NARROW, WIDE = (80, 24), (120, 40)
Hand = Pilot[None]
Line = dict[str, Any]


def playing(
    first: str, role: str = "宾", level: str = "士", kind: str = "play", last: str = "", seed: int = 1
) -> Start:
    """What opens with a session of one phase, or of several."""
    return Start(kind, {role: level}, the_book().scenarios["常"], first, last or first, seed)


@asynccontextmanager
async def opened(app: XiangsheApp, size: tuple[int, int] = NARROW) -> AsyncIterator[Hand]:
    """The app at work; at a rite the others have acted, and it is the player's turn."""
    async with app.run_test(size=size) as pilot:
        await settled(pilot)
        for screen in app.screen_stack:
            if isinstance(screen, RiteScreen):
                screen.paused = True
                screen.skip()
                screen.paused = False
                screen.head()
        await settled(pilot)
        yield pilot


async def settled(pilot: Hand, times: int = 3) -> None:
    """Until everything asked for has been done and drawn."""
    for _ in range(times):
        await pilot.pause()


async def press(pilot: Hand, *keys: str) -> None:
    """Keys, one after the other."""
    await pilot.press(*keys)
    await pilot.pause()


async def click(pilot: Hand, selector: str, x: int, y: int) -> None:
    """A click on a cell of a widget."""
    await pilot.click(selector, offset=(x, y))
    await pilot.pause()


def rite(pilot: Hand) -> RiteScreen:
    """The rite screen, under whatever card lies over it."""
    return next(s for s in pilot.app.screen_stack if isinstance(s, RiteScreen))


def rows(pilot: Hand) -> list[str]:
    """What stands on the screen, row by row."""
    strips = pilot.app.screen._compositor.render_strips()
    return ["".join(segment.text for segment in strip) for strip in strips]


def seen(pilot: Hand) -> str:
    """What stands on the screen."""
    return "\n".join(rows(pilot))


def said(pilot: Hand, where: str = "#verdict") -> str:
    """The words of one line of the screen, such as the verdict."""
    for screen in reversed(pilot.app.screen_stack):
        for widget in screen.query(where).results(Static):
            return str(widget.content).strip()
    raise AssertionError(f"no {where}")


async def take_turns(pilot: Hand, key: str, over: Callable[[], bool], limit: int = 200) -> int:
    """Press one key until something holds; how often it took."""
    for n in range(limit):
        if over():
            return n
        await pilot.press(key)
    raise AssertionError(f"{key} {limit} times did not do it: {said(pilot)}")


def kept(folder: Path) -> Path:
    """The one session that is saved in a folder."""
    (path,) = folder.glob("*.jsonl")
    return path


def bare(path: Path) -> list[Line]:
    """The lines of a saved session without what tells one playing from another: when it began."""
    lines = read_journal(path).lines
    lines[0] = {**lines[0], "started": None}
    return [{k: v for k, v in line.items() if k != "h"} for line in lines]
