"""Says in plain sentences, in Chinese and English, what is due and why, and what a verdict means."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any

from game.core.choreography import Act, Index
from game.rite.book import Book
from game.session.ceremony import Ceremony
from game.session.gloss import Gloss
from game.session.names import bindings

_BASIS = {
    "文": ("文所明言", "the text says so"),
    "推": ("文意所含", "the text implies it"),
    "注": ("从注家", "after the commentators"),
    "补": ("本书所补", "ours: the text is silent"),
}
_COUNT = {1: "", 2: "再", 3: "三"}


class Explainer:
    """Reads the book and the ceremony; changes nothing."""

    def __init__(self, book: Book, ceremony: Ceremony) -> None:
        self.book = book
        self.ceremony = ceremony
        self.faults = {f.kind: f for f in book.faults}
        self.gloss = Gloss(ceremony.words)

    def quote(self, clauses: Iterable[str]) -> list[dict[str, str]]:
        """The clauses with their words."""
        return [{"id": c, "text": self.book.clauses[c].text} for c in clauses if c in self.book.clauses]

    def phrase(self, verb: str, fields: Mapping[str, Any]) -> str:
        """An act as one reads it aloud in Chinese: place, facing, count, verb, thing, person."""

        def text(name: str) -> str:
            value = fields.get(name)
            if isinstance(value, list | tuple):
                value = value[0] if value else None
            return "" if value is None else str(value)

        times = text("times")
        count = _COUNT.get(int(times), times) if times else ""
        manner = text("manner")
        parts = [
            text("at"),
            f"{text('facing')}面" if text("facing") else "",
            f"{count}{verb}{text('object')}" + (f"（{manner}）" if manner and manner != verb else ""),
            f"于{text('into')}" if text("into") else f"于{text('from')}" if text("from") else "",
            f"向{text('to')}" if text("to") else "",
        ]
        return " ".join(p for p in parts if p)

    def english(self, verb: str, fields: Mapping[str, Any]) -> str:
        """The same in English."""
        said = {k: v[:1] if isinstance(v, list | tuple) else v for k, v in fields.items()}
        there = said.get("at") in (said.get("from"), said.get("into"))
        return self.gloss.act({**said, "verb": verb}, at=not there)

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
            "zh": f"当{self.phrase(entry['verb'], entry['accepts'])}。"
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
        zh = f"{kind.zh if kind else fault['kind']}。当{fault['expected']}，而{fault['got']}。"
        if fault["kind"] == "僭" and quoted and (phase := quoted[0]["id"][1:3]):
            zh += f"此{fault['expected']}之事，见第{int(phase)}节。"
        zh += particular.zh.rstrip("。") + "。" if particular else ""
        if quoted:
            zh += "经云「" + "，".join(q["text"] for q in quoted) + "」。"
        wanted, got = (self.gloss.value(fault["kind"], str(fault[k])) for k in ("expected", "got"))
        en = f"{kind.en if kind else fault['kind']}: expected {wanted}, got {got}."
        if fault["kind"] == "僭" and quoted:
            en += f" That is {self.gloss.person(fault['expected'])}'s act in P{quoted[0]['id'][1:3]}."
        en += f" {particular.en}" if particular else ""
        return {"kind": fault["kind"], "rule": fault["rule"], "zh": zh, "en": en, "clauses": quoted}

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
