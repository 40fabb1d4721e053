"""The rite being performed: phases opened and closed, agents acting in the order of the text, every act recorded."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from game.agents.scripted import propose
from game.core.act import Attempt
from game.core.choreography import START, Act, Happening, Index, Key, Phase
from game.core.numerals import spoken
from game.core.ruling import Refusal, Ruling, Verdict
from game.core.trail import Trail
from game.core.vocabulary import Vocabulary
from game.rite.book import Book
from game.rite.scenario import Scenario
from game.rules.arbiter import Arbiter, FaultTable
from game.rules.ensemble import Ensemble
from game.rules.machine import Performer
from game.rules.outcomes import COUNT_TOLD, Outcomes, is_step
from game.rules.reasons import Reasons
from game.rules.world import World
from game.session import beginnings
from game.session.score import Scores

Record = Callable[..., int]
"""Called with the kind of a line and its fields; returns the line's number."""


class Ceremony:
    """One performance. ``players`` are the persons whom agents do not play."""

    def __init__(
        self,
        book: Book,
        scenario: Scenario,
        players: Iterable[str] = (),
        record: Record | None = None,
        watch: Callable[[str, Key], None] | None = None,
    ) -> None:
        self.book = book
        self.scenario = scenario
        self.words: Vocabulary = book.words(scenario.options)
        self.rite = book.rite(scenario.options, self.words)
        self.trail = Trail()
        self.world = World(self.words, self.trail)
        self.ensemble = Ensemble(self.rite, self.words.order, self.trail, self._happens, watch, self._completed)
        self.outcomes = Outcomes(self.world, self._strikes)
        reasons = Reasons(lambda: book.rules, {f.kind: f.rule for f in book.faults}, self.words.roster)
        table = FaultTable({f.kind: f.weight for f in book.faults}, reasons)
        self.arbiter = Arbiter(self.rite, self.world, self.ensemble, self.outcomes, table, self.trail)
        self.scores = Scores(self.trail)
        self.players = frozenset(players)
        self.record = record or (lambda t, **fields: -1)
        self.line = -1
        """Number of the line being written: what completes a step now."""
        self.lines_of: dict[Key, int] = {}
        self.lapsed: set[Key] = set()
        self.actor = ""
        self.actor_regions: tuple[str, ...] = ()
        self.actor_carries = False
        self.actor_to: tuple[str, ...] = ()
        self.opened: dict[int, bool] = {}
        """Phases begun → whether they have ended."""
        self.ahead: list[int] = []
        """Phases of the range still to come, in order (without those that run beside another)."""
        self._beside: dict[int, Phase] = {}
        self._events: deque[tuple[str, Any]] = deque()
        self.stuck: Refusal | None = None

    # Setting up

    def prepare(self, first: str, last: str) -> None:
        """Fast-forward faultlessly to the start of ``first`` and set the range. KeyError for unknown phases."""
        order = {p.id: i for i, p in enumerate(self.rite.phases)}
        start, end = order[first], order[last]
        if end < start:
            raise KeyError(last)
        if start:
            known = beginnings.nearest(self, start)
            if known < start:
                players, self.players = self.players, frozenset()
                record, self.record = self.record, lambda t, **fields: -1
                self._range(known, start - 1)
                self.run()
                self.players, self.record = players, record
                beginnings.keep(self, start)
            self.scores.reset()
            self.lines_of.clear()
            self.lapsed.clear()
        self._range(start, end)

    def _range(self, start: int, end: int) -> None:
        phases = self.rite.phases[start : end + 1]
        steps = {n.id for p in phases if p.root for n in p.root.walk()}
        beside = {self.rite.by_id[p.beside].nid: p for p in phases if p.beside and p.beside in steps}
        self._beside = beside
        self.rite.alone = frozenset(p.number for p in phases if p.beside and p not in beside.values())
        self.ahead = [p.number for p in phases if p not in beside.values()]

    def _phase(self, number: int) -> Phase:
        return next(p for p in self.rite.phases if p.number == number)

    def _strikes(self, person: str, number: int, n: int) -> str:
        rounds = self.scenario.options.get("hits", {}).get(person, {})
        arrows = rounds.get(str(number), [])
        return str(arrows[n - 1]) if n <= len(arrows) else "不及"

    # Events of the ensemble

    def _happens(self, node: Happening, index: Index) -> None:
        self._events.append(("happens", (node, index)))

    def _stands_at(self, line: int) -> None:
        self.trail.assign(self, "line", line)

    def _completed(self, key: Key) -> None:
        self.trail.put(self.lines_of, key, self.line)
        if key[0] in self._beside and self._beside[key[0]].number not in self.opened:
            self._events.append(("opens", self._beside[key[0]]))

    def _dispatch(self) -> None:
        while self._events:
            kind, what = self._events.popleft()
            if kind == "opens":
                if what.number not in self.opened:
                    self._open(what)
            else:
                self._happen(*what)

    def _happen(self, node: Happening, index: Index) -> None:
        self.actor = ""
        if node.office:
            person = self.rite.fill(node.person, node, index)
            self.trail.put(self.world.office, person, node.office)
            line = self.record(
                "become", phase=node.phase.id, person=person, office=node.office, clauses=list(node.clauses)
            )
        else:
            line = self.record("happening", phase=node.phase.id, what=node.what, clauses=list(node.clauses))
        self._stands_at(line)
        self.ensemble.happened(node, index)

    # Phases

    def _open(self, phase: Phase) -> None:
        self.trail.put(self.opened, phase.number, False)
        self.actor = ""
        self._stands_at(self.record("phase", phase=phase.id, edge="始", state=self.world.state()))
        self.trail.put(self.lines_of, (START, (phase.number,)), self.line)
        self.ensemble.open(phase)

    def _close(self, phase: Phase) -> None:
        for key in self._left_over(phase):
            self.lapse(key)
        self.ensemble.close(phase)
        self.trail.put(self.opened, phase.number, True)
        changed = self.scores.changed()
        self.record("score", phase=phase.id, persons=changed)
        self._stands_at(self.record("phase", phase=phase.id, edge="终", state=self.world.state()))

    def _left_over(self, phase: Phase) -> list[Key]:
        keys = [k for k, (number, _) in self.arbiter.owed.items() if number == phase.number]
        for (number, person), performer in self.ensemble.performers.items():
            if number == phase.number and person in self.players and performer.is_due and performer.key is not None:
                keys.append(performer.key)
        return sorted(keys, key=self.rite.position)

    def _phase_ends(self) -> bool:
        """Close one phase that has come to its end, and open what follows. False if there was none."""
        for number in self.ensemble.running():
            phase = self._phase(number)
            if not self.ensemble.ledger.finished(phase):
                continue
            if any(n == number and p not in self.players for n, p in self.ensemble.due):
                continue
            self._close(phase)
            return True
        main = [n for n in self.ensemble.running() if self._phase(n) not in self._beside.values()]
        if not main and self.ahead and not any(n < self.ahead[0] for n in self.ensemble.running()):
            number = self.ahead[0]
            self.ahead = self.ahead[1:]
            self.trail.push(lambda: self.ahead.insert(0, number))
            self._open(self._phase(number))
            return True
        return False

    @property
    def over(self) -> bool:
        """Whether the whole range has been performed."""
        return not self.ahead and not self.ensemble.running()

    # Performing

    def run(self, limit: int | None = None, past_players: bool = False) -> int:
        """Let agents act until a player is next in order, ``limit`` acts are done, or nobody can go on.

        With ``past_players`` agents act even where a player's due step is earlier. Returns the number of acts done.
        """
        done = 0
        skipped: list[tuple[int, str]] = []
        try:
            while limit is None or done < limit:
                self._dispatch()
                if self._phase_ends():
                    continue
                performer = self.ensemble.next()
                if performer is None:
                    break
                if self.arbiter.settle(performer.person):
                    continue
                if performer.person in self.players:
                    if not past_players:
                        break
                    number = next(n for n, p in self.ensemble.of(performer.person) if p is performer)
                    skipped.append((number, performer.person))
                    self.ensemble.set_aside(number, performer.person)
                    continue
                self._agent(performer)
                done += 1
            self._dispatch()
            while self._phase_ends():
                self._dispatch()
        finally:
            for place in skipped:
                self.ensemble.take_back(*place)
        return done

    def _agent(self, performer: Performer) -> None:
        key = performer.key
        assert key is not None
        act = self.rite.nodes[key[0]]
        assert isinstance(act, Act)
        attempt = propose(act, self.arbiter.expected(act, key[1]), performer.person)
        ruling = self.act(attempt, "agent")
        if isinstance(ruling, Refusal):
            self.stuck = ruling
            self.lapse(key)

    def act(self, attempt: Attempt, by: str, given: Mapping[str, Any] | None = None) -> Refusal | Ruling:
        """Judge an act and record it; a refused one changes nothing and only a player's is recorded."""
        mark = self.trail.mark()
        self._stands_at(self.next_line())
        self.actor = attempt.person
        before = self.world.region(attempt.person)
        verb = self.words.verbs[attempt.verb]
        self.actor_to, self.actor_carries = attempt.to, verb.carries
        goal = self.words.places.get(attempt.at)
        self.actor_regions = (before, goal.region) if goal and verb.effect == "go" else (before,)
        title = self.title(attempt.person)
        ruling = self.arbiter.judge(attempt)
        if isinstance(ruling, Refusal):
            self.trail.rollback(mark)
            self.ensemble.forget_order()
            return ruling
        self._record_act(attempt, ruling, by, title, given)
        self.scores.count(attempt.person, ruling.verdict, self.phase_of(ruling, attempt.person))
        return ruling

    def next_line(self) -> int:
        """The number that the next recorded line will have; set by the owner of the journal."""
        return -1

    def title(self, person: str) -> str:
        """What the text calls a person at this moment."""
        if person in self.world.office:
            return self.world.office[person]
        _pair, role = self.words.roster.pair_of.get(person, ("", ""))
        # Only the three pairs have no other name; guests and grandees keep theirs as archers (大夫为下射).
        if role and person.endswith(role):
            return role
        place = self.words.order.get(person)
        return person if place is None else self.words.roster.persons[place].kind

    def phase_of(self, ruling: Ruling | None, person: str) -> str:
        """The phase of the step that a ruling discharged, else the one that a person is in."""
        if ruling is not None and ruling.step is not None:
            return self.rite.nodes[ruling.step[0]].phase.id
        own = [n for n, _ in self.ensemble.of(person)] or list(self.ensemble.running())
        return self._phase(own[0]).id if own else ""

    def _record_act(
        self, attempt: Attempt, ruling: Ruling, by: str, title: str, given: Mapping[str, Any] | None
    ) -> None:
        act = self.rite.nodes[ruling.step[0]] if ruling.step else None
        assert act is None or isinstance(act, Act)
        filled = self.arbiter.performed
        because: list[int] = []
        if ruling.step and act:
            cues = self.rite.cues(act, ruling.step[1])
            because = sorted({self.lines_of[k] for k in cues if 0 <= self.lines_of.get(k, -1) < self.line})
        re = None
        if act and act.re:
            answered = self.rite.by_id[act.re]
            bow = (answered.nid, ruling.step[1][: len(answered.loops)]) if ruling.step else (-1, ())
            re = None if bow in self.lapsed or self.lines_of.get(bow, -1) < 0 else self.lines_of[bow]
        fields: dict[str, Any] = {
            "phase": self.phase_of(ruling, attempt.person),
            "step": self.rite.step_name(act, ruling.step[1]) if act and ruling.step else None,
            "basis": act.basis if act else "补",
            "person": attempt.person,
            "actor": title,
            "verb": attempt.verb,
            "times": attempt.times,
            "manner": filled.manner or None,
            "object": filled.object or None,
            "which": list(dict.fromkeys(self.world.handled)),
            "count": filled.count or max(1, len(self.world.handled)),
            "to": list(filled.to),
            "from": filled.source or None,
            "into": filled.into or None,
            "hand": filled.hand or None,
            "via": filled.via or None,
            "at": self.world.place[attempt.person],
            "facing": self.world.facing[attempt.person],
            "posture": self.world.posture[attempt.person],
            "speech": filled.speech or (self.words_of(act) if act else "") or None,
            "re": re,
            "because": because,
            "clauses": list(self.rite.clauses(act, ruling.step[1])) if act and ruling.step else [],
            "by": by,
            "verdict": ruling.verdict.record(),
        }
        if given is not None:
            fields["input"] = dict(given)
        n = self.record("act", **fields)
        if self.words.verbs[attempt.verb].effect == "shoot":
            self._record_shot(attempt.person, act)
        if act and is_step(act, COUNT_TOLD):
            self._record_tally(act)
        self._stands_at(n)

    def _record_shot(self, person: str, act: Act | None) -> None:
        if act is None:
            return
        number = self.outcomes.round(act)
        _pair, role = self.words.roster.pair_of.get(person, ("", ""))
        team = {"上射": "右", "下射": "左"}.get(role)
        struck = self.outcomes.last.get(person)
        self.record(
            "shot", phase=act.phase.id, round=number, person=person, team=team,
            arrow=self.outcomes.shots.get((person, number), 0), aim=None, x=None, y=None,
            struck=struck, on_beat=None, counted=number >= 2 and struck == "中", why=None,
        )  # fmt: skip

    def words_of(self, act: Act) -> str:
        """The words that go with an act; ``{纯}`` in them is the number of pairs by which one side is ahead."""
        if "{纯}" not in act.words:
            return act.words
        margin = abs(self.world.counted.get("右", 0) - self.world.counted.get("左", 0))
        return act.words.replace("{纯}", spoken(margin // 2))

    def _record_tally(self, act: Act) -> None:
        right, left = self.world.counted.get("右", 0), self.world.counted.get("左", 0)
        margin = abs(right - left)
        ahead = "右" if right > left else "左" if left > right else "钧"
        number = self.outcomes.round(act)
        self.record("tally", round=number, right=right, left=left, ahead=ahead, pairs=margin // 2, odd=margin % 2)

    def lapse(self, key: Key) -> None:
        """A step is left undone for good; a step that may be left undone costs nothing."""
        act = self.rite.nodes[key[0]]
        assert isinstance(act, Act)
        person = self.rite.fill(act.who, act, key[1])
        silent = act.may or self.arbiter.is_settled(key)
        self._stands_at(-1 if silent else self.next_line())
        self.actor = ""
        self.trail.add(self.lapsed, key)
        fault = self.arbiter.lapse(key)
        if silent or fault is None:
            return
        verdict: Verdict = self.arbiter.table.verdict((fault,))
        self.record("omission", phase=act.phase.id, step=self.rite.step_name(act, key[1]), person=person,
                    clauses=list(self.rite.clauses(act, key[1])), verdict=verdict.record())  # fmt: skip
        self.scores.count(person, verdict, act.phase.id)

    # What waits for whom

    def blocking(self, key: Key) -> bool:
        """Whether the rite cannot go on without a step: leave it out, let agents play on, and look."""
        phase = self.rite.nodes[key[0]].phase
        with self._supposing():
            self.players, self.ahead = frozenset(), []
            self.lapse(key)
            self.run()
            return self.stuck is not None or not self.opened.get(phase.number, False)

    def can_go_on(self) -> bool:
        """Whether anybody but the players can act now."""
        with self._supposing():
            return self.run(limit=1, past_players=True) > 0 or self.over

    def possible(self, acts: Iterable[Mapping[str, Any]], person: str) -> bool:
        """Whether a person could do these acts, one after the other, as the world stands; nothing is done."""
        with self._supposing():
            for given in acts:
                attempt = self.arbiter.read(person, given)
                if isinstance(attempt, Refusal) or isinstance(self.act(attempt, "player"), Refusal):
                    return False
            return True

    @contextmanager
    def _supposing(self) -> Iterator[None]:
        """What is done inside is not recorded, and is taken back."""
        mark, saved = self.trail.mark(), (self.record, self.players, self.stuck, self.ahead, self.next_line)
        self.record, self.stuck = (lambda t, **fields: -1), None
        self.next_line = lambda: -1  # type: ignore[method-assign]
        try:
            yield
        finally:
            self._events.clear()
            self.trail.rollback(mark)
            self.ensemble.forget_order()
            self.record, self.players, self.stuck, self.ahead, self.next_line = saved  # type: ignore[method-assign]

    def undone(self, person: str) -> list[Key]:
        """Steps of a person that are due or owed, in the order of the text."""
        keys = [p.key for _, p in self.ensemble.of(person) if p.is_due and p.key is not None]
        keys += [k for k, (_, owner) in self.arbiter.owed.items() if owner == person]
        return sorted(keys, key=self.rite.position)
