"""``xiangshe play --plain``: the rite line by line, for screen readers, pipes and slow links."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Mapping
from typing import IO, Any

from game.clean import clean, short
from game.messages import Word, message
from game.palette import Choice
from game.seat import Seat
from game.session.answers import asked
from game.session.breakdown import breakdown, cost, formula
from game.session.gloss import HANDS, POSTURES, plain
from game.session.replay import voided
from game.session.score import in_full, in_points
from game.session.session import Session
from game.session.telling import aloud

Reply = dict[str, Any]

_COMMANDS = {
    "where": ("where", "在何处", "何处", "zai he chu"),
    "who": ("who", "r", "谁", "在者", "shui"),
    "why": ("why", "w", "何以", "何故", "he yi", "he gu"),
    "repeat": ("repeat", "再说", "zai shuo"),
    "account": ("account", "a", "案", "an"),
    "due": ("due", "当何", "dang he"),
    "wait": ("wait", "d", "待", "俟", "dai"),
    "step": ("step", "x", "一步", "yi bu"),
    "undo": ("undo", "f", "反", "fan"),
    "text": ("text", "c", "经", "jing"),
    "verbs": ("verbs", "0", "诸动词", "zhu dong ci"),
    "language": ("language", "e", "语", "yu"),
    "help": ("help", "?", "助", "zhu"),
    "quit": ("quit", "q", "去", "qu"),
}
"""What is always answered: the plain word, the letter that the screen has for it, the same in Chinese."""
_TOLD = ("act", "happening", "become", "shot", "tally", "omission")
_RECENT = 20
"""Lines of the account that are told again."""


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
        self.seat = Seat(session)
        self.gloss = session.explainer.gloss
        self.choices: list[Choice] = []
        self.spoken: list[str] = []
        self.told = 0
        self.warned = ""
        """The step of which it was said that waiting would leave it undone."""
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

    def name(self, person: str | None) -> Word:
        """A person in both languages."""
        return Word(self.session.explainer.chinese.person(person or ""), self.gloss.person(person or ""))

    def phase(self, name: str) -> Word:
        """A phase in both languages."""
        text = self.session.book.phase_texts[name]
        return Word(name, f"{text.number} ({text.english})")

    def act_words(self, entry: Reply) -> Word:
        """A due or owed step in both languages."""
        explainer = self.session.explainer
        return Word(
            explainer.phrase(entry["verb"], entry["accepts"]), explainer.english(entry["verb"], entry["accepts"])
        )

    def tell_line(self, line: Reply, why: bool = True) -> None:
        """A line of the journal; without ``why`` the kinds of its faults alone, where the reasons follow."""
        for text in aloud(line, self.session.explainer, self.lang, why=why):
            self.say(text)

    def news(self) -> None:
        """What happened since the last turn, in words."""
        lines = self.session.journal.lines
        while self.told < len(lines):
            line = lines[self.told]
            self.told += 1
            if line["t"] == "phase" and line["edge"] == "始":
                self.tell("phase", phase=self.phase(line["phase"]))
            elif line["t"] in _TOLD and line.get("by") != "player":
                self.tell_line(line)

    # The loop

    def play(self) -> int:
        """See ``play``."""
        header = self.session.header
        self.tell("mode")
        self.tell("how")
        for role, level in self.session.players.items():
            first, last = self.phase(header["from"]), self.phase(header["to"])
            if self.session.is_drill:
                self.tell("drilling", phase=first, role=self.name(role), level=level)
            else:
                key = "playing" if first != last else "playing_one"
                self.tell(key, role=self.name(role), level=level, first=first, last=last)
        if self.session.journal.path:
            self.tell("saved", path=self.session.journal.path)
        self.both(*formula(self.session.book.faults))
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
        phrase, level = self.session.phrase(), self.seat.level
        owed = [] if level == "君子" else self.session.due()["owed"]
        self.choices = self.seat.choices()
        if not phrase and not self.choices:
            if level != "君子":
                self.tell("nothing_due")
            return
        role = self.name(self.seat.person)
        self.tell("your_turn", role=Word(role.zh, plain(role.en)), due="")
        if not self.choices:
            self.tell("type")
            return
        if level == "童子":
            self.reasons()
        for entry in owed:
            self.tell("owed", what=self.act_words(entry))
        self.tell("choices" if phrase else "make_good")
        for n, choice in enumerate(self.choices, 1):
            self.say(f"{n}. {self.in_words(choice)}")

    def in_words(self, choice: Choice) -> str:
        """A choice with its measure, recipient, place and facing."""
        zh, en = self.seat.in_words(choice, False), self.seat.in_words(choice, True)
        return {"zh": zh, "en": en}.get(self.lang, zh if zh == en else f"{zh} / {en}")

    def reasons(self) -> None:
        """What is due and why."""
        for why in self.seat.reasons()[:1]:
            self.both(why["zh"], why["en"])

    # Answering

    def answer(self, line: str) -> bool:
        """Answer one line; False to leave."""
        folded = unicodedata.normalize("NFKC", line).strip().lower()
        for name, words in _COMMANDS.items():
            if folded in words:
                return self.command(name, "")
        if (about := asked(folded)) is not None:
            return self.command("why", about)
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
            self.refused(reply)
            return
        self.tell_line(self.session.journal.lines[reply["n"]], why=False)
        if not reply["verdict"]["faults"]:
            self.tell("right")
            return
        for why in self.session.why(of=reply["n"])["why"]:
            self.both(why["zh"], why["en"])

    def refused(self, reply: Reply) -> None:
        """Why nothing happened, and what it could have been."""
        said = reply["error"].split(" · ")
        half = (len(said) + 1) // 2
        told = {"zh": said[:half], "en": said[half:] or said}.get(self.lang, said)
        self.say(short(" · ".join(told), 300))
        if found := reply.get("candidates", [])[:20]:
            self.say("、".join(found) if self.lang != "en" else ", ".join(map(self.gloss.candidate, found)))

    def command(self, name: str, rest: str) -> bool:
        """One of the words that always answer; False to leave."""
        actions: dict[str, Callable[[], None]] = {
            "where": self.where,
            "who": self.who,
            "repeat": self.again,
            "account": self.account,
            "due": self.what_is_due,
            "text": self.text,
            "verbs": self.verbs,
            "language": self.switch_language,
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
        elif name == "wait":
            self.wait()
        else:
            self.moved(name, self.session.step())
        return True

    def wait(self) -> None:
        """Let the others go on; before that leaves undone what is due it is said, once for each step."""
        left = None if self.seat.level == "君子" else self.session.left_by_waiting()
        if left is not None and left["step"] != self.warned:
            self.warned = left["step"]
            self.tell("leaves_undone")
            return
        self.moved("wait", self.session.wait())

    def moved(self, name: str, reply: Reply) -> None:
        """After wait, step or undo."""
        if not reply["ok"]:
            self.refused(reply)
            return
        if name == "undo":
            self.tell("undone", n=reply["undone_to"])
            self.told = len(self.session.journal.lines)
        for step in reply.get("prompt", []):
            self.tell("waiting", role=self.name(self.seat.person), what=self.step(step))
        self.turn()

    def step(self, name: str) -> Word:
        """A step by its id, as an act; the id itself if the rite has none."""
        return Word(*(self.session.explainer.named(name) or (name, name)))

    def why(self, rest: str) -> None:
        """Reasons of what is due, of a line, or of a word."""
        if rest.isdecimal() and len(rest) < 10:
            reply = self.session.why(of=int(rest))
        elif rest:
            reply = self.seat.ask(rest)
        elif self.session.players.get(self.session.whose() or "") == "君子":
            self.tell("no_hint")
            return
        else:
            reply = {"ok": True, "why": self.seat.reasons()}
        if not reply["ok"]:
            self.refused(reply)
        elif not reply["why"]:
            self.tell("nothing_due")
        for why in reply.get("why", [])[: None if rest else 1]:
            self.both(why["zh"], why["en"])

    def where(self) -> None:
        """Where the player is, what he holds and wears, and where the others are."""
        role = self.session.whose()
        persons = self.session.state()["state"]["persons"]
        if role is None or role not in persons:
            return
        mine = persons[role]
        self.tell(
            "where",
            role=self.name(role),
            place=self.place(mine["at"]),
            facing=Word(mine["facing"], self.gloss.facing(mine["facing"])),
            posture=Word(mine["posture"], POSTURES.get(mine["posture"], mine["posture"])),
            hands=self.hands(mine["hands"]),
            dress=self.listed(mine["dress"], [self.gloss.dress(d) for d in mine["dress"]]),
        )
        self.who(12)

    def who(self, most: int = 99) -> None:
        """Who else is in sight, where and how."""
        role = self.session.whose()
        persons = self.session.state()["state"]["persons"]
        if role is None or role not in persons:
            return
        words = self.session.ceremony.words
        region = words.places[persons[role]["at"]].region
        others = [
            p.id
            for p in words.roster.persons
            if p.id != role and p.id in persons and words.places[persons[p.id]["at"]].region == region
        ]
        if not others:
            self.tell("nobody_else")
        for other in others[:most]:
            facing = persons[other]["facing"]
            self.tell(
                "others_where",
                who=self.name(other),
                place=self.place(persons[other]["at"]),
                facing=Word(facing, self.gloss.facing(facing)),
            )

    def account(self) -> None:
        """What has happened, the last of it."""
        lines = self.session.journal.lines
        void = voided(lines)
        told = [x for i, x in enumerate(lines) if i not in void and x["t"] in _TOLD]
        for line in told[-_RECENT:]:
            self.tell_line(line)

    def text(self) -> None:
        """The text of the phase: at level 童子 all of it, else what has been enacted."""
        lines = self.session.journal.lines
        begun = next((i for i in range(len(lines) - 1, -1, -1) if lines[i]["t"] == "phase"), None)
        if begun is None:
            return
        enacted = {c for line in lines[begun:] for c in line.get("clauses") or ()}
        phase = self.session.book.phase_texts[lines[begun]["phase"]]
        clauses = [c for c in self.session.book.clauses.values() if c.phase_number == phase.number]
        readable = [c for c in clauses if self.seat.level == "童子" or c.id in enacted]
        if not readable:
            self.tell("nothing_enacted")
        for clause in readable:
            self.say(f"{clause.id} {clause.text}")

    def verbs(self) -> None:
        """Every verb that can be typed, with its sound and in English its sense."""
        for verb in self.session.ceremony.words.verbs.values():
            self.say(" ".join((verb.id, verb.pinyin) if self.lang == "zh" else (verb.id, verb.pinyin, verb.en)))

    def switch_language(self) -> None:
        """From one language to the other; from both to English."""
        self.lang = "zh" if self.lang == "en" else "en"
        self.tell("language")

    def place(self, name: str) -> Word:
        """A place in both languages."""
        return Word(f"在{name}", self.gloss.at(name))

    def hands(self, held: Mapping[str, list[str]]) -> Word:
        """What is where in one's hands."""
        zh = self.session.explainer.chinese.hands(held)
        return self.listed(
            [zh] if zh else [],
            [f"{', '.join(map(self.gloss.thing, things))} {HANDS.get(hand, hand)}" for hand, things in held.items()],
        )

    @staticmethod
    def listed(zh: list[str], en: list[str]) -> Word:
        """A list, or that there is nothing."""
        (nothing, none) = message("empty", "both")
        return Word("，".join(zh) or nothing, ", ".join(en) or none.lower())

    def again(self) -> None:
        """The last turn once more."""
        for text in list(self.spoken):
            self.sink.write(text + "\n")

    def what_is_due(self) -> None:
        """What is due, where the level tells it."""
        if self.session.players.get(self.session.whose() or "") == "君子":
            self.tell("no_hint")
            return
        owed, phrase = self.session.due()["owed"], self.session.phrase()
        if not phrase and not owed:
            self.tell("nothing_due")
        for entry in owed:
            self.tell("owed", what=self.act_words(entry))
        for entry in phrase:
            self.tell("due", what=self.act_words(entry))

    # Ending

    def finish(self) -> None:
        """The result."""
        self.tell("over")
        found = breakdown(self.session.journal.lines, self.session.book.faults)
        for role in self.session.players:
            if role in found:
                score = found[role]
                self.tell("score", role=self.name(role), points=in_full(score))
                explainer = self.session.explainer
                faults = Word(*(cost(score, explainer, english) for english in (False, True)))
                self.tell("faults", faults=faults) if faults.zh else self.tell("no_faults")
                for phase, part in score["phases"].items():
                    self.tell("phase_score", phase=self.phase(phase), points=in_points(part))

    def leave(self) -> None:
        """Save and go."""
        if not self.session.ended and self.session.journal.path:
            self.tell("left", path=self.session.journal.path)
        self.session.close()
