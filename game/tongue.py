"""The language of whatever is shown: what was asked for, else what was chosen the last time, else the locale's."""

from __future__ import annotations

import locale
import os

from game import settings

LANGUAGES = ("zh", "en")


def preferred() -> str:
    """The language of the user's locale, English unless that is Chinese.

    What the environment asks for goes before what the system can do: the locale itself need not be installed.
    """
    asked = (os.environ.get(name) for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    name = next(filter(None, asked), None) or locale.getlocale()[0] or ""
    return "zh" if name.lower().startswith(("zh", "chinese")) else "en"


def usual() -> str:
    """The language of one who asks for none: that which he left the screen in, else his locale's."""
    kept = settings.chosen("screen", "language")
    return kept if kept in LANGUAGES else preferred()
