"""Where the content and the saved sessions are, installed or in a checkout."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

_HERE = Path(__file__).resolve().parent


def data_dir() -> Path:
    """The read-only content: packed beside the program, or the checkout's ``data/``."""
    packed = _HERE / "_data"
    return packed if packed.is_dir() else _HERE.parent / "data"


def in_checkout() -> bool:
    """Whether the program runs from its own source tree."""
    return not (_HERE / "_data").is_dir() and (_HERE.parent / "pyproject.toml").is_file()


def user_data() -> Path:
    """The user's own folder for what the program keeps about him."""
    from platformdirs import user_data_path

    return user_data_path("xiangshe", appauthor=False)


def user_cache() -> Path:
    """The user's own folder for what can be made again."""
    from platformdirs import user_cache_path

    return user_cache_path("xiangshe", appauthor=False)


def saves_dir() -> Path:
    """Where sessions are saved: the checkout's ``saves/``, or the user's data folder."""
    return _HERE.parent / "saves" if in_checkout() else user_data() / "saves"


def new_save(label: str) -> Path:
    """A path for a new session that no file has yet. ``label`` is data: only its letters and digits are used."""
    safe = "".join(c if c.isalnum() or c == "-" else "_" for c in label)[:40] or "x"
    stamp = datetime.now().strftime("%Y%m%d-%H%M%S")
    folder, n = saves_dir(), 0
    while True:
        path = folder / f"{stamp}-{safe}{f'-{n}' if n else ''}.local.jsonl"
        if not path.exists():
            return path
        n += 1
