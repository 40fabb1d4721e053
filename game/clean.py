"""Text from outside as a terminal may have it: what would steer the terminal is spelled out."""

from __future__ import annotations

import re

_STEERS = re.compile("[\x00-\x1f\x7f-\x9f\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def clean(text: object) -> str:
    """The text on one line: control characters, turns of writing direction and half surrogate pairs as escapes."""
    return _STEERS.sub(lambda found: found.group().encode("unicode_escape").decode("ascii"), str(text))


def short(text: object, most: int = 200) -> str:
    """The same, cut where it is very long."""
    whole = clean(text)
    return whole if len(whole) <= most else whole[:most] + "…"
