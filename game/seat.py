"""What a player at a session is shown and offered at a level, whatever the face. Asking changes nothing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from game.palette import CHOICES, Choice, given, palette
from game.session.answers import ALL, NOTHING_DUE, TEXT, Subject
from game.session.session import Session

Reply = dict[str, Any]
NEAREST = 4
"""Among how many people a wrong recipient is chosen."""
_TOLD = {"童子": ALL, "士": TEXT, "君子": NOTHING_DUE}
"""How much each level tells of what is due."""
AMENDS = 2
"""How many of the steps owed are offered beside what is due."""


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
        owed = [Choice((given(e),), True) for e in due["owed"]]
        if not phrase:
            return owed
        # What was left out may be what the due act is impossible without: it can always be chosen.
        if self.level == "童子":
            return [Choice(tuple(given(e) for e in phrase), True), *owed[:AMENDS]]
        return _with_room(self._among_wrong_ones(phrase, person), owed[:AMENDS])

    def _among_wrong_ones(self, phrase: list[Reply], person: str) -> list[Choice]:
        session = self.session
        world, words = session.ceremony.world, session.ceremony.words
        region = world.region(person)
        people = [p.id for p in words.roster.persons if p.id != person and world.region(p.id) == region]
        ahead = session.duties.ahead(person)[len(phrase) :]
        forbidden = session.duties.forbidden(person)
        # The same step is offered the same way however often it is come back to, so that undo tells nothing.
        seed = f"{session.header['seed']}:palette:{phrase[0]['step']}"
        found = palette(
            phrase, ahead, forbidden, self._near(person, people), list(words.places), seed,
            lambda acts: session.possible(acts, person),
        )  # fmt: skip
        said = {self.in_words(c, False) for c in found if c.right}
        told: list[Choice] = []
        for choice in found:
            # A wrong one that reads as another does is no choice.
            if choice.right or self.in_words(choice, False) not in said:
                told.append(choice)
                said.add(self.in_words(choice, False))
        return told

    def _near(self, person: str, people: list[str]) -> list[str]:
        """Those who could be meant: who is at the same part of the ground before the others, the nearest first."""
        world, words = self.session.ceremony.world, self.session.ceremony.words
        here = words.places[world.place[person]]

        def distance(other: str) -> tuple[bool, float]:
            there = words.places[world.place[other]]
            return there.level != here.level, (there.x - here.x) ** 2 + (there.y - here.y) ** 2

        return sorted(people, key=distance)[:NEAREST]

    def waiting(self) -> list[str]:
        """Who waits for whoever's turn it is."""
        person = self.person
        return self.session.duties.waiting(person) if person else []

    def owed(self, english: bool) -> list[str]:
        """What was passed over and can still be done, in words; empty at level 君子, where nothing is told."""
        if self.level == "君子":
            return []
        owed = self.session.due(self.person)["owed"]
        return [" ".join([self.act_in_words(given(e), english), *e["clauses"][:1]]) for e in owed]

    def reasons(self) -> list[Reply]:
        """What is due and why; at level 士 only the text it rests on; empty at level 君子, where nothing is told."""
        if self.level == "君子":
            return []
        why = list(self.session.why(person=self.person)["why"])
        return [self._ground(one) for one in why] if self.level == "士" else why

    def ask(self, word: str) -> Reply:
        """What a word means here, what was done, and, as far as the level tells it, what is to be done."""
        return self.session.about(word, self.person, _TOLD[self.level])

    def answer(self, subject: Subject) -> Reply:
        """The same of somebody or something that is known."""
        return self.session.answer(subject, self.person, _TOLD[self.level])

    def _ground(self, why: Reply) -> Reply:
        """What a due step rests on, without the step, which one is to find oneself; in English with its verbs."""
        text = " ".join(f"{clause['id']}「{clause['text']}」" for clause in why["clauses"])
        if not text:
            return {**why, "zh": "文无明言。", "en": "The text is silent here."}
        glosses = ", ".join(self.session.explainer.gloss.verbs_in(text))
        return {**why, "zh": f"经云 {text}", "en": f"The text: {text}" + (f" ({glosses})" if glosses else "")}

    def act_in_words(self, act: Mapping[str, Any], english: bool, at: bool = False) -> str:
        """One act in a few words; the place only where the act goes there, unless ``at``."""
        if act["verb"] == "择":
            return str(act["manner"])
        return self.session.explainer.act(act, english, at)

    def acts_in_words(self, choice: Choice, english: bool) -> list[str]:
        """The acts of a choice, each in a few words; facing and place are said where they change."""
        found: list[str] = []
        facing: str | None = None
        place = self.session.ceremony.world.place.get(self.person or "")
        for act in choice.acts:
            said = {k: v for k, v in act.items() if k != "facing" or v != facing}
            facing = act.get("facing", facing)
            found.append(self.act_in_words(said, english, act.get("at", place) != place))
            place = act.get("at", place)
        return found

    def in_words(self, choice: Choice, english: bool) -> str:
        """A choice in a few words, its acts in order."""
        return " · ".join(self.acts_in_words(choice, english))


def _with_room(choices: list[Choice], owed: list[Choice]) -> list[Choice]:
    """What is owed after the other choices, of which the last wrong ones make room for it."""
    wrong = [c for c in choices if not c.right]
    room = max(0, CHOICES - len(owed) - (len(choices) - len(wrong)))
    kept = [c for c in choices if c.right or c in wrong[:room]]
    return [*kept, *(c for c in owed if c not in kept)]
