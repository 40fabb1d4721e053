"""One playthrough: read from its file, played, and written down again with what was answered."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from game.session.session import Session
from tests.builders import the_book

FOLDER = Path(__file__).parent
REFUSED = "拒"
_LONGEST = 110
_TIMES = {1: "", 2: "再", 3: "三"}
Line = Mapping[str, Any]


@dataclass(frozen=True)
class Said:
    """One line of a script: a comment, or an input with what it must come to."""

    text: str
    comment: bool = False
    expected: tuple[str, ...] = ()

    @property
    def line(self) -> str:
        """The line as the file has it."""
        if self.comment:
            return self.text
        return f"> {self.text}" + (f" ! {' '.join(self.expected)}" if self.expected else "")


@dataclass(frozen=True)
class Script:
    """What a file says without its answers. ``header`` is kept to the letter."""

    header: tuple[str, ...]
    said: tuple[Said, ...]

    @classmethod
    def read(cls, text: str) -> Script:
        """The script of a file, finished or not."""
        head, _, rest = text.partition("\n\n")
        said = []
        for line in rest.splitlines():
            if line.startswith("#"):
                said.append(Said(line, comment=True))
            elif line.startswith(">"):
                typed, _, expected = line[1:].partition("!")
                said.append(Said(typed.strip(), expected=tuple(expected.split())))
        return cls(tuple(head.splitlines()), tuple(said))

    def setting(self, name: str) -> str:
        """One setting of the header; empty if it is not there."""
        return next((h.partition(":")[2].strip() for h in self.header if h.startswith(f"{name}:")), "")


@dataclass(frozen=True)
class Deed:
    """Faultless acts told in one line: who, what at which place, and the clauses (with the grade, if a player's)."""

    person: str
    acts: tuple[tuple[str, str], ...]
    """(place and facing, act), in turn."""
    ground: tuple[str, ...]

    def __str__(self) -> str:
        told, last = f"  {self.person}", ""
        for where, act in self.acts:
            told += f"，{act}" if where == last else f"{'；' if last else ' '}{where}：{act}"
            last = where
        return f"{told}　{' '.join(self.ground)}"

    def joined(self, other: Deed) -> Deed | None:
        """This and what comes next as one line: the same person going on, or another doing the same; else None."""
        if self.person == other.person and "、" not in self.person:
            one = Deed(self.person, self.acts + other.acts, tuple(dict.fromkeys(self.ground + other.ground)))
            return one if len(str(one)) <= _LONGEST else None
        if (self.acts, self.ground) == (other.acts, other.ground):
            return Deed(f"{self.person}、{other.person}", self.acts, self.ground)
        return None


@dataclass
class Playthrough:
    """A script being played."""

    script: Script
    session: Session
    began: list[int] = field(default_factory=list)
    """Journal lines at which the inputs began: what is taken back is a whole input."""
    unexpected: list[str] = field(default_factory=list)
    """Inputs that came to something else than the script says."""

    @classmethod
    def of(cls, script: Script) -> Playthrough:
        """A playthrough at its first turn."""
        book = the_book()
        players = {p: "士" for p in script.setting("players").split()}
        session = Session.new(
            book, book.scenarios[script.setting("scenario")], script.setting("from"), script.setting("to"), players,
            started=False,
        )  # fmt: skip
        return cls(script, session)

    def play(self) -> str:
        """Play to the end of the script; the whole file, with its answers."""
        written = [*self.script.header, "", *merged(self._told(self.session.events()))]
        for said in self.script.said:
            if said.comment:
                written += ["", said.line]
                continue
            answers, came_to = self._answered(said.text)
            written += [said.line, *merged(answers)]
            if sorted(came_to) != sorted(said.expected):
                wanted = " ".join(said.expected) or "正"
                self.unexpected.append(f"{said.line}: expected {wanted}, came to {' '.join(came_to) or '正'}")
        return "\n".join([*written, "", *self._end(), ""])

    def _answered(self, typed: str) -> tuple[list[Deed | str], list[str]]:
        """What an input is answered with, and what it came to."""
        session = self.session
        who, colon, rest = typed.partition("：")
        person = who if colon and who in session.players else session.whose()
        words = (rest if colon and who in session.players else typed).strip()
        mark = session.journal.next
        replies = self._given(words, person)
        if words != "反":
            self.began.append(mark)
        answers: list[Deed | str] = []
        came_to = []
        for reply in replies:
            events = reply.get("events", [])
            answers += self._told(events)
            came_to += [f["kind"] for e in events for f in e.get("verdict", {}).get("faults", ())]
            if not reply["ok"]:
                candidates = "".join(f"　{'、'.join(reply['candidates'])}" if reply["candidates"] else "")
                answers.append(f"  {REFUSED}：{reply['error'].partition(' · ')[0]}{candidates}")
                came_to.append(REFUSED)
            for step in reply.get("prompt", ()):
                answers.append(f"  众俟{person}：{self._due(step, person)}")
        return answers, came_to

    def _given(self, words: str, person: str | None) -> list[dict[str, Any]]:
        session = self.session
        if words == "待":
            return [session.wait(person)]
        if words == "一步":
            return [session.step(person)]
        if words == "反":
            return [session.undo(self.began.pop() if self.began else None)]
        if words.startswith("择"):
            return [session.choose(words[1:].strip(), person)]
        reply = session.say(words, person)
        acts: list[dict[str, Any]] = reply.get("acts", [reply])
        return acts

    def _due(self, step: str, person: str | None) -> str:
        due = self.session.due(person)
        for entry in due["must"] + due["may"] + due["owed"] + [e for g in due["any_order"] for e in g]:
            if entry["step"] == step:
                return self.session.explainer.phrase(entry["verb"], entry["accepts"])
        return step

    # Telling

    def _told(self, lines: list[dict[str, Any]]) -> Iterator[Deed | str]:
        """Lines of a journal in words; where an arrow struck stands with the shot."""
        struck = {line["n"] - 1: str(line["struck"]) for line in lines if line["t"] == "shot"}
        for line in lines:
            kind = line["t"]
            if kind == "act":
                yield self._act(line, struck.get(line["n"], ""))
            elif kind == "omission":
                yield f"  {line['person']} {self._judged(line)}"
            elif kind == "phase" and line["edge"] == "始":
                yield f"  【{line['phase']}】"
            elif kind == "happening":
                yield f"  〔{line['what']}〕"
            elif kind == "become":
                yield f"  〔{line['person']}为{line['office']}〕"
            elif kind == "tally":
                yield f"  右{line['right']} 左{line['left']}，{line['ahead']}，纯{line['pairs']}奇{line['odd']}"
            elif kind == "undo":
                yield "  反：前所为不算"

    def _act(self, line: Line, struck: str) -> Deed | str:
        who = line["person"] + (f"（{line['actor']}）" if line["actor"] not in line["person"] else "")
        where = f"{line['at']} {line['facing']}面"
        act = worded(line) + (f"（{struck}）" if struck else "")
        if line["verdict"]["faults"]:
            return f"  {who} {where}：{act} — {self._judged(line)}"
        grade = [line["verdict"]["grade"]] if line["by"] == "player" else []
        return Deed(who, ((where, act),), (*grade, *line["clauses"]))

    def _judged(self, line: Line) -> str:
        """Grade, reason and clause of a verdict with faults."""
        reasons = []
        for fault in line["verdict"]["faults"]:
            told = self.session.explainer.fault(fault)
            reasons.append(f"{told['zh']}{' '.join(q['id'] for q in told['clauses'])}")
        return f"{line['verdict']['grade']}，{'；'.join(reasons)}"

    def _end(self) -> Iterator[str]:
        session = self.session
        if not session.ended:
            due = [self._due(e["step"], None) for e in session.phrase()]
            yield f"未终。当{session.whose()}：{'；'.join(due)}"
        totals = session.ceremony.scores.totals()
        for person, total in totals.items():
            score = total["etiquette"]
            faults = "，".join(f"{k}{n}" for k, n in score["faults"].items())
            if person in session.players or faults:
                yield f"终：{person} {score['of']} 事得 {score['points']}，{faults or '无失'}"
        if not session.players:
            yield f"终：{len(totals)} 人，{sum(t['etiquette']['of'] for t in totals.values())} 事"


def merged(told: Iterable[Deed | str]) -> list[str]:
    """Deeds and other news as lines; deeds that belong together in one."""
    found: list[Deed | str] = []
    for one in told:
        last = found[-1] if found else ""
        together = last.joined(one) if isinstance(last, Deed) and isinstance(one, Deed) else None
        if together is not None:
            found[-1] = together
        else:
            found.append(one)
    return [str(one) for one in found]


def worded(line: Line) -> str:
    """An act without who and where: hand, count, verb, person or thing, manner, way, from and to where, words."""
    manner = line["manner"] if line["manner"] not in (None, line["verb"]) else ""
    count = f"×{line['count']}" if line["object"] and line["count"] > 1 else ""
    to = "、".join(line["to"]) if line["to"] != [line["from"]] else ""
    return "".join((
        f"{line['hand']}手" if line["hand"] in ("左", "右") else "",
        _TIMES.get(line["times"], str(line["times"])),
        line["verb"],
        line["object"] or to,
        count,
        f"（{manner}）" if manner else "",
        f"由{line['via'].lstrip('由自')}" if line["via"] else "",
        f"自{line['from']}" if line["from"] else "",
        f"于{line['into']}" if line["into"] else "",
        f"向{to}" if to and line["object"] else "",
        f"曰「{line['speech']}」" if line["speech"] else "",
    ))  # fmt: skip


def files() -> list[Path]:
    """All playthroughs, in the order of their names."""
    return sorted(FOLDER.glob("*.txt"))
