"""A journal, looked at by one who knows only the text: its acts in order, who holds what, who stands where."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import pairwise
from typing import Any

from tests.builders import scene

Line = dict[str, Any]

FIRST, LAST = "01-戒宾", "33-饮不胜者"
# Where the parts before are the same as in another scenario, they are not written and looked at again.
BEGINS = {
    "无获": "20-司射诱射",
    "大夫之耦": "32-数获",
    "宾主不射": "32-数获",
    "宾主不射左贤": "32-数获",
    "矢不备": "22-取矢委楅",
}
SCENARIOS = ("常", "庠", "众宾三", "众宾多", "无获", "大夫", "大夫之耦", "宾主不射", "宾主不射左贤", "矢不备")

WHOLE = tuple(name for name in SCENARIOS if name not in BEGINS)

# The three pairs, upper archer first (P14.001, P21.009).
THREE_PAIRS = (("上耦上射", "上耦下射"), ("次耦上射", "次耦下射"), ("下耦上射", "下耦下射"))

MOTION = frozenset(
    ["行", "进", "退", "升", "降", "升席", "降席", "入", "出", "适", "反", "就", "少进", "少退", "还", "从", "钩楹"]
)

_HALL = (
    "阼阶上 阼阶上东 西阶上 西阶上少右 宾席 宾席前 宾席末 宾席西 主人席 主人席前 主人席末 尊 上篚 东序端 西序端 楹间 "
    "左物 右物 物间 当左物 当右物 左物南 丰南 丰北 东房 房外 大夫之右 西楹南 工1席 工2席 工3席 工4席 工席前 工席西"
)
HALL = frozenset(_HALL.split())


def on_hall(place: str) -> bool:
    """Whether a place is above, on the hall."""
    return place in HALL or (place[:2] in ("众宾", "大夫") and place.removesuffix("前").endswith("席"))


def on_steps(place: str) -> bool:
    """Whether a place is half-way, on one of the two flights of steps."""
    return place in ("阼阶", "西阶")


@dataclass(frozen=True)
class Journal:
    """The lines of one session."""

    lines: tuple[Line, ...]

    @cached_property
    def everything(self) -> list[Line]:
        """All acts, in their order."""
        return [line for line in self.lines if line["t"] == "act"]

    @cached_property
    def _by_phase(self) -> dict[str, list[Line]]:
        phases: dict[str, list[Line]] = {}
        for act in self.everything:
            phases.setdefault(act["phase"][:2], []).append(act)
        return phases

    @property
    def options(self) -> dict[str, Any]:
        """What the scenario says: how many people, which hall, who shoots."""
        found: dict[str, Any] = self.lines[0]["scenario"]["options"]
        return found

    def others(self) -> list[str]:
        """The 众宾, by rank."""
        return [f"众宾{k}" for k in range(1, self.options["众宾"] + 1)]

    def acts(self, phase: str | None = None, /, **wanted: Any) -> list[Line]:
        """The acts of a phase (its number: "05") that fit: a value, or several, for each key."""
        acts = self.everything if phase is None else self._by_phase.get(phase, [])
        return [act for act in acts if fits(act, wanted)]

    def one(self, phase: str | None = None, /, **wanted: Any) -> Line:
        """The only act that fits."""
        found = self.acts(phase, **wanted)
        assert len(found) == 1, f"{len(found)} acts in {phase} fit {wanted}: {[tell(act) for act in found]}"
        return found[0]

    def first(self, phase: str | None = None, /, **wanted: Any) -> Line:
        """The first act that fits."""
        found = self.acts(phase, **wanted)
        assert found, f"no act in {phase} fits {wanted}"
        return found[0]

    def last(self, phase: str | None = None, /, **wanted: Any) -> Line:
        """The last act that fits."""
        found = self.acts(phase, **wanted)
        assert found, f"no act in {phase} fits {wanted}"
        return found[-1]

    def in_order(self, phase: str, *patterns: str, after: int = -1) -> list[Line]:
        """The acts of a phase that fit the patterns ("宾 奠 爵": person, verb, object), one after the other."""
        acts = [act for act in self._by_phase.get(phase, []) if act["n"] > after]
        found: list[Line] = []
        rest = iter(acts)
        for pattern in patterns:
            wanted = dict(zip(("person", "verb", "object"), pattern.split(), strict=False))
            act = next((act for act in rest if fits(act, wanted)), None)
            assert act, f"{pattern} is missing after {[tell(a) for a in found]}"
            found.append(act)
        return found

    def lines_of(self, kind: str) -> list[Line]:
        """The lines of a kind other than acts: shot, tally, phase …"""
        return [line for line in self.lines if line["t"] == kind]

    def state(self, phase: str, edge: str) -> dict[str, Any]:
        """The whole state at an edge of a phase."""
        found: dict[str, Any] = next(
            line["state"] for line in self.lines_of("phase") if line["phase"][:2] == phase and line["edge"] == edge
        )
        return found

    @property
    def tally(self) -> Line:
        """The count of round two."""
        return next(line for line in self.lines_of("tally") if line["round"] == 2)

    # Who shoots, as the scenario and the text together say.

    def further_pairs(self) -> list[tuple[str, str]]:
        """Pairs of the 众宾 beyond the three pairs, upper archer first."""
        return [(pair["上射"], pair["下射"]) for pair in self.options.get("众耦", ())]

    def grandee_pairs(self) -> list[tuple[str, str]]:
        """Each 大夫 with his partner, who is the upper archer (P23: 大夫虽众，皆与士为耦)."""
        return [(partner, f"大夫{k}") for k, partner in enumerate(self.options.get("大夫耦", ()), 1)]

    def principals(self) -> list[tuple[str, str]]:
        """Guest and host, if both shoot: the host is the lower archer (P23: 主人为下射)."""
        return [("宾", "主人")] if self.options["宾射"] and self.options["主人射"] else []

    def losers(self) -> list[str]:
        """All of the losing side, in the order of their drinking (P33.050–067)."""
        if self.tally["ahead"] == "钧":
            return []
        side = 0 if self.tally["ahead"] == "左" else 1
        order = [*THREE_PAIRS, *self.principals(), *self.grandee_pairs(), *self.further_pairs()]
        return [pair[side] for pair in order]


def fits(act: Line, wanted: dict[str, Any]) -> bool:
    """Whether an act has the wanted values; a set or tuple offers several; ``to`` and ``clauses`` are looked into."""
    for key, value in wanted.items():
        got = act[key]
        if key in ("to", "clauses", "which"):
            if value not in got:
                return False
        elif isinstance(value, set | frozenset | tuple):
            if got not in value:
                return False
        elif got != value:
            return False
    return True


def tell(act: Line) -> str:
    """An act in a word, for messages."""
    return f"{act['n']} {act['person']} {act['verb']} {act['object'] or ''} @{act['at']} {act['facing']}"


def increasing(*acts: Line) -> bool:
    """Whether acts come in this order."""
    return all(a["n"] < b["n"] for a, b in pairwise(acts))


def verbs(acts: Iterable[Line]) -> list[str]:
    """The verbs of some acts."""
    return [act["verb"] for act in acts]


def held(journal: Journal, *kinds: str) -> Iterator[tuple[Line, dict[str, str]]]:
    """Every act with the whereabouts of cups (or other kinds) *before* it: a place, or "=person" in whose hands."""
    where: dict[str, str] = {}
    for act in journal.everything:
        yield act, dict(where)
        if act["object"] not in kinds:
            continue
        for thing in act["which"]:
            if act["verb"] in ("取", "执", "受", "奉", "彻"):
                where[thing] = f"={act['person']}"
            elif act["verb"] in ("奠", "设", "释", "倚", "委"):
                where[thing] = act["into"]


def before(journal: Journal) -> Iterator[tuple[Line, Line | None]]:
    """Every act with the same person's act before it (none if a phase that is not played lies between)."""
    last: dict[str, Line] = {}
    gap = {"11", "20", "32"}  # the phases before these are not written out
    opened: set[str] = set()
    for act in journal.everything:
        phase = act["phase"][:2]
        if phase in gap and phase not in opened:
            opened.add(phase)
            last.clear()
        yield act, last.get(act["person"])
        last[act["person"]] = act


@cache
def journal_of(scenario: str) -> Journal:
    """The rite of a scenario with agents alone, as far as it is written out."""
    return Journal(tuple(scene(BEGINS.get(scenario, FIRST), LAST, scenario=scenario).journal.lines))


def without(journal: Journal, lost: Callable[[Line], bool]) -> Journal:
    """A journal in which some lines are lost."""
    return Journal(tuple(line for line in journal.lines if not lost(line)))


def altered(journal: Journal, n: int, **changes: Any) -> Journal:
    """A journal with other values in line ``n``."""
    lines = list(journal.lines)
    at = next(k for k, line in enumerate(lines) if line["n"] == n)
    lines[at] = {**copy.deepcopy(lines[at]), **changes}
    return Journal(tuple(lines))


def swapped(journal: Journal, one: int, other: int) -> Journal:
    """A journal in which two acts have changed places (and numbers)."""
    lines = list(journal.lines)
    a = next(k for k, line in enumerate(lines) if line["n"] == one)
    b = next(k for k, line in enumerate(lines) if line["n"] == other)
    lines[a], lines[b] = {**lines[b], "n": one}, {**lines[a], "n": other}
    return Journal(tuple(lines))
