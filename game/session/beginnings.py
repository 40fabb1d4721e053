"""How everything stands at the beginning of a phase, kept for a process: the way there is performed once a scenario."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from game.core.choreography import Rite
    from game.session.ceremony import Ceremony

State = dict[tuple[str, str], Any]
"""(part of a ceremony, name) → a copy of what it held."""

# Between two phases nobody is under way in a machine, so that tables are all there is to keep.
_KEPT = {
    "world": (
        "place", "facing", "posture", "dress", "office", "where", "here", "wine", "slack", "offered", "loosed",
        "counted",
    ),
    "ensemble.ledger": ("open", "done", "left", "outcomes"),
    "outcomes": ("shots", "hits", "last"),
    "arbiter": ("owed", "jumps", "paid", "judged", "short", "last"),
    "arbiter.excuses": ("table",),
    "": ("opened",),
}  # fmt: skip


def nearest(ceremony: Ceremony, start: int) -> int:
    """The last phase up to the ``start``-th whose beginning is known, and the ceremony set to it; 0 if there is none.

    A phase that runs beside an earlier one is not parted from it.
    """
    known, scenario = ceremony.book.beginnings, _scenario(ceremony.scenario.options)
    for place in range(start, 0, -1):
        if (scenario, place) in known and not _parts(ceremony.rite, place, start):
            _restore(ceremony, known[scenario, place])
            return place
    return 0


def _parts(rite: Rite, place: int, start: int) -> bool:
    """Whether to begin at the ``place``-th phase parts one before the ``start``-th from that beside which it runs."""
    first = rite.phases[place].number
    return any(rite.by_id[p.beside].phase.number < first for p in rite.phases[place:start] if p.beside in rite.by_id)


def keep(ceremony: Ceremony, start: int) -> None:
    """Remember how everything stands now, at the beginning of the ``start``-th phase."""
    state = {(part, name): _table(ceremony, part, name).copy() for part, names in _KEPT.items() for name in names}
    ceremony.book.beginnings[_scenario(ceremony.scenario.options), start] = state


def _scenario(options: Mapping[str, Any]) -> str:
    return json.dumps(options, sort_keys=True)


def _table(ceremony: Ceremony, part: str, name: str) -> Any:
    owner: Any = ceremony
    for step in filter(None, part.split(".")):
        owner = getattr(owner, step)
    return getattr(owner, name)


def _restore(ceremony: Ceremony, state: State) -> None:
    for (part, name), kept in state.items():
        table = _table(ceremony, part, name)
        table.clear()
        table.update(kept)
