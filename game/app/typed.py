"""The typed line: a phrase in Chinese, pinyin or English, with what its last word may become."""

from __future__ import annotations

from textual import events
from textual.message import Message
from textual.widgets import Input

from game.app.i18n import _, language
from game.session.session import Session

OFFERED = 5
"""How many words are offered for the last one."""


class TypedLine(Input):
    """An input that completes: Tab takes the first word, Alt with a digit another; up brings the last line back."""

    class Left(Message):
        """Letters are to be keys again."""

    class Said(Message):
        """Something to be told beside the line."""

        def __init__(self, text: str) -> None:
            self.text = text
            super().__init__()

    def __init__(self, session: Session, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id, select_on_focus=False)
        self.cursor_blink = False
        self.session = session
        self.last = ""
        """The line taken last."""

    def taken(self, text: str, kept: bool) -> None:
        """The line was read: empty it, and keep it for another time; what was refused stays, to be mended."""
        self.last = text
        if not kept:
            self.value = ""

    def on_key(self, event: events.Key) -> None:
        """Leave, bring back, complete; everything else is text."""
        number = event.key.removeprefix("alt+")
        if event.key == "escape":
            self.value = ""
            self.post_message(self.Left())
        elif event.key == "up":
            self.value, self.cursor_position = self.last, len(self.last)
        elif event.key == "tab":
            self.complete(0)
        elif number != event.key and number.isdecimal() and 1 <= int(number) <= OFFERED:
            self.complete(int(number) - 1)
        else:
            return
        event.stop()
        event.prevent_default()

    def on_input_changed(self, event: Input.Changed) -> None:
        """Show what the last word may become."""
        event.stop()
        found = self.session.lexicon.complete(event.value)
        if event.value and found:
            offered = (f"{n} {word} {self._meaning(word)}" for n, (word, _sound) in enumerate(found[:OFFERED], 1))
            self.post_message(self.Said("   ".join(offered)))

    def complete(self, n: int) -> None:
        """Take one of the words that the last one may become."""
        found = self.session.lexicon.complete(self.value)
        if n < len(found):
            stem = self.session.lexicon.stem(self.value)
            self.value = self.value[: len(self.value) - len(stem)] + found[n][0]
            self.cursor_position = len(self.value)
        else:
            self.post_message(self.Said(_("No word begins so.")))

    def _meaning(self, word: str) -> str:
        """What a word is in the other language, or how it sounds."""
        words = self.session.ceremony.words
        entry = words.verbs.get(word) or words.places.get(word)
        english = language() == "en"
        if entry is None:
            return self.session.explainer.gloss.person(word) if english else ""
        return entry.en.split(",")[0].split(";")[0] if english else entry.pinyin
