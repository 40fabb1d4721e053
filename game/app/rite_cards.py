"""What the cards over the rite screen say: reasons, who is here, words, keys, text, account, result."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rich.text import Text

from game.app.account import faulty, grade, phase_name, sentence
from game.app.i18n import _, language, told
from game.core.vocabulary import Place, Thing, Verb
from game.seat import Seat
from game.session.breakdown import breakdown, cost
from game.session.chinese import kind
from game.session.gloss import POSTURES, plain
from game.session.replay import voided
from game.session.score import in_full, in_points
from game.session.telling import follow

Line = Mapping[str, Any]


def reasons(seat: Seat, line: Line, why: Mapping[str, Any]) -> Text:
    """What was done, what it was judged, why, on what that rests, and what is due now."""
    text = Text()
    english = language() == "en"
    gloss = seat.session.explainer.gloss
    text.append(f"{sentence(line, seat, english)}\n")
    if line["t"] == "act":
        where = gloss.at(line["at"]) if english else line["at"]
        facing = gloss.facing(line["facing"]) if english else line["facing"]
        text.append(_("{place}, facing {facing}", place=where, facing=facing) + "\n")
    text.append("\n")
    text.append(f"{grade(line['verdict']['grade'])}  {line['verdict']['points']:g}/1\n", "bold")
    text.append(told(why) + "\n\n")
    quoted = [c for fault in why.get("faults", []) for c in fault.get("clauses", [])] + why.get("clauses", [])
    for clause in {c["id"]: c for c in quoted}.values():
        text.append(f"{clause['id']}  {clause['text']}\n")
    if line["t"] == "act":
        basis = {"文": _("the text says so"), "推": _("the text implies it"), "注": _("after the commentators")}
        rests_on = basis.get(line["basis"]) or _("ours: the text is silent")
        text.append(f"\n{line['basis']}  {rests_on}")
    for due in seat.reasons()[:1]:
        text.append(f"\n\n{told(due)}")
    return text


def people(seat: Seat, names: Sequence[str]) -> str:
    """Several persons, in the language in use, as they are called now."""
    explainer = seat.session.explainer
    if language() != "en":
        return "、".join(map(explainer.chinese.person, names))
    return ", ".join(map(explainer.gloss.person, names))


def _numbered(things: Mapping[str, int]) -> str:
    """Things in English with their number: 3 arrows, rod."""
    return ", ".join(f"{n} {name}s" if n > 1 else name for name, n in things.items())


_DRESS = {"袒": "arm bare", "决遂": "ring, guard"}
"""Shorter than the words of an act: the line of one's own state must hold the rest too."""
_HELD = {"左": "left", "右": "right", "两": "both", "挟": "string", "带": "belt"}


def _stands(seat: Seat, record: Mapping[str, Any]) -> dict[str, str]:
    """What a person holds and wears, where and how he stands, in the language in use."""
    hands, dress = record["hands"], record["dress"]
    changed = [d for d in dress if d != "朝服"] or dress
    if language() != "en":
        return {
            "hands": seat.session.explainer.chinese.hands(hands), "dress": "、".join(changed),
            "place": record["at"], "facing": record["facing"], "posture": record["posture"],
        }  # fmt: skip
    gloss = seat.session.explainer.gloss
    return {
        "hands": "; ".join(
            f"{_HELD.get(h, h)}: {_numbered(Counter(gloss.thing(kind(t)) for t in ts))}" for h, ts in hands.items()
        ),
        "dress": ", ".join(_DRESS.get(d) or gloss.dress(d) for d in changed),
        "place": gloss.at(record["at"]),
        "facing": gloss.facing(record["facing"]),
        "posture": POSTURES.get(record["posture"], record["posture"]),
    }


def body(seat: Seat, record: Mapping[str, Any]) -> str:
    """A person's own state, what he holds and wears first: the plan shows where he is, should the end be cut."""
    at = _stands(seat, record)
    return _(
        "{hands}  {dress}  {posture} {facing}, {place}",
        hands=at["hands"] or _("hands empty"),
        dress=at["dress"] or _("dress not told"),
        place=at["place"],
        facing=at["facing"],
        posture=at["posture"],
    )


def person_line(seat: Seat, name: str, record: Mapping[str, Any]) -> str:
    """One person: name, place, facing, posture, what he holds."""
    explainer = seat.session.explainer
    called = explainer.chinese.in_full(name)
    if language() == "en":
        called = f"{explainer.chinese.person(name)} {plain(explainer.gloss.in_full(name))}"
    at = _stands(seat, record)
    where = _(
        "{place} facing {facing} {posture} {hands}",
        place=at["place"],
        facing=at["facing"],
        posture=at["posture"],
        hands=at["hands"],
    )
    return f"{called}{': ' if language() == 'en' else '：'}{where.rstrip()}"


def sounded(word: Verb | Place | Thing) -> str:
    """A word of the vocabulary with its sound, and for those who read English with its sense."""
    return f"{word.id}  {word.pinyin}" + (f"  {word.en}" if language() == "en" else "")


def elsewhere(seat: Seat, state: Mapping[str, Any], me: str | None) -> list[str]:
    """Everybody in another region, in roster order."""
    here = in_sight(seat, state, me)
    return [p.id for p in seat.session.ceremony.words.roster.persons if p.id in state and p.id not in here]


def whats_there(seat: Seat, place: str) -> str:
    """A place by its name, with who and what is there now."""
    world, words = seat.session.ceremony.world, seat.session.ceremony.words
    explainer, english = seat.session.explainer, language() == "en"
    there = [p for p, at in world.place.items() if at == place]
    kinds = dict.fromkeys(words.things[t].kind for t in world.here.get((place, ""), ()))
    said = [people(seat, there)] if there else []
    said += [explainer.gloss.thing(k) if english else kind(k) for k in kinds]
    name = sounded(words.places[place])
    return name + ("" if not said else (": " if english else "：") + (", " if english else "、").join(said))


def in_sight(seat: Seat, state: Mapping[str, Any], me: str | None) -> list[str]:
    """Everybody in the same region, in roster order."""
    words = seat.session.ceremony.words
    region = words.places[state[me]["at"]].region if me is not None and me in state else None
    return [p.id for p in words.roster.persons if p.id in state and words.places[state[p.id]["at"]].region == region]


def keys() -> list[tuple[str, str, str]]:
    """All keys of the rite screen: the key to press (empty where a line stands for several), as shown, what it does."""
    return [
        ("", "1-9", _("choose; the same again does it")),
        ("enter", _("Enter"), _("do what is chosen; at the end, the result again")),
        ("", "h j k l y u b n", _("face W S N E NW NE SW SE; arrows too")),
        ("[", "[", _("a nearer place")), ("]", "]", _("a place further off")),
        ("-", "-", _("fewer, or less often")), ("+", "+", _("more, or more often")),
        ("tab", "Tab", _("another recipient")), (";", ";", _("the next act of the phrase is set")),
        ("w", "w", _("why: a verdict, what is due, others, things, places")),
        ("d", "d", _("wait: let the others go on")),
        ("x", "x", _("one act of the others")), ("g", "g", _("skip to my turn")),
        ("t", "t", _("pause or go on")), (",", ",", _("slower")), (".", ".", _("faster")),
        ("f", "f", _("undo (not at level 君子)")),
        ("i", "i", _("type an act, or a question (why 爵)")), ("0", "0", _("all words")),
        ("r", "r", _("who is here")), ("p", "p", _("the glossary: words in use and met so far")),
        ("c", "c", _("the text of the phase, each clause with what its words mean")),
        ("a", "a", _("the whole account")), ("s", "s", _("the standing rules")),
        ("m", "m", _("another view of the ground")),
        ("", "╻╻  ╸", _("on the edge of the plan: my column and my row")),
        ("", "..", _("in a choice: acts that it has in common with the others; choose it to see them")),
        ("e", "e", _("language")), ("v", "v", _("light or dark")),
        ("C", "C", _("copy the verdict")),
        ("q", "q", _("leave; everything is saved")),
        ("", "", _("Mouse: a choice, again to do it; the compass; a person; a place to go to; a clause.")),
    ]  # fmt: skip


def counted(seat: Seat, hidden: set[int]) -> Iterator[tuple[Line, str]]:
    """Journal lines that count and tell something, in words."""
    lines = seat.session.journal.lines
    void = voided(lines)
    offices: dict[str, str] = {}
    for i, line in enumerate(lines):
        if i in void:
            continue
        follow(offices, line)
        if line["n"] in hidden or line["t"] == "attempt":
            continue
        words = sentence(line, seat, language() == "en", offices)
        if words:
            yield line, words


def account(seat: Seat, hidden: set[int], limit: int = 1200) -> Text:
    """Everything that has happened, the last ``limit`` lines of it."""
    rows = []
    for line, words in counted(seat, hidden):
        faults = (line.get("verdict") or {}).get("faults")
        rows.append(f"{line['n']:>5} {words}" + (f" — {faulty(line['verdict'], seat)}" if faults else ""))
    return Text("\n".join(rows[-limit:]))


def result(seat: Seat, due_again: str = "") -> Text:
    """Points, faults with their clauses, and for a drill when it is due again."""
    session, explainer = seat.session, seat.session.explainer
    english = language() == "en"
    text = Text()
    found = breakdown(session.journal.lines, session.book.faults)
    for person in session.players:
        score = found.get(person)
        name = people(seat, [person])
        if score is None:
            text.append(_("{who} had nothing to do here.", who=name) + "\n")
            continue
        text.append(f"{plain(name)}  ", "bold")
        text.append(_("points {points}", points=in_full(score)) + "\n")
        text.append((cost(score, explainer, english) or _("no faults")) + "\n")
        for phase, part in score["phases"].items():
            text.append(f"  {phase_name(seat, phase, english)}  {in_points(part)}  {cost(part, explainer, english)}\n")
        text.append("\n")
    colon = ": " if english else "："
    for line, words in counted(seat, set()):
        if line.get("person") in session.players:
            for fault in (line.get("verdict") or {}).get("faults") or []:
                said = explainer.fault_words.en(fault) if english else explainer.fault_words.zh(fault)
                text.append(f"{line['n']:>5} {words} — {explainer.fault_name(fault['kind'], english)}{colon}")
                text.append(f"{said} {' '.join(fault['clauses'][:2])}\n")
    if due_again:
        text.append("\n" + _("due again: {day}", day=due_again))
    text.append("\n" + _("Saved in {path}", path=session.journal.path or "-"))
    return text
