"""The golden playthroughs come out as they are kept, and each input comes to what its script says by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.playthroughs.regenerate import HOW, compared, difference, main
from tests.playthroughs.transcript import FOLDER, Playthrough, Script, files

SHORT = "players: 宾\nscenario: 常\nfrom: 01-戒宾\nto: 01-戒宾\n\n"


@pytest.mark.parametrize("path", files(), ids=lambda p: p.stem)
def test_a_playthrough_comes_out_as_it_is_kept(path: Path) -> None:
    kept, now, unexpected = compared(path)
    if unexpected:
        pytest.fail("\n".join([path.name, *unexpected]), pytrace=False)
    if kept != now:
        pytest.fail(f"{difference(path.name, kept, now)}\n{HOW}", pytrace=False)


def test_what_was_written_reads_back_to_the_same_script() -> None:
    script = Script.read(SHORT + "# He comes out.\n> 出 宾家门外 西面\n> 兴 ! 拒\n")
    written = Playthrough.of(script).play()
    assert Script.read(written) == script
    assert Playthrough.of(Script.read(written)).play() == written


def test_a_verdict_that_was_not_expected_is_told_whatever_is_kept() -> None:
    playthrough = Playthrough.of(Script.read(SHORT + "> 出 宾家门外 东面\n> 迎 主人 ! 位\n> 西面 拜 主人 ! 数\n"))
    playthrough.play()
    assert [one.partition(":")[0] for one in playthrough.unexpected] == ["> 出 宾家门外 东面", "> 迎 主人 ! 位"]


def test_checking_shows_what_differs_and_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "short.txt"
    path.write_bytes(
        Playthrough.of(Script.read(SHORT + "> 出 宾家门外 西面\n")).play().replace("西面：", "东面：").encode()
    )
    before = path.read_bytes()
    monkeypatch.setattr("tests.playthroughs.regenerate.files", lambda: [path])
    assert main(["--check"]) == 1
    said = capsys.readouterr()
    assert "-  宾 宾家门外 东面：出" in said.out
    assert "+  宾 宾家门外 西面：出" in said.out
    assert "make golden" in said.err
    assert path.read_bytes() == before
    assert main([]) == 0
    assert main(["--check"]) == 0


def test_they_are_short_enough_to_be_read() -> None:
    assert len(files()) >= 6
    long = {p.name: n for p in FOLDER.glob("*.txt") if (n := len(p.read_text(encoding="utf-8").splitlines())) > 350}
    assert not long
