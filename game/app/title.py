"""The title screen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from rich.segment import Segment
from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.message import Message
from textual.screen import Screen
from textual.strip import Strip
from textual.widget import Widget
from textual.widgets import Static

from game import __version__
from game.app.i18n import _, other_language, use
from game.app.keybar import pressed
from game.app.theme import style, turn

if TYPE_CHECKING:
    pass

TITLE_CSS = """
TitleScreen { align: center middle; }
#title { width: 78; height: 22; }
#menu { width: 36; height: 14; }
#emblem { width: 42; height: 20; dock: right; }
#title-foot { dock: bottom; color: $foreground 75%; height: 2; }
TitleScreen #small { display: none; width: 100%; height: 100%; content-align: center middle; }
"""

EMBLEM = (
    ":右个::::::::::::::::::::::::::::::左个:",
    "          %%%%%%%%%%%%%%%%%%%%          ",
    "               ::::::::::               ",
    "               ::::::::::               ",
    "               :::鹿豕:::               ",
    "               ::::::::::               ",
    "               ::::::::::               ",
    "          %%%%%%%%%%%%%%%%%%%%          ",
    "     ::::::::::::::::::::::::::::::     ",
)
"""The district target to its own measures (P53.013–018): a column is a 尺, a row two; seen by the archer."""


@dataclass(frozen=True)
class Item:
    """One line of a menu: the key that takes it, what it does, and what is said beside it."""

    key: str
    name: str
    does: str
    beside: str = ""


class Menu(Widget):
    """A short list: digit, letter, arrows, j k, Enter, click."""

    can_focus = True

    class Taken(Message):
        """An item was taken."""

        def __init__(self, name: str) -> None:
            self.name = name
            super().__init__()

    def __init__(self, items: list[Item], id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self.items = items
        self.at = 0

    def render_line(self, y: int) -> Strip:
        """One item on every other row."""
        light = not self.app.current_theme.dark
        ground = style("ground", light)
        if y % 2 or y // 2 >= len(self.items):
            return Strip.blank(self.size.width, ground)
        item = self.items[y // 2]
        chosen = y // 2 == self.at
        text = f"{'▸' if chosen else ' '} {y // 2 + 1} {item.key}  {item.does}  {item.beside}"
        look = style("lit", light) if chosen else ground + style("ink", light)
        return Strip([Segment(text, look)]).adjust_cell_length(self.size.width, ground)

    def on_key(self, event: events.Key) -> None:
        """Move or take."""
        key = pressed(event)
        if key in ("down", "j", "up", "k"):
            self.at = (self.at + (1 if key in ("down", "j") else -1)) % len(self.items)
            self.refresh()
        elif key in ("home", "end"):
            self.at = 0 if key == "home" else len(self.items) - 1
            self.refresh()
        elif key == "enter":
            self.post_message(self.Taken(self.items[self.at].name))
        elif key.isdecimal() and 1 <= int(key) <= len(self.items):
            self.post_message(self.Taken(self.items[int(key) - 1].name))
        else:
            item = next((i for i in self.items if i.key == key), None)
            if item is None:
                return
            self.post_message(self.Taken(item.name))
        event.stop()

    def on_click(self, event: events.Click) -> None:
        """Take the item clicked."""
        n = event.y // 2
        if n < len(self.items) and not event.y % 2:
            self.at = n
            self.refresh()
            self.post_message(self.Taken(self.items[n].name))


class Emblem(Widget):
    """The district target."""

    def render_line(self, y: int) -> Strip:
        """Cloth as ground, the two beasts on cinnabar."""
        light = not self.app.current_theme.dark
        ground = style("ground", light)
        row = EMBLEM[y - 3] if 3 <= y < 3 + len(EMBLEM) else ""
        segments = []
        for c in row:
            name = "cloth2" if c == "%" else "heart" if c in "鹿豕" else "ground" if c == " " else "silk"
            segments.append(Segment(c, style(name, light)))
        return Strip(segments or [Segment(" ", ground)]).adjust_cell_length(self.size.width, ground)


class TitleScreen(Screen[None]):
    """Continue, play, watch, drill, replay, quit."""

    def __init__(self, items: list[Item]) -> None:
        super().__init__()
        self.items = items

    def compose(self) -> ComposeResult:
        """Menu and emblem."""
        yield Static(id="small")
        with Vertical(id="title"):
            yield Static(id="title-head")
            yield Emblem(id="emblem")
            yield Menu(self.items, id="menu")
            yield Static(id="title-foot")

    def on_mount(self) -> None:
        """The menu listens."""
        self.relabel(self.items)
        self.query_one(Menu).focus()

    def on_resize(self) -> None:
        """A line for a window that is too small; the keys are the same."""
        width, height = self.app.size
        small = width < 80 or height < 24
        self.query_one("#title").display = not small
        self.query_one("#small").display = small
        self.query_one("#small", Static).update(
            Text(_("The rite needs 80 × 24; this is {w} × {h}. Make the window larger.", w=width, h=height))
        )

    def relabel(self, items: list[Item]) -> None:
        """The words anew."""
        self.items = items
        menu = self.query_one(Menu)
        menu.items = items
        menu.at = min(menu.at, len(items) - 1)
        menu.refresh()
        light = not self.app.current_theme.dark
        self.query_one("#title-head", Static).update(
            Text(f" 乡射礼  xiangshe {__version__}\n " + _("The District Archery Ceremony"), style=style("bar", light))
        )
        foot = _("e 中文/English  v dark, light  ? help  digits, letters, arrows, Enter, mouse")
        self.query_one("#title-foot", Static).update(Text(" " + foot))
        self.query_one(Emblem).refresh()

    def say(self, text: str) -> None:
        """One line at the foot."""
        self.query_one("#title-foot", Static).update(Text(" " + text))

    def on_key(self, event: events.Key) -> None:
        """Language, theme, help; anything else says that it does nothing."""
        key = pressed(event)
        if key == "e":
            use(other_language())
            self.app.relabel()  # type: ignore[attr-defined]
        elif key == "v":
            turn(self.app)
            self.app.relabel()  # type: ignore[attr-defined]
        elif key in ("?", "escape"):
            self.say(_("Choose with a digit, a letter or the arrows and Enter. New here: 2, then Enter."))
        else:
            self.say(_("The key {key} does nothing here.", key=key))
