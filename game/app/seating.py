"""Who is drawn in which cells of the site plan.

Who belongs to a file stands in it, a single person stands where the text puts him. Others at one place are fanned
out without overlap and without leaving their part of the ground; who finds no room is counted.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import product
from typing import Any

from game.app.layout import Layout
from game.app.site import Cell


class Seating:
    """The cells of everybody in one drawing."""

    def __init__(
        self, layout: Layout, persons: Mapping[str, Mapping[str, Any]], keep: Sequence[str], clear: Collection[Cell]
    ) -> None:
        """``keep`` are those who are always drawn, most needed first; who gives way keeps off the cells ``clear``."""
        self.layout = layout
        self.site = layout.site
        self.wide = layout.wide
        self.persons = persons
        self.zone = {p: layout.zone[r["at"]] for p, r in persons.items()}
        self.keep = keep
        self.clear = clear
        self.where: dict[str, tuple[int, int, int]] = {}
        """Person → row, first column, cells."""
        self.taken: set[Cell] = set()
        self.crowds: list[tuple[Cell, list[str]]] = []
        """Where a ``+N`` stands, and for whom."""
        for person, record in persons.items():
            own = layout.files.get(record["at"], {}).get(person)
            if own is not None and not self.taken.intersection(own.cells()):
                self._put(person, own[:2], own.size)
        for place, side, members in self._groups():
            zone, (row, col) = layout.zone[place], layout.anchor[place]
            wish = row, max(0, col + {"东": -2, "西": 2, "": 0}[side])
            if len(members) == 1:
                self._put(members[0], self._nearest(zone, layout.size(members[0]), wish))
            else:
                self._crowd(zone, wish, members)
        self._count_the_rest()

    def _groups(self) -> list[tuple[str, str, list[str]]]:
        """(place, side, people) of those in no file, in the order in which they choose: single persons first."""
        at: dict[str, list[str]] = {}
        for person, record in self.persons.items():
            if person not in self.where:
                at.setdefault(record["at"], []).append(person)
        groups: list[tuple[str, str, list[str]]] = []
        for place, members in at.items():
            # Two parties that face each other at one place: each on its own side of it.
            parties = {side: [p for p in members if side in self.persons[p]["facing"]] for side in "东西"}
            if all(parties.values()):
                parties[""] = [p for p in members if not set("东西") & set(self.persons[p]["facing"])]
                groups += [(place, side, party) for side, party in parties.items() if party]
            else:
                groups.append((place, "", members))
        order = {p: n for n, p in enumerate(self.keep)}
        groups.sort(key=lambda g: (len(g[2]), min(order.get(p, len(order)) for p in g[2])))
        return groups

    # Cells

    def _put(self, person: str, cell: Cell | None, size: int = 0) -> None:
        if cell is not None:
            self.where[person] = (*cell, size or self.layout.size(person))
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
        size = max(self.layout.size(p) for p in members)
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
        for n, person in enumerate(members):
            if n < len(chosen):
                self._put(person, chosen[n], size)
            else:
                self._put(person, self._nearest(zone, 3, wish), 3)

    def _ranks(self, grid: Iterable[Cell], wish: Cell, behind: int, number: int) -> list[Cell]:
        """Cells for a file from the north, the front rank first; ``behind`` is the step from a rank to the next."""
        row, col = wish
        length = 10 if self.wide else 5
        ranks: dict[int, list[int]] = {}
        for r, c in grid:
            if row - length < r < row + length + 2:
                ranks.setdefault((c - col) // behind, []).append(r)
        # A file is a line from north to south: it begins as much higher as it takes to stand in as few ranks as can be.
        few = -(-number // length)
        for back, north in product(range(3), range(row, row - length, -1)):
            front = {k: [r for r in ranks.get(k, ()) if r >= north][:length] for k in range(back, back + few)}
            if sum(map(len, front.values())) >= number:
                return [(r, col + k * behind) for k, rows in front.items() for r in rows]
        # Ranks before the first place are used when there is no room behind.
        order = sorted(ranks, key=lambda k: (k if k >= 0 else 0.5 - k, k))
        return [(r, col + k * behind) for k in order for r in ranks[k]]

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
