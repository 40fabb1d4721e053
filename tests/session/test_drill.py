"""What to practise: of the phases in which one has something to do, the one due longest, else the first new one."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

from game import cli, paths
from game.rite.yaml_strict import DataError
from game.session.acting import acting
from game.session.drill import Drills
from game.session.journal import read_journal
from tests.builders import scene

ACTING = {"01-戒宾": {"宾"}, "02-陈设": {"赞者1"}, "04-迎宾拜至": {"宾", "主人"}, "05-主人献宾": {"主人"}}


def schedule(tmp_path: Path, *cards: tuple[str, str, str]) -> Drills:
    """Drills with (phase, role, the day on which it is due)."""
    drills = Drills(tmp_path / "drills.json")
    for phase, role, day in cards:
        drills.mark(phase, role, 1.0)
        drills.cards[f"{phase}|{role}"]["due"] = f"{day}T00:00:00+00:00"
    return drills


def test_a_phase_in_which_the_role_does_nothing_is_never_taken(tmp_path: Path) -> None:
    assert schedule(tmp_path).most_overdue(ACTING, "宾") == ("01-戒宾", "宾")
    done = schedule(tmp_path, ("01-戒宾", "宾", "2999-01-01"))
    assert done.most_overdue(ACTING, "宾") == ("04-迎宾拜至", "宾"), "there is nothing for him to do in phase 2"
    stale = schedule(tmp_path, ("02-陈设", "宾", "2000-01-01"))
    assert stale.most_overdue(ACTING, "宾") == ("04-迎宾拜至", "宾"), "what was entered under other data"
    with pytest.raises(DataError, match="相 has nothing to do"):
        schedule(tmp_path).most_overdue(ACTING, "相")


def test_what_is_due_longest_goes_before_what_is_new(tmp_path: Path) -> None:
    drills = schedule(tmp_path, ("05-主人献宾", "主人", "2001-01-01"), ("04-迎宾拜至", "宾", "2002-01-01"))
    assert drills.most_overdue(ACTING) == ("05-主人献宾", "主人")
    assert drills.most_overdue(ACTING, "宾") == ("04-迎宾拜至", "宾"), "who is asked for alone"
    later = schedule(tmp_path, ("05-主人献宾", "主人", "2999-01-01"), ("04-迎宾拜至", "主人", "2998-01-01"))
    assert later.most_overdue(ACTING, "主人") == ("04-迎宾拜至", "主人"), "where all is practised, the next"


def test_each_phase_names_those_who_act_in_it() -> None:
    found = acting(scene("01-戒宾", "01-戒宾", "宾").ceremony.rite)
    assert list(found)[:2] == ["01-戒宾", "02-陈设"]
    assert "宾" in found["01-戒宾"] and "宾" not in found["02-陈设"] and all(found.values())


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(paths, "user_data", lambda: tmp_path)
    monkeypatch.setattr(paths, "saves_dir", lambda: tmp_path)
    return tmp_path


def drill(monkeypatch: pytest.MonkeyPatch, typed: str, *given: str) -> int:
    monkeypatch.setattr("sys.stdin", io.StringIO(typed))
    return cli.main(["drill", "--plain", "--lang", "en", "--level", "童子", *given])


def saved(home: Path) -> tuple[Path, dict[str, Any]]:
    (path,) = home.glob("*.jsonl")
    return path, read_journal(path).lines[0]


def test_a_drill_is_told_and_kept_as_one_and_entered_at_its_end_alone(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert drill(monkeypatch, "quit\n", "3", "--role", "host") == 0
    said = capsys.readouterr().out
    assert "Drill of phase 3" in said and "nothing is entered" in said and "Due again" not in said
    path, header = saved(home)
    assert header["drill"] is True and not (home / "drills.json").exists()
    monkeypatch.setattr("sys.stdin", io.StringIO("1\n" * 20))
    assert cli.main(["play", "--plain", "--lang", "en", "--open", str(path)]) == 0
    assert "Due again" in capsys.readouterr().out, "taken up again it is still a drill"
    assert list(json.loads((home / "drills.json").read_text("utf-8"))["cards"]) == ["03-速宾|主人"]
    assert cli.main(["verify", str(path)]) == 0


def test_a_drill_in_which_one_has_nothing_to_do_is_refused(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert drill(monkeypatch, "quit\n", "2", "--role", "guest") == 2
    assert "nothing to do in phase 02-陈设" in capsys.readouterr().err
    assert not list(home.glob("*.jsonl"))
