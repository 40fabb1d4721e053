"""The ground of the site plan for each size and view: walls, steps, gate, target, and which cell is where.

Columns are true: x is linear. Rows are bands: each reaches down to the y written beside it, so that what the text
keeps apart (north of the basin, the basin, south of it) is kept apart here too. Nothing is judged by a cell.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from game.app.canvas import Canvas, cells
from game.core.vocabulary import Place

FEAST, SHOOTING, GATE = "feast", "shooting", "gate"

HALL, WEST, EAST, STEPS, COURT, LANE = "hall", "west", "east", "steps", "court", "lane"
ROOM, OUTSIDE, HOUSE, VILLAGE = "room", "outside", "house", "village"
"""Zones: parts of the ground that a person never leaves by being moved aside to make room."""

Cell = tuple[int, int]
"""Row and column."""
END = float("-inf")
Bands = tuple[tuple[float, int], ...]
"""(the southernmost y, the row), from north to south."""


@dataclass(frozen=True)
class Shape:
    """The measures of one size and view."""

    wide: bool
    view: str
    width: int
    height: int
    middle: float
    """The column of x = 0."""
    scale: float
    """Columns a 尺."""
    hall: Bands
    court: Bands
    edge: int
    """The row of the hall's front edge, with the steps."""
    gate: int | None = None
    lane: Bands = ()
    target: int = 0
    """The first row of the target, where it is drawn to its measures."""
    outside: Bands = ()
    house: int | None = None
    """The row within the guest's own gate; the gate and the lane before it follow."""


_NARROW = (48, 15, 24.0, 0.8)
_WIDE = (76, 28, 38.0, 1.2)

SHAPES: Mapping[tuple[bool, str], Shape] = {
    (s.wide, s.view): s
    for s in (
        Shape(
            False, FEAST, *_NARROW,
            hall=((17, 1), (15.5, 2), (9.5, 3), (5.5, 4), (END, 5)),
            edge=6,
            court=((-5, 7), (-16, 8), (-21, 9), (-28.5, 10), (-31.5, 11), (-60, 12), (END, 13)),
            gate=14,
        ),
        Shape(
            False, SHOOTING, *_NARROW,
            hall=((17, 1), (15.5, 2), (13, 3), (5.5, 4), (END, 5)),
            edge=6,
            court=((-16, 7), (-28.5, 8), (-31.5, 9), (-34.5, 10), (-41, 11), (END, 12)),
            lane=((END, 12),),
            target=13,
            outside=((END, 14),),
        ),
        Shape(
            False, GATE, *_NARROW,
            hall=((13, 1), (END, 2)),
            edge=3,
            court=((-16, 4), (-28.5, 5), (-60, 6), (-290, 7), (END, 8)),
            gate=9,
            outside=((END, 10),),
            house=12,
        ),
        Shape(
            True, FEAST, *_WIDE,
            hall=((17, 1), (15.5, 2), (13, 3), (9.5, 4), (8, 5), (5.5, 6), (4, 7), (END, 8)),
            edge=9,
            court=(
                (-5, 10), (-7, 11), (-16, 12), (-21, 15), (-25, 17), (-28.5, 18), (-31.5, 19), (-33.5, 20),
                (-60, 21), (-100, 23), (-290, 24), (END, 25),
            ),
            gate=26,
            outside=((END, 27),),
        ),
        Shape(
            True, SHOOTING, *_WIDE,
            hall=((17, 1), (15.5, 2), (13, 3), (8, 4), (5.5, 5), (4.5, 6), (END, 7)),
            edge=8,
            court=(
                (-5, 9), (-16, 10), (-21, 11), (-25, 12), (-28.5, 13), (-31.5, 14), (-33.5, 15), (-35, 16), (-37, 17),
                (-39, 18), (-41, 19), (END, 20),
            ),
            lane=((-200, 21), (END, 22)),
            target=23,
            gate=27,
        ),
        Shape(
            True, GATE, *_WIDE,
            hall=((17, 1), (15.5, 2), (13, 3), (8, 4), (5.5, 5), (END, 6)),
            edge=7,
            court=(
                (-5, 8), (-16, 9), (-25, 11), (-28.5, 12), (-31.5, 13), (-60, 14), (-200, 15), (-290, 16), (END, 17),
            ),
            gate=18,
            outside=((END, 20),),
            house=24,
        ),
    )
}  # fmt: skip


def view_of(phase: int, region: str = "") -> str:
    """The view for a phase, for one who is in that region."""
    if phase in (1, 3) or region in ("宾家", "门外"):
        return GATE
    return SHOOTING if 14 <= phase <= 44 else FEAST


class Caption(NamedTuple):
    """Something written on the ground; it gives way whole to whoever has to stand on a part of it."""

    row: int
    col: int
    beneath: tuple[tuple[str, str, str], ...]
    """Glyph, ink and ground of each cell without it."""

    def cells(self) -> Iterator[Cell]:
        """Each of its cells."""
        return ((self.row, self.col + n) for n in range(len(self.beneath)))

    def wipe(self, canvas: Canvas) -> None:
        """Take it away again."""
        for (row, col), (glyph, ink, ground) in zip(self.cells(), self.beneath, strict=True):
            canvas.glyph[row][col], canvas.ink[row][col], canvas.ground[row][col] = glyph, ink, ground


class Site:
    """One size and view: its empty ground, the zone of every cell, the cell of every place."""

    def __init__(self, shape: Shape) -> None:
        self.shape = shape
        self.canvas = Canvas.blank(shape.width, shape.height, "court")
        self.captions: list[Caption] = []
        self.pillars: set[Cell] = set()
        self.zone: list[list[str]] = [[""] * shape.width for _ in range(shape.height)]
        self.right = shape.width - 1
        """The last column, left free for the ruler."""
        self.walls = self.column(-18, 1), self.column(18, 1)
        self._hall()
        self._court()
        if shape.lane:
            self._lane()
        if shape.gate is not None:
            self._gate(shape.gate)
        if shape.house is not None:
            self._house(shape.house)
        self._slots: dict[tuple[str, int], tuple[tuple[int, int], ...]] = {}
        self.captioned = {cell for caption in self.captions for cell in caption.cells()}
        """Cells where something is written on the ground."""

    # Where

    def column(self, x: float, size: int = 2) -> int:
        """The first of the cells that something of this size at x takes."""
        s = self.shape
        col = int(s.middle + s.scale * x - size / 2 + 0.5) if s.middle + s.scale * x > size / 2 else 0
        return min(max(col, 0), s.width - 1 - size)

    def zone_of(self, place: Place) -> str:
        """The part of the ground that a place is in."""
        s = self.shape
        if place.region == "宾家" and s.house is not None:
            return HOUSE if place.x > 0 else VILLAGE
        if place.region in ("宾家", "门外"):
            return OUTSIDE
        if place.region == "房":
            return ROOM
        if place.level == "阶":
            return STEPS
        if place.level == "堂上":
            return HALL
        if place.y > -1:
            return WEST if place.x < 0 else EAST
        return LANE if s.lane and place.y < -100 else COURT

    def cell(self, place: Place) -> tuple[int, int]:
        """Row and first column of one who stands there."""
        s, zone = self.shape, self.zone_of(place)
        col = self.column(place.x)
        if zone == HALL:
            return _row(s.hall, place.y), col
        if zone in (WEST, EAST):
            # The row of the edge is that of the line south of those who wait there.
            return s.edge - (1 if place.y > 2 else 0), col
        if zone == STEPS:
            return s.edge, col
        if zone == ROOM:
            return 0, col
        if zone == LANE:
            # The inset is half scale across, as the target is drawn.
            return _row(s.lane, place.y), int(s.middle + 0.5 * place.x) - 1
        if zone == OUTSIDE:
            return (_row(s.outside, place.y) if s.outside else s.gate or 0), col
        if zone == HOUSE:
            return s.house or 0, col
        if zone == VILLAGE:
            return (s.house or 0) + (2 if abs(place.x) < 20 else 1), col
        return _row(s.court, place.y), col

    def row_on_hall(self, y: float) -> int:
        """The row of a y on the hall."""
        return _row(self.shape.hall, y)

    def slots(self, zone: str, size: int) -> tuple[tuple[int, int], ...]:
        """Every row and column in a zone where that many cells side by side belong to it."""
        key = zone, size
        if key not in self._slots:
            self._slots[key] = tuple(
                (r, c)
                for r, row in enumerate(self.zone)
                for c in range(len(row) - size + 1)
                if all(z == zone for z in row[c : c + size])
            )
        return self._slots[key]

    # Building

    def _caption(self, row: int, col: int, text: str, ground: str = "") -> None:
        c = self.canvas
        cols = range(max(col, 0), col + cells(text))
        beneath = tuple((c.glyph[row][n], c.ink[row][n], ground or c.ground[row][n]) for n in cols)
        c.put(row, col, text, "label", ground)
        self.captions.append(Caption(row, col, beneath))

    def _zone(self, rows: range, cols: range, zone: str) -> None:
        for r in rows:
            for c in cols:
                self.zone[r][c] = zone

    def _hall(self) -> None:
        s, c = self.shape, self.canvas
        west, east = self.walls
        inner = range(west + 1, east)
        for row in range(1, s.edge):
            c.fill(row, range(west, west + 1), "wall", "#")
            c.fill(row, inner, "hall")
            c.fill(row, range(east, east + 1), "wall", "#")
        c.fill(0, range(west, east + 1), "wall", "#")
        self._caption(0, int(s.middle) - 3, "堂北墙")
        c.fill(s.edge, range(west, east + 1), "edge", "=")
        for x, name in ((-13.5, "西阶"), (13.5, "阼阶")):
            c.fill(s.edge, range(self.column(x, 4), self.column(x, 4) + 4), "step")
            self._caption(s.edge, self.column(x, 4), name)
        beam = _row(s.hall, 7.5)
        # In the small plan a column nearer to the middle: there has to be room for the stand and for the host's food.
        left, right = (self.column(x if s.wide else x * 8 / 9) for x in (-9, 9))
        self.pillars = {(beam, col + n) for col in (left, right) for n in (0, 1)}
        self._caption(beam, left, "楹")
        self._caption(beam, right, "楹")
        c.put(beam, left + 3, "╌" * (right - left - 4), "line")
        self._caption(beam, int(s.middle) - 1, "楣")
        self._caption(1, max(0, west // 2 - 2), "堂西")
        self._caption(1, (east + self.right) // 2 - 1, "堂东")
        if s.view == SHOOTING:
            row = _row(s.hall, 15)
            for x in (-3, 3):
                c.put(row, self.column(x), "十", "thing")
        self._zone(range(1, s.edge), inner, HALL)
        self._zone(range(s.edge, s.edge + 1), range(west, east + 1), STEPS)
        self._zone(range(1, s.edge + 1), range(west), WEST)
        self._zone(range(1, s.edge + 1), range(east + 1, self.right), EAST)
        # The room opens in the north wall; it is drawn only when somebody is in it.
        self._zone(range(1), range(self.column(7), east), ROOM)

    def _court(self) -> None:
        s = self.shape
        last = s.gate if s.gate is not None else s.height
        self._zone(range(s.edge + 1, last), range(self.right), COURT)

    def _lane(self) -> None:
        s, c = self.shape, self.canvas
        middle = int(s.middle)
        first, last = s.lane[0][1], s.gate if s.gate is not None else s.height
        for row in range(first, last):
            cols = range(middle - (17 if row < s.target else 11), middle + (17 if row < s.target else 11))
            c.fill(row, cols, "lane")
            self._zone(range(row, row + 1), cols, LANE if row < s.target else "")
            if row < s.target:
                c.put(row, middle, "╎", "line")
        self._caption(s.target - 1, middle + 5, "侯道五十弓缩")
        if s.outside:
            # There is no row for the gate; what is beyond it has a corner.
            for row in range(s.target, last):
                c.fill(row, range(middle + 12, self.right + 1), "lane")
            self._caption(s.target, middle + 12, "门外")
            self._zone(range(s.target, last), range(middle + 12, self.right), OUTSIDE)
            self._zone(range(s.target, s.target + 1), range(middle + 12, middle + 16), "")

    def target(self, canvas: Canvas) -> list[tuple[int, int, int]]:
        """Draw the target to its measures; returns (row, first column, cells) of each of its rows."""
        s = self.shape
        west = int(s.middle) - 10
        rows = [("左个", ":::", "%%", "侯", "%%", ":::", "右个"), ("", ":::::", "%%", "中", "%%", ":::::", "")]
        if s.wide:
            rows = [
                ("左个", ":" * 12, "", "", "", "", "右个"),
                ("", ":" * 5, "%%", "侯", "%%", ":" * 5, ""),
                ("", ":" * 5, "%%", "中", "%%", ":" * 5, ""),
                ("", ":" * 14, "", "", "", "", ""),
            ]
        drawn = []
        grounds = ("cloth", "cloth", "band", "heart", "band", "cloth", "cloth")
        for n, parts in enumerate(rows):
            size = sum(cells(p) for p in parts)
            col = west + (20 - size) // 2
            drawn.append((s.target + n, col, size))
            for part, ground in zip(parts, grounds, strict=True):
                canvas.put(s.target + n, col, part, "fill" if part[:1] in (":", "%") else "thing", ground)
                col += cells(part)
        return drawn

    def _gate(self, row: int) -> None:
        s, c = self.shape, self.canvas
        middle, half = int(s.middle), 8
        c.fill(row, range(0, middle - half), "wall", "#")
        c.fill(row, range(middle + half, self.right), "wall", "#")
        c.fill(row, range(middle - half, middle + half), "lane")
        self._caption(row, 2, "西塾")
        self._caption(row, self.right - 6, "东塾")
        self._caption(row, middle - 1, "门")
        if not s.outside:
            self._zone(range(row, row + 1), range(middle - half, middle + half), OUTSIDE)
            return
        last = s.height if s.house is None else s.house - 1 if s.wide else s.house
        for r in range(row + 1, last):
            c.fill(r, range(0, self.right + 1), "lane")
        self._caption(row + 1, 0, "门外")
        self._zone(range(row + 1, last), range(4, self.right), OUTSIDE)

    def _house(self, row: int) -> None:
        s, c = self.shape, self.canvas
        middle, half = int(s.middle), 8 if not s.wide else 12
        for r in range(row - 1 if s.wide else row, s.height):
            c.fill(r, range(0, self.right + 1), "lane")
        west, east = middle - half, middle + half
        for r in range(row, row + 1):
            c.fill(r, range(west, east), "hall")
            c.fill(r, range(west, west + 1), "wall", "#")
            c.fill(r, range(east - 1, east), "wall", "#")
        c.fill(row + 1, range(west, east), "wall", "#")
        self._caption(row + 1, middle - 2, " 门 ", "lane")
        self._caption(row, west + 1, "宾家")
        self._caption(row, 0, "乡中")
        self._zone(range(row, row + 1), range(west + 5, east - 1), HOUSE)
        self._zone(range(row + 1, s.height), range(0, self.right), VILLAGE)
        self._zone(range(row + 1, row + 2), range(west, east), "")
        self._zone(range(row, row + 1), range(4, west), VILLAGE)
        self._zone(range(row, row + 1), range(east, self.right), VILLAGE)


def _row(bands: Bands, y: float) -> int:
    return next(row for south, row in bands if y >= south)


@cache
def site(wide: bool, view: str) -> Site:
    """The ground for a size and a view, made once."""
    return Site(SHAPES[wide, view])


def shapes() -> Iterator[Shape]:
    """Every size and view."""
    yield from SHAPES.values()
