"""The rite screen: what keys and mouse do to the session, and what one is told."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from textual.screen import Screen

from game.app.app import Start
from game.app.cards import Card, Pick
from game.app.choices import LETTERS
from game.app.rite import PACES, RiteScreen
from game.app.title import TitleScreen
from game.palette import Choice
from game.rite.book import Book
from game.session.journal import read_journal
from game.session.replay import verify
from game.session.session import Session
from tests.app.conftest import Make
from tests.app.hands import (
    NARROW,
    P01,
    P05,
    WIDE,
    Hand,
    bare,
    click,
    kept,
    opened,
    playing,
    press,
    rite,
    rows,
    said,
    seen,
    settled,
    take_turns,
)


def top(pilot: Hand) -> Screen[Any]:
    """The uppermost screen."""
    screen: Screen[Any] = pilot.app.screen
    return screen


def numbered(pilot: Hand, right: bool) -> str:
    """The digit of a choice that is (not) the due one."""
    return str(next(n for n, c in enumerate(rite(pilot).palette.choices, 1) if c.right is right))


async def due_with(pilot: Hand, field: str, limit: int = 25) -> None:
    """Go on until the due phrase has a field in its last act, and choose it."""
    for _ in range(limit):
        screen = rite(pilot)
        if screen.palette.choices:
            await press(pilot, numbered(pilot, True))
            act = screen.palette.act
            assert act is not None
            if act.get(field):
                return
            await press(pilot, "enter", "g")
        else:
            await press(pilot, "d", "g")
    raise AssertionError(f"nothing due has {field}")


# To the end


async def test_a_beginner_plays_to_the_end_with_enter_alone(make: Make, saves: Path, book: Book) -> None:
    app = make(playing(P01, level="童子"))
    async with opened(app) as pilot:
        screen = rite(pilot)
        await take_turns(pilot, "enter", lambda: screen.session.ended and not screen.waiting)
        await settled(pilot)
        assert isinstance(app.screen, Card)
        assert "礼毕" in seen(pilot) and "无失" in seen(pilot)
        (score,) = (screen.session.ceremony.scores.totals()["宾"]["etiquette"],)
        assert score["score"] == 1 and score["of"] > 0
        acts = [x["input"] for x in screen.session.journal.lines if x.get("by") == "player" and x["t"] == "act"]
        await press(pilot, "escape", "q")
    path = kept(saves)
    assert verify(book, path).same
    directly = Session.new(book, book.scenarios["常"], P01, P01, {"宾": "童子"}, 1, path.with_name("direct.jsonl"))
    for act in acts:
        assert directly.act(act)["ok"]
    directly.close()
    assert directly.ended
    assert bare(path) == bare(path.with_name("direct.jsonl"))


async def test_the_result_is_shown_again_when_an_end_that_was_taken_back_is_reached_again(make: Make) -> None:
    app = make(playing(P01, level="童子", kind="drill"))
    async with opened(app) as pilot:
        screen = rite(pilot)
        await take_turns(pilot, "enter", lambda: isinstance(app.screen, Card))
        result = seen(pilot)
        assert "再习" in result
        await press(pilot, "escape", "f")
        assert not screen.session.ended
        await take_turns(pilot, "enter", lambda: isinstance(app.screen, Card))
        assert "再习" in seen(pilot), "the day on which it is due again is not forgotten"


# Choosing and judging


async def test_a_wrong_choice_is_judged_with_kind_and_clause(make: Make) -> None:
    async with opened(make(playing(P05))) as pilot:
        screen = rite(pilot)
        wrong = next(n for n, c in enumerate(screen.palette.choices, 1) if not c.right and c.acts[0]["verb"] == "降")
        await press(pilot, str(wrong), "enter")
        (line,) = (x for x in screen.session.journal.lines if x.get("by") == "player")
        (fault,) = line["verdict"]["faults"]
        words = said(pilot)
        assert line["verdict"]["grade"] in words and fault["kind"] in words
        assert fault["clauses"][0] in words
        await press(pilot, "w")
        assert isinstance(pilot.app.screen, Card)
        assert fault["clauses"][0] in seen(pilot) and line["verdict"]["grade"] in seen(pilot)


async def test_a_right_choice_is_said_to_be_right_by_the_text(make: Make) -> None:
    async with opened(make(playing(P05))) as pilot:
        await press(pilot, numbered(pilot, True), "enter")
        assert said(pilot).startswith("正") and "P05.002" in said(pilot) and "宾降" in said(pilot)


async def test_the_same_digit_again_or_a_second_click_does_it(make: Make) -> None:
    async with opened(make(playing(P05))) as pilot:
        screen = rite(pilot)
        n = numbered(pilot, True)
        await press(pilot, n, n)
        assert said(pilot).startswith("正")
        await press(pilot, "f")
        await click(pilot, "#palette", 6, int(n) - 1)
        assert screen.palette.chosen == int(n) - 1
        await click(pilot, "#palette", 7, int(n) - 1)
        assert said(pilot).startswith("正")


async def test_a_full_width_digit_is_a_digit(make: Make) -> None:
    async with opened(make(playing(P05))) as pilot:
        await press(pilot, "２")
        assert rite(pilot).palette.chosen == 1


# Changing the chosen act


async def test_facing_by_letter_arrow_and_compass(make: Make) -> None:
    async with opened(make(playing(P05))) as pilot:
        palette = rite(pilot).palette

        def facing() -> str:
            assert palette.act is not None
            return str(palette.act["facing"])

        await press(pilot, "k")
        assert "先择之" in said(pilot)
        await press(pilot, numbered(pilot, True))
        for way, letter in LETTERS.items():
            await press(pilot, letter)
            assert facing() == way
            assert any(f"{way}面" in row for row in rows(pilot)[18:22])
        await press(pilot, "up")
        assert facing() == "北"
        await press(pilot, "right")
        assert facing() == "东北"
        await press(pilot, "down")
        assert facing() in ("南", "东南")
        left = palette.size.width - 12
        for x, y, way in ((0, 0, "西北"), (1, 0, "西北"), (5, 0, "北"), (9, 2, "东南"), (1, 1, "西"), (9, 1, "东")):
            await click(pilot, "#palette", left + x, y)
            assert facing() == way


async def test_a_facing_set_is_what_is_judged(make: Make) -> None:
    async with opened(make(playing(P05))) as pilot:
        await press(pilot, numbered(pilot, True), "j", "enter")
        line = rite(pilot).session.journal.lines[rite(pilot).last_own or 0]
        assert line["facing"] == "南" and [f["kind"] for f in line["verdict"]["faults"]] == ["面"]
        assert "面" in said(pilot)


async def test_recipient_by_tab_by_list_and_by_either_half_of_a_graph(make: Make) -> None:
    async with opened(make(playing(P05))) as pilot:
        screen = rite(pilot)
        await due_with(pilot, "to")
        before = screen.palette.act
        assert before is not None
        await press(pilot, "tab")
        assert screen.palette.act is not None
        assert screen.palette.act["to"] != before["to"]
        for name in ("主人", "赞者1"):
            row, col = screen.stage.plan.drawing.where[name]
            for half in (0, 1):
                screen.palette.change(to=["相"])
                await click(pilot, "#plan", col + half, row)
                assert screen.palette.act["to"] == [name]
        await press(pilot, "r", "home", "enter")
        assert screen.palette.act["to"] != ["赞者1"]


async def test_a_person_clicked_with_nothing_chosen_is_told_of(make: Make) -> None:
    async with opened(make(playing(P05))) as pilot:
        row, col = rite(pilot).stage.plan.drawing.where["主人"]
        for half in (0, 1):
            await press(pilot, "escape")
            await click(pilot, "#plan", col + half, row)
            assert said(pilot).startswith("主人")


async def test_place_and_count_by_keys(make: Make) -> None:
    async with opened(make(playing(P05))) as pilot:
        palette = rite(pilot).palette
        await press(pilot, numbered(pilot, True))
        assert palette.act is not None
        at = palette.act["at"]
        await press(pilot, "]")
        other = palette.act["at"]
        assert other != at and other in seen(pilot)
        await press(pilot, "[")
        assert palette.act["at"] == at
        await press(pilot, "+")
        assert palette.act["times"] == 2
        await press(pilot, "-")
        assert palette.act["times"] == 1


async def test_a_place_is_not_set_for_an_act_that_goes_nowhere(make: Make) -> None:
    async with opened(make(playing(P05))) as pilot:
        palette = rite(pilot).palette
        palette.choices[0] = Choice(({"verb": "兴"},), False)
        await press(pilot, "1", "]")
        assert palette.act is not None
        assert not palette.act.get("at") and "不移" in said(pilot)


async def test_a_place_by_a_click_on_the_ground(make: Make) -> None:
    async with opened(make(playing(P05))) as pilot:
        screen = rite(pilot)
        await press(pilot, numbered(pilot, True))
        drawing = screen.stage.plan.drawing
        spot = next(
            (y, x)
            for y in range(drawing.height)
            for x in range(drawing.width)
            if (hit := drawing.at(y, x)) is not None and hit.kind == "place"
        )
        wanted = drawing.at(*spot)
        await click(pilot, "#plan", spot[1], spot[0])
        assert wanted is not None and screen.palette.act is not None
        assert screen.palette.act["at"] == wanted.name


async def test_each_act_of_a_phrase_can_be_set(make: Make) -> None:
    async with opened(make(playing(P05))) as pilot:
        palette = rite(pilot).palette
        long = None
        for _ in range(30):
            long = next((n for n, c in enumerate(palette.choices, 1) if len(c.acts) > 1), None)
            if long is not None:
                break
            await press(pilot, *((numbered(pilot, True), "enter") if palette.choices else "d"), "g")
        assert long is not None
        await press(pilot, str(long))
        last = palette.focused_act
        await press(pilot, ";", "k")
        assert palette.focused_act != last
        assert palette.choices[long - 1].acts[palette.focused_act]["facing"] == "北"


# The typed line


@pytest.mark.parametrize("line", ["降 西阶西 东面", "jiang xijiexi dongmian", "descend xijiexi facing east"])
async def test_a_typed_line_in_three_languages(make: Make, line: str) -> None:
    async with opened(make(playing(P05, level="君子"))) as pilot:
        screen = rite(pilot)
        assert screen.typed.has_focus
        await pilot.press(*("space" if c == " " else c for c in line))
        assert screen.typed.value == line
        await press(pilot, "enter")
        (act,) = (x for x in screen.session.journal.lines if x.get("by") == "player" and x["t"] == "act")
        assert act["verb"] == "降" and act["facing"] == "东"
        assert act["verdict"]["grade"] in said(pilot) or said(pilot).startswith("正")
        assert screen.typed.value == ""


async def test_what_is_not_understood_is_said_and_comes_back_on_a_key(make: Make) -> None:
    async with opened(make(playing(P05, level="君子"))) as pilot:
        await press(pilot, *"xyzzy", "enter")
        assert rite(pilot).typed.value == "xyzzy" and "xyzzy" in said(pilot), "what was refused stays, to be mended"
        await press(pilot, *("backspace",) * 5, "up")
        assert rite(pilot).typed.value == "xyzzy"
        assert len(rite(pilot).session.journal.lines) == len(read_journal(kept_of(pilot)).lines)


def kept_of(pilot: Hand) -> Path:
    """The file of the session on the screen."""
    path = rite(pilot).session.journal.path
    assert path is not None
    return path


async def test_tab_completes(make: Make) -> None:
    async with opened(make(playing(P05, level="君子"))) as pilot:
        screen = rite(pilot)
        await press(pilot, *"jia")
        found = screen.session.lexicon.complete("jia")
        assert found and found[0][0] in said(pilot)
        await press(pilot, "tab")
        assert screen.typed.value == found[0][0] and screen.typed.has_focus
        await press(pilot, *"qqq", "tab")
        assert "无字如此起" in said(pilot)


async def test_escape_gives_the_letters_back_and_they_stay_back(make: Make) -> None:
    async with opened(make(playing(P05, level="君子"))) as pilot:
        screen = rite(pilot)
        await press(pilot, "escape")
        assert not screen.typed.has_focus
        await press(pilot, "e", "v", "e", "v")
        assert not screen.typed.has_focus and screen.typed.value == ""
        await press(pilot, "i")
        assert screen.typed.has_focus


async def test_the_line_can_be_opened_at_every_level(make: Make) -> None:
    async with opened(make(playing(P05))) as pilot:
        screen = rite(pilot)
        await press(pilot, "i", *"兴", "enter")
        assert any(x["t"] in ("act", "attempt") and x.get("by") == "player" for x in screen.session.journal.lines)
        await press(pilot, "escape")
        assert not screen.typed.has_focus and not screen.has_class("typing")


async def test_words_from_the_list_go_into_the_line(make: Make) -> None:
    async with opened(make(playing(P05))) as pilot:
        await press(pilot, "0")
        assert isinstance(pilot.app.screen, Pick)
        await press(pilot, "down", "enter")
        verbs = list(rite(pilot).session.ceremony.words.verbs)
        assert rite(pilot).typed.value == verbs[1] and rite(pilot).typed.has_focus


# Undo


async def test_undo_takes_back_a_phrase_and_says_so(make: Make, saves: Path, book: Book) -> None:
    async with opened(make(playing(P05))) as pilot:
        screen = rite(pilot)
        await press(pilot, "f")
        assert "无可反" in said(pilot)
        before = screen.session.ceremony.world.state()
        await press(pilot, numbered(pilot, True), "enter", "f")
        assert screen.session.ceremony.world.state() == before
        assert "已反" in said(pilot)
        assert screen.palette.choices and not screen.waiting
    assert verify(book, kept(saves)).same


async def test_undo_takes_back_the_last_phrase_each_time(make: Make) -> None:
    async with opened(make(playing(P05))) as pilot:
        screen = rite(pilot)
        states = []
        for _ in range(3):
            while not screen.palette.choices:
                await press(pilot, "d", "g")
            states.append(screen.session.ceremony.world.state())
            await press(pilot, numbered(pilot, True), "enter", "g")
        while states:
            await press(pilot, "f")
            if screen.session.ceremony.world.state() == states[-1]:
                states.pop()
            else:
                assert screen.session.marks, "a state was passed over"


async def test_no_undo_at_the_highest_level(make: Make) -> None:
    async with opened(make(playing(P05, level="君子"))) as pilot:
        await press(pilot, *"兴", "enter", "escape", "f")
        assert "君子不反" in said(pilot)
        assert not any(x["t"] == "undo" for x in rite(pilot).session.journal.lines)


async def test_enter_and_undo_in_quick_turns_are_taken_in_order(make: Make, saves: Path, book: Book) -> None:
    async with opened(make(playing(P05, level="童子"))) as pilot:
        await pilot.press(*(("enter", "f") * 10))
        await press(pilot, "enter")
        lines = rite(pilot).session.journal.lines
        assert sum(x["t"] == "undo" for x in lines) >= 9
        assert rite(pilot).palette.choices or rite(pilot).waiting
    assert verify(book, kept(saves)).same


# The others


async def test_wait_step_and_skip(make: Make) -> None:
    async with opened(make(playing(P05))) as pilot:
        screen = rite(pilot)
        await press(pilot, "t", numbered(pilot, True), "enter")
        waiting = len(screen.waiting)
        assert waiting > 1 and "众方行礼" in seen(pilot)
        await press(pilot, "x")
        assert 0 < len(screen.waiting) < waiting
        await press(pilot, "g")
        assert not screen.waiting
        await press(pilot, "g")
        assert "已轮到你" in said(pilot)
        await press(pilot, "d")
        assert "再按 d" in said(pilot) and not screen.waiting, "what would be a fault is said before it is done"
        await press(pilot, "d")
        assert screen.waiting and "阙" in said(pilot)


async def test_waiting_in_vain_is_answered(make: Make) -> None:
    async with opened(make(playing(P05))) as pilot:
        screen = rite(pilot)
        for _ in range(5):
            if "皆俟子" not in said(pilot):
                await press(pilot, *("g",) * bool(screen.waiting), "d")
        assert "皆俟子" in said(pilot)
        await press(pilot, "escape", "x")
        assert "皆俟子" in said(pilot)


async def test_enter_while_the_others_act_shows_all_they_did(make: Make) -> None:
    async with opened(make(playing(P05))) as pilot:
        screen = rite(pilot)
        await press(pilot, "t", numbered(pilot, True), "enter")
        n = screen.session.journal.next
        await press(pilot, "enter")
        assert not screen.waiting and screen.session.journal.next == n
        assert "今轮到你" in said(pilot)


async def test_pause_and_pace(make: Make) -> None:
    async with opened(make(playing(P05))) as pilot:
        screen = rite(pilot)
        head = said(pilot, "#head")
        assert head.endswith("常")
        await press(pilot, ".")
        assert said(pilot, "#head").endswith("疾") and screen.pace == len(PACES) - 1
        await press(pilot, ".")
        assert "已最疾" in said(pilot)
        await press(pilot, ",", ",")
        assert said(pilot, "#head").endswith("徐")
        await press(pilot, ",")
        assert "已最徐" in said(pilot)
        await press(pilot, "space")
        assert screen.paused and said(pilot, "#head").endswith("停")
        await press(pilot, "t")
        assert not screen.paused


async def test_pace_and_language_leave_no_trace_in_what_is_saved(make: Make, saves: Path) -> None:
    found = []
    for keys in ((), (".", "e", "v", "t")):
        async with opened(make(playing(P05, level="童子"))) as pilot:
            await press(pilot, *keys)
            for _ in range(3):
                await press(pilot, "enter", "g")
            await press(pilot, "q")
        path = kept(saves)
        found.append(bare(path))
        path.unlink()
    assert found[0] == found[1]


# Cards


async def test_every_card_opens_and_closes(make: Make) -> None:
    async with opened(make(playing(P05))) as pilot:
        under = rite(pilot)
        for key in ("w", "r", "p", "c", "a", "?", "0"):
            await press(pilot, key)
            assert isinstance(pilot.app.screen, Card | Pick), key
            assert len(seen(pilot).replace(" ", "")) > 200
            await press(pilot, "escape")
            assert top(pilot) is under, key
            await press(pilot, key, "q")
            assert top(pilot) is under, key


async def test_keys_over_a_card_do_nothing_to_the_rite(make: Make) -> None:
    async with opened(make(playing(P05))) as pilot:
        screen = rite(pilot)
        await press(pilot, numbered(pilot, True), "enter", "g")
        n = screen.session.journal.next
        for card in ("w", "r", "p", "c", "a", "?", "0"):
            await press(pilot, card)
            card_shown = pilot.app.screen
            await press(pilot, "f", "d", "x", "1", "tab", "[", "t", "z", "f1")
            assert screen.session.journal.next == n and pilot.app.screen is card_shown
            await press(pilot, "escape")
        await press(pilot, "f")
        assert "已反" in said(pilot)


async def test_a_click_beside_a_card_closes_it(make: Make) -> None:
    async with opened(make(playing(P05))) as pilot:
        await press(pilot, "?")
        await pilot.click(offset=(1, 1))
        await settled(pilot)
        assert isinstance(pilot.app.screen, RiteScreen)


async def test_the_verdict_can_be_copied(make: Make) -> None:
    async with opened(make(playing(P05))) as pilot:
        await press(pilot, numbered(pilot, True), "enter", "g", "C")
        assert pilot.app.clipboard.startswith("正")
        await press(pilot, "w", "C")
        assert "P05.002" in pilot.app.clipboard


async def test_a_clause_tells_its_words(make: Make) -> None:
    async with opened(make(playing(P05))) as pilot:
        await click(pilot, "#text", 3, 0)
        assert said(pilot).startswith("P05.001")


# Language, theme, size


async def test_a_choice_survives_language_theme_and_size(make: Make) -> None:
    async with opened(make(playing(P05))) as pilot:
        palette = rite(pilot).palette
        await press(pilot, numbered(pilot, True), "j")
        choice = palette.chosen, palette.act
        await press(pilot, "e", "v")
        await pilot.resize_terminal(*WIDE)
        await settled(pilot)
        assert (palette.chosen, palette.act) == choice
        assert palette.act is not None and palette.act["facing"] == "南"


async def test_nothing_of_another_look_is_left(make: Make, saves: Path) -> None:
    """Switched about in mid-play, the screen is the same as one that was never anything else."""
    keys = ("2", "2", "g")
    async with opened(make(playing(P05))) as pilot:
        await press(pilot, *keys)
        await press(pilot, "e", "v")
        await pilot.resize_terminal(*WIDE)
        await press(pilot, "w", "escape")
        await pilot.resize_terminal(60, 20)
        await pilot.resize_terminal(*NARROW)
        await press(pilot, "v", "e", "escape")
        switched = rows(pilot)
    kept(saves).unlink()
    async with opened(make(playing(P05))) as pilot:
        await press(pilot, *keys, "escape")
        assert rows(pilot) == switched


async def test_a_screen_that_is_too_small_says_so_and_nothing_happens_unseen(make: Make) -> None:
    async with opened(make(playing(P05, level="童子"))) as pilot:
        screen = rite(pilot)
        n = screen.session.journal.next
        await pilot.resize_terminal(60, 20)
        await settled(pilot)
        assert "80 × 24" in seen(pilot) and "60 × 20" in seen(pilot)
        await press(pilot, "enter", "d", "x", "f")
        assert screen.session.journal.next == n
        await pilot.resize_terminal(*NARROW)
        await settled(pilot)
        assert screen.palette.choices and "礼" in rows(pilot)[0]
        await press(pilot, "enter")
        assert screen.session.journal.next > n


async def test_the_typed_line_comes_back_with_the_size(make: Make) -> None:
    async with opened(make(playing(P05, level="君子"))) as pilot:
        await press(pilot, *"xi")
        await pilot.resize_terminal(60, 20)
        await settled(pilot)
        await press(pilot, "n", "enter")
        await pilot.resize_terminal(*NARROW)
        await settled(pilot)
        assert rite(pilot).typed.has_focus
        await press(pilot, "g")
        assert rite(pilot).typed.value == "xing"


# Leaving and coming back


async def test_leaving_and_going_on_is_the_same_session(make: Make, saves: Path, book: Book) -> None:
    async with opened(make(playing(P05))) as pilot:
        await press(pilot, numbered(pilot, False), "enter", "g")
        account = [line.text.rstrip() for line in rite(pilot).stage.account.lines]
        shown = rows(pilot)
        n = rite(pilot).session.journal.next
        await press(pilot, "q")
    path = kept(saves)
    was = path.read_bytes()
    async with opened(make(Start("open", path=path))) as pilot:
        screen = rite(pilot)
        assert screen.session.journal.next == n and path.read_bytes() == was
        assert [line.text.rstrip() for line in screen.stage.account.lines] == account
        assert rows(pilot)[1:15] == shown[1:15], "plan, text and account as they were left"
        await press(pilot, numbered(pilot, True), "enter")
        await press(pilot, "q")
    assert path.read_bytes().startswith(was) and len(path.read_bytes()) > len(was)
    assert verify(book, path).same


async def test_leaving_at_once_from_under_a_card(make: Make, saves: Path, book: Book) -> None:
    app = make(playing(P05))
    async with opened(app) as pilot:
        await press(pilot, numbered(pilot, True), "enter", "?")
        await press(pilot, "ctrl+c")
    assert app.return_code in (0, None)
    assert verify(book, kept(saves)).same
    with_lock = Session.open(book, kept(saves))
    with_lock.close()


async def test_from_the_title_one_comes_back_to_the_title(make: Make) -> None:
    app = make()
    async with opened(app) as pilot:
        await press(pilot, "2", "enter")
        await settled(pilot)
        assert isinstance(app.screen, RiteScreen)
        await press(pilot, "q")
        await settled(pilot)
        assert isinstance(app.screen, TitleScreen)
        assert "宾 童子" in seen(pilot)
