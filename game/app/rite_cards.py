"""What the cards over the rite screen say: reasons, who is here, words, keys, text, account, result."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rich.text import Text

from game.app.account import grade, sentence
from game.app.account import kind as kind_of_fault
from game.app.cards import table
from game.app.i18n import _, language, told
from game.app.stage import Stage
from game.palette import Choice
from game.seat import Seat
from game.session.breakdown import breakdown
from game.session.gloss import HANDS, POSTURES
from game.session.replay import voided

Line = Mapping[str, Any]


def kind(thing: str) -> str:
    """The word for a thing: 爵 of 爵1."""
    return thing.rstrip("0123456789") or thing


def reasons(seat: Seat, line: Line, why: Mapping[str, Any]) -> Text:
    """What was done, what it was judged, why, on what that rests, and what is due now."""
    text = Text()
    text.append(f"{sentence(line, seat, language() == 'en')}   {line['at']} {line['facing']}\n\n")
    text.append(f"{grade(line['verdict']['grade'])}  {line['verdict']['points']:g}/1\n", "bold")
    text.append(told(why) + "\n\n")
    quoted = [c for fault in why.get("faults", []) for c in fault.get("clauses", [])] + why.get("clauses", [])
    for clause in {c["id"]: c for c in quoted}.values():
        text.append(f"{clause['id']}  {clause['text']}\n")
    basis = {"文": _("the text says so"), "推": _("the text implies it"), "注": _("after the commentators")}
    rests_on = basis.get(line["basis"]) or _("ours: the text is silent")
    text.append(f"\n{line['basis']}  {rests_on}")
    for due in seat.reasons()[:1]:
        text.append(f"\n\n{told(due)}")
    return text


def people(seat: Seat, names: Sequence[str]) -> str:
    """Several persons, in the language in use."""
    if language() != "en":
        return "、".join(names)
    gloss = seat.session.explainer.gloss
    return ", ".join(gloss.person(name) for name in names)


def _counted(names: Sequence[str], between: str) -> str:
    """Things by name, those of one name with their number."""
    return between.join(f"{name}×{n}" if n > 1 else name for name, n in Counter(names).items())


def _stands(seat: Seat, record: Mapping[str, Any]) -> dict[str, str]:
    """What a person holds and wears, where and how he stands, in the language in use."""
    hands, dress = record["hands"], record["dress"]
    if language() != "en":
        held = " ".join(f"{h}{_counted([kind(t) for t in ts], '、')}" for h, ts in hands.items())
        return {
            "hands": held, "dress": "、".join(dress),
            "place": record["at"], "facing": record["facing"], "posture": record["posture"],
        }  # fmt: skip
    gloss = seat.session.explainer.gloss
    return {
        "hands": "; ".join(
            f"{_counted([gloss.thing(kind(t)) for t in ts], ', ')} {HANDS[h]}" for h, ts in hands.items()
        ),
        "dress": ", ".join(gloss.dress(d) for d in dress),
        "place": gloss.place(record["at"]),
        "facing": gloss.facing(record["facing"]),
        "posture": POSTURES.get(record["posture"], record["posture"]),
    }


def body(seat: Seat, record: Mapping[str, Any]) -> str:
    """A person's own state."""
    at = _stands(seat, record)
    return _(
        "at {place} facing {facing} {posture}  hands {hands}  dress {dress}",
        hands=at["hands"] or _("empty"),
        dress=at["dress"] or _("not told"),
        place=at["place"],
        facing=at["facing"],
        posture=at["posture"],
    )


def person_line(seat: Seat, name: str, record: Mapping[str, Any]) -> str:
    """One person: name, office, place, facing, posture, what he holds."""
    person = next(p for p in seat.session.ceremony.words.roster.persons if p.id == name)
    at = _stands(seat, record)
    office = f" = {record['office']}" if record.get("office") else ""
    gloss = f" {person.en.removeprefix('the ')}" if language() == "en" else ""
    where = _(
        "at {place} facing {facing} {posture} {hands}",
        place=at["place"],
        facing=at["facing"],
        posture=at["posture"],
        hands=at["hands"],
    )
    return f"{name}{office}{gloss}: {where.rstrip()}"


def in_sight(seat: Seat, state: Mapping[str, Any], me: str | None) -> list[str]:
    """Everybody in the same region, in roster order."""
    words = seat.session.ceremony.words
    region = words.places[state[me]["at"]].region if me is not None and me in state else None
    return [p.id for p in words.roster.persons if p.id in state and words.places[state[p.id]["at"]].region == region]


def sounds(seat: Seat, stage: Stage, choices: list[Choice]) -> Text:
    """Pinyin and gloss of every word on offer, or in the clause that is lit."""
    words = seat.session.ceremony.words
    used = " ".join(seat.in_words(c, False) for c in choices)
    used += " " + " ".join(c.text for c in stage.text.clauses if c.id in stage.text.lit)
    text = Text()
    kinds: tuple[Any, ...] = (words.verbs.values(), words.places.values(), words.roster.persons, words.things.values())
    for entries in kinds:
        seen = set()
        for word in entries:
            name = getattr(word, "kind", word.id)
            if name in used and name not in seen and word.pinyin:
                seen.add(name)
                text.append(f"{name}  ", "bold")
                text.append(f"{word.en}  {word.pinyin}\n")
    return text if text else Text(_("No word to explain."))


def keys() -> Text:
    """All keys of the rite screen."""
    rows = [
        ("1-9", _("choose; the same again does it")),
        ("Enter", _("do the chosen phrase")),
        ("h j k l y u b n", _("face west south north east NW NE SW SE; arrows too")),
        ("[ ]  - +  Tab  ;", _("place, count, recipient, next act of the phrase")),
        ("w", _("why: the last verdict, or what is due")),
        ("d", _("wait: let the others go on")),
        ("x  g", _("one act of the others; skip to my turn")),
        ("t  , .", _("pause; slower, faster")),
        ("f", _("undo (not at level 君子)")),
        ("i  0", _("type an act; all words")),
        ("r  p", _("who is here; sound and sense of the words")),
        ("c  a  s", _("the text; the whole account; the standing rules")),
        ("m", _("another view of the ground")),
        ("e  v", _("language; light or dark")),
        ("C", _("copy the verdict")),
        ("q", _("leave; everything is saved")),
    ]
    text = table(rows)
    text.append("\n" + _("Mouse: a choice, again to do it; the compass; a person; a place to go to; a clause."))
    return text


def phase_text(stage: Stage) -> Text:
    """The text of the phase, as far as it may be read."""
    pane = stage.text
    text = Text()
    for clause in pane.readable():
        text.append(f"{clause.id}  {clause.text}\n", "reverse" if clause.id in pane.lit else "")
    return text if text else Text(_("Nothing has been enacted yet."))


def counted(seat: Seat, hidden: set[int]) -> Iterator[tuple[Line, str]]:
    """Journal lines that count and tell something, in words."""
    lines = seat.session.journal.lines
    void = voided(lines)
    for i, line in enumerate(lines):
        if i in void or line["n"] in hidden or line["t"] == "attempt":
            continue
        words = sentence(line, seat, language() == "en")
        if words:
            yield line, words


def account(seat: Seat, hidden: set[int], limit: int = 1200) -> Text:
    """Everything that has happened, the last ``limit`` lines of it."""
    rows = []
    for line, words in counted(seat, hidden):
        faulty = (line.get("verdict") or {}).get("faults")
        rows.append(f"{line['n']:>5} {words}" + (f"  {grade(line['verdict']['grade'])}" if faulty else ""))
    return Text("\n".join(rows[-limit:]))


def cost(score: Mapping[str, Any]) -> str:
    """What each kind of fault has cost, and how often."""
    return "  ".join(f"{kind_of_fault(k)} {n} −{score['lost'][k]:g}" for k, n in score["faults"].items())


def result(seat: Seat, due_again: str = "") -> Text:
    """Points, faults with their clauses, and for a drill when it is due again."""
    session = seat.session
    text = Text()
    found = breakdown(session.journal.lines, session.book.faults)
    for person in session.players:
        score = found.get(person)
        if score is None:
            text.append(_("{who} had nothing to do here.", who=person) + "\n")
            continue
        points, of, part = f"{score['points']:g}", f"{score['of']:g}", f"{score['score']:.3f}"
        text.append(f"{person}  ", "bold")
        text.append(_("{points} of {of} points, score {score}", points=points, of=of, score=part) + "\n")
        text.append(cost(score) or _("no faults"))
        text.append("\n")
        for phase, part in score["phases"].items():
            name = session.book.phase_texts[phase]
            title = f"{name.number:02d} {name.english}" if language() == "en" else phase
            text.append(f"  {title}  {part['points']:g}/{part['of']}  {cost(part)}\n")
        text.append("\n")
    for line, words in counted(seat, set()):
        if line.get("person") in session.players:
            for fault in (line.get("verdict") or {}).get("faults") or []:
                clauses = " ".join(fault["clauses"][:2])
                what = f"{kind_of_fault(fault['kind'])} {fault['expected']} / {fault['got']} {clauses}"
                text.append(f"{line['n']:>5} {words}: {what}\n")
    if due_again:
        text.append("\n" + _("due again: {day}", day=due_again))
    text.append("\n" + _("Saved in {path}", path=session.journal.path or "-"))
    return text
