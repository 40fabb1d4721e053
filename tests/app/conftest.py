"""A home of its own for every test, so that nobody's saves, settings or language come in."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from game.app.app import Start, XiangsheApp
from game.rite.book import Book
from tests.builders import the_book

Make = Callable[..., XiangsheApp]


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty home."""
    for name in ("HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"):
        monkeypatch.setenv(name, str(tmp_path / "home"))
    for name in ("LANG", "LC_ALL", "LC_MESSAGES", "LANGUAGE", "NO_COLOR", "TEXTUAL"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path / "home"


@pytest.fixture
def book() -> Book:
    """The data that ship with the game, read once."""
    return the_book()


@pytest.fixture
def saves(tmp_path: Path) -> Path:
    """Where sessions are saved."""
    folder = tmp_path / "saves"
    folder.mkdir()
    return folder


@pytest.fixture
def make(book: Book, saves: Path) -> Make:
    """Makes an app: ``make(start)``, in Chinese unless ``lang`` says otherwise."""

    def build(start: Start | None = None, lang: str = "zh") -> XiangsheApp:
        return XiangsheApp(book, start, lang, saves)

    return build
