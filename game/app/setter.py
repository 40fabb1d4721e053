"""Setting the act that is chosen: its facing, goal, recipient and number, before it is done."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from game.app.choices import LETTERS, Palette
from game.app.i18n import _, language
from game.seat import Seat

FACING_KEYS = {letter: facing for facing, letter in LETTERS.items()}
ARROWS = {"up": "北", "down": "南", "left": "西", "right": "东"}
_DIAGONAL = {frozenset("北东"): "东北", frozenset("北西"): "西北", frozenset("南东"): "东南", frozenset("南西"): "西南"}


class Setter:
    """Changes the chosen act of a palette; what cannot be set is said, with its reason."""

    def __init__(self, seat: Seat, palette: Palette, say: Callable[[str], None]) -> None:
        self.seat = seat
        self.palette = palette
        self.say = say
        self._arrow = ""
        """The facing of the last arrow key."""

    def _act(self) -> dict[str, Any] | None:
        act = self.palette.act
        if act is None:
            self.say(_("Choose first: a digit or a click."))
        return act

    def face(self, facing: str) -> None:
        """Set the facing."""
        if self._act() is not None:
            self.palette.change(facing=facing)

    def face_by_arrow(self, facing: str) -> None:
        """An arrow faces; two in turn make a diagonal."""
        act = self._act()
        if act is None:
            return
        both = _DIAGONAL.get(frozenset(self._arrow + facing)) if act.get("facing") == self._arrow else None
        self.palette.change(facing=both or facing)
        self._arrow = facing

    def count(self, by: int) -> None:
        """Set how often, or how many."""
        act = self._act()
        if act is None:
            return
        name = "count" if act.get("count") else "times"
        number = int(act.get(name) or 1) + by
        if not 1 <= number <= 9:
            self.say(_("From one to nine times."))
            return
        self.palette.change(**{name: number})

    def next_act(self) -> None:
        """The next act of the phrase is set."""
        if self._act() is not None and not self.palette.next_act():
            self.say(_("This choice is a single act."))

    def place(self, by: int) -> None:
        """Another goal, the nearest first."""
        act = self._act()
        if act is None or not self._goes(act):
            return
        words, world = self.seat.session.ceremony.words, self.seat.session.ceremony.world
        me = self.seat.person or ""
        here = words.places[world.place[me]]
        near = [p for p in words.places.values() if p.region == world.region(me)]
        options = [p.id for p in sorted(near, key=lambda p: ((p.x - here.x) ** 2 + (p.y - here.y) ** 2, p.id))]
        self.palette.change(at=_next(options, act.get("at"), by))

    def goal(self, place: str) -> None:
        """This goal."""
        act = self._act()
        if act is not None and self._goes(act):
            self.palette.change(at=place)

    def recipient(self, by: int) -> None:
        """Another recipient among those in the same region, and their groups."""
        act = self._act()
        if act is None:
            return
        words, world = self.seat.session.ceremony.words, self.seat.session.ceremony.world
        me = self.seat.person or ""
        region = world.region(me)
        options = [p.id for p in words.roster.persons if p.id != me and world.region(p.id) == region]
        options += [g for g, members in words.roster.groups.items() if any(m in options for m in members)]
        now = act.get("to")
        now = now[0] if isinstance(now, list | tuple) and now else now
        chosen = _next(options, now, by)
        if chosen:
            self.palette.change(to=[chosen])

    def address(self, name: str) -> None:
        """This recipient."""
        if self._act() is not None:
            self.palette.change(to=[name])

    def _goes(self, act: dict[str, Any]) -> bool:
        """Whether an act goes somewhere; if not, it is said."""
        verb = self.seat.session.ceremony.words.verbs.get(act["verb"])
        if verb is not None and verb.effect == "go":
            return True
        self.say(_("{act}: one stays where one is.", act=self.seat.act_in_words(act, language() == "en")))
        return False


def _next(options: list[str], now: Any, by: int) -> str:
    """The option so many on from the present one; the first or the last where that is none of them."""
    if not options:
        return ""
    at = options.index(now) if now in options else -1 if by > 0 else 0
    return options[(at + by) % len(options)]
