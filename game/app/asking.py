"""What one may ask about at the rite, and the words met so far: a list, below it what is said of the marked line."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from game.app import rite_cards
from game.app.account import grade, sentence
from game.app.cards import Card
from game.app.i18n import _, language, told
from game.core.term import Term
from game.seat import Seat
from game.session.glossary import Glossary, head, in_full

Line = Mapping[str, Any]
NEIGHBOURS = 8
"""The last acts of so many others are offered, the latest first."""
AT_HAND = 6
"""So many kinds of thing that one holds or that lie near."""


@dataclass(frozen=True)
class Question:
    """Something one may ask about."""

    label: str
    tell: Callable[[], Text]


class Browse(Card):
    """A list; what is said of the line that is marked or clicked stands below it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "dismiss_card", show=False, priority=True),
        Binding("p,c", "dismiss_card", show=False),
    ]

    def __init__(self, title: str, questions: Sequence[Question], at: int = 0) -> None:
        """``at``: which line is marked first."""
        super().__init__(title, "")
        self.questions = questions
        self.at = at

    def compose(self) -> ComposeResult:
        """Title, list, what is said, what one can do."""
        with Vertical(id="card"):
            yield Static(Text(self._title), id="card-title")
            yield OptionList(*(Option(Text(q.label, no_wrap=True)) for q in self.questions), markup=False)
            with VerticalScroll(id="card-body"):
                yield Static(Text(), id="told")
            yield Static(Text(_("up, down: another   Tab: read on   C copy   Esc back")), id="card-foot")

    def on_mount(self, event: events.Mount) -> None:  # type: ignore[override]
        """The first line is marked, and told; not the text has the keys, as on other cards."""
        event.prevent_default()
        options = self.query_one(OptionList)
        options.focus()
        options.highlighted = self.at
        self.tell(self.at)

    def tell(self, n: int) -> None:
        """Say what belongs to a line."""
        self._body = self.questions[n].tell()
        self.query_one("#told", Static).update(self._body)
        self.query_one("#card-body").scroll_home(animate=False)

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        """Another line is marked."""
        self.tell(event.option_index)

    def on_key(self, event: events.Key) -> None:
        """j and k move as well."""
        if event.key in ("j", "k"):
            options = self.query_one(OptionList)
            options.action_cursor_down() if event.key == "j" else options.action_cursor_up()
            event.stop()


def answer(reply: Mapping[str, Any]) -> Text:
    """Sentences in the language in use, and the clauses they rest on."""
    text = Text(told(reply) + "\n")
    for clause in reply["clauses"]:
        text.append(f"\n{clause['id']}  {clause['text']}")
    return text


def questions(seat: Seat, last_own: int | None, hidden: Collection[int]) -> list[Question]:
    """My last act, what is due, my last fault; others' last acts, things at hand, my place.

    Of the others nothing while acts of theirs (``hidden``) are still to be shown: the world is ahead of the screen.
    """
    session = seat.session
    lines = [line for line in session.counted() if line["n"] not in hidden]
    found = []
    if last_own is not None:
        line = session.journal.lines[last_own]
        found.append(_verdict(seat, line, _("my last act: {act}", act=_judged(seat, line))))
    due = seat.reasons()
    if due:
        found.append(Question(_("what is due to me"), lambda: Text("\n\n".join(map(told, due)))))
    fault = next((x for x in reversed(lines) if _is_own_fault(seat, x)), None)
    if fault is not None and fault["n"] != last_own:
        found.append(_verdict(seat, fault, _("my last fault: {act}", act=_judged(seat, fault))))
    return found if hidden else [*found, *_around(seat, lines)]


def _is_own_fault(seat: Seat, line: Line) -> bool:
    verdict = line.get("verdict") or {}
    return line["t"] in ("act", "omission") and line["person"] in seat.session.players and bool(verdict.get("faults"))


def _judged(seat: Seat, line: Line) -> str:
    """An act and its grade."""
    return f"{sentence(line, seat, language() == 'en')}  {grade(line['verdict']['grade'])}"


def _verdict(seat: Seat, line: Line, label: str) -> Question:
    why = seat.session.why(of=line["n"])["why"][0]
    return Question(label, lambda: rite_cards.reasons(seat, line, why))


def _around(seat: Seat, lines: Sequence[Line]) -> list[Question]:
    """Others in sight by their last acts, what one holds or has near, where one is."""
    session, me = seat.session, seat.person
    world, words = session.ceremony.world, session.ceremony.words
    english, gloss = language() == "en", session.explainer.gloss
    if me is None or me not in world.place:
        return []

    def ask(kind: str, name: str, label: str) -> Question:
        return Question(label, lambda: answer(seat.answer((kind, name))))

    last = {line["person"]: line for line in lines if line["t"] == "act"}
    others = [p for p in rite_cards.in_sight(seat, world.state()["persons"], me) if p != me and p in last]
    others.sort(key=lambda p: -last[p]["n"])
    found = [ask("person", p, sentence(last[p], seat, english)) for p in others[:NEIGHBOURS]]
    near = [t for (at, hand), ts in world.here.items() if not hand and world.near(me, at) for t in ts]
    kinds = list(dict.fromkeys(words.things[t].kind for t in (*world.held(me), *near)))
    for kind in kinds[:AT_HAND]:
        found.append(ask("thing", kind, _("at hand: {thing}", thing=gloss.thing(kind) if english else kind)))
    place = world.place[me]
    return [*found, ask("place", place, _("my place: {place}", place=gloss.place(place) if english else place))]


def words(seat: Seat, used: str, hidden: Collection[int]) -> list[Question]:
    """The glossary: first the words that stand in ``used``, then the others met so far."""
    session = seat.session
    glossary = Glossary(session.book, session.ceremony.words)
    here = [term for term in session.book.glossary.values() if term.id in used]
    met = glossary.met(line for line in session.counted() if line["n"] not in hidden)
    return [_word(seat, term) for term in dict.fromkeys((*here, *met))]


def clause(seat: Seat, name: str, text: str) -> Question:
    """A clause, and what the words in it mean: the longest first, none that stands inside a longer one."""
    found: list[Term] = []
    rest = text
    for term in sorted(seat.session.book.glossary.values(), key=lambda term: -len(term.id)):
        if term.id in rest:
            found.append(term)
            rest = rest.replace(term.id, "\0" * len(term.id))
    found.sort(key=lambda term: text.index(term.id))

    def tell() -> Text:
        shown = Text(f"{name}  {text}\n", "bold")
        english = language() == "en"
        for term in found:
            shown.append("\n" + head(term, english) + "\n")
            shown.append((term.en if english else term.zh) + "\n")
        return shown

    return Question(f"{name}  {text}", tell)


def _word(seat: Seat, term: Term) -> Question:
    return Question(head(term, language() == "en"), lambda: Text(in_full(seat.session.book, term, (language(),))))
