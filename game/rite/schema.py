"""The shape of every record in the data files; msgspec refuses what is unknown or of another type."""

from __future__ import annotations

from typing import Any

import msgspec

from game.core.choreography import FaultKind
from game.rite.yaml_strict import DataError, Record

Words = str | list[str]


class _Spec(msgspec.Struct, forbid_unknown_fields=True):
    clauses: list[str] = []
    id: str = ""
    note: str = ""


class ActSpec(_Spec, kw_only=True):
    who: str
    verb: str
    times: int | list[int] = 1
    manner: Words = ""
    object: Words = ""
    which: Words = ""
    count: int | list[int] = 1
    to: Words = ""
    from_: Words = msgspec.field(default="", name="from")
    into: Words = ""
    hand: Words = ""
    via: Words = ""
    at: Words = ""
    facing: Words = ""
    posture: Words = ""
    speech: Words = ""
    words: str = ""
    re: str = ""
    after: Words = ""
    may: bool = False
    fault: FaultKind | None = None
    trailing: bool = False
    basis: str = "文"


class ChooseSpec(_Spec, kw_only=True):
    choose: list[str]
    who: str
    basis: str = "文"


class SeqSpec(_Spec, kw_only=True):
    seq: list[Any]


class ParSpec(_Spec, kw_only=True):
    par: list[Any]


class AnyOrderSpec(_Spec, kw_only=True):
    any_order: list[Any]


class EachSpec(_Spec, kw_only=True):
    each: str
    as_: str = msgspec.field(name="as")
    mode: str = "次"
    times: int = 1
    do: list[Any]


class RelaySpec(_Spec, kw_only=True):
    relay: str
    as_: str = msgspec.field(name="as")
    opens: str
    do: list[Any]


class MeetSpec(_Spec, kw_only=True):
    meet: str
    do: list[Any]


class WhenSpec(_Spec, kw_only=True):
    when: dict[str, Any]
    do: list[Any] = []
    else_: list[Any] = msgspec.field(default_factory=list, name="else")


class LikeSpec(_Spec, kw_only=True):
    like: str
    swap: list[list[str]] = []
    with_: dict[str, str] = msgspec.field(default_factory=dict, name="with")
    without: list[str] = []
    set: dict[str, dict[str, Any]] = {}
    reverse: bool = False


class ForbidSpec(_Spec, kw_only=True):
    forbid: dict[str, Any]
    scope: str = ""


class BecomeSpec(_Spec, kw_only=True):
    become: str
    who: str
    basis: str = "文"


class HappeningSpec(_Spec, kw_only=True):
    happening: str
    basis: str = "文"


class PhaseSpec(msgspec.Struct, forbid_unknown_fields=True):
    phase: str
    steps: list[Any]
    clauses: list[str] = []
    beside: dict[str, str] = {}
    note: str = ""


SPECS: dict[str, type[_Spec]] = {
    "verb": ActSpec,
    "choose": ChooseSpec,
    "seq": SeqSpec,
    "par": ParSpec,
    "any_order": AnyOrderSpec,
    "each": EachSpec,
    "relay": RelaySpec,
    "meet": MeetSpec,
    "when": WhenSpec,
    "like": LikeSpec,
    "forbid": ForbidSpec,
    "become": BecomeSpec,
    "happening": HappeningSpec,
}
BODIES = ("seq", "par", "any_order", "do", "else")


def kind_of(record: Record) -> str:
    """The kind of a step: the one key of SPECS that it has. DataError if none or several."""
    if not isinstance(record, Record):
        raise DataError(f"a step must be a mapping, not {record!r}")
    kinds = [k for k in SPECS if k in record]
    if len(kinds) != 1:
        raise DataError(f"{record.where}: a step needs exactly one of {', '.join(SPECS)}; it has {kinds or 'none'}")
    return kinds[0]


def check_step(record: Record) -> None:
    """Validate a step and all steps inside. DataError names file and line."""
    kind = kind_of(record)
    convert(record, SPECS[kind])
    for body in BODIES:
        for child in record.get(body, []) if isinstance(record.get(body), list) else []:
            check_step(child)


def convert(record: Record, spec: type[Any]) -> Any:
    """The record as a checked Struct. DataError names file, line and field."""
    try:
        return msgspec.convert(record, spec)
    except msgspec.ValidationError as error:
        raise DataError(f"{record.where}: {error}; see docs/choreography.md") from None
