"""Says in plain sentences, in Chinese and English, what is due and why, and what a verdict means."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import cached_property
from typing import Any

from game.core.choreography import Act, Index
from game.rite.book import Book
from game.rite.scenario import from_record
from game.rite.yaml_strict import DataError
from game.session.ceremony import Ceremony
from game.session.chinese import Chinese
from game.session.faultwords import FaultWords
from game.session.gloss import Gloss
from game.session.names import bindings

_BASIS = {
    "文": ("文所明言", "the text says so"),
    "推": ("文意所含", "the text implies it"),
    "注": ("从注家", "after the commentators"),
    "补": ("本书所补", "ours: the text is silent"),
}


class Explainer:
    """Reads the book and the ceremony; changes nothing."""

    def __init__(self, book: Book, ceremony: Ceremony) -> None:
        self.book = book
        self.ceremony = ceremony
        self.faults = {f.kind: f for f in book.faults}
        offices = ceremony.world.office
        self.gloss = Gloss(ceremony.words, offices)
        self.chinese = Chinese(ceremony.words, offices)
        self.fault_words = FaultWords(ceremony.words, self.gloss, self.chinese)

    @classmethod
    def of_saved(cls, book: Book, header: Mapping[str, Any]) -> Explainer:
        """With the words of a saved session's scenario, or if there is none such now of the ordinary one."""
        try:
            scenario = from_record(header["scenario"], "scenario")
            return cls(book, Ceremony(book, scenario))
        except DataError:
            return cls(book, Ceremony(book, next(iter(book.scenarios.values()))))

    def quote(self, clauses: Iterable[str]) -> list[dict[str, str]]:
        """The clauses with their words."""
        return [{"id": c, "text": self.book.clauses[c].text} for c in clauses if c in self.book.clauses]

    def phrase(self, verb: str, fields: Mapping[str, Any]) -> str:
        """An act as one reads it aloud in Chinese, with its place; of several values the first is said."""
        return self.chinese.act({**_first_of(fields), "verb": verb}, at=True)

    def english(self, verb: str, fields: Mapping[str, Any]) -> str:
        """The same in English."""
        return self.gloss.act({**_first_of(fields), "verb": verb}, at=True)

    def act(self, act: Mapping[str, Any], english: bool, at: bool = False) -> str:
        """An act in a few words; the place is said where the act goes there, else only with ``at``."""
        return self.gloss.act(act, at) if english else self.chinese.act(act, at)

    @contextmanager
    def at_the_time(self, offices: Mapping[str, str] | None) -> Iterator[None]:
        """Call persons by the offices that they had at some time, meanwhile; None: by those they have now."""
        now = self.gloss.offices, self.chinese.offices
        if offices is not None:
            self.gloss.offices = self.chinese.offices = offices
        try:
            yield
        finally:
            self.gloss.offices, self.chinese.offices = now

    def named(self, step: str) -> tuple[str, str] | None:
        """A step by its name in the journal (``p08_bows[众宾2]``) as an act, in both languages; None if not there."""
        found = self._steps.get(step)
        if found is None:
            return None
        act, index = found
        said = {
            k: [self.ceremony.rite.fill(v, act, index) if isinstance(v, str) else v for v in values]
            for k, values in act.fields.items()
        }
        verb = "、".join(act.choices) if act.choices else act.verb
        return self.phrase(verb, said), self.english(verb, said)

    @cached_property
    def _steps(self) -> dict[str, tuple[Act, Index]]:
        rite = self.ceremony.rite
        acts = [node for node in rite.nodes if isinstance(node, Act)]
        return {rite.step_name(act, index): (act, index) for act in acts for index in bindings(rite, act)}

    def step(self, entry: Mapping[str, Any]) -> dict[str, Any]:
        """Why a step is due."""
        zh, en = _BASIS[entry["basis"]]
        quoted = self.quote(entry["clauses"])
        text = "，".join(q["text"] for q in quoted)
        return {
            "step": entry["step"],
            "zh": f"所当：{self.phrase(entry['verb'], entry['accepts'])}。"
            + (f"经云「{text}」，{zh}。" if text else f"{zh}。"),
            "en": f"Due: {self.english(entry['verb'], entry['accepts'])}. Ground: {en}"
            + (f" ({', '.join(q['id'] for q in quoted)})." if quoted else "."),
            "clauses": quoted,
        }

    def fault(self, fault: Mapping[str, Any]) -> dict[str, Any]:
        """What a fault means."""
        kind = self.faults.get(fault["kind"])
        rule = self.book.rules.get(fault["rule"])
        particular = rule if rule is not None and fault["rule"] != getattr(kind, "rule", None) else None
        quoted = self.quote(fault["clauses"])
        told = particular.zh.rstrip("。") + "。" if particular else ""
        cited = "经云「" + "，".join(q["text"] for q in quoted) + "」。" if quoted else ""
        told_elsewhere, elsewhere = "", ""
        if fault["kind"] == "僭" and quoted:
            phase = int(quoted[0]["id"][1:3])
            told_elsewhere, elsewhere = f"见第{phase}节。", f" It stands in phase {phase}."
        zh = f"{self.fault_name(fault['kind'], False)}：{self.fault_words.zh(fault)}{told_elsewhere}{told}{cited}"
        en = f"{self.fault_words.en(fault)}{elsewhere}{f' {particular.en}' if particular else ''}"
        return {"kind": fault["kind"], "rule": fault["rule"], "zh": zh, "en": en, "clauses": quoted}

    def fault_name(self, kind: str, english: bool) -> str:
        """What a kind of fault is called, everywhere: 面, facing."""
        return self.faults[kind].name if english and kind in self.faults else kind

    def line(self, line: Mapping[str, Any]) -> dict[str, Any]:
        """What a journal line was judged to be, and why."""
        verdict = line.get("verdict")
        quoted = self.quote(line.get("clauses") or [])
        if not verdict:
            return {
                "n": line["n"],
                "zh": "此行无判。",
                "en": "This line was not judged.",
                "clauses": quoted,
                "faults": [],
            }
        if "code" in verdict:
            return {"n": line["n"], "zh": verdict["zh"], "en": verdict["en"], "clauses": [], "faults": []}
        faults = [self.fault(f) for f in verdict["faults"]]
        zh = "如仪。" if not faults else "".join(f["zh"] for f in faults)
        en = "As the rite has it." if not faults else " ".join(f["en"] for f in faults)
        if not faults and quoted:
            zh += "经云「" + "，".join(q["text"] for q in quoted) + "」。"
        return {"n": line["n"], "grade": verdict["grade"], "zh": zh, "en": en, "clauses": quoted, "faults": faults}


def _first_of(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Of each field the first value."""
    return {k: v[:1] if isinstance(v, list | tuple) else v for k, v in fields.items()}
