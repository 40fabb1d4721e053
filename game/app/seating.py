"""Who is drawn in which cells of the site plan.

A single person stands where the text puts him. People at one place are fanned out without overlap and without
leaving their part of the ground; who finds no room is counted.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import product
from typing import Any

from game.app.site import Cell, Site

FILE = "射位"
"""The archers' station: a pair takes a row, and the place that a pair has left stays empty."""


def split(name: str) -> tuple[str, int]:
    """The kind and the number of a person or a thing: 赞者2 → 赞者, 2."""
    kind = name.split(":", 1)[0].rstrip("0123456789")
    digits = name[len(kind) :]
    return kind, int(digits) if digits.isdigit() else 0


class Seating:
    """The cells of everybody in one drawing."""

    def __init__(
        self,
        site: Site,
        persons: Mapping[str, Mapping[str, Any]],
        anchor: Mapping[str, Cell],
        zone: Mapping[str, str],
        keep: Sequence[str],
        clear: Collection[Cell],
    ) -> None:
        """``keep`` are those who are always drawn, most needed first; a crowd keeps off the cells ``clear``."""
        self.site = site
        self.wide = site.shape.wide
        self.persons = persons
        self.zone = {p: zone[r["at"]] for p, r in persons.items()}
        self.keep = keep
        self.clear = clear
        self.where: dict[str, tuple[int, int, int]] = {}
        """Person → row, first column, cells."""
        self.taken: set[Cell] = set()
        self.crowds: list[tuple[Cell, list[str]]] = []
        """Where a ``+N`` stands, and for whom."""
        for place, side, members in self._groups():
            row, col = anchor[place]
            wish = row, max(0, col + {"东": -2, "西": 2, "": 0}[side])
            if place == FILE:
                self._pairs(zone[place], wish, members)
            elif len(members) == 1:
                self._put(members[0], self._nearest(zone[place], self.size(members[0]), wish))
            else:
                self._crowd(zone[place], wish, members)
        self._count_the_rest()

    def size(self, person: str) -> int:
        """How many cells a person takes: where there is room, one more for the number of those of one kind."""
        kind, number = split(person)
        return 4 if self.wide and number and kind != "众宾" else 3

    def _groups(self) -> list[tuple[str, str, list[str]]]:
        """(place, side, people), in the order in which they choose: files with fixed places, then single persons."""
        at: dict[str, list[str]] = {}
        for person, record in self.persons.items():
            at.setdefault(record["at"], []).append(person)
        groups: list[tuple[str, str, list[str]]] = []
        for place, members in at.items():
            # Two parties that face each other at one place: each on its own side of it.
            parties = {side: [p for p in members if side in self.persons[p]["facing"]] for side in "东西"}
            if all(parties.values()) and place != FILE:
                parties[""] = [p for p in members if not set("东西") & set(self.persons[p]["facing"])]
                groups += [(place, side, party) for side, party in parties.items() if party]
            else:
                groups.append((place, "", members))
        order = {p: n for n, p in enumerate(self.keep)}
        groups.sort(key=lambda g: (g[0] != FILE, len(g[2]), min(order.get(p, len(order)) for p in g[2])))
        return groups

    # Cells

    def _put(self, person: str, cell: Cell | None, size: int = 0) -> None:
        if cell is not None:
            self.where[person] = (*cell, size or self.size(person))
            self.taken.update((cell[0], c) for c in range(cell[1], cell[1] + self.where[person][2]))

    def _free(self, cell: Cell, size: int, clear: bool) -> bool:
        row, col = cell
        return not any(
            (row, c) in self.taken or (clear and (row, c) in self.clear) for c in range(col, col + size)
        )  # fmt: skip

    def _nearest(self, zone: str, size: int, wish: Cell) -> Cell | None:
        """The free cells nearest to a wish, in its zone."""
        slots = self.site.slots(zone, size)
        if wish in slots and self._free(wish, size, False):
            return wish
        row, col = wish
        near = sorted(slots, key=lambda s: (abs(s[1] - col) + 3 * abs(s[0] - row), s))
        return next((s for clear in (True, False) for s in near if self._free(s, size, clear)), None)

    def _grid(self, zone: str, wish: Cell, unit: int) -> tuple[int, list[Cell]]:
        """The column of the first rank, and the free cells in ranks beside it."""
        slots = self.site.slots(zone, unit)
        col = wish[1]
        if slots:
            first, last = min(c for _, c in slots), max(c for _, c in slots)
            if last - first < 16:
                # In a narrow strip ranks are cut from its edge, so that as many as can be find room.
                col = first + (min(col, last) - first + unit // 2) // unit * unit
        return col, [s for s in slots if (s[1] - col) % unit == 0 and self._free(s, unit, True)]

    # Several at one place

    def _crowd(self, zone: str, wish: Cell, members: Sequence[str]) -> None:
        """Who faces east or west stands in files, folded into ranks behind the first; others stand in rows."""
        size = max(self.size(p) for p in members)
        facings = [self.persons[p]["facing"] for p in members]
        back = {"东": -1, "西": 1}.get(max(facings, key=facings.count), 0)
        col, grid = self._grid(zone, wish, size)
        if back:
            chosen = self._ranks(grid, (wish[0], col), back * size, len(members))
        else:
            row = wish[0]
            grid.sort(key=lambda s: (2 * abs(s[1] - col) // size + (7 if s[0] >= row else 8) * abs(s[0] - row), s))
            # From the east, where the head of a row is.
            chosen = sorted(grid[: len(members)], key=lambda s: (s[0], -s[1]))
            pair = {self.persons[p].get("pair") for p in members}
            if len(members) == 2 and len(pair) == 1 and None not in pair and "北" in facings[0]:
                # The upper archer walks on the left.
                chosen.reverse()
        self._fill(zone, wish, members, chosen, size)

    def _ranks(self, grid: Iterable[Cell], wish: Cell, behind: int, number: int) -> list[Cell]:
        """Cells for a file from the north, the front rank first; ``behind`` is the step from a rank to the next."""
        row, col = wish
        length = 10 if self.wide else 5
        ranks: dict[int, list[int]] = {}
        for r, c in grid:
            if row - length < r < row + length + 2:
                ranks.setdefault((c - col) // behind, []).append(r)
        # Ranks before the first place are used when there is no room behind.
        order = sorted(ranks, key=lambda k: (k if k >= 0 else 0.5 - k, k))
        deep = len({r for rows in ranks.values() for r in rows if r >= row}) >= 3
        # At the foot of the court a file begins higher, rather than to grow across it.
        ways = [(row, False), (row, True)] if deep else [(row, False)]
        # A file is a line from north to south: it begins as much higher as it takes to stand in as few ranks as can be.
        few = -(-number // length)
        for back, north in product(range(3), range(row, row - length, -1)):
            front = {k: [r for r in ranks.get(k, ()) if r >= north][:length] for k in range(back, back + few)}
            if sum(map(len, front.values())) >= number:
                return [(r, col + k * behind) for k, rows in front.items() for r in rows]
        for north, before in (*ways, (row - 1, False), (row - 2, False), (row - 2, True)):
            used, room = [], 0
            for rank in order:
                rows = [r for r in ranks[rank] if r >= north][:length]
                if room < number and (rank >= 0 or before) and rows:
                    used.append(rank)
                    room += len(rows)
            if room >= number:
                break
        return [
            (r, col + rank * behind) for rank in sorted(used) for r in [r for r in ranks[rank] if r >= north][:length]
        ]

    def _pairs(self, zone: str, wish: Cell, members: Sequence[str]) -> None:
        """A pair a row, each in its own place: the three pairs, further pairs, then the others."""
        pairs = dict.fromkeys(r["pair"] for r in self.persons.values() if "pair" in r)
        rank = {"上耦": 0, "次耦": 0, "下耦": 0, "宾主耦": 3}
        order = sorted(pairs, key=lambda p: rank.get(p, 1 if p.startswith("众耦") else 2))
        _, grid = self._grid(zone, wish, 6)
        grid = sorted((s for s in grid if s[0] >= wish[0]), key=lambda s: (s[1], s[0]))
        places = [(r, c + n) for r, c in grid for n in (0, 3)]
        last = 2 * len(order)
        chosen: list[Cell] = []
        for person in members:
            record = self.persons[person]
            number = last
            if "pair" in record:
                number = 2 * order.index(record["pair"]) + (record["team"] == "左")
            else:
                last += 1
            chosen.append(places[number] if number < len(places) else (-1, -1))
        self._fill(zone, wish, members, chosen, 3)

    def _fill(self, zone: str, wish: Cell, members: Sequence[str], chosen: Sequence[Cell], size: int) -> None:
        late = []
        for n, person in enumerate(members):
            if n < len(chosen) and chosen[n] != (-1, -1):
                self._put(person, chosen[n], size)
            else:
                late.append(person)
        for person in late:
            self._put(person, self._nearest(zone, 3, wish), 3)

    def _count_the_rest(self) -> None:
        """Who found no room is counted in a ``+N``; those who are always drawn take the room of others."""
        missing: dict[str, list[str]] = {}
        for person in self.persons:
            if person not in self.where:
                missing.setdefault(self.zone[person], []).append(person)
        for zone, hidden in missing.items():
            # Who yields first: the last seated of those who need not be drawn, then the least needed of the others.
            placed = [p for p in reversed(self.where) if self.zone[p] == zone]
            yielding = [p for p in placed if p not in self.keep] + [p for p in reversed(self.keep) if p in placed]
            for person in [p for p in self.keep if p in hidden]:
                # One more than there are to be drawn is needed, for the number.
                if len(yielding) < 2 or yielding[0] in self.keep:
                    break
                other = yielding.pop(0)
                row, col, _ = self.where.pop(other)
                self.where[person] = (row, col, 3)
                hidden[hidden.index(person)] = other
            if yielding:
                row, col, _ = self.where.pop(yielding[0])
                self.crowds.append(((row, col), [*hidden, yielding[0]]))
