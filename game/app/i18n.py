"""What the screen says of itself, in English and Chinese, through gettext. Ritual words come from the data."""

from __future__ import annotations

import gettext
from collections.abc import Mapping
from pathlib import Path

from game.tongue import LANGUAGES

CATALOGUES = Path(__file__).parent / "locale"


class _Speaker:
    """The language in use; English is what stands in the code."""

    def __init__(self) -> None:
        self.language = "en"
        self._catalogue: gettext.NullTranslations = gettext.NullTranslations()

    def use(self, language: str) -> None:
        """Speak a language from now on. ValueError for one that there is no catalogue of."""
        if language not in LANGUAGES:
            raise ValueError(f"no language {language!r}; one of {', '.join(LANGUAGES)}")
        self.language = language
        self._catalogue = gettext.translation("xiangshe", CATALOGUES, [language], fallback=language == "en")

    def say(self, text: str) -> str:
        """A text in the language in use."""
        return self._catalogue.gettext(text)


_speaker = _Speaker()


def use(language: str) -> None:
    """Speak a language from now on: ``zh`` or ``en``."""
    _speaker.use(language)


def language() -> str:
    """The language in use."""
    return _speaker.language


def other_language() -> str:
    """The language that is not in use."""
    return "en" if _speaker.language == "zh" else "zh"


def _(text: str, **values: object) -> str:
    """A text of the program in the language in use; ``values`` fill its braces."""
    said = _speaker.say(text)
    return said.format(**values) if values else said


def told(both: Mapping[str, str]) -> str:
    """Of a text that comes in both languages the one in use."""
    return both[language()]


def half(message: str) -> str:
    """Of a message that has Chinese and English in one the one in use; the whole where it has but one."""
    zh, found, en = message.partition(" · ")
    return (en if language() == "en" else zh) if found else message


def mark(text: str) -> str:
    """The text itself: marks for the catalogue what is said only later."""
    return text
