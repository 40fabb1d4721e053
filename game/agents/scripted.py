"""The faultless agent: does what its part says, with the first accepted value of each field."""

from __future__ import annotations

from collections.abc import Mapping

from game.core.act import Attempt
from game.core.choreography import Act
from game.core.vocabulary import together

Values = tuple[str | int, ...]


def propose(act: Act, expected: Mapping[str, Values], person: str) -> Attempt:
    """The attempt that discharges a step faultlessly. ``expected`` are its accepted values with names filled in."""

    def text(name: str) -> str:
        return str(expected[name][0]) if name in expected else ""

    def number(name: str, otherwise: int) -> int:
        value = expected.get(name, (otherwise,))[0]
        return value if isinstance(value, int) else otherwise

    return Attempt(
        person,
        act.verb,
        number("times", 1),
        act.choices[0] if act.choices else text("manner"),
        text("object"),
        tuple(str(v) for v in expected.get("which", ())),
        number("count", 0),
        together(text("to")) if "to" in expected else (),
        text("from"),
        text("into"),
        text("hand"),
        text("via"),
        text("at"),
        text("facing"),
        "",
        text("speech"),
    )
