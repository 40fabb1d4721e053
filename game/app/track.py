"""The bar under a replay: phases, faults, and where one stands."""

from __future__ import annotations

from collections.abc import Sequence

from rich.segment import Segment
from textual import events
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from game.app.theme import style
from game.session.film import Frame


class Track(Widget):
    """One row: ``|`` a phase's edge, ``!`` a fault, ``o`` here, ``=`` seen."""

    DEFAULT_CSS = "Track { background: $surface; }"

    class Jumped(Message):
        """A place on the bar was clicked."""

        def __init__(self, at: int) -> None:
            self.at = at
            super().__init__()

    def __init__(self, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self.total = 1
        self.here = 0
        self.marks: list[tuple[int, str]] = []

    def load(self, frames: Sequence[Frame]) -> None:
        """The frames that the bar stands for."""
        self.total = max(1, len(frames))
        self.marks = []
        for i, frame in enumerate(frames):
            if frame.line["t"] == "phase" and frame.line["edge"] == "始":
                self.marks.append((i, "|"))
            elif (frame.line.get("verdict") or {}).get("faults"):
                self.marks.append((i, "!"))
        self.refresh()

    def stand(self, at: int) -> None:
        """Where one stands."""
        self.here = at
        self.refresh()

    def render_line(self, y: int) -> Strip:
        """The bar."""
        light = not self.app.current_theme.dark
        width = max(1, self.size.width)

        def cell(i: int) -> int:
            return min(width - 1, i * width // self.total)

        bar = ["=" if x <= cell(self.here) else "-" for x in range(width)]
        for i, mark in self.marks:
            if bar[cell(i)] != "!":
                bar[cell(i)] = mark
        bar[cell(self.here)] = "o"
        return Strip([Segment("".join(bar), style("panel", light) + style("gold", light))])

    def on_click(self, event: events.Click) -> None:
        """To that place."""
        self.post_message(self.Jumped(event.x * self.total // max(1, self.size.width)))
