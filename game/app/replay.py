"""Watching and replaying: a session shown line by line, forwards and backwards, to any act, phase or fault."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.timer import Timer
from textual.widgets import Static

from game.app.account import phase_name, sentence
from game.app.cards import Card, table
from game.app.i18n import _, language, other_language, told, use
from game.app.keybar import KeyBar, pressed
from game.app.rite import PACES
from game.app.stage import STAGE_CSS, Stage, StageScreen
from game.app.theme import style, turn
from game.app.track import Track
from game.clean import clean
from game.seat import Seat
from game.session import telling
from game.session.film import Reel
from game.session.session import Session

REPLAY_CSS = """
#told { height: 2; background: $surface; }
#track { height: 1; }
#replay-keys { height: 2; background: $background; color: $foreground 75%; }
"""
_SILENT = ("wait", "undo", "note", "appeal", "score", "end", "session", "attempt")


class ReplayScreen(StageScreen):
    """A reel; ``session`` lends the words and the book, and is not played."""

    CSS = STAGE_CSS + REPLAY_CSS

    def __init__(self, reel: Reel, session: Session, running: bool = False, at: int = 0) -> None:
        super().__init__()
        self.reel = reel
        self.frames = reel.frames
        self.seat = Seat(session)
        self.explainer = session.explainer
        self.at = 0
        self.start_at = at
        self.running = running
        self.pace = 2
        self.typed = ""
        self._timer: Timer | None = None
        self.stage = Stage(self.seat, ahead=True)
        self.told_line = Static(id="told")
        self.track = Track(id="track")
        self.key_line = KeyBar(id="replay-keys")

    def compose(self) -> ComposeResult:
        """The stage, what the line was judged, the track, the keys."""
        yield self.too_small
        with Vertical(id="all"):
            yield self.stage
            yield self.told_line
            yield self.track
            yield self.key_line

    def on_mount(self) -> None:
        """At the line asked for."""
        self.track.load(self.frames)
        players = self.reel.header.get("players") or {}
        self.stage.plan.me = next(iter(players), None)
        self.on_resize()
        self.go(self._position(self.start_at))
        if self.reel.warning:
            self.tell(_("Judged under other rules: shown as it was saved; things stand as at the phase's beginning."))
        self.rearm()

    def on_resize(self) -> None:
        """Lay out for the size."""
        self.fit()
        self.labels()

    def labels(self) -> None:
        """The keys."""
        self.key_line.tell(
            _(
                "right on  left back  down phase on  up phase back  ! fault on  [ fault back\n"
                "space run  0-9 line  w why  c text  e language  v light  m map  ? help  q back"
            )
        )

    def keys(self) -> Text:
        """All keys."""
        rows = [
            (_("right l n, left h b"), _("a line forwards, backwards")),
            (_("PgDn, PgUp"), _("twenty lines forwards, backwards")),
            (_("down L p, up H P"), _("to the next, the previous phase")),
            ("! ], [", _("to the next, the previous fault")),
            (_("Home ^, End $"), _("to the beginning, the end")),
            (_("digits, Enter"), _("to the line of that number (told in the head line)")),
            (_("space t"), _("run, stop")),
            (", .", _("slower, faster")),
            ("w, c", _("why; the text of the phase")),
            ("e, v, m", _("language; light or dark; another view of the ground")),
            ("?", _("these keys")),
            (_("q Esc"), _("back")),
        ]
        return table(rows)

    def relabel(self) -> None:
        """The words anew."""
        self.labels()
        self.go(self.at)

    def _position(self, n: int) -> int:
        """The frame of journal line ``n``, or the nearest."""
        return min(range(len(self.frames)), key=lambda i: (abs(self.frames[i].line["n"] - n), i), default=0)

    def go(self, to: int) -> None:
        """To a frame; both ends are safe. The account is told from the phase's beginning."""
        beyond = to if to < 0 else max(0, to - len(self.frames) + 1)
        to -= beyond
        following = to == self.at + 1 and self.stage.phase != ""
        self.at = to
        if following:
            self.stage.show(self.frames[to], self._counts(to), lasting=PACES[self.pace][1] / 2 if self.running else 0.0)
        else:
            start = next((i for i in range(to, -1, -1) if self._begins(i)), 0)
            self.stage.clear()
            if not self._begins(start):
                # Before the first phase has begun one reads what it will be.
                self.stage.turn_to(str(self.reel.header["from"]))
            for i in range(start, to + 1):
                self.stage.show(self.frames[i], self._counts(i))
        self.show_line()
        if beyond:
            self.tell(_("There is none further on.") if beyond > 0 else _("There is none before."))

    def _counts(self, i: int) -> bool:
        """Whether a line was done, and not only tried."""
        return bool(self.frames[i].line["t"] != "attempt")

    def _begins(self, i: int) -> bool:
        line = self.frames[i].line
        return bool(line["t"] == "phase" and line["edge"] == "始")

    def show_line(self) -> None:
        """Head, verdict and track for the line at which one stands."""
        line = self.frames[self.at].line
        done, of = self.stage.progress
        pace = _(PACES[self.pace][0]) if self.running else _("stopped")
        warning = _("as saved, other rules") if self.reel.warning else ""
        count = _("line {n} of {last}", n=line["n"], last=self.frames[-1].line["n"])
        english = language() == "en"
        name = phase_name(self.seat, self.stage.phase, english)
        self.stage.head(f"{name} {done}/{of}", "  ".join(filter(None, (warning, count, pace))))
        words = sentence(line, self.seat, english, self.offices()) or self.silent(line)
        shown = Text(f" {words}", style=style("ink", not self.app.current_theme.dark))
        if line.get("verdict"):
            shown.append("\n " + told(self.reasons(line)))
        self.told_line.update(shown)
        self.track.stand(self.at)

    def offices(self) -> dict[str, str]:
        """Who has which office at the line at which one stands."""
        persons = self.frames[self.at].state["persons"]
        return {p: str(r["office"]) for p, r in persons.items() if r.get("office")}

    def reasons(self, line: Mapping[str, Any]) -> dict[str, Any]:
        """What a line was judged and why, with persons as they were called then."""
        with self.explainer.at_the_time(self.offices()):
            return self.explainer.line(line)

    def silent(self, line: Mapping[str, Any]) -> str:
        """What a line is that tells nothing in the account."""
        return clean(telling.silent(line, self.explainer, language() == "en"))

    def tell(self, text: str) -> None:
        """One line."""
        self.told_line.update(Text(" " + text))

    # Running

    def rearm(self) -> None:
        """The next line in a while, if running."""
        if self._timer is not None:
            self._timer.stop()
            self._timer = None
        if self.running:
            self._timer = self.set_timer(PACES[self.pace][1], self.tick)

    def tick(self) -> None:
        """One line that tells something."""
        if self.at >= len(self.frames) - 1:
            self.running = False
            self.show_line()
            return
        self.go(self.at + 1)
        while self.at < len(self.frames) - 1 and self.frames[self.at].line["t"] in _SILENT:
            self.go(self.at + 1)
        self.rearm()

    def find(self, wanted: str, by: int) -> None:
        """To the next or previous phase or fault."""
        i = self.at + by
        while 0 <= i < len(self.frames):
            line = self.frames[i].line
            if (wanted == "phase" and self._begins(i)) or (
                wanted == "fault" and (line.get("verdict") or {}).get("faults")
            ):
                self.go(i)
                return
            i += by
        self.tell(_("There is none further on.") if by > 0 else _("There is none before."))

    def on_key(self, event: events.Key) -> None:
        """Every key has its reverse beside it."""
        event.stop()
        event.prevent_default()
        self.press(pressed(event))

    def on_key_bar_pressed(self, event: KeyBar.Pressed) -> None:
        """A key clicked is a key pressed."""
        self.press(event.key)

    def press(self, key: str) -> None:
        """One key, by its character or its name."""
        if self.too_small.display and key not in ("q", "escape"):
            return
        if key.isdecimal() or (key in ("enter", "backspace") and self.typed):
            self.number(key)
            return
        self.typed = ""
        moves = {"right": 1, "l": 1, "n": 1, "left": -1, "h": -1, "b": -1, "pagedown": 20, "pageup": -20}
        if key in moves:
            self.running = False
            self.go(self.at + moves[key])
        elif key in ("home", "^", "end", "$"):
            self.running = False
            self.go(0 if key in ("home", "^") else len(self.frames) - 1)
        elif key in ("down", "L", "p", "up", "H", "P"):
            self.find("phase", 1 if key in ("down", "L", "p") else -1)
        elif key in ("!", "]", "["):
            self.find("fault", -1 if key == "[" else 1)
        elif key in (" ", "space", "t"):
            self.running = not self.running
            self.show_line()
        elif key in (",", "."):
            self.pace = max(0, min(len(PACES) - 1, self.pace + (1 if key == "." else -1)))
            self.show_line()
        elif key == "?":
            self.app.push_screen(Card(_("keys"), self.keys()))
        elif key == "w":
            self.why()
        elif key == "c":
            self.app.push_screen(
                Card(
                    phase_name(self.seat, self.stage.phase, language() == "en"),
                    "\n".join(f"{c.id}  {c.text}" for c in self.stage.text.clauses),
                )
            )
        elif key in ("e", "v"):
            if key == "e":
                use(other_language())
            else:
                turn(self.app)
            self.relabel()
        elif key == "m":
            self.stage.plan.turn()
        elif key in ("q", "escape"):
            self.dismiss()
            return
        else:
            self.tell(_("The key {key} does nothing here.", key=key))
        self.rearm()

    def number(self, key: str) -> None:
        """Digits, then Enter: to that line."""
        if key == "enter":
            self.running = False
            self.go(self._position(int(self.typed)))
            self.typed = ""
            return
        self.typed = self.typed[:-1] if key == "backspace" else (self.typed + key)[:9]
        self.tell(_("to line {n} (Enter)", n=self.typed))

    def why(self) -> None:
        """The reasons of this line."""
        line = self.frames[self.at].line
        why = self.reasons(line)
        text = Text(told(why) + "\n\n")
        for clause in why["clauses"]:
            text.append(f"{clause['id']}  {clause['text']}\n")
        self.app.push_screen(Card(_("why: line {n}", n=line["n"]), text))

    def on_track_jumped(self, event: Track.Jumped) -> None:
        """A click on the track."""
        self.running = False
        self.go(event.at)
        self.rearm()
