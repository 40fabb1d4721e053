"""First paint, and key to paint, as ratios to a bare Textual app of as many widgets run beside it.

``python benchmarks/screen.py`` prints a table in Markdown; ``docs/performance.md`` holds one. Every figure is the
median over fresh processes, taken in turn.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

KINDS = ("bare title", "title", "bare rite", "rite")
KEYS = 40


def _bare(rows: int) -> Any:
    from rich.text import Text
    from textual.app import App, ComposeResult
    from textual.containers import Horizontal, Vertical
    from textual.widgets import Input, RichLog, Static

    class Bare(App[None]):
        CSS = "Static { height: 1; } #big { height: 15; width: 48; } #log { height: 7; } #tall { height: 8; }"

        def compose(self) -> ComposeResult:
            with Vertical():
                yield Static(Text("head"))
                if rows > 5:
                    with Horizontal():
                        yield Static(Text("\n".join("#" * 48 for _ in range(15))), id="big")
                        with Vertical():
                            yield Static(Text("text " * 40), id="tall")
                            yield RichLog(id="log")
                    yield Input()
                for n in range(rows - 5 if rows > 5 else 4):
                    yield Static(Text(f"row {n}"), classes="row")

        def on_key(self, event: Any) -> None:
            self.query(".row").first(Static).update(Text(f"key {event.key} {time.perf_counter()}"))

    return Bare()


def _own(kind: str, folder: Path) -> Any:
    from game.app.app import Start, XiangsheApp
    from game.paths import data_dir

    if kind == "title":
        return XiangsheApp(data_dir(), Start(), "zh", folder)
    from game.rite.book import Book

    book = Book(data_dir())
    start = Start("play", {"宾": "士"}, book.scenarios["常"], "01-戒宾", "01-戒宾", 1)
    return XiangsheApp(book, start, "zh", folder)


async def _measure(kind: str, begun: float) -> None:
    with tempfile.TemporaryDirectory() as folder:
        app = _bare(5 if "title" in kind else 12) if kind.startswith("bare") else _own(kind, Path(folder))
        async with app.run_test(size=(80, 24)) as pilot:
            first = time.perf_counter() - begun
            await pilot.pause()
            ready = time.perf_counter() - begun
            if kind == "rite":
                await pilot.press("g")
            times = []
            for n in range(KEYS):
                at = time.perf_counter()
                await pilot.press("12"[n % 2] if kind == "rite" else "jk"[n % 2])
                times.append(time.perf_counter() - at)
        print(first, ready, statistics.median(times))


def main() -> None:
    """Print the table, or with ``--one`` measure one kind in this process."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--one", choices=KINDS)
    options = parser.parse_args()
    if options.one:
        asyncio.run(_measure(options.one, BEGUN))
        return
    found: dict[str, list[tuple[float, ...]]] = {kind: [] for kind in KINDS}
    for _ in range(options.rounds):
        for kind in KINDS:
            done = subprocess.run([sys.executable, __file__, "--one", kind], capture_output=True, text=True, check=True)
            found[kind].append(tuple(map(float, done.stdout.split())))
    print("| app | first paint, ms | ratio | ready to play, ms | key to paint, ms | ratio |")
    print("| --- | ---: | ---: | ---: | ---: | ---: |")
    for kind in KINDS:
        first, ready, key = (statistics.median(x[i] for x in found[kind]) * 1e3 for i in range(3))
        bare = found[kind if kind.startswith("bare") else f"bare {kind}"]
        base = [statistics.median(x[i] for x in bare) * 1e3 for i in range(3)]
        print(f"| {kind} | {first:.0f} | {first / base[0]:.2f} | {ready:.0f} | {key:.1f} | {key / base[2]:.2f} |")


BEGUN = time.perf_counter()
if __name__ == "__main__":
    main()
