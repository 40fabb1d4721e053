"""Every key on every screen does something or says something, and none breaks anything."""

from __future__ import annotations

import string
from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest

from game.app.app import Start
from game.app.cards import Card
from game.app.replay import ReplayScreen
from game.app.rite import RiteScreen
from game.app.setup import SetupScreen
from game.app.title import TitleScreen
from game.rite.book import Book
from game.session.replay import verify
from tests.app.conftest import Make
from tests.app.hands import P05, Hand, kept, opened, playing, press, rite, rows, settled, take_turns
from tests.session.careless import played

PRINTABLE = [c for c in string.printable if c.isprintable() and c != " "]
NAMED = [
    "space", "tab", "shift+tab", "enter", "escape", "backspace", "delete", "insert", "home", "end", "pageup",
    "pagedown", "up", "down", "left", "right", "f1", "f5", "f12", "ctrl+a", "ctrl+f", "ctrl+o", "ctrl+p", "ctrl+r",
    "ctrl+s", "ctrl+x", "ctrl+z", "shift+up", "alt+x", "é", "ａ", "９", "中", "²", "፩", "٣", "🏹",
]  # fmt: skip
"""Ctrl+C and Ctrl+Q leave at once."""
FEW = [
    "a", "c", "m", "v", "w", "z", "A", "?", "[", "~", "space", "tab", "delete", "home", "end", "pageup", "left", "f1",
    "ctrl+s", "中", "፩",
]  # fmt: skip
"""For screens that have few keys."""


def state(pilot: Hand) -> tuple[object, ...]:
    """Whatever a key may have changed."""
    top = pilot.app.screen
    palette = rite(pilot).palette if any(isinstance(s, RiteScreen) for s in pilot.app.screen_stack) else None
    own = (palette.chosen, palette.act, rite(pilot).session.journal.next) if palette else ()
    return (tuple(rows(pilot)), id(top), pilot.app.current_theme.name, own)


async def answered(pilot: Hand, keys: Sequence[str], home: type[object], silence: str) -> list[str]:
    """Keys that neither did nor said anything. After each the ``silence`` key clears what was said."""
    dead = []
    for key in keys:
        if silence:
            await press(pilot, silence)
        await settled(pilot, 1)
        before = state(pilot)
        await press(pilot, key)
        await settled(pilot, 1)
        if state(pilot) == before:
            dead.append(key)
        for _ in range(3):
            if isinstance(pilot.app.screen, home):
                break
            await press(pilot, "escape")
    return dead


async def test_title(make: Make) -> None:
    async with opened(make()) as pilot:
        dead = await answered(pilot, [k for k in FEW if k != "home"], TitleScreen, "e")
        assert dead == []
        assert pilot.app.is_running


async def test_setting_up(make: Make) -> None:
    async with opened(make()) as pilot:
        await press(pilot, "l")
        dead = await answered(pilot, FEW, SetupScreen, "")
        assert isinstance(pilot.app.screen, SetupScreen)
        assert [k for k in dead if not _same_twice(k)] == []


def _same_twice(key: str) -> bool:
    """The row that a digit chooses may be chosen already; a second dead key says what the first said."""
    return key.isdigit() or not key.isascii()


async def test_rite(make: Make) -> None:
    async with opened(make(playing(P05))) as pilot:
        screen = rite(pilot)
        dead = []
        for key in [k for k in (*string.ascii_lowercase, *"0123A!-+=;,.[]?", *NAMED[::2]) if k != "q"]:
            screen.say("")
            dead += await answered(pilot, [key], RiteScreen, "")
            if screen.typed.has_focus:
                screen.close_line()
        assert dead == []


async def test_rite_while_the_others_act(make: Make) -> None:
    async with opened(make(playing(P05))) as pilot:
        screen = rite(pilot)
        screen.paused = True
        for key in ("1", "enter", "g", "d", "x", "h", "tab", "0", "f", "z"):
            for _ in range(3):
                if not screen.waiting:
                    await press(pilot, "d")
            screen.say("")
            assert await answered(pilot, [key], RiteScreen, "") == []


async def test_replay(make: Make, tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_bytes(played().data)
    async with opened(make(Start("replay", path=path, at=50))) as pilot:
        dead = await answered(pilot, FEW, ReplayScreen, "b")
        assert dead == []


async def test_typed_line(make: Make) -> None:
    async with opened(make(playing(P05, level="君子"))) as pilot:
        screen = rite(pilot)
        for key in [*PRINTABLE[::4], *NAMED]:
            if key in ("enter", "escape"):
                continue
            before = screen.typed.value, screen.typed.cursor_position
            await press(pilot, key)
            if len(key) == 1 and key < "\uffff":
                assert (screen.typed.value, screen.typed.cursor_position) != before, key
            assert isinstance(pilot.app.screen, RiteScreen)
            if not screen.typed.has_focus:
                screen.open_line()
                await settled(pilot, 1)
            if len(screen.typed.value) > 20:
                screen.typed.value = ""


async def test_card_and_list(make: Make) -> None:
    async with opened(make(playing(P05))) as pilot:
        for card in ("?", "r"):
            await press(pilot, card)
            top = pilot.app.screen
            for key in ("z", "f1", "é", "tab", "home", "end", "up", "down", "pageup", "pagedown", "[", "space"):
                await press(pilot, key)
                assert pilot.app.screen is top, (card, key)
            await press(pilot, "escape")


# At random


@pytest.mark.parametrize(("level", "first"), [("士", "04-迎宾拜至"), ("君子", "21-三耦射")])
async def test_a_walk_at_random_never_fails_and_its_journal_verifies(
    make: Make, saves: Path, book: Book, level: str, first: str
) -> None:
    rng = Random(f"walk {level}")
    role = "宾" if first != "21-三耦射" else "次耦上射"
    common = ["enter"] * 8 + list("1234567") * 2 + list("dxgfft,.hjklyubn[]-+;") + ["tab", "up", "right", "escape"] * 2
    rare = list("wrpca?0ievmCz") + ["escape"] * 9 + ["space", "f1", "²", "中", "backspace", "down", "pagedown"]
    typed = ["揖", "兴", "发", "space", "enter", "tab", "escape", "拜", "主", "人", "东", "面"]
    async with opened(make(playing(first, role, level))) as pilot:
        for n in range(70):
            screen = rite(pilot)
            pool = typed if screen.typed.has_focus else common if rng.random() < 0.75 else rare
            await pilot.press(rng.choice(pool))
            if n % 50 == 25:
                await pilot.resize_terminal(*rng.choice(((60, 20), (120, 40), (80, 24))))
            if n % 50 == 30:
                await pilot.resize_terminal(80, 24)
            if n % 10 == 0:
                await pilot.click(offset=(rng.randrange(80), rng.randrange(24)))
        await settled(pilot)
        assert pilot.app.is_running and screen.session.journal.next > 12
    assert verify(book, kept(saves)).same


async def test_held_enter_is_never_stuck(make: Make) -> None:
    app = make(playing("01-戒宾", level="童子"))
    async with opened(app) as pilot:
        screen = rite(pilot)
        await take_turns(pilot, "enter", lambda: screen.session.ended and isinstance(app.screen, Card))
        await press(pilot, *("enter", "f") * 4)
        assert app.is_running
