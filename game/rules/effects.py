"""What each kind of verb does to the world, and when it is impossible: a closed registry, never named code."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from game.core.act import Attempt
from game.core.ruling import Refusal
from game.rules.world import BEGUN, EMPTY, FULL, World

Effect = Callable[[World, Attempt], Refusal | None]
EFFECTS: dict[str, Effect] = {}

_STAIRS = {"堂下": 0, "阶": 1, "堂上": 2}
_OUTSIDE = {"门外", "宾家"}
REACH = 25.0
"""How far off, in 尺 on one level, a thing may be taken or put down: places are drawn as points, and people step."""


def effect(name: str) -> Callable[[Effect], Effect]:
    """Enter a function into the registry under the name that ``verbs.yaml`` uses."""

    def enter(function: Effect) -> Effect:
        EFFECTS[name] = function
        return function

    return enter


def impossible(zh: str, en: str) -> Refusal:
    """A refusal because the world does not allow it."""
    return Refusal("impossible", zh, en)


def perform(world: World, act: Attempt) -> Refusal | None:
    """Let an act take effect. On a refusal the caller rolls the trail back."""
    world.handled.clear()
    kind = world.words.verbs[act.verb].effect
    if kind != "go" and act.at and act.at != world.place[act.person]:
        refusal = _walk(world, act, act.at)
        if refusal:
            return refusal
    refusal = EFFECTS[kind](world, act)
    if refusal is None and act.facing and act.facing != world.facing[act.person]:
        world.set_facing(act.person, act.facing)
    return refusal


def _walk(world: World, act: Attempt, to: str) -> Refusal | None:
    here, there = world.at(world.place[act.person]).level, world.at(to).level
    ups, gate = (here in _STAIRS and there in _STAIRS and here != there), {here, there}
    if ups:
        rising = _STAIRS[there] > _STAIRS[here]
        if act.verb != ("升" if rising else "降"):
            verb = "升" if rising else "降"
            return impossible(f"{to}在{there}，须{verb}", f"{to} is {'up' if rising else 'down'} the steps: use {verb}")
    elif here != there and "堂下" in gate:
        verb = "入" if there == "堂下" else "出"
        if act.verb != verb:
            return impossible(
                f"{to}在门{'内' if verb == '入' else '外'}，须{verb}", f"{to} is through the gate: use {verb}"
            )
    elif here != there and gate != _OUTSIDE:
        return impossible(f"自{here}不能径至{to}", f"there is no way from here straight to {to}")
    elif act.verb in ("升", "降") and not ups:
        return impossible(f"{to}不在阶上下", f"{to} is on the level where you are")
    elif act.verb == "入" and here == there and here != "宾家":
        return impossible(f"{to}不在门之彼侧", f"{to} is not on the other side of the gate")
    world.set_place(act.person, to)
    return None


@effect("none")
@effect("shift")
def _none(world: World, act: Attempt) -> Refusal | None:
    return None


@effect("go")
def _go(world: World, act: Attempt) -> Refusal | None:
    if not act.at:
        return Refusal("ambiguous", "往何处？", "where to?")
    if act.at == world.place[act.person]:
        return impossible(f"已在{act.at}", f"you are at {act.at} already")
    refusal = _walk(world, act, act.at)
    if refusal is None:
        world.set_posture(act.person, "立")
    return refusal


@effect("sit")
def _sit(world: World, act: Attempt) -> Refusal | None:
    if world.posture[act.person] == "坐":
        return impossible("已坐", "you are kneeling already")
    world.set_posture(act.person, "坐")
    return None


@effect("rise")
def _rise(world: World, act: Attempt) -> Refusal | None:
    if world.posture[act.person] != "坐":
        return impossible("未坐，何以兴", "you are not kneeling")
    world.set_posture(act.person, "立")
    return None


@effect("stand")
def _stand(world: World, act: Attempt) -> Refusal | None:
    world.set_posture(act.person, "立")
    return None


# Things


def free_hand(world: World, person: str, wanted: str, kind: str) -> str:
    """The hand in which a person can take a thing of a kind; empty if none is free. Like goes with like."""

    def like(thing: str) -> bool:
        return world.is_kind(thing, kind) or (kind in world.cups and world.words.things[thing].cup)

    def free(hand: str) -> bool:
        return all(map(like, world.here.get((person, hand), ())))

    both = not world.held(person, ("左", "右"))
    if wanted in ("左", "右"):
        return wanted if free(wanted) and not world.here.get((person, "两")) else ""
    if wanted in ("挟", "带"):
        return wanted
    if free("两") and both and kind not in ("弓", "矢", "筭"):
        return "两"
    if world.here.get((person, "两")):
        return "两" if free("两") else ""
    order = ("左", "右") if kind == "弓" else ("右", "左")
    return next((h for h in order if free(h)), "")


def _named(act: Attempt) -> str:
    return act.object or ("弓" if "弓" in act.verb else "筭" if act.verb == "释获" else "")


def chosen(world: World, act: Attempt, among: Iterable[str]) -> tuple[str, ...]:
    """Of the things in question, those that the act names: the very ones, or the first ``count`` of the kind."""
    things = tuple(among)
    if act.which:
        return tuple(t for t in act.which if t in things)
    name = _named(act)
    named = world.of_kind(things, name) if name else things
    return named[: amount(world, act, len(named))]


def amount(world: World, act: Attempt, there: int) -> int:
    """How many things an act handles of those there: as said, else one; of the counters as P32 has it.

    Arrows are fetched from the target, and laid on the rack, all together (P31.007 弟子委矢如初).
    """
    if act.count:
        return act.count
    if act.object == "矢" and (act.source == "侯" or act.into == "楅"):
        return there
    if act.object != "筭":
        return 1
    if act.manner == "贤获":
        return abs(world.counted.get("右", 0) - world.counted.get("左", 0))
    return there - there % {"缩": 20, "横": 2}.get(act.manner, 1)


def _grasp(world: World, act: Attempt, things: tuple[str, ...]) -> Refusal | None:
    for thing in things:
        kind = world.words.things[thing].kind
        hand = free_hand(world, act.person, act.hand, kind)
        if not hand:
            held = world.held(act.person, ("左", "右", "两"))
            kinds = "、".join(dict.fromkeys(world.words.things[t].kind for t in held))
            return impossible(f"手不空，执{kinds}", f"you have no free hand: you hold {kinds}")
        world.move(thing, (act.person, hand))
    return None


@effect("take")
def _take(world: World, act: Attempt) -> Refusal | None:
    name = _named(act)
    if act.source in world.words.places:
        lying = world.here.get((act.source, ""), ())
        things = chosen(world, act, sorted(lying, key=lambda thing: not world.own(thing, act.person)))
        if len(things) < max(1, act.count) and not act.which:
            return impossible(
                f"{act.source}无{name or '物'}", f"there is {f'no {name}' if name else 'nothing'} at {act.source}"
            )
        if act.which and not things:
            return impossible(f"{act.which[0]}不在{act.source}", f"{act.which[0]} is not at {act.source}")
        if not world.within(world.place[act.person], act.source, REACH):
            return impossible(f"{act.source}远不可及", f"{act.source} is out of reach")
        return _grasp(world, act, things)
    things = chosen(world, act, world.held(act.person))
    if not things:
        return impossible(f"无{name or '物'}可取", f"there is {f'no {name}' if name else 'nothing'} to take")
    for thing in things:
        world.move(thing, (act.person, act.hand or "右"))
    return None


@effect("hold")
def _hold(world: World, act: Attempt) -> Refusal | None:
    things = chosen(world, act, world.held(act.person))
    if not things or chosen(world, act, world.here.get((act.source, ""), ())):
        return _take(world, act)
    for thing in things:
        hand = act.hand or world.hand_of(act.person, thing)
        if hand in ("带",):
            hand = "右"
        if hand != world.hand_of(act.person, thing):
            world.move(thing, (act.person, hand))
    return None


@effect("put")
def _put(world: World, act: Attempt) -> Refusal | None:
    things = chosen(world, act, world.held(act.person))
    name = _named(act)
    if not things:
        return impossible(f"手无{name or '物'}", f"you do not hold {name or 'anything'}")
    place = act.into or world.place[act.person]
    if place not in world.words.places:
        return Refusal("unclear", f"无此处：{place}", f"no such place: {place}")
    if not world.within(world.place[act.person], place, REACH):
        return impossible(f"{place}远不可及", f"{place} is out of reach")
    for thing in things:
        world.move(thing, (place, ""))
    return None


def _flag(world: World, where: tuple[str, ...]) -> tuple[str, ...]:
    """The flag, if it is among some things."""
    return world.of_kind(where, "旌")[:1]


@effect("raise")
def _raise(world: World, act: Attempt) -> Refusal | None:
    if _flag(world, world.held(act.person)):
        return None
    lying = _flag(world, world.here.get((world.place[act.person], ""), ()))
    return _grasp(world, act, lying) if lying else impossible("手无旌", "you do not hold the flag")


@effect("lay flat")
def _lay_flat(world: World, act: Attempt) -> Refusal | None:
    flag = _flag(world, world.held(act.person))
    if flag:
        world.move(flag[0], (world.place[act.person], ""))
        return None
    # Laid flat already, it can only be let lie.
    lying = _flag(world, world.here.get((world.place[act.person], ""), ()))
    return (
        impossible("旌已偃", "the flag lies flat already")
        if lying
        else impossible("手无旌", "you do not hold the flag")
    )


@effect("offer")
def _offer(world: World, act: Attempt) -> Refusal | None:
    if not act.to:
        return Refusal("ambiguous", "授与何人？", "to whom?")
    things = chosen(world, act, world.held(act.person))
    if not things:
        return impossible(f"手无{_named(act) or '物'}", f"you do not hold {_named(act) or 'anything'} to give")
    for thing in things:
        world.trail.put(world.offered, thing, act.to[0])
        world.handled.append(thing)
    return None


@effect("receive")
def _receive(world: World, act: Attempt) -> Refusal | None:
    offered = tuple(t for t, to in world.offered.items() if to == act.person)
    if act.source and act.source in world.place:
        offered = tuple(t for t in offered if world.where[t][0] == act.source) or world.held(act.source)
    things = chosen(world, act, offered)
    if not things:
        return impossible(f"无人授{_named(act) or '物'}", f"nobody is handing you {_named(act) or 'anything'}")
    return _grasp(world, act, things)


def _cups(world: World, act: Attempt) -> list[str]:
    held = chosen(world, replace(act, count=act.count or len(world.held(act.person))), world.held(act.person))
    return [t for t in held if world.words.things[t].cup]


def _cup(world: World, act: Attempt) -> str:
    cups = _cups(world, act)
    world.handled += cups[:1]
    return cups[0] if cups else ""


@effect("fill")
def _fill(world: World, act: Attempt) -> Refusal | None:
    if act.object == "筭":
        return _put(world, act)
    cup = _cup(world, act)
    if not cup:
        return impossible("手无爵觯", "you hold no such cup")
    if not world.near(act.person, "尊"):
        return impossible("实爵必于尊", "a cup is filled at the jars")
    world.trail.put(world.wine, cup, FULL)
    return None


@effect("wash")
def _wash(world: World, act: Attempt) -> Refusal | None:
    if not world.near(act.person, "洗"):
        return impossible("洗必于洗", "one washes at the basin")
    if not _cup(world, act):
        return impossible("手无爵觯", "you hold no such cup")
    return None


@effect("rinse")
def _rinse(world: World, act: Attempt) -> Refusal | None:
    return None if world.near(act.person, "洗") else impossible("盥必于洗", "one rinses one's hands at the basin")


@effect("drink")
def _drink(world: World, act: Attempt) -> Refusal | None:
    cups = _cups(world, act)
    if not cups:
        return impossible("手无爵觯", "you hold no such cup")
    cup = next((t for t in cups if world.wine.get(t, EMPTY) != EMPTY), "")
    if not cup:
        return impossible("爵已虚", "the cup is empty")
    world.handled.append(cup)
    world.trail.put(world.wine, cup, EMPTY if act.verb == "卒" else BEGUN)
    return None


@effect("sip")
def _sip(world: World, act: Attempt) -> Refusal | None:
    held = [t for t in world.held(act.person) if world.words.things[t].cup and world.wine.get(t, EMPTY) != EMPTY]
    return None if held else impossible("手无酒", "you hold no wine")


# Dress and gear


def _dressing(world: World, act: Attempt, on: tuple[str, ...], off: tuple[str, ...]) -> Refusal | None:
    worn = world.dress[act.person]
    if set(on) <= set(worn) and not set(off) & set(worn):
        return impossible("已然", "that is so already")
    world.set_dress(act.person, tuple(w for w in worn if w not in off) + tuple(w for w in on if w not in worn))
    return None


@effect("bare")
def _bare(world: World, act: Attempt) -> Refusal | None:
    return _dressing(world, act, ("袒",), ())


@effect("cover")
def _cover(world: World, act: Attempt) -> Refusal | None:
    return _dressing(world, act, (), ("袒",))


@effect("ring")
def _ring(world: World, act: Attempt) -> Refusal | None:
    return _dressing(world, act, ("决遂",), ())


@effect("unring")
def _unring(world: World, act: Attempt) -> Refusal | None:
    return _dressing(world, act, (), ("决遂",))


def _bow(world: World, person: str) -> str:
    bows = world.of_kind(world.held(person, ("左", "右", "两")), "弓")
    return bows[0] if bows else ""


@effect("nock")
def _nock(world: World, act: Attempt) -> Refusal | None:
    place = act.source if act.source in world.words.places else ""
    held = world.held(act.person, ("右", "两", "左", "带")) if not place else world.here.get((place, ""), ())
    arrows = tuple(t for t in act.which if t in held) or world.of_kind(held, "矢")[: act.count or 1]
    if len(arrows) < max(1, act.count) and not act.which:
        return impossible("无矢可挟", "you have no arrow to nock")
    for arrow in arrows:
        world.move(arrow, (act.person, "挟"))
    return None


@effect("tuck")
def _tuck(world: World, act: Attempt) -> Refusal | None:
    held = world.held(act.person, ("挟", "右", "左", "两"))
    if act.source in world.words.places:
        held += world.here.get((act.source, ""), ())
    things = tuple(t for t in act.which if t in held) or world.of_kind(held, act.object or "矢")[: act.count or 1]
    if len(things) < max(1, act.count) and not act.which:
        return impossible(f"无{act.object or '矢'}可搢", f"you have no {act.object or 'arrow'} to tuck in")
    for thing in things:
        world.move(thing, (act.person, "带"))
    return None


@effect("string")
@effect("unstring")
def _string(world: World, act: Attempt) -> Refusal | None:
    bow = _bow(world, act.person)
    if not bow:
        return impossible("手无弓", "you hold no bow")
    slack = world.words.verbs[act.verb].effect == "unstring"
    if world.slack.get(bow, False) == slack:
        return impossible("弓已然", "the bow is so already")
    world.trail.put(world.slack, bow, slack)
    return None


@effect("shoot")
def _shoot(world: World, act: Attempt) -> Refusal | None:
    bow = _bow(world, act.person)
    arrows = world.of_kind(world.held(act.person, ("挟",)), "矢")
    if not bow:
        return impossible("手无弓", "you hold no bow")
    if world.slack.get(bow, False):
        return impossible("弓未张", "the bow is not strung")
    if not arrows:
        return impossible("未挟矢", "no arrow is nocked")
    return None


@effect("count")
def _count(world: World, act: Attempt) -> Refusal | None:
    team = {"中南": "右", "中北": "左"}.get(act.source)
    if team:
        world.trail.put(world.counted, team, len(world.of_kind(world.here.get((act.source, ""), ()), "筭")))
    return None


@effect("untie")
@effect("tie")
def _tie(world: World, act: Attempt) -> Refusal | None:
    return None
