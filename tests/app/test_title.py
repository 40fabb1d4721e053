"""The title, the lists of saved sessions and the setting up of a new one."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from textual import events
from textual.app import App
from textual.color import Color
from textual.widgets import OptionList

from game import cli, settings
from game.app.app import Start, XiangsheApp
from game.app.cards import Card, Pick
from game.app.replay import ReplayScreen
from game.app.rite import RiteScreen
from game.app.setup import Form, SetupScreen, to_be_played
from game.app.shelf import volumes
from game.app.theme import DARK, LIGHT, Uncoloured
from game.app.title import Menu, TitleScreen
from game.rite.book import Book
from game.session import simulate
from game.session.breakdown import formula
from game.session.journal import read_journal
from game.session.session import Session
from tests.app.conftest import Make
from tests.app.hands import P01, P04, P05, Hand, click, opened, playing, press, rite, rows, said, seen, settled
from tests.builders import PerfectPlayer, actors, the_book

P03 = "03-速宾"
WAYS = ("continue", "play", "watch", "drill", "replay", "rules", "quit")
LETTERS = "xlgwysq"


def foot(pilot: Hand) -> str:
    return said(pilot, "#title-foot")


@contextmanager
def noting(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """What of the menu is taken, without doing it."""
    taken: list[str] = []
    with monkeypatch.context() as patch:
        patch.setattr(XiangsheApp, "on_menu_taken", lambda _app, message: taken.append(message.name))
        yield taken


async def test_every_way_by_digit_letter_arrows_and_click(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    with noting(monkeypatch) as taken:
        async with opened(make()) as pilot:
            menu = pilot.app.screen.query_one(Menu)
            await press(pilot, *"1234567")
            assert tuple(taken) == WAYS
            taken.clear()
            await press(pilot, *LETTERS)
            assert tuple(taken) == WAYS
            taken.clear()
            await press(pilot, "enter", *("down", "enter") * 3, *("j", "enter") * 3)
            assert tuple(taken) == WAYS
            taken.clear()
            for n in range(len(WAYS)):
                await click(pilot, "#menu", 8, 2 * n)
            assert tuple(taken) == WAYS
            taken.clear()
            await press(pilot, "home", "up", "enter", "k", "enter", "end", "enter", "１", "ｘ")
            assert taken == ["quit", "rules", "quit", "continue", "continue"]
            assert menu.items[0].name == "continue"


async def test_each_way_opens_what_it_says(make: Make) -> None:
    async with opened(make()) as pilot:
        await press(pilot, "x")
        assert "无未毕之卷" in foot(pilot)
        await press(pilot, "y")
        assert "尚无所存" in foot(pilot)
        for key, title in (("l", "行礼"), ("g", "观礼"), ("w", "温习")):
            await press(pilot, key)
            assert isinstance(pilot.app.screen, SetupScreen)
            assert title in rows(pilot)[1] + rows(pilot)[0] + rows(pilot)[2]
            await press(pilot, "escape")
            assert isinstance(pilot.app.screen, TitleScreen)
        await press(pilot, "7")
        await settled(pilot)
    assert pilot.app.return_code in (0, None)


async def test_the_rules_are_read_from_the_title(make: Make) -> None:
    """The same list and card as in play; after a rule the list stands at it again."""
    rules = list(the_book().rules.values())
    async with opened(make(lang="en")) as pilot:
        await press(pilot, "s")
        assert isinstance(pilot.app.screen, Pick)
        await press(pilot, "down", "enter")
        assert isinstance(pilot.app.screen, Card)
        assert rules[1].en in " ".join(seen(pilot).split()) and rules[1].id in said(pilot, "#card-title")
        await press(pilot, "escape")
        assert isinstance(pilot.app.screen, Pick)
        assert pilot.app.screen.query_one(OptionList).highlighted == 1
        await press(pilot, "escape")
        assert isinstance(pilot.app.screen, TitleScreen)


@pytest.mark.parametrize("lang", ["zh", "en"])
async def test_how_acts_are_scored_is_told_before_play(make: Make, lang: str) -> None:
    async with opened(make(lang=lang)) as pilot:
        await press(pilot, "l")
        told = "".join(said(pilot, "#setup-score").split())
        assert told == "".join(formula(the_book().faults)[lang == "en"].split())
        shown = "".join(seen(pilot).split())
        assert told[-8:] in shown


async def test_language_and_theme(make: Make) -> None:
    async with opened(make()) as pilot:
        assert "行礼" in seen(pilot) and "play" not in seen(pilot)
        await press(pilot, "e")
        assert "play" in seen(pilot) and "行礼" not in seen(pilot)
        dark = pilot.app.current_theme.dark
        await press(pilot, "v")
        assert pilot.app.current_theme.dark is not dark
        await press(pilot, "e", "v")
        assert "行礼" in seen(pilot) and pilot.app.current_theme.dark is dark


@pytest.mark.parametrize(("lang", "word"), [("zh", "行礼"), ("en", "play")])
async def test_it_opens_in_the_language_asked_for(make: Make, lang: str, word: str) -> None:
    async with opened(make(lang=lang)) as pilot:
        assert word in seen(pilot)


async def test_the_language_and_the_theme_changed_to_are_those_of_the_next_time(make: Make) -> None:
    async with opened(make(lang="both")) as pilot:
        assert "play" in seen(pilot), "the locale of the tests is none"
        await press(pilot, "e", "v")
    async with opened(make(lang="both")) as pilot:
        assert "行礼" in seen(pilot) and not pilot.app.current_theme.dark
    async with opened(make(lang="en")) as pilot:
        assert "play" in seen(pilot), "what is asked for goes before what was kept"
    async with opened(make(lang="both")) as pilot:
        assert "行礼" in seen(pilot), "what was asked for once is not kept"


def test_nothing_of_the_engine_is_imported_before_the_title_is_painted() -> None:
    asked = "import sys, game.app.app; print([m for m in sys.modules if re.match(wanted, m)])"
    wanted = r"game\.(session|rules|rite|core|agents|app\.shelf)\b|yaml|msgspec|fsrs|transitions"
    done = subprocess.run(
        [sys.executable, "-c", f"import re; wanted = {wanted!r}; {asked}"], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize("theme", [DARK, LIGHT])
async def test_the_theme_kept_colours_the_first_screen(make: Make, theme: str) -> None:
    settings.keep("screen", {"theme": theme})
    async with opened(make()) as pilot:
        foot = pilot.app.screen.query_one("#title-foot")
        assert pilot.app.theme == theme
        at_first = foot.styles.color, pilot.app.screen.styles.background, pilot.app.classes
        await press(pilot, "v")
        assert foot.styles.color != at_first[0]
        await press(pilot, "v")
        assert at_first == (foot.styles.color, pilot.app.screen.styles.background, pilot.app.classes)


@pytest.mark.parametrize("damaged", ["", "[]", '{"screen": 3}', '{"screen": {"language": "la", "theme": 7}}'])
async def test_what_was_kept_may_be_anything(make: Make, home: Path, damaged: str) -> None:
    path = settings._path()
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(damaged, "utf-8")
    async with opened(make(lang="both")) as pilot:
        assert "play" in seen(pilot) and pilot.app.current_theme.dark


@pytest.mark.parametrize(
    ("environment", "plain"),
    [
        ({"TERM": "xterm-256color"}, False),
        ({"TERM": "xterm-256color", "NO_COLOR": "1"}, True),
        ({"TERM": "vt100"}, True),
        ({"TERM": "no-such-terminal"}, False),
    ],
)
async def test_a_terminal_without_colours_is_sent_none(
    make: Make, monkeypatch: pytest.MonkeyPatch, environment: dict[str, str], plain: bool
) -> None:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    async with opened(make()) as pilot:
        strips = pilot.app.screen._compositor.render_strips()
        styles = [s.style for strip in strips for s in strip if s.style]
        filters = pilot.app.get_line_filters()
        shown = [s.style for f in filters[-1:] for strip in strips for s in f.apply(list(strip), Color(0, 0, 0))]
        assert styles
        if plain:
            assert not any(s.color or s.bgcolor for s in shown if s)
            assert any(s.reverse for s in shown if s), "the chosen line is told apart"
        else:
            assert not any(isinstance(f, Uncoloured) for f in filters)


def test_the_screen_is_not_opened_on_a_dumb_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "dumb")
    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    with pytest.raises(cli.UsageError, match="--plain"):
        cli._needs_a_terminal("the screen")


async def test_a_small_window_says_so(make: Make) -> None:
    async with opened(make(), (50, 14)) as pilot:
        assert "80 × 24" in seen(pilot)
        await pilot.resize_terminal(80, 24)
        await settled(pilot)
        assert "行礼" in seen(pilot)


# Saved sessions


@pytest.fixture
def shelf(saves: Path, book: Book) -> Path:
    """One unfinished, one finished, one torn, and four that are broken in different ways."""
    unfinished = saves / "1-unfinished.jsonl"
    Session.new(book, book.scenarios["常"], P04, P05, {"宾": "士"}, 1, unfinished).close()
    over = Session.new(book, book.scenarios["常"], P01, P01, {"众宾5": "士"}, 1, saves / "2-over.jsonl")
    while not over.ended:
        over.wait()
    over.close()
    lines = unfinished.read_bytes().splitlines(keepends=True)
    (saves / "3-torn.jsonl").write_bytes(b"".join(lines[:-1]) + lines[-1][:20])
    (saves / "4-changed.jsonl").write_bytes(b"".join(lines).replace("主人".encode(), "客人".encode(), 1))
    (saves / "5-empty.jsonl").write_bytes(b"")
    (saves / "6-other.jsonl").write_bytes(b"not a session\n")
    (saves / "7-folder.jsonl").mkdir()
    return saves


async def test_going_on_with_a_saved_session(make: Make, shelf: Path) -> None:
    async with opened(make()) as pilot:
        assert "宾 士" in rows(pilot)[5] + rows(pilot)[4] + rows(pilot)[3]
        await press(pilot, "x")
        listed = seen(pilot)
        assert listed.count("坏") == 4 and listed.count("宾 士") >= 2
        assert "众宾5" not in listed, "what is over is not gone on with"
        for name in ("4-changed", "5-empty", "6-other", "7-folder"):
            assert name in listed
        await press(pilot, "home", "enter")
        assert isinstance(pilot.app.screen, TitleScreen)
        assert "7-folder" in foot(pilot) or "坏" in foot(pilot)
        await press(pilot, "x", "end", "enter")
        await settled(pilot)
        assert isinstance(pilot.app.screen, RiteScreen)
        await press(pilot, "q")


async def test_what_is_saved_can_be_replayed(make: Make, shelf: Path) -> None:
    async with opened(make()) as pilot:
        await press(pilot, "y")
        assert "众宾5" in seen(pilot)
        await press(pilot, "end", "up", "enter")
        await settled(pilot)
        assert isinstance(pilot.app.screen, ReplayScreen)
        await press(pilot, "q")
        await settled(pilot)
        assert isinstance(pilot.app.screen, TitleScreen)


async def test_a_session_open_elsewhere_is_not_opened_twice(make: Make, shelf: Path, book: Book) -> None:
    for other in shelf.iterdir():
        if not other.name.startswith("1-"):
            shutil.rmtree(other) if other.is_dir() else other.unlink()
    held = Session.open(book, shelf / "1-unfinished.jsonl")
    async with opened(make()) as pilot:
        await press(pilot, "x", "enter")
        await settled(pilot)
        assert isinstance(pilot.app.screen, TitleScreen)
        assert "1-unfinished" in foot(pilot).replace("\n", "")
    held.close()


async def test_escape_and_a_list_change_nothing(make: Make, shelf: Path) -> None:
    async with opened(make()) as pilot:
        await press(pilot, "x", "j", "k", "escape")
        assert isinstance(pilot.app.screen, TitleScreen)
        await press(pilot, "x")
        assert isinstance(pilot.app.screen, Pick)


async def test_a_list_by_mouse(make: Make, shelf: Path) -> None:
    async with opened(make()) as pilot:
        await press(pilot, "x")
        await click(pilot, "OptionList", 4, 0)
        assert isinstance(pilot.app.screen, TitleScreen), "the first is broken, and said to be"


@pytest.mark.parametrize("start", [Start("open", path=Path("nowhere.jsonl")), Start("replay", path=Path("/"))])
async def test_what_cannot_be_opened_at_once_ends_with_words(make: Make, start: Start) -> None:
    app = make(start)
    async with app.run_test() as pilot:
        await settled(pilot)
    assert app.return_code == 2 and app.error


# Setting up


def form(app: App[None]) -> Form:
    return app.screen.query_one(Form)


async def test_setting_up_by_keys(make: Make) -> None:
    async with opened(make()) as pilot:
        await press(pilot, "l")
        choices = form(pilot.app).choices
        assert (choices.role, choices.level, choices.first) == ("宾", "童子", P04)
        await press(pilot, "2", "right")
        assert choices.level == "士" and "所当者杂于非者之中" in seen(pilot)
        await press(pilot, "left")
        await press(pilot, "down", "right")
        assert choices.first == P05 and choices.last >= P05
        await press(pilot, "4", *("right",) * 30)
        assert choices.last >= choices.first
        await press(pilot, "5", "l")
        assert choices.scenario != "常"
        await press(pilot, "h", "6", "plus", "plus", "minus")
        assert choices.scenario == "常" and choices.seed == 2
        await press(pilot, "z")
        assert "无所用" in said(pilot, "#setup-foot")
        choices.last = choices.first
        await press(pilot, "enter")
        await settled(pilot)
        screen = pilot.app.screen
        assert isinstance(screen, RiteScreen)
        assert screen.session.header["seed"] == 2 and screen.session.header["from"] == P05
        await press(pilot, "q")


@pytest.mark.parametrize(
    ("lang", "words"), [("zh", ("上 下", "退格", "始")), ("en", ("up down", "Backspace", "begin"))]
)
async def test_setting_up_lists_its_keys(make: Make, lang: str, words: tuple[str, ...]) -> None:
    async with opened(make(lang=lang)) as pilot:
        await press(pilot, "l", "?")
        assert isinstance(pilot.app.screen, Card)
        assert all(w in seen(pilot) for w in words)
        await press(pilot, "?")
        assert isinstance(pilot.app.screen, SetupScreen)


@pytest.mark.parametrize("lang", ["zh", "en"])
async def test_the_whole_gloss_of_every_scenario_is_shown(make: Make, book: Book, lang: str) -> None:
    async with opened(make(lang=lang)) as pilot:
        await press(pilot, "l", "5")
        for _ in book.scenarios:
            scenario = book.scenarios[form(pilot.app).choices.scenario]
            wanted = scenario.en if lang == "en" else scenario.zh
            assert "".join(wanted.split()) in "".join(seen(pilot).split()), scenario.id
            if lang == "zh":
                assert not re.search("[A-Za-z]{3,}", "".join(rows(pilot)[4:-4]).replace("Enter", ""))
            await press(pilot, "right")


@pytest.mark.parametrize("lang", ["zh", "en"])
async def test_what_can_be_continued_is_told_whole_and_in_one_language(
    make: Make, saves: Path, book: Book, lang: str
) -> None:
    players = {"众宾2": "君子", "主人": "君子"}
    Session.new(book, book.scenarios["常"], P04, P05, players, 1, saves / "1.jsonl").close()
    async with opened(make(lang=lang)) as pilot:
        beside = next(r[:38] for r in rows(pilot) if "1 x" in r)
        assert ("第04节" if lang == "zh" else "phase 04") in beside
        assert lang == "zh" or not re.search("[\u3400-\u9fff]", beside)
        await press(pilot, "x")
        listed = seen(pilot)
        assert ("众宾2 君子" if lang == "zh" else "other guest 2 君子") in listed
        assert (P04 if lang == "zh" else "04 Meeting and bow of arrival") in listed


def test_a_listing_reads_only_the_ends_of_a_file(tmp_path: Path, book: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "long.jsonl"
    simulate.simulate(book, book.scenarios["常"], P01, "33-饮不胜者", 1, path)
    whole, data = read_journal(path).lines, path.read_bytes()
    monkeypatch.setattr(Path, "read_bytes", lambda _path: pytest.fail("the whole file is read"))
    (volume,) = volumes(tmp_path)
    assert volume.over and volume.n == whole[-1]["n"] and volume.phase == "33-饮不胜者" and not volume.broken
    path.write_bytes(data[:-10])
    (volume,) = volumes(tmp_path)
    assert volume.n == whole[-2]["n"] and not volume.over and not volume.broken
    for changed in (data[:300].replace(b"1", b"2") + data[300:], data[:-300] + data[-300:].replace(b"1", b"2")):
        path.write_bytes(changed)
        (volume,) = volumes(tmp_path)
        assert volume.broken


@pytest.mark.parametrize(("lang", "words"), [("zh", ("温习", "得 6/6")), ("en", ("drill", "points 6/6"))])
async def test_a_drill_is_listed_as_one_with_its_result(
    make: Make, book: Book, saves: Path, lang: str, words: tuple[str, str]
) -> None:
    def drilled(name: str, end: bool) -> None:
        session = Session.new(
            book, book.scenarios["常"], P03, P03, {"主人": "士"}, out=saves / f"{name}.jsonl", drill=True
        )
        if end:
            PerfectPlayer(session, "主人").finish()
        session.close()

    drilled("left", end=False)
    async with opened(make(lang=lang)) as pilot:
        screen = pilot.app.screen
        assert isinstance(screen, TitleScreen)
        assert screen.items[0].beside in ("无未毕者", "nothing unfinished"), "a drill is not what play goes on with"
        await press(pilot, "x")
        assert words[0] in seen(pilot)
        await press(pilot, "enter")
        assert rite(pilot).is_drill, "taken up again it is still a drill"
        await press(pilot, "q")
        drilled("whole", end=True)
        await press(pilot, "y")
        assert any(words[0] in row and words[1] in row for row in rows(pilot)), seen(pilot)


async def test_setting_up_by_mouse(make: Make) -> None:
    async with opened(make()) as pilot:
        await press(pilot, "w")
        choices = form(pilot.app).choices
        assert choices.rows[0] == "first"
        await click(pilot, "#rows", 24, 0)
        assert choices.first == P05
        await click(pilot, "#rows", 20, 0)
        assert choices.first == P04
        await click(pilot, "#rows", 3, 4)
        assert choices.rows[form(pilot.app).at] == "level"
        await click(pilot, "#start", 3, 0)
        await settled(pilot)
        screen = pilot.app.screen
        assert isinstance(screen, RiteScreen) and screen.is_drill
        assert "drill" in str(screen.session.journal.path)
        await press(pilot, "q")


async def test_a_watch_runs_with_nobody_playing(make: Make) -> None:
    async with opened(make()) as pilot:
        await press(pilot, "g")
        form(pilot.app).choices.last = P04
        await press(pilot, "enter")
        await settled(pilot)
        screen = pilot.app.screen
        assert isinstance(screen, ReplayScreen) and screen.running
        assert not screen.reel.header["players"]
        at = screen.at
        screen.tick()
        assert screen.at > at


async def test_a_change_of_phase_keeps_the_role_fit(make: Make) -> None:
    async with opened(make()) as pilot:
        await press(pilot, "w")
        one = form(pilot.app)
        for _ in one.phases:
            await press(pilot, "right")
            assert one.choices.role in one.options("role")


@pytest.mark.parametrize("phase", ["01-戒宾", "05-主人献宾", "08-主人献众宾", "14-司射请射", "33-饮不胜者"])
def test_only_those_who_act_are_offered(book: Book, phase: str) -> None:
    offered = to_be_played(book, "常", phase, phase)
    assert set(actors(phase, phase)) <= set(offered)
    assert len(offered) <= len(actors(phase, phase)) + 6


async def test_opening_at_once_leaves_when_the_rite_is_left(make: Make) -> None:
    app = make(playing(P01))
    async with opened(app) as pilot:
        await press(pilot, "q")
        await settled(pilot)
    assert not app.is_running and app.return_code in (0, None)


def mash(app: App[None], *keys: str) -> None:
    """Keys that come before anything has been done about the first."""
    for key in keys:
        app.screen.post_message(events.Key(key, key if len(key) == 1 else None))


@pytest.mark.parametrize("keys", [("escape", "escape"), ("q", "q")])
async def test_a_key_pressed_twice_leaves_the_setup_once(make: Make, keys: tuple[str, ...]) -> None:
    async with opened(make()) as pilot:
        await press(pilot, "l")
        mash(pilot.app, *keys)
        await settled(pilot)
        assert isinstance(pilot.app.screen, TitleScreen)


async def test_a_key_pressed_twice_leaves_the_rite_once(make: Make) -> None:
    async with opened(make()) as pilot:
        await press(pilot, "l", "enter")
        assert isinstance(pilot.app.screen, RiteScreen)
        mash(pilot.app, "q", "q")
        await settled(pilot)
        assert isinstance(pilot.app.screen, TitleScreen)


async def test_a_card_is_left_once(make: Make) -> None:
    async with opened(make(playing(P05))) as pilot:
        await press(pilot, "r")
        card = pilot.app.screen
        assert isinstance(card, Pick)
        card.dismiss(None)
        card.dismiss(None)
        await settled(pilot)
        assert isinstance(pilot.app.screen, RiteScreen)
