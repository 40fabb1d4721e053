"""How the screens look, in both sizes and languages. After a wanted change: ``pytest tests/app --snapshot-update``."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from game.app.app import Start
from tests.app.conftest import Make
from tests.app.hands import NARROW, P05, P21, WIDE, Hand, playing, rite, settled
from tests.session.careless import played

Compare = Callable[..., bool]


async def _ready(pilot: Hand) -> None:
    """The others have acted; nothing moves any more."""
    await settled(pilot)
    rite(pilot).skip()
    await settled(pilot)


@pytest.mark.parametrize(("size", "lang"), [(NARROW, "zh"), (NARROW, "en")], ids=("zh", "en"))
def test_title(make: Make, snap_compare: Compare, size: tuple[int, int], lang: str) -> None:
    assert snap_compare(make(lang=lang), terminal_size=size)


@pytest.mark.parametrize(
    ("size", "lang"),
    [(NARROW, "zh"), (NARROW, "en"), (WIDE, "zh"), (WIDE, "en")],
    ids=("zh", "en", "zh-wide", "en-wide"),
)
def test_feast(make: Make, snap_compare: Compare, size: tuple[int, int], lang: str) -> None:
    async def chosen(pilot: Hand) -> None:
        await _ready(pilot)
        await pilot.press("2", "2", "g", "2", "u")
        await settled(pilot)

    assert snap_compare(make(playing(P05), lang), run_before=chosen, terminal_size=size)


@pytest.mark.parametrize(("size", "lang"), [(NARROW, "zh"), (WIDE, "en")], ids=("zh", "en-wide"))
def test_shooting(make: Make, snap_compare: Compare, size: tuple[int, int], lang: str) -> None:
    start = playing(P21, "司射", "童子")
    assert snap_compare(make(start, lang), run_before=_ready, terminal_size=size)


@pytest.mark.parametrize(("size", "lang"), [(NARROW, "zh"), (WIDE, "en")], ids=("zh", "en-wide"))
def test_replay(make: Make, tmp_path: Path, snap_compare: Compare, size: tuple[int, int], lang: str) -> None:
    path = tmp_path / "careless.jsonl"
    path.write_bytes(played().data)
    assert snap_compare(make(Start("replay", path=path, at=61), lang), run_before=settled, terminal_size=size)
