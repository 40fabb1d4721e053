"""The Textual app: the title screen, and the way from it into every other."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from textual.app import App
from textual.binding import Binding, BindingType
from textual.filter import LineFilter

from game import settings
from game.app.i18n import _, language, use
from game.app.theme import CARD_CSS, DARK, LIGHT, Uncoloured, colourless, themes
from game.app.title import TITLE_CSS, Item, TitleScreen
from game.clean import clean
from game.paths import new_save, user_data
from game.tongue import LANGUAGES, usual

if TYPE_CHECKING:
    from game.app import shelf
    from game.app.replay import ReplayScreen
    from game.app.rite import RiteScreen
    from game.app.setup import Choices
    from game.rite.book import Book
    from game.rite.scenario import Scenario
    from game.session.film import Reel
    from game.session.session import Session

# The engine is imported when the first screen is on the terminal: a title needs none of it.


@dataclass
class Start:
    """What to open with: the title (``kind`` title), or at once one of its ways."""

    kind: str = "title"
    players: dict[str, str] = field(default_factory=dict)
    scenario: Scenario | None = None
    first: str = ""
    last: str = ""
    seed: int = 1
    path: Path | None = None
    at: int = 0


class XiangsheApp(App[None]):
    """xiangshe on the screen."""

    TITLE = "xiangshe"
    CSS = CARD_CSS + TITLE_CSS
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+q,ctrl+c", "leave", show=False, priority=True),
        Binding("ctrl+z", "suspend_process", show=False),
    ]

    def __init__(
        self, book: Book | Path, start: Start | None = None, lang: str | None = None, saves: Path | None = None
    ) -> None:
        super().__init__()
        self._book = book
        """A book, or the folder that it is opened from when it is needed."""
        self.start = start or Start()
        self.saves = saves
        """Where sessions are saved and looked for; None for the usual folder."""
        self.error = ""
        """Why the app ended, if it could not go on."""
        use(lang if lang in LANGUAGES else usual())
        self._dress()
        self._began = (language(), self.theme)
        """Language and theme at the beginning: what is changed is kept for the next time."""
        self._uncoloured = Uncoloured() if colourless(os.environ) else None

    @cached_property
    def book(self) -> Book:
        """The data."""
        from game.rite.book import Book

        return Book(self._book) if isinstance(self._book, Path) else self._book

    def on_mount(self) -> None:
        """Signals, and the first screen."""
        loop = asyncio.get_running_loop()
        for name in ("SIGTERM", "SIGHUP"):
            with suppress(NotImplementedError, AttributeError, RuntimeError, ValueError):
                loop.add_signal_handler(getattr(signal, name), self.exit)
        if self.start.kind == "title":
            self.push_screen(TitleScreen(self.items("")))
            self.call_after_refresh(self.relabel)
        else:
            self.call_after_refresh(self._open_at_once)

    def _dress(self) -> None:
        """Our themes, and the one kept: before anything is styled, for a change of theme reads every style again."""
        for theme in themes():
            self.register_theme(theme)
        kept = settings.chosen("screen", "theme")
        self.set_reactive(App.theme, kept if kept in (DARK, LIGHT) else DARK)
        dark = self.current_theme.dark
        for name, wanted in ((f"-theme-{self.theme}", True), ("-dark-mode", dark), ("-light-mode", not dark)):
            self.set_class(wanted, name, update=False)
        self.stylesheet.set_variables(self.get_css_variables())

    def on_unmount(self) -> None:
        """The language and the theme that were changed to are those of the next time."""
        if self._began != (language(), self.theme):
            settings.keep("screen", {"language": language(), "theme": self.theme})

    def get_line_filters(self) -> Sequence[LineFilter]:
        """Without colours where the terminal has none, or none are wanted."""
        filters = super().get_line_filters()
        return filters if self._uncoloured is None else [*filters, self._uncoloured]

    def _open_at_once(self) -> None:
        """Open what was asked for on the command line; what cannot be opened ends the app."""
        from game.rite.yaml_strict import DataError
        from game.session.journal import JournalError

        try:
            self._open(self.start)
        except (DataError, JournalError, OSError) as error:
            self.error = in_a_line(error)
            self.exit(return_code=2)

    # Title

    def _shelf(self) -> list[shelf.Volume]:
        """The saved sessions; files are read for it, and what reads them is imported: not before the first paint."""
        from game.app import shelf

        return shelf.volumes(self.saves)

    def _unfinished(self) -> str:
        """What is said beside the word that continues."""
        unfinished = [v for v in self._shelf() if not (v.over or v.broken or v.drill)]
        return _short(unfinished[0]) if unfinished else _("nothing unfinished")

    def items(self, beside: str) -> list[Item]:
        """The menu, in the language in use; ``beside`` the word that continues stands what it would go on with."""
        return [
            Item("x", "continue", _("continue"), beside),
            Item("l", "play", _("play")),
            Item("g", "watch", _("watch")),
            Item("w", "drill", _("drill")),
            Item("y", "replay", _("replay")),
            Item("s", "rules", _("rules")),
            Item("q", "quit", _("quit")),
        ]

    def relabel(self) -> None:
        """The title's words anew."""
        for screen in self.screen_stack:
            if isinstance(screen, TitleScreen):
                screen.relabel(self.items(self._unfinished()))

    def on_menu_taken(self, message: Any) -> None:
        """One of the title's ways, unless another has been taken already."""
        if not isinstance(self.screen, TitleScreen):
            return
        ways: dict[str, Callable[[], None]] = {
            "continue": self.choose_save, "play": self.set_up_play, "watch": self.set_up_watch,
            "drill": self.set_up_drill, "replay": self.choose_replay, "rules": self.read_rules, "quit": self.exit,
        }  # fmt: skip
        ways[message.name]()

    def _title_says(self, text: str) -> None:
        for screen in self.screen_stack:
            if isinstance(screen, TitleScreen):
                screen.say(text)

    def choose_save(self) -> None:
        """Which session to go on with."""
        nothing = _("No session is unfinished: 2 begins one; those played to their end are under replay.")
        self._pick(_("continue which?"), lambda v: not v.over, self._continue, nothing)

    def choose_replay(self) -> None:
        """Which session to replay."""
        nothing = _("No session is saved yet: 2 begins one.")
        self._pick(_("replay which?"), lambda v: True, lambda path: self._guard(Start("replay", path=path)), nothing)

    def read_rules(self) -> None:
        """The rule book."""
        from game.app.rules import browse

        browse(self, self.book)

    def _pick(
        self, title: str, wanted: Callable[[shelf.Volume], bool], then: Callable[[Path], None], nothing: str
    ) -> None:
        found = [v for v in self._shelf() if wanted(v) or v.broken]
        if not found:
            self._title_says(nothing)
            return
        lines = [self._told(v) for v in found]

        from game.app.cards import Pick

        def taken(n: int | None) -> None:
            if n is None:
                return
            if found[n].broken:
                self._title_says(_("This file is broken: {why}", why=found[n].broken))
            else:
                then(found[n].path)

        self.push_screen(Pick(title, lines), taken)

    @cached_property
    def _people(self) -> dict[str, str]:
        """Everybody of every scenario, as English calls him."""
        from game.session.gloss import plain

        known = (p for s in self.book.scenarios.values() for p in self.book.words(s.options).roster.persons)
        return {p.id: plain(p.en) for p in known}

    def _told(self, volume: shelf.Volume) -> str:
        """A saved session as a list has it."""
        if volume.broken:
            return " ".join((_("broken"), clean(volume.path.name), volume.broken))
        english = language() == "en"
        players, phase = volume.players, volume.phase
        text = self.book.phase_texts.get(phase)
        if english:
            players = {self._people.get(p, p): level for p, level in players.items()}
            phase = f"{text.number:02d} {text.english}" if text else phase
        who = "  ".join(f"{p} {level}" for p, level in players.items()) or "-"
        points = ", ".join(volume.points.values())
        came_to = _("points {points}", points=points) if points else _("line {n}", n=volume.n)
        kind = (_("drill"),) if volume.drill else ()
        return "  ".join((*kind, who, phase, came_to, volume.started)).rstrip()

    def _continue(self, path: Path) -> None:
        self._guard(Start("open", path=path))

    def set_up_play(self) -> None:
        """Role, scenario, level, seed, phases; then play."""
        from game.app.setup import Choices

        choices = Choices(level="童子", first=self._first(4), last=self._first(9))
        self._set_up(choices, _("play: whom, at what level, which phases"), "play")

    def set_up_drill(self) -> None:
        """One phase, one role."""
        from game.app.setup import Choices

        choices = Choices(level="士", first=self._first(4), rows=("first", "role", "level", "scenario", "seed"))
        self._set_up(choices, _("drill: one phase"), "drill")

    def set_up_watch(self) -> None:
        """Phases and scenario; agents do the rest."""
        from game.app.setup import Choices

        choices = Choices(first=self._first(4), last=self._first(9), rows=("first", "last", "scenario"))
        self._set_up(choices, _("watch: which phases"), "watch")

    def _first(self, number: int) -> str:
        return next(
            (p for p in self.book.raw.phases if int(p.split("-")[0]) >= number), next(iter(self.book.raw.phases))
        )

    def _set_up(self, choices: Choices, title: str, kind: str) -> None:
        from game.app.setup import SetupScreen

        choices.recall(settings.read().get(kind), self.book)

        def begun(chosen: Choices | None) -> None:
            if chosen is not None:
                settings.keep(kind, chosen.kept())
                last = chosen.last if "last" in chosen.rows else chosen.first
                players = {} if kind == "watch" else {chosen.role: chosen.level}
                scenario = self.book.scenarios[chosen.scenario]
                self._guard(Start(kind, players, scenario, chosen.first, last, chosen.seed))

        self.push_screen(SetupScreen(choices, self.book, title), begun)

    # Ways

    def _guard(self, start: Start) -> None:
        """Open a screen; what cannot be opened is said on the title and blocks nothing."""
        from game.rite.yaml_strict import DataError
        from game.session.journal import JournalError

        try:
            self._open(start)
        except (DataError, JournalError, OSError) as error:
            self._title_says(in_a_line(error))

    def _open(self, start: Start) -> None:
        from game.app.replay import ReplayScreen
        from game.app.rite import RiteScreen
        from game.session.film import Film, performed, recorded
        from game.session.session import Session

        if start.kind in ("play", "drill"):
            self._play(start)
        elif start.kind == "open":
            assert start.path is not None
            session = Session.open(self.book, start.path)
            self._show(RiteScreen(session, Film(), session.is_drill, told_from=1))
        elif start.kind == "watch":
            assert start.scenario is not None
            reel = performed(self.book, start.scenario, start.first, start.last, start.seed)
            self._show(ReplayScreen(reel, self._reader(reel), running=True))
        else:
            assert start.path is not None
            reel = recorded(self.book, start.path)
            self._show(ReplayScreen(reel, self._reader(reel), at=start.at))

    def _play(self, start: Start) -> None:
        from game.app.rite import RiteScreen
        from game.session.film import Film
        from game.session.session import Session

        assert start.scenario is not None
        drill = start.kind == "drill"
        label = ("drill-" if drill else "") + "-".join(start.players)
        path = start.path or (self.saves / f"{label}.local.jsonl" if self.saves else new_save(label))
        number = 1
        while self.saves and path.exists():
            number += 1
            path = self.saves / f"{label}-{number}.local.jsonl"
        film = Film()
        session = Session.new(
            self.book, start.scenario, start.first, start.last, start.players, start.seed, path, watch=film.take,
            drill=drill,
        )  # fmt: skip
        self._show(RiteScreen(session, film, drill))

    def _reader(self, reel: Reel) -> Session:
        """A session that is only read: it lends its words."""
        from game.session.journal import Journal
        from game.session.session import Session

        header = {k: v for k, v in reel.header.items() if k not in ("n", "t", "h")}
        return Session(self.book, header, Journal(None))

    def _show(self, screen: RiteScreen | ReplayScreen) -> None:
        def back(_result: None) -> None:
            if self.start.kind != "title":
                self.exit()
            self.relabel()

        self.push_screen(screen, back)

    def mark_drill(self, session: Session) -> str:
        """Enter the result of a drill; the day on which it is due again."""
        from game.session.drill import Drills

        try:
            return Drills((self.saves or user_data()) / "drills.json").enter(session)
        except OSError as error:
            self.notify(in_a_line(error), markup=False, timeout=8)
            return ""

    def stop(self, error: Exception) -> None:
        """Leave the terminal in order and say why: a session that can no longer be saved is not played on."""
        self.error = in_a_line(error)
        self.action_leave()

    # Leaving

    def action_leave(self) -> None:
        """Leave from anywhere: everything shown is saved already."""
        for screen in self.screen_stack:
            session = getattr(screen, "session", None)
            if session is not None:
                session.close()
        self.exit()


def in_a_line(error: Exception) -> str:
    """What went wrong, in one line, whatever stands in it."""
    if isinstance(error, FileExistsError):
        return clean(f"{error.filename} is there already; choose another name")
    if isinstance(error, OSError):
        return clean(f"{error.filename or ''}: {error.strerror or error}".removeprefix(": "))
    return clean(error)


def _short(volume: shelf.Volume) -> str:
    """A saved session beside the word that continues it: who at what level, in Chinese; the phase by its number."""
    phase = _("phase {n}", n=volume.phase.split("-")[0])
    if language() == "en" or not volume.players:
        return phase
    (who, level), *others = volume.players.items()
    return f"{who}{'等' if others else ''} {level} {phase}"


def run(book: Book | Path, start: Start, lang: str) -> int:
    """Run the app on this terminal; the exit code."""
    app = XiangsheApp(book, start, lang)
    app.run()
    if app.error:
        import sys

        print(f"xiangshe: {app.error}", file=sys.stderr)
        return 2
    return app.return_code or 0


__all__ = ["Start", "XiangsheApp", "language", "run"]
