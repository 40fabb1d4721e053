"""What a player at a session is shown and offered at a level, whatever the face. Asking changes nothing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from game.palette import Choice, given, palette
from game.session.session import Session

Reply = dict[str, Any]

FACING_EN = {"北": "N", "南": "S", "东": "E", "西": "W", "东北": "NE", "东南": "SE", "西北": "NW", "西南": "SW"}


class Seat:
    """The place of the players at one keyboard: whoever of them is due is the one who sits."""

    def __init__(self, session: Session) -> None:
        self.session = session

    @property
    def person(self) -> str | None:
        """Whose turn it is."""
        return self.session.whose()

    @property
    def level(self) -> str:
        """The level of whoever's turn it is."""
        return self.session.players.get(self.person or "", "士")

    def choices(self) -> list[Choice]:
        """What is offered: the due phrase (童子), the due phrase among wrong ones (士), nothing (君子)."""
        person = self.person
        if person is None or self.session.ended:
            return []
        due = self.session.due(person)
        if due["choose"]:
            return [Choice(({"verb": "择", "manner": what},), True) for what in due["choose"][0]]
        phrase = self.session.phrase(person)
        if self.level == "君子":
            return []
        if not phrase:
            return [Choice((given(e),), True) for e in due["owed"]]
        if self.level == "童子":
            return [Choice(tuple(given(e) for e in phrase), True)]
        return self._among_wrong_ones(phrase, person)

    def _among_wrong_ones(self, phrase: list[Reply], person: str) -> list[Choice]:
        session = self.session
        world, words = session.ceremony.world, session.ceremony.words
        region = world.region(person)
        people = [p.id for p in words.roster.persons if p.id != person and world.region(p.id) == region]
        ahead = session.duties.ahead(person)[len(phrase) :]
        forbidden = session.duties.forbidden(person)
        seed = f"{session.header['seed']}:palette:{session.journal.next}"
        return palette(phrase, ahead, forbidden, people[:12], list(words.places), seed)

    def waiting(self) -> list[str]:
        """Who waits for whoever's turn it is."""
        person = self.person
        return self.session.duties.waiting(person) if person else []

    def reasons(self) -> list[Reply]:
        """What is due and why; empty at level 君子, where nothing is told."""
        return [] if self.level == "君子" else list(self.session.why(person=self.person)["why"])

    def act_in_words(self, act: Mapping[str, Any], english: bool) -> str:
        """One act in a few words; the place only where the act goes there."""
        words = self.session.ceremony.words
        if act["verb"] == "择":
            return str(act["manner"])
        verb = words.verbs.get(act["verb"])
        goes = verb is not None and verb.effect == "go"
        return _english(self.session, act, goes) if english else chinese(act, goes)

    def acts_in_words(self, choice: Choice, english: bool) -> list[str]:
        """The acts of a choice, each in a few words; a facing is said where it changes."""
        found, facing = [], None
        for act in choice.acts:
            said = {k: v for k, v in act.items() if k != "facing" or v != facing}
            facing = act.get("facing", facing)
            found.append(self.act_in_words(said, english))
        return found

    def in_words(self, choice: Choice, english: bool) -> str:
        """A choice in a few words, its acts in order."""
        return " · ".join(self.acts_in_words(choice, english))


def _first(act: Mapping[str, Any], name: str) -> str:
    value = act.get(name)
    if isinstance(value, list | tuple):
        return "、".join(str(v) for v in value)
    return "" if value is None else str(value)


_COUNTS = {"": "", "1": "", "2": "再", "3": "三"}


def chinese(act: Mapping[str, Any], goes: bool) -> str:
    """An act as the text would have it: 东北面辞洗向主人; 适洗南北面."""
    times, manner, verb = _first(act, "times"), _first(act, "manner"), str(act["verb"])
    count = _COUNTS.get(times, times)
    name = manner if manner and verb in manner else f"{verb}{_first(act, 'object')}"
    if manner and verb not in manner:
        name = f"答{verb}" if manner == "答" else f"{verb}（{manner}）"
    number = _first(act, "count")
    source, into, to = _first(act, "from"), _first(act, "into"), _first(act, "to")
    facing, at = _first(act, "facing"), _first(act, "at")
    turned = f"{facing}面" if facing else ""
    parts = [] if goes else [turned]
    parts.append(count + name + (f"{number}" if number not in ("", "1") else ""))
    if goes and at:
        parts[-1] += at
    parts += [f"自{source}" if source else "", f"于{into}" if into else "", f"向{to}" if to else ""]
    if goes:
        parts.append(turned)
    hand = _first(act, "hand")
    parts.append(f"{hand}手" if hand in ("左", "右") else "")
    return " ".join(p for p in parts if p)


def _english(session: Session, act: Mapping[str, Any], goes: bool) -> str:
    words = session.ceremony.words
    people = {p.id: p.en for p in words.roster.persons}
    kinds = {t.kind: t.en for t in words.things.values()}

    def place(name: str) -> str:
        found = words.places.get(name)
        return (found.en.split(",")[0].split(";")[0].split(":")[0].strip() if found else "") or name

    verb = words.verbs.get(str(act["verb"]))
    what, manner = _first(act, "object"), _first(act, "manner")
    thing = kinds.get(what, "") or what
    times, number = _first(act, "times"), _first(act, "count")
    at, facing, to = _first(act, "at"), _first(act, "facing"), _first(act, "to")
    done = (verb.en if verb else "") or str(act["verb"])
    towards = at and goes and ("" if done.endswith(" to") else "to ") + place(at)
    parts = [
        done,
        thing.split(",")[0].split(";")[0] if thing else "",
        f"x{number}" if number not in ("", "1") else "",
        {"": "", "1": "", "2": "twice", "3": "three times"}.get(times, f"{times} times"),
        f"to {people.get(to, '') or to}" if to else "",
        f"({manner})" if manner else "",
        f"from {place(_first(act, 'from'))}" if act.get("from") else "",
        f"in {place(_first(act, 'into'))}" if act.get("into") else "",
        towards or "",
        f"facing {FACING_EN.get(facing, facing)}" if facing else "",
        {"左": "with the left", "右": "with the right"}.get(_first(act, "hand"), ""),
    ]
    return " ".join(p for p in parts if p)
