"""Watching and replaying: forwards, backwards, to any line, fault or phase; safe at both ends."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from game.app.app import Start
from game.app.cards import Card
from game.app.replay import ReplayScreen
from game.session.replay import voided
from tests.app.conftest import Make
from tests.app.hands import P01, P04, WIDE, Hand, click, opened, press, rows, said, seen, settled
from tests.builders import the_book
from tests.session.careless import Lines, chained, played


def reel(pilot: Hand) -> ReplayScreen:
    screen = next(s for s in pilot.app.screen_stack if isinstance(s, ReplayScreen))
    return screen


def line(pilot: Hand) -> dict[str, Any]:
    """The line at which one stands."""
    return reel(pilot).frames[reel(pilot).at].line


def counting() -> Lines:
    """The lines of the careless session that count, by its own undos."""
    lines = played().lines
    return [x for i, x in enumerate(lines) if i not in voided(lines)]


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    """A session of two careless players."""
    path = tmp_path / "careless.jsonl"
    path.write_bytes(played().data)
    return path


async def test_every_line_that_counts_forwards_and_backwards(make: Make, saved: Path) -> None:
    wanted = [x["n"] for x in counting()]
    async with opened(make(Start("replay", path=saved))) as pilot:
        screen = reel(pilot)
        assert line(pilot)["n"] == 0
        there, back = [0], []
        states = [screen.stage.plan.state["persons"]]
        for n in range(1, len(wanted)):
            if n % 8:
                screen.go(screen.at + 1)
            else:
                await pilot.press("right")
            there.append(line(pilot)["n"])
            states.append(screen.stage.plan.state["persons"])
        assert there == wanted
        for state in reversed(states):
            assert screen.stage.plan.state["persons"] == state
            back.append(line(pilot)["n"])
            if screen.at:
                screen.go(screen.at - 1)
        assert back == wanted[::-1]
    assert saved.read_bytes() == played().data


async def test_both_ends_are_safe(make: Make, saved: Path) -> None:
    async with opened(make(Start("replay", path=saved))) as pilot:
        await press(pilot, *("left",) * 5, "pageup", "up", "[")
        assert line(pilot)["n"] == 0 and "其前无之" in said(pilot, "#told")
        await press(pilot, "end", *("right",) * 5, "pagedown", "down", "!")
        assert line(pilot)["n"] == counting()[-1]["n"] and "其后无之" in said(pilot, "#told")
        await press(pilot, "right")
        assert "其后无之" in said(pilot, "#told")
        await press(pilot, "home", "left")
        assert "其前无之" in said(pilot, "#told")


async def test_to_a_line(make: Make, saved: Path) -> None:
    numbers = [x["n"] for x in counting()]
    async with opened(make(Start("replay", path=saved))) as pilot:
        for typed in ("44", "0", "999999999999", "1", "8"):
            await press(pilot, *typed)
            assert typed[:9] in said(pilot, "#told")
            await press(pilot, "enter")
            n = min(int(typed[:9]), numbers[-1])
            assert line(pilot)["n"] == min(numbers, key=lambda x: (abs(x - n), x))
        await press(pilot, "4", "4", "backspace", "enter")
        assert line(pilot)["n"] == min(numbers, key=lambda x: (abs(x - 4), x))
        await press(pilot, "4", "right", "enter")
        assert "无所用" in said(pilot, "#told"), "a move forgets the number"
        await press(pilot, "²", "፩", "٣", "enter")
        assert line(pilot)["n"] == min(numbers, key=lambda x: (abs(x - 3), x))


async def test_to_faults_and_phases(make: Make, saved: Path) -> None:
    faulty = [x["n"] for x in counting() if (x.get("verdict") or {}).get("faults")]
    async with opened(make(Start("replay", path=saved))) as pilot:
        found = []
        for _ in faulty:
            await press(pilot, "!")
            found.append(line(pilot)["n"])
            assert line(pilot)["verdict"]["grade"] in seen(pilot)
        assert found == faulty
        await press(pilot, "[")
        assert line(pilot)["n"] == faulty[-2]
        await press(pilot, "home", "down")
        assert line(pilot)["t"] == "phase" and "03-速宾" in rows(pilot)[0]
        await press(pilot, "down")
        assert line(pilot)["phase"] == P04 and P04 in rows(pilot)[0]
        await press(pilot, "up")
        assert "03-速宾" in rows(pilot)[0]


async def test_a_line_is_shown_the_same_however_one_came_to_it(make: Make, saved: Path) -> None:
    """The whole screen but the track's right end, over every way of moving, and back from the end."""
    async with opened(make(Start("replay", path=saved))) as pilot:

        def shown() -> tuple[str, str, list[str], list[str]]:
            stage = reel(pilot).stage
            lit = sorted(stage.text.lit)
            return rows(pilot)[0], stage.phase, lit, [c.id for c in stage.text.clauses]

        ways = {"right": "left", "!": "[", "down": "up", "pagedown": "pageup"}
        first = shown()
        assert "03-速宾" in first[0] and re.search(r" 0/[1-9]", first[0]) and first[3], "the first position has a phase"
        seen_at = {reel(pilot).at: first}
        for there, back in ways.items():
            await press(pilot, "home")
            for _ in range(4):
                await press(pilot, there)
                assert seen_at.setdefault(reel(pilot).at, shown()) == shown(), there
            for _ in range(4):
                await press(pilot, back)
                assert seen_at.setdefault(reel(pilot).at, shown()) == shown(), back
        await press(pilot, "end")
        assert shown()[1] == P04 and shown() != first
        await press(pilot, "home")
        assert shown() == first
        await press(pilot, "4", "4", "enter", "home", "right", "left")
        assert shown() == first


async def test_opening_at_a_line(make: Make, saved: Path) -> None:
    async with opened(make(Start("replay", path=saved, at=52))) as pilot:
        assert line(pilot)["n"] == 52 and "失" in seen(pilot)


async def test_a_click_on_the_track(make: Make, saved: Path) -> None:
    async with opened(make(Start("replay", path=saved))) as pilot:
        await click(pilot, "#track", 79, 0)
        assert reel(pilot).at >= len(reel(pilot).frames) - 2
        await click(pilot, "#track", 40, 0)
        assert abs(reel(pilot).at - len(reel(pilot).frames) // 2) < 3
        await click(pilot, "#track", 0, 0)
        assert reel(pilot).at == 0


async def test_how_one_came_to_a_line_makes_no_difference(make: Make, saved: Path) -> None:
    async with opened(make(Start("replay", path=saved))) as pilot:
        screens = []
        for keys in (
            ("6", "1", "enter"),
            ("end", "6", "1", "enter"),
            ("5", "8", "enter", "!"),
            ("7", "0", "enter", "["),
        ):
            await press(pilot, *keys)
            assert line(pilot)["n"] == 61
            screens.append(rows(pilot))
        await press(pilot, "e", "v", "m", "m", "m", "v", "e")
        await pilot.resize_terminal(*WIDE)
        await pilot.resize_terminal(80, 24)
        await settled(pilot)
        screens.append(rows(pilot))
        for one in screens[1:]:
            assert one == screens[0]


async def test_reasons_and_text(make: Make, saved: Path) -> None:
    async with opened(make(Start("replay", path=saved, at=52))) as pilot:
        (fault, *_) = line(pilot)["verdict"]["faults"]
        await press(pilot, "w")
        assert isinstance(pilot.app.screen, Card) and fault["clauses"][0] in seen(pilot)
        await press(pilot, "escape", "c")
        assert "P04.001" in seen(pilot)
        await press(pilot, "escape")
        assert len(pilot.app.screen_stack) == 2 or not isinstance(pilot.app.screen_stack[-1], Card)


async def test_running_stops_at_the_end_and_by_any_move(make: Make, saved: Path) -> None:
    async with opened(make(Start("replay", path=saved))) as pilot:
        screen = reel(pilot)
        await press(pilot, "space")
        assert screen.running and "停" not in rows(pilot)[0]
        screen.tick()
        assert screen.at > 0
        await press(pilot, "left")
        assert not screen.running and rows(pilot)[0].rstrip().endswith("停")
        await press(pilot, "t", ",", ",", ",")
        assert "徐" in rows(pilot)[0]
        for _ in range(len(screen.frames)):
            screen.tick()
        assert not screen.running and screen.at == len(screen.frames) - 1


@pytest.mark.parametrize("lang", ["zh", "en"])
async def test_a_session_judged_under_other_data_is_shown_as_saved(make: Make, tmp_path: Path, lang: str) -> None:
    lines = played().lines
    lines[0]["data"] = "f" * 64
    path = tmp_path / "other.jsonl"
    path.write_bytes(chained(lines))
    async with opened(make(Start("replay", path=path), lang)) as pilot:
        assert ("他本" if lang == "zh" else "other rules") in said(pilot, "#told")
        await press(pilot, "!", "end", "home", "down", "down", "w")
        assert (P04 if lang == "zh" else "04 Meeting") in seen(pilot)
    assert path.read_bytes() == chained(lines)


async def test_names_that_this_data_does_not_know_are_shown_as_they_are(make: Make, tmp_path: Path) -> None:
    data = played().data.decode()
    for old, new in (("西阶", "西级"), ("众宾2", "甲士"), ('"verb":"拜"', '"verb":"顿首"')):
        assert old in data
        data = data.replace(old, new)
    path = tmp_path / "other.jsonl"
    other = the_book().digest[:-1] + ("0" if the_book().digest[-1] != "0" else "1")
    path.write_bytes(chained([{**x, "data": other} if x["t"] == "session" else x for x in _parsed(data)]))
    async with opened(make(Start("replay", path=path))) as pilot:
        screen = reel(pilot)
        for n in range(0, len(screen.frames), 3):
            screen.go(n)
            assert screen.stage.plan.drawing.rows
        screen.go(next(i for i, f in enumerate(screen.frames) if f.line.get("verb") == "顿首"))
        await settled(pilot)
        assert "顿首" in seen(pilot)
        await press(pilot, "w", "escape", "c", "escape", "up")


def _parsed(data: str) -> Lines:
    return [json.loads(x) for x in data.split("\n")[:-1]]


async def test_lines_without_their_parts_are_refused_with_words(make: Make, tmp_path: Path) -> None:
    lines = played().lines
    lines[0]["data"] = "f" * 64
    for x in lines:
        if x["t"] == "phase":
            del x["phase"]
    path = tmp_path / "1.jsonl"
    path.write_bytes(chained(lines))
    app = make(Start("replay", path=path))
    async with app.run_test() as pilot:
        await settled(pilot)
    assert app.return_code == 2 and "phase" in app.error


async def test_watching_runs_and_can_be_gone_back_in(make: Make) -> None:
    book = the_book()
    async with opened(make(Start("watch", {}, book.scenarios["常"], P01, P01, 1))) as pilot:
        screen = reel(pilot)
        assert screen.running
        for _ in range(3):
            screen.tick()
        at = screen.at
        await press(pilot, "left", "left")
        assert screen.at == at - 2 and not screen.running


@pytest.mark.parametrize("lang", ["zh", "en"])
async def test_the_help_says_what_the_keys_do(make: Make, saved: Path, lang: str) -> None:
    """Each key and its reverse, in this order in every line of the help and in the line of keys."""
    on, back = ("次|后", "前") if lang == "zh" else ("next|on|forwards", "previous|back|before")
    async with opened(make(Start("replay", path=saved, at=52), lang)) as pilot:
        keys = dict(re.split(r" {2,}", line.strip()) for line in reel(pilot).keys().plain.splitlines() if line)
        shown = " ".join(keys.values())
        assert "last" not in shown
        for told in list(keys.values())[:4]:
            assert re.search(f"(?:{on}).*(?:{back})", told), told
        screen = reel(pilot)
        for key, by in (("right", 1), ("left", -1), ("n", 1), ("b", -1), ("l", 1), ("h", -1)):
            at = screen.at
            await press(pilot, key)
            assert screen.at == at + by, key
        assert ("第" if lang == "zh" else "line ") in rows(pilot)[0]
        assert all(len(row.rstrip()) <= 80 for row in rows(pilot))
        assert ("?" in rows(pilot)[-1]) and rows(pilot)[-1].rstrip().endswith("回" if lang == "zh" else "back")


async def test_an_english_replay_has_no_chinese_but_the_text_and_the_plan(make: Make, saved: Path) -> None:
    chinese = re.compile("[\u3400-\u9fff]")
    async with opened(make(Start("replay", path=saved), "en")) as pilot:
        screen = reel(pilot)
        for n in range(0, len(screen.frames), 4):
            screen.go(n)
            await settled(pilot, 1)
            told = re.sub("「.*?」|(?:note|appeal): .*", "", said(pilot, "#told"))
            assert not chinese.search(told), told
            assert not chinese.search(rows(pilot)[0]), rows(pilot)[0]
