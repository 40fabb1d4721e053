"""The setting up of a session: who, at what level, which phases."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING

from rich.cells import cell_len, set_cell_size
from rich.segment import Segment
from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget
from textual.widgets import Static

from game.app.i18n import _, language, told
from game.app.keybar import pressed
from game.app.once import LeftOnce
from game.app.theme import style

if TYPE_CHECKING:
    from game.rite.book import Book

SETUP_CSS = """
SetupScreen { align: center middle; }
#setup { width: 78; height: 22; }
#setup-foot { dock: bottom; color: $foreground 75%; height: 1; }
#setup-head { height: 2; }
#rows { height: 12; }
#setup-score { height: 4; margin: 1 0 0 1; color: $foreground 75%; }
"""

LEVELS = ("童子", "士", "君子")
LAST_SEED = 2**31 - 1


@dataclass
class Choices:
    """What a session is set up with; each row has a list to choose from."""

    scenario: str = "常"
    role: str = "宾"
    level: str = "士"
    first: str = ""
    last: str = ""
    seed: int = 1
    kind: str = "play"
    rows: tuple[str, ...] = field(default=("role", "level", "first", "last", "scenario", "seed"))

    def kept(self) -> dict[str, str | int]:
        """What is worth keeping for the next time."""
        return {name: getattr(self, name) for name in ("scenario", "role", "level", "first", "last", "seed")}

    def recall(self, kept: object, book: Book) -> None:
        """Take over what was chosen the last time, as far as it is still to be had."""
        if not isinstance(kept, dict):
            return
        known = {"scenario": set(book.scenarios), "level": set(LEVELS), "first": set(book.raw.phases)}
        known["last"] = known["first"]
        for name, words in known.items():
            if kept.get(name) in words:
                setattr(self, name, kept[name])
        if isinstance(kept.get("role"), str):
            self.role = kept["role"]
        seed = kept.get("seed")
        if isinstance(seed, int) and not isinstance(seed, bool) and 0 <= seed <= LAST_SEED:
            self.seed = seed


@cache
def parts(book: Book, scenario: str) -> dict[str, dict[str, int]]:
    """Of each phase in which somebody acts, who; in the order of the phases."""
    from game.session.acting import acting

    options = book.scenarios[scenario].options
    return acting(book.rite(options, book.words(options)))


@cache
def to_be_played(book: Book, scenario: str, first: str, last: str) -> list[str]:
    """Everybody who has something to do in a range of phases, in roster order."""
    of = parts(book, scenario)
    order = list(book.phase_texts)
    wanted = order[order.index(first) : order.index(last) + 1]
    found = {person for phase in wanted for person in of.get(phase, ())}
    return [p.id for p in book.words(book.scenarios[scenario].options).roster.persons if p.id in found]


class Form(Widget):
    """Rows of a label and a value; up and down choose a row, left and right change it."""

    can_focus = True

    def __init__(self, choices: Choices, book: Book, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self.choices, self.book = choices, book
        self.at = 0
        self.mend()

    @property
    def phases(self) -> list[str]:
        """The phases that can be played: in which somebody has something to do."""
        return list(parts(self.book, self.choices.scenario))

    def options(self, row: str) -> list[str]:
        """What a row may be set to."""
        c = self.choices
        if row == "role":
            return to_be_played(self.book, c.scenario, c.first, c.last)
        if row == "level":
            return list(LEVELS)
        if row == "scenario":
            return list(self.book.scenarios)
        if row == "last":
            return self.phases[self.phases.index(c.first) :]
        return self.phases

    def mend(self) -> None:
        """Values that fit each other: the last phase not before the first, a role that acts there."""
        c, phases = self.choices, self.phases
        if c.first not in phases:
            c.first = phases[0]
        if c.last not in phases or phases.index(c.last) < phases.index(c.first) or "last" not in c.rows:
            c.last = c.first
        if "role" in c.rows:
            roles = self.options("role")
            if c.role not in roles:
                c.role = roles[0]

    def change(self, by: int) -> None:
        """Set the row to its next value."""
        row = self.choices.rows[self.at]
        if row == "seed":
            self.choices.seed = max(0, min(LAST_SEED, self.choices.seed + by))
        else:
            options = self.options(row)
            now = getattr(self.choices, row)
            n = options.index(now) if now in options else 0
            setattr(self.choices, row, options[(n + by) % len(options)])
        self.mend()
        self.refresh()

    def render_line(self, y: int) -> Strip:
        """One row on every other line; what is too long for it goes on below."""
        light = not self.app.current_theme.dark
        ground = style("ground", light)
        if y // 2 >= len(self.choices.rows):
            return Strip.blank(self.size.width, ground)
        row = self.choices.rows[y // 2]
        value = str(getattr(self.choices, row))
        room = self.size.width - 20 - cell_len(f"◂ {value} ▸  ")
        gloss, more = _in_two(self.gloss(row, value), room)
        if y % 2:
            return Strip([Segment(" " * 4 + more, ground)]).adjust_cell_length(self.size.width, ground)
        labels = {
            "role": _("role"), "level": _("level"),
            "first": _("from phase") if "last" in self.choices.rows else _("phase"), "last": _("to phase"),
            "scenario": _("who is present"), "seed": _("seed"),
        }  # fmt: skip
        chosen = y // 2 == self.at
        look = style("lit", light) if chosen else ground + style("ink", light)
        label = Text(f"{'▸' if chosen else ' '} {labels[row]}")
        label.truncate(20, pad=True)
        segments = [
            Segment(label.plain, look),
            Segment(f"◂ {value} ▸", look),
            Segment("  " + gloss, ground),
        ]
        return Strip(segments).adjust_cell_length(self.size.width, ground)

    def gloss(self, row: str, value: str) -> str:
        """What a value means."""
        english = language() == "en"
        if row == "level":
            return {
                "童子": _("told what is due and why"),
                "士": _("the due act among wrong ones"),
                "君子": _("nothing told; you type"),
            }[value]
        if row == "seed":
            return _("which wrong choices level 士 offers, in which order")
        if row in ("first", "last") and english:
            return self.book.phase_texts[value].english
        if row == "scenario":
            found = self.book.scenarios[value]
            return found.en if english else found.zh
        if row == "role":
            words = self.book.words(self.book.scenarios[self.choices.scenario].options)
            person = next((p for p in words.roster.persons if p.id == value), None)
            if person is None:
                return ""
            return f"{person.en} {person.pinyin}" if english else person.pinyin
        return ""

    def on_key(self, event: events.Key) -> None:
        """Rows and values."""
        key = event.key
        if key in ("up", "k", "down", "j", "tab", "shift+tab"):
            self.at = (self.at + (1 if key in ("down", "j", "tab") else -1)) % len(self.choices.rows)
            self.refresh()
        elif key in ("left", "h", "minus", "right", "l", "plus", "space"):
            self.change(-1 if key in ("left", "h", "minus") else 1)
        elif key.isdecimal() and self.choices.rows[self.at] == "seed":
            seed = int(f"{self.choices.seed}{key}")
            self.choices.seed = seed if seed <= LAST_SEED else int(key)
            self.refresh()
        elif key == "backspace" and self.choices.rows[self.at] == "seed":
            self.choices.seed //= 10
            self.refresh()
        elif key.isdecimal() and 1 <= int(key) <= len(self.choices.rows):
            self.at = int(key) - 1
            self.refresh()
        else:
            return
        event.stop()
        event.prevent_default()

    def on_click(self, event: events.Click) -> None:
        """A click on a row chooses it; on its value it changes it, right half forwards, left mark backwards."""
        n = event.y // 2
        if n < len(self.choices.rows) and not event.y % 2:
            if n == self.at or event.x >= 20:
                self.at = n
                self.change(-1 if event.x in (20, 21) else 1)
            self.at = n
            self.refresh()


def _in_two(text: str, room: int) -> tuple[str, str]:
    """A text cut where it goes on below: between words, or between graphs where there are none."""
    if cell_len(text) <= room:
        return text, ""
    cut = set_cell_size(text, room).rstrip()
    at = cut.rfind(" ") if " " in cut else len(cut)
    return text[:at], text[at:].strip()


class SetupScreen(LeftOnce[Choices | None]):
    """Role, scenario, level, seed, phases."""

    CSS = SETUP_CSS

    def __init__(self, choices: Choices, book: Book, title: str) -> None:
        super().__init__()
        self.choices, self.book, self._title = choices, book, title

    def compose(self) -> ComposeResult:
        """The form."""
        with Vertical(id="setup"):
            yield Static(Text(" " + self._title), id="setup-head")
            yield Form(self.choices, self.book, id="rows")
            yield Start(id="start")
            yield Static(id="setup-score")
            yield Static(
                Text(" " + _("up, down a row   left, right its value   Enter begin   ? keys   Esc back")),
                id="setup-foot",
            )

    def on_mount(self) -> None:
        """The form listens; how acts are scored is told before any is judged."""
        from game.session.breakdown import formula

        zh, en = formula(self.book.faults)
        self.query_one("#setup-score", Static).update(Text(told({"zh": zh, "en": en})))
        self.query_one(Form).focus()

    def on_key(self, event: events.Key) -> None:
        """Begin, or go back."""
        if event.key == "enter":
            self.dismiss(self.choices)
        elif event.key in ("escape", "q"):
            self.dismiss(None)
        elif pressed(event) == "?":
            from game.app.cards import Card, table

            # The card that is laid closes by the same key: it must not get this one.
            event.stop()
            event.prevent_default()
            self.app.push_screen(Card(_("keys"), table(self.keys())))
        else:
            foot = _("The key {key} does nothing here; Enter begins, Esc goes back.", key=pressed(event))
            self.query_one("#setup-foot", Static).update(Text(" " + foot))

    def keys(self) -> list[tuple[str, str]]:
        """All keys."""
        return [
            (_("up down, k j, Tab"), _("to another row")),
            ("1-9", _("to the row of that number; in the row of the seed its digits")),
            (_("right left, l h, + -"), _("the next value, the one before")),
            (_("Backspace"), _("takes a digit from the seed")),
            (_("Enter"), _("begin")),
            (_("q Esc"), _("back")),
            (_("Mouse"), _("a row; its value; the word that begins")),
        ]

    def on_start_pressed(self) -> None:
        """Begin by mouse."""
        self.dismiss(self.choices)


class Start(Static):
    """What the mouse begins with."""

    DEFAULT_CSS = "Start { width: 20; height: 1; background: $primary; color: #fff3da; margin: 1 0 0 1; }"

    class Pressed(Message):
        """Clicked."""

    def on_mount(self) -> None:
        """The word on it."""
        self.update(Text(f"  {_('begin')} ({_('Enter')})"))

    def on_click(self) -> None:
        """Begin."""
        self.post_message(self.Pressed())
