"""What playing, watching and replaying show alike: the head line, the site plan, the text and the account."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rich.segment import Segment
from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.message import Message
from textual.strip import Strip
from textual.timer import Timer
from textual.widget import Widget
from textual.widgets import Static

from game.app import plan
from game.app.account import Account
from game.app.cards import HEIGHT, WIDTH, too_small
from game.app.once import LeftOnce
from game.app.site import Cell
from game.app.textpane import TextPane
from game.app.theme import look, style
from game.core.choreography import Act
from game.rite.text import Clause
from game.seat import Seat
from game.session.film import Frame

STAGE_CSS = """
#head { height: 1; background: $primary; color: #fff3da; }
#scene { height: 15; }
#plan { width: 48; height: 15; }
#text { height: 8; }
#account { height: 7; }
#small { display: none; width: 100%; height: 100%; content-align: center middle; }
.wide #scene { height: 28; }
.wide #plan { width: 76; height: 28; }
.wide #text { height: 12; }
.wide #account { height: 16; }
"""


class StageScreen(LeftOnce[None]):
    """A screen with a stage: two layouts, and a line instead of what is smaller than the smaller of them."""

    def __init__(self) -> None:
        super().__init__()
        self.too_small = Static(id="small")

    def fit(self) -> None:
        """Lay out what is in ``#all`` for the size of the terminal."""
        width, height = self.app.size
        small = width < WIDTH or height < HEIGHT
        below = self.query_one("#all")
        below.set_class(width >= 120 and height >= 40, "wide")
        below.display = not small
        self.too_small.display = small
        self.too_small.update(Text(too_small(width, height)))


STRIDES = 5
"""Cells at most in which a walk is seen between its ends."""


class PlanView(Widget):
    """The site plan."""

    can_focus = False

    class Clicked(Message):
        """Something on the plan was clicked: ``kind`` is person, place or thing."""

        def __init__(self, kind: str, name: str) -> None:
            self.kind, self.name = kind, name
            super().__init__()

    def __init__(self, seat: Seat, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self.words = seat.session.ceremony.words
        self.state: Mapping[str, Any] = {"persons": {}, "things": {}}
        self.phase = 1
        self.me: str | None = None
        self.actor: str | None = None
        self.addressed: tuple[str, ...] = ()
        self.path: tuple[str, ...] = ()
        """The places of the walk that is being considered."""
        self.heading = ""
        self.forced: str | None = None
        """The view chosen by the reader, else that of the phase."""
        self._drawn: plan.Drawing | None = None
        self._strides: list[Cell] = []
        """Cells that the actor still has to pass before he is where he has gone."""
        self._walking: Timer | None = None

    def show(self, **changes: Any) -> None:
        """Set what is to be seen, and draw it anew."""
        if "state" in changes and changes["state"]["persons"] != self.state["persons"]:
            self._strides.clear()
        for name, value in changes.items():
            setattr(self, name, value)
        self._drawn = None
        self.refresh()

    def walk(self, before: Cell | None, lasting: float) -> None:
        """Let the actor be seen on his way from a cell of the plan as it was, for some seconds."""
        after = self.drawing.where.get(self.actor or "")
        if before is None or after is None or before == after:
            return
        rows, cols = after[0] - before[0], after[1] - before[1]
        number = min(STRIDES, max(abs(rows), abs(cols) // 2) - 1)
        self._strides = [
            (before[0] + rows * n // (number + 1), before[1] + cols * n // (number + 1)) for n in range(number + 1)
        ]
        if self._walking is not None:
            self._walking.stop()
        self._walking = self.set_interval(lasting / (STRIDES + 2), self._stride)
        self._drawn = None

    def _stride(self) -> None:
        if self._strides:
            self._strides.pop(0)
            self._drawn = None
            self.refresh()
        elif self._walking is not None:
            self._walking.stop()
            self._walking = None

    def turn(self) -> None:
        """The next view; that of the phase is not forced, so that it goes with the phase again."""
        views = ("feast", "shooting", "gate")
        wanted = views[(views.index(self.drawing.view) + 1) % len(views)]
        self.show(forced=None)
        if self.drawing.view != wanted:
            self.show(forced=wanted)

    @property
    def drawing(self) -> plan.Drawing:
        """The plan as it is now."""
        if self._drawn is None:
            known = {p: r for p, r in self.state["persons"].items() if r.get("at") in self.words.places}
            self._drawn = plan.draw(
                {**self.state, "persons": known},
                self.words,
                me=self.me,
                phase=self.phase,
                view=self.forced,
                wide=self.size.width >= 76,
                actor=self.actor,
                addressed=self.addressed,
                path=self.path if not self._strides else (),
                heading=self.heading,
                strides={self.actor: self._strides[0]} if self.actor and self._strides else None,
            )
        return self._drawn

    def on_resize(self) -> None:
        """Another size, another plan."""
        self._drawn = None

    def render_line(self, y: int) -> Strip:
        """One row of the plan."""
        light = not self.app.current_theme.dark
        rows = self.drawing.rows
        if y >= len(rows):
            return Strip.blank(self.size.width, style("ground", light))
        segments = [Segment(run.text, look(run.style, light)) for run in rows[y]]
        return Strip(segments).adjust_cell_length(self.size.width, style("ground", light))

    def on_click(self, event: events.Click) -> None:
        """Say what was clicked."""
        found = self.drawing.at(event.y, event.x)
        if found is not None:
            self.post_message(self.Clicked(found.kind, found.name))


class Stage(Vertical):
    """The head line over plan, text and account; shows frames."""

    def __init__(self, seat: Seat, ahead: bool) -> None:
        super().__init__(id="stage")
        self.seat = seat
        self.ahead = ahead
        """Whether the text to come may be read."""
        self.clauses: dict[int, list[Clause]] = {}
        for clause in seat.session.book.clauses.values():
            self.clauses.setdefault(clause.phase_number, []).append(clause)
        self.phase = ""
        self._performed = frozenset(
            clause for node in seat.session.ceremony.rite.nodes if isinstance(node, Act) for clause in node.clauses
        )
        self._enacted: dict[str, set[str]] = {}
        """Of each phase shown, the clauses enacted."""
        self.headline = Static(id="head")
        self.plan = PlanView(seat, id="plan")
        """The site plan."""
        self.text = TextPane(id="text")
        """The base text."""
        self.account = Account(id="account")
        """What has happened."""

    def compose(self) -> ComposeResult:
        """Head line, then plan beside text and account."""
        yield self.headline
        with Horizontal(id="scene"):
            yield self.plan
            with Vertical():
                yield self.text
                yield self.account

    def head(self, left: str, right: str) -> None:
        """The head line."""
        width = self.app.size.width
        room = max(0, width - 2 - Text(right).cell_len)
        text = Text(" " + left)
        text.truncate(room, pad=True)
        text.append(" " + right)
        self.headline.update(text)

    def turn_to(self, phase: str) -> None:
        """Open the text of a phase, as far as it has been enacted."""
        if not phase or phase == self.phase:
            return
        if self.phase:
            self._enacted[self.phase] = self.text.enacted
        self.phase = phase
        number = int(phase.split("-")[0])
        self.text.open(self.clauses.get(number, []), self.ahead, self._performed, self._enacted.get(phase, ()))
        self.plan.show(phase=number)

    @property
    def progress(self) -> tuple[int, int]:
        """Clauses of this phase enacted, and all."""
        return sum(self.text.past()), len(self.text.clauses)

    def show(self, frame: Frame, told: bool = True, lasting: float = 0.0) -> None:
        """One line of a session, with the world as it left it; a walk is seen for ``lasting`` seconds."""
        line = frame.line
        if line.get("phase") and line["t"] in ("phase", "act", "omission", "shot") and line.get("edge") != "终":
            self.turn_to(line["phase"])
        self.text.light(line.get("clauses") or [])
        if line["t"] == "phase" and line["edge"] == "终" and line["phase"] == self.phase:
            self.text.close()
        actor = line.get("person") if line["t"] == "act" else None
        members = self.seat.session.ceremony.words.roster.members
        to = tuple(m for t in line.get("to") or () for m in members(t))
        before = self.plan.state["persons"].get(actor or "", {}).get("at")
        after = frame.state["persons"].get(actor or "", {}).get("at")
        walked = (before, after) if before and after and before != after else ()
        started = self.plan.drawing.where.get(actor or "") if walked and lasting else None
        self.plan.show(state=frame.state, actor=actor, addressed=to, path=walked, heading="")
        if started is not None:
            self.plan.walk(started, lasting)
        if told:
            self.account.tell(line, self.seat, actor is not None and actor == self.plan.me)

    def clear(self) -> None:
        """Forget everything shown, before it is told again."""
        self.account.clear()
        self.phase = ""
        self._enacted.clear()


__all__ = ["STAGE_CSS", "PlanView", "Stage", "StageScreen"]
