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


_GRADES = {"正": mark("right"), "小失": mark("slight fault"), "失": mark("fault"), "违": mark("breach")}
_KINDS = {
    "序": mark("order"), "阙": mark("left out"), "过": mark("uncalled for"), "位": mark("place"), "面": mark("facing"),
    "数": mark("count"), "容": mark("bearing"), "器": mark("implement"), "服": mark("dress"), "手": mark("hand"),
    "先后": mark("precedence"), "辞": mark("words"), "僭": mark("another's office"),
}  # fmt: skip

_STRUCK = {
    "中": mark("hits the middle"), "侯": mark("strikes the cloth beside it"), "不及": mark("falls short"),
    "过": mark("flies over"), "旁": mark("goes wide"),
}  # fmt: skip


def grade(name: str) -> str:
    """A grade in the language in use."""
    return _(_GRADES[name]) if language() == "en" and name in _GRADES else name


def kind(name: str) -> str:
    """A kind of fault in the language in use."""
    return _(_KINDS[name]) if language() == "en" and name in _KINDS else name


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
        self._set_for = 0

    def on_resize(self, event: Resize) -> None:
        """Lines are set for a width; the last one stays in view."""
        width = self.size.width
        if self._set_for not in (0, width) and self.told:
            super().clear()
            for text in self.told:
                self.write(text)
        self._set_for = width
        self.scroll_end(animate=False)

    def clear(self) -> Self:
        """Forget all."""
        self.told.clear()
        return super().clear()

    def _put(self, text: Text) -> None:
        self.told.append(text)
        self.write(text)

    def tell(self, line: Mapping[str, Any], seat: Seat, mine: bool = False) -> None:
        """Add one journal line, if it tells anything."""
        light = not self.app.current_theme.dark
        text = sentence(line, seat, language() == "en")
        if not text:
            return
        faults = line.get("verdict", {}).get("faults") if isinstance(line.get("verdict"), dict) else None
        shown = Text(
            text, style=style("gold" if mine else "ink", light) if line["t"] != "phase" else style("dim", light)
        )
        if faults:
            given = line["verdict"]["grade"]
            shown.append(
                f" {grade(given)} {' '.join(kind(f['kind']) for f in faults)}",
                style("amber" if given == "小失" else "cinnabar", light),
            )
        self._put(shown)


def sentence(line: Mapping[str, Any], seat: Seat, english: bool) -> str:
    """One journal line in a few words; empty for lines that tell nothing to a reader."""
    kind = line["t"]
    words = seat.session.ceremony.words
    explainer = seat.session.explainer
    if kind in ("act", "attempt"):
        who = plain(explainer.gloss.person(line["person"])) if english else _title(line)
        act = {k: v for k, v in line.items() if k in _SPOKEN and v is not None}
        if not line.get("verb"):
            return ""
        verb = words.verbs.get(line["verb"])
        if verb is None or verb.effect != "go":
            act.pop("at", None)
        if not _turned(line):
            act.pop("facing", None)
        said = f"「{clean(line['speech'])}」" if line.get("speech") else ""
        return f"{who}{':' if english else ''} {seat.act_in_words(act, english)}{said}"
    if kind == "phase":
        text = seat.session.book.phase_texts.get(line["phase"])
        name = f"{text.number:02d} {text.english}" if english and text else line["phase"]
        return name if line["edge"] == "始" else ""
    if kind == "happening":
        return clean(line["what"])
    if kind == "become":
        return f"{_person(line, seat, english)} → {line['office']}"
    if kind == "omission":
        acts = explainer.named(line["step"])
        return " ".join(
            (_person(line, seat, english), _("left out"), acts[1 if english else 0] if acts else clean(line["step"]))
        )
    if kind == "shot":
        struck = _(_STRUCK[line["struck"]]) if english and line["struck"] in _STRUCK else clean(line["struck"])
        return " ".join((_person(line, seat, english), _("arrow {n}", n=line["arrow"]), struck))
    if kind == "tally":
        return _(
            "right {right}, left {left}, ahead {ahead}", right=line["right"], left=line["left"], ahead=line["ahead"]
        )
    return ""


def _person(line: Mapping[str, Any], seat: Seat, english: bool) -> str:
    return plain(seat.session.explainer.gloss.person(line["person"])) if english else clean(line["person"])


_SPOKEN = ("verb", "times", "manner", "object", "count", "to", "from", "into", "hand", "at", "facing")


def _title(line: Mapping[str, Any]) -> str:
    actor, person = str(line.get("actor") or ""), str(line["person"])
    return actor if actor and actor not in ("众宾", "赞者", "有司", "弟子", "大夫", "上射", "下射") else person


def _turned(line: Mapping[str, Any]) -> bool:
    return line.get("verb") not in ("坐", "兴", "奠", "取", "执", "受", "实", "洗", "盥")
