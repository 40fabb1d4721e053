"""A role's machine drawn: every state shown with its act and clause, every arrow between states that are there."""

from __future__ import annotations

import re

import pytest

from game.rite.yaml_strict import DataError
from game.session.check import graph
from tests.builders import the_book


def test_a_mermaid_drawing_declares_every_state_that_its_arrows_join() -> None:
    text = graph(the_book(), "宾", "P04")
    declared = set(re.findall(r'state ".*" as (\S+)', text))
    joined = {s for pair in re.findall(r"^    (\S+) --> (\S+) :", text, re.MULTILINE) for s in pair} - {"[*]"}
    assert text.splitlines()[3] == "stateDiagram-v2"
    assert joined == declared
    assert "当 西阶上 北面 答再拜 向主人<br/>P04.020 P04.021 P04.022" in text


def test_a_dot_drawing_shows_loops_and_branches() -> None:
    text = graph(the_book(), "获者", "21-三耦射", dot=True)
    assert text.startswith('digraph "获者 · 21-三耦射" {')
    assert "疑 p21_shoots = 中" in text
    assert text.count("{") == text.count("}")


def test_a_drawing_of_somebody_without_a_part_names_those_who_have_one() -> None:
    with pytest.raises(DataError, match="主人"):
        graph(the_book(), "释获者", "01-戒宾")
