"""The palette: what is offered, with measure, recipient, place and facing to set; and the compass for the mouse."""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import Any, NamedTuple

from rich.cells import cell_len, set_cell_size
from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from game.app.theme import style
from game.palette import Choice
from game.seat import Seat

COMPASS = (("西北", "北", "东北"), ("西", "", "东"), ("西南", "南", "东南"))
LETTERS = {"西北": "y", "北": "k", "东北": "u", "西": "h", "东": "l", "西南": "b", "南": "j", "东南": "n"}
_ARROWS = {"西北": "▘", "北": "▴", "东北": "▝", "西": "◂", "东": "▸", "西南": "▖", "南": "▾", "东南": "▗"}
_COMPASS_WIDTH = 12
_UNDERLINE = Style(underline=True)
_BETWEEN = " ▸ "
_DOTS = ".."


class Row(NamedTuple):
    """One row of the palette: the choice that it belongs to, and its texts with the names of their styles."""

    choice: int | None
    runs: list[tuple[str, str]]


class Palette(Widget):
    """The choices, one a row; the chosen one is marked and may be changed before it is done."""

    DEFAULT_CSS = "Palette { background: $panel; }"

    class Chosen(Message):
        """A row was clicked; ``again`` if it was chosen already."""

        def __init__(self, number: int, again: bool) -> None:
            self.number, self.again = number, again
            super().__init__()

    class Faced(Message):
        """A cell of the compass was clicked."""

        def __init__(self, facing: str) -> None:
            self.facing = facing
            super().__init__()

    class Changed(Message):
        """Another row is chosen, or the chosen one was changed."""

    def __init__(self, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self.choices: list[Choice] = []
        self.chosen: int | None = None
        self.focused_act = 0
        self.seat: Seat | None = None
        self.english = False
        self.below = ""
        """What is said under the choices."""
        self.note = ""
        """What stands here while there is nothing to choose."""
        self._rows: list[Row] | None = None
        """As they were last laid out; None when anything has changed since."""

    def offer(self, choices: Sequence[Choice], seat: Seat, english: bool, note: str = "") -> None:
        """Put up new choices; none is chosen, so that no default gives the right one away. A single one is."""
        self.choices, self.seat, self.english, self.note, self.below = list(choices), seat, english, note, ""
        self.chosen = 0 if len(choices) == 1 else None
        self.focused_act = len(choices[0].acts) - 1 if len(choices) == 1 else 0
        self._changed()

    def tell(self, english: bool) -> None:
        """The same choices, in this language."""
        self.english = english
        self._redraw()

    def tell_below(self, text: str) -> None:
        """Say something under the choices, as far as there is room."""
        self.below = text
        self._redraw()

    def choose(self, number: int) -> bool:
        """Choose a row; False if there is none of that number."""
        if not 0 <= number < len(self.choices):
            return False
        self.chosen = number
        self.focused_act = len(self.choices[number].acts) - 1
        self._changed()
        return True

    def unchoose(self) -> None:
        """Choose nothing."""
        self.chosen = None
        self._changed()

    def _changed(self) -> None:
        self._redraw()
        self.post_message(self.Changed())

    def _redraw(self) -> None:
        self._rows = None
        self.refresh()

    def on_resize(self) -> None:
        """Another width, other rows."""
        self._rows = None

    @property
    def act(self) -> dict[str, Any] | None:
        """The act that is being set, of the chosen row."""
        if self.chosen is None:
            return None
        return dict(self.choices[self.chosen].acts[self.focused_act])

    def next_act(self) -> bool:
        """Go to the next act of the chosen phrase; False if there is no other."""
        if self.chosen is None or len(self.choices[self.chosen].acts) < 2:
            return False
        self.focused_act = (self.focused_act + 1) % len(self.choices[self.chosen].acts)
        self._redraw()
        return True

    def change(self, **values: Any) -> None:
        """Set fields of the act that is being set."""
        if self.chosen is None:
            return
        choice = self.choices[self.chosen]
        acts = list(choice.acts)
        acts[self.focused_act] = {**acts[self.focused_act], **values}
        self.choices[self.chosen] = Choice(tuple(acts), choice.right)
        self._changed()

    def rows(self) -> list[Row]:
        """The choices, the chosen one in full over as many rows as it takes; then what is to be said below them."""
        if self._rows is None:
            self._rows = self._laid_out()
        return self._rows

    def _laid_out(self) -> list[Row]:
        width = self.size.width - _COMPASS_WIDTH - 1
        if not self.choices or self.seat is None:
            return [Row(None, [(f" {line}", "dim")]) for line in wrapped(self.note, width - 1)]
        phrases = [self.seat.acts_in_words(choice, self.english) for choice in self.choices]
        told = telling(phrases)
        shown = [p if _length(p) <= width - 3 else _short(p, told[n]) for n, p in enumerate(phrases)]
        texts = apart([_BETWEEN.join(words) for words in shown], width - 3)
        found: list[Row] = []
        for n, phrase in enumerate(phrases):
            if n == self.chosen:
                found += self._in_full(n, phrase, width)
            else:
                found.append(Row(n, [(f" {n + 1} ", "gold"), (texts[n], "ink")]))
        below = [Row(None, [(f" {line}", "dim")]) for line in wrapped(self.below, width - 1)]
        return self._in_view(found) + below

    def _in_full(self, number: int, phrase: Sequence[str], width: int) -> list[Row]:
        rows = [Row(number, [("▸", "gold"), (f"{number + 1} ", "gold")])]
        used = 3
        for i, words in enumerate(phrase):
            if i and used + 2 * cell_len(_BETWEEN) + cell_len(words) > width:
                rows[-1].runs.append((_BETWEEN.rstrip(), "dim"))
                rows.append(Row(number, [("   ", "ink")]))
                used = 3
            elif i:
                rows[-1].runs.append((_BETWEEN, "dim"))
                used += 3
            rows[-1].runs.append((words, "act" if i == self.focused_act else "lit"))
            used += cell_len(words)
        return rows

    def _in_view(self, rows: list[Row]) -> list[Row]:
        """As many rows as there are, so that all of the chosen one is seen."""
        spare = len(rows) - self.size.height
        if spare <= 0 or self.chosen is None:
            return rows
        last = max(i for i, row in enumerate(rows) if row.choice == self.chosen)
        return rows[min(spare, max(0, last + 1 - self.size.height)) :]

    def render_line(self, y: int) -> Strip:
        """One row of the palette, with its part of the compass at the right."""
        light = not self.app.current_theme.dark
        panel = style("panel", light)
        width = self.size.width - _COMPASS_WIDTH
        segments: list[Segment] = []
        used = 0
        rows = self.rows()
        for text, name in rows[y].runs if y < len(rows) else []:
            look = style("lit", light) + _UNDERLINE if name == "act" else style(name, light)
            if name not in ("lit", "act"):
                look = panel + look
            if used + cell_len(text) > width:
                text = _cut(text, width - used)
            segments.append(Segment(text, look))
            used += cell_len(text)
        segments.append(Segment(" " * (width - used), panel))
        segments += self._compass(y, light)
        return Strip(segments).adjust_cell_length(self.size.width, panel)

    def _compass(self, y: int, light: bool) -> list[Segment]:
        panel = style("panel", light)
        if y >= len(COMPASS):
            return []
        act = self.act
        set_to = str((act or {}).get("facing") or "")
        segments = []
        for facing in COMPASS[y]:
            text = f"{_ARROWS[facing]}{LETTERS[facing]}  " if facing else ("面  " if not self.english else "    ")
            segments.append(
                Segment(text, style("lit", light) if facing and facing == set_to else panel + style("dim", light))
            )
        return segments

    def on_click(self, event: events.Click) -> None:
        """Choose a row, or face a way."""
        left = self.size.width - _COMPASS_WIDTH
        if event.x >= left:
            if event.y < len(COMPASS):
                facing = COMPASS[event.y][min(2, (event.x - left) // 4)]
                if facing:
                    self.post_message(self.Faced(facing))
            return
        rows = self.rows()
        choice = rows[event.y].choice if event.y < len(rows) else None
        if choice is not None:
            self.post_message(self.Chosen(choice, choice == self.chosen))


def telling(phrases: Sequence[Sequence[str]]) -> list[list[bool]]:
    """Of each act of each phrase, whether most phrases that have something in common with it are without it."""
    found = []
    for n, phrase in enumerate(phrases):
        shared: list[set[int]] = []
        for other in (p for m, p in enumerate(phrases) if m != n):
            matched = SequenceMatcher(None, phrase, other, autojunk=False).get_matching_blocks()
            shared.append({i for block in matched for i in range(block.a, block.a + block.size)})
        kin = [common for common in shared if common]
        found.append([2 * sum(i in common for common in kin) < len(kin) for i in range(len(phrase))])
    return found


def _short(phrase: Sequence[str], tells: Sequence[bool]) -> list[str]:
    """The acts that tell a phrase from the others, dots for those between; all of it where none does."""
    if not any(tells):
        return list(phrase)
    short: list[str] = []
    for act, tell in zip(phrase, tells, strict=True):
        if tell:
            short.append(act)
        elif short[-1:] != [_DOTS]:
            short.append(_DOTS)
    return short


def apart(texts: Sequence[str], width: int) -> list[str]:
    """Texts of at most ``width`` cells, each cut so that what tells it from every other is still seen."""
    found = []
    for n, text in enumerate(texts):
        if cell_len(text) <= width:
            found.append(text)
            continue
        others = [other for m, other in enumerate(texts) if m != n]
        differs = max((_common(text, other) for other in others), default=0)
        start = 0
        # From the act in which it parts from the one most like it, if that is beyond what can be seen.
        if cell_len(text[: differs + 4]) > width - 1:
            start = max(text.rfind(_BETWEEN, 0, differs) + len(_BETWEEN), 0)
            if cell_len(text[start : differs + 4]) > width - len(_DOTS) - 2:
                start = differs
        rest = f"{_DOTS} {text[start:]}" if start else text
        found.append(rest if cell_len(rest) <= width else _cut(rest, width))
    return found


def _common(one: str, other: str) -> int:
    """How many graphs two texts have in common at their beginning."""
    return next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


def _length(acts: Sequence[str]) -> int:
    """Cells of some acts with the marks between them."""
    return sum(cell_len(act) + 3 for act in acts) - 3


def wrapped(text: str, width: int) -> list[str]:
    """A text in lines of at most ``width`` cells, broken between words, or between graphs where there are none."""
    lines: list[str] = []
    for part in text.splitlines():
        line = ""
        for word in re.findall(r"[!-~]+ *|.", part):
            if line and cell_len(line + word.rstrip()) > width:
                lines.append(line.rstrip())
                line = ""
            line += word
        lines.append(line.rstrip())
    return lines


def _cut(text: str, width: int) -> str:
    """At most ``width`` cells of a text; what is left out is shown by a tilde."""
    return set_cell_size(text, max(0, width - 1)) + "~" if width > 0 else ""
