"""The rule book as one reads it: found by id, clause, kind or words; one rule in full."""

from __future__ import annotations

from collections.abc import Sequence

from game.core.rule import Example, Rule
from game.rite.book import Book

CONFIDENCE = {
    "T": ("本篇明文", "stated by this chapter"),
    "P": ("他篇明文", "stated by a parallel text"),
    "C": ("注家所推，无异说", "inferred by commentators, undisputed"),
    "X": ("有异说，今从其一", "contested; one reading is played"),
}


def find_rules(book: Book, wanted: str) -> list[Rule]:
    """The rule of that id; else all that rest on that clause, are of that kind, or have these words in them."""
    if wanted in book.rules:
        return [book.rules[wanted]]
    sought = wanted.casefold()
    return [
        rule
        for rule in book.rules.values()
        if wanted in (*rule.clauses, rule.kind)
        or all(word in f"{rule.id} {rule.zh} {rule.en}".casefold() for word in sought.split())
    ]


def rule_in_full(book: Book, rule: Rule, languages: Sequence[str] = ("zh", "en")) -> str:
    """Statement, kind, ground, clauses with their words, exceptions, examples; one paragraph a line."""
    both = [lang for lang in ("zh", "en") if lang in languages]
    lines = [f"{rule.id}  {rule.kind}  {rule.confidence} {_either(CONFIDENCE[rule.confidence], both)}"]
    lines += [getattr(rule, lang) for lang in both]
    lines += _quoted(book, rule.clauses)
    for one in rule.exceptions:
        lines.append("")
        lines += [f"{'除' if lang == 'zh' else 'except'}: {getattr(one, lang)}" for lang in both]
        lines += _quoted(book, one.clauses)
    for mark, examples in (("+", rule.right), ("-", rule.wrong)):
        lines.append("")
        lines += [f"{mark} {_example(e, both)}" for e in examples]
    return "\n".join(lines)


def _either(words: tuple[str, str], languages: Sequence[str]) -> str:
    return " / ".join(w for w, lang in zip(words, ("zh", "en"), strict=True) if lang in languages)


def _quoted(book: Book, clauses: Sequence[str]) -> list[str]:
    return [f"{c}  {book.clauses[c].text}" for c in clauses if c in book.clauses]


def _example(example: Example, languages: Sequence[str]) -> str:
    return f"{example.phase} {example.person}: " + " / ".join(getattr(example, lang) for lang in languages)
