"""The rite screen: one takes part. The session decides; this shows it act by act, and passes on what is done."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.timer import Timer
from textual.widgets import Input, Static

from game.app import rite_cards
from game.app.account import grade, phase_name, sentence
from game.app.cards import Card
from game.app.choices import Palette
from game.app.i18n import _, half, language, mark, other_language, told, use
from game.app.keybar import KeyBar, pressed
from game.app.lookups import Lookups
from game.app.setter import ARROWS, FACING_KEYS, Setter
from game.app.stage import STAGE_CSS, PlanView, Stage, StageScreen
from game.app.textpane import TextPane
from game.app.theme import style, turn
from game.app.typed import TypedLine
from game.palette import Choice
from game.seat import Seat
from game.session.answers import asked
from game.session.film import Film, Frame
from game.session.gloss import plain
from game.session.replay import voided
from game.session.score import in_points
from game.session.session import Session

PACES: tuple[tuple[str, float], ...] = ((mark("slow"), 1.8), (mark("normal"), 0.8), (mark("fast"), 0.25))
PROMPT_AFTER = 30.0
"""Seconds after which the helper says who waits; ours, the text has no such thing."""

RITE_CSS = """
#verdict { height: 1; background: $surface; text-wrap: nowrap; text-overflow: ellipsis; }
#body { height: 1; background: $surface; color: $foreground 80%; }
#palette { height: 5; }
#typed { height: 1; border: none; padding: 0 1; background: $panel; display: none; }
.typing #typed { display: block; }
.typing #palette { height: 4; }
#keys { height: 1; background: $background; color: $foreground 75%; }
.wide #palette { height: 7; }
.wide #verdict { height: 2; text-wrap: wrap; }
.wide.typing #palette { height: 6; }
"""


class RiteScreen(StageScreen):
    """One session, played to its end or left."""

    AUTO_FOCUS = ""
    CSS = STAGE_CSS + RITE_CSS

    def __init__(self, session: Session, film: Film, drill: bool = False, told_from: int = 0) -> None:
        """``film`` has been taking the session since it began."""
        super().__init__()
        self.session = session
        self.seat = Seat(session)
        self.waiting = film.frames
        """Frames of what others did, not yet shown."""
        session.watch = film.take
        self.is_drill = drill
        self.told_from = told_from
        """With a session that is gone on with: the line from which the account is told again."""
        self.pace = 1
        self.paused = False
        self.begun: list[int] = []
        """Journal lines at which the inputs of the player began, each of one or several acts: what undo takes back."""
        self.typing = False
        """Whether letters are text."""
        self.due_again = ""
        self.warned = ""
        """The step of which it was said that waiting would leave it undone."""
        self.told_owed: list[str] = []
        """What was last said to have been left out."""
        self.passed_over: dict[int, str] = {}
        """Journal line of an own act → what was said to have been left out before it."""
        self.last_own: int | None = None
        """The journal line of the last own act: what ``why`` explains after a fault."""
        self._timer: Timer | None = None
        self._prompt: Timer | None = None
        self.over_shown = False
        self.stage = Stage(self.seat, ahead=self._may_read_ahead())
        """The upper part."""
        self.verdict_line = Static(id="verdict")
        self.body_line = Static(id="body")
        self.typed = TypedLine(session, id="typed")
        """The typed line."""
        self.palette = Palette(id="palette")
        """The choices."""
        self.setter = Setter(self.seat, self.palette, self.say)
        self.look = Lookups(self)
        self.key_line = KeyBar(id="keys")

    # Layout

    def compose(self) -> ComposeResult:
        """The stage above; verdict, body, palette and keys below."""
        yield self.too_small
        with Vertical(id="all"):
            yield self.stage
            yield self.verdict_line
            yield self.body_line
            yield self.typed
            yield self.palette
            yield self.key_line

    def _may_read_ahead(self) -> bool:
        return all(level == "童子" for level in self.session.players.values())

    @property
    def english(self) -> bool:
        """Whether the screen speaks English."""
        return language() == "en"

    def on_mount(self) -> None:
        """Show what there is; then the others go on."""
        self.stage.plan.me = self.seat.person
        self.on_resize()
        self.call_after_refresh(self._begin)

    def _begin(self) -> None:
        """What is told again is laid out for the size that the account has by now."""
        if self.told_from:
            self.retell()
        self.go_on()

    def on_resize(self) -> None:
        """Lay out for the size."""
        self.fit()
        self.relabel()

    def on_unmount(self) -> None:
        """However one leaves, the file is let go."""
        self.session.close()

    def relabel(self) -> None:
        """Everything that is in words, anew: after a change of language, theme or size."""
        self.head()
        self.body()
        self.keys()
        if self.palette.choices:
            self.palette.tell(self.english)
        elif self.waiting:
            self.others()
        else:
            self.offer(anew=False)
        self.stage.plan.show()

    # Showing

    def head(self) -> None:
        """Phase, how far it is, role, level, points, pace."""
        if not self.stage.phase:
            return
        done, of = self.stage.progress
        person = self.stage.plan.me or ""
        score = self.session.ceremony.scores.totals().get(person, {}).get("etiquette", {})
        faults = sum(score.get("faults", {}).values())
        pace = _(PACES[self.pace][0]) + (" " + _("paused") if self.paused else "")
        name = phase_name(self.seat, self.stage.phase, self.english)
        who = f"{plain(rite_cards.people(self.seat, [person]))} {self.session.players.get(person, '')}"
        points = _("points {points}  faults {n}  {pace}", points=in_points(score), n=faults, pace=pace)
        bar = "=" * (10 * done // max(1, of))
        # The phase is always named: the bar goes first, then the pace, then what is told of the role.
        counts = (f"[{bar:-<10}] {done}/{of}", f"{done}/{of}")
        ways = [(f"{name} {count}", right) for right in (f"{who}  {points}", who) for count in counts]
        ways.append((name, in_points(score)))
        room = self.app.size.width - 3
        left, right = next((w for w in ways if Text("".join(w)).cell_len <= room), ways[-1])
        self.stage.head(left, right)

    def body(self) -> None:
        """What I hold and wear, where I am, who waits for me."""
        me = self.stage.plan.me
        record = self.stage.plan.state["persons"].get(me) if me else None
        if record is None:
            return
        text = rite_cards.body(self.seat, record)
        waiting = [] if self.waiting or self.session.ended else self.seat.waiting()
        right = _("{who} waits", who=rite_cards.people(self.seat, waiting[:3])) if waiting else ""
        room = self.app.size.width - 2
        if Text(text).cell_len + Text(right).cell_len > room:
            right = _("waited for") if waiting else ""
        line = Text(f" {text}")
        line.truncate(max(0, room - Text(right).cell_len), overflow="ellipsis", pad=True)
        line.append(f" {right}", style("gold", self.light))
        self.body_line.update(line)

    @property
    def light(self) -> bool:
        """Whether the light theme is on."""
        return not self.app.current_theme.dark

    def keys(self) -> None:
        """What the keys do."""
        text = (
            _("Enter do  Tab, Alt 1-5 complete  up last line  Esc letters are keys again")
            if self.typing
            else _("w why  d wait  x step  g skip  f undo  r who  i type  t pause  ? more  q quit")
        )
        self.key_line.tell(text)

    def say(self, text: str, tone: str = "dim") -> None:
        """A line under the plan: the verdict, or why a key can do nothing now."""
        line = Text(" " + text, style=style(tone, self.light))
        self.verdict_line.update(line)

    def refuse(self, reply: Mapping[str, Any]) -> None:
        """Why nothing was done, and what it could have been."""
        found, gloss = reply.get("candidates", [])[:8], self.session.explainer.gloss
        names = ", ".join(map(gloss.candidate, found)) if self.english else "、".join(found)
        self.say(half(reply["error"]) + (f" ({names})" if names else ""), "cinnabar")

    # The others go on

    def go_on(self) -> None:
        """Show the next of what the others did, in a while; when there is none, it is the player's turn."""
        if self._timer is not None:
            self._timer.stop()
            self._timer = None
        if not self.waiting:
            self.my_turn()
            return
        self.others()
        self.head()
        if not self.paused and self.app.is_running:
            self._timer = self.set_timer(PACES[self.pace][1], self.next_frame)

    def others(self) -> None:
        """In place of choices: the others act."""
        self.palette.offer([], self.seat, self.english, _("The others act. g skips to your turn, x one act, t pauses."))

    def next_frame(self) -> None:
        """One act of the others; what tells nothing is passed over."""
        while self.waiting:
            frame = self.waiting.popleft()
            self.stage.show(frame, lasting=PACES[self.pace][1] / 2)
            if sentence(frame.line, self.seat, self.english):
                break
        self.head()
        self.body()
        self.go_on()

    def skip(self) -> None:
        """Everything the others did, at once."""
        while self.waiting:
            self.stage.show(self.waiting.popleft())
        self.go_on()

    def my_turn(self) -> None:
        """What is due; or the end."""
        if self._prompt is not None:
            self._prompt.stop()
        if self.session.ended:
            self.finish()
            return
        me = self.seat.person
        due = self.session.due(me)
        for entry in (*due["must"], *(e for group in due["any_order"] for e in group), *due["owed"], *due["may"]):
            # Of two phases that go on side by side the text is that of the one in which something is due to me.
            self.stage.turn_to(entry["phase"])
            break
        self.stage.plan.show(me=me, state=self.session.ceremony.world.state())
        self.head()
        self.body()
        self.offer()
        if self.seat.waiting():
            self._prompt = self.set_timer(PROMPT_AFTER, self.prompt)

    def offer(self, anew: bool = True) -> None:
        """The palette, and for 君子 the typed line, unless he has just put it away."""
        if self.session.ended:
            self.over()
        if self.waiting or self.session.ended:
            return
        level = self.seat.level
        choices = self.seat.choices()
        note = ""
        if level == "君子" and not choices:
            note = _("Type what you do, in Chinese, pinyin or English; 0 lists the words. Esc, then d to wait.")
            if anew or self.typing:
                self.open_line()
        elif not choices:
            note = _("Nothing is due to you now: d lets the others go on, x one act of theirs, i a typed act.")
        self.palette.offer(choices, self.seat, self.english, note)
        self.tell_due()

    def tell_due(self) -> None:
        """For 童子, what is due and why."""
        if self.seat.level == "童子" and self.palette.choices:
            why = self.seat.reasons()
            if why:
                self.palette.tell_below(told(why[0]))

    def prompt(self) -> None:
        """After a while the helper says who waits."""
        waiting = self.seat.waiting()
        if waiting and not self.session.ended:
            self.say(_("The helper says: {who} waits for you.", who=rite_cards.people(self.seat, waiting)), "gold")

    # Acting

    def do(self, choice: Choice) -> None:
        """The acts of a phrase, one after the other, up to the first refusal."""
        self.begun.append(self.session.journal.next)
        self._acted(self._replies(choice))

    def _replies(self, choice: Choice) -> Iterator[Mapping[str, Any]]:
        who = self.seat.person
        for act in choice.acts:
            yield self.session.act(act, who) if act["verb"] != "择" else self.session.choose(act["manner"], who)
            if self.session.ended:
                break

    @contextmanager
    def saving(self) -> Iterator[None]:
        """What is done inside is written down; where that can no longer be done, the screen is left in order."""
        from game.session.journal import JournalError

        try:
            yield
        except (JournalError, OSError) as error:
            self.app.stop(error)  # type: ignore[attr-defined]

    def _acted(self, replies: Iterable[Mapping[str, Any]]) -> None:
        """Show acts with their verdicts up to the first that was refused; the first fault is what is told."""
        faulty: tuple[int, Mapping[str, Any]] | None = None
        for reply in replies:
            if not self._answered(reply):
                break
            if reply["verdict"]["faults"] and faulty is None and self.last_own is not None:
                faulty = self.last_own, reply["verdict"]
        if faulty is not None:
            self.last_own = faulty[0]
            self.verdict(faulty[1])
        self.go_on()

    def _answered(self, reply: Mapping[str, Any]) -> bool:
        """Show an own act with its verdict. False if it was refused."""
        if not reply["ok"]:
            self.refuse(reply)
            return False
        for i, frame in enumerate(self.waiting):
            if frame.line.get("by") == "player":
                for _n in range(i + 1):
                    self.stage.show(self.waiting.popleft(), lasting=PACES[self.pace][1] / 2)
                self.last_own = frame.line["n"]
                break
        self.verdict(reply["verdict"])
        self.body()
        return True

    def verdict(self, verdict: Mapping[str, Any]) -> None:
        """What an own act was judged: grade, what, why, which clause."""
        if self.last_own is None:
            return
        why: dict[str, Any] = self.session.why(of=self.last_own)["why"][0]
        clauses = " ".join(c["id"] for c in why.get("clauses", [])[:2])
        left_out = self.left_out()
        if not verdict["faults"]:
            words = " ".join(f"「{c['text']}」" for c in why.get("clauses", [])[:2])
            said = (left_out, _("right"), clauses) if left_out else (_("right"), words, clauses)
            self.say("  ".join(filter(None, said)), "amber" if left_out else "jade")
            return
        tone = "amber" if verdict["grade"] == "小失" else "cinnabar"
        faults = why.get("faults", [])
        ids = " ".join(q["id"] for f in faults for q in f.get("clauses", [])[:1])
        also = f"  {left_out}" if left_out else ""
        self.say(f"{grade(verdict['grade'])} {told(why)} {ids} (w){also}", tone)

    def left_out(self) -> str:
        """What the last own act passed over, if that was not said before; the account tells it too."""
        owed = self.seat.owed(self.english)
        new = [act for act in owed if act not in self.told_owed]
        self.told_owed = owed
        if not new:
            return ""
        text = _("left out before this: {acts}", acts=" · ".join(new))
        if self.last_own is not None:
            self.passed_over[self.last_own] = text
            self._note_left_out(self.last_own)
        return text

    def _note_left_out(self, line: int) -> None:
        """In the account, below the act of this line, what it passed over."""
        if line in self.passed_over:
            self.stage.account.note(self.passed_over[line])

    def confirm(self) -> None:
        """Do the chosen phrase."""
        if self.session.ended:
            self.show_result()
            return
        if self.palette.chosen is None:
            if len(self.palette.choices) == 1:
                self.palette.choose(0)
                self.say(_("Chosen again: Enter does it."))
            elif self.palette.choices:
                self.say(_("Choose first: a digit or a click."))
            else:
                self.say(_("Nothing is chosen; d waits."))
            return
        self.do(self.palette.choices[self.palette.chosen])

    def submit(self, text: str) -> None:
        """A typed phrase, or a question (``why 爵``)."""
        if not text.strip():
            self.say(_("Nothing is typed."))
            return
        about = asked(text)
        if about is not None:
            self.typed.taken(text, kept=False)
            self.look.ask(about) if about else self.look.why()
            return
        self.begun.append(self.session.journal.next)
        reply = self.session.say(text, self.seat.person)
        self.typed.taken(text, kept=not reply["ok"])
        self._acted(reply.get("acts", [reply]))

    # Keys

    def on_key(self, event: events.Key) -> None:
        """Every key does something or says why it does not."""
        if self.typed.has_focus:
            return
        event.stop()
        event.prevent_default()
        self.press(pressed(event))

    def press(self, key: str) -> None:
        """One key, by its character or its name."""
        if self.too_small.display and key != "q":
            return
        if self.waiting and key in ("enter", *"123456789"):
            self.skip()
            self.say(_("The others have acted; now it is your turn."))
            return
        look, setter = self.look, self.setter
        actions: dict[str, Callable[[], None]] = {
            "enter": self.confirm, "w": look.why, "d": self.wait, "x": self.step, "f": self.undo, "r": look.people,
            "p": look.sounds, "i": self.open_line, "g": self.skip_or_say, "t": self.pause, "space": self.pause,
            " ": self.pause, ",": lambda: self.set_pace(self.pace - 1), ".": lambda: self.set_pace(self.pace + 1),
            "?": look.help, "q": self.leave, "escape": self.unchoose, "e": self.switch_language,
            "v": self.switch_theme, "m": self.switch_view, "c": look.book_text, "a": look.whole_account,
            "s": look.rules, "0": look.all_words, "[": lambda: setter.place(-1), "]": lambda: setter.place(1),
            "tab": lambda: setter.recipient(1), "-": lambda: setter.count(-1),
            "+": lambda: setter.count(1), "=": lambda: setter.count(1), ";": setter.next_act,
            "C": self.copy_verdict,
        }  # fmt: skip
        if key in actions or key.isdecimal():
            with self.saving():
                actions.get(key, lambda: self.choose(int(key) - 1))()
        elif key in FACING_KEYS:
            self.setter.face(FACING_KEYS[key])
        elif key in ARROWS:
            self.setter.face_by_arrow(ARROWS[key])
        else:
            self.say(_("The key {key} does nothing here; ? lists the keys.", key=key))

    def choose(self, number: int) -> None:
        """Choose a row; the same row again does it."""
        if self.palette.chosen == number and self.palette.choices:
            self.confirm()
        elif not self.palette.choose(number):
            self.say(_("There is no choice {n}.", n=number + 1))

    def unchoose(self) -> None:
        """Choose nothing."""
        if self.palette.chosen is None:
            self.say(_("Esc goes back; q leaves the rite, which is saved."))
        self.palette.unchoose()

    def wait(self) -> None:
        """Let the others go on; if nobody can, the rite says who waits, or a step lapses."""
        if self.waiting:
            self.skip()
            return
        left = None if self.seat.level == "君子" else self.session.left_by_waiting(self.seat.person)
        if left is not None and left["step"] != self.warned:
            self.warned = left["step"]
            self.say(_("Nobody else can act now; d again leaves undone what is due: a fault."), "amber")
            return
        self.say("")
        begun = self.session.journal.next
        self.begun.append(begun)
        reply = self.session.wait(self.seat.person)
        if not reply["ok"]:
            self.refuse(reply)
        self.go_on()
        if not reply["ok"]:
            return
        omitted = [
            x
            for x in self.session.journal.lines[begun:]
            if x["t"] == "omission" and x["person"] in self.session.players
        ]
        if omitted:
            self.say(sentence(omitted[-1], self.seat, self.english), "cinnabar")
        elif not self.waiting and not self.session.ended:
            self.say(_("Nobody else can act now: they wait for you."))

    def step(self) -> None:
        """One act of the others."""
        if self.waiting:
            if self._timer is not None:
                self._timer.stop()
            self.next_frame()
            return
        self.say("")
        self.begun.append(self.session.journal.next)
        reply = self.session.step(self.seat.person)
        if not reply["ok"]:
            self.refuse(reply)
        elif not self.waiting:
            self.say(_("Nobody else can act now: they wait for you."))
        else:
            self.next_frame()

    def skip_or_say(self) -> None:
        """To my next act."""
        if self.waiting:
            self.skip()
        elif self.session.ended:
            self.say(_("The rite is over."))
        else:
            self.say(_("It is your turn already."))

    def pause(self) -> None:
        """Stop or go on."""
        self.paused = not self.paused
        self.go_on() if self.waiting else self.head()

    def set_pace(self, pace: int) -> None:
        """Slower or faster."""
        if not 0 <= pace < len(PACES):
            self.say(_("It is as slow as can be.") if pace < 0 else _("It is as fast as can be; g skips to your turn."))
            return
        self.pace = pace
        self.head()
        if self.waiting:
            self.go_on()

    def undo(self) -> None:
        """Take back the last input, with all its acts."""
        reply: Mapping[str, Any] = {"ok": False}
        while self.begun and not reply["ok"]:
            reply = self.session.undo(self.begun.pop())
        if not reply["ok"]:
            reply = self.session.undo()
        if not reply["ok"]:
            self.refuse(reply)
            return
        self.over_shown = False
        self.waiting.clear()
        self.last_own = None
        self.warned, self.told_owed = "", []
        self.retell()
        self.say(_("Taken back."), "gold")
        self.go_on()

    def _of_phase(self, hidden: Collection[int] = ()) -> list[dict[str, Any]]:
        """The journal's lines that count, from the beginning of the phase begun last, without the hidden ones."""
        lines = self.session.journal.lines
        void = voided(lines)
        counted = [x for i, x in enumerate(lines) if i not in void and x["n"] not in hidden]
        start = max((i for i, x in enumerate(counted) if x["t"] == "phase" and x["edge"] == "始"), default=0)
        return counted[start:]

    def retell(self) -> None:
        """The account since the beginning of the phase, as the journal has it now."""
        self.stage.clear()
        state = self.session.ceremony.world.state()
        for line in self._of_phase():
            self.stage.show(Frame(line, state), told=line["t"] != "attempt")
            self._note_left_out(line["n"])
        self.stage.plan.show(actor=None, addressed=())

    def hidden(self) -> set[int]:
        """Journal lines that are not shown yet."""
        return {frame.line["n"] for frame in self.waiting}

    def copy_verdict(self) -> None:
        """Copy the line under the plan."""
        self.app.copy_to_clipboard(str(self.verdict_line.content).strip())
        self.notify(_("Copied."), markup=False, timeout=2)

    # Settings

    def switch_language(self) -> None:
        """中文, English."""
        use(other_language())
        self.retell_told()
        self.say("")
        if self.last_own is not None:
            self.verdict(self.session.journal.lines[self.last_own]["verdict"])
        self.relabel()
        self.tell_due()

    def retell_told(self) -> None:
        """The account in the other language, without what is still to be shown."""
        self.stage.account.clear()
        for line in self._of_phase(self.hidden()):
            if line["t"] != "attempt":
                self.stage.account.tell(line, self.seat, line.get("person") == self.stage.plan.me)
                self._note_left_out(line["n"])

    def switch_theme(self) -> None:
        """Lacquer or silk."""
        turn(self.app)
        self.retell_told()
        self.relabel()

    def switch_view(self) -> None:
        """Feast, shooting ground, or that of the phase."""
        self.stage.plan.turn()

    # The typed line

    def open_line(self) -> None:
        """Letters are text from now on."""
        self.typing = True
        self.query_one("#all").add_class("typing")
        self.typed.focus()
        self.keys()

    def close_line(self) -> None:
        """Letters are keys again."""
        self.typing = False
        self.set_focus(None)
        if self.seat.level != "君子":
            self.query_one("#all").remove_class("typing")
        self.keys()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """A typed phrase."""
        event.stop()
        if self.too_small.display:
            return
        if self.waiting:
            self.skip()
            return
        with self.saving():
            self.submit(event.value)

    def on_typed_line_left(self) -> None:
        """Esc: letters are keys again."""
        self.close_line()

    def on_typed_line_said(self, event: TypedLine.Said) -> None:
        """What the last word may become."""
        self.say(event.text)

    # Mouse

    def on_key_bar_pressed(self, event: KeyBar.Pressed) -> None:
        """A key clicked is a key pressed."""
        if self.typed.has_focus:
            self.close_line()
        else:
            self.press(event.key)

    def on_palette_changed(self) -> None:
        """Show on the plan where the chosen phrase would lead, and how one would face there."""
        palette, plan = self.palette, self.stage.plan
        me = plan.state["persons"].get(plan.me or "")
        path: list[str] = []
        heading = ""
        if palette.chosen is not None and me is not None:
            words = self.session.ceremony.words
            for act in palette.choices[palette.chosen].acts:
                verb = words.verbs.get(act["verb"])
                if verb is not None and verb.effect == "go" and act.get("at") in words.places:
                    path = path or [me["at"]]
                    path.append(act["at"])
                    heading = act.get("facing") or heading
        if (tuple(path), heading) != (plan.path, plan.heading):
            plan.show(path=tuple(path), heading=heading)

    def on_palette_chosen(self, event: Palette.Chosen) -> None:
        """A choice clicked once is chosen, twice is done."""
        if self.waiting:
            self.skip()
        elif event.again:
            with self.saving():
                self.confirm()
        else:
            self.palette.choose(event.number)

    def on_palette_faced(self, event: Palette.Faced) -> None:
        """A cell of the compass."""
        self.setter.face(event.facing)

    def on_plan_view_clicked(self, event: PlanView.Clicked) -> None:
        """A person becomes the recipient, a place the goal; with nothing chosen one is told who or what it is."""
        name = event.name
        if event.kind == "person":
            if self.palette.act is None:
                self.say(rite_cards.person_line(self.seat, name, self.stage.plan.state["persons"][name]))
            else:
                self.setter.address(name)
        elif event.kind == "place" and self.palette.act is not None:
            self.setter.goal(name)
        else:
            words = self.session.ceremony.words
            if name in words.places:
                self.say(rite_cards.whats_there(self.seat, name))
            else:
                self.say(rite_cards.sounded(words.things[name]) if name in words.things else name)

    def on_text_pane_chosen(self, event: TextPane.Chosen) -> None:
        """A clause: its id, and what its words mean."""
        verbs = [v for v in self.session.ceremony.words.verbs.values() if v.id in event.clause.text][:6]
        self.say(f"{event.clause.id} {event.clause.text}  " + ", ".join(map(rite_cards.sounded, verbs)))

    # Ending

    def leave(self) -> None:
        """Save and go back."""
        self.session.close()
        if self._timer is not None:
            self._timer.stop()
        self.dismiss()

    def finish(self) -> None:
        """The result, once."""
        self.over()
        self.head()
        self.body()
        if self.over_shown:
            return
        self.over_shown = True
        if self.is_drill and not self.due_again:
            self.due_again = self.app.mark_drill(self.session)  # type: ignore[attr-defined]
        self.show_result()

    def show_result(self) -> None:
        """Points and faults of what has been played."""
        self.app.push_screen(Card(_("the rite is over"), rite_cards.result(self.seat, self.due_again)))

    def over(self) -> None:
        """In place of choices: nothing more is to be done."""
        self.palette.offer(
            [],
            self.seat,
            self.english,
            _("The rite is over. Enter the result, q goes back, f takes back, a the account."),
        )
