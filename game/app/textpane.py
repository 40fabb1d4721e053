"""The base text of the phase, the clause last enacted lit and in view; what is to come is rolled up."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

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


class Laid(NamedTuple):
    """The text set in lines, the first line in view, and of each clause whether it has been enacted."""

    lines: list[list[Piece]]
    top: int
    past: list[bool]


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
        self.enacted: set[str] = set()
        """The clauses enacted so far."""
        self.performed: Collection[str] = ()
        """The clauses that some step performs; what stands between two of them is read with the one before."""
        self.open_ahead = False
        """Whether what is to come may be read."""
        self._laid: Laid | None = None
        """The text as it was last laid out; None when anything has changed since."""

    def open(
        self, clauses: Iterable[Clause], ahead: bool, performed: Collection[str], enacted: Iterable[str] = ()
    ) -> None:
        """Begin a phase, or go on with one of which some clauses have been enacted."""
        self.clauses, self.open_ahead, self.performed = list(clauses), ahead, performed
        self.lit, self.enacted = set(), set(enacted)
        self._redraw()

    def light(self, ids: Iterable[str]) -> None:
        """Light the clauses just enacted."""
        wanted = set(ids)
        here = {c.id for c in self.clauses if c.id in wanted}
        if here:
            self.lit = here
            self.enacted |= here
            self._redraw()

    def close(self) -> None:
        """The phase is over: all of it may be read."""
        self.enacted.update(c.id for c in self.clauses)
        self._redraw()

    def past(self) -> list[bool]:
        """Of each clause, whether it has been enacted; one that nobody performs goes with the one before it."""
        found: list[bool] = []
        for clause in self.clauses:
            before = found[-1] if found else bool(self.enacted)
            found.append(clause.id in self.enacted or (before and clause.id not in self.performed))
        return found

    def readable(self) -> list[Clause]:
        """The clauses that may be read."""
        return [c for c, past in zip(self.clauses, self.past(), strict=True) if past or self.open_ahead]

    def _redraw(self) -> None:
        self._laid = None
        self.refresh()

    def on_resize(self) -> None:
        """Another width, other lines."""
        self._laid = None

    def _lines(self) -> Laid:
        if self._laid is None:
            self._laid = self._set()
        return self._laid

    def _set(self) -> Laid:
        past = self.past()
        texts = [
            c.text if self.open_ahead or p else _ROLLED * max(1, cell_len(c.text))
            for c, p in zip(self.clauses, past, strict=True)
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
        return Laid(lines, max(0, min(at - self.size.height // 2, len(lines) - self.size.height)), past)

    def render_line(self, y: int) -> Strip:
        """One line of the pane."""
        light = not self.app.current_theme.dark
        panel = style("panel", light)
        lines, top, past = self._lines()
        n = top + y
        segments = [Segment(" ", panel)]
        for piece in lines[n] if n < len(lines) else []:
            clause = self.clauses[piece.clause] if piece.clause >= 0 else None
            look = panel
            if clause is not None and clause.id in self.lit:
                look = style("lit", light)
            elif clause is not None and self.open_ahead and not past[piece.clause]:
                look = panel + style("ink", light)
            segments.append(Segment(piece.text, look))
        return Strip(segments).adjust_cell_length(self.size.width, panel)

    def on_click(self, event: events.Click) -> None:
        """A click on a clause."""
        lines, top, past = self._lines()
        n, cell = top + event.y, 1
        for piece in lines[n] if n < len(lines) else []:
            cell += cell_len(piece.text)
            if event.x < cell:
                if piece.clause >= 0 and (self.open_ahead or past[piece.clause]):
                    self.post_message(self.Chosen(self.clauses[piece.clause]))
                return
