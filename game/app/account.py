"""What has happened, one line an act, the last one at the bottom."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from typing import Any, Self

from rich.text import Text
from textual.events import Resize
from textual.widgets import RichLog

from game.app.i18n import language
from game.app.theme import style
from game.clean import clean
from game.seat import Seat
from game.session import telling
from game.session.telling import follow

KEPT = 1500
"""Lines kept in view; the journal has them all."""
_INDENT = "  "


def grade(name: str) -> str:
    """A grade in the language in use."""
    return telling.grade(name, language() == "en")


def faulty(verdict: Mapping[str, Any], seat: Seat) -> str:
    """A grade with the kinds of its faults, in the language in use."""
    return clean(telling.faulty(verdict, seat.session.explainer, language() == "en"))


def sentence(line: Mapping[str, Any], seat: Seat, english: bool, offices: Mapping[str, str] | None = None) -> str:
    """One journal line in a few words, as it may be shown; empty for lines that tell nothing to a reader."""
    return clean(telling.sentence(line, seat.session.explainer, english, offices))


def phase_name(seat: Seat, phase: str, english: bool) -> str:
    """A phase by its number and name."""
    return clean(telling.phase_name(phase, seat.session.explainer, english))


class Account(RichLog):
    """The account of acts; scrolls by wheel and keys."""

    can_focus = False
    DEFAULT_CSS = (
        "Account { background: $background; scrollbar-size-vertical: 1; scrollbar-color: $panel; padding: 0 0 0 1; }"
    )

    def __init__(self, id: str | None = None) -> None:  # noqa: A002
        super().__init__(max_lines=KEPT, wrap=True, markup=False, highlight=False, min_width=10, id=id)
        self.told: deque[Text] = deque(maxlen=KEPT)
        """What has been told, to be set anew for another width."""
        self.offices: dict[str, str] = {}
        """Who had which office at the line told last."""
        self._set_for = 0

    def on_resize(self, event: Resize) -> None:
        """Lines are set for a width; the last one stays in view."""
        width = self.size.width
        if self._set_for not in (0, width) and self.told:
            super().clear()
            for text in self.told:
                self._set(text)
        self._set_for = width
        self.scroll_end(animate=False)

    def clear(self) -> Self:
        """Forget all."""
        self.told.clear()
        return super().clear()

    def _put(self, text: Text) -> None:
        self.told.append(text)
        self._set(text)

    def _set(self, text: Text) -> None:
        """Write a text with what goes on below its first line set in."""
        width = self.size.width - 2
        if width < 10:
            self.write(text)
            return
        lines = text.wrap(self.app.console, width - len(_INDENT))
        for n, line in enumerate(lines):
            self.write(Text(_INDENT) + line if n else line)

    def note(self, text: str) -> None:
        """Something said of the line told last."""
        light = not self.app.current_theme.dark
        self._put(Text(f"{_INDENT}{clean(text)}", style=style("amber", light)))

    def tell(self, line: Mapping[str, Any], seat: Seat, mine: bool = False) -> None:
        """Add one journal line, if it tells anything."""
        light = not self.app.current_theme.dark
        follow(self.offices, line)
        text = sentence(line, seat, language() == "en", self.offices)
        if not text:
            return
        faults = line.get("verdict", {}).get("faults") if isinstance(line.get("verdict"), dict) else None
        shown = Text(
            text, style=style("gold" if mine else "ink", light) if line["t"] != "phase" else style("dim", light)
        )
        if faults:
            given = line["verdict"]["grade"]
            shown.append(
                " — " + faulty(line["verdict"], seat),
                style("amber" if given == "小失" else "cinnabar", light),
            )
        self._put(shown)
