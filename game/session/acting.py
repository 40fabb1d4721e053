"""Who has something to do in which phase of a rite."""

from __future__ import annotations

from game.core.choreography import Act, Rite
from game.rules.projection import actors


def acting(rite: Rite) -> dict[str, dict[str, int]]:
    """Phase → person → in how many steps he acts; phases in their order, without those in which nobody acts."""
    found: dict[str, dict[str, int]] = {p.id: {} for p in rite.phases}
    for node in rite.nodes:
        if isinstance(node, Act):
            there = found[node.phase.id]
            for person in actors(rite, node):
                there[person] = there.get(person, 0) + 1
    return {phase: people for phase, people in found.items() if people}
