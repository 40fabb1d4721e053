"""Everything that the data folder holds, read once; from it each session's rite is made."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Mapping
from copy import copy
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import msgspec

from game.core.choreography import Rite
from game.core.rule import Rule
from game.core.term import Term
from game.core.vocabulary import Vocabulary
from game.rite.glossary import load_glossary
from game.rite.load import RawRite, digest, load_rite
from game.rite.resolve import resolve
from game.rite.rulebook import load_rules
from game.rite.scenario import Scenario, load_scenarios
from game.rite.schema import convert
from game.rite.text import Clause, PhaseText, load_clauses, load_phases
from game.rite.vocabulary import make_vocabulary
from game.rite.yaml_cache import load_cached
from game.rite.yaml_strict import DataError


class FaultSpec(msgspec.Struct, forbid_unknown_fields=True):
    """One kind of fault of ``data/faults.yaml``."""

    kind: str
    name: str
    weight: float
    rule: str
    zh: str
    en: str


@dataclass(frozen=True)
class Book:
    """A data folder. Errors in it are DataErrors that name file and line."""

    folder: Path

    @cached_property
    def clauses(self) -> Mapping[str, Clause]:
        """The reading text by clause id."""
        return load_clauses(self.folder / "text")

    @cached_property
    def phase_texts(self) -> Mapping[str, PhaseText]:
        """The 55 sections by id, in order."""
        return load_phases(self.folder / "text")

    @cached_property
    def scenarios(self) -> Mapping[str, Scenario]:
        """The named scenarios."""
        return load_scenarios(self.folder / "scenarios")

    @cached_property
    def raw(self) -> RawRite:
        """The choreography as written."""
        return load_rite(self.folder / "rite")

    @cached_property
    def digest(self) -> str:
        """Names this very data in a journal's header."""
        return digest(self.folder)

    @cached_property
    def faults(self) -> tuple[FaultSpec, ...]:
        """Kinds of fault with their weights and rules."""
        return tuple(convert(r, FaultSpec) for r in load_cached(self.folder / "faults.yaml"))

    @cached_property
    def rules(self) -> Mapping[str, Rule]:
        """The rule book by rule id."""
        return load_rules(self.folder / "rules.yaml")

    @cached_property
    def glossary(self) -> Mapping[tuple[str, str], Term]:
        """(part, word) → entry; it decides nothing of how a session goes and is no part of the digest."""
        return load_glossary(self.folder)

    @cached_property
    def beginnings(self) -> dict[tuple[str, int], Any]:
        """Where ``game.session.beginnings`` keeps how everything stands when a phase begins."""
        return {}

    @cached_property
    def _rites(self) -> dict[str, Rite]:
        return {}

    def words(self, options: Mapping[str, Any]) -> Vocabulary:
        """The vocabulary and the people of a scenario."""
        return make_vocabulary(self.folder / "vocabulary", options)

    def rite(self, options: Mapping[str, Any], words: Vocabulary) -> Rite:
        """The choreography of a scenario; its tree is made once, and is the same for all who ask."""
        name = json.dumps(options, sort_keys=True)
        if name not in self._rites:
            order = {p.id: int(p.id.split("-")[0]) for p in self.phase_texts.values()}
            self._rites[name] = resolve(self.raw, options, words.roster, order)
        return copy(self._rites[name])

    def range(self, first: str | None, last: str | None) -> tuple[str, str]:
        """The phases that are played: with ``first`` alone that one; with neither, as far as the encoding is unbroken.

        DataError for a name that is no phase.
        """
        encoded = [p for p in self.phase_texts if p in self.raw.phases]
        begin = self.phase_id(first) if first else encoded[0]
        if last:
            return begin, self.phase_id(last)
        if first:
            return begin, begin
        numbers = [self.phase_texts[p].number for p in encoded]
        unbroken = [p for i, p in enumerate(encoded) if numbers[i] - i == numbers[0]]
        return begin, unbroken[-1]

    def phase_id(self, name: str) -> str:
        """A phase by its id, number (5, P05) or Chinese name, in any width. DataError if there is none."""
        wanted = unicodedata.normalize("NFKC", name).strip().upper()
        for phase in self.phase_texts.values():
            number = phase.id.split("-")[0]
            if wanted in (phase.id, phase.chinese) or wanted.removeprefix("P") in (number, number.lstrip("0")):
                return phase.id
        raise DataError(f"no phase {name!r}; see `xiangshe phases`")
