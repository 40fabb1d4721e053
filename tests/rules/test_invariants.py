"""What stays true whatever players do: nothing is made or lost, a refusal and an undo leave no trace, the rite ends.

Hypothesis draws inputs as numbers, which a fool turns into acts as he looks at the session: due acts, due acts with a
field changed or left out, steps ahead, others' steps, things within reach handled in any way, any words of the
vocabulary together, and nonsense; and he waits, steps, chooses and takes back. So all that is drawn means something
wherever it is given, and shrinks to little.

The draws are the same in every run (``derandomize``): a change is blamed only for what it did. There are no deadlines,
since a machine may be slow, and no database of examples, since a clean clone must test the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from game.core.choreography import Act
from game.core.vocabulary import FACINGS, HANDS, POSTURES
from game.rules.world import BEGUN, EMPTY, FULL, World
from game.session.ceremony import Ceremony
from game.session.replay import verify
from game.session.session import Session
from tests.builders import FIELDS, Given, PerfectPlayer, Reply, exact, faults, scene, the_book
from tests.builders import given as as_given

Move = tuple[str, int, int, int]
Scene = tuple[str, tuple[str, ...], str, int]
"""Phase, players, scenario, number of examples (fewer where a phase is long)."""

SCENES: list[Scene] = [
    ("01-戒宾", ("宾", "主人"), "常", 20),
    ("02-陈设", ("赞者2",), "常", 6),
    ("03-速宾", ("宾", "众宾1"), "常", 12),
    ("04-迎宾拜至", ("宾", "主人", "众宾2"), "常", 10),
    ("05-主人献宾", ("宾",), "常", 5),
    ("06-宾酢主人", ("宾", "主人"), "常", 4),
    ("07-主人酬宾", ("宾", "主人"), "常", 4),
    ("08-主人献众宾", ("主人", "众宾1", "众宾3"), "众宾三", 4),
    ("09-一人举觯", ("举觯者1", "宾"), "常", 5),
    ("13-立司正", ("相",), "常", 5),
    ("14-司射请射", ("司射", "次耦下射"), "常", 10),
    ("17-司马命张侯倚旌", ("获者", "弟子1"), "常", 8),
    ("20-司射诱射", ("司射",), "庠", 5),
    ("21-三耦射", ("上耦上射", "获者"), "常", 2),
    ("32-数获", ("释获者", "司射"), "常", 6),
    ("33-饮不胜者", ("执爵者", "下耦下射"), "常", 3),
]
KINDS = (
    "right", "right", "right", "right", "vary", "vary", "vary", "open", "ahead", "usurp", "handle", "handle", "go",
    "any", "any", "nonsense", "say", "wait", "wait", "step", "choose", "undo", "back", "note",
)  # fmt: skip
HANDLING = (
    "取",
    "执",
    "奠",
    "授",
    "受",
    "实",
    "饮",
    "卒",
    "洗",
    "挟",
    "搢",
    "释",
    "发",
    "释获",
    "弛",
    "张",
    "献",
    "加",
    "设",
)
NONSENSE: tuple[Given, ...] = (
    {}, {"verb": ""}, {"verb": "喝彩"}, {"verb": 3}, {"verb": ["拜"]}, {"verb": "拜", "times": 0},
    {"verb": "拜", "times": "再"}, {"verb": "拜", "times": True}, {"verb": "拜", "count": -1},
    {"verb": "拜", "to": "玉皇"}, {"verb": "拜", "to": 7}, {"verb": "拜", "to": [[]]}, {"verb": "拜", "at": "天上"},
    {"verb": "拜", "facing": "上"}, {"verb": "取", "object": "筷"}, {"verb": "取", "which": ["爵999"]},
    {"verb": "取", "object": "爵", "hand": "脚"}, {"verb": "奠", "into": {}}, {"verb": "拜", "manner": "\ud800"},
    {"verb": "拜", "speech": float("nan")},
)  # fmt: skip

MOVES = st.tuples(st.sampled_from(KINDS), *[st.integers(0, 999)] * 3)
QUIET = settings(
    deadline=None,
    derandomize=True,
    database=None,
    phases=(Phase.generate, Phase.shrink),
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.function_scoped_fixture],
)


# The fool


@cache
def said_in_the_rite(scenario: str) -> dict[str, tuple[str, ...]]:
    """Manners, ways and words that occur in the acts of a scenario."""
    options = the_book().scenarios[scenario].options
    rite = the_book().rite(options, the_book().words(options))
    said: dict[str, dict[str, None]] = {"manner": {}, "via": {}, "speech": {"妄言": None}}
    for node in rite.nodes:
        if isinstance(node, Act):
            for name, values in said.items():
                values.update(dict.fromkeys(str(v) for v in node.fields.get(name, ())))
    return {name: tuple(values) for name, values in said.items()}


@dataclass
class Fool:
    """Turns moves into inputs, by what he sees of a session."""

    session: Session

    def give(self, move: Move) -> Reply:
        """One input."""
        kind, a, b, c = move
        session = self.session
        person = session.whose() if a % 3 else self._one(list(session.players), a // 3)
        if kind in ("wait", "step"):
            reply: Reply = getattr(session, kind)(person)
        elif kind == "undo":
            reply = session.undo()
        elif kind == "back":
            reply = session.undo(b % session.journal.next)
        elif kind == "note":
            reply = session.note(b % session.journal.next, "疑") if c % 2 else session.appeal(b % 40, "不服")
        elif kind == "choose":
            offered = [w for group in session.due(person)["choose"] for w in group]
            reply = session.choose(self._one([*offered, "无"], b), person)
        elif kind == "say":
            reply = session.say(self._phrase(person, b), person)
        else:
            assert person is not None
            reply = session.act(self._act(kind, person, b, c), person)
        return reply

    @staticmethod
    def _one(of: Sequence[Any], n: int) -> Any:
        return of[n % len(of)]

    def _phrase(self, person: str | None, b: int) -> str:
        shown = [self.session.explainer.phrase(e["verb"], e["accepts"]) for e in self.session.phrase(person)[:1]]
        return str(self._one([*shown, *shown, "坐 喝彩", "，", "拜"], b))

    def _act(self, kind: str, person: str, b: int, c: int) -> Given:
        if kind == "nonsense":
            return dict(self._one(NONSENSE, b))
        if kind == "handle":
            return self._handling(person, b, c)
        if kind == "go":
            goings = [v.id for v in self._words.verbs.values() if v.effect == "go"]
            return {"verb": self._one(goings, b), "at": self._one(list(self._words.places), c)}
        entries = self._entries(kind, person)
        if kind == "any" or not entries:
            verb = self._one(list(self._words.verbs), b)
            names = [FIELDS[(b + c) % len(FIELDS)], FIELDS[c % len(FIELDS)]][: b % 3]
            return {"verb": verb, **{name: self._one(self._values(name, person), c // 7) for name in names}}
        act = as_given(self._one(entries, b if kind != "vary" else 0))
        if kind == "vary":
            name = self._one([*list(act)[1:], *FIELDS], b)
            act[name] = self._one(self._values(name, person), c)
        elif kind == "open" and len(act) > 1:
            del act[self._one(list(act)[1:], c)]
        return act

    def _entries(self, kind: str, person: str) -> list[Reply]:
        session = self.session
        if kind == "ahead":
            return session.duties.ahead(person)
        if kind == "usurp":
            performers = session.ceremony.ensemble.performers
            due = [performers[place].key for place in sorted(session.ceremony.ensemble.due) if place[1] != person]
            return [session.duties.entry(key) for key in due if key is not None]
        due_now = session.due(person)
        return [*due_now["must"], *due_now["may"], *(e for g in due_now["any_order"] for e in g), *due_now["owed"]]

    def _handling(self, person: str, b: int, c: int) -> Given:
        world = self.session.ceremony.world
        near = [t for p, things in world.here.items() for t in things if not p[1] and world.near(person, p[0], 25.0)]
        thing = self._one([*world.held(person, (*HANDS,)), *near, "爵1"], c)
        act: Given = {"verb": self._one(HANDLING, b)}
        if b % 2:
            act["which"] = [thing]
        act["object"] = self._words.things[thing].kind if thing in self._words.things else "爵"
        holder, hand = world.where.get(thing, ("", ""))
        if not hand and holder and c % 3:
            act["from"] = holder
        if c % 2:
            act["into"] = self._one([world.place[person], *self._places(person)], c // 3)
        if c % 5 == 0:
            act["hand"] = self._one(HANDS, c // 5)
        if b % 4 == 0:
            act["to"] = self._one(list(world.place), c)
        if b % 7 == 0:
            act["count"] = 1 + c % 4
        return act

    @property
    def _words(self) -> Any:
        return self.session.ceremony.words

    def _places(self, person: str) -> list[str]:
        here = self._words.places[self.session.ceremony.world.place[person]]
        return [p.id for p in self._words.places.values() if (p.level, p.region) == (here.level, here.region)]

    def _values(self, name: str, person: str) -> Sequence[Any]:
        words = self._words
        if name in ("times", "count"):
            return (1, 2, 3, 4, 999)
        if name in ("manner", "via", "speech"):
            return said_in_the_rite(self.session.scenario.id)[name]
        if name in ("object", "which"):
            return [*dict.fromkeys(t.kind for t in words.things.values()), *words.things]
        if name == "to":
            return [*words.order, *words.roster.groups, *words.roster.pairs, "侯"]
        if name in ("from", "into", "at"):
            return [*self._places(person), *words.places, *words.order][: None if name == "from" else -len(words.order)]
        return {"hand": HANDS, "facing": FACINGS}[name]


# What must be so


def whole(session: Session) -> tuple[Any, ...]:
    """``exact``, with what the arbiter keeps in mind, and orders that decide between two that fit as well."""
    c = session.ceremony
    arbiter, ensemble = c.arbiter, c.ensemble
    return (
        *exact(session), dict(arbiter.jumps), set(arbiter.paid), dict(arbiter.last), set(c.lapsed), c.line,
        dict(c.world.counted), [session.duties.of(p) for p in session.players],
        ensemble.running(), sorted(ensemble.due), {k: (p.station, p.index) for k, p in ensemble.performers.items()},
    )  # fmt: skip


def wrong_with(world: World) -> Iterator[str]:
    """What of a world cannot be."""
    words = world.words
    lying = [(thing, where) for where, things in world.here.items() for thing in things]
    if sorted(t for t, _ in lying) != sorted(words.things):
        yield "things made, lost or in two places"
    if dict(lying) != world.where:
        yield "here and where disagree"
    for holder, hand in world.here:
        if not (hand in HANDS and holder in world.place if hand else holder in words.places):
            yield f"things in {(holder, hand)}"
    for thing, wine in world.wine.items():
        if wine not in (EMPTY, FULL, BEGUN) or not words.things[thing].cup:
            yield f"wine {wine} in {thing}"
    if not set(world.offered) <= {t for t, (_, hand) in world.where.items() if hand}:
        yield "something is held out that nobody holds"
    people = {p.id for p in words.roster.persons}
    for table, values in (
        (world.place, set(words.places)), (world.facing, set(FACINGS)), (world.posture, set(POSTURES)),
    ):  # fmt: skip
        if set(table) != people or not set(table.values()) <= values:
            yield "somebody is nowhere, or faces or sits as nobody can"


@dataclass
class Watched:
    """A session whose every input is looked at."""

    session: Session
    before: dict[int, tuple[Any, ...]] = field(default_factory=dict)
    """Line at which an input began → the state there."""

    def give(self, move: Move) -> None:
        """One input, and what must be so after it."""
        session = self.session
        state, now, n = session.state()["state"], whole(session), session.journal.next
        self.before[n] = now
        reply = Fool(session).give(move)
        assert list(wrong_with(session.ceremony.world)) == []
        if len(reply.get("acts", ())) > 1:
            return  # A typed phrase is done up to its first refusal.
        if not reply["ok"]:
            assert session.state()["state"] == state, f"refused ({reply['error']}), and the world is another"
            assert whole(session) == now, f"refused ({reply['error']}), and something has changed"
            assert {line["t"] for line in session.journal.lines[n:]} <= {"attempt"}
        elif "undone_to" in reply:
            assert whole(session) == self.before[reply["undone_to"]], "not taken back to what it was"
        else:
            assert set(reply["due"]) >= {"must", "may", "any_order", "choose", "owed"}


def finish(session: Session, foolish: Sequence[int] = (), limit: int = 900) -> None:
    """All players go on without fault, till the rite ends. AssertionError if it has not after ``limit`` inputs.

    One who has laid his bow away, or unstrung it, cannot shoot, and nobody can do it for him: then he is told again and
    again what is waited for, and why it cannot be. Such a player takes back what he did, input by input (``foolish``:
    the lines where they began), until he can go on. That the wine is drunk is no such reason.
    """
    players = {p: PerfectPlayer(session, p) for p in session.players}
    told: dict[str, int] = {}
    back = list(foolish)
    why = ""
    for _ in range(limit):
        if session.ended:
            return
        who = session.whose()
        assert who is not None
        reply = players[who].turn()
        why = why if reply["ok"] else reply["error"]
        for step in reply.get("prompt", ()):
            told[step] = told.get(step, 0) + 1
            if told[step] > 3 and back and "酒" not in why and "虚" not in why:
                session.undo(back.pop())
                told.clear()
                break
    raise AssertionError(f"the rite does not end ({why}): {session.due()}")


@cache
def opened(phase: str, players: tuple[str, ...], scenario: str) -> Session:
    """A session at the first turn, for all examples: each takes back all that it did, and that is tested too."""
    return scene(phase, phase, *players, scenario=scenario)


@pytest.mark.parametrize(("phase", "players", "scenario", "examples"), SCENES, ids=[s[0][:2] for s in SCENES])
def test_whatever_the_players_do(phase: str, players: tuple[str, ...], scenario: str, examples: int) -> None:
    @settings(QUIET, max_examples=examples)
    @given(st.lists(MOVES, min_size=5, max_size=40))
    def holds(moves: list[Move]) -> None:
        session = opened(phase, players, scenario)
        start, first = whole(session), session.journal.next
        try:
            watched = Watched(session, {})
            for move in moves:
                watched.give(move)
                if session.ended:
                    break
            finish(session, sorted(watched.before))
            assert list(wrong_with(session.ceremony.world)) == []
            assert session.ceremony.over
            session.undo(first)
            assert whole(session) == start, "all taken back, and it is not as it was"
        except BaseException:
            opened.cache_clear()
            raise

    opened(phase, players, scenario)
    holds()


# The same again

SHORT: list[Scene] = [
    ("01-戒宾", ("宾", "主人"), "常", 8),
    ("03-速宾", ("宾", "众宾1"), "常", 4),
    ("04-迎宾拜至", ("宾", "主人"), "常", 4),
]
"""Phases with little before them: every example begins several sessions."""


def written(path: Path, of: Scene, moves: Sequence[Move], left_at: int | None = None) -> bytes:
    """The journal of a session that got these moves; left and opened again after ``left_at`` of them."""
    book, (phase, players, scenario, _) = the_book(), of
    path.unlink(missing_ok=True)
    levels = {p: "士" for p in players}
    session = Session.new(book, book.scenarios[scenario], phase, phase, levels, out=path, sync=False, started=False)
    for i, move in enumerate(moves):
        if i == left_at:
            session.close()
            session = Session.open(book, path)
        Fool(session).give(move)
    session.close()
    return path.read_bytes()


@pytest.mark.parametrize("of", SHORT, ids=[s[0][:2] for s in SHORT])
def test_the_same_inputs_come_to_the_same_lines(of: Scene, tmp_path: Path) -> None:
    """Given again, without or with a break after some of them, and run again from the journal: the same to the byte."""
    one, other = tmp_path / "one.jsonl", tmp_path / "other.jsonl"

    @settings(QUIET, max_examples=of[3])
    @given(st.lists(MOVES, min_size=8, max_size=30), st.integers(0, 29))
    def holds(moves: list[Move], left_at: int) -> None:
        first = written(one, of, moves)
        assert written(other, of, moves, left_at) == first
        report = verify(the_book(), one)
        assert report.same, report.message

    holds()


# Without players


@pytest.mark.parametrize("scenario", ["大夫之耦", "无获"])
def test_agents_alone_keep_the_world_whole(scenario: str) -> None:
    """After every line that they write, and when all of it is taken back."""
    book = the_book()
    wrong: list[str] = []

    def record(t: str, **fields: Any) -> int:
        wrong.extend(f"{t} {fields.get('step')}: {what}" for what in wrong_with(ceremony.world))
        return -1

    ceremony = Ceremony(book, book.scenarios[scenario], (), record)
    ceremony.prepare("01-戒宾", list(book.raw.phases)[-1])
    mark, start = ceremony.trail.mark(), ceremony.world.state()
    ceremony.run()
    assert wrong == []
    assert ceremony.over
    assert ceremony.world.state() != start
    ceremony.trail.rollback(mark)
    assert ceremony.world.state() == start
    assert list(wrong_with(ceremony.world)) == []


def lines_of_agents(limits: Sequence[int] = ()) -> list[tuple[str, Reply]]:
    """What agents write from P01 to P04, stopped after each of some numbers of acts."""
    found: list[tuple[str, Reply]] = []

    def record(t: str, **fields: Any) -> int:
        found.append((t, fields))
        return len(found) - 1

    ceremony = Ceremony(the_book(), the_book().scenarios["常"], (), record)
    ceremony.next_line = lambda: len(found)  # type: ignore[method-assign]
    ceremony.prepare("01-戒宾", "04-迎宾拜至")
    for limit in limits:
        assert ceremony.run(limit) <= limit
    ceremony.run()
    assert ceremony.over
    return found


def test_however_often_they_are_stopped_they_do_the_same() -> None:
    """Letting one act happen (``step``) or all of them: the same lines in the same order."""
    at_once = lines_of_agents()

    @settings(QUIET, max_examples=6)
    @given(st.lists(st.integers(0, 9), max_size=60))
    def holds(limits: list[int]) -> None:
        assert lines_of_agents(limits) == at_once

    holds()


# What they found


def after(phase: str, person: str, step: str) -> Session:
    """A session in which one person has come to a step without fault."""
    session = scene(phase, phase, person)
    player = PerfectPlayer(session, person)
    while (due := player.due()) is None or due["step"] != step:
        assert not session.ended
        player.turn()
    return session


@pytest.mark.parametrize("step", ["p05_guest_back", "p05_guest_kneels_mat", "p05_guest_sips"])
def test_a_cup_drained_too_soon_is_not_waited_for(step: str) -> None:
    """What can no longer be tasted is left out (阙), what is drained already need not be drained; the rite goes on."""
    session = after("05-主人献宾", "宾", step)
    assert session.act({"verb": "卒", "object": "爵"})["verdict"]["faults"][0]["kind"] == "过"
    finish(session)
    assert session.ceremony.over
    found = [(person, fault["kind"], fault["expected"]) for person, fault in faults(session.journal.lines)]
    assert found == [("宾", "过", found[0][2]), ("宾", "阙", "啐")]


def test_what_is_owed_keeps_its_order_when_one_of_it_is_taken_back() -> None:
    """Two steps passed over at once; the first given up, and the giving up taken back."""
    session = scene("07-主人酬宾", "07-主人酬宾", "主人")
    ahead = [as_given(entry) for entry in session.duties.ahead("主人")]
    assert [act["verb"] for act in ahead[:3]] == ["适", "坐", "取"]
    session.act(ahead[2])
    owed = session.due()["owed"]
    assert [entry["verb"] for entry in owed] == ["适", "坐"]
    assert [entry["verb"] for entry in session.wait()["due"]["owed"]] == ["坐"]
    session.undo()
    assert session.due()["owed"] == owed
