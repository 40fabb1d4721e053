"""What was left out can always be chosen: nobody who plays by choices alone comes to a dead end."""

from __future__ import annotations

import pytest

from game.palette import CHOICES, Choice
from game.seat import Seat
from game.session.session import Session
from tests.builders import the_book


@pytest.mark.parametrize("level", ["童子", "士"])
def test_a_walk_away_from_the_cup_can_be_made_good_by_choices(level: str) -> None:
    """P06: he walks to the host's mat while the cup still lies on the W steps; by choices alone the rite ends."""
    book = the_book()
    session = Session.new(book, book.scenarios["常"], "06-宾酢主人", "06-宾酢主人", {"宾": level}, started=False)
    seat, strayed = Seat(session), False
    for _n in range(400):
        if session.ended:
            break
        due = [e["step"] for e in session.due("宾")["must"]]
        if not strayed and "p06_guest_kneels_cup" in due:
            strayed = session.act({"verb": "适", "at": "主人席前"}, "宾")["ok"]
            continue
        choices = seat.choices()
        assert len(choices) <= CHOICES
        if not any(_done(session, choice) for choice in reversed(choices) if choice.right):
            session.wait("宾")
    assert strayed and session.ended


def _done(session: Session, choice: Choice) -> bool:
    """Whether at least the first act of a choice could be done."""
    replies = [session.act(dict(choice.acts[0]), "宾")["ok"]]
    for act in choice.acts[1:]:
        if not replies[-1] or session.ended:
            break
        replies.append(session.act(dict(act), "宾")["ok"])
    return bool(replies[0])
