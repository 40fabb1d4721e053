"""The machines alone play the rite: no world, no arbiter, no session, only events that arrive at any speed."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import pytest

from game.core.choreography import Act, Happening, Index, Key, Phase, Rite
from game.core.trail import Trail
from game.rite.book import Book
from game.rules.ensemble import Ensemble
from game.rules.ledger import Outcome
from tests.builders import scenarios

BOOK = Book(Path(__file__).parents[2] / "data")
SPEEDS = 45


class SlowEnsemble(Ensemble):
    """Delivers each event to each person at some later moment, in any order."""

    def __init__(
        self, rite: Rite, order: dict[str, int], chance: random.Random, like: SlowEnsemble | None = None
    ) -> None:
        super().__init__(rite, order, like.trail if like else Trail(), self._occurs)
        if like:  # the machines are the same; only their models are new
            self.routes, self.machines = like.routes, like.machines
        self.chance = chance
        self.letters: list[tuple[int, str, Key, Outcome]] = []
        self.occurring: list[tuple[Happening, Index]] = []
        self.acts: Counter[str] = Counter()

    def _occurs(self, node: Happening, index: Index) -> None:
        self.occurring.append((node, index))

    def _deliver(self) -> None:
        while self._queue:
            key, outcome = self._queue.popleft()
            for number in self.running():
                self.letters += [(number, person, key, outcome) for person in self.routes[number].told(key)]

    def anything(self) -> bool:
        """One thing happens, whichever chance picks: a letter arrives, somebody acts, something comes about."""
        due = sorted(self.due)
        choices = len(self.letters) + len(due) + len(self.occurring)
        if not choices:
            return False
        pick = self.chance.randrange(choices)
        if pick < len(self.letters):
            self.see(*self.letters.pop(pick))
        elif pick < len(self.letters) + len(due):
            self._act(*due[pick - len(self.letters)])
        else:
            self.happened(*self.occurring.pop())
        return True

    def _act(self, number: int, person: str) -> None:
        performer = self.performers[number, person]
        key = performer.key
        assert key is not None
        act = self.rite.nodes[key[0]]
        assert isinstance(act, Act)
        self.acts[self.rite.step_name(act, key[1])] += 1
        self.done(number, performer)
        self.discharged(key, self._outcome(act))

    def _outcome(self, act: Act) -> Outcome:
        if act.verb == "发":
            return frozenset({self.chance.choice(("中", "不中"))})
        if act.verb == "数" or (act.id or "").endswith("p32_report"):
            words = {self.chance.choice(("右贤", "左贤", "钧"))}
            return frozenset(words | set(self.chance.sample(["纯", "十纯", "余纯", "奇"], self.chance.randint(0, 4))))
        return frozenset(act.choices[:1])


def everybody_done(ensemble: SlowEnsemble, phase: Phase) -> bool:
    return all(p.station == "done" for (n, _), p in ensemble.performers.items() if n == phase.number)


@pytest.mark.parametrize("scenario", sorted(scenarios()))
def test_machines_alone_play_every_phase_at_random_speeds(scenario: str) -> None:
    options = dict(BOOK.scenarios[scenario].options)
    options["众宾"] = min(int(options.get("众宾", 3)), 5)
    words = BOOK.words(options)
    rite = BOOK.rite(options, words)
    rounds = max(1, SPEEDS // len(scenarios()))
    ensemble: SlowEnsemble | None = None
    for speed in range(rounds):
        ensemble = SlowEnsemble(rite, dict(words.order), random.Random(f"{scenario}/{speed}"), ensemble)
        beside = {p.beside: p for p in rite.phases if p.beside}
        for phase in rite.phases:
            if phase.beside:
                continue
            ensemble.open(phase)
            together = [phase]
            while ensemble.anything():
                for step, other in beside.items():
                    key = (rite.by_id[step].nid, ())
                    if key in ensemble.ledger.done and other.number not in ensemble.running():
                        ensemble.open(other)
                        together.append(other)
            for one in together:
                assert ensemble.ledger.finished(one), f"{one.id} stuck at speed {speed}"
                assert everybody_done(ensemble, one), f"{one.id}: somebody is not done at speed {speed}"
                ensemble.close(one)
        assert max(ensemble.acts.values()) == 1, "no step is done twice"


def test_speed_does_not_change_what_is_done() -> None:
    options = BOOK.scenarios["常"].options
    words = BOOK.words(options)
    rite = BOOK.rite(options, words)
    done = []
    for speed in range(10):
        ensemble = SlowEnsemble(rite, dict(words.order), random.Random(speed))
        for phase in rite.phases[:9]:
            ensemble.open(phase)
            while ensemble.anything():
                pass
        done.append(ensemble.acts)
    assert all(acts == done[0] for acts in done)
    assert sum(done[0].values()) > 700
