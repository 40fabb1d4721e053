"""What to practise next: each phase and role is a card of a spaced-repetition schedule."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from fsrs import Card, Rating, Scheduler

from game.rite.yaml_strict import DataError
from game.session.session import Session


class Drills:
    """The schedule of one user, kept in one small JSON file that is replaced whole.

    A file that cannot be read is set aside under another name, never deleted.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.scheduler = Scheduler(enable_fuzzing=False)
        self.cards: dict[str, dict[str, Any]] = {}
        if path.exists():
            try:
                loaded = json.loads(path.read_text(encoding="utf-8"))
                cards = {k: v for k, v in loaded["cards"].items() if Card.from_json(json.dumps(v)).due.tzinfo}
                self.cards = {k: v for k, v in cards.items() if k.count("|") == 1}
            except (ValueError, KeyError, TypeError, AttributeError, RecursionError, OSError):
                with suppress(OSError):
                    path.replace(path.with_suffix(".broken.json"))

    def most_overdue(self, acting: Mapping[str, Collection[str]], role: str | None = None) -> tuple[str, str]:
        """The phase and role due longest; where nothing is due, the first phase not yet practised in a role.

        ``acting``: of each phase those who have something to do in it. ``role``: whose phases alone; None for any that
        was practised, and for a new phase the guest's. DataError for a role that does nothing.
        """
        now = datetime.now(UTC)
        known: list[tuple[datetime, str, str]] = []
        for key in self.cards:
            phase, person = key.split("|")
            if person in acting.get(phase, ()) and role in (None, person):
                known.append((self._card(key).due, phase, person))
        known.sort()
        if known and known[0][0] <= now:
            return known[0][1], known[0][2]
        who = role or "宾"
        own = [phase for phase, people in acting.items() if who in people]
        fresh = [phase for phase in own if f"{phase}|{who}" not in self.cards]
        if fresh:
            return fresh[0], who
        if not known:
            raise DataError(f"{who} has nothing to do in any phase")
        return known[0][1], known[0][2]

    def mark(self, phase: str, role: str, score: float) -> str:
        """Enter a result (0 to 1); the day on which it is due again, as YYYY-MM-DD."""
        key = f"{phase}|{role}"
        rating = (
            Rating.Easy
            if score >= 1
            else Rating.Good
            if score >= 0.9
            else Rating.Hard
            if score >= 0.7
            else Rating.Again
        )
        card, _ = self.scheduler.review_card(self._card(key), rating, datetime.now(UTC))
        self.cards[key] = json.loads(card.to_json())
        self._save()
        return card.due.strftime("%Y-%m-%d")

    def enter(self, session: Session) -> str:
        """Enter the result of a drill that was played to its end; the day on which it is due again, or nothing."""
        person = next(iter(session.players))
        total = session.ceremony.scores.totals().get(person)
        if not session.ceremony.over or total is None:
            return ""
        return self.mark(session.header["from"], person, total["etiquette"]["score"])

    def _card(self, key: str) -> Card:
        return Card.from_json(json.dumps(self.cards[key])) if key in self.cards else Card()

    def _save(self) -> None:
        text = json.dumps({"format": 1, "cards": self.cards}, ensure_ascii=False, indent=1)
        fresh = self.path.with_suffix(".new")
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            fresh.write_text(text, encoding="utf-8")
            fresh.replace(self.path)
        except OSError as error:
            why = f"{error.strerror or error}; the result is not kept: let this folder be written to"
            raise OSError(error.errno, why, str(self.path)) from None
