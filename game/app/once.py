"""A screen that is left once, however quickly its key is pressed again."""

from __future__ import annotations

from textual.await_complete import AwaitComplete
from textual.screen import Screen, ScreenResultType


class LeftOnce(Screen[ScreenResultType]):
    """Keys that come while it is on its way out leave nothing a second time."""

    _leaving = False

    def dismiss(self, result: ScreenResultType | None = None) -> AwaitComplete:
        """Leave, unless that is under way already."""
        if self._leaving:
            return AwaitComplete()
        self._leaving = True
        return super().dismiss(result)
