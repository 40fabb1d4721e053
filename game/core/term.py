"""An entry of the glossary: what a word of the rite means in it."""

from __future__ import annotations

from dataclasses import dataclass, field

PARTS = ("verbs", "places", "things", "persons")


@dataclass(frozen=True, slots=True)
class Term:
    """One word of ``data/glossary.yaml``, with one sentence in each language."""

    id: str
    part: str
    """One of PARTS."""
    pinyin: str
    name: str
    """In English, in a few words."""
    zh: str
    en: str
    clauses: tuple[str, ...]
    basis: str
    where: str = field(compare=False, default="")
    """``file:line`` of the entry."""
