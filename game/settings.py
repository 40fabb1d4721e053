"""What a user chose the last time. Losing it costs nothing: what cannot be read or written is let go."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from typing import Any

from game.paths import user_data


def _path() -> Path:
    return user_data() / "chosen.json"


def read() -> dict[str, Any]:
    """Name of a form → what was chosen there."""
    try:
        found = json.loads(_path().read_text("utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def chosen(name: str, key: str) -> str:
    """What was chosen in a form as text; empty if nothing."""
    form = read().get(name)
    value = form.get(key) if isinstance(form, dict) else None
    return value if isinstance(value, str) else ""


def keep(name: str, chosen: dict[str, str | int]) -> None:
    """Keep what was chosen; the file is replaced whole."""
    path = _path()
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        fresh = path.with_suffix(".new")
        fresh.write_text(json.dumps({**read(), name: chosen}, ensure_ascii=False, indent=1), "utf-8")
        fresh.replace(path)
