"""Every slip that a player can make at one own act, and what the rite should make of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from game.agents.scripted import propose
from game.core.choreography import Act, Key
from game.core.vocabulary import FACINGS
from game.rules.arbiter import FIELD_FAULTS
from game.session.session import Session
from tests.builders import Given, PerfectPlayer, Reply, essence, exact, faults, given, open_entries, step_id

ORDER = frozenset({"序", "阙"})
"""A later step done first: 序 if the other is made good, 阙 if it no longer can be."""


@dataclass(frozen=True)
class Slip:
    """One wrong act (None: waiting instead) and the kinds of fault that explain it."""

    name: str
    act: Given | None
    kinds: frozenset[str]
    clauses: tuple[str, ...] = ()
    """Clauses that the fault must cite; empty for any."""
    free: bool = False
    """True where the act may be no slip at all."""


@dataclass
class Report:
    """What a sweep found: how many slips were tried, and one line for each that went wrong."""

    tried: int = 0
    by: dict[str, int] = field(default_factory=dict)
    wrong: list[str] = field(default_factory=list)


def another(values: list[Any], of: Any) -> Any:
    """The first of some words that is not accepted, or None."""
    return next((v for v in of if v not in values), None)


class Variations:
    """Wrong values for the fields of a due step, from the words and the people of a session."""

    def __init__(self, session: Session, person: str) -> None:
        self.ceremony = session.ceremony
        self.person = person
        self.world = self.ceremony.world
        self.manners: dict[str, list[str]] = {}
        self.vias: list[str] = []
        self.objects: dict[str, list[str]] = {}
        for node in self.ceremony.rite.nodes:
            if isinstance(node, Act):
                self.manners.setdefault(node.verb, []).extend(str(m) for m in node.fields.get("manner", ()))
                self.objects.setdefault(node.verb, []).extend(str(m) for m in node.fields.get("object", ()))
                self.vias += [str(v) for v in node.fields.get("via", ())]

    def of(self, entry: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
        """(field, wrong value) for each judged field of an entry."""
        accepts = entry["accepts"]
        for name in ("times", "count"):
            for value in accepts.get(name, []):
                for wrong in (value + 1, value - 1):
                    if wrong >= 1 and wrong not in accepts[name]:
                        yield name, wrong
        for name, words in (
            ("facing", self._turned(accepts)),
            ("at", self._places(accepts)),
            ("into", self._beside(accepts)),
            ("to", self._people(accepts)),
            ("manner", self.manners.get(entry["verb"], [])),
            ("hand", ["左", "右", "两"]),
            ("via", self.vias),
            ("object", self._objects(entry)),
            ("speech", ["妄言"]),
        ):
            if name in accepts:
                wrong = another(accepts[name], words)
                if wrong is not None:
                    yield name, wrong

    def _turned(self, accepts: Mapping[str, Any]) -> list[str]:
        at = FACINGS.index(accepts["facing"][0]) if "facing" in accepts else 0
        return [*FACINGS[at + 1 :], *FACINGS[:at]]

    def _places(self, accepts: Mapping[str, Any]) -> list[str]:
        if "at" not in accepts:
            return []
        place = self.world.at(accepts["at"][0])
        return [
            p.id for p in self.ceremony.words.places.values()
            if (p.level, p.region) == (place.level, place.region) and p.id != self.world.place[self.person]
        ]  # fmt: skip

    def _beside(self, accepts: Mapping[str, Any]) -> list[str]:
        if "into" not in accepts:
            return []
        place = self.world.at(accepts["into"][0])
        return [p.id for p in self.ceremony.words.places.values() if p.region == place.region]

    def _people(self, accepts: Mapping[str, Any]) -> list[str]:
        roster = self.ceremony.words.roster
        members = {m for v in accepts.get("to", []) for m in roster.members(v)}
        here = self.world.region(self.person)
        return [
            p.id
            for p in roster.persons
            if p.id not in members and p.id != self.person and self.world.region(p.id) == here
        ]

    def _objects(self, entry: Mapping[str, Any]) -> list[str]:
        named = entry["accepts"].get("object", [""])[0]
        cups = {"爵": ["觯"], "觯": ["爵"]}
        return cups.get(named, []) + self.objects.get(entry["verb"], [])


def slips_at(
    session: Session, person: str, entry: Mapping[str, Any], last: Given | None, later: list[Reply]
) -> Iterator[Slip]:
    """Every slip at one due step. ``last`` is the own act before it, ``later`` are those due after it."""
    follows = given(later[0]) if later else None
    right = given(entry)
    due = session.due(person)
    optional = entry in due["may"]
    any_order = [given(e) for group in due["any_order"] if entry in group for e in group]
    own = session.ceremony.rite.by_id[step_id(entry["step"])]
    undone = (isinstance(own, Act) and own.fault) or "阙"
    yield Slip("lapse", None, frozenset() if optional else frozenset({undone}), tuple(entry["clauses"]))
    if follows is not None and follows != right:
        kin = session.ceremony.words.verbs[follows["verb"]].family
        substitute = kin and kin == session.ceremony.words.verbs[entry["verb"]].family
        also = _one_field(right, follows)
        if substitute and follows["verb"] != right["verb"]:
            also = frozenset({"容"})
        if follows["verb"] == "拜" and right["verb"] in ("坐", "奠"):
            # To bow with the cup in the hand is the better reason.
            also |= {"容"}
        in_one_breath = follows["verb"] == right["verb"] and "speech" in follows and "speech" not in right
        either = len(entry["accepts"].get("at", [])) > 1 and follows.get("at") in entry["accepts"]["at"]
        free = optional or in_one_breath or either or follows in any_order
        yield Slip("skip", follows, ORDER | also | {"过", "先后", undone}, free=free)
    vocabulary = Variations(session, person)
    for name, wrong in vocabulary.of(entry):
        kinds: frozenset[str] = frozenset({FIELD_FAULTS[name]})
        if name in ("object", "at") or (name == "to" and entry["verb"] in ("从",)):
            kinds |= {"过"}
        if name == "at" and any(e["verb"] == right["verb"] and wrong in e["accepts"].get("at", []) for e in later[:4]):
            # A walk of his own that comes later: he has left something out.
            kinds |= ORDER
        act = {**right, name: wrong}
        yield Slip(name, act, kinds, free=act in any_order)
    verbs = session.ceremony.words.verbs
    family = verbs[entry["verb"]].family
    for verb in verbs.values():
        if family and verb.family == family and verb.id != entry["verb"]:
            plain = {k: v for k, v in right.items() if k not in ("manner", "times")}
            ruled_out = any(verb.id in f.pattern.get("verb", ()) for f in session.ceremony.arbiter.forbids.current())
            again = last is not None and last["verb"] == verb.id
            yield Slip("family", {**plain, "verb": verb.id}, frozenset({"容", "过"} if ruled_out or again else {"容"}))
    if last is not None and last["verb"] != entry["verb"] and (follows is None or last["verb"] != follows["verb"]):
        kin = session.ceremony.words.verbs[last["verb"]].family
        substitute = kin and kin == session.ceremony.words.verbs[entry["verb"]].family
        yield Slip("repeat", last, frozenset({"过", "服", "容"} if substitute else {"过", "服"}))
    yield from _usurped(session, person, entry, follows)
    yield from _forbidden(session, person, entry, follows)


def _one_field(right: Given, other: Given) -> frozenset[str]:
    """The kind of fault that makes another act of the same verb the due one with one thing wrong; empty if none does.

    Where the act after the due one waits for somebody else, that is the likelier reading: one fault, not two.
    """
    if right["verb"] != other["verb"]:
        return frozenset()
    differing = [n for n in FIELD_FAULTS if n in right and n in other and right[n] != other[n]]
    return frozenset(FIELD_FAULTS[n] for n in differing) if len(differing) == 1 else frozenset()


def _usurped(session: Session, person: str, entry: Mapping[str, Any], follows: Given | None) -> Iterator[Slip]:
    c = session.ceremony
    own = {s.act.verb for s in c.arbiter.window(person)}
    for number, other in sorted(c.ensemble.due):
        key = c.ensemble.performers[number, other].key
        if other == person or key is None:
            continue
        act = c.rite.nodes[key[0]]
        assert isinstance(act, Act)
        effect = c.words.verbs[act.verb].effect
        if act.verb in own or effect in ("go", "shift", "sit", "rise", "stand"):
            continue
        attempt = propose(act, c.arbiter.expected(act, key[1]), person)
        fields = {n: attempt.value(n) for n in ("times", "manner", "object", "count", "from", "into", "hand", "speech")}
        to = next((t for t in attempt.to if t != person), None)
        usurping = {"verb": act.verb, **fields, **({"to": to} if to else {})}
        yield Slip("usurp", usurping, frozenset({"僭"}))


def _forbidden(session: Session, person: str, entry: Mapping[str, Any], follows: Given | None) -> Iterator[Slip]:
    c = session.ceremony
    own = {s.act.verb for s in c.arbiter.window(person)}
    for number in c.ensemble.running():
        phase = next(p for p in c.rite.phases if p.number == number)
        for forbid in phase.forbids:
            pattern = {k: str(v[0]) for k, v in forbid.pattern.items()}
            who = pattern.pop("who", person)
            if not c.ensemble.ledger.under_way(forbid.scope) or pattern["verb"] in own:
                continue
            if who != person:
                continue
            act: Given = (
                {"at": c.world.place[person], **pattern} if pattern["verb"] not in ("降", "升") else dict(pattern)
            )
            if pattern["verb"] in ("拜", "辞", "告", "授", "献", "酬") and "to" not in act:
                here = [p for p in c.world.place if p != person and c.world.region(p) == c.world.region(person)]
                if not here:
                    continue
                act["to"] = here[0]
            yield Slip("forbidden", act, frozenset({"过"}), forbid.clauses)


class Sweep:
    """Plays one role of a range of phases, and at each own act makes every slip in turn, undoing each."""

    def __init__(self, session: Session, person: str) -> None:
        self.session = session
        self.person = person
        self.report = Report()
        self.faultless: list[tuple[Any, ...]] = []
        self.entries: list[Reply | None] = []
        self._reference()

    def _reference(self) -> None:
        """The faultless run: what is due at each own act, and the state there."""
        player = PerfectPlayer(self.session, self.person)
        start = self.session.journal.next
        turns = 0
        while not self.session.ended:
            self.faultless.append(essence(self.session))
            self.entries.append(player.due())
            reply = player.turn()
            assert reply["ok"], reply
            turns += 1
        assert not list(faults(self.session.journal.lines)), "the faultless run has faults"
        self.session.undo(start)

    def run(self) -> Report:
        """Try every slip at every own act."""
        player = PerfectPlayer(self.session, self.person)
        last: Given | None = None
        for n, entry in enumerate(self.entries):
            if entry is not None:
                later = [e for e in self.entries[n + 1 :] if e is not None]
                for slip in list(slips_at(self.session, self.person, entry, last, later)):
                    self._try(n, slip, entry)
                last = given(entry)
            player.turn()
        return self.report

    def _try(self, n: int, slip: Slip, entry: Mapping[str, Any]) -> None:
        before, state = exact(self.session), self.session.state()["state"]
        start = self.session.journal.next
        self.report.tried += 1
        self.report.by[slip.name] = self.report.by.get(slip.name, 0) + 1
        try:
            said = self._lapse(entry) if slip.act is None else self._act(slip.act, before, state)
            if said != "refused":
                self._go_on(n)
            wrong = self._judged(start, slip, said)
        except Exception as error:  # a sweep reports every breakdown, not only the first
            wrong = f"{type(error).__name__}: {error}"
        if self.session.marks and self.session.marks[-1][0] >= start:
            self.session.undo(start)
        if wrong is None and exact(self.session) != before:
            wrong = "undo does not restore"
        if wrong:
            self.report.wrong.append(f"{self.person} {entry['step']} {slip.name} {slip.act}: {wrong}")

    def _lapse(self, entry: Mapping[str, Any]) -> str:
        for _ in range(200):
            reply = self.session.wait(self.person)
            if entry["step"] in reply["prompt"]:
                return "prompt"
            if self.session.ended or entry["step"] not in [e["step"] for e in open_entries(reply["due"])]:
                return "lapsed"
        return "never lapses"

    def _act(self, act: Given, before: tuple[Any, ...], state: Reply) -> str:
        reply = self.session.act(act, self.person)
        if reply["ok"]:
            return "done"
        if exact(self.session) != before or self.session.state()["state"] != state:
            return "refused but changed"
        return "refused"

    def _go_on(self, n: int) -> None:
        """Play perfectly until the state is that of the faultless run at the same act, or the rite ends."""
        player = PerfectPlayer(self.session, self.person)
        for _ in range(400):
            if self.session.ended:
                return
            now = essence(self.session)
            if any(now == state for state in self.faultless[n : n + 12]):
                return
            player.turn()
        raise AssertionError(f"the rite does not end: {self.session.due(self.person)}")

    def _judged(self, start: int, slip: Slip, said: str) -> str | None:
        lines = self.session.journal.lines[start:]
        found = list(faults(lines))
        mine = [f for p, f in found if p == self.person]
        kinds = "".join(f["kind"] for f in mine)
        others = [(p, f["kind"], f["expected"], f["got"]) for p, f in found if p != self.person]
        if said in ("never lapses", "refused but changed"):
            return said
        if others:
            return f"{said}; faults of others {others[:3]}"
        if said in ("refused", "prompt"):
            return f"{said}, yet {kinds}" if mine else None
        if not slip.kinds or slip.free:
            return f"{said}; {kinds} where none was due" if len(mine) > (1 if slip.free else 0) else None
        if len(mine) != 1:
            return f"{said}; {len(mine)} faults ({kinds}) for one slip"
        if mine[0]["kind"] not in slip.kinds:
            return f"{said}; {kinds}, not {''.join(sorted(slip.kinds))}"
        if not mine[0]["clauses"]:
            return f"{said}; {kinds} without a clause"
        if slip.clauses and not set(slip.clauses) & set(mine[0]["clauses"]):
            return f"{said}; {kinds} cites {mine[0]['clauses']}, not {slip.clauses}"
        return None


__all__ = ["Key", "Report", "Slip", "Sweep"]
