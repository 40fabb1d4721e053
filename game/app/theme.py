"""Lacquer and silk: the colours of the screen, dark and light. Nothing is told by colour alone."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Any

from rich.color import Color as RichColor
from rich.segment import Segment
from rich.style import Style
from textual.app import App
from textual.color import Color
from textual.filter import LineFilter
from textual.theme import Theme

DARK, LIGHT = "lacquer", "silk"

CARD_CSS = """
Card, Pick { align: center middle; background: $background 60%; }
#card { width: 72; max-width: 96%; height: auto; max-height: 100%; background: $surface; padding: 0 1;
  border: round $secondary; }
#card-title { background: $primary; color: #fff3da; width: 100%; padding: 0 1; }
#card-body { height: auto; max-height: 17; padding: 1 0; scrollbar-size-vertical: 1; }
.wide #card-body { max-height: 30; }
#card-foot { color: $foreground 70%; width: 100%; }
Pick OptionList { height: auto; max-height: 18; background: $surface; border: none; padding: 0; }
Browse OptionList { height: auto; max-height: 8; background: $surface; border: none; padding: 0; }
Browse #card-body { max-height: 11; }
.wide Browse OptionList { max-height: 14; }
.wide Browse #card-body { max-height: 20; }
"""
"""Of the cards, which are imported only when the first is laid."""

_INKS = {
    # Each: dark, light. The contrast of every ink on every ground it stands on is at least 4.5.
    "ink": ("#efe4c9", "#2a1b12"),
    "dim": ("#bba984", "#5f4e37"),
    "gold": ("#e8b84e", "#6f4700"),
    "cinnabar": ("#f4977a", "#8f2415"),
    "verdigris": ("#7fcab0", "#0f5246"),
    "indigo": ("#9cc6ee", "#213f86"),
    "jade": ("#9fd38c", "#2c5a17"),
    "amber": ("#eac463", "#6b4500"),
}
_GROUNDS = {
    "ground": ("#17110e", "#f4ecd9"),
    "panel": ("#211814", "#ebe1c8"),
    "hall": ("#38281a", "#e6d3a6"),
    "mat": ("#413a1c", "#d3c891"),
    "court": ("#23251c", "#e4e3cf"),
    "lane": ("#2b2b20", "#dcdcc4"),
    "step": ("#43331f", "#d9c49a"),
    "edge": ("#4b4a3c", "#b9b39b"),
}
_PAIRS = {
    "me": (("#17110e", "#e8b84e"), ("#fff6e2", "#6f4700")),
    "actor": (("#fff3da", "#a8321f"), ("#fff6e2", "#a8321f")),
    "lit": (("#ffe9b0", "#4a2d1b"), ("#2a1b12", "#f0cf86")),
    "bar": (("#fff3da", "#6a2318"), ("#fff6e2", "#8a2c1e")),
    "silk": (("#241711", "#dccba4"), ("#2a1b12", "#fbf6ea")),
    "cloth2": (("#241711", "#bda878"), ("#2a1b12", "#cdbb8c")),
    "heart": (("#fff3da", "#8f2417"), ("#fff6e2", "#8f2417")),
}


def ink(name: str, light: bool = False) -> str:
    """The colour of an ink or a ground as ``#rrggbb``."""
    return (_INKS | _GROUNDS)[name][light]


_ALIASES = {
    "label": "dim", "line": "dim", "wall": "bar", "thing": "verdigris", "cloth": "silk", "band": "cloth2",
    "person": "ink", "addressed": "gold", "path": "gold", "ruler": "gold", "right": "cinnabar", "left": "indigo",
}  # fmt: skip
"""What the site plan calls its parts."""


def style(name: str, light: bool = False) -> Style:
    """The style that a part of the screen is drawn in; unknown names are plain ink."""
    name = _ALIASES.get(name, name)
    if name in _PAIRS:
        front, back = _PAIRS[name][light]
        return Style(color=front, bgcolor=back, bold=name in ("me", "actor"))
    if name in _INKS:
        return Style(color=_INKS[name][light])
    if name in _GROUNDS:
        return Style(color=_INKS["dim"][light], bgcolor=_GROUNDS[name][light])
    return Style(color=_INKS["ink"][light])


_TOLD_APART = {
    Color.parse(ground).monochrome.hex.lower()
    for name in ("me", "actor", "lit", "bar", "heart")
    for _ink_of_it, ground in _PAIRS[name]
}
"""The grounds that tell something: where there are no colours, reversed."""


def look(name: str, light: bool = False) -> Style:
    """The style of a run of the site plan: ``ink on ground``, or one name."""
    front, apart, back = name.partition(" on ")
    if not apart:
        return style(name, light)
    if front in ("me", "actor", "me acting"):
        return style("me", light) + Style(underline=True) if front == "me acting" else style(front, light)
    ground = style(back, light)
    return ground if front == "fill" else ground + Style(color=style(front, light).color, bold=front == "addressed")


_COLOURLESS = re.compile(r"vt(52|100|102|220|320|420|510|520)(-.*)?|dumb|.+-mono|.+-m")
"""Names of terminals that have no colours."""


def colourless(environment: Mapping[str, str]) -> bool:
    """Whether no colours are wanted (NO_COLOR), or the terminal has none (TERM=vt100)."""
    return bool(environment.get("NO_COLOR") or _COLOURLESS.fullmatch(environment.get("TERM", "")))


class Uncoloured(LineFilter):
    """Takes away all colours. What stood on a ground of its own, not on one of the grounds, is reversed."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """The same segments, bold, underlined and reversed alone."""
        return [Segment(text, _uncoloured(style), control) for text, style, control in segments]


@cache
def _uncoloured(look: Style | None) -> Style | None:
    if look is None:
        return None
    told = look.bgcolor is not None and _grey(look.bgcolor) in _TOLD_APART
    return Style(
        bold=look.bold, underline=look.underline, italic=look.italic, reverse=bool(look.reverse) != told, meta=look.meta
    )


def _grey(colour: RichColor) -> str:
    """A colour as the terminal that has none would show it."""
    return Color.from_rich_color(colour).monochrome.hex.lower()


def turn(app: App[Any]) -> None:
    """From lacquer to silk, or back."""
    app.theme = LIGHT if app.current_theme.dark else DARK


def themes() -> tuple[Theme, Theme]:
    """The two themes for Textual."""
    return _theme(DARK, False), _theme(LIGHT, True)


def _theme(name: str, light: bool) -> Theme:
    return Theme(
        name=name,
        dark=not light,
        primary=_PAIRS["bar"][light][1],
        secondary=ink("verdigris", light),
        accent=ink("gold", light),
        warning=ink("amber", light),
        error=ink("cinnabar", light),
        success=ink("jade", light),
        foreground=ink("ink", light),
        background=ink("ground", light),
        surface=ink("panel", light),
        panel=ink("panel", light),
    )
