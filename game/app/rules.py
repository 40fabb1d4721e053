"""The rule book to leaf through, from the title and in play."""

from __future__ import annotations

from textual.app import App

from game.app.cards import Card, Pick
from game.app.i18n import _, language
from game.rite.book import Book
from game.session.rulebook import rule_in_full


def browse(app: App[None], book: Book, rule: str = "") -> None:
    """The list of rules, at the one named; the rule taken is shown in full, and the list again after it."""
    rules = list(book.rules.values())
    at = next((i for i, r in enumerate(rules) if r.id == rule), 0)

    def taken(n: int | None) -> None:
        if n is not None:
            card = Card(rules[n].id, rule_in_full(book, rules[n], (language(),)))
            app.push_screen(card, lambda _result: browse(app, book, rules[n].id))

    lines = [f"{r.kind}  {r.en if language() == 'en' else r.zh}" for r in rules]
    app.push_screen(Pick(_("the rules: Enter reads one"), lines, at), taken)
