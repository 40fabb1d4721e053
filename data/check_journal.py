"""Checks saved sessions of xiangshe with the standard library alone: ``python check_journal.py FILE…``.

It imports nothing of the game, so that a journal can be trusted by those who do not trust the program. What the lines
hold is described in ``journal.schema.json``; this also checks what a schema cannot say: the bytes, the numbering, the
chain of ``h``, that a line refers only to lines that stand before it and are not void, that scores are the sums of the
verdicts before them (as ``docs/scoring.md`` says), and that each thing is in exactly one place.

Prints one line for each problem, as ``file:line: what is wrong; what to do``. Exit code 0: every file is sound;
1: there are problems; 2: wrong usage, or a file that cannot be read.
"""

from __future__ import annotations

import hashlib
import json
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

FORMAT = 1
"""The newest format that this checker knows."""

FACINGS = ("北", "南", "东", "西", "东北", "东南", "西北", "西南")
GRADES = ("正", "小失", "失", "违")
FAULT_KINDS = ("序", "阙", "过", "位", "面", "数", "容", "器", "服", "手", "先后", "辞", "僭")
EDGES = ("始", "终")
BASES = ("文", "推", "注", "补")
HANDS = ("左", "右", "两")
POSTURES = ("立", "坐", "行")
DOERS = ("agent", "player")
CODES = ("unclear", "ambiguous", "impossible")
LEVELS = ("童子", "士", "君子")
READINGS = ("郑", "敖")
TEAMS = ("右", "左")
STRUCK = ("中", "侯", "不及", "过", "旁")
AHEAD = ("右", "左", "钧")
ENDS = ("卒", "止")

_ACT = (
    "phase", "step", "basis", "person", "actor", "verb", "times", "manner", "object", "which", "count", "to", "from",
    "into", "hand", "via", "at", "facing", "posture", "speech", "re", "because", "clauses", "by", "verdict",
)  # fmt: skip
REQUIRED: dict[str, tuple[str, ...]] = {
    "session": (
        "format", "game", "data", "reading", "scenario", "seed", "from", "to", "players", "agents", "parent", "started",
    ),
    "phase": ("phase", "edge", "state"),
    "happening": ("what", "clauses"),
    "become": ("person", "office", "clauses"),
    "act": _ACT,
    "attempt": _ACT,
    "omission": ("step", "person", "verdict"),
    "wait": (),
    "choice": ("what",),
    "undo": ("to",),
    "note": ("text",),
    "appeal": ("of", "note"),
    "shot": (
        "phase", "round", "person", "team", "arrow", "aim", "x", "y", "struck", "on_beat", "counted", "why",
    ),
    "tally": ("round", "right", "left", "ahead", "pairs", "odd"),
    "score": ("phase", "persons"),
    "end": ("why", "totals"),
}  # fmt: skip
"""Keys that a line must have, in their fixed order, by its ``t``. Other keys, and other ``t``, are left alone."""

_CLAUSE = re.compile(r"P[0-9]{2}\.[0-9]{3}[a-z]?")
_PHASE = re.compile(r"[0-9]{2}-\S+")
_TAIL = re.compile(rb',"h":"([0-9a-f]{16})"\}\Z')

Line = dict[str, Any]
Check = Callable[[object], str | None]
"""Says what is wrong with a value, or None."""


# Single values


def one_of(*words: str) -> Check:
    """One of a closed vocabulary."""

    def check(value: object) -> str | None:
        if isinstance(value, str) and value in words:
            return None
        return f"is {shown(value)}; it must be one of {' '.join(words)}"

    return check


def or_null(check: Check) -> Check:
    """What a check accepts, or null."""
    return lambda value: None if value is None else check(value)


def text(value: object) -> str | None:
    """A text that is not empty."""
    return None if isinstance(value, str) and value else f"is {shown(value)}; it must be text"


def any_text(value: object) -> str | None:
    """A text, possibly empty."""
    return None if isinstance(value, str) else f"is {shown(value)}; it must be text"


def flag(value: object) -> str | None:
    """True or false."""
    return None if isinstance(value, bool) else f"is {shown(value)}; it must be true or false"


def whole(low: int, high: int | None = None) -> Check:
    """A whole number within bounds."""

    def check(value: object) -> str | None:
        if type(value) is int and low <= value and (high is None or value <= high):
            return None
        return f"is {shown(value)}; it must be a whole number from {low}{'' if high is None else f' to {high}'}"

    return check


def integer(value: object) -> str | None:
    """A whole number."""
    return None if type(value) is int else f"is {shown(value)}; it must be a whole number"


def number(value: object) -> bool:
    """Whether a value is a JSON number."""
    return type(value) in (int, float)


def maybe_metres(value: object) -> str | None:
    """Metres to the millimetre, or null."""
    if value is None or (isinstance(value, int | float) and number(value) and round(value, 3) == value):
        return None
    return f"is {shown(value)}; it must be metres with at most three decimals, or null"


def points(value: object) -> str | None:
    """A number from 0 to 1."""
    if isinstance(value, int | float) and number(value) and 0 <= value <= 1:
        return None
    return f"is {shown(value)}; it must be a number from 0 to 1"


def phase(value: object) -> str | None:
    """A section of the text."""
    if isinstance(value, str) and _PHASE.fullmatch(value):
        return None
    return f"is {shown(value)}; it must be a phase id, like 01-戒宾"


def clauses(value: object) -> str | None:
    """A list of clause ids."""
    if isinstance(value, list) and all(isinstance(v, str) and _CLAUSE.fullmatch(v) for v in value):
        return None
    return f"is {shown(value)}; it must be a list of clause ids, like P05.012"


def texts(value: object) -> str | None:
    """A list of texts."""
    if isinstance(value, list) and all(isinstance(v, str) and v for v in value):
        return None
    return f"is {shown(value)}; it must be a list of texts"


def table(value: object) -> str | None:
    """An object."""
    return None if isinstance(value, dict) else f"is {shown(value)}; it must be an object"


def players(value: object) -> str | None:
    """Levels by person."""
    if isinstance(value, dict) and all(v in LEVELS for v in value.values()):
        return None
    return f"is {shown(value)}; it must give each player one of {' '.join(LEVELS)}"


def parent(value: object) -> str | None:
    """The session that this one goes on from, or null."""
    if value is None:
        return None
    if isinstance(value, dict) and isinstance(value.get("digest"), str) and whole(0)(value.get("n")) is None:
        return None
    return f"is {shown(value)}; it must have digest and n, or be null"


def shown(value: object) -> str:
    """A value as a message has it."""
    result = json.dumps(value, ensure_ascii=False)
    return result if len(result) <= 60 else result[:57] + "…"


_DONE: dict[str, Check] = {
    "phase": phase, "step": or_null(text), "basis": one_of(*BASES), "person": text, "actor": text, "verb": text,
    "times": whole(1), "manner": or_null(text), "object": or_null(text), "which": texts, "count": whole(1), "to": texts,
    "from": or_null(text), "into": or_null(text), "hand": or_null(one_of(*HANDS)), "via": or_null(text), "at": text,
    "facing": one_of(*FACINGS), "posture": one_of(*POSTURES), "speech": or_null(text), "clauses": clauses,
    "by": one_of(*DOERS),
}  # fmt: skip
_VALUES: dict[str, dict[str, Check]] = {
    "session": {
        "format": whole(1, FORMAT), "game": text, "data": text, "reading": one_of(*READINGS), "scenario": table,
        "seed": integer, "from": phase, "to": phase, "players": players, "agents": table, "parent": parent,
        "started": or_null(text),
    },
    "phase": {"phase": phase, "edge": one_of(*EDGES)},
    "happening": {"what": text, "clauses": clauses},
    "become": {"person": text, "office": text, "clauses": clauses},
    "act": _DONE,
    "attempt": {"person": text, "actor": text, "verb": any_text, "by": one_of("player")},
    "omission": {"step": text, "person": text},
    "choice": {"what": text},
    "note": {"text": any_text},
    "appeal": {"note": any_text},
    "shot": {
        "phase": phase, "round": whole(0, 3), "person": text, "team": or_null(one_of(*TEAMS)), "arrow": whole(1, 4),
        "x": maybe_metres, "y": maybe_metres, "struck": one_of(*STRUCK), "on_beat": or_null(flag), "counted": flag,
        "why": or_null(text),
    },
    "tally": {
        "round": whole(1, 3), "right": whole(0), "left": whole(0), "ahead": one_of(*AHEAD), "pairs": whole(0),
        "odd": whole(0, 1),
    },
    "score": {"phase": or_null(phase)},
    "end": {"why": one_of(*ENDS), "totals": table},
}  # fmt: skip


# What stands inside a line


def check_verdict(verdict: object, refused: bool) -> Iterator[str]:
    """A verdict: of a refused act it has a code, else a grade with its points and faults."""
    if not isinstance(verdict, dict):
        yield f"verdict is {shown(verdict)}; it must be an object"
        return
    if refused:
        if problem := one_of(*CODES)(verdict.get("code")):
            yield f"verdict.code {problem}"
    elif "code" in verdict:
        yield "verdict has a code; only a refused act (attempt) has one"
    if refused and "grade" not in verdict:
        return
    if problem := one_of(*GRADES)(verdict.get("grade")):
        yield f"verdict.grade {problem}"
    if problem := points(verdict.get("points")):
        yield f"verdict.points {problem}"
    faults = verdict.get("faults")
    if not isinstance(faults, list):
        yield f"verdict.faults is {shown(faults)}; it must be a list"
        return
    if (verdict.get("grade") == "正") != (not faults):
        yield f"verdict.grade is {shown(verdict.get('grade'))} with {len(faults)} faults; 正 has none, the others some"
    for fault in faults:
        yield from _check_fault(fault)


def _check_fault(fault: object) -> Iterator[str]:
    if not isinstance(fault, dict):
        yield f"verdict.faults has {shown(fault)}; each fault must be an object"
        return
    checks = {"kind": one_of(*FAULT_KINDS), "rule": text, "clauses": clauses}
    for key in ("kind", "rule", "expected", "got", "clauses"):
        if key not in fault:
            yield f"a fault has no {key}; each has kind, rule, expected, got, clauses"
        elif key in checks and (problem := checks[key](fault[key])):
            yield f"verdict.faults: {key} {problem}"


def check_state(state: object) -> Iterator[str]:
    """Every person's place, facing, posture, hands and dress, and every thing's place."""
    if not isinstance(state, dict):
        yield f"state is {shown(state)}; it must be an object"
        return
    things, persons = state.get("things"), state.get("persons")
    if not isinstance(things, dict):
        yield "state has no things; it must give the place of every thing"
    if not isinstance(persons, dict):
        yield "state has no persons; it must give place, facing, posture, hands and dress of every person"
        return
    checks = {
        "at": text, "facing": one_of(*FACINGS), "posture": one_of(*POSTURES), "hands": table, "dress": texts,
    }  # fmt: skip
    for name, person in persons.items():
        for key, check in checks.items():
            if problem := check(person.get(key) if isinstance(person, dict) else None):
                yield f"state: {key} of {name} {problem}"
    if isinstance(things, dict):
        yield from _check_things(things, persons)


def _check_things(things: Mapping[str, object], persons: Mapping[str, object]) -> Iterator[str]:
    """Each thing in one place: a thing that somebody carries is in one hand of one person, and its place says so."""
    carried: dict[str, list[str]] = {}
    for name, person in persons.items():
        hands = person.get("hands") if isinstance(person, dict) else None
        for hand, held in hands.items() if isinstance(hands, dict) else ():
            if problem := texts(held):
                yield f"state: hands of {name}: {hand} {problem}"
                continue
            for thing in held:
                carried.setdefault(thing, []).append(f"{name}·{hand}")
    for thing, place in things.items():
        if problem := text(place):
            yield f"state: place of {thing} {problem}"
            continue
        bearers = carried.pop(thing, [])
        held_at = isinstance(place, str) and place.partition("·")[0] in persons
        if len(bearers) > 1 or (bearers and bearers != [place]) or (held_at and not bearers):
            where = " and ".join(dict.fromkeys([str(place), *bearers]))
            hands = "" if bearers else ", but that person does not hold it"
            yield f"state: {thing} is at {where}{hands}; each thing is in exactly one place"
    for thing, bearers in carried.items():
        yield f"state: {thing} is at {' and '.join(bearers)} and not among the things; give its place there too"


def check_scores(persons: object) -> Iterator[str]:
    """Scores by person, each with the points for etiquette and its faults by kind."""
    if not isinstance(persons, dict):
        yield f"persons is {shown(persons)}; it must be an object"
        return
    for name, score in persons.items():
        etiquette = score.get("etiquette") if isinstance(score, dict) else None
        if not isinstance(etiquette, dict) or not number(etiquette.get("points")) or whole(0)(etiquette.get("of")):
            yield f"the score of {name} has no etiquette with points and of; docs/scoring.md says how it is made"
            continue
        if "archery" not in score:
            yield f"the score of {name} has no archery; write null where nobody shot"
        faults = etiquette.get("faults")
        if not isinstance(faults, dict):
            yield f"the score of {name} has no faults; write them by kind, {{}} where there are none"
            continue
        for kind, count in faults.items():
            if problem := one_of(*FAULT_KINDS)(kind) or whole(1)(count):
                yield f"the score of {name}: fault {kind} {problem}"


def check_fields(line: Line) -> Iterator[str]:
    """Keys, their order and their values, as far as one line can tell."""
    t = line["t"]
    if t not in REQUIRED:
        return
    missing = [k for k in REQUIRED[t] if k not in line]
    if missing:
        yield f"{t} has no {', '.join(missing)}; every {t} line must have it"
    order = [k for k in line if k in REQUIRED[t]]
    if (wanted := [k for k in REQUIRED[t] if k in line]) != order:
        yield f"keys of {t} stand in the order {' '.join(order)}; their fixed order is {' '.join(wanted)}"
    for key, check in _VALUES.get(t, {}).items():
        if key in line and (problem := check(line[key])):
            yield f"{key} {problem}"
    if t in ("act", "attempt", "omission") and "verdict" in line:
        yield from check_verdict(line["verdict"], refused=t == "attempt")
    if t == "act" and line.get("clauses") == [] and line.get("basis") in BASES and line["basis"] != "补":
        yield f"clauses is empty but basis is {line['basis']}; only 补 stands without a clause"
    if t == "omission" and _kinds(line) and not {"阙", "容"} & set(_kinds(line)):
        yield f"an omission with the faults {' '.join(_kinds(line))}; it must be 阙, or 容 of a little step"
    if t == "phase" and "state" in line:
        yield from check_state(line["state"])
    if t == "score" and "persons" in line:
        yield from check_scores(line["persons"])
    if t == "tally" and all(type(line.get(k)) is int for k in ("right", "left")):
        ahead = "右" if line["right"] > line["left"] else "左" if line["left"] > line["right"] else "钧"
        if line.get("ahead") in AHEAD and line["ahead"] != ahead:
            yield f"ahead is {line['ahead']} with right {line['right']} and left {line['left']}; it must be {ahead}"


def _kinds(line: Line) -> list[str]:
    verdict = line.get("verdict")
    faults = verdict.get("faults") if isinstance(verdict, dict) else None
    return [str(f.get("kind")) for f in faults if isinstance(f, dict)] if isinstance(faults, list) else []


# The file


class Scores:
    """The verdicts that count so far, and what they come to (docs/scoring.md)."""

    def __init__(self) -> None:
        self.counted: list[tuple[int, str, float, list[str]]] = []
        """(line, person, points, kinds of fault)."""
        self.told: list[int] = []
        """Lines of the scores so far: the next one tells of those whose verdicts came after the last."""
        self.known = True

    def judged(self, n: int, line: Line) -> None:
        """One more act or omission."""
        verdict, person = line.get("verdict"), line.get("person")
        if isinstance(verdict, dict) and isinstance(person, str) and number(verdict.get("points")):
            self.counted.append((n, person, verdict["points"], _kinds(line)))

    def void(self, start: int) -> None:
        """An undo: what came from line ``start`` on does not count."""
        self.counted = [one for one in self.counted if one[0] < start]
        self.told = [n for n in self.told if n < start]

    def check(self, n: int, persons: object, everybody: bool) -> Iterator[str]:
        """What is wrong with the scores that line ``n`` tells."""
        if not isinstance(persons, dict) or not self.known:
            return
        since = 0 if everybody else max(self.told, default=0)
        self.told.append(n)
        for person in dict.fromkeys(who for at, who, _, _ in self.counted if at > since):
            if person not in persons:
                yield f"no score of {person}, who was judged since line {since}; tell it"
        for person, score in persons.items():
            etiquette = score.get("etiquette") if isinstance(score, dict) else None
            if isinstance(etiquette, dict):
                yield from self.differences(person, etiquette)

    def differences(self, person: str, etiquette: Line) -> Iterator[str]:
        """Where what is told of a person is not the sum of the verdicts."""
        own = [one for one in self.counted if one[1] == person]
        earned = sum(one[2] for one in own)
        kinds = dict(Counter(kind for one in own for kind in one[3]))
        remedy = "; it must be the sum of the verdicts that count (docs/scoring.md)"
        if number(etiquette.get("points")) and abs(etiquette["points"] - earned) > 0.005:
            yield f"points of {person} are {shown(etiquette['points'])}, the verdicts come to {earned:g}{remedy}"
        if type(etiquette.get("of")) is int and etiquette["of"] != len(own):
            yield f"of of {person} is {etiquette['of']}, {len(own)} acts and omissions were judged{remedy}"
        if isinstance(etiquette.get("faults"), dict) and etiquette["faults"] != kinds:
            yield f"faults of {person} are {shown(etiquette['faults'])}, the verdicts have {shown(kinds)}{remedy}"
        share = etiquette.get("score")
        if (
            isinstance(share, int | float)
            and number(share)
            and abs(share - (earned / len(own) if own else 1)) > 0.00006
        ):
            yield f"score of {person} is {shown(share)}; it must be points / of, {earned:g} / {len(own)}"


class Book:
    """What has been read so far: the kind of each line, which are void, the scores, the things, whether all is over."""

    def __init__(self) -> None:
        self.kinds: list[str] = []
        self.void: set[int] = set()
        self.undos = 0
        self.finished: list[int] = []
        """Lines at which the whole was performed (end 卒) and that are not void."""
        self.scores = Scores()
        self.things: frozenset[str] | None = None

    def unread(self) -> None:
        """A line that cannot be read; what scores should be cannot be told after it."""
        self.kinds.append("")
        self.scores.known = False

    def add(self, line: Line) -> Iterator[str]:
        """Take in the next line; says what is wrong with its place among the others."""
        n, t = len(self.kinds), line["t"]
        self.kinds.append(t)
        if (n == 0) != (t == "session"):
            yield "not the session; line 0 must be it" if n == 0 else "a second session; a file holds one"
        if self.finished and t not in ("undo", "note", "appeal") and t in REQUIRED:
            yield f"{t} after the end; only undo, note and appeal may follow it"
        if t in ("act", "omission"):
            self.scores.judged(n, line)
        if t == "act":
            yield from self._refers("re", line.get("re"), n, ("act",))
            because = line.get("because")
            if isinstance(because, list):
                for one in because:
                    yield from self._refers("because", one, n, None, null=False)
            elif "because" in line:
                yield f"because is {shown(because)}; it must be a list of line numbers"
        elif t == "appeal" and "of" in line:
            yield from self._refers("of", line["of"], n, ("act", "attempt", "omission"), null=False, void=True)
        elif t == "note" and "of" in line:
            yield from self._refers("of", line["of"], n, None, void=True)
        elif t == "undo" and "to" in line:
            yield from self._undo(line["to"], n)
        elif t == "score":
            yield from self.scores.check(n, line.get("persons"), line.get("phase") is None)
        elif t == "phase":
            yield from self._same_things(line.get("state"))
        elif t == "end":
            if line.get("why") == "卒":
                self.finished.append(n)
            yield from self._totals(line.get("totals"))
            if type(line.get("undos")) is int and line["undos"] != self.undos:
                yield f"undos is {line['undos']}; there are {self.undos} undo lines"

    def _refers(
        self, key: str, to: object, n: int, kinds: tuple[str, ...] | None, null: bool = True, void: bool = False
    ) -> Iterator[str]:
        if to is None and null:
            return
        if not isinstance(to, int) or isinstance(to, bool) or not 0 <= to < n:
            yield f"{key} is {shown(to)}; it must be the n of an earlier line"
        elif to in self.void and not void:
            yield f"{key} is {to}, which an undo has made void; it must be a line that counts"
        elif kinds and self.kinds[to] not in kinds:
            yield f"{key} is {to}, which is {self.kinds[to]}; it must be {' or '.join(kinds)}"

    def _undo(self, to: object, n: int) -> Iterator[str]:
        self.undos += 1
        if not isinstance(to, int) or isinstance(to, bool) or not 0 < to < n:
            yield f"to is {shown(to)}; an undo goes back to the n of an earlier line, not before line 1"
            return
        if to in self.void:
            yield f"to is {to}, which is void already; an undo goes back to a line that counts"
        self.void.update(range(to, n + 1))
        self.finished = [one for one in self.finished if one < to]
        self.scores.void(to)

    def _totals(self, totals: object) -> Iterator[str]:
        for person, score in totals.items() if isinstance(totals, dict) and self.scores.known else ():
            etiquette = score.get("etiquette") if isinstance(score, dict) else None
            if isinstance(etiquette, dict):
                yield from self.scores.differences(person, etiquette)

    def _same_things(self, state: object) -> Iterator[str]:
        things = state.get("things") if isinstance(state, dict) else None
        if not isinstance(things, dict):
            return
        if self.things is not None and self.things != things.keys():
            changed = " ".join(sorted(self.things ^ things.keys()))
            yield f"state: there are other things than before ({changed}); none is made, none is lost"
        self.things = frozenset(things)


def check_bytes(data: bytes) -> Iterator[tuple[int, str]]:
    """Everything that is wrong with the bytes of a journal: (line of the file from 1, what and what to do)."""
    if not data:
        yield 1, "the file is empty; a journal begins with its session line"
        return
    chunks = data.split(b"\n")
    torn = chunks.pop()
    previous: str | None = "0" * 16
    book = Book()
    for at, chunk in enumerate(chunks, 1):
        line, problems = read_line(chunk)
        yield from ((at, problem) for problem in problems)
        if line is None:
            book.unread()
        else:
            if line["n"] != at - 1:
                yield at, f"n is {shown(line['n'])}, expected {at - 1}; a line is missing, moved or added"
            if previous is not None and line["h"] != (wanted := chained(previous, chunk)):
                yield at, f"h is {shown(line['h'])}, expected {wanted}; this line was changed, or one before it"
            yield from ((at, problem) for problem in (*check_fields(line), *book.add(line)))
        # Go on from what the line itself says, so that one change is one problem.
        tail = _TAIL.search(chunk)
        previous = tail[1].decode() if tail else None
    if torn:
        yield len(chunks) + 1, "the last line has no line end; it was cut short, remove it"


def chained(previous: str, chunk: bytes) -> str:
    """The ``h`` of a line: over the ``h`` before it and its own bytes up to, not including, ``,"h":``."""
    return hashlib.sha256(previous.encode() + chunk[: max(chunk.rfind(b',"h":'), 0)]).hexdigest()[:16]


def read_line(chunk: bytes) -> tuple[Line | None, list[str]]:
    """One line as an object with n, t and h, or None if it is not that; and what is wrong with its form."""
    try:
        source = chunk.decode("utf-8")
    except UnicodeDecodeError as error:
        return None, [f"not UTF-8 at byte {error.start + 1}; restore the file from a copy"]
    twice: list[str] = []

    def table_of(pairs: list[tuple[str, Any]]) -> Line:
        result = dict(pairs)
        if len(result) != len(pairs):
            keys = [k for k, _ in pairs]
            twice.extend(sorted({k for k in keys if keys.count(k) > 1}))
        return result

    def no_constant(name: str) -> None:
        raise ValueError(name)

    try:
        line = json.loads(source, object_pairs_hook=table_of, parse_constant=no_constant)
        again = json.dumps(line, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")
    except (ValueError, RecursionError):
        return None, ["not JSON; restore the file from a copy"]
    if not isinstance(line, dict):
        return None, [f"{shown(line)} is not an object; each line is one"]
    missing = [k for k in ("n", "t", "h") if k not in line]
    if missing or not isinstance(line["t"], str):
        return None, [
            f"no {' and no '.join(missing)}; every line has n, t and h"
            if missing
            else f"t is {shown(line['t'])}; it must be text"
        ]
    problems = [f"key {key} stands twice; remove one" for key in twice]
    if not twice and again != chunk:
        problems.append("not compact JSON; no spaces, no ASCII escaping, no carriage return")
    keys = list(line)
    if keys[0] != "n" or keys[-1] != "h":
        problems.append("keys in another order; n must be the first key and h the last")
    return line, problems


def main(names: Sequence[str]) -> int:
    """Check files, print what is wrong with them."""
    if not names or any(name.startswith("-") for name in names):
        print("usage: python check_journal.py FILE…", file=sys.stderr)
        return 0 if names and names[0] in ("-h", "--help") else 2
    code = 0
    for name in names:
        try:
            data = Path(name).read_bytes()
        except OSError as error:
            print(f"{name}: cannot be read ({error.strerror}); check the name", file=sys.stderr)
            code = 2
            continue
        for line, problem in check_bytes(data):
            print(f"{name}:{line}: {problem}")
            code = max(code, 1)
    return code


if __name__ == "__main__":
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8")
    raise SystemExit(main(sys.argv[1:]))
