"""``w``, ``p`` and a typed ``why``: what may be asked about at the rite, by keyboard and mouse."""

from __future__ import annotations

import re

import pytest
from textual.widgets import OptionList

from game.app.asking import Browse
from game.app.cards import Card
from tests.app.conftest import Make
from tests.app.hands import NARROW, P05, WIDE, Hand, opened, playing, press, rite, said, seen, settled


def card(pilot: Hand) -> Browse:
    """The list that lies over the rite."""
    screen = pilot.app.screen
    assert isinstance(screen, Browse)
    return screen


def offered(pilot: Hand) -> list[str]:
    return [q.label for q in card(pilot).questions]


async def ask(pilot: Hand, start: str) -> str:
    """Move to the line that begins or ends so; what is then said."""
    n = next(i for i, label in enumerate(offered(pilot)) if label.startswith(start) or label.endswith(start))
    await press(pilot, "home", *["down"] * n)
    await settled(pilot)
    return card(pilot)._body.plain


def wrong(pilot: Hand) -> str:
    """The digit of a choice that differs only in its facing."""
    return next(
        str(n) for n, c in enumerate(rite(pilot).palette.choices, 1) if not c.right and c.acts[0]["verb"] == "降"
    )


async def test_why_offers_acts_neighbours_things_and_my_place(make: Make) -> None:
    async with opened(make(playing(P05), "en")) as pilot:
        await press(pilot, wrong(pilot), "enter", "g", "w")
        labels = offered(pilot)
        assert labels[0].startswith("my last act: guest: go down") and labels[0].endswith("slight fault")
        assert labels[1] == "what is due to me"
        assert any(x.startswith("my place: ") and x.endswith("W of the W steps") for x in labels)
        assert "at hand: bow" in labels
        at_once = card(pilot)._body.plain
        assert re.search("You faced (west|north|south) where east is due", at_once)
        told = await ask(pilot, "host:")
        assert "decline the guest's coming down" in told and "P05.006「宾对」" in told and "P05.005" in told
        assert "slight fault" not in told
        assert "in line with the hall's west wall" in await ask(pilot, "my place")


async def test_the_last_fault_is_offered_when_the_last_act_was_right(make: Make) -> None:
    async with opened(make(playing(P05))) as pilot:
        await press(pilot, wrong(pilot), "enter", "g")
        right = next(str(n) for n, c in enumerate(rite(pilot).palette.choices, 1) if c.right)
        await press(pilot, right, "enter", "g", "w")
        assert sum("小失" in label for label in offered(pilot)) == 1
        assert offered(pilot)[0].endswith("正") and "对" in offered(pilot)[0]
        assert "面" in await ask(pilot, "小失")


async def test_a_click_asks(make: Make) -> None:
    async with opened(make(playing(P05))) as pilot:
        await press(pilot, "w")
        n = next(i for i, label in enumerate(offered(pilot)) if label.startswith("主人"))
        await pilot.click(OptionList, offset=(3, n))
        await settled(pilot)
        assert "主人" in card(pilot)._body.plain and "P05.001" in seen(pilot)
        await press(pilot, "enter")
        assert not isinstance(pilot.app.screen, Card)


@pytest.mark.parametrize("key", ["w", "p", "escape", "q", "enter"])
async def test_the_list_closes(make: Make, key: str) -> None:
    async with opened(make(playing(P05))) as pilot:
        await press(pilot, "p" if key == "p" else "w")
        assert isinstance(pilot.app.screen, Browse)
        await press(pilot, key)
        assert not isinstance(pilot.app.screen, Card)


async def test_a_gentleman_is_told_what_was_done_and_nothing_of_what_is_due(make: Make) -> None:
    async with opened(make(playing(P05, level="君子"))) as pilot:
        await press(pilot, "escape", "w")
        for n, question in enumerate(card(pilot).questions):
            told = question.tell().plain
            assert "宾当" not in told and "P05.002" not in told, n
        assert any(label.startswith("主人") for label in offered(pilot))


async def test_what_is_not_shown_yet_is_not_told(make: Make) -> None:
    app = make(playing(P05))
    async with app.run_test(size=NARROW) as pilot:
        await settled(pilot)
        screen = rite(pilot)
        screen.paused = True
        assert screen.waiting
        await press(pilot, "w")
        labels = offered(pilot) if isinstance(app.screen, Browse) else []
        assert not any(label.startswith("主人") for label in labels)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("why 爵", "一在主人两手，二在上篚"),
        ("何以爵", "一在主人两手，二在上篚"),
        ("why host", "主人降阼阶前"),
        ("why zuo jie shang", "当楣"),
    ],
)
async def test_a_typed_question_is_answered_and_costs_nothing(make: Make, line: str, told: str) -> None:
    async with opened(make(playing(P05), "zh"), WIDE) as pilot:
        before = rite(pilot).session.journal.next
        await press(pilot, "i")
        rite(pilot).typed.value = line
        await press(pilot, "enter")
        assert isinstance(pilot.app.screen, Card)
        assert told in pilot.app.screen._body.plain
        await press(pilot, "escape")
        assert rite(pilot).session.journal.next == before and rite(pilot).typed.value == ""


async def test_a_typed_question_that_cannot_be_answered_says_so(make: Make) -> None:
    async with opened(make(playing(P05))) as pilot:
        await press(pilot, "i")
        for line, words in (("why xi", "席"), ("why [red]x", "不识")):
            rite(pilot).typed.value = line
            await press(pilot, "enter")
            assert words in said(pilot) and pilot.app.screen is rite(pilot)
        rite(pilot).typed.value = "why"
        await press(pilot, "enter")
        assert isinstance(pilot.app.screen, Browse)


async def test_the_glossary_of_what_is_on_offer_and_was_met(make: Make) -> None:
    async with opened(make(playing(P05), "en")) as pilot:
        await press(pilot, "p")
        labels = offered(pilot)
        assert any(x.startswith("降  jiàng  go down") for x in labels) and any(x.startswith("爵  jué") for x in labels)
        assert not any(x.startswith("乏") for x in labels), "the screen of the flag-man has not been met"
        told = await ask(pilot, "上篚")
        assert "south of the jars" in told and "P02.009  篚在其南" in told
        assert labels[0].startswith("降"), "what is on offer comes first"
        await press(pilot, "C")
        assert "篚在其南" in pilot.app.clipboard
