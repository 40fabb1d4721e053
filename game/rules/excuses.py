"""What is off because of a slip already judged: it is not judged again until the person changes it."""

from __future__ import annotations

from collections.abc import Mapping

from game.core.trail import Trail
from game.rules.world import World

STATE = ("at", "facing", "posture")
"""Fields that say how a person is after an act; only these outlast it."""


class Excuses:
    """(person, field) → the value that is excused."""

    def __init__(self, world: World, trail: Trail) -> None:
        self.world = world
        self.trail = trail
        self.table: dict[tuple[str, str], object] = {}

    def actual(self, person: str, name: str) -> str:
        """How a person is: his place, facing or posture."""
        tables = {"at": self.world.place, "facing": self.world.facing, "posture": self.world.posture}
        return tables[name][person]

    def all(self, person: str) -> dict[str, str]:
        """Place, facing and posture of a person."""
        return {name: self.actual(person, name) for name in STATE}

    def put(self, person: str, name: str) -> None:
        """Excuse a field as it is now."""
        self.trail.put(self.table, (person, name), self.actual(person, name))

    def changed(self, person: str, before: Mapping[str, str]) -> None:
        """Excuse what an act out of place has changed."""
        for name in STATE:
            if self.actual(person, name) != before[name]:
                self.put(person, name)

    def missed(self, person: str, after: Mapping[str, tuple[str | int, ...]]) -> None:
        """Excuse what is not as a step left out would have made it."""
        for name, values in after.items():
            if self.actual(person, name) not in values:
                self.put(person, name)

    def cover(self, person: str, name: str) -> bool:
        """Whether a field, as it is now, has been judged."""
        return name in STATE and self.table.get((person, name)) == self.actual(person, name)

    def settle(self, person: str, name: str) -> bool:
        """Forget an excuse for a field that has been put right; whether there was one."""
        there = (person, name) in self.table
        self.trail.drop(self.table, (person, name))
        return there

    def excused(self, person: str) -> dict[str, object]:
        """What is excused of a person."""
        return {name: self.table[person, name] for name in STATE if (person, name) in self.table}

    def hold(self, person: str, cups: frozenset[str]) -> None:
        """Excuse cups that a person should not have in his hands."""
        self.trail.put(self.table, (person, "held"), cups | self.holding(person))

    def holding(self, person: str) -> frozenset[str]:
        """Cups whose being in a person's hands has been judged."""
        held = self.table.get((person, "held"))
        return held if isinstance(held, frozenset) else frozenset()

    def refresh(self, person: str) -> None:
        """Forget excuses for what has changed since."""
        for name in STATE:
            if (person, name) in self.table and not self.cover(person, name):
                self.trail.drop(self.table, (person, name))
