"""Which cell of a ground is whose: where things lie, where one stands at each place, where files form up.

All of it follows from the ground, the places and the company, never from who or what is there at the moment: so
nothing that is at rest moves when others come and go.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import count, product
from typing import NamedTuple

from game.app.site import COURT, HALL, LANE, SHOOTING, WEST, Cell, Site, site
from game.core.vocabulary import Place

ARCHERS = "射位"
"""The archers' station: a pair takes a row."""
WAITING = "堂西"
"""Where one waits in rows that face south, the head in the east."""
FACING = {
    "弟子位": "东", "赞者位": "西", "众宾堂下位": "东", "门内左": "东", "门外西": "东", "宾家门外": "东", "乡中": "东",
}  # fmt: skip
"""Places of a file, and how it faces; its head is in the north."""
MUSICIANS, BELOW = "工", "堂下位"
"""Each of them has a place of his own below the hall; together these are a file that faces west."""
STAFF = frozenset(("弟子位", "赞者位"))
"""Those of these files whose company is who is there when the rite opens."""
BEHIND_THE_GUEST = frozenset(("门内左", "门外西", "宾家门外"))
"""Where the guest stands before the file of the others."""

STANDING_ALONE = frozenset(("尊", "上篚", "下篚", "洗", "水", "县", "乏", "侯"))
FOOD_PLACES = ("荐西", "宾荐", "俎", "荐东", "主人俎", "主人荐", "主人荐北", "中庭")
FOR_SHOOTING = frozenset(("楅", "中", "中西", "中南", "中北", "西楹西", "丰上", "丰下"))
"""Places of things, each of which has cells of its own. Those for shooting are kept free in that view alone, and 中北,
where counters lie for a moment, in none; of food that has the same x, the first is drawn west of the next."""
WISHES: Mapping[bool, Mapping[str, int]] = {
    False: {"众宾1席": 16, "荐西": 18, "尊": 24, "西楹西": 13, "丰上": 15},
    True: {"荐西": 30, "西楹西": 22, "丰上": 24},
}
"""Columns, by the larger size or not, where the true ones would not hold all that is side by side there."""
BESIDE = ((0, 3), (0, -2), (1, 0), (-1, 0), (1, -1), (1, 2), (1, -2), (-1, 2), (0, 5), (0, -4))
"""Where a thing lies for one who stands at its place, the best first."""
SHARES = {"爵": 0, "觯": 0, "脯醢": 1, "俎": 2}
"""Which of the cells beside a place is for what, so that one thing does not move when another is put there."""


def split(name: str) -> tuple[str, int]:
    """The kind and the number of a person or a thing: 赞者2 → 赞者, 2."""
    kind = name.split(":", 1)[0].rstrip("0123456789")
    digits = name[len(kind) :]
    return kind, int(digits) if digits.isdigit() else 0


class Member(NamedTuple):
    """One of the company: where he is when the rite opens, and in which pair he shoots."""

    person: str
    home: str
    pair: str = ""
    team: str = ""


class Spot(NamedTuple):
    """Cells side by side."""

    row: int
    col: int
    size: int

    def cells(self) -> Iterator[Cell]:
        """Each of them."""
        return ((self.row, c) for c in range(self.col, self.col + self.size))


class _Item(NamedTuple):
    """A thing that is to get cells in a row: ``wish`` is the column it would have alone."""

    x: float
    turn: int
    key: tuple[str, str]
    wish: int
    size: int


class Layout:
    """The cells of one ground for one company."""

    def __init__(self, ground: Site, places: Iterable[Place], company: Iterable[Member]) -> None:
        self.site = ground
        self.wide = ground.shape.wide
        self.compact = ground.shape.edge < 5
        """Whether the hall is drawn in a row or two, without what is set out on it."""
        self.places = {p.id: p for p in places}
        self.zone = {p.id: ground.zone_of(p) for p in self.places.values()}
        self.company = tuple(company)
        self.spots: dict[tuple[str, str], Spot] = {}
        """(place, kind of thing, or nothing where one kind alone lies) → its cells."""
        self.reserved: set[Cell] = set(ground.pillars)
        """Cells of things, where nobody stands if he can stand elsewhere."""
        self._furnish()
        self.anchor = {p: self._anchor(p) for p in self.places}
        """Place → where one stands who is alone there."""
        self.files: dict[str, dict[str, Spot]] = {}
        """Place → those who form up there, each in his own cells."""
        self._form_up()
        self._beside: dict[str, list[Spot]] = {}

    def size(self, person: str) -> int:
        """How many cells a person takes: where there is room, one more for the number of those of one kind."""
        kind, number = split(person)
        return 4 if self.wide and number and kind != "众宾" else 3

    def is_mat(self, place: str) -> bool:
        """Whether a place is a mat."""
        return place.endswith("席") and self.zone[place] == HALL

    def _facing_south(self, place: str) -> bool:
        """Whether a place is one of the mats in the north of the hall."""
        return self.is_mat(place) and self.places[place].y > 15

    # Things

    def _furnish(self) -> None:
        """Give cells to everything that has a place of its own; in a row, from west to east as their x."""
        rows: dict[tuple[str, int], list[_Item]] = {}
        turn = count(len(FOOD_PLACES))
        for place in self.places.values():
            zone = self.zone[place.id]
            row, col = self.site.cell(place)
            wish = WISHES[self.wide].get(place.id, col) if zone == HALL else col
            if place.id == "乏":
                # He who shelters by it has the target and the archers on its other side.
                wish = col + 3
            if self.is_mat(place.id):
                # In the larger plan the end of a mat can be told from its middle.
                wish, size = (wish - 1, 4) if self.wide else (wish, 3)
                rows.setdefault((zone, row), []).append(_Item(place.x, next(turn), (place.id, "席"), wish, size))
                if self._facing_south(place.id) and place.id != "宾席" and not self.compact:
                    # Before each mat, where those of the guest have places of their own.
                    before = zone, self.site.row_on_hall(place.y - 2)
                    for kind in ("脯醢", "俎") if place.id.startswith(("大夫", "诸公")) else ("脯醢",):
                        seat = wish + (1 if self.wide else 0)
                        rows.setdefault(before, []).append(_Item(place.x, next(turn), (place.id, kind), seat, 2))
            elif self._has_cells(place.id, zone, row):
                order = FOOD_PLACES.index(place.id) if place.id in FOOD_PLACES else next(turn)
                size = 4 if place.id == "尊" else 2
                rows.setdefault((zone, row), []).append(_Item(place.x, order, (place.id, ""), wish, size))
            if place.id == "觯南" and "中庭" in self.places:
                # The food of him who stands there is before him, where his cup is.
                before = zone, self.site.cell(self.places["中庭"])[0]
                rows.setdefault(before, []).append(_Item(place.x, next(turn), (place.id, "脯醢"), wish, 2))
        for (zone, row), items in rows.items():
            cols = [c for c, z in enumerate(self.site.zone[row]) if z == zone]
            for item, col in _side_by_side(items, min(cols), max(cols) + 1):
                spot = self.spots[item.key] = Spot(row, col, item.size)
                passing = item.key[0] in FOR_SHOOTING and self.site.shape.view != SHOOTING
                if item.key[1] != "席" and item.key[0] != "中北" and not passing:
                    self.reserved.update(spot.cells())

        if "西阶西" in self.places:
            # The rod leans against the steps.
            self.spots["西阶西", "扑"] = Spot(self.site.shape.edge, self.site.column(-13.5, 4) - 2, 2)

    def _has_cells(self, place: str, zone: str, row: int) -> bool:
        """Whether a place is one of things alone."""
        if self.compact and zone == HALL:
            return place == "尊"
        if place == "主人荐北":
            # Where it is in one row with the food there is no cell for it.
            return row < self.site.cell(self.places["主人荐"])[0]
        if place == "侯" and zone == LANE:
            return False
        return place in STANDING_ALONE or place in FOOD_PLACES or place in FOR_SHOOTING

    def has_own(self, place: str, kind: str) -> bool:
        """Whether a thing of that kind has cells of its own there."""
        return (place, kind) in self.spots or (place, "") in self.spots

    def spot(self, place: str, kind: str, thing: str, avoid: Collection[Cell] = ()) -> Spot | None:
        """The cells of a thing that lies at a place; ``avoid`` are cells of other things."""
        found = self.spots.get((place, kind)) or self.spots.get((place, ""))
        if found is not None:
            return found
        owner = thing.partition(":")[2]
        if owner in self.files.get(place, {}):
            # Before him who stands in a file.
            his = self.files[place][owner]
            before = Spot(his.row, his.col + (-2 if FACING.get(place) == "西" else his.size), 2)
            return None if self.reserved.intersection(before.cells()) else before
        spots = self._spots_beside(place)
        share = SHARES.get(kind, 0)
        row, col = self.anchor[place]
        # Between mats and food there may be none but those of a thing that is not there now.
        spare = [Spot(row + 1, col + aside, 2) for aside in (-1, 0, 1)]
        spots = spots[share:] + spots[:share] or [s for s in spare if s[:2] in self.site.slots(self.zone[place], 2)]
        return next((s for s in spots if not any(c in avoid for c in s.cells())), None)

    def _spots_beside(self, place: str) -> list[Spot]:
        """Cells beside one who stands at a place, first those where nobody else has to stand."""
        if place not in self._beside:
            row, col = self.anchor[place]
            zone = self.zone[place]
            laid = {c for s in self.spots.values() for c in s.cells()} | self.reserved | self.site.captioned
            free = set(self.site.slots(zone, 2))
            own = {(row, c) for c in range(col, col + 3)}
            others = {(r, c + n) for p, (r, c) in self.anchor.items() if self.zone[p] == zone for n in range(3)}
            others |= {c for file in self.files.values() for s in file.values() for c in s.cells()}
            spots = [Spot(row + down, col + aside, 2) for down, aside in BESIDE]
            spots = [s for s in spots if (s.row, s.col) in free and not (laid | own) & set(s.cells())]
            self._beside[place] = sorted(spots, key=lambda s: len(others & set(s.cells())))
        return self._beside[place]

    # People

    def _anchor(self, place: str) -> Cell:
        """The cells nearest to a place that are not those of a thing, nor of a mat that it is not on."""
        row, col = self._wish(place)
        zone = self.zone[place]
        mats = {c for (p, kind), s in self.spots.items() if kind == "席" and not _is_on(place, p) for c in s.cells()}
        others = {self.site.cell(p) for p in self.places.values() if p.id != place and self.zone[p.id] == zone}
        best = 99.0, (row, col)
        for r, c in self.site.slots(zone, 3):
            cells = {(r, c + n) for n in range(3)}
            cost = abs(c - col) + 5 * abs(r - row)
            if cost and any((r, c + n) in others for n in (-2, -1, 0, 1, 2)):
                # Rather where nobody else is to stand.
                cost += 3
            if cost < best[0] and not cells & self.reserved and not cells & mats:
                best = cost, (r, c)
        return best[1]

    def _wish(self, place: str) -> Cell:
        row, col = self.site.cell(self.places[place])
        mat = self.spots.get((place.removesuffix("前").removesuffix("末"), "席"))
        if place in ("尊", "上篚") and ("尊", "") in self.spots:
            # One faces north to the jars.
            return self.site.row_on_hall(14), self.spots["尊", ""].col
        if mat is not None and not (place.endswith("席前") and not self._facing_south(place[:-1])):
            seat = mat.col + (1 if self.wide else 0)
            return row, mat.col if place.endswith("末") and row == mat.row else seat
        return row, col

    def _form_up(self) -> None:
        if WAITING in self.places:
            self.files[WAITING] = self._rows()
        if ARCHERS in self.places:
            self.files[ARCHERS] = self._pairs()
        # The ground of those who stay where they are is kept free by those who come and go.
        kept: set[Cell] = set()
        if self.site.shape.view == SHOOTING:
            kept.update(c for s in self.files.get(ARCHERS, {}).values() for c in s.cells())
        for place, facing in FACING.items():
            if place in self.places:
                members = [m.person for m in self.company if self._belongs(m, place)]
                self.files[place] = self._file(place, members, facing, kept)
                if place in STAFF:
                    kept |= {c for s in self.files[place].values() for c in s.cells()}

        if f"{MUSICIANS}1{BELOW}" in self.places:
            members = [m.person for m in self.company if split(m.person)[0] == MUSICIANS]
            for person, spot in self._file(f"{MUSICIANS}1{BELOW}", members, "西", kept).items():
                self.files[person + BELOW] = {person: spot}

    @staticmethod
    def _belongs(member: Member, place: str) -> bool:
        if place in STAFF:
            return member.home == place
        return split(member.person)[0] == "众宾"

    def _slots(self, zone: str, size: int) -> set[Cell]:
        """Where in a zone somebody of this size can stand for good."""
        kept = self.reserved | (self.site.captioned if zone != WEST else set())
        return {(r, c) for r, c in self.site.slots(zone, size) if not any((r, c + n) in kept for n in range(size))}

    def _file(self, place: str, members: list[str], facing: str, kept: Collection[Cell]) -> dict[str, Spot]:
        """A file from the north, folded into ranks behind the first if it is too long.

        Below the hall there is room between the ranks for the food of those behind, if they are not many.
        """
        size = max(map(self.size, members), default=3)
        units = (size + 2, size) if place == "众宾堂下位" else (size,)
        slots_of = {
            unit: {(r, c) for r, c in self._slots(zone, unit) if not any((r, c + n) in kept for n in range(unit))}
            for zone in (self.zone[place],)
            for unit in units
        }
        slots = slots_of[size]
        if not members or not slots:
            return {}
        row, col = self.anchor[place]
        if place in BEHIND_THE_GUEST:
            col -= 3
        west, east = min(c for _, c in slots), max(c for _, c in slots)
        longest = 10 if self.wide else 5
        best: tuple[float, list[Cell]] = (99.0 + len(members), [])
        for unit, ranks in product(units, range(1, 8)):
            slots = slots_of[unit]
            behind = -unit if facing == "东" else unit
            depth = behind * (ranks - 1)
            head = min(max(col, west - min(depth, 0)), east - max(depth, 0))
            if head + depth < west:
                continue
            for north, length in product(range(row, row - longest, -1), range(1, longest + 1)):
                rows = range(north, north + length)
                cells = [(r, head + behind * k) for k in range(ranks) for r in rows if (r, head + behind * k) in slots]
                lacking = max(0, len(members) - len(cells))
                holes = ranks * length - len(cells)
                cost = ranks + (0.5 if place in STAFF else 1.5) * holes + 0.2 * (row - north) + 10 * lacking
                cost += 0.01 * length + 0.6 * abs(head - col)
                cost += 2 if unit < units[0] else 0
                if cost < best[0]:
                    best = cost, cells
        return {p: Spot(*cell, size) for p, cell in zip(members, best[1], strict=False)}

    def _rows(self) -> dict[str, Spot]:
        """West of the hall: the archers, then those who wait on them, in rows from the east."""
        members = [p for pair in self.pairs() for p in pair if split(p)[0] not in ("宾", "主人", "大夫")]
        members += [m.person for m in self.company if m.home == WAITING and m.person not in members]
        size = max(map(self.size, members), default=3)
        slots = self._slots(WEST, size)
        if not slots:
            return {}
        edge, east = self.site.shape.edge, max(c for _, c in slots)
        # The row of the edge is left to the one who speaks to them from the south.
        order = [r for r in (edge - 2, edge - 1, *range(edge - 3, 0, -1)) if r > 0]
        cells = [(r, c) for r in order for c in range(east, -1, -size) if (r, c) in slots]
        cells.sort(key=lambda s: any((s[0], c) in self.site.captioned for c in range(east + size)))
        return {p: Spot(*cell, size) for p, cell in zip(members, cells, strict=False)}

    def pairs(self) -> list[tuple[str, ...]]:
        """The archers by pairs: the three, further ones, those of grandees, guest and host."""
        pairs: dict[str, dict[str, str]] = {}
        for m in self.company:
            if m.pair:
                pairs.setdefault(m.pair, {})[m.team] = m.person
        rank = {"上耦": 0, "次耦": 0, "下耦": 0, "宾主耦": 3}
        order = sorted(pairs, key=lambda p: rank.get(p, 1 if p.startswith("众耦") else 2))
        return [tuple(pairs[p][team] for team in ("右", "左") if team in pairs[p]) for p in order]

    def _pairs(self) -> dict[str, Spot]:
        """A pair a row; the place that a pair has left stays empty."""
        row, col = self.anchor[ARCHERS]
        slots = sorted((c, r) for r, c in self._slots(COURT, 6) if r >= row and c >= col and (c - col) % 6 == 0)
        return {
            person: Spot(r, c + 3 * n, 3)
            for pair, (c, r) in zip(self.pairs(), slots, strict=False)
            for n, person in enumerate(pair)
        }


def _is_on(place: str, mat: str) -> bool:
    """Whether a place is a mat, or an end or side of it."""
    return place.startswith(mat) and not place.endswith("前")


def _side_by_side(items: list[_Item], west: int, east: int) -> list[tuple[_Item, int]]:
    """Columns for things of one row, in the order of their x and without overlap; who finds no room is left out."""
    items = sorted(items)
    cols: list[int] = []
    free = west
    for item in items:
        cols.append(max(item.wish, free))
        free = cols[-1] + item.size
    for n in range(len(items) - 1, -1, -1):
        cols[n] = min(cols[n], east - items[n].size)
        east = cols[n]
    return [(item, col) for item, col in zip(items, cols, strict=True) if col >= west]


@lru_cache(maxsize=64)
def layout(wide: bool, view: str, places: tuple[Place, ...], company: tuple[Member, ...]) -> Layout:
    """The layout for a size, a view and a company, made once."""
    return Layout(site(wide, view), places, company)
