"""The rite with agents alone: one journal, or many."""

from __future__ import annotations

import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from game.rite.book import Book
from game.rite.scenario import Scenario
from game.session.journal import encode
from game.session.session import Session


def simulate(
    book: Book, scenario: Scenario, first: str, last: str, seed: int, out: Path | None, count: int = 1, jobs: int = 1
) -> int:
    """Write ``count`` journals (FILE, or FILE-1 … in ``out``'s folder; standard output without ``out``). Returns 0."""
    if out is None:
        session = Session.new(book, scenario, first, last, {}, seed)
        previous = "0" * 16
        for line in session.journal.lines:
            data, previous = encode({k: v for k, v in line.items() if k != "h"}, previous)
            sys.stdout.write(data.decode())
        return 0
    if count == 1:
        _one(book.folder, scenario, first, last, seed, out)
        print(out, file=sys.stderr)
        return 0
    names = [out.with_name(f"{out.stem}-{n + 1}{out.suffix or '.jsonl'}") for n in range(count)]
    for name in names:
        if name.exists():
            raise FileExistsError(17, "exists", str(name))
    work = [(book.folder, scenario, first, last, seed + n, name) for n, name in enumerate(names)]
    if jobs == 1:
        for task in work:
            _one(*task)
    else:
        with ProcessPoolExecutor(jobs) as pool:
            list(pool.map(_spread, work))
    for name in names:
        print(name, file=sys.stderr)
    return 0


def _spread(task: tuple[Path, Scenario, str, str, int, Path]) -> None:
    _one(*task)


def _one(folder: Path, scenario: Scenario, first: str, last: str, seed: int, out: Path) -> None:
    Session.new(Book(folder), scenario, first, last, {}, seed, out, sync=False).close()
