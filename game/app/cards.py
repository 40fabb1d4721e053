"""Cards laid over a screen: reasons, help, lists to read or to take one thing from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, TypeVar

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from game.app.i18n import _
from game.app.once import LeftOnce

T = TypeVar("T")
WIDTH, HEIGHT = 80, 24
"""The least that the screens need, in cells."""


def too_small(width: int, height: int) -> str:
    """What is said instead of a screen that has no room."""
    return _("The rite needs 80 × 24; this is {w} × {h}. Make the window larger.", w=width, h=height)


def table(rows: Sequence[tuple[str, str]]) -> Text:
    """Two columns, the first bold."""
    width = max(cell_len(left) for left, _right in rows) + 2
    text = Text()
    for left, right in rows:
        text.append(left + " " * (width - cell_len(left)), "bold")
        text.append(right + "\n")
    return text


class Hanging:
    """Text of which each line, where it is too long, goes on below set in by some cells."""

    def __init__(self, text: Text, indent: int) -> None:
        self.text, self.indent = text, indent

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Line by line."""
        for line in self.text.split(allow_blank=True):
            whole = [line] if line.cell_len <= options.max_width else []
            for n, part in enumerate(whole or line.wrap(console, max(10, options.max_width - self.indent))):
                yield Text(" " * self.indent) + part if n else part


class Over(LeftOnce[T], ModalScreen[T]):
    """What is laid over a screen: a polite line where the terminal is too small for it."""

    def on_resize(self) -> None:
        """Show the line, or what is laid over."""
        width, height = self.app.size
        small = width < WIDTH or height < HEIGHT
        self.query_one("#card").display = not small
        if small and not self.query("#small"):
            self.mount(Static(Text(too_small(width, height)), id="small"))
        for line in self.query("#small"):
            line.display = small

    def on_click(self, event: events.Click) -> None:
        """A click beside what is laid over closes it."""
        if event.widget is self:
            self.dismiss()


class Card(Over[None]):
    """Something to read. Any of Esc, Enter, q closes it; C copies it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,enter,q,w,question_mark", "dismiss_card", show=False),
        Binding("C", "copy", show=False),
    ]

    def __init__(self, title: str, body: Text | str, indent: int = 2) -> None:
        """``indent``: how far a line that is too long is set in where it goes on."""
        super().__init__()
        self._indent = indent
        self._title = title
        self._body = body if isinstance(body, Text) else Text(body)

    def compose(self) -> ComposeResult:
        """Title, text, what one can do."""
        with Vertical(id="card"):
            yield Static(Text(self._title), id="card-title")
            with VerticalScroll(id="card-body"):
                yield Static(Hanging(self._body, self._indent))
            yield Static(Text(_("Esc back   C copy   arrows scroll")), id="card-foot")

    def on_mount(self) -> None:
        """Arrows scroll at once."""
        self.query_one("#card-body").focus()

    def action_dismiss_card(self) -> None:
        """Close."""
        self.dismiss()

    def action_copy(self) -> None:
        """Copy the text."""
        self.app.copy_to_clipboard(self._body.plain)
        self.notify(_("Copied."), markup=False, timeout=2)


class Pick(Over[int | None]):
    """A list of which one line may be taken; answers its position, or None."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,q", "leave", show=False)]

    def __init__(self, title: str, lines: Sequence[Text | str], at: int = 0) -> None:
        super().__init__()
        self._title, self._lines, self._at = title, lines, at

    def compose(self) -> ComposeResult:
        """Title, list, what one can do."""
        with Vertical(id="card"):
            yield Static(Text(self._title), id="card-title")
            yield OptionList(*(Option(x if isinstance(x, Text) else Text(x)) for x in self._lines), markup=False)
            yield Static(Text(_("Enter take   Esc back   arrows, PgUp, PgDn move")), id="card-foot")

    def on_mount(self) -> None:
        """The line in use is marked."""
        options = self.query_one(OptionList)
        options.focus()
        if self._lines:
            options.highlighted = min(self._at, len(self._lines) - 1)

    def on_key(self, event: events.Key) -> None:
        """j and k move as well."""
        if event.key in ("j", "k"):
            options = self.query_one(OptionList)
            options.action_cursor_down() if event.key == "j" else options.action_cursor_up()
            event.stop()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Taken."""
        self.dismiss(event.option_index)

    def action_leave(self) -> None:
        """Nothing taken."""
        self.dismiss(None)
