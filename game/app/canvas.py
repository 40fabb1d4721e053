"""Cells to draw on, where a Chinese graph takes two."""

from __future__ import annotations

from dataclasses import dataclass, field
from unicodedata import east_asian_width


def cells(text: str) -> int:
    """How many cells a text takes."""
    return sum(2 if east_asian_width(c) in "WF" else 1 for c in text)


@dataclass
class Canvas:
    """Cells with glyph, ink and ground. A graph of two cells leaves an empty string in the second."""

    width: int
    height: int
    glyph: list[list[str]] = field(default_factory=list)
    ink: list[list[str]] = field(default_factory=list)
    ground: list[list[str]] = field(default_factory=list)

    @classmethod
    def blank(cls, width: int, height: int, ground: str) -> Canvas:
        """A canvas of one ground."""
        return cls(
            width,
            height,
            [[" "] * width for _ in range(height)],
            [[""] * width for _ in range(height)],
            [[ground] * width for _ in range(height)],
        )

    def copy(self) -> Canvas:
        """A canvas that can be drawn on without touching this one."""
        return Canvas(
            self.width,
            self.height,
            [r.copy() for r in self.glyph],
            [r.copy() for r in self.ink],
            [r.copy() for r in self.ground],
        )

    def put(self, row: int, col: int, text: str, ink: str, ground: str = "") -> None:
        """Write a text; what is half covered is wiped out whole."""
        for c in text:
            size = cells(c)
            if not 0 <= col <= self.width - size:
                return
            for at in range(col, col + size):
                self._wipe(row, at)
                self.ink[row][at] = ink
                if ground:
                    self.ground[row][at] = ground
            self.glyph[row][col] = c
            if size == 2:
                self.glyph[row][col + 1] = ""
            col += size

    def _wipe(self, row: int, col: int) -> None:
        glyphs = self.glyph[row]
        if glyphs[col] == "":
            glyphs[col - 1] = " "
        elif col + 1 < self.width and glyphs[col + 1] == "":
            glyphs[col + 1] = " "
        glyphs[col] = " "

    def fill(self, row: int, cols: range, ground: str, glyph: str = " ") -> None:
        """Lay a ground, with the glyph that stands for it where there is no colour."""
        for col in cols:
            self.put(row, col, glyph, "fill" if glyph != " " else "", ground)
