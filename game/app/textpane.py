"""The base text of the phase, the clause last enacted lit and in view; what is to come is rolled up."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rich.cells import cell_len
from rich.segment import Segment
from textual import events
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from game.app.theme import style
from game.rite.text import Clause

_ROLLED = "·"


@dataclass(frozen=True)
class Piece:
    """Part of a clause on one line."""

    text: str
    clause: int
    """Position of the clause among those shown."""


def laid_out(texts: Sequence[str], width: int) -> list[list[Piece]]:
    """Clauses set in lines of at most ``width`` cells, a space between two; a long clause is broken between graphs."""
    lines: list[list[Piece]] = [[]]
    used = 0
    for number, text in enumerate(texts):
        room = width - used - (1 if used else 0)
        if cell_len(text) > room and cell_len(text) <= width:
            lines.append([])
            used = 0
        elif used:
            lines[-1].append(Piece(" ", -1))
            used += 1
        piece = ""
        for graph in text:
            if used + cell_len(piece + graph) > width:
                lines[-1].append(Piece(piece, number))
                lines.append([])
                piece, used = "", 0
            piece += graph
        lines[-1].append(Piece(piece, number))
        used += cell_len(piece)
    return lines


class TextPane(Widget):
    """The running text of one phase."""

    DEFAULT_CSS = "TextPane { background: $panel; }"

    class Chosen(Message):
        """A clause was clicked."""

        def __init__(self, clause: Clause) -> None:
            self.clause = clause
            super().__init__()

    def __init__(self, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self.clauses: list[Clause] = []
        self.lit: set[str] = set()
        self.reached = -1
        """The furthest clause enacted so far."""
        self.open_ahead = False
        """Whether what is to come may be read."""

    def open(self, clauses: Iterable[Clause], ahead: bool) -> None:
        """Begin a phase."""
        self.clauses, self.lit, self.reached, self.open_ahead = list(clauses), set(), -1, ahead
        self.refresh()

    def light(self, ids: Iterable[str]) -> None:
        """Light the clauses just enacted."""
        here = [i for i, c in enumerate(self.clauses) if c.id in set(ids)]
        if here:
            self.lit = {self.clauses[i].id for i in here}
            self.reached = max(self.reached, *here)
            self.refresh()

    def _lines(self) -> tuple[list[list[Piece]], int]:
        """The lines, and the one that should be in view."""
        texts = [
            c.text if self.open_ahead or i <= self.reached else _ROLLED * max(1, cell_len(c.text))
            for i, c in enumerate(self.clauses)
        ]
        lines = laid_out(texts, max(2, self.size.width - 2)) if texts else [[]]
        at = next(
            (
                n
                for n, line in enumerate(lines)
                for p in line
                if p.clause >= 0 and self.clauses[p.clause].id in self.lit
            ),
            0,
        )
        return lines, at

    @property
    def _top(self) -> int:
        lines, at = self._lines()
        return max(0, min(at - self.size.height // 2, len(lines) - self.size.height))

    def render_line(self, y: int) -> Strip:
        """One line of the pane."""
        light = not self.app.current_theme.dark
        panel = style("panel", light)
        lines, _ = self._lines()
        n = self._top + y
        segments = [Segment(" ", panel)]
        for piece in lines[n] if n < len(lines) else []:
            clause = self.clauses[piece.clause] if piece.clause >= 0 else None
            look = panel
            if clause is not None and clause.id in self.lit:
                look = style("lit", light)
            elif clause is not None and piece.clause > self.reached and self.open_ahead:
                look = panel + style("ink", light)
            segments.append(Segment(piece.text, look))
        return Strip(segments).adjust_cell_length(self.size.width, panel)

    def on_click(self, event: events.Click) -> None:
        """A click on a clause."""
        lines, _ = self._lines()
        n, cell = self._top + event.y, 1
        for piece in lines[n] if n < len(lines) else []:
            cell += cell_len(piece.text)
            if event.x < cell:
                if piece.clause >= 0 and (self.open_ahead or piece.clause <= self.reached):
                    self.post_message(self.Chosen(self.clauses[piece.clause]))
                return
