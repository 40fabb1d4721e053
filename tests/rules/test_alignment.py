"""Mixtures of slips on short stretches, against the cheapest explanation found by trying all of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, islice, product
from typing import Any

import pytest

from game.rules.aligning import folded
from game.rules.faults import FIELD_FAULTS
from game.session.session import Session
from tests.builders import Given, PerfectPlayer, faults, given, scene, the_book

LENGTH = 5
STRETCHES = [
    ("05-主人献宾", "宾"), ("05-主人献宾", "主人"), ("06-宾酢主人", "主人"),
    ("13-立司正", "相"), ("20-司射诱射", "司射"), ("09-一人举觯", "举觯者1"),
]  # fmt: skip
WEIGHTS = {f.kind: f.weight for f in the_book().faults}
Edit = tuple[str, int]


class Stretch:
    """Some own acts in a row that wait for nobody, in a session that stands before the first of them."""

    def __init__(self, session: Session, person: str, acts: list[Given], steps: list[str]) -> None:
        self.session, self.person, self.acts, self.steps = session, person, acts, steps

    def family(self, verb: str) -> str:
        """The family of a verb; the verb itself where it has none."""
        return self.session.ceremony.words.verbs[verb].family or verb

    def edited(self, edits: Sequence[Edit]) -> list[Given]:
        """The acts with some slips made, those further on first."""
        acts = list(self.acts)
        for kind, i in sorted(edits, key=lambda e: -e[1]):
            if kind == "skip":
                del acts[i]
            elif kind == "repeat":
                acts.insert(i, acts[i])
            elif kind == "swap":
                acts[i : i + 2] = acts[i + 1], acts[i]
            elif kind == "facing":
                acts[i] = {**acts[i], "facing": "南" if acts[i].get("facing") == "北" else "北"}
            else:
                acts[i] = {**acts[i], "times": int(acts[i].get("times", 1)) + 1}
        return acts

    def played(self, acts: Sequence[Given]) -> tuple[list[Given], float] | None:
        """What of some acts could be done, and what it cost with all that was left undone; everything is taken back.

        None if others acted in between: then it is no longer the stretch that it was.
        """
        session, start, done = self.session, self.session.journal.next, []
        for act in acts:
            if session.act(act, self.person)["ok"]:
                done.append(act)
        lines = session.journal.lines[start:]
        alone = all(line.get("person") == self.person for line in lines if line["t"] == "act")
        cost = sum(WEIGHTS[f["kind"]] for who, f in faults(lines) if who == self.person)
        owed = session.due(self.person)
        open_steps = {e["step"] for e in (*owed["owed"], *owed["must"], *owed["may"])}
        cost += WEIGHTS["阙"] * len(open_steps & set(self.steps))
        if session.journal.next > start:
            session.undo(start)
        return (done, cost) if alone else None

    def cheapest(self, done: Sequence[Given]) -> float:
        """The least cost at which some acts can be explained, over every way to say which step each is."""
        return min(self._cost(done, meant) for meant in self._meanings(done))

    def _meanings(self, done: Sequence[Given]) -> Iterator[tuple[int | None, ...]]:
        choices = [[None, *(n for n, step in enumerate(self.acts) if self._of_kind(act, step))] for act in done]
        for meant in product(*choices):
            named = [m for m in meant if m is not None]
            if len(named) == len(set(named)):
                yield meant

    def _of_kind(self, act: Given, step: Given) -> bool:
        return self.family(act["verb"]) == self.family(step["verb"])

    def _cost(self, done: Sequence[Given], meant: Sequence[int | None]) -> float:
        cost = 0.0
        owed: dict[int, int] = {}
        paid: set[int] = set()
        left = set(range(len(self.acts)))
        for n, (act, step) in enumerate(zip(done, meant, strict=True)):
            if step is None:
                cost += WEIGHTS["过"]
                continue
            cost += self._differences(act, self.acts[step])
            left.discard(step)
            if step in owed:
                cost += 0.0 if owed[step] in paid else WEIGHTS["序"]
                paid.add(owed[step])
            for earlier in range(step):
                if earlier in left:
                    owed.setdefault(earlier, n)
        return cost + WEIGHTS["阙"] * len(left)

    @staticmethod
    def _differences(act: Given, step: Given) -> float:
        if act["verb"] != step["verb"]:
            return WEIGHTS["容"]
        wrong = [n for n in step if n in FIELD_FAULTS and n in act and not _same(act[n], step[n])]
        return sum(WEIGHTS[FIELD_FAULTS[n]] for n in wrong)


def _same(one: Any, other: Any) -> bool:
    return folded(one) == folded(other) if isinstance(one, str) and isinstance(other, str) else bool(one == other)


def stretches(phase: str, person: str) -> Iterator[Stretch]:
    """Every stretch of own acts of one person in a phase, one after the other; others act in between."""
    session = scene(phase, phase, person)
    player = PerfectPlayer(session, person)
    while not session.ended:
        start = session.journal.next
        acts: list[Given] = []
        steps: list[str] = []
        while len(acts) < LENGTH:
            entry = player.due()
            if entry is None or (acts and session.journal.lines[-1].get("person") != person):
                break
            acts.append(given(entry))
            steps.append(entry["step"])
            player.turn()
        if len(acts) == LENGTH:
            session.undo(start)
            yield Stretch(session, person, acts, steps)
            for _n in range(LENGTH):
                player.turn()
        elif not acts:
            player.turn()


def edits() -> Iterator[tuple[Edit, ...]]:
    """Every slip, and every two slips at different places."""
    single = [(k, i) for k in ("skip", "repeat", "swap", "facing", "times") for i in range(LENGTH - (k == "swap"))]
    yield from ((e,) for e in single)
    yield from ((a, b) for a, b in combinations(single, 2) if abs(a[1] - b[1]) > 1)


@pytest.mark.parametrize(("phase", "person"), STRETCHES)
def test_slips_cost_no_more_than_their_cheapest_explanation(phase: str, person: str) -> None:
    """One slip exactly that; two no more than each by itself, since nobody can tell what will still be made good."""
    dear: list[str] = []
    tried = 0
    for stretch in first_stretches(phase, person):
        alone: dict[tuple[Edit, ...], float] = {}
        for mixture in edits():
            played = stretch.played(stretch.edited(mixture))
            if played is None:
                continue
            done, cost = played
            least = stretch.cheapest(done)
            if len(mixture) == 1:
                alone[mixture] = cost
            elif all((e,) in alone for e in mixture):
                least = max(least, sum(alone[e,] for e in mixture))
            else:
                continue
            tried += 1
            if cost > least + 1e-9:
                dear.append(f"{stretch.steps} {mixture}: {cost}, not {least}")
    assert tried > 0
    assert dear == []


def first_stretches(phase: str, person: str) -> Iterator[Stretch]:
    """The first four; a session is used while it stands there."""
    yield from islice(stretches(phase, person), 4)
