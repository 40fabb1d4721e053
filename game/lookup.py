"""``text phases roles scenarios rules vocabulary glossary``: look things up."""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict
from difflib import get_close_matches
from typing import Any

from game.messages import message
from game.rite.book import Book
from game.rite.yaml_strict import DataError
from game.session.glossary import find_terms, head, in_full, near
from game.session.rulebook import find_rules, rule_in_full

FEW = 4
"""So many entries of the glossary are told in full, more in one line each."""


def show(book: Book, name: str, options: argparse.Namespace, scenario: Mapping[str, Any]) -> int:
    """Print one list on standard output. DataError for a name that is not there."""
    languages = ("zh", "en") if options.lang == "both" else (options.lang,)
    if name == "text":
        _text(book, options.section, languages)
    elif name == "phases":
        _heading("phases", languages)
        for phase in book.phase_texts.values():
            mark = "" if phase.id in book.raw.phases else "·"
            _row(phase.id, *_english(phase.english, languages), f"{phase.first}–{phase.last}", mark)
    elif name == "scenarios":
        _heading("scenarios", languages)
        for entry in book.scenarios.values():
            _row(entry.id, *(getattr(entry, lang) for lang in languages))
    elif name == "roles":
        _roles(book, scenario, languages)
    elif name == "rules":
        _rules(book, options.rule, options.json, languages)
    elif name == "glossary":
        _glossary(book, options.word, options.json, languages)
    else:
        _vocabulary(book, options.part, options.json, scenario, languages)
    return 0


def _heading(name: str, languages: Sequence[str]) -> None:
    """What the columns of a list are."""
    for text in message(f"list_{name}", "both" if len(languages) > 1 else languages[0]):
        print(f"# {text}")


def _row(*columns: str) -> None:
    print("\t".join(columns).rstrip())


def _english(text: str, languages: Sequence[str]) -> tuple[str, ...]:
    """A column that is there for those who read English."""
    return (text,) if "en" in languages else ()


def person_named(book: Book, scenario: Mapping[str, Any], text: str) -> str:
    """The person that somebody means: by his name in Chinese, in pinyin or in English, or by an office that he gets.

    DataError for a word that names nobody, or several.
    """
    from game.core.choreography import Happening
    from game.session.gloss import OFFICES, plain
    from game.session.lexicon import Lexicon, folded

    words = book.words(scenario)
    if text in words.order:
        return text
    rite = book.rite(scenario, words)
    lexicon = Lexicon.of(words, rite)
    word = folded(text).replace(" ", "").removeprefix("the")
    found = [v for kind, v in (*lexicon.chinese.get(word, ()), *lexicon.latin.get(word, ())) if kind == "person"]
    for node in rite.nodes:
        if isinstance(node, Happening) and node.office:
            names = (node.office, folded(plain(OFFICES.get(node.office, node.office))).replace(" ", ""))
            found += [node.person] if word in names else []
    people = [str(p) for p in dict.fromkeys(found) if p in words.order]
    if len(people) == 1:
        return people[0]
    if people:
        raise DataError(f"{text!r} may be {', '.join(people)}; name one of them")
    raise DataError(f"no person {text!r}; `xiangshe roles` lists them: a name in Chinese, pinyin or English will do")


def person_of_any(book: Book, text: str) -> str:
    """The person that somebody means, in the first scenario that has him; the word itself if none has."""
    for scenario in sorted(book.scenarios.values(), key=lambda s: s.id != "常"):
        with suppress(DataError):
            return person_named(book, scenario.options, text)
    return text


def _text(book: Book, section: str | None, languages: Sequence[str]) -> None:
    if section is not None and section in book.clauses:
        print(f"{section}\t{book.clauses[section].text}")
        return
    wanted = book.phase_id(section.partition(".")[0]) if section else None
    if wanted and section and "." in section:
        there = book.phase_texts[wanted]
        raise DataError(f"no clause {section!r}; {wanted} has {there.first} to {there.last}")
    for phase in book.phase_texts.values():
        if wanted in (None, phase.id):
            print(" ".join(("#", phase.id, *_english(phase.english, languages))))
            for clause in book.clauses.values():
                if clause.phase_number == phase.number:
                    print(f"{clause.id}\t{clause.text}")


def _roles(book: Book, scenario: Mapping[str, Any], languages: Sequence[str]) -> None:
    from game.session.acting import acting

    words = book.words(scenario)
    found = acting(book.rite(scenario, words))
    _heading("roles", languages)
    for someone in words.roster.persons:
        phases = " ".join(f"{p.split('-')[0]}:{who[someone.id]}" for p, who in found.items() if someone.id in who)
        if phases:
            _row(someone.id, *_english(someone.en, languages), phases)


def _rules(book: Book, wanted: str | None, as_json: bool, languages: Sequence[str]) -> None:
    found = find_rules(book, wanted or "")
    if not found:
        near = ", ".join(get_close_matches(wanted or "", book.rules, 3, 0.5))
        raise DataError(f"no rule {wanted!r}" + (f"; near it: {near}" if near else "; `xiangshe rules` lists them"))
    if as_json:
        records = [asdict(rule) for rule in found]
        print(json.dumps(records, ensure_ascii=False, separators=(",", ":"), default=sorted))
    elif len(found) == 1:
        print(rule_in_full(book, found[0], languages))
    else:
        for rule in found:
            _row(rule.id, rule.kind, *(getattr(rule, lang) for lang in languages))


def _glossary(book: Book, wanted: str | None, as_json: bool, languages: Sequence[str]) -> None:
    found = list(book.glossary.values()) if wanted is None else find_terms(book, wanted)
    if not found:
        like = ", ".join(near(book, wanted or ""))
        what = f"near it: {like}" if like else "`xiangshe glossary` lists all"
        raise DataError(f"no word {wanted!r} in the glossary; {what}")
    if as_json:
        records = [{k: v for k, v in asdict(term).items() if k != "where"} for term in found]
        print(json.dumps(records, ensure_ascii=False, separators=(",", ":")))
    elif wanted is not None and len(found) <= FEW:
        print("\n\n".join(in_full(book, term, languages) for term in found))
    else:
        part = ""
        for term in found:
            if term.part != part:
                part = term.part
                print(f"# {part}")
            said = "\t".join(getattr(term, lang) for lang in languages)
            print(f"{head(term)}\t{said}\t{term.basis} {' '.join(term.clauses)}".rstrip())


def _vocabulary(
    book: Book, part: str | None, as_json: bool, scenario: Mapping[str, Any], languages: Sequence[str]
) -> None:
    words = book.words(scenario)
    lists: dict[str, list[dict[str, Any]]] = {
        "verbs": [asdict(v) for v in words.verbs.values()],
        "places": [asdict(p) for p in words.places.values()],
        "persons": [asdict(p) for p in words.roster.persons],
        "things": [asdict(t) for t in words.things.values()],
    }
    if part is not None and part not in lists:
        raise DataError(f"no part {part}; one of {', '.join(lists)}")
    chosen = {part: lists[part]} if part else lists
    if as_json:
        print(json.dumps(chosen, ensure_ascii=False, separators=(",", ":")))
        return
    for name, records in chosen.items():
        print(f"# {name}")
        for record in records:
            clauses = " ".join(record.get("clauses", ()))
            _row(record["id"], record["pinyin"], *_english(record["en"], languages), clauses)
