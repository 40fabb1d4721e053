"""What to practise next: each phase and role is a card of a spaced-repetition schedule."""

from __future__ import annotations

import json
from collections.abc import Collection
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from fsrs import Card, Rating, Scheduler


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

    def most_overdue(self, phases: list[str], role: str, roles: Collection[str] = ()) -> tuple[str, str]:
        """The phase and role due longest; where nothing is due, the first phase not yet practised in this role.

        ``phases`` are those in which the role has something to do; of ``roles`` (empty: anybody) are those who can be
        practised in the scenario.
        """
        now = datetime.now(UTC)
        due = sorted((self._card(key).due, key) for key in self.cards)
        for when, key in due:
            phase, who = key.split("|")
            if when <= now and phase in phases and (not roles or who in roles):
                return phase, who
        fresh = [p for p in phases if f"{p}|{role}" not in self.cards]
        if fresh:
            return fresh[0], role
        mine = [key.split("|")[0] for _, key in due if key.endswith(f"|{role}")]
        return next((p for p in mine if p in phases), phases[0]), role

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
