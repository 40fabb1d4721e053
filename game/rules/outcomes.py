"""What an act comes to: hits, choices, the result of a count. The only source of outcomes."""

from __future__ import annotations

from collections.abc import Callable

from game.core.act import Attempt
from game.core.choreography import Act, Key
from game.rules.world import World

Outcome = frozenset[str]
NOTHING: Outcome = frozenset()
COUNT_TOLD, SHOOTING_TOLD = "p32_report", "p30_reports"
"""The scorer's two reports, also where they are given again (如初)."""
_EIGHT = 8
"""Counters drawn for a pair: two archers, four arrows each (P26.038)."""


def is_step(act: Act, step: str) -> bool:
    """Whether an act is this step of the text, or the same performed again."""
    return act.id is not None and act.id.split("__")[-1] == step


class Outcomes:
    """Tells the outcome of an act just performed.

    ``strikes`` says whether an archer's n-th arrow (from 1) of a round hits: 中 or one of 侯 不及 过 旁.
    """

    def __init__(self, world: World, strikes: Callable[[str, int, int], str]) -> None:
        self.world = world
        self.strikes = strikes
        self.shots: dict[tuple[str, int], int] = {}
        self.hits: dict[tuple[str, int], int] = {}
        """(person, round) → how often he has hit."""
        self.last: dict[str, str] = {}
        """person → where his last arrow struck."""

    def of(self, act: Act, key: Key, attempt: Attempt) -> Outcome:
        """The outcome of a step just discharged; empty where the act decides nothing."""
        if act.choices:
            return frozenset({attempt.manner})
        effect = self.world.words.verbs[act.verb].effect
        if effect == "shoot":
            return self._shot(act, attempt)
        if effect == "count":
            words = self.left_over(attempt.source)
            return words | self.ahead() if attempt.source == "中北" else words
        if is_step(act, COUNT_TOLD):
            return self.ahead() | self.margin()
        if is_step(act, SHOOTING_TOLD):
            return frozenset({"余"} if self.world.of_kind(self.world.held(attempt.person), "筭") else ())
        return NOTHING

    def round(self, act: Act) -> int:
        """The round of a phase: 0 for the demonstration, then 1, 2, 3."""
        number = act.phase.number
        return 0 if number == 20 else 1 if number <= 22 else 2 if number <= 35 else 3

    def _shot(self, act: Act, attempt: Attempt) -> Outcome:
        person, number = attempt.person, self.round(act)
        n = self.shots.get((person, number), 0) + 1
        self.world.trail.put(self.shots, (person, number), n)
        struck = self.strikes(person, number, n)
        self.world.trail.put(self.last, person, struck)
        arrow = self.world.of_kind(self.world.held(person, ("挟",)), "矢")[0]
        self.world.move(arrow, ("侯", ""))
        self.world.trail.put(self.world.loosed, arrow, person)
        if struck == "中":
            self.world.trail.put(self.hits, (person, number), self.hits.get((person, number), 0) + 1)
        words = {"中" if struck == "中" else "不中"}
        roster = self.world.words.roster
        pair, _role = roster.pair_of.get(person, (person, ""))
        if sum(self.hits.get((archer, number), 0) for archer in roster.members(pair)) < _EIGHT:
            words.add("余")
        return frozenset(words)

    def left_over(self, place: str) -> Outcome:
        """What one team's count comes to: 纯 pairs, 十纯 heaps of ten, 余纯 pairs beyond them, 奇 an odd one."""
        n = self.world.counted.get({"中南": "右", "中北": "左"}.get(place, ""), 0)
        words = {"纯": n >= 2, "十纯": n >= 20, "余纯": (n // 2) % 10 > 0, "奇": n % 2 == 1}
        return frozenset(w for w, so in words.items() if so)

    def ahead(self) -> Outcome:
        """右贤, 左贤 or 钧."""
        right, left = self.world.counted.get("右", 0), self.world.counted.get("左", 0)
        return frozenset({"右贤" if right > left else "左贤" if left > right else "钧"})

    def margin(self) -> Outcome:
        """What the excess comes to: 纯 a pair or more, 奇 an odd one."""
        excess = abs(self.world.counted.get("右", 0) - self.world.counted.get("左", 0))
        return frozenset(w for w, so in {"纯": excess >= 2, "奇": excess % 2 == 1}.items() if so)
