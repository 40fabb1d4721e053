"""What one looks up while the rite waits: why, the words, who is here, the text, the account, the rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.cells import cell_len
from rich.text import Text

from game.app import asking, rite_cards
from game.app.cards import Card, Pick
from game.app.i18n import _
from game.app.rules import browse

if TYPE_CHECKING:
    from game.app.rite import RiteScreen


class Lookups:
    """Puts up a card, or says why there is none; only ``people`` and ``all_words`` give something back."""

    def __init__(self, screen: RiteScreen) -> None:
        self.screen = screen

    def why(self) -> None:
        """My last act, what is due, and whatever else may be asked about."""
        asked_about = asking.questions(self.screen.seat, self.screen.last_own, self.screen.hidden())
        if asked_about:
            self.screen.app.push_screen(asking.Browse(_("why"), asked_about))
        else:
            self.screen.say(
                _("At level 君子 nothing is told.")
                if self.screen.seat.level == "君子"
                else _("Nothing is due to you now.")
            )

    def ask(self, word: str) -> None:
        """What a word that was typed means here."""
        reply = self.screen.seat.ask(word)
        if reply["ok"]:
            text = Text("\n\n").join(map(asking.answer, reply["why"]))
            self.screen.app.push_screen(Card(_("why: {word}", word=word), text))
        else:
            self.screen.refuse(reply)

    def people(self) -> None:
        """Everybody in sight; the one taken becomes the recipient."""
        state = self.screen.stage.plan.state["persons"]
        me = self.screen.stage.plan.me
        names = rite_cards.in_sight(self.screen.seat, state, me)
        # Those elsewhere are told too; they come after, and can be addressed if they can be heard.
        names += rite_cards.elsewhere(self.screen.seat, state, me)
        lines = [rite_cards.person_line(self.screen.seat, n, state[n]) for n in names]

        def taken(n: int | None) -> None:
            if n is not None:
                self.screen.setter.address(names[n])

        self.screen.app.push_screen(Pick(_("who is here: Enter makes the recipient"), lines), taken)

    def sounds(self) -> None:
        """The glossary: the words on offer and in the clause that is lit, then those met so far."""
        used = " ".join(self.screen.seat.in_words(c, False) for c in self.screen.palette.choices)
        used += " " + " ".join(c.text for c in self.screen.stage.text.clauses if c.id in self.screen.stage.text.lit)
        found = asking.words(self.screen.seat, used, self.screen.hidden())
        if found:
            self.screen.app.push_screen(asking.Browse(_("sound and sense"), found))
        else:
            self.screen.say(_("No word to explain."))

    def help(self) -> None:
        """All keys; the one taken is pressed, so that all can be done with the mouse."""
        rows = rite_cards.keys()
        width = max(cell_len(shown) for _key, shown, _does in rows) + 2
        lines = [shown + " " * (width - cell_len(shown)) + does for _key, shown, does in rows]

        def taken(n: int | None) -> None:
            if n is not None and rows[n][0]:
                self.screen.press(rows[n][0])

        self.screen.app.push_screen(Pick(_("keys: Enter or a click presses one"), lines, at=1), taken)

    def book_text(self) -> None:
        """The text of the phase, clause by clause, each with the words in it."""
        pane = self.screen.stage.text
        clauses = pane.readable()
        if not clauses:
            self.screen.say(_("Nothing has been enacted yet."))
            return
        lit = next((n for n, clause in enumerate(clauses) if clause.id in pane.lit), len(clauses) - 1)
        found = [asking.clause(self.screen.seat, c.id, c.text) for c in clauses]
        self.screen.app.push_screen(asking.Browse(self.screen.stage.phase, found, lit))

    def whole_account(self) -> None:
        """Everything that has happened."""
        self.screen.app.push_screen(Card(_("account"), rite_cards.account(self.screen.seat, self.screen.hidden())))

    def rules(self) -> None:
        """The rule book, at the rule behind the last fault."""
        last, lines = self.screen.last_own, self.screen.session.journal.lines
        faults = lines[last]["verdict"]["faults"] if last is not None else []
        browse(self.screen.app, self.screen.session.book, faults[0]["rule"] if faults else "")

    def all_words(self) -> None:
        """Every verb; the one taken goes into the typed line."""
        verbs = list(self.screen.session.ceremony.words.verbs.values())
        lines = [rite_cards.sounded(v) for v in verbs]

        def taken(n: int | None) -> None:
            if n is not None:
                self.screen.open_line()
                self.screen.typed.value += verbs[n].id
                self.screen.typed.cursor_position = len(self.screen.typed.value)

        self.screen.app.push_screen(Pick(_("all verbs: Enter puts one into the typed line"), lines), taken)
