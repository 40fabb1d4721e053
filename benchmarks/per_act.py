"""Cost of one act by the number of guests, as a ratio to the smallest crowd measured beside it in the same run.

``python benchmarks/per_act.py`` prints a table in Markdown; ``docs/performance.md`` holds one.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

from game.rite.book import Book
from game.rite.scenario import Scenario
from game.session.ceremony import Ceremony

CROWDS = (5, 50, 200, 1000)


def cost(book: Book, guests: int, first: str, last: str) -> tuple[int, float, float, float]:
    """Acts, microseconds an act, the longest single act in milliseconds, and seconds to make the rite ready."""
    options = {**book.scenarios["常"].options, "众宾": guests}
    begun = time.perf_counter()
    ceremony = Ceremony(book, Scenario("crowd", options))
    ceremony.prepare(first, last)
    ready = time.perf_counter() - begun
    acts, longest, started = 0, 0.0, time.perf_counter()
    while not ceremony.over:
        at = time.perf_counter()
        done = ceremony.run(limit=1)
        longest = max(longest, time.perf_counter() - at)
        acts += done
    return acts, (time.perf_counter() - started) / max(1, acts) * 1e6, longest * 1e3, ready


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    book = Book(Path(__file__).parents[1] / "data")
    best: dict[int, tuple[int, float, float, float]] = {}
    for _ in range(options.rounds):
        for guests in CROWDS:
            result = cost(book, guests, "08-主人献众宾", "09-一人举觯")
            if guests not in best or result[1] < best[guests][1]:
                best[guests] = result
    base = best[CROWDS[0]][1]
    print("| guests | acts of P08–P09 | µs an act | ratio | longest act, ms | made ready, s |")
    print("| ---: | ---: | ---: | ---: | ---: | ---: |")
    for guests in CROWDS:
        acts, each, longest, ready = best[guests]
        print(f"| {guests} | {acts} | {each:.0f} | {each / base:.2f} | {longest:.0f} | {ready:.2f} |")


if __name__ == "__main__":
    main()
