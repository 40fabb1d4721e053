"""Makes the picture of the README: ``python docs/picture.py`` plays a few acts and writes ``docs/rite.svg``.

Chinese graphs are two cells wide; the picture is set so that every run of text takes the cells it has on a terminal,
with the fonts of whoever looks at it.
"""

from __future__ import annotations

import asyncio
import re
import tempfile
from html import unescape
from pathlib import Path

from rich.cells import cell_len

from game.app.app import Start, XiangsheApp
from game.app.rite import RiteScreen
from game.paths import data_dir
from game.rite.book import Book

HERE = Path(__file__).parent
_CELL = 12.2
_FONT = "'Sarasa Mono SC','Noto Sans Mono CJK SC',monospace"


def set_in_cells(svg: str) -> str:
    """Every run of text as wide as its cells, and no font fetched from anywhere."""
    svg = re.sub(r"@font-face\s*\{.*?\}", "", svg, flags=re.DOTALL)
    svg = re.sub(r"font-variant-east-asian:[^;]*;|<!-- Generated[^>]*-->", "", svg)
    svg = re.sub(r"font-family:\s*[^;]*;", f"font-family: {_FONT};", svg)

    def run(match: re.Match[str]) -> str:
        width = cell_len(unescape(match["text"]).replace("\xa0", " ")) * _CELL
        return f'textLength="{width:g}" lengthAdjust="spacingAndGlyphs"{match["rest"]}>{match["text"]}</text>'

    return re.sub(r'textLength="[\d.]+"(?P<rest>[^>]*)>(?P<text>[^<]*)</text>', run, svg)


async def picture(book: Book, folder: Path) -> str:
    """The rite screen at the washing of the cup, as an SVG."""
    start = Start("play", {"宾": "士"}, book.scenarios["常"], "05-主人献宾", "05-主人献宾", 1)
    app = XiangsheApp(book, start, "zh", folder)
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        screen = app.screen
        assert isinstance(screen, RiteScreen)
        for _ in range(4):
            screen.skip()
            right = next(i for i, choice in enumerate(screen.palette.choices) if choice.right)
            screen.choose(right)
            screen.confirm()
            await pilot.pause()
        screen.skip()
        screen.choose(next(i for i, choice in enumerate(screen.palette.choices) if choice.right))
        await pilot.pause()
        return set_in_cells(app.export_screenshot(title="xiangshe"))


def main() -> None:
    """Write the picture."""
    with tempfile.TemporaryDirectory() as folder:
        svg = asyncio.run(picture(Book(data_dir()), Path(folder)))
    (HERE / "rite.svg").write_text(svg, encoding="utf-8")


if __name__ == "__main__":
    main()
