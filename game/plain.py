"""``xiangshe play --plain``: the rite line by line, for screen readers, pipes and slow links."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Mapping
from typing import IO, Any

from game.clean import clean, short
from game.messages import message
from game.palette import Choice, palette
from game.replay_plain import describe
from game.session.session import Session

Reply = dict[str, Any]

_COMMANDS = {
    "where": ("where", "在何处", "何处", "zai he chu"),
    "why": ("why", "何故", "he gu"),
    "repeat": ("repeat", "再说", "zai shuo"),
    "due": ("due", "当何", "dang he"),
    "wait": ("wait", "待", "俟", "dai"),
    "step": ("step", "一步", "yi bu"),
    "undo": ("undo", "反", "fan"),
    "help": ("help", "?", "助", "zhu"),
    "quit": ("quit", "q", "去", "qu"),
}


def play(session: Session, source: IO[str], sink: IO[str], lang: str = "both") -> int:
    """Play until the rite is over, ``quit``, or the end of input; the session is saved at every line. Returns 0."""
    return Plain(session, source, sink, lang).play()


class Plain:
    """One player at one keyboard; says what happens as it happens, then what is asked."""

    def __init__(self, session: Session, source: IO[str], sink: IO[str], lang: str) -> None:
        self.session = session
        self.source = source
        self.sink = sink
        self.lang = lang
        self.choices: list[Choice] = []
        self.spoken: list[str] = []
        self.told = 0
        self.phrase_at: int | None = None
        """The journal line at which the last phrase began: undo takes back the whole phrase."""

    # Saying

    def say(self, text: str) -> None:
        """One line, remembered for ``repeat``."""
        text = clean(text)
        self.sink.write(text + "\n")
        self.spoken.append(text)

    def tell(self, key: str, **values: object) -> None:
        """One message."""
        for text in message(key, self.lang, **values):
            self.say(text)

    def both(self, zh: str, en: str) -> None:
        """A sentence that comes in both languages."""
        if self.lang != "en":
            self.say(zh)
        if self.lang != "zh":
            self.say(en)

    def news(self) -> None:
        """What happened since the last turn, in words."""
        lines = self.session.journal.lines
        while self.told < len(lines):
            line = lines[self.told]
            self.told += 1
            if line["t"] == "phase" and line["edge"] == "始":
                self.tell("phase", phase=line["phase"])
            elif (
                line["t"] in ("act", "happening", "become", "shot", "tally", "omission") and line.get("by") != "player"
            ):
                self.say(describe(line))

    # The loop

    def play(self) -> int:
        """See ``play``."""
        header = self.session.header
        self.tell("mode")
        self.tell("how")
        for role, level in self.session.players.items():
            self.tell("playing", role=role, level=level, first=header["from"], last=header["to"])
        if self.session.journal.path:
            self.tell("saved", path=self.session.journal.path)
        try:
            self.turn()
            self.sink.flush()
            for raw in self.source:
                line = raw.strip()
                if line and not self.answer(line):
                    break
                self.sink.flush()
        except KeyboardInterrupt:
            self.leave()
            raise
        except BaseException:
            self.session.close()
            raise
        self.leave()
        return 0

    def turn(self) -> None:
        """What happened, and what is asked of whom."""
        self.spoken = []
        self.news()
        self.choices = []
        if self.session.ended:
            self.finish()
            return
        role = self.session.whose()
        phrase = self.session.phrase()
        level = self.session.players.get(role or "", "士")
        if not phrase:
            self.owed()
            if level != "君子":
                self.tell("nothing_due")
            return
        self.tell("your_turn", role=role, due="")
        if level == "君子":
            self.tell("type")
            return
        if level == "童子":
            self.reasons()
            self.choices = [Choice(tuple(self.acts_of(phrase)), True)]
        else:
            self.choices = self.offered(phrase, str(role))
        self.owed()
        self.tell("choices")
        for n, choice in enumerate(self.choices, 1):
            self.say(f"{n}. {self.in_words(choice)}")

    def acts_of(self, phrase: list[Reply]) -> list[Reply]:
        """The due phrase as acts."""
        from game.palette import given

        return [given(e) for e in phrase]

    def offered(self, phrase: list[Reply], role: str) -> list[Choice]:
        """The palette of level 士."""
        world = self.session.ceremony.world
        people = [
            p.id
            for p in self.session.ceremony.words.roster.persons
            if p.id != role and world.region(p.id) == world.region(role)
        ]
        ahead = self.session.duties.ahead(role)[len(phrase) :]
        seed = f"{self.session.header['seed']}:palette:{self.session.journal.next}"
        places = list(self.session.ceremony.words.places)
        return palette(phrase, ahead, self.session.duties.forbidden(role), people[:12], places, seed)

    def in_words(self, choice: Choice) -> str:
        """A choice with its measure, recipient, place and facing."""
        explainer = self.session.explainer
        zh = "；".join(explainer.phrase(a["verb"], a) for a in choice.acts)
        en = "; ".join(explainer.english(a["verb"], a) for a in choice.acts)
        return {"zh": zh, "en": en}.get(self.lang, f"{zh} / {en}")

    def owed(self) -> None:
        """Steps passed over that can still be done."""
        for entry in self.session.due()["owed"]:
            if self.session.players.get(self.session.due()["person"], "") != "君子":
                self.tell("owed", what=self.session.explainer.phrase(entry["verb"], entry["accepts"]))

    def reasons(self) -> None:
        """What is due and why."""
        for why in self.session.why()["why"][:1]:
            self.both(why["zh"], why["en"])

    # Answering

    def answer(self, line: str) -> bool:
        """Answer one line; False to leave."""
        folded = unicodedata.normalize("NFKC", line).strip().lower()
        word, _, rest = folded.partition(" ")
        for name, words in _COMMANDS.items():
            if folded in words or (name == "why" and word in words):
                return self.command(name, rest)
        if folded.isdecimal() and len(folded) < 10:
            n = int(folded)
            if not 1 <= n <= len(self.choices):
                self.tell("unknown", n=n)
                return True
            self.do(list(self.choices[n - 1].acts))
            return True
        self.phrase_at = self.session.journal.next
        reply = self.session.say(line)
        for one in reply.get("acts", [reply]):
            self.verdict(one)
        self.turn()
        return True

    def do(self, acts: list[Mapping[str, Any]]) -> None:
        """The acts of a choice, one after the other, up to the first refusal."""
        who = self.session.whose()
        self.phrase_at = self.session.journal.next
        for given in acts:
            reply = self.session.act(given, who)
            self.verdict(reply)
            if not reply["ok"] or self.session.ended:
                break
        self.turn()

    def verdict(self, reply: Reply) -> None:
        """What an own act was judged to be; a fault with its reason and clauses."""
        if not reply["ok"]:
            self.say(short(reply["error"], 300))
            if reply.get("candidates"):
                self.say("、".join(reply["candidates"][:20]))
            return
        lines = self.session.journal.lines
        own = next(
            i for i in range(len(lines) - 1, -1, -1) if lines[i].get("by") == "player" and lines[i]["t"] == "act"
        )
        self.say(describe(lines[own]))
        if not reply["verdict"]["faults"]:
            self.tell("right")
            return
        for why in self.session.why(of=own)["why"]:
            self.both(why["zh"], why["en"])

    def command(self, name: str, rest: str) -> bool:
        """One of the words that always answer; False to leave."""
        actions: dict[str, Callable[[], None]] = {
            "where": self.where,
            "repeat": self.again,
            "due": self.what_is_due,
            "help": lambda: self.tell("help"),
        }
        if name == "quit":
            return False
        if name in actions:
            actions[name]()
        elif name == "why":
            self.why(rest)
        elif name == "undo":
            reply = self.session.undo(self.phrase_at)
            self.phrase_at = None
            self.moved(name, reply if reply["ok"] else self.session.undo())
        else:
            self.moved(name, self.session.wait() if name == "wait" else self.session.step())
        return True

    def moved(self, name: str, reply: Reply) -> None:
        """After wait, step or undo."""
        if not reply["ok"]:
            self.say(reply["error"])
            return
        if name == "undo":
            self.tell("undone", n=reply["undone_to"])
            self.told = len(self.session.journal.lines)
        for step in reply.get("prompt", []):
            self.tell("waiting", role=self.session.whose(), what=step)
        self.turn()

    def why(self, rest: str) -> None:
        """Reasons of what is due, or of a line."""
        if rest.isdecimal() and len(rest) < 10:
            reply = self.session.why(of=int(rest))
        elif self.session.players.get(self.session.whose() or "") == "君子":
            self.tell("no_hint")
            return
        else:
            reply = self.session.why()
        if not reply["ok"]:
            self.say(reply["error"])
        elif not reply["why"]:
            self.tell("nothing_due")
        for why in reply.get("why", [])[:1]:
            self.both(why["zh"], why["en"])

    def where(self) -> None:
        """Where the player is, what he holds and wears, and where the others are."""
        role = self.session.whose()
        persons = self.session.state()["state"]["persons"]
        if role is None or role not in persons:
            return
        mine = persons[role]
        (nothing, *_) = message("empty", "en" if self.lang == "en" else "zh")
        hands = "，".join(f"{h}{'、'.join(ts)}" for h, ts in mine["hands"].items()) or nothing
        self.tell(
            "where",
            role=role,
            place=mine["at"],
            facing=mine["facing"],
            posture=mine["posture"],
            hands=hands,
            dress="、".join(mine["dress"]) or nothing,
        )
        region = self.session.ceremony.words.places[mine["at"]].region
        others = [
            p for p, r in persons.items() if p != role and self.session.ceremony.words.places[r["at"]].region == region
        ]
        for other in others[:12]:
            self.tell("others_where", who=other, place=persons[other]["at"], facing=persons[other]["facing"])

    def again(self) -> None:
        """The last turn once more."""
        for text in list(self.spoken):
            self.sink.write(text + "\n")

    def what_is_due(self) -> None:
        """What is due, where the level tells it."""
        if self.session.players.get(self.session.whose() or "") == "君子":
            self.tell("no_hint")
            return
        phrase = self.session.phrase()
        if not phrase:
            self.tell("nothing_due")
        for entry in phrase:
            self.tell("due", what=self.session.explainer.phrase(entry["verb"], entry["accepts"]))

    # Ending

    def finish(self) -> None:
        """The result."""
        self.tell("over")
        totals = self.session.ceremony.scores.totals()
        for role in self.session.players:
            if role in totals:
                score = totals[role]["etiquette"]
                self.tell("score", role=role, points=score["points"], of=score["of"], score=score["score"])
                faults = "，".join(f"{k} {n}" for k, n in score["faults"].items())
                self.tell("faults", faults=faults) if faults else self.tell("no_faults")

    def leave(self) -> None:
        """Save and go."""
        if not self.session.ended and self.session.journal.path:
            self.tell("left", path=self.session.journal.path)
        self.session.close()
