"""The site plan: exact to the cell, everybody on it, everything that is seen can be clicked."""

from __future__ import annotations

import subprocess
import sys
import unicodedata
from collections.abc import Iterator
from copy import deepcopy
from functools import cache
from itertools import pairwise
from typing import Any, NamedTuple

import pytest
from rich.cells import cell_len

from game.app.layout import FACING, Layout, Member, layout, split
from game.app.plan import GROUNDS, INKS, STANDING, STANDING_ASCII, Drawing, Hit, draw, token
from game.app.site import COURT, FEAST, GATE, HALL, SHOOTING, shapes, site, view_of
from game.core.vocabulary import Vocabulary
from game.session.session import Session
from tests.builders import the_book

State = dict[str, Any]
CAPTIONS = "堂北墙西东阶楹楣侯道五十弓缩门外塾家乡"
"""Graphs written on the ground that no person's token or thing has."""
SCENARIOS = ("常", "众宾三", "众宾多", "大夫之耦")
VIEWS = (None, FEAST, SHOOTING, GATE)


class Moment(NamedTuple):
    """The world after an act."""

    phase: int
    actor: str
    to: tuple[str, ...]
    state: State


@cache
def rite(scenario: str) -> tuple[Vocabulary, tuple[Moment, ...]]:
    """The whole rite as it should be, at every ninth act and whenever a phase begins."""
    found: list[Moment] = []
    seen: set[str] = set()

    def watch(session: Session, line: dict[str, Any]) -> None:
        if line["t"] == "act" and (line["n"] % 9 == 0 or line["phase"] not in seen):
            seen.add(line["phase"])
            members = session.ceremony.words.roster.members
            to = tuple(m for t in line.get("to") or () for m in members(t))
            found.append(Moment(int(line["phase"][:2]), line["person"], to, session.ceremony.world.state()))

    book = the_book()
    encoded = sorted(path.stem for path in (book.folder / "rite").glob("*.yaml"))
    first, last = encoded[0], encoded[-1]
    session = Session.new(book, book.scenarios[scenario], first, last, started=False, watch=watch)
    return session.ceremony.words, tuple(found)


def moments(scenario: str) -> Iterator[tuple[Vocabulary, Moment, Drawing, str]]:
    """Every moment at both sizes, as seen by one after the other of the company and now and then in another view."""
    words, found = rite(scenario)
    people = [p.id for p in words.roster.persons]
    for n, moment in enumerate(found):
        me = people[n % len(people)]
        for wide in (False, True):
            for view in (None, VIEWS[1 + n % 3]):
                yield (
                    words,
                    moment,
                    draw(
                        moment.state,
                        words,
                        me=me,
                        phase=moment.phase,
                        view=view,
                        wide=wide,
                        actor=moment.actor,
                        addressed=moment.to,
                        colour=n % 2 == 0,
                        ascii_marks=n % 3 == 0,
                    ),
                    me,
                )


def world(scenario: str = "常", **at: str) -> tuple[Vocabulary, State]:
    """The world at the beginning of P05, with some people put elsewhere."""
    words, found = rite(scenario)
    before = next(m.state for m in found if m.phase == 5)
    persons = {p: {**r, "at": at.get(p, r["at"])} for p, r in before["persons"].items()}
    return words, {**before, "persons": persons}


def laid_out(scenario: str, wide: bool, view: str) -> Layout:
    """Whose each cell is, for the company of a scenario."""
    words, found = rite(scenario)
    persons = found[-1].state["persons"]
    company = tuple(
        Member(p.id, p.at, persons[p.id].get("pair", ""), persons[p.id].get("team", "")) for p in words.roster.persons
    )
    return layout(wide, view, tuple(words.places.values()), company)


def cells(drawing: Drawing) -> list[list[str]]:
    """The glyph under every cell, the same one under both halves of a graph."""
    return [[c for c in row for _ in range(cell_len(c))] for row in drawing.text()]


# Every plan


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_every_plan_is_exact_and_complete(scenario: str) -> None:
    glyphs: set[str] = set()
    for _, moment, drawing, me in moments(scenario):
        exact(drawing)
        complete(drawing, moment, me)
        clickable(drawing, moment)
        glyphs.update(*drawing.text())
    # No glyph that is wide on one terminal and narrow on another.
    assert not {c for c in glyphs if unicodedata.east_asian_width(c) == "A"}


def exact(drawing: Drawing) -> None:
    """Every row fills its cells, in styles that were promised."""
    assert (drawing.width, drawing.height) in ((48, 15), (76, 28))
    assert len(drawing.rows) == drawing.height
    assert {cell_len(row) for row in drawing.text()} == {drawing.width}
    for row in drawing.rows:
        assert sum(cell_len(run.text) for run in row) == drawing.width
        for run in row:
            ink, _, ground = run.style.partition(" on ")
            assert ink in INKS and ground in GROUNDS


def complete(drawing: Drawing, moment: Moment, me: str) -> None:
    """Everybody is drawn or counted, and who matters is drawn."""
    assert sorted([*drawing.where, *drawing.hidden]) == sorted(moment.state["persons"])
    assert me in drawing.where
    assert moment.actor in drawing.where
    # What is addressed may be a thing, such as the target.
    assert len(moment.to) != 1 or moment.to[0] in drawing.where or moment.to[0] not in moment.state["persons"]


def clickable(drawing: Drawing, moment: Moment) -> None:
    """A person is found under each of his cells, which show his token."""
    glyphs = cells(drawing)
    for person, (row, col) in drawing.where.items():
        assert {drawing.at(row, col + n) for n in range(3)} == {Hit("person", person)}
        shown = token(person, moment.state["persons"][person])
        assert "".join(dict.fromkeys(glyphs[row][col : col + 2])) in (shown, shown[0])


# People


def test_crowds_are_counted_and_can_be_asked_for() -> None:
    words, state = world()
    for n in range(1, 61):
        state["persons"][f"众宾{n}"] = {**state["persons"]["宾"], "at": "堂西", "facing": "南"}
    for wide in (False, True):
        drawing = draw(state, words, me="众宾60", phase=5, wide=wide, actor="众宾59", addressed=["众宾58"])
        assert {"众宾58", "众宾59", "众宾60"} <= set(drawing.where)
        assert sorted([*drawing.where, *drawing.hidden]) == sorted(state["persons"])
        cells = [(r, drawing.at(r, c)) for r in range(drawing.height) for c in range(drawing.width)]
        crowds = {h.name: r for r, h in cells if h and h.kind == "crowd"}
        assert sorted(" ".join(crowds).split()) == sorted(drawing.hidden)
        for name, row in crowds.items():
            assert f"+{len(name.split())}" in drawing.text()[row]


def test_two_who_meet_face_each_other() -> None:
    words, state = world(宾="宾家门外", 主人="宾家门外")
    state["persons"]["宾"]["facing"], state["persons"]["主人"]["facing"] = "西", "东"
    for wide in (False, True):
        where = draw(state, words, me="宾", phase=1, wide=wide).where
        assert where["主人"][0] == where["宾"][0]
        assert where["主人"][1] + 3 <= where["宾"][1]


def test_the_other_guests_stand_in_a_file_from_the_north() -> None:
    for scenario, wide in (("常", False), ("常", True), ("众宾多", False), ("众宾多", True)):
        words, state = world(scenario)
        guests = [p for p in state["persons"] if split(p)[0] == "众宾"]
        for place in ("众宾堂下位", "门内左"):
            for guest in guests:
                state["persons"][guest] |= {"at": place, "facing": "东"}
            where = draw(state, words, me="宾", phase=8, wide=wide, view=FEAST).where
            ranks: dict[int, list[int]] = {}
            for guest in guests:
                ranks.setdefault(where[guest][1], []).append(where[guest][0])
            # The front rank is the easternmost and the next are behind it, each from the north.
            assert list(ranks) == sorted(ranks, reverse=True)
            assert all(rows == sorted(rows) for rows in ranks.values())
            # One file, if its length is not beyond what the ground holds.
            assert len(guests) > 5 or len(ranks) == 1


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_who_stands_in_a_file_keeps_his_cell(scenario: str) -> None:
    words, found = rite(scenario)
    members = {place: set(laid_out(scenario, False, FEAST).files[place]) for place in (*FACING, "堂西", "射位")}
    cell: dict[tuple[Any, ...], Any] = {}
    for moment in found[::7]:
        for wide in (False, True):
            for view in (FEAST, SHOOTING):
                where = draw(moment.state, words, me="宾", phase=moment.phase, view=view, wide=wide).where
                # A long file inside the gate reaches to where the first of it are to stand next.
                roomy = view == FEAST and (wide or len(members["门内左"]) <= 5)
                for place in ("众宾堂下位", "弟子位", "赞者位", *(["门内左"] if roomy else [])):
                    for person in members[place]:
                        if moment.state["persons"][person]["at"] == place and person in where:
                            key = wide, view, place, person
                            assert cell.setdefault(key, where[person]) == where[person], (key, moment[:2])


def test_those_who_form_up_need_not_be_known_before() -> None:
    """Pipers and players of later phases: several of a kind at one place, who stand apart and on their ground."""
    words, state = world()
    for n in range(1, 5):
        for kind, place, facing in (("工", "西阶上少右", "北"), ("笙", "县", "西"), ("相者", "西阶上", "北")):
            state["persons"][f"{kind}{n}"] = {**state["persons"]["宾"], "at": place, "facing": facing}
    for wide in (False, True):
        drawing = draw(state, words, me="宾", phase=11, wide=wide)
        exact(drawing)
        assert not drawing.hidden
        for person in state["persons"]:
            row, col = drawing.where[person]
            assert {drawing.at(row, col + n) for n in range(3)} == {Hit("person", person)}


def test_a_pair_that_has_left_leaves_its_place_empty() -> None:
    words, found = rite("常")
    state = deepcopy(next(m.state for m in found if m.phase == 21))
    archers = ("上耦上射", "上耦下射", "次耦上射", "次耦下射")
    for archer in archers:
        state["persons"][archer] |= {"at": "射位", "facing": "东", "posture": "立"}
    together = draw(state, words, me="宾", phase=21).where
    rows = [together[a][0] for a in archers]
    assert rows[0] == rows[1] == rows[2] - 1 == rows[3] - 1
    gone = {**state, "persons": {p: {**r, "at": "堂中"} if "上耦" in p else r for p, r in state["persons"].items()}}
    assert draw(gone, words, me="宾", phase=21).where["次耦上射"] == together["次耦上射"]


def test_marks_tell_facing_and_posture() -> None:
    words, state = world()
    seen = set()
    for facing in ("北", "南", "东", "西", "东北", "东南", "西北", "西南"):
        for posture in ("立", "坐"):
            state["persons"]["宾"] |= {"at": "中庭", "facing": facing, "posture": posture}
            for ascii_marks in (False, True):
                drawing = draw(state, words, me="宾", phase=5, ascii_marks=ascii_marks)
                row, col = drawing.where["宾"]
                seen.add(cells(drawing)[row][col + 2])
    assert len(seen) == 32


def test_tokens_are_unique_but_for_those_told_apart_by_place() -> None:
    words, found = rite("众宾多")
    people = found[-1].state["persons"]
    alike = ("赞者", "有司", "弟子", "举觯者", "工", "相者", "笙")
    tokens = [token(p, r) for p, r in people.items() if not p.startswith(alike)]
    assert len(set(tokens)) == len(tokens)
    assert {cell_len(t) for t in tokens} == {2}
    assert token("相", {"office": "司马"}) == "马"
    # At the larger size a number tells them apart.
    drawing = draw(found[-1].state, words, me="宾", phase=33, wide=True)
    rows = drawing.text()
    assert all(any(f"赞{n}" in row for row in rows) for n in (1, 2, 3, 4))


# Things


def things_seen(drawing: Drawing, state: State) -> dict[tuple[str, str], tuple[int, int]]:
    """(place, kind) → first cell of each thing that is seen whole."""
    seen: dict[tuple[str, str], list[tuple[int, int]]] = {}
    for row in range(drawing.height):
        for col in range(drawing.width):
            hit = drawing.at(row, col)
            if hit is not None and hit.kind == "thing" and ":" not in hit.name:
                place = state["things"][hit.name]
                if place in state["persons"] or "·" in place:
                    continue
                seen.setdefault((place, split(hit.name)[0]), []).append((row, col))
    return {key: spots[0] for key, spots in seen.items() if len(spots) != 1}


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_a_thing_at_rest_keeps_its_cell_while_people_move(scenario: str) -> None:
    words, found = rite(scenario)
    cell: dict[tuple[Any, ...], Any] = {}
    for moment in found[::7]:
        for wide in (False, True):
            for view in (FEAST, SHOOTING):
                drawing = draw(moment.state, words, phase=moment.phase, view=view, wide=wide, actor=moment.actor)
                for key, spot in things_seen(drawing, moment.state).items():
                    assert cell.setdefault((wide, view, *key), spot) == spot, (key, moment[:2])


def test_things_lie_as_the_text_says() -> None:
    for scenario in ("常", "大夫之耦"):
        for wide in (False, True):
            for view in (FEAST, SHOOTING):
                ground = laid_out(scenario, wide, view)
                at = {place: s for (place, kind), s in ground.spots.items() if not kind}
                mat = {place: s for (place, kind), s in ground.spots.items() if kind == "席"}
                food = {place: s for (place, kind), s in ground.spots.items() if kind == "脯醢"}
                # W and E of the guest's plate, all before his mat; the basket S of the jars.
                row = [at[p] for p in ("荐西", "宾荐", "俎", "荐东", "上篚")]
                assert [s.col for s in row] == sorted(s.col for s in row)
                assert {s.row for s in row} == {mat["宾席"].row + 1}
                assert at["宾荐"].col >= mat["宾席"].col
                assert at["尊"].col <= at["上篚"].col < at["尊"].col + 4
                # The host faces west: before him, the plate nearer to him than the stand.
                assert at["主人俎"].col < at["主人荐"].col < mat["主人席"].col
                assert at["主人俎"].row == at["主人荐"].row == mat["主人席"].row
                assert (view == SHOOTING) or at["主人荐北"].row < at["主人荐"].row
                # Who serves him stands before his mat, not on it.
                assert ground.anchor["主人席前"][1] < mat["主人席"].col
                # Each of the three has his own before his mat, and nobody's is before another's.
                for n in "123":
                    place = f"众宾{n}席"
                    assert food[place].row == mat[place].row + 1
                    assert set(range(food[place].col, food[place].col + 2)) <= set(
                        range(mat[place].col, mat[place].col + mat[place].size)
                    )
                # The cup in mid-court is N of him who set it down, or beside him.
                assert at["中庭"].row <= ground.anchor["觯南"][0]
                assert at["下篚"].col + 2 <= at["洗"].col and at["洗"].col + 2 <= at["水"].col
                assert (view == FEAST) or ground.anchor["中西"][1] + 3 <= at["中"].col
                assert at["丰上"].row < at["丰下"].row and at["西楹西"].row < at["丰下"].row
                assert at["乏"].row == ground.anchor["乏"][0]


def test_in_a_row_nothing_is_reversed_and_nothing_overlaps() -> None:
    for scenario in ("常", "大夫之耦"):
        for shape in shapes():
            ground = laid_out(scenario, shape.wide, shape.view)
            spots = sorted(
                (ground.zone[place], spot.row, spot.col, spot.size, ground.places[place].x)
                for (place, kind), spot in ground.spots.items()
                if kind != "扑"
            )
            for west, east in pairwise(spots):
                if west[:2] == east[:2]:
                    assert west[2] + west[3] <= east[2], (west, east)
                    assert west[4] <= east[4], (west, east)
            # Where one stands: rows follow y, and in a row columns follow x. Who would stand on a thing is beside it.
            stands = [
                p for p in ground.places.values()
                if ground.anchor[p.id] == ground.site.cell(p) and ground.zone[p.id] in (HALL, COURT)
            ]  # fmt: skip
            for a in stands:
                for b in stands:
                    if ground.zone[a.id] == ground.zone[b.id]:
                        (row_a, col_a), (row_b, col_b) = ground.anchor[a.id], ground.anchor[b.id]
                        assert a.y < b.y or row_a <= row_b, (a.id, b.id)
                        assert a.x > b.x or row_a != row_b or col_a <= col_b, (a.id, b.id)


def test_the_other_guests_have_their_food_before_them() -> None:
    words, found = rite("常")
    state = next(m.state for m in found if m.phase == 13)
    for wide in (False, True):
        drawing = draw(state, words, phase=13, wide=wide)
        for guest in ("众宾4", "众宾5"):
            row, col = drawing.where[guest]
            assert drawing.at(row, col + 3) == Hit("thing", f"脯醢:{guest}")


def test_a_flag_that_is_held_is_seen_beside_its_holder() -> None:
    words, found = rite("常")
    held = [m for m in found if m.state["things"]["旌"].startswith("获者")]
    assert held
    for moment in held:
        for wide in (False, True):
            drawing = draw(moment.state, words, phase=moment.phase, wide=wide, actor=moment.actor)
            row, col = drawing.where["获者"]
            assert Hit("thing", "旌") in (drawing.at(row, col + 3), drawing.at(row, col - 1))


# The ground


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_nobody_overlaps_a_caption(scenario: str) -> None:
    """A caption is there whole, or nothing of it is."""
    written: dict[tuple[bool, str], list[tuple[int, int, str]]] = {}
    for shape in shapes():
        ground = site(shape.wide, shape.view)
        glyphs = [[g for g in row if g] for row in ground.canvas.glyph]
        full = [[c for c in row for _ in range(cell_len(c))] for row in glyphs]
        written[shape.wide, shape.view] = [
            (c.row, c.col, "".join(full[c.row][c.col : c.col + len(c.beneath)])) for c in ground.captions
        ]
    for _, moment, drawing, _ in moments(scenario):
        shown = cells(drawing)
        for row, col, text in written[drawing.width == 76, drawing.view]:
            now = "".join(shown[row][col : col + len(text)])
            if now != text:
                assert not any(c in now for c in text if c.strip() and c in CAPTIONS), (row, col, text, now, moment[:2])


def test_every_place_is_on_every_plan() -> None:
    words, _ = rite("大夫之耦")
    for shape in shapes():
        ground = site(shape.wide, shape.view)
        for place in words.places.values():
            row, col = laid_out("大夫之耦", shape.wide, shape.view).anchor[place.id]
            assert 0 <= row < shape.height
            assert 0 <= col <= shape.width - 3
            assert ground.slots(ground.zone_of(place), 3)


def test_what_the_text_keeps_apart_is_apart() -> None:
    words, _ = rite("常")
    for shape in shapes():
        ground = site(shape.wide, shape.view)
        cell = {p: ground.cell(place) for p, place in words.places.items()}
        for (place, kind), spot in laid_out("常", shape.wide, shape.view).spots.items():
            if kind in ("", "席"):
                cell[place] = spot[:2]
        row, col = ({p: c[n] for p, c in cell.items()} for n in (0, 1))
        assert row["洗北"] < row["洗"] <= row["洗南"]
        assert col["下篚"] + 2 <= col["洗"] and col["洗"] + 2 <= col["水"] + 1
        assert col["众宾3席"] < col["众宾2席"] < col["众宾1席"] < col["宾席"] < col["尊"]
        # In line with the west wall of the hall.
        assert abs(col["西阶西"] - ground.walls[0]) <= 1
        if shape.view == SHOOTING:
            assert row["司射位"] < row["司马位"] < row["射位"]
            assert row["楅"] == row["洗"] == row["中"]
            assert row["左物"] == row["右物"] < row["当左物"] < ground.shape.edge
        if shape.view == FEAST:
            assert row["阼阶前"] < row["众宾堂下位"] < row["洗北"]


def test_things_are_drawn_when_they_are_there() -> None:
    words, found = rite("常")
    before = next(m for m in found if m.phase == 21)
    after = next(m for m in found if m.phase == 32)
    for wide in (False, True):
        early = "".join(draw(before.state, words, me="宾", phase=21, wide=wide).text())
        late = "".join(draw(after.state, words, me="宾", phase=32, wide=wide).text())
        assert "楅" not in early
        assert "楅" in late
        for thing in "尊洗水县乏侯":
            assert thing in early
        bare = draw(found[0].state, words, me="宾", phase=1, wide=wide)
        assert not any(thing in "".join(bare.text()) for thing in "尊洗水县乏侯席")


def test_mat_step_and_thing_can_be_clicked() -> None:
    words, state = world()
    for wide in (False, True):
        drawing = draw(state, words, me="宾", phase=5, view=FEAST, wide=wide)
        ground = site(wide, FEAST)
        row, col = ground.cell(words.places["主人席"])
        assert {drawing.at(row, col + n) for n in (0, 1, 2)} == {Hit("place", "主人席")}
        row, col = ground.cell(words.places["西阶"])
        assert {drawing.at(row, col + n) for n in (0, 1)} == {Hit("place", "西阶")}
        row, col = ground.cell(words.places["洗"])
        assert {drawing.at(row, col + n) for n in (0, 1)} == {Hit("thing", "洗")}
        assert drawing.place_at(row, col) == "洗"
        row, col = ground.cell(words.places["西阶前"])
        assert drawing.at(row, col) in (Hit("place", "西阶前"), Hit("place", "西阶下"))
        assert drawing.at(-1, 0) is None
        assert drawing.at(0, drawing.width) is None


def test_free_ground_never_answers_with_another_part_of_it() -> None:
    words, state = world()
    drawing = draw(state, words, me="宾", phase=5, view=FEAST)
    ground = site(False, FEAST)
    for row in range(drawing.height):
        for col in range(drawing.width):
            found = drawing.at(row, col)
            if found and found.kind == "place" and ground.zone[row][col] in (HALL, COURT):
                assert ground.zone_of(words.places[found.name]) == ground.zone[row][col]


def test_rulers_show_my_column_and_row() -> None:
    words, state = world()
    for wide in (False, True):
        drawing = draw(state, words, me="宾", phase=5, wide=wide)
        row, col = drawing.where["宾"]
        assert cells(drawing)[0][col : col + 2] == ["╻", "╻"]
        assert [r[-1] for r in drawing.text()].index("╸") == row
        assert not any("╻" in row for row in draw(state, words, phase=5, wide=wide).text()[:1])
        # No person looks like them.
        assert not {"╻", "╸"} & {*STANDING.values(), *STANDING_ASCII.values()}


def test_a_walk_is_hinted_on_free_ground_only() -> None:
    words, state = world(宾="西阶西")
    for wide in (False, True):
        still = draw(state, words, me="宾", phase=5, wide=wide)
        walk = draw(state, words, me="宾", phase=5, wide=wide, path=["西阶西", "洗西南"], heading="东北")
        assert any("+▝" in row for row in walk.text())
        assert walk.where == still.where
        for before, after in zip(cells(still), cells(walk), strict=True):
            assert all(a == b or b in " _" for b, a in zip(before, after, strict=True))


def test_the_view_follows_the_phase_and_the_person() -> None:
    assert [view_of(n) for n in (1, 2, 3, 5, 13, 14, 21, 44, 45)] == [
        GATE, FEAST, GATE, FEAST, FEAST, SHOOTING, SHOOTING, SHOOTING, FEAST,
    ]  # fmt: skip
    assert view_of(5, "门外") == GATE


def test_colour_leaves_out_what_the_ground_tells() -> None:
    words, state = world()
    plain = "".join(draw(state, words, me="宾", phase=5).text())
    coloured = "".join(draw(state, words, me="宾", phase=5, colour=True).text())
    assert {"#", "=", "_"} <= set(plain)
    assert not {"#", "=", "_"} & set(coloured)


# The module


def test_the_plan_needs_no_terminal_library() -> None:
    code = "import sys, game.app.plan; sys.exit(any(m.split('.')[0] in ('textual', 'rich') for m in sys.modules))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
