"""The glossary as one reads it: found by graph, sound or English; one entry in full; which words have been met."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from typing import Any

from game.core.term import Term
from game.core.vocabulary import Vocabulary, together
from game.rite.book import Book
from game.rite.glossary import words_of
from game.session.lexicon import folded
from game.session.references import Findings

GROUNDS = {
    "文": ("文所明言", "the text says so"),
    "推": ("文意所含", "the text implies it"),
    "注": ("从注家", "after the commentators"),
    "补": ("本书所补", "ours: the text is silent"),
}


class Glossary:
    """The entries of a book, for the words of one scenario."""

    def __init__(self, book: Book, words: Vocabulary) -> None:
        self.book = book
        self.words = words
        self.terms = book.glossary

    def verb(self, name: str) -> Term | None:
        """A verb's entry."""
        return self.terms.get(("verbs", name))

    def place(self, name: str) -> Term | None:
        """A place's entry; of one that a person has (大夫1席前) that of its kind."""
        found = self.terms.get(("places", name))
        if found is not None:
            return found
        owner = next((p.id for p in self.words.roster.persons if name.startswith(p.id)), "")
        return self.terms.get(("places", name.removeprefix(owner)))

    def thing(self, name: str) -> Term | None:
        """A thing's entry: that of its kind."""
        found = self.words.things.get(name)
        return self.terms.get(("things", found.kind if found else name))

    def person(self, name: str) -> Term | None:
        """The entry of a person, an office, a group or a pair; of an archer that of his half of a pair."""
        kind = next((p.kind for p in self.words.roster.persons if p.id == name), name)
        for word in (name, kind, name.rstrip("0123456789"), name[-2:]):
            if ("persons", word) in self.terms:
                return self.terms["persons", word]
        return None

    def met(self, lines: Iterable[Mapping[str, Any]]) -> list[Term]:
        """The entries of all words that have occurred in these lines, in the order of the file."""
        found: set[tuple[str, str]] = set()
        for line in lines:
            if line["t"] not in ("act", "become"):
                continue
            people = [line.get("person"), line.get("actor"), line.get("office"), *(line.get("to") or ())]
            terms = [self.person(str(p)) for name in people if name for p in together(str(name))]
            terms += [self.place(str(line[k])) for k in ("at", "into", "from") if line.get(k)]
            terms += [self.thing(str(t)) for t in (line.get("object"), *(line.get("which") or ())) if t]
            terms += [self.verb(str(line.get("verb")))]
            found.update((t.part, t.id) for t in terms if t is not None)
        return [term for key, term in self.terms.items() if key in found]


def find_terms(book: Book, wanted: str) -> list[Term]:
    """The entries of that very word, by graph, sound or English; else those in whose word or sentence it stands."""
    sought = _letters(_bare(wanted.strip().lower()))
    if not sought:
        return []
    terms = book.glossary.values()
    same = [t for t in terms if sought in (_letters(t.id), _letters(t.pinyin), _letters(_bare(t.name)))]
    if same:
        return same
    asked = wanted.casefold().split()
    return [
        t
        for t in terms
        if sought in _letters(t.id)
        or sought in _letters(t.pinyin)
        or all(word in f"{t.id} {t.name} {t.zh} {t.en}".casefold() for word in asked)
    ]


def near(book: Book, wanted: str) -> list[str]:
    """Words of the glossary that look or sound like one that is not there."""
    sounds = {_letters(s): t.id for t in book.glossary.values() for s in (t.id, t.pinyin, _bare(t.name))}
    return list(dict.fromkeys(sounds[s] for s in get_close_matches(_letters(wanted), sounds, 4, 0.6)))


def _letters(word: str) -> str:
    return folded(word).replace(" ", "")


def _bare(name: str) -> str:
    for article in ("the ", "an ", "a "):
        name = name.removeprefix(article)
    return name


def head(term: Term, english: bool = True) -> str:
    """The word, its sound and, for those who read it, its English."""
    return "  ".join(filter(None, (term.id, term.pinyin, term.name if english else "")))


def in_full(book: Book, term: Term, languages: Sequence[str] = ("zh", "en")) -> str:
    """The word, its sentence, what that rests on, the clauses with their words."""
    both = [n for n, lang in enumerate(("zh", "en")) if lang in languages]
    lines = [head(term, "en" in languages), *((term.zh, term.en)[n] for n in both)]
    lines.append(f"{term.basis}  " + " / ".join(GROUNDS[term.basis][n] for n in both))
    lines += [f"{c}  {book.clauses[c].text}" for c in term.clauses if c in book.clauses]
    return "\n".join(lines)


def check_glossary(book: Book, findings: Findings) -> None:
    """Every word of the vocabulary has an entry, every entry its clauses, its sound and its English."""
    for part, word, where in words_of(book.folder / "vocabulary"):
        if (part, word) not in book.glossary:
            findings.add(where, f"{word}: no entry in glossary.yaml; add one under {part}")
    for term in book.glossary.values():
        for clause in term.clauses:
            if clause not in book.clauses:
                findings.add(term.where, f"{term.id}: no clause {clause} in text/reading.tsv; correct the number")
        if not term.clauses and term.basis != "补":
            findings.add(term.where, f"{term.id}: has no clause; cite one, or say basis 补")
        if not term.zh or not term.en:
            findings.add(term.where, f"{term.id}: says nothing; write one sentence in zh and one in en")
        if not term.pinyin or not term.name:
            what = f"{term.id}: the vocabulary has no such word; give pinyin and en_name, or remove it"
            findings.add(term.where, what)
