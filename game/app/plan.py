"""The site plan: who stands where, drawn into rows of cells. A pure function of the world; it knows no terminal.

Ground is background, persons are ink. A person is a token of two cells and one cell that shows facing by direction
and posture by filling; a thing is two cells without a mark, so that the two are told apart without colour.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, NamedTuple

from game.app.canvas import Canvas, cells
from game.app.layout import Layout, Member, Spot, layout, split
from game.app.seating import Seating
from game.app.site import HALL, ROOM, SHOOTING, Cell, view_of
from game.core.vocabulary import Vocabulary

STANDING = dict(zip(("北", "南", "东", "西", "东北", "东南", "西北", "西南"), "▴▾▸◂▝▗▘▖", strict=True))
SEATED = dict(zip(STANDING, "▵▿▹◃◹◿◸◺", strict=True))
STANDING_ASCII = dict(zip(STANDING, "^v><9371", strict=True))
SEATED_ASCII = dict(zip(STANDING, "nu)(TJrL", strict=True))

TOKENS = {
    "主人": "主", "宾": "宾", "君": "君", "相": "相", "司射": "射", "获者": "获", "释获者": "释", "执筭者": "筭",
    "乐正": "乐", "大师": "师", "工": "工", "相者": "扶", "笙": "笙", "大夫": "大", "诸公": "公", "乡先生": "先",
    "小臣": "臣", "弟子": "弟", "从者": "从", "赞者": "赞", "有司": "有", "执爵者": "执", "举觯者": "举",
    "司正": "正", "司马": "马", "上耦上射": "甲", "上耦下射": "乙", "次耦上射": "丙", "次耦下射": "丁",
    "下耦上射": "戊", "下耦下射": "己",
}  # fmt: skip

THINGS = {
    "壶": "尊", "篚": "篚", "洗": "洗", "水": "水", "县": "县", "侯": "侯", "乏": "乏", "楅": "楅", "鹿中": "中",
    "兕中": "中", "丰": "丰", "筭": "筭", "爵": "爵", "觯": "觯", "旌": "旌", "扑": "扑",
    "脯醢": "荐", "俎": "俎",
}  # fmt: skip
SHOOTING_ONLY = frozenset("扑旌筭")
"""What leans against a wall until there is shooting."""
STORES = frozenset(("东房", "堂西", "堂东", "东壁", "堂西廉下"))
"""Where things are kept that are not set up."""
INSIDE = {"爵": frozenset(("上篚", "下篚")), "觯": frozenset(("上篚", "下篚")), "筭": frozenset(("中",))}
"""What is not seen, because it is in something else."""
SHOWN = frozenset("旌")
"""What is seen in somebody's hand."""


INKS = (
    "blank", "fill", "line", "label", "thing", "person", "right", "left", "addressed", "actor", "me", "me acting",
    "ruler", "path",
)  # fmt: skip
"""``fill`` are glyphs that stand for a ground; ``right`` and ``left`` archers of the two teams."""
GROUNDS = ("court", "hall", "wall", "edge", "step", "mat", "lane", "cloth", "band", "heart")
"""``cloth``, ``band`` and ``heart`` are the target: its cloth, its body (躬), its middle."""


class Run(NamedTuple):
    """Cells of one look; ``style`` is "ink on ground", of INKS and GROUNDS."""

    text: str
    style: str


class Hit(NamedTuple):
    """What is under a cell: ``kind`` is person, thing, place or crowd (then ``name`` is the ids, with spaces)."""

    kind: str
    name: str


@dataclass(frozen=True)
class Drawing:
    """A plan as drawn: rows of exactly ``width`` cells."""

    view: str
    width: int
    height: int
    rows: tuple[tuple[Run, ...], ...]
    where: Mapping[str, Cell]
    """Person → row and first column of his token, for those who are drawn."""
    hidden: tuple[str, ...]
    """Those who are counted in a ``+N``."""
    _hits: Mapping[Cell, Hit] = field(repr=False)
    _anchors: Mapping[str, Cell] = field(repr=False)
    _zones: Sequence[Sequence[str]] = field(repr=False)
    _zone_of: Mapping[str, str] = field(repr=False)

    def at(self, row: int, col: int) -> Hit | None:
        """What is under a cell; for free ground the place nearest to it, if one is near."""
        if not (0 <= row < self.height and 0 <= col < self.width):
            return None
        if (row, col) in self._hits:
            return self._hits[row, col]
        place = self.place_at(row, col)
        return Hit("place", place) if place else None

    def place_at(self, row: int, col: int) -> str | None:
        """The place nearest to a cell in its part of the ground, whoever stands there; None if none is near."""
        if not (0 <= row < self.height and 0 <= col < self.width):
            return None
        hit = self._hits.get((row, col))
        if hit is not None and hit.kind == "place":
            return hit.name
        zone = self._zones[row][col]
        near = [
            (abs(r - row) * 3 + abs(c + 0.5 - col), n, place)
            for n, (place, (r, c)) in enumerate(self._anchors.items())
            if zone and self._zone_of[place] == zone
        ]
        distance, _, found = min(near, default=(99.0, 0, ""))
        return found if distance <= 6 else None

    def text(self) -> list[str]:
        """The rows without colour."""
        return ["".join(run.text for run in row) for row in self.rows]


def token(person: str, record: Mapping[str, Any] | None = None) -> str:
    """The two cells that stand for a person: a graph, or the number of one of the other guests."""
    kind, number = split(person)
    if kind == "众宾" and number:
        return f"{number % 100:02d}"
    office = (record or {}).get("office", "")
    return TOKENS.get(office) or TOKENS.get(person) or TOKENS.get(kind) or person[0]


def draw(
    state: Mapping[str, Any],
    words: Vocabulary,
    *,
    me: str | None = None,
    phase: int = 1,
    view: str | None = None,
    wide: bool = False,
    actor: str | None = None,
    addressed: Iterable[str] = (),
    path: Sequence[str] = (),
    heading: str = "",
    strides: Mapping[str, Cell] | None = None,
    colour: bool = False,
    ascii_marks: bool = False,
) -> Drawing:
    """Draw the world ``state`` (as ``World.state()`` gives it).

    ``view`` overrides that of the phase. ``path`` are the places of a walk that is considered, the first where it
    starts; ``heading`` is how one faces at its end. ``strides`` are the cells of those who are on their way. With
    ``colour`` glyphs that stand for a ground are blank.
    """
    # A session saved under other data may know places that this data does not.
    persons = {p: r for p, r in state["persons"].items() if r["at"] in words.places}
    state = {**state, "persons": persons}
    if view is None:
        follow = next((p for p in (me, actor, "宾") if p in persons), None)
        region = words.places[persons[follow]["at"]].region if follow else ""
        view = view_of(phase, region)
    keep = [p for p in dict.fromkeys((me, actor, *addressed)) if p in persons]
    company = tuple(
        Member(p.id, p.at, persons[p.id].get("pair", ""), persons[p.id].get("team", ""))
        for p in words.roster.persons
        if p.id in persons
    )
    plan = _Plan(layout(wide, view, tuple(words.places.values()), company), state, [p for p in keep if p])
    plan.stride(strides or {})
    plan.furnish()
    plan.people(me, actor, frozenset(addressed), (STANDING_ASCII, SEATED_ASCII) if ascii_marks else (STANDING, SEATED))
    plan.walk(path, (STANDING_ASCII if ascii_marks else STANDING).get(heading, ""))
    return plan.drawing(colour)


class _Plan:
    """One drawing in the making."""

    def __init__(self, cells_of: Layout, state: Mapping[str, Any], keep: Sequence[str]) -> None:
        self.layout = cells_of
        self.site = cells_of.site
        self.wide = cells_of.wide
        self.canvas: Canvas = self.site.canvas.copy()
        self.persons: Mapping[str, Mapping[str, Any]] = state["persons"]
        self.things: Mapping[str, str] = state["things"]
        self.hits: dict[Cell, Hit] = {}
        self.lying = self._lying()
        """Things that are drawn, each with its cells."""
        laid = {c for _, kind, spot in self.lying if kind != "席" for c in spot.cells()}
        self.seats = Seating(cells_of, self.persons, keep, laid | cells_of.reserved | self.site.captioned)
        self.held = [(t, p) for t, at in self.things.items() for p in (at.partition("·")[0],)
                     if split(t)[0] in SHOWN and p in self.persons]  # fmt: skip

    def _lying(self) -> list[tuple[list[str], str, Spot]]:
        """(ids, kind, cells) of what is seen on the ground: what has a place of its own first."""
        shooting = self.site.shape.view == SHOOTING
        seen: dict[tuple[str, str, str], list[str]] = {}
        for thing, at in self.things.items():
            kind = split(thing)[0]
            if (
                (kind in THINGS or kind == "席")
                and at in self.layout.places
                and at not in STORES
                and at not in INSIDE.get(kind, ())
                and not (kind == "侯" and shooting)
                and not (kind in SHOOTING_ONLY and not shooting)
                # Where the hall is drawn in a row or two there is no room for what is set out on it.
                and not (self.layout.compact and self.layout.zone[at] == HALL and kind not in ("席", "壶"))
            ):
                owner = thing.partition(":")[2] if at in self.layout.files else ""
                seen.setdefault((at, kind, owner), []).append(thing)
        lying: list[tuple[list[str], str, Spot]] = []
        used: set[Cell] = set()
        for (at, kind, _), ids in sorted(seen.items(), key=lambda t: not self.layout.has_own(t[0][0], t[0][1])):
            spot = self.layout.spot(at, kind, ids[0], used)
            if spot is not None and (kind != "席" or self.layout.is_mat(at)):
                lying.append((ids, kind, spot))
                if kind != "席":
                    used.update(spot.cells())
        if shooting:
            self._target()
        return lying

    def _target(self) -> None:
        if any(split(t)[0] == "侯" and at in self.layout.places and at not in STORES for t, at in self.things.items()):
            for row, col, size in self.site.target(self.canvas):
                self._hit(Spot(row, col, size), Hit("thing", "侯"))

    def stride(self, strides: Mapping[str, Cell]) -> None:
        """Put those who are on their way where they are seen now."""
        for person, cell in strides.items():
            if person in self.persons:
                self.seats.where[person] = (*cell, self.layout.size(person))

    # Drawing

    def furnish(self) -> None:
        """What is written on the ground, unless somebody or something is there; mats; what lies about."""
        used = {(row, c) for row, col, size in self.seats.where.values() for c in range(col, col + size)}
        used |= {(row, col + n) for (row, col), _ in self.seats.crowds for n in range(3)}
        used |= {cell for _, _, spot in self.lying for cell in spot.cells()}
        for caption in self.site.captions:
            if used.intersection(caption.cells()):
                caption.wipe(self.canvas)
        for ids, kind, spot in sorted(self.lying, key=lambda t: t[1] != "席"):
            if kind == "席":
                self._mat(spot, ids[0])
            else:
                text = THINGS[kind] * (2 if kind == "壶" and len(ids) > 1 else 1)
                self.canvas.put(spot.row, spot.col, text, "thing", "cloth" if kind == "侯" else "")
                self._hit(spot._replace(size=cells(text)), Hit("thing", ids[0]))

    def _mat(self, spot: Spot, mat: str) -> None:
        place = self.things[mat]
        label = {"众宾1席": "一", "众宾2席": "二", "众宾3席": "三"}.get(place, "席")
        for row, col in spot.cells():
            self.canvas.put(row, col, "_", "fill", "mat")
        self._hit(spot, Hit("place", place))
        self.canvas.put(spot.row, self.layout.anchor[place][1], label, "label")

    def people(
        self,
        me: str | None,
        actor: str | None,
        addressed: frozenset[str],
        marks: tuple[Mapping[str, str], Mapping[str, str]],
    ) -> None:
        """Draw everybody, the crowds that are only counted, and the rulers at my column and row."""
        shooting = self.site.shape.view == SHOOTING
        if any(self.layout.zone[self.persons[p]["at"]] == ROOM for p in self.seats.where):
            row, cols = 0, [c for c, z in enumerate(self.site.zone[0]) if z == ROOM]
            self.canvas.fill(row, range(cols[0], cols[-1] + 1), "hall")
            if (0, cols[0]) not in self.seats.taken and (0, cols[0] + 1) not in self.seats.taken:
                self.canvas.put(0, cols[0], "房", "label")
        for person, (row, col, size) in self.seats.where.items():
            record = self.persons[person]
            team = {"右": "right", "左": "left"}.get(record.get("team", ""), "person") if shooting else "person"
            ink = "addressed" if person in addressed else team
            if person == actor:
                ink = "actor"
            if person == me:
                ink = "me acting" if me == actor else "me"
            digit = str(split(person)[1])[-1] if size == 4 and self.layout.size(person) == 4 else ""
            mark = marks[record["posture"] == "坐"].get(record["facing"], " ")
            self.canvas.put(row, col, token(person, record) + digit + mark, ink)
            self._hit(Spot(row, col, size), Hit("person", person))
        for (row, col), names in self.seats.crowds:
            self.canvas.put(row, col, f"+{len(names)}".ljust(3), "label")
            self._hit(Spot(row, col, 3), Hit("crowd", " ".join(names)))
        for thing, person in self.held:
            if person in self.seats.where:
                self._show(thing, self.seats.where[person])
        if me in self.seats.where:
            row, col, _ = self.seats.where[me]
            if row and not any((0, c) in self.seats.taken for c in (col, col + 1)):
                for caption in self.site.captions:
                    if {(0, col), (0, col + 1)}.intersection(caption.cells()):
                        caption.wipe(self.canvas)
                self.canvas.put(0, col, "╻╻", "ruler")
            self.canvas.put(row, self.site.right, "╸", "ruler")

    def _show(self, thing: str, holder: tuple[int, int, int]) -> None:
        """What somebody holds, beside him where there is room."""
        row, col, size = holder
        spots = [Spot(row, col + size, 2), Spot(row, col - 2, 2), Spot(row - 1, col, 2), Spot(row + 1, col, 2)]
        for spot in spots:
            free = 0 <= spot.row < self.canvas.height and 0 <= spot.col <= self.site.right - 2
            if free and not any(cell in self.hits for cell in spot.cells()):
                for caption in self.site.captions:
                    if set(spot.cells()).intersection(caption.cells()):
                        caption.wipe(self.canvas)
                self.canvas.put(spot.row, spot.col, THINGS[split(thing)[0]], "thing")
                self._hit(spot, Hit("thing", thing))
                return

    def _hit(self, spot: Spot, hit: Hit) -> None:
        for cell in spot.cells():
            self.hits[cell] = hit

    def walk(self, path: Sequence[str], mark: str) -> None:
        """The way that a phrase would take, and how one faces at its end."""
        stops = [self.layout.anchor[p] for p in path if p in self.layout.anchor]
        for (row, col), (to_row, to_col) in pairwise(stops):
            steps = max(abs(to_row - row), abs(to_col - col) // 2, 1)
            for n in range(1, steps):
                self._trace(row + (to_row - row) * n // steps, col + (to_col - col) * n // steps, ":")
        if len(stops) > 1:
            self._trace(*stops[-1], "+" + mark)

    def _trace(self, row: int, col: int, text: str) -> None:
        cols = range(col, col + len(text))
        if all(self.canvas.glyph[row][c] in " _" and self.canvas.glyph[row][c] for c in cols):
            self.canvas.put(row, col, text, "path")

    def drawing(self, colour: bool) -> Drawing:
        """What has been drawn, as runs."""
        rows = []
        for glyphs, inks, grounds in zip(self.canvas.glyph, self.canvas.ink, self.canvas.ground, strict=True):
            runs: list[Run] = []
            look, text = (inks[0], grounds[0]), ""
            for col, glyph in enumerate(glyphs):
                if (inks[col], grounds[col]) != look:
                    runs.append(Run(text, f"{look[0] or 'blank'} on {look[1]}"))
                    look, text = (inks[col], grounds[col]), ""
                text += " " if colour and inks[col] == "fill" else glyph
            runs.append(Run(text, f"{look[0] or 'blank'} on {look[1]}"))
            rows.append(tuple(runs))
        shape = self.site.shape
        return Drawing(
            shape.view,
            shape.width,
            shape.height,
            tuple(rows),
            {p: (r, c) for p, (r, c, _) in self.seats.where.items()},
            tuple(p for _, names in self.seats.crowds for p in names),
            self.hits,
            self.layout.anchor | {p: (s.row, s.col) for (p, kind), s in self.layout.spots.items() if not kind},
            self.site.zone,
            self.layout.zone,
        )
