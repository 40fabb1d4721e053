"""What somebody tries: one verb with everything that goes with it, all names resolved."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Attempt:
    """One ritual act as tried. Empty text means not said; ``given`` are the fields that the person chose himself."""

    person: str
    verb: str
    times: int = 1
    manner: str = ""
    object: str = ""
    which: tuple[str, ...] = ()
    count: int = 0
    """How many things; 0 is the customary number (one, but all the counters)."""
    to: tuple[str, ...] = ()
    source: str = ""
    """From where or whom a thing is taken (``from`` in the journal)."""
    into: str = ""
    hand: str = ""
    via: str = ""
    at: str = ""
    facing: str = ""
    posture: str = ""
    speech: str = ""
    aim: str = ""
    given: frozenset[str] = field(default=frozenset())

    def value(self, name: str) -> str | int | tuple[str, ...]:
        """A field by its name in the journal."""
        attribute = "source" if name == "from" else name
        result: str | int | tuple[str, ...] = getattr(self, attribute)
        return result


FIELDS = (
    "times",
    "manner",
    "object",
    "which",
    "count",
    "to",
    "from",
    "into",
    "hand",
    "via",
    "at",
    "facing",
    "speech",
    "aim",
)
"""Fields that an attempt can be given, by their names in the journal."""
