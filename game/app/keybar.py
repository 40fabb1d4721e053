"""The line that says what the keys do; each can be clicked."""

from __future__ import annotations

import re
import unicodedata

from rich.cells import cell_len
from rich.text import Text
from textual import events
from textual.message import Message
from textual.widgets import Static

_NAMES = {
    "Enter": "enter",
    "Esc": "escape",
    "Tab": "tab",
    "回车": "enter",
    "右": "right",
    "左": "left",
    "下": "down",
    "上": "up",
}


def pressed(event: events.Key) -> str:
    """A key by its character or its name; what an input method made full-width is as it was meant."""
    key = event.character if event.character and event.is_printable else event.key
    return unicodedata.normalize("NFKC", key) if len(key) == 1 else key


class KeyBar(Static):
    """Keys and what they do, two spaces between two; the first word of each is its key."""

    class Pressed(Message):
        """A key was clicked."""

        def __init__(self, key: str) -> None:
            self.key = key
            super().__init__()

    def __init__(self, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self.told = ""

    def tell(self, text: str) -> None:
        """Say what the keys do, one or more lines."""
        self.told = text
        self.update(Text("\n".join(f" {line.strip()}" for line in text.splitlines()), no_wrap=True, overflow="crop"))

    def on_click(self, event: events.Click) -> None:
        """Press the key that was clicked, or whose word was."""
        lines = self.told.splitlines()
        at = 1
        for part in re.split("(  +)", lines[event.y].strip()) if event.y < len(lines) else []:
            at += cell_len(part)
            if event.x < at:
                key = part.split(" ")[0]
                if part.strip():
                    self.post_message(self.Pressed(_NAMES.get(key, key)))
                return
