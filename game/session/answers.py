"""Answers ``why 爵``, ``why 主人``, ``why 阼阶``, ``why 揖``: what it is, what has just been done, whom it concerns.

Reads the ceremony and the lines that count; changes nothing. Verdicts and due steps are explained in ``explain``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from game.core.choreography import Act, Key, When
from game.core.numerals import spoken
from game.core.term import Term
from game.core.vocabulary import HANDS
from game.session.ceremony import Ceremony
from game.session.duties import Duties
from game.session.explain import Explainer
from game.session.gloss import HANDS as IN_HANDS
from game.session.gloss import OFFICES, POSTURES
from game.session.glossary import Glossary, find_terms, near
from game.session.lexicon import Lexicon, folded
from game.session.names import bindings

Line = Mapping[str, Any]
Reply = dict[str, Any]
Subject = tuple[str, str]
"""(person, thing, place, verb or word; its name)."""

ALL, TEXT, NOTHING_DUE = "all", "text", "nothing"
"""How much of what is due is told: the act; of one's own only the text it rests on; none of it."""

ACT_OF = "to "
"""Before a word that is asked about as an act: to bow, not a bow."""

_ORDER = ("person", "thing", "place", "verb")
_PARTS = {"persons": "person", "things": "thing", "places": "place", "verbs": "verb"}
_ASKED = re.compile(
    r"(?:why|he ?yi|he ?gu|wei ?he)(?:\s+(?:(?:do|does|did|am|is|are|must|should)\s+(?:i|he|they|we)\s+)?(.*))?"
    r"|(?:何以|何故|为何|为什么|缘何)\s*(.*)"
)
_OF_ACT = re.compile(r"why\s+(?:do|does|did|must|should)\s+(?:i|he|they|we)\s")
"""A question of what one does (why do I bow) asks of the act alone."""
_MOST = 4
"""How many persons, things or acts of a kind are named."""
_CITED = 3
"""How many clauses stand in a sentence; the answer has them all."""


def asked(line: str) -> str | None:
    """What a line asks the reason of: ``why 爵``, ``何以爵``; empty for ``why`` alone, None if it asks nothing."""
    line = " ".join(line.lower().rstrip("?？").split())
    found = _ASKED.fullmatch(line)
    if found is None:
        return None
    about = (found[1] or found[2] or "").strip()
    return f"{ACT_OF}{about}" if about and _OF_ACT.match(line) else about


@dataclass
class _Said:
    """Sentences in both languages, and the clauses they rest on."""

    zh: list[str]
    en: list[str]
    clauses: list[str]

    def add(self, zh: str, en: str, clauses: Sequence[str] = (), basis: str = "文") -> None:
        """One more sentence in each language, with some of its clauses, and what it rests on if not on their words."""
        ground = "" if basis == "文" else basis
        if ids := list(dict.fromkeys(clauses))[:_CITED]:
            ground = f"{ground} {' '.join(ids)}".strip()
        self.zh.append(f"{zh.rstrip('。')}（{ground}）。" if ground else zh)
        en = en[:1].upper() + en[1:]
        self.en.append(f"{en.rstrip('.')} ({ground})." if ground else en)
        self.cite(clauses)

    def cite(self, clauses: Iterable[str]) -> None:
        """More clauses."""
        self.clauses += [c for c in dict.fromkeys(clauses) if c not in self.clauses]


class Answers:
    """What a person may ask about while the rite goes on."""

    def __init__(
        self, ceremony: Ceremony, duties: Duties, explainer: Explainer, lines: Callable[[], Sequence[Line]]
    ) -> None:
        """``lines`` are those of the journal that count, in order."""
        self.ceremony = ceremony
        self.duties = duties
        self.explainer = explainer
        self.gloss = explainer.gloss
        self.words = ceremony.words
        self.world = ceremony.world
        self.glossary = Glossary(ceremony.book, ceremony.words)
        self.lines = lines

    # What is meant

    def subjects(self, asked: str, lexicon: Lexicon) -> list[Subject]:
        """What a word may mean, in Chinese, pinyin or English; a place that is where a thing stands is the thing."""
        as_act = asked.startswith(ACT_OF)
        word = folded(asked.removeprefix(ACT_OF)).replace(" ", "")
        tokens = [*lexicon.chinese.get(word, ()), *lexicon.latin.get(word, ())]
        found = [(kind, str(value)) for kind, value in tokens if kind in _ORDER]
        if word in OFFICES and word not in self.world.office.values():
            # An office that nobody has yet is asked about as a word.
            found = []
        found += [("person", p) for p, office in self.world.office.items() if word == office]
        found += [("thing", t) for t in self.words.things if word == folded(t)]
        if not found and word:
            terms = find_terms(self.ceremony.book, asked)
            same = [t for t in terms if word in (t.id, folded(t.pinyin).replace(" ", ""))]
            found = [self._of_term(t) for t in same or terms[:1]]
        found = list(dict.fromkeys(found))
        if as_act:
            found = [subject for subject in found if subject[0] == "verb"] or found
        things = {name for kind, name in found if kind == "thing"}
        return sorted(
            ((k, n) for k, n in found if k != "place" or n not in things),
            key=lambda subject: (*_ORDER, "word").index(subject[0]),
        )

    def _of_term(self, term: Term) -> Subject:
        """Somebody or something of the scenario, else the word alone."""
        here = {
            "persons": next((p for p, o in self.world.office.items() if o == term.id), ""),
            "things": next((t.kind for t in self.words.things.values() if t.kind == term.id), ""),
            "places": term.id if term.id in self.words.places else "",
            "verbs": term.id if term.id in self.words.verbs else "",
        }[term.part]
        return (_PARTS[term.part], here) if here else ("word", f"{term.part}:{term.id}")

    def like(self, asked: str) -> list[str]:
        """Words near to one that nobody knows."""
        return near(self.ceremony.book, asked)

    def of(self, subject: Subject, me: str | None, told: str = ALL) -> Reply:
        """Two or three sentences in each language, with the clauses they rest on."""
        kind, name = subject
        if kind == "person":
            said = self._person(name, me, told)
        elif kind == "thing":
            said = self._thing(name, me, told)
        elif kind == "place":
            said = self._place(name, me, told)
        elif kind == "verb":
            said = self._verb(name, me, told)
        else:
            part, _, word = name.partition(":")
            said = self._begun(self.ceremony.book.glossary[part, word])
        return {
            "about": name,
            "kind": kind,
            "zh": "".join(said.zh),
            "en": " ".join(said.en),
            "clauses": self.explainer.quote(said.clauses),
        }

    # The kinds of answer

    def _begun(self, term: Term | None) -> _Said:
        """What it is."""
        said = _Said([], [], [])
        if term is not None:
            said.add(term.zh, term.en, term.clauses, term.basis)
        return said

    def _thing(self, name: str, me: str | None, told: str) -> _Said:
        """What it is; where it is and who had it last; what is to be done with it next."""
        said = self._begun(self.glossary.thing(name))
        ids = [t for t in self.words.things if self.world.is_kind(t, name)]
        zh, en = self._whereabouts(ids)
        last = self._last(lambda line: bool(set(line["which"] or ()) & set(ids)))
        if last is not None:
            zh += f"；末一事，{self._did(last)[0]}"
            en += f"; last, {self._did(last)[1]}"
        said.add(f"今{zh}。", f"now {en}.")
        said.cite(last["clauses"] if last is not None else ())
        kinds = {name, *(self.words.things[t].kind for t in ids)}

        def uses(act: Act, fields: Mapping[str, tuple[Any, ...]]) -> bool:
            return bool((kinds & set(fields.get("object", ()))) or (set(ids) & set(fields.get("which", ()))))

        self._next(said, uses, me, told)
        return said

    def _place(self, name: str, me: str | None, told: str) -> _Said:
        """What it is; who and what is there now; what is done there in this phase."""
        said = self._begun(self.glossary.place(name))
        people = [p for p, at in self.world.place.items() if at == name]
        things = list(dict.fromkeys(self.words.things[t].kind for t in self.world.here.get((name, ""), ())))
        zh = [f"{p}（{self.world.posture[p]}）" for p in people[:_MOST]] + things[:_MOST]
        en = [f"{self.gloss.person(p)} ({POSTURES[self.world.posture[p]]})" for p in people[:_MOST]]
        en += [self.gloss.thing(t) for t in things[:_MOST]]
        more = len(people[_MOST:]) + len(things[_MOST:])
        if more:
            zh, en = [*zh, f"又{spoken(more)}"], [*en, f"{more} more"]
        said.add(
            f"今在此：{'、'.join(zh)}。" if zh else "今此处无人无物。",
            f"here now: {', '.join(en)}." if en else "nobody and nothing is here now.",
        )
        by: dict[str, list[tuple[str, str]]] = {}
        clauses: list[str] = []
        for who, words, grounds in self._done_at(name, me, told):
            done = by.setdefault(who, []) if who in by or len(by) < _MOST else [words]
            if words not in done and len(done) < _MOST:
                done.append(words)
                clauses += grounds[:1]
        if by:
            said.add(
                "此节于此：" + "；".join(f"{who}{'、'.join(zh for zh, _ in acts)}" for who, acts in by.items()) + "。",
                "in this phase, here: "
                + "; ".join(f"{self.gloss.person(who)}: {', '.join(en for _, en in acts)}" for who, acts in by.items())
                + ".",
                clauses,
            )
        return said

    def _verb(self, name: str, me: str | None, told: str) -> _Said:
        """What it is; who did it last; who is to do it next."""
        said = self._begun(self.glossary.verb(name))
        last = self._last(lambda line: line["verb"] == name)
        if last is not None:
            zh, en = self._did(last)
            said.add(f"末一次，{zh}。", f"last, {en}.")
            said.cite(last["clauses"])
        self._next(said, lambda act, fields: act.verb == name, me, told)
        return said

    def _person(self, name: str, me: str | None, told: str) -> _Said:
        """Who he is and where he stands; his last act and what it answers; whether it concerns me."""
        members = self._people(name)
        said = self._begun(self.glossary.person(self.world.office.get(name, name)))
        stands = self._stands(members[0]) if len(members) == 1 else ("", "")
        last = self._last(lambda line: line["person"] in members)
        done = (
            self._did(last, answers=True) if last is not None else ("此番未有所为", "no act so far in what is played")
        )
        zh, en = (words + sep if words else "" for words, sep in zip(stands, ("；", "; "), strict=True))
        lead = ("末一事，", "last, ") if last is not None else ("", "")
        said.add(f"{'今' if zh else ''}{zh}{lead[0]}{done[0]}。", f"{'now ' if en else ''}{en}{lead[1]}{done[1]}.")
        said.cite(last["clauses"] if last is not None else ())
        self._concern(said, members, last, me, told)
        return said

    def _concern(self, said: _Said, members: Sequence[str], last: Line | None, me: str | None, told: str) -> None:
        """Who must now act, and whether that follows from the last act."""
        mine = self._due(me)
        turn = self.ceremony.ensemble.next()
        if mine is None:
            key = turn.key if turn is not None else None
            if key is not None:
                lead = (f"其事不待{me}；", "it asks nothing of you; ") if me and me not in members else ("", "")
                self._tell_due(said, key, me, told, *lead)
            return
        lead = ("", "")
        if last is not None and me not in members:
            if self._cues(mine, last):
                lead = (f"{me}所俟即此；", "that is what you waited for; ")
            elif self._addressed(last, str(me)):
                lead = (f"其事向{me}；", "it was done towards you; ")
            else:
                lead = (f"其事不待{me}；然", "it asks nothing of you; but ")
        self._tell_due(said, mine, me, told, *lead)

    # What has been done

    def _last(self, wanted: Callable[[Line], bool]) -> Line | None:
        return next((x for x in reversed(self.lines()) if x["t"] == "act" and wanted(x)), None)

    def _did(self, line: Line, answers: bool = False) -> tuple[str, str]:
        """Who did what, on which line, with its clauses; what it answers."""
        fields = {
            k: line.get(k)
            for k in ("times", "manner", "object", "to", "from", "into", "at")
            if line.get(k) and (k != "times" or line["times"] > 1)
        }
        goes = self.words.verbs[line["verb"]].effect == "go"
        if not goes:
            fields.pop("at", None)
        if fields.get("to"):
            fields["to"] = "及".join(line["to"])
        en = f"{self.gloss.person(line['person'])}: {self.explainer.english(line['verb'], fields)}"
        goal = fields.pop("at", "")
        zh = f"{line['person']}{self.explainer.phrase(line['verb'], fields).replace(' ', '')}{goal}"
        grounds = [f"第{line['n']}行", *line["clauses"][:2]]
        also_zh, also_en = "", ""
        if answers and line.get("re") is not None:
            zh_of, en_of = self._did(next(x for x in self.lines() if x["n"] == line["re"]))
            also_zh, also_en = f"，以答{zh_of}", f", in answer to {en_of}"
        ground_en = ", ".join([f"line {line['n']}", *line["clauses"][:2]])
        return f"{zh}（{' '.join(grounds)}）{also_zh}", f"{en} ({ground_en}){also_en}"

    def _stands(self, person: str) -> tuple[str, str]:
        """Where and how somebody stands, and what he holds."""
        place, facing, posture = self.world.place[person], self.world.facing[person], self.world.posture[person]
        held = [(h, self.words.things[t].kind) for h in HANDS for t in self.world.held(person, (h,))]
        held = list(dict.fromkeys(held))
        zh = f"在{place}，{facing}面{posture}" + "".join(
            f"，{h}{'手' if h in '左右两' else ''}{t}" for h, t in held[:2]
        )
        en = f"{self.gloss.at(place)}, {POSTURES.get(posture, posture)}, facing {self.gloss.facing(facing)}"
        en += "".join(f", {self.gloss.thing(t)} {IN_HANDS[h]}" for h, t in held[:2])
        return zh, en

    def _whereabouts(self, ids: Sequence[str]) -> tuple[str, str]:
        """Where things of a kind are: those in hands first, of each place how many."""
        where: dict[tuple[str, str], int] = {}
        for thing in ids:
            where[self.world.where[thing]] = where.get(self.world.where[thing], 0) + 1
        held = sorted(where, key=lambda at: at[1] == "")
        zh, en = [], []
        for at, hand in held[:_MOST]:
            n = where[at, hand] if len(ids) > 1 else 0
            many_zh, many_en = (spoken(n) if n else ""), (f"{n} " if n else "")
            if hand:
                zh.append(f"{many_zh}在{at}{hand + '手' if hand in '左右两' else '之' + hand}")
                en.append(f"{many_en}with {self.gloss.person(at)} {IN_HANDS[hand]}")
            else:
                zh.append(f"{many_zh}在{at}")
                en.append(f"{many_en}{self.gloss.at(at)}")
        if len(held) > _MOST:
            zh, en = [*zh, "余在他处"], [*en, "the rest elsewhere"]
        return "，".join(zh) or "不在此", ", ".join(en) or "not here"

    def _done_at(self, place: str, me: str | None, told: str) -> Iterator[tuple[str, tuple[str, str], tuple[str, ...]]]:
        """(who, act in both languages, clauses) of this phase's acts at a place, in the order of the text.

        Of what is still to be done only what is certain and may be told: at ``text`` not one's own.
        """
        rite, done = self.ceremony.rite, self.ceremony.ensemble.ledger.done
        for key, act in self._steps():
            who = rite.fill(act.who, act, key[1])
            ahead = key not in done
            if key in self.ceremony.lapsed or self.words.verbs[act.verb].effect == "go":
                continue
            if ahead and (told == NOTHING_DUE or (told == TEXT and who == me) or not self._certain(act)):
                continue
            fields = self._filled(act, key)
            if place in {v for k in ("at", "into", "from") for v in fields.get(k, ())[:1]}:
                said = {k: fields[k][:1] for k in ("object", "manner") if fields.get(k)}
                words = self.explainer.phrase(act.verb, said), self.explainer.english(act.verb, said)
                yield who, words, rite.clauses(act, key[1])

    # What is to be done

    def _filled(self, act: Act, key: Key) -> dict[str, tuple[Any, ...]]:
        rite = self.ceremony.rite
        return {
            k: tuple(rite.fill(v, act, key[1]) if isinstance(v, str) else v for v in values)
            for k, values in act.fields.items()
        }

    def _steps(self) -> list[tuple[Key, Act]]:
        """All steps of the phases under way, in the order of the text."""
        rite, running = self.ceremony.rite, self.ceremony.ensemble.running()
        found = [
            ((act.nid, index), act)
            for act in rite.nodes
            if isinstance(act, Act) and act.phase.number in running
            for index in bindings(rite, act)
        ]
        return sorted(found, key=lambda one: rite.position(one[0]))

    def _certain(self, act: Act) -> bool:
        """Whether no branch decides that it is done at all."""
        node = act.parent
        while node is not None:
            if isinstance(node, When):
                return False
            node = node.parent
        return True

    def _next(
        self, said: _Said, wanted: Callable[[Act, Mapping[str, tuple[Any, ...]]], bool], me: str | None, told: str
    ) -> None:
        """The next act of a kind: due to somebody, following what is due, or certain to come in this phase."""
        if told == NOTHING_DUE:
            return
        arbiter, done = self.ceremony.arbiter, self.ceremony.ensemble.ledger.done
        people = {person for _, person in self.ceremony.ensemble.performers}
        ahead = {s.key: s.act for person in people for s in arbiter.window(person) if not s.act.choices}
        later = {key: act for key, act in self._steps() if self._certain(act)}
        for steps in (ahead, later):
            open_steps = (
                (key, act) for key, act in steps.items() if key not in done and key not in self.ceremony.lapsed
            )
            fit = [key for key, act in open_steps if wanted(act, self._filled(act, key))]
            if fit:
                self._tell_due(said, min(fit, key=self.ceremony.rite.position), me, told, "其次，", "next, ")
                return

    def _tell_due(self, said: _Said, key: Key, me: str | None, told: str, zh: str = "", en: str = "") -> None:
        """That a step is due, as far as it may be told: one's own only by its text, or only whose turn it is."""
        act = self.ceremony.rite.nodes[key[0]]
        assert isinstance(act, Act)
        who = self.ceremony.rite.fill(act.who, act, key[1])
        entry = self.duties.entry(key)
        if told == NOTHING_DUE:
            said.add(
                f"{zh}轮到{who}。",
                f"{en}it is {'your turn' if who == me else 'the turn of ' + self.gloss.person(who)}.",
            )
        elif told == TEXT and who == me:
            quoted = " ".join(f"{c['id']}「{c['text']}」" for c in self.explainer.quote(entry["clauses"][:2]))
            said.add(
                f"{zh}{who}之所当，" + (f"经云 {quoted}。" if quoted else "经无明文。"),
                f"{en}of what you are to do " + (f"the text says: {quoted}." if quoted else "the text is silent."),
            )
            said.cite(entry["clauses"])
        else:
            subject = "you are" if who == me else f"{self.gloss.person(who)} is"
            said.add(
                f"{zh}{who}当{self.explainer.phrase(entry['verb'], entry['accepts'])}。",
                f"{en}{subject} to {self.gloss.act({**entry['accepts'], 'verb': entry['verb']}, at=False)}.",
                entry["clauses"],
                entry["basis"],
            )

    def _due(self, person: str | None) -> Key | None:
        """The earliest step that is due to a person."""
        keys = [p.key for _, p in self.ceremony.ensemble.of(str(person)) if p.is_due and p.key is not None]
        return min(keys, key=self.ceremony.rite.position, default=None)

    def _cues(self, key: Key, line: Line) -> bool:
        """Whether a step waited for the act of a line."""
        act = self.ceremony.rite.nodes[key[0]]
        cues = self.ceremony.rite.cues(act, key[1])
        return any(self.ceremony.lines_of.get(cue) == line["n"] for cue in cues)

    def _addressed(self, line: Line, person: str) -> bool:
        return any(person in self._people(str(name)) for name in line.get("to") or ())

    def _people(self, name: str) -> tuple[str, ...]:
        """Who is meant by a name: a person, or the persons of a group, of a pair, or of a group of pairs."""
        roster = self.words.roster
        people = (person for member in roster.members(name) for person in roster.members(member))
        return tuple(dict.fromkeys(p for p in people if p in self.world.place))


__all__ = ["ALL", "NOTHING_DUE", "TEXT", "Answers", "Subject", "asked"]
