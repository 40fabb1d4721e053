"""Numbers as the rite says them."""

from __future__ import annotations

_DIGITS = "零一二三四五六七八九"


def spoken(number: int) -> str:
    """A number from 0 to 99 in Chinese: 十二, 二十. ValueError for others."""
    if not 0 <= number <= 99:
        raise ValueError(number)
    tens, ones = divmod(number, 10)
    if not tens:
        return _DIGITS[ones]
    return ("" if tens == 1 else _DIGITS[tens]) + "十" + (_DIGITS[ones] if ones else "")
