"""What has happened, one line an act, the last one at the bottom."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from typing import Any, Self

from rich.text import Text
from textual.events import Resize
from textual.widgets import RichLog

from game.app.i18n import _, language, mark
from game.app.theme import style
from game.clean import clean
from game.seat import Seat
from game.session.gloss import plain

KEPT = 1500
"""Lines kept in view; the journal has them all."""


_INDENT = "  "
_GRADES = {"正": mark("right"), "小失": mark("slight fault"), "失": mark("fault"), "违": mark("breach")}
_STRUCK = {
    "中": mark("hits the middle"), "侯": mark("strikes the cloth beside it"), "不及": mark("falls short"),
    "过": mark("flies over"), "旁": mark("goes wide"),
}  # fmt: skip


def grade(name: str) -> str:
    """A grade in the language in use."""
    return _(_GRADES[name]) if language() == "en" and name in _GRADES else name


def kind(name: str, seat: Seat) -> str:
    """A kind of fault in the language in use."""
    return seat.session.explainer.fault_name(name, language() == "en")


def faulty(verdict: Mapping[str, Any], seat: Seat) -> str:
    """A grade with the kinds of its faults, each once: fault: facing, place."""
    kinds = list(dict.fromkeys(kind(f["kind"], seat) for f in verdict["faults"]))
    between = ", " if language() == "en" else "、"
    return _("{grade}: {kinds}", grade=grade(verdict["grade"]), kinds=between.join(kinds))


def total(score: Mapping[str, Any]) -> str:
    """Points of those that could be had, wherever they are told: 11.5/13."""
    return f"{score.get('points', 0):g}/{score.get('of', 0):g}"


class Account(RichLog):
    """The account of acts; scrolls by wheel and keys."""

    can_focus = False
    DEFAULT_CSS = (
        "Account { background: $background; scrollbar-size-vertical: 1; scrollbar-color: $panel; padding: 0 0 0 1; }"
    )

    def __init__(self, id: str | None = None) -> None:  # noqa: A002
        super().__init__(max_lines=KEPT, wrap=True, markup=False, highlight=False, min_width=10, id=id)
        self.told: deque[Text] = deque(maxlen=KEPT)
        """What has been told, to be set anew for another width."""
        self.offices: dict[str, str] = {}
        """Who had which office at the line told last."""
        self._set_for = 0

    def on_resize(self, event: Resize) -> None:
        """Lines are set for a width; the last one stays in view."""
        width = self.size.width
        if self._set_for not in (0, width) and self.told:
            super().clear()
            for text in self.told:
                self._set(text)
        self._set_for = width
        self.scroll_end(animate=False)

    def clear(self) -> Self:
        """Forget all."""
        self.told.clear()
        return super().clear()

    def _put(self, text: Text) -> None:
        self.told.append(text)
        self._set(text)

    def _set(self, text: Text) -> None:
        """Write a text with what goes on below its first line set in."""
        width = self.size.width - 2
        if width < 10:
            self.write(text)
            return
        lines = text.wrap(self.app.console, width - len(_INDENT))
        for n, line in enumerate(lines):
            self.write(Text(_INDENT) + line if n else line)

    def tell(self, line: Mapping[str, Any], seat: Seat, mine: bool = False) -> None:
        """Add one journal line, if it tells anything."""
        light = not self.app.current_theme.dark
        follow(self.offices, line)
        text = sentence(line, seat, language() == "en", self.offices)
        if not text:
            return
        faults = line.get("verdict", {}).get("faults") if isinstance(line.get("verdict"), dict) else None
        shown = Text(
            text, style=style("gold" if mine else "ink", light) if line["t"] != "phase" else style("dim", light)
        )
        if faults:
            given = line["verdict"]["grade"]
            shown.append(
                " — " + faulty(line["verdict"], seat),
                style("amber" if given == "小失" else "cinnabar", light),
            )
        self._put(shown)


def follow(offices: dict[str, str], line: Mapping[str, Any]) -> None:
    """Who has which office after a journal line: it may be another by now than when the line was written."""
    if line["t"] == "phase":
        persons = (line.get("state") or {}).get("persons") or {}
        offices.clear()
        offices.update({p: str(r["office"]) for p, r in persons.items() if r.get("office")})
    elif line["t"] == "become":
        offices[str(line["person"])] = str(line["office"])


def sentence(line: Mapping[str, Any], seat: Seat, english: bool, offices: Mapping[str, str] | None = None) -> str:
    """One journal line in a few words; empty for lines that tell nothing to a reader.

    ``offices``: who had which when the line was written; without them, who has them now.
    """
    explainer = seat.session.explainer
    with explainer.at_the_time(offices):
        return _sentence(line, seat, english)


def _sentence(line: Mapping[str, Any], seat: Seat, english: bool) -> str:
    kind = line["t"]
    explainer = seat.session.explainer
    if kind in ("act", "attempt"):
        act = {k: v for k, v in line.items() if k in _SPOKEN and v is not None}
        if not line.get("verb"):
            return ""
        if not _turned(line):
            act.pop("facing", None)
        said = f"「{clean(line['speech'])}」" if line.get("speech") else ""
        between = ": " if english else " "
        return f"{_person(line, seat, english)}{between}{clean(explainer.act(act, english))}{said}"
    if kind == "phase":
        return phase_name(seat, line["phase"], english) if line["edge"] == "始" else ""
    if kind == "happening":
        return clean(explainer.gloss.happening(line["what"]) if english else line["what"])
    if kind == "become":
        gloss, office = explainer.gloss, clean(line["office"])
        himself = gloss.people.get(line["person"], line["person"])
        return f"{plain(himself)} → {gloss.office(office)}" if english else f"{clean(line['person'])} → {office}"
    if kind == "omission":
        acts = explainer.named(line["step"])
        return " ".join(
            (_person(line, seat, english), _("left out:"), acts[1 if english else 0] if acts else clean(line["step"]))
        )
    if kind == "shot":
        struck = _(_STRUCK[line["struck"]]) if english and line["struck"] in _STRUCK else clean(line["struck"])
        return " ".join((_person(line, seat, english), _("arrow {n}", n=line["arrow"]), struck))
    if kind == "tally":
        ahead = {"右": _("the right"), "左": _("the left"), "钧": _("neither")}.get(line["ahead"], clean(line["ahead"]))
        return _("right {right}, left {left}, ahead {ahead}", right=line["right"], left=line["left"], ahead=ahead)
    return ""


def phase_name(seat: Seat, phase: str, english: bool) -> str:
    """A phase by its number and name."""
    text = seat.session.book.phase_texts.get(phase)
    return f"{text.number:02d} {text.english}" if english and text else clean(phase)


def _person(line: Mapping[str, Any], seat: Seat, english: bool) -> str:
    explainer = seat.session.explainer
    return clean(plain(explainer.gloss.person(line["person"])) if english else explainer.chinese.person(line["person"]))


_SPOKEN = ("verb", "times", "manner", "object", "count", "to", "from", "into", "hand", "at", "facing")


def _turned(line: Mapping[str, Any]) -> bool:
    return line.get("verb") not in ("坐", "兴", "奠", "取", "执", "受", "实", "洗", "盥")
