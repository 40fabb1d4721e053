"""What the screen says of itself is said in both languages; text from outside is shown as it is."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from io import BytesIO, StringIO
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.mofile import read_mo
from babel.messages.pofile import read_po

from game import settings
from game.app import i18n, rite_cards
from game.app.app import Start
from game.app.rite import RiteScreen
from game.cli import main
from game.tongue import preferred
from tests.app.conftest import Make
from tests.app.hands import P04, P05, WIDE, opened, playing, press, rite, rows, said, seen, settled
from tests.session.careless import chained, played

APP = Path(i18n.__file__).parent
PO = APP / "locale" / "zh" / "LC_MESSAGES" / "xiangshe.po"


Capture = pytest.CaptureFixture[str]


def catalogue() -> Catalog:
    return read_po(BytesIO(PO.read_bytes()), "zh")


def calls() -> Iterator[tuple[str, str, ast.Call]]:
    """(where, name, call) for every ``_()`` and ``mark()`` of the screen."""
    for path in sorted(APP.glob("*.py")):
        if path.name == "i18n.py":
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("_", "mark"):
                yield f"{path.name}:{node.lineno}", node.func.id, node


def literal(call: ast.Call) -> str | None:
    (argument, *_) = call.args
    return argument.value if isinstance(argument, ast.Constant) and isinstance(argument.value, str) else None


def marked() -> set[str]:
    """Names of constants whose words were marked where they stand: ``PACES = (mark("slow"), …)``."""
    found = set()
    for path in APP.glob("*.py"):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
            if any(isinstance(n, ast.Name) and n.id == "mark" for n in ast.walk(node)):
                found |= {t.id for t in targets if isinstance(t, ast.Name)}
    return found


def test_every_message_is_a_literal() -> None:
    for where, name, call in calls():
        if literal(call) is None:
            names = {n.id for n in ast.walk(call.args[0]) if isinstance(n, ast.Name)}
            assert name == "_" and names & marked(), f"{where}: a message must be written out, or marked"


def test_every_message_has_its_chinese() -> None:
    messages = catalogue()
    for where, _name, call in calls():
        text = literal(call)
        if text is not None:
            found = messages.get(text)
            assert found is not None and found.string, f"{where}: no Chinese for {text!r}"
            assert not found.fuzzy, f"{where}: unsure Chinese for {text!r}"


def test_no_message_is_left_over() -> None:
    said_here = {literal(call) for _, _, call in calls()}
    assert [m.id for m in catalogue() if m.id and m.id not in said_here] == []


def test_both_languages_have_the_same_blanks() -> None:
    for message in catalogue():
        if message.id:
            blanks = [sorted(re.findall(r"\{\w*\}", str(text))) for text in (message.id, message.string)]
            assert blanks[0] == blanks[1], message.id


def test_blanks_are_filled_by_name() -> None:
    for where, _name, call in calls():
        wanted = set(re.findall(r"\{(\w+)", literal(call) or ""))
        assert wanted == {k.arg for k in call.keywords}, where


def test_the_compiled_catalogue_is_what_the_written_one_says() -> None:
    with PO.with_suffix(".mo").open("rb") as file:
        compiled = {m.id: m.string for m in read_mo(file) if m.id}
    assert compiled == {m.id: m.string for m in catalogue() if m.id and m.string}


def test_the_mark_changes_nothing_and_an_unknown_language_is_refused() -> None:
    assert i18n.mark("x") == "x"
    with pytest.raises(ValueError, match="no language"):
        i18n.use("la")
    i18n.use("en")
    assert i18n.other_language() == "zh" and i18n._("play") == "play"
    i18n.use("zh")
    assert i18n.other_language() == "en" and i18n._("play") == "行礼"


@pytest.mark.parametrize(
    ("environment", "lang"),
    [
        ({"LANG": "zh_CN.UTF-8"}, "zh"),
        ({"LANG": "zh_TW.UTF-8", "LC_ALL": "de_DE.UTF-8"}, "en"),
        ({"LC_MESSAGES": "zh_CN.UTF-8", "LANG": "C.UTF-8"}, "zh"),
        ({"LC_ALL": "", "LANG": "zh_CN.UTF-8"}, "zh"),
    ],
)
def test_the_language_that_the_environment_asks_for(
    monkeypatch: pytest.MonkeyPatch, environment: dict[str, str], lang: str
) -> None:
    monkeypatch.setattr("locale.getlocale", lambda: ("C", "UTF-8"))
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert preferred() == lang


@pytest.mark.parametrize(("name", "lang"), [("zh_CN", "zh"), ("Chinese (Simplified)_China", "zh"), ("de_DE", "en")])
def test_the_language_of_the_locale(monkeypatch: pytest.MonkeyPatch, name: str, lang: str) -> None:
    monkeypatch.setattr("locale.getlocale", lambda: (name, "UTF-8"))
    assert preferred() == lang


@pytest.mark.parametrize("kept", ["", "zh", "en"])
@pytest.mark.parametrize("locale", ["zh_CN.UTF-8", "en_US.UTF-8", "C"])
@pytest.mark.parametrize("command", ["play", "replay"])
def test_line_by_line_it_speaks_the_one_language_that_the_screen_would(
    command: str, locale: str, kept: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    if kept:
        settings.keep("screen", {"language": kept})
    monkeypatch.setenv("LANG", locale)
    monkeypatch.setattr("sys.stdin", StringIO("quit\n"))
    path = tmp_path / "one.jsonl"
    if command == "play":
        assert main(["play", "--plain", "--from", "1", "--level", "童子", "--out", str(path)]) == 0
    else:
        path.write_bytes(played().data)
        assert main(["replay", "--plain", str(path)]) == 0
    told = capsys.readouterr().out.replace(str(path), "")
    chinese = (kept or preferred()) == "zh"
    names = "xiangshe play --plain --open" if chinese else "「.*?」|level 童子|[(](士|君子|童子)[)]|scenario 常"
    assert not re.search("[a-z]{3}" if chinese else "[\u3400-\u9fff]", re.sub(names, "", told)), told


# On the screen

KEYS = {"Esc", "Enter", "Tab", "PgUp", "PgDn", "home", "end", "English"}


def words(lines: list[str]) -> set[str]:
    """English words: three Latin letters or more."""
    return set(re.findall(r"[A-Za-z]{3,}", "\n".join(lines)))


@pytest.mark.parametrize("level", ["童子", "士", "君子"])
async def test_no_english_is_left_on_a_chinese_screen(make: Make, level: str) -> None:
    async with opened(make(playing(P05, level=level), "en")) as pilot:
        assert words(rows(pilot)) - KEYS
        if level == "君子":
            await press(pilot, "escape")
        await press(pilot, "e")
        assert words(rows(pilot)) <= KEYS
        for key in ("w", "?", "c", "a", "r"):
            await press(pilot, key)
            assert words(rows(pilot)) <= KEYS, key
            await press(pilot, "escape")
        for key in ("2", "enter", "g", "t", "m", "[", ";", "+", "k", "z", "f"):
            await press(pilot, key)
            assert words(rows(pilot)) <= KEYS, key


async def test_none_of_the_programs_chinese_is_left_on_an_english_screen(make: Make) -> None:
    pieces = {
        piece
        for m in catalogue()
        if m.id and not any("\u3400" <= c <= "\u9fff" for c in str(m.id))
        for piece in re.split(r"[^\u3400-\u9fff]+", str(m.string))
        if len(piece) > 2
    }
    async with opened(make(playing(P05))) as pilot:
        assert any(p in seen(pilot) for p in pieces) or "何以" in seen(pilot)
        await press(pilot, "z", "t", "e")
        await pilot.resize_terminal(*WIDE)
        await settled(pilot)
        for key in ("z", "w", "escape", "?", "escape", "2", "2", "g", "f"):
            await press(pilot, key)
            lines = rows(pilot)
            told = lines[0] + "".join(lines[28:])
            assert not [p for p in pieces if p in told], key
        assert "徐" not in lines[0] and "停" not in lines[0]


# From outside

STRANGE = ("[red]x[/]", "[/", "[/b]", "[@click=app.quit]x[/]", "{}{0}%s", "\\[b]")
STEERING = "a\x1b[2Jb\u202ec"


@pytest.mark.parametrize("text", [*STRANGE, STEERING])
async def test_text_from_outside_is_shown_as_it_is(make: Make, saves: Path, text: str) -> None:
    name = text.replace("/", "⁄")
    lines = played().lines
    act = next(x for x in lines if x["t"] == "act" and x["by"] == "player" and not x["verdict"]["faults"])
    note = next(x for x in lines if x["t"] == "note")
    act["speech"], note["text"], lines[0]["data"] = text, text, "0" * 64
    path = saves / f"9{name}.jsonl"
    path.write_bytes(chained(lines))
    (saves / f"8{name}.jsonl").write_bytes(b"broken\n")
    (saves / "7.jsonl").write_bytes(chained([{**lines[0], "players": {"宾": text}}, *lines[1:]]))
    shown = text.replace("\x1b", "\\x1b").replace("\u202e", "\\u202e")
    async with opened(make()) as pilot:
        await press(pilot, "y")
        assert shown in seen(pilot) and shown.replace("/", "⁄") in seen(pilot)
        await press(pilot, "down", "enter")
        assert "坏" in said(pilot, "#title-foot")
        await settled(pilot)
        await press(pilot, "escape")
    for n in (act["n"], note["n"]):
        async with opened(make(Start("replay", path=path, at=n))) as pilot:
            await press(pilot, "right", "left")
            assert shown in said(pilot, "#told")
            assert "\x1b" not in seen(pilot) and "\u202e" not in seen(pilot)


async def test_what_is_typed_is_shown_as_it_is(make: Make) -> None:
    async with opened(make(playing(P05, level="君子"))) as pilot:
        screen = rite(pilot)
        for text in STRANGE:
            screen.typed.value = text
            await press(pilot, "enter")
            assert isinstance(pilot.app.screen, RiteScreen)
            assert said(pilot)
        await press(pilot, "up")
        assert screen.typed.value == STRANGE[-1] and STRANGE[-1] in seen(pilot)


async def test_a_speech_in_play(make: Make) -> None:
    async with opened(make(playing(P04))) as pilot:
        screen = rite(pilot)
        for text in STRANGE[:3]:
            screen.session.act({"verb": "对", "to": ["主人"], "speech": text}, "宾")
            screen.skip()
            await settled(pilot)
        screen.retell_told()
        await press(pilot, "a")
        heard = [x for x in screen.session.journal.lines if x.get("speech") in STRANGE and x["t"] == "act"]
        assert all(x["speech"] in seen(pilot) for x in heard)


def test_no_words_of_a_widget_are_read_as_markup() -> None:
    """``update`` and ``Static`` are given ``Text``, never a bare string."""
    for path in APP.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call) or not node.args:
                continue
            name = getattr(node.func, "id", "") or getattr(node.func, "attr", "")
            if name in ("Static", "Label", "update", "Option"):
                bare = isinstance(node.args[0], ast.Constant | ast.JoinedStr | ast.BinOp)
                assert not bare, f"{path.name}:{node.lineno}: {name} of a bare string"


# Cards and the account

CHINESE = re.compile("[\u3400-\u9fff]")


async def test_the_reasons_name_place_and_facing_in_the_language_in_use(make: Make) -> None:
    async with opened(make(playing(P05), "en")) as pilot:
        screen = rite(pilot)
        right = next(n for n, c in enumerate(screen.palette.choices, 1) if c.right)
        await press(pilot, str(right), str(right), "g")
        await press(pilot, "w")
        shown = [line.split("│")[1] for line in rows(pilot) if line.count("│") == 2]
        ours = [line for line in shown if not re.search(r"P\d\d\.\d\d\d|「|^ 文|^ 推|^ 注|^ 补", line)]
        assert any("facing" in line for line in ours)
        assert [line for line in ours if CHINESE.search(line)] == []


async def test_a_long_line_of_the_account_goes_on_set_in_and_its_fault_is_apart(make: Make) -> None:
    async with opened(make(playing(P05), "en")) as pilot:
        account = rite(pilot).stage.account
        told = [strip.text.rstrip() for strip in account.lines]
        assert any(line.startswith("  ") for line in told)
        assert all(line.startswith("  ") or ": " in line or line[:2].isdecimal() for line in told)
        screen = rite(pilot)
        screen.session.act({"verb": "揖", "to": ["主人"], "times": 3}, "宾")
        screen.skip()
        await settled(pilot)
        assert any(" — " in text.plain for text in account.told)
        await press(pilot, "e")
        assert any(re.search(" — (?:失|小失|违)：", text.plain) for text in account.told)


@pytest.mark.parametrize(
    ("held", "zh", "en"),
    [
        ({"两": ["爵1"]}, "两手奉爵", "both: jue cup"),
        ({"左": ["司射之弓"], "挟": ["矢1"], "带": ["矢2", "矢3", "矢4"]}, "左手执弓，挟矢，带搢三矢", "left: bow"),
        ({}, "手空", "hands empty"),
    ],
)
async def test_what_is_in_the_hands(make: Make, held: dict[str, list[str]], zh: str, en: str) -> None:
    async with opened(make(playing(P05))) as pilot:
        record = {"hands": held, "dress": ["袒", "决遂"], "at": "当左物", "facing": "南", "posture": "立"}
        seat = rite(pilot).seat
        line = rite_cards.body(seat, record)
        assert line.startswith(f"{zh}  袒、决遂")
        i18n.use("en")
        line = rite_cards.body(seat, record)
        assert line.startswith(en) and not CHINESE.search(line)
        assert "standing S" in line[:79], "what matters is not cut off"


async def test_a_card_has_a_frame(make: Make) -> None:
    async with opened(make(playing(P05))) as pilot:
        await press(pilot, "?")
        assert sum("╭" in row for row in rows(pilot)) == 1 and sum("╰" in row for row in rows(pilot)) == 1


async def test_the_result_can_be_opened_again_and_the_keys_say_so(make: Make) -> None:
    async with opened(make(playing("01-戒宾", role="众宾5"), "en")) as pilot:
        for _ in range(20):
            if rite(pilot).session.ended:
                break
            await press(pilot, "d", "g")
        assert "the rite is over" in seen(pilot)
        await press(pilot, "escape")
        assert "Enter the result" in seen(pilot)
        await press(pilot, "enter")
        assert "the rite is over" in seen(pilot)
        await press(pilot, "escape", "?")
        assert "the result again" in " ".join(seen(pilot).split())
