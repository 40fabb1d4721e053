"""A faultless performance by agents alone, watched: cues perceived, walks, refusals, faults, what really came about."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from game.core.act import Attempt
from game.core.choreography import START, Act, Happening, Key, Node, When
from game.core.ruling import Refusal, Ruling
from game.rite.book import Book
from game.rite.scenario import Scenario
from game.session.ceremony import Ceremony
from game.session.names import bindings
from game.session.references import Findings

_SAID_AGAIN = ("bare", "cover", "ring", "unring")
"""Effects of steps that the text may state though they are so already (不胜者皆袭)."""


class Trial(Ceremony):
    """One scenario from its first phase to its last; what is not as it should be goes into ``findings``."""

    def __init__(self, book: Book, scenario: Scenario, findings: Findings) -> None:
        super().__init__(book, scenario)
        self.findings = findings
        self.idle: dict[str, str] = {}
        """Where steps stand that may find their effect there already and be passed over in silence → id."""
        self._judging: Key | None = None
        self._lapsing = False
        self._uses = self._waits()

    def perform(self) -> None:
        """Play the whole rite. What stops it is a finding, as everything else is."""
        if not self.rite.phases:
            return
        try:
            self.prepare(self.rite.phases[0].id, self.rite.phases[-1].id)
            before: Key | None = None
            while True:
                due = self.ensemble.next()
                if due is not None and due.key is not None and due.key == before:
                    what = "the agent's act does not discharge the step; the rite cannot go on"
                    self._add(self.rite.nodes[due.key[0]], what)
                    return
                before = due.key if due is not None else None
                if not self.run(limit=1):
                    break
        except (KeyError, RuntimeError, AssertionError, IndexError) as error:
            node = self.rite.nodes[self._judging[0]] if self._judging else None
            what = f"the performance breaks off here ({type(error).__name__}: {error}); what comes after was not tried"
            if node is not None:
                self._add(node, what)
            else:
                self.findings.add(f"{self.scenario.id}.yaml:1", what, self.scenario.id)
            return
        self._unfinished()

    def _unfinished(self) -> None:
        if self.over:
            return
        waiting = sorted(
            (performer.key, person)
            for (_, person), performer in self.ensemble.performers.items()
            if performer.key is not None
        )
        for key, person in waiting:
            cues = self.ensemble.performers[self.rite.nodes[key[0]].phase.number, person].part.cues(*key)
            missing = [self._name(c) for c in cues if c not in self.ensemble.ledger.done and c[0] != START]
            if missing:
                what = f"{person} waits for ever for {', '.join(missing)}; the rite does not end"
                self._add(self.rite.nodes[key[0]], what)
        if not waiting:
            what = "the rite does not end, and nobody waits for anything"
            self.findings.add(f"{self.scenario.id}.yaml:1", what, self.scenario.id)

    def _name(self, key: Key) -> str:
        return self.rite.step_name(self.rite.nodes[key[0]], key[1]) if key[0] >= 0 else "始"

    def _add(self, node: Node, message: str) -> None:
        self.findings.add(node.where, f"{node.name}: {message}", self.scenario.id)

    # What came about

    def enacted(self) -> set[int]:
        """Steps that were completed in some turn."""
        return {key[0] for key in self.ensemble.ledger.done}

    def decided(self) -> dict[str, set[bool]]:
        """Where each branch stands (file:line) → which ways it went."""
        ways: dict[str, set[bool]] = {}
        for key in self.ensemble.ledger.done:
            node = self.rite.nodes[key[0]]
            if isinstance(node, When):
                truth = self.rite.decided(node.condition, node, key[1], self.ensemble.ledger.outcomes)
                ways.setdefault(node.where, set()).add(truth)
        return ways

    # Watching

    def _waits(self) -> dict[Key, dict[str, Node]]:
        """Each event that somebody really waits for → who waits for it, and with which step."""
        uses: dict[Key, dict[str, Node]] = {}
        for node in self.rite.nodes:
            if isinstance(node, Act):
                for index in bindings(self.rite, node):
                    person = self.rite.fill(node.who, node, index)
                    for key in self.rite.cues(node, index):
                        uses.setdefault(key, {}).setdefault(person, node)
            elif isinstance(node, When):
                for index in bindings(self.rite, node):
                    deciders = self.rite.deciders(node.condition, index)
                    for person in self._acting(node, len(index), index) if deciders else ():
                        for key in (*self.rite.cues(node, index), *deciders):
                            uses.setdefault(key, {}).setdefault(person, node)
        return uses

    def _acting(self, node: Node, depth: int, index: tuple[int, ...]) -> set[str]:
        """Everybody who acts inside a step in one of its turns."""
        found = set()
        for inner in node.walk():
            if isinstance(inner, Act):
                turns = [i for i in bindings(self.rite, inner) if i[:depth] == index]
                found |= {self.rite.fill(inner.who, inner, i) for i in turns}
        return found

    def act(self, attempt: Attempt, by: str, given: Mapping[str, Any] | None = None) -> Refusal | Ruling:
        """As the ceremony does it, and look what came of it."""
        performer = self.ensemble.next()
        key = performer.key if performer is not None else None
        before = self.world.place[attempt.person]
        self._judging = key
        ruling = super().act(attempt, by, given)
        self._judging = None
        if key is None:
            return ruling
        node = self.rite.nodes[key[0]]
        if isinstance(ruling, Refusal):
            self._add(node, f"refused in a faultless run ({attempt.person}, {before}): {ruling.zh} · {ruling.en}")
            return ruling
        if ruling.step != key:
            instead = self._name(ruling.step) if ruling.step else "nothing"
            self._add(node, f"the agent's act discharges {instead} instead; tell the two steps apart")
        after = self.world.place[attempt.person]
        if after != before and self.words.verbs[attempt.verb].effect != "go":
            what = f"{attempt.verb} moves {attempt.person} from {before} to {after}; write the walk as its own step"
            self._add(node, what)
        for fault in ruling.verdict.faults:
            what = f"a faultless agent commits {fault.kind} ({fault.field}): expected {fault.expected}, got {fault.got}"
            self._add(node, what)
        return ruling

    def lapse(self, key: Key) -> None:
        """A refused step is left out, so that the rest can be looked at."""
        self._lapsing = True
        super().lapse(key)
        self._lapsing = False

    def _completed(self, key: Key) -> None:
        node = self.rite.nodes[key[0]] if key[0] >= 0 else None
        if isinstance(node, Act) and self._judging is None and not self._lapsing:
            self._discharged_silently(node, key)
        elif isinstance(node, Happening):
            self.actor = ""
        super()._completed(key)
        for person, waiting in self._uses.get(key, {}).items():
            if not self._perceives(person):
                self._unperceived(person, waiting, key)

    def _discharged_silently(self, act: Act, key: Key) -> None:
        person = self.rite.fill(act.who, act, key[1])
        self.actor, self.actor_to, self.actor_carries = person, (), False
        self.actor_regions = (self.world.region(person),)
        effect = self.words.verbs[act.verb].effect
        if effect == "go":
            what = f"{person} is at {self.world.place[person]} already; leave the walk out, or correct the step before"
            self._add(act, what)
        elif effect in _SAID_AGAIN:
            self.idle[act.where] = act.name.split("__")[-1]
        else:
            self._add(act, f"{act.verb} when {person} is {self.world.posture[person]} already; remove one of the two")

    def _perceives(self, person: str) -> bool:
        if not self.actor or self.actor_carries:
            return True
        to = {m for one in self.actor_to for m in self.words.roster.members(one)}
        return person == self.actor or person in to or self.world.region(person) in self.actor_regions

    def _unperceived(self, person: str, waiting: Node, key: Key) -> None:
        who = waiting.who if isinstance(waiting, Act) else person
        cue, regions = self.rite.nodes[key[0]], "/".join(dict.fromkeys(self.actor_regions))
        what = f"{who} at {self.world.place[person]} waits for {cue.id or cue.where}, done in {regions}"
        self._add(waiting, f"{what}, which he cannot perceive; let him wait for what he sees or hears")


# Which steps block


def blocking(book: Book, scenario: Scenario, tried: set[str]) -> list[tuple[str, str]]:
    """(step, file:line) of each step without which the rite cannot go on: leave out its first occurrence and play on.

    Steps in ``tried`` are passed over, the others entered there.
    """
    ceremony = Ceremony(book, scenario)
    ceremony.prepare(ceremony.rite.phases[0].id, ceremony.rite.phases[-1].id)
    found = []
    ceremony.run(limit=0)
    while True:
        performer = ceremony.ensemble.next()
        if performer is not None and performer.key is not None:
            node = ceremony.rite.nodes[performer.key[0]]
            if node.name not in tried:
                tried.add(node.name)
                if ceremony.blocking(performer.key):
                    found.append((node.name, node.where))
        if not ceremony.run(limit=1):
            return found
