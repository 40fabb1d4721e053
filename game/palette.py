"""The choices of level 士: the due phrase among well-chosen wrong ones. Pure functions over plain data."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Given = dict[str, Any]
Entry = Mapping[str, Any]

CHOICES = 5
_FAMILY = ("揖", "厌", "让", "拜")
_OPPOSITE = {
    "北": "南",
    "南": "北",
    "东": "西",
    "西": "东",
    "东北": "西南",
    "西南": "东北",
    "东南": "西北",
    "西北": "东南",
}
_TURNED = {
    "北": ("东", "西"), "南": ("东", "西"), "东": ("南", "北"), "西": ("南", "北"),
    "东北": ("东南", "西北"), "西南": ("东南", "西北"), "东南": ("东北", "西南"), "西北": ("东北", "西南"),
}  # fmt: skip
_MIRROR = str.maketrans("东西左右阼南北", "西东右左西北南")
_PUBLIC = frozenset(["拜", "揖", "厌", "让", "辞", "对", "请", "告", "命", "送", "迎"])


@dataclass(frozen=True)
class Choice:
    """One line of the palette: acts as ``Session.act`` takes them."""

    acts: tuple[Given, ...]
    right: bool


def given(entry: Entry) -> Given:
    """A due step as an act, with the first accepted value of each field."""
    act: Given = {"verb": entry["verb"]}
    for name, values in entry["accepts"].items():
        act[name] = [values[0]] if name in ("to", "which") else values[0]
    return act


def palette(
    phrase: Sequence[Entry],
    ahead: Sequence[Entry],
    forbidden: Sequence[Entry],
    people: Sequence[str],
    places: Sequence[str],
    seed: str,
    possible: Callable[[Sequence[Given]], bool] = lambda acts: True,
) -> list[Choice]:
    """The due phrase and up to four wrong ones, in an order that ``seed`` settles.

    ``ahead`` are the steps that follow the phrase, ``forbidden`` what the text rules out now, ``people`` who else is
    there, ``places`` where one could go. Wrong ones differ in one thing from the right one: count, recipient, facing,
    place, kin of the verb, thing; or they are what comes next, or what is forbidden. ``possible`` tells whether the
    world lets some acts be done: one that nobody could do would give the right one away.
    """
    chance = random.Random(seed)
    right = tuple(given(e) for e in phrase)
    wrong: list[tuple[Given, ...]] = []
    for varied in _variants(phrase, people, places, chance):
        wrong.append(varied)
    chance.shuffle(wrong)
    special = [(act,) for e in forbidden if (act := _forbidden(e, right, people)) is not None]
    if ahead:
        special.append((given(ahead[0]),))
    seen = [right]
    chosen: list[tuple[Given, ...]] = []
    spare = _spare(phrase, ahead)
    chance.shuffle(spare)
    for acts in special[:2] + wrong + spare:
        if acts not in seen and len(chosen) < CHOICES - 1 and possible(acts):
            seen.append(acts)
            chosen.append(acts)
    choices = [Choice(right, True), *(Choice(acts, False) for acts in chosen)]
    chance.shuffle(choices)
    return choices


def _spare(phrase: Sequence[Entry], ahead: Sequence[Entry]) -> list[tuple[Given, ...]]:
    """Less likely wrong ones, where few others can be done: a quarter turn, what comes later, an end too soon."""
    acts = tuple(given(e) for e in phrase)
    found = [
        (*acts[:i], {**acts[i], "facing": turned}, *acts[i + 1 :])
        for i, entry in enumerate(phrase)
        for turned in _TURNED.get(entry["accepts"].get("facing", [""])[0], ())
        if turned not in entry["accepts"]["facing"]
    ]
    found += [(given(e),) for e in ahead[1:4]]
    return [*found, acts[:-1]] if len(acts) > 2 else found


def _forbidden(entry: Entry, right: Sequence[Given], people: Sequence[str]) -> Given | None:
    """What the text rules out, as an act that could be done; None where one would have to say more."""
    act = given(entry)
    if act["verb"] in ("升", "降", "酬") and "at" not in act:
        return None
    if act["verb"] in _PUBLIC and "to" not in act:
        to = next((a["to"] for a in right if a.get("to")), list(people[:1]))
        if not to:
            return None
        act["to"] = to
    return act


def _variants(
    phrase: Sequence[Entry], people: Sequence[str], places: Sequence[str], chance: random.Random
) -> list[tuple[Given, ...]]:
    acts = [given(e) for e in phrase]
    found: list[tuple[Given, ...]] = []

    def put(i: int, **changes: Any) -> None:
        found.append((*acts[:i], {**acts[i], **changes}, *acts[i + 1 :]))

    for i, entry in enumerate(phrase):
        accepts, verb = entry["accepts"], entry["verb"]
        if verb in _FAMILY:
            times = accepts["times"]
            put(i, times=next(t for t in (2, 1, 3) if t not in times))
            plain = {k: v for k, v in acts[i].items() if k not in ("manner", "times")}
            kin = {**plain, "verb": chance.choice([v for v in _FAMILY if v != verb])}
            found.append((*acts[:i], kin, *acts[i + 1 :]))
        others = [p for p in people if p not in accepts.get("to", ())]
        if verb in _PUBLIC and accepts.get("to") and others:
            put(i, to=[chance.choice(others)])
        if accepts.get("facing"):
            opposite = _OPPOSITE[accepts["facing"][0]]
            if opposite not in accepts["facing"]:
                put(i, facing=opposite)
        if accepts.get("at"):
            mirrored = str(accepts["at"][0]).translate(_MIRROR)
            if mirrored in places and mirrored not in accepts["at"]:
                put(i, at=mirrored)
        if accepts.get("object", [""])[0] in ("爵", "觯"):
            put(i, object="觯" if accepts["object"][0] == "爵" else "爵")
        if accepts.get("into") and str(accepts["into"][0]).translate(_MIRROR) in places:
            put(i, into=str(accepts["into"][0]).translate(_MIRROR))
        if accepts.get("hand", [""])[0] in ("左", "右"):
            put(i, hand="右" if accepts["hand"][0] == "左" else "左")
    if len(acts) > 1:
        found.append(tuple(acts[1:]))
        found.append((acts[1], acts[0], *acts[2:]))
    if len(found) < CHOICES - 1:
        found.append(({"verb": "兴"},) if acts[0]["verb"] != "兴" else ({"verb": "坐"},))
    return found


__all__ = ["Choice", "given", "palette"]
