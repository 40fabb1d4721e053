"""Parsed data is kept under the digest of its file: the same content, never stale, never needed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from game.rite.yaml_cache import load_cached
from game.rite.yaml_strict import DataError, Record, load_yaml
from tests.builders import DATA

FILES = sorted([*(DATA / "rite").glob("*.yaml"), *(DATA / "vocabulary").glob("*.yaml")])


def lines_of(value: Any) -> list[str]:
    """Where every record of some content stands, in order."""
    if isinstance(value, Record):
        return [value.where, *(w for v in value.values() for w in lines_of(v))]
    return [w for v in value for w in lines_of(v)] if isinstance(value, list) else []


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.stem)
def test_a_kept_copy_is_what_the_file_holds(path: Path, tmp_path: Path) -> None:
    fresh = load_yaml(path)
    assert load_cached(path, tmp_path) == fresh
    assert list(tmp_path.iterdir())
    kept = load_cached(path, tmp_path)
    assert kept == fresh
    assert lines_of(kept) == lines_of(fresh)


def test_a_changed_file_is_read_anew(tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    path.write_text('a: "1"\n', encoding="utf-8")
    assert load_cached(path, tmp_path / "kept") == {"a": "1"}
    path.write_text('a: "2"\n', encoding="utf-8")
    assert load_cached(path, tmp_path / "kept") == {"a": "2"}


@pytest.mark.parametrize("damage", [b"", b"{", b"[1]\xff", b'{"a":{}}'])
def test_a_damaged_copy_is_not_believed(damage: bytes, tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    path.write_text('a: "1"\n', encoding="utf-8")
    load_cached(path, tmp_path / "kept")
    (copy,) = (tmp_path / "kept").iterdir()
    copy.write_bytes(damage)
    assert load_cached(path, tmp_path / "kept") == {"a": "1"}
    assert json.loads(copy.read_bytes())["a"] == "1"


def test_where_nothing_can_be_kept_the_file_is_read(tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    path.write_text('a: "1"\n', encoding="utf-8")
    blocked = tmp_path / "blocked"
    blocked.write_text("a file where a folder should be", encoding="utf-8")
    assert load_cached(path, blocked) == {"a": "1"}


def test_a_wrong_file_is_told_as_ever(tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    path.write_text('a: "1"\na: "2"\n', encoding="utf-8")
    for _ in range(2):
        with pytest.raises(DataError, match=r"a\.yaml:2"):
            load_cached(path, tmp_path / "kept")
    assert not (tmp_path / "kept").exists()
