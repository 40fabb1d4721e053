"""Reads ``data/glossary.yaml``; sound and short English are the vocabulary's where an entry has none of its own."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import msgspec

from game.core.term import PARTS, Term
from game.rite.schema import convert
from game.rite.yaml_cache import load_cached
from game.rite.yaml_strict import DataError, Record

BASES = ("文", "推", "注", "补")
_PEOPLE = ("persons", "groups", "pairs", "named")
_Named = dict[str, tuple[str, str]]


class TermSpec(msgspec.Struct, forbid_unknown_fields=True):
    """One entry of the file."""

    id: str
    zh: str
    en: str
    clauses: list[str]
    basis: str = "文"
    pinyin: str = ""
    en_name: str = ""


def load_glossary(folder: Path) -> Mapping[tuple[str, str], Term]:
    """(part, word) → entry, in the order of the file; empty where a data folder has none.

    DataError for what is not well shaped.
    """
    path = folder / "glossary.yaml"
    if not path.exists():
        return {}
    content = load_cached(path)
    if not isinstance(content, Record) or content.keys() - set(PARTS):
        raise DataError(f"{path.name}:1: must be a mapping of {', '.join(PARTS)}")
    found: dict[tuple[str, str], Term] = {}
    for part, records in content.items():
        named = _named(folder / "vocabulary", part)
        for record in records:
            term = _term(record, part, named)
            if (part, term.id) in found:
                first = found[part, term.id].where
                raise DataError(f"{record.where}: a second entry {term.id} in {part}, after {first}; remove one")
            found[part, term.id] = term
    return found


def _term(record: Record, part: str, named: _Named) -> Term:
    spec = convert(record, TermSpec)
    if spec.basis not in BASES:
        raise DataError(f"{record.where}: {spec.id}: no basis {spec.basis}; it is one of {', '.join(BASES)}")
    pinyin, english = named.get(spec.id, ("", ""))
    return Term(
        spec.id, part, spec.pinyin or pinyin, spec.en_name or english, spec.zh, spec.en,
        tuple(spec.clauses), spec.basis, record.where,
    )  # fmt: skip


def _named(folder: Path, part: str) -> _Named:
    """Word → sound and short English, as the vocabulary has them; of a thing the first of its kind."""
    found: _Named = {}
    for record in _records(folder, part):
        english = re.sub(r" ?\([^)]*\)", "", str(record.get("en", "")))
        if part != "verbs":
            english = re.split("[,;:]", english)[0]
        found.setdefault(word_of(record, part), (str(record.get("pinyin", "")), english.strip()))
    return found


def _records(folder: Path, part: str) -> Iterator[Record]:
    content = load_cached(folder / f"{part}.yaml")
    for records in [content.get(name, []) for name in _PEOPLE] if part == "persons" else [content]:
        yield from records


def word_of(record: Mapping[str, object], part: str) -> str:
    """The word by which a record of the vocabulary stands in the glossary: of a thing the text's word for its kind."""
    kind = str(record.get("kind", "")) if part == "things" else ""
    return kind if kind and not kind.isascii() else str(record["id"])


def words_of(folder: Path) -> Iterator[tuple[str, str, str]]:
    """(part, word, ``file:line``) of everything in the vocabulary that must have an entry, each word once."""
    seen = set()
    for part in PARTS:
        for record in _records(folder, part):
            word = word_of(record, part)
            if (part, word) not in seen:
                seen.add((part, word))
                yield part, word, record.where
