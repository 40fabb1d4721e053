"""A session: the ceremony, its players' inputs, its journal. The only door for every face."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import Any

from game import __version__
from game.clean import short
from game.core.choreography import Key
from game.core.ruling import Refusal, Ruling
from game.rite.book import Book
from game.rite.scenario import Scenario, from_record
from game.rite.yaml_strict import DataError
from game.session.answers import ALL, Answers, Subject
from game.session.ceremony import Ceremony
from game.session.duties import Duties
from game.session.explain import Explainer
from game.session.journal import FORMAT, Journal, JournalError, as_said, check_range, read_journal, voided, writable
from game.session.notation import Lexicon, parse
from game.session.rerun import feed

LEVELS = ("童子", "士", "君子")
Reply = dict[str, Any]
Line = dict[str, Any]
_UNWRITABLE = "此言不可书 · this cannot be written down"
Watch = Callable[["Session", dict[str, Any]], None]
"""Told of each line as it is written, while the world stands as the line left it."""


class Session:
    """One saved session. Every public method answers with plain data, as ``xiangshe session`` prints it."""

    def __init__(self, book: Book, header: Mapping[str, Any], journal: Journal, watch: Watch | None = None) -> None:
        self.book = book
        self.watch = watch
        self.header = header
        self.journal = journal
        self.scenario: Scenario = from_record(header["scenario"], "scenario")
        self.players: dict[str, str] = dict(header["players"])
        self.ceremony = Ceremony(book, self.scenario, self.players, self._record)
        self.ceremony.next_line = self._next_line  # type: ignore[method-assign]
        self.explainer = Explainer(book, self.ceremony)
        self.duties = Duties(self.ceremony)
        self.answers = Answers(self.ceremony, self.duties, self.explainer, self.counted)
        known = {p.id for p in self.ceremony.words.roster.persons}
        for person, level in self.players.items():
            if person not in known:
                raise DataError(f"no person {person!r} in scenario {self.scenario.id}; see `xiangshe roles`")
            if level not in LEVELS:
                raise DataError(f"no level {level!r}; it is one of {', '.join(LEVELS)}")
        self.marks: list[tuple[int, int]] = []
        """(line, trail mark) before each input of a player: where undo can go back to."""
        self.undos = 0
        self.ended = False
        self._since = 0

    # Beginning

    @classmethod
    def new(
        cls,
        book: Book,
        scenario: Scenario,
        first: str,
        last: str,
        players: Mapping[str, str] | None = None,
        seed: int = 1,
        out: Path | None = None,
        sync: bool = True,
        started: bool = True,
        watch: Watch | None = None,
        drill: bool = False,
    ) -> Session:
        """Begin a session and let it run to the first turn of a player. DataError for what cannot be played.

        ``drill``: it practises one phase, and its result is entered in the schedule.
        """
        options = dict(scenario.options)
        header = {
            "format": FORMAT,
            "game": __version__,
            "data": book.digest,
            "reading": options.get("reading", "郑"),
            "scenario": Scenario(scenario.id, options).record(),
            "seed": seed,
            "from": first,
            "to": last,
            "players": dict(players or {}),
            "agents": {},
            "parent": None,
            "started": datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ") if started and players else None,
        }
        if drill:
            header["drill"] = True
        journal = Journal(out, sync)
        session = cls(book, header, journal, watch)
        check_range(session.header, [p.id for p in session.ceremony.rite.phases])
        journal.start()
        session._begin()
        return session

    @property
    def is_drill(self) -> bool:
        """Whether this practises one phase."""
        return self.header.get("drill") is True

    def header_line(self) -> dict[str, Any]:
        """The first line of the journal."""
        return self.journal.lines[0]

    def begin(self) -> None:
        """Write the first lines, up to the first turn of a player; DataError if the range cannot be played."""
        check_range(self.header, [p.id for p in self.ceremony.rite.phases])
        self._begin()

    def _begin(self) -> None:
        self.journal.write("session", **self.header)
        self.ceremony.prepare(self.header["from"], self.header["to"])
        self._run()

    @classmethod
    def open(cls, book: Book, path: Path) -> Session:
        """Go on with a saved session: its inputs are run again, and every line must come out the same.

        JournalError for a file that is damaged, judged under other rules, or open elsewhere.
        """
        journal = Journal.held(path)
        try:
            saved = read_journal(path)
            data = saved.lines[0]["data"]
            if data != book.digest:
                raise JournalError(
                    f"{path}:1: judged under other rules (data {data[:32]}, here {book.digest}); "
                    "it can be replayed, not continued"
                )
            session = cls.again(book, path, saved.lines, journal)
            difference = feed(session, saved.lines)
            if difference is not None:
                raise JournalError(f"{path}:{difference[0] + 1}: expected {difference[1]}, found {difference[2]}")
            journal.resume(path, saved.torn_at)
            for line in journal.lines[len(saved.lines) :]:
                journal.write_again(line)
        finally:
            journal.let_go()
        session._since = len(journal.lines)
        session.go_on()
        return session

    @classmethod
    def again(
        cls, book: Book, path: Path, lines: list[Line], journal: Journal | None = None, watch: Watch | None = None
    ) -> Session:
        """A session begun as saved ones were, at the first turn of a player. JournalError if it cannot be."""
        journal = journal or Journal(None)
        journal.expect(lines)
        try:
            session = cls(book, {k: v for k, v in lines[0].items() if k not in ("n", "t", "h")}, journal, watch)
            session.begin()
        except DataError as error:
            raise JournalError(f"{path}:1: {error}") from None
        return session

    def go_on(self) -> None:
        """A session that was broken off (止) goes on; one that was finished (卒) stays so, unless it is undone."""
        if self.ended and not self.ceremony.over:
            self.ended = False

    # Lines

    def _record(self, t: str, **fields: Any) -> int:
        line = self.journal.write(t, **fields)
        if self.watch is not None:
            self.watch(self, line)
        return int(line["n"])

    def _next_line(self) -> int:
        return self.journal.next

    def events(self) -> list[dict[str, Any]]:
        """The lines written since this was last asked."""
        lines = self.journal.lines[self._since :]
        self._since = len(self.journal.lines)
        return lines

    def _run(self, limit: int | None = None, past_players: bool = False) -> int:
        done = self.ceremony.run(limit, past_players)
        if self.ceremony.over and not self.ended:
            self._end("卒")
        return done

    def _end(self, why: str) -> None:
        self.ended = True
        totals = self.ceremony.scores.totals()
        self.journal.write("score", phase=None, persons=totals)
        self.journal.write("end", why=why, totals={p: totals[p] for p in self.players if p in totals}, undos=self.undos)
        self.journal.flush()

    def _answer(self, **more: Any) -> Reply:
        return {"ok": True, **more, "events": self.events(), "due": self.due()}

    @staticmethod
    def _refused(code: str, error: str, candidates: tuple[str, ...] = ()) -> Reply:
        return {"ok": False, "code": code, "error": error, "candidates": list(candidates)}

    def _barred(self, who: str | None, said: object = None) -> Reply | None:
        """Why a person can give no input now, or not this one."""
        if self.ended:
            return self._refused("unclear", "此礼已毕 · the session is over")
        if who not in self.players:
            return self._refused("unclear", f"非所任：{who} · not a part of yours: {who}", tuple(self.players))
        return None if writable(said) else self._refused("unclear", _UNWRITABLE)

    # Whose turn

    def whose(self, person: str | None = None) -> str | None:
        """The player whose turn it is: the one named, or the first in order with something due or owed."""
        if person:
            return person
        waiting = [p for p in self.players if self.ceremony.undone(p)]
        order = {p: i for i, p in enumerate(waiting)}
        return min(
            waiting,
            key=lambda p: (self.ceremony.rite.position(self.ceremony.undone(p)[0]), order[p]),
            default=next(iter(self.players), None),
        )

    def due(self, person: str | None = None) -> Reply:
        """What is due to a player: ``must``, ``any_order``, ``choose``, ``may``. Asking changes nothing."""
        return self.duties.of(None if self.ended else self.whose(person))

    def phrase(self, person: str | None = None) -> list[Reply]:
        """The due steps that the text says in one breath, in order; empty where nothing is due."""
        who = self.whose(person)
        return [] if who is None or self.ended else self.duties.phrase(who)

    def state(self) -> Reply:
        """The whole world as it is now."""
        return {"ok": True, "state": self.ceremony.world.state(), "n": self.journal.next}

    # Inputs

    def _mark(self) -> None:
        self.marks.append((self.journal.next, self.ceremony.trail.mark()))

    def act(self, given: Mapping[str, Any], person: str | None = None) -> Reply:
        """One act. A refused one is journalled as an ``attempt`` and changes nothing."""
        who = self.whose(person)
        if barred := self._barred(who, given):
            return barred
        assert who is not None
        given = {k: v for k, v in given.items() if v not in (None, "", [], ())}
        attempt = self.ceremony.arbiter.read(who, given)
        mark = (self.journal.next, self.ceremony.trail.mark())
        ruling: Refusal | Ruling = (
            attempt if isinstance(attempt, Refusal) else self.ceremony.act(attempt, "player", given)
        )
        if isinstance(ruling, Refusal):
            self._attempt(who, given, ruling)
            return {
                **self._refused(
                    ruling.code, f"{ruling.zh} · {self.explainer.gloss.message(ruling.en)}", ruling.candidates
                ),
                "events": self.events(),
            }
        self.marks.append(mark)
        own = self.journal.lines[mark[0]]
        self._run()
        return self._answer(
            took_effect=True,
            n=own["n"],
            verdict=own["verdict"],
            step=own["step"],
            passed=[self._name(k) for k in ruling.passed],
        )

    def say(self, line: str, person: str | None = None) -> Reply:
        """Typed notation: a phrase is several acts, done one after the other up to the first refusal.

        The answer is that of the last act tried, with the single answers in ``acts``.
        """
        acts = parse(line, self.lexicon)
        if isinstance(acts, Refusal):
            return self._refused(acts.code, f"{acts.zh} · {acts.en}", acts.candidates)
        who = self.whose(person)
        replies: list[Reply] = []
        for given in acts:
            replies.append(self.act(given, who))
            if not replies[-1]["ok"]:
                break
        return {**replies[-1], "events": [e for r in replies for e in r.get("events", [])], "acts": replies}

    @cached_property
    def lexicon(self) -> Lexicon:
        """The words that can be typed in this scenario."""
        return Lexicon.of(self.ceremony.words, self.ceremony.rite)

    def _name(self, key: Key) -> str:
        return self.ceremony.rite.step_name(self.ceremony.rite.nodes[key[0]], key[1])

    def _attempt(self, who: str, given: Mapping[str, Any], refusal: Refusal) -> None:
        """Place, facing and posture are as they still are."""
        world, said = self.ceremony.world, as_said(given)
        speech = said.pop("speech")
        self.journal.write(
            "attempt", phase=self.ceremony.phase_of(None, who), step=None, basis=None, person=who,
            actor=self.ceremony.title(who), **said,
            at=world.place[who], facing=world.facing[who], posture=world.posture[who], speech=speech,
            re=None, because=None, clauses=None, by="player",
            verdict={"code": refusal.code, "zh": refusal.zh, "en": refusal.en, "candidates": list(refusal.candidates)},
            input=dict(given),
        )  # fmt: skip

    def wait(self, person: str | None = None) -> Reply:
        """Let the others go on until a player is due again or no longer waited for."""
        who = self.whose(person)
        if barred := self._barred(who):
            return barred
        assert who is not None
        self._mark()
        self.journal.write("wait", person=who, how="wait")
        prompt: list[str] = []
        if not self._run(past_players=True) and not self.ended:
            needed, left = self._waited_for(who)
            prompt = [self._name(key) for key in needed]
            if left is not None:
                self.ceremony.lapse(left)
            self._run()
        return self._answer(prompt=prompt)

    def possible(self, acts: Iterable[Mapping[str, Any]], person: str) -> bool:
        """Whether a person could do these acts one after the other; nothing is done."""
        return self.ceremony.possible(acts, person)

    def left_by_waiting(self, person: str | None = None) -> Reply | None:
        """The own step that ``wait`` would leave undone, since nobody else can act; None if there is none."""
        who = self.whose(person)
        if self._barred(who) or self.ceremony.can_go_on():
            return None
        assert who is not None
        _needed, left = self._waited_for(who)
        return None if left is None else self.duties.entry(left)

    def _waited_for(self, who: str) -> tuple[list[Key], Key | None]:
        """The own steps that the rite cannot go on without, and the first one after them that it can."""
        needed: list[Key] = []
        for key in self.ceremony.undone(who):
            if not self.ceremony.blocking(key):
                return needed, key
            needed.append(key)
        return needed, None

    def step(self, person: str | None = None) -> Reply:
        """Let one act of the others happen."""
        who = self.whose(person)
        if barred := self._barred(who):
            return barred
        self._mark()
        self.journal.write("wait", person=who, how="step")
        self._run(limit=1, past_players=True)
        return self._answer()

    def choose(self, what: str, person: str | None = None) -> Reply:
        """A choice that the rite leaves to the person."""
        who = self.whose(person)
        offered = [w for group in self.due(who)["choose"] for w in group]
        if what not in offered:
            return self._refused("unclear", f"无此可择：{what} · not offered: {what}", tuple(offered))
        return self.act({"verb": "择", "manner": what}, who)

    def undo(self, to: int | None = None) -> Reply:
        """Take back the last input, or all inputs from line ``to`` on. Not at level 君子."""
        if "君子" in self.players.values():
            return self._refused("unclear", "君子不反：此级不可反 · no undo at this level")
        if not self.marks:
            return self._refused("unclear", "无可反者 · nothing to undo")
        target = self.marks[-1][0] if to is None else to
        found = [m for m in self.marks if m[0] >= target]
        if not found:
            return self._refused("unclear", f"不能反至 {target} · nothing to undo back to line {target}")
        line, mark = found[0]
        self.ceremony.trail.rollback(mark)
        self.ceremony.ensemble.forget_order()
        self.marks = [m for m in self.marks if m[0] < line]
        self.ended = False
        self.undos += 1
        self.journal.write("undo", to=line)
        return self._answer(undone_to=line)

    def note(self, of: int | None, text: str) -> Reply:
        """Write a note into the journal, on line ``of`` or on nothing."""
        if of is not None and not (type(of) is int and 0 <= of < self.journal.next):
            return self._refused("unclear", f"无第 {of} 行 · no line {of}")
        if not writable(text):
            return self._refused("unclear", _UNWRITABLE)
        self.journal.write("note", of=of, text=text)
        return self._answer()

    def appeal(self, of: int, note: str) -> Reply:
        """Contest a verdict."""
        if not (0 <= of < len(self.journal.lines)) or "verdict" not in self.journal.lines[of]:
            return self._refused("unclear", f"{of} 行无判 · line {of} has no verdict")
        if not writable(note):
            return self._refused("unclear", _UNWRITABLE)
        self.journal.write("appeal", of=of, note=note)
        return self._answer()

    def counted(self) -> list[Line]:
        """The lines that no undo has made void."""
        void = voided(self.journal.lines)
        return [line for i, line in enumerate(self.journal.lines) if i not in void]

    def why(self, of: int | None = None, person: str | None = None, about: str | None = None) -> Reply:
        """The reasons of what is due, of line ``of``, or of a word: a person, thing, place or verb; with clauses."""
        if about is not None:
            return self.about(about, person)
        if of is None:
            due = self.due(person)
            entries = due["must"] + due["may"] + [e for g in due["any_order"] for e in g] + due["owed"]
            return {"ok": True, "why": [self.explainer.step(e) for e in entries]}
        if not 0 <= of < len(self.journal.lines):
            return self._refused("unclear", f"无第 {of} 行 · no line {of}")
        return {"ok": True, "why": [self.explainer.line(self.journal.lines[of])]}

    def about(self, word: str, person: str | None = None, told: str = ALL) -> Reply:
        """What a word means, what was done with it or by him, and what is to be done; ``told`` limits the last."""
        if not writable(word):
            return self._refused("unclear", _UNWRITABLE)
        word = " ".join(word.split())
        found = self.answers.subjects(word, self.lexicon)
        names = list(dict.fromkeys(name for _, name in found))
        if not found:
            return self._refused(
                "unclear", f"不识：{short(word, 60)} · not known: {short(word, 60)}", tuple(self.answers.like(word))
            )
        if len(names) > 1:
            return self._refused(
                "ambiguous", f"「{'、'.join(names)}」何者？ · which of {', '.join(names)}?", tuple(names)
            )
        return {"ok": True, "why": [self.answer(subject, person, told) for subject in found]}

    def answer(self, subject: Subject, person: str | None = None, told: str = ALL) -> Reply:
        """The same of somebody or something that is known."""
        return self.answers.of(subject, self.whose(person), told)

    def quit(self) -> Reply:
        """End the session; it can be opened again unless it was finished."""
        if not self.ended:
            self._end("止" if not self.ceremony.over else "卒")
        reply = {"ok": True, "events": self.events()}
        self.journal.close()
        return reply

    def close(self) -> None:
        """Leave the session as it is, to be continued."""
        self.journal.close()
