"""The glossary says of every word of the rite what it is, on clauses of the text; found by graph, sound and English."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from game.cli import main
from game.core.term import Term
from game.rite.book import Book
from game.rite.glossary import load_glossary
from game.rite.yaml_strict import DataError
from game.session.glossary import Glossary, find_terms, in_full
from tests.builders import scenarios, scene, the_book
from tests.session.copies import P01, Copy

TERMS = list(the_book().glossary.values())
GRAPHS = set("尺拾豫")
"""Single graphs that stand in English sentences because there is no English word for them; offices stand in full."""
P05 = "05-主人献宾"


def only(part: str, word: str) -> Term:
    return the_book().glossary[part, word]


@pytest.mark.parametrize("scenario", scenarios())
def test_every_word_of_every_scenario_has_its_entry(scenario: str) -> None:
    book = the_book()
    words = book.words(book.scenarios[scenario].options)
    glossary = Glossary(book, words)
    roster = words.roster
    offices = {
        node.office for node in book.rite(book.scenarios[scenario].options, words).nodes if hasattr(node, "office")
    }
    people = {*(p.id for p in roster.persons), *roster.groups, *roster.pairs, *offices} - {""}
    asked = {
        glossary.verb: words.verbs, glossary.place: words.places, glossary.thing: words.things, glossary.person: people,
    }  # fmt: skip
    assert [name for find, names in asked.items() for name in names if find(name) is None] == []


@pytest.mark.parametrize("term", TERMS, ids=lambda t: f"{t.part}-{t.id}")
def test_an_entry_is_one_plain_sentence_in_each_language_on_clauses_of_the_text(term: Term) -> None:
    assert term.pinyin and term.name
    assert set(term.clauses) <= set(the_book().clauses)
    assert term.clauses or term.basis == "补"
    assert term.zh.endswith("。") and term.zh.count("。") == 1 and not re.search("[A-Za-z]", term.zh)
    assert term.en.endswith(".") and term.en[0].isupper() and len(term.en) < 200
    assert set(re.findall("[\u3400-\u9fff]", term.en)) <= GRAPHS | set("司正马")


@pytest.mark.parametrize(
    ("part", "word", "en", "clause"),
    [
        ("places", "乏", "five paces to the west", "P02.025"),
        ("places", "乏", "a third of the range", "P02.023"),
        ("things", "丰", "west of the west pillar", "P33.004"),
        ("places", "下篚", "west of the basin", "P02.015"),
        ("things", "楅", "dragon heads", "P54.014"),
        ("things", "物", "two between the pillars", "P53.019"),
        ("places", "阼阶", "the host's", "P04.015"),
        ("verbs", "厌", "the guest does so to the other guests", "P04.007"),
        ("verbs", "让", "three times", "P04.014"),
        ("verbs", "酬", "undrunk", "P07.035"),
        ("things", "筭", "eighty", "P55.017"),
        ("persons", "三耦", "six juniors", "P53.002"),
        ("places", "洗", "as far south as the hall is deep", "P02.012"),
    ],
)
def test_what_is_said_is_what_the_text_says(part: str, word: str, en: str, clause: str) -> None:
    term = only(part, word)
    assert en in term.en.replace("The", "the", 1) and clause in term.clauses


def test_what_commentators_disagree_about_is_said_to_be_disputed() -> None:
    assert all("disputed" in only(*key).en for key in (("places", "侯中"), ("verbs", "挞"), ("verbs", "钩楹")))


@pytest.mark.parametrize(
    ("wanted", "words"),
    [
        ("爵", ["爵"]),
        ("jué", ["爵", "决"]),
        ("jue", ["爵", "决"]),
        ("the host", ["主人"]),
        ("HOST", ["主人"]),
        ("arrow rack", ["楅", "楅"]),
        ("zuò jiē", ["阼阶"]),
        ("洗", ["洗", "洗", "洗"]),
        ("賓", ["宾"]),
    ],
)
def test_a_word_is_found_by_graph_sound_and_english(wanted: str, words: list[str]) -> None:
    assert [t.id for t in find_terms(the_book(), wanted)] == words


def test_words_of_a_sentence_find_it() -> None:
    assert [t.id for t in find_terms(the_book(), "dragon heads")] == ["楅"]
    assert find_terms(the_book(), "  ") == find_terms(the_book(), "no such thing") == []


def test_an_entry_in_full_has_its_ground_and_the_words_of_its_clauses() -> None:
    told = in_full(the_book(), only("verbs", "揖"), ("en",))
    assert "after the commentators" in told and "P04.005  揖众宾" in told and "推手" not in told


def test_only_what_has_been_met_is_met() -> None:
    session = scene(P05, P05, "宾")
    met = [t.id for t in Glossary(session.book, session.ceremony.words).met(session.counted())]
    assert {"主人", "取", "爵", "上篚", "坐", "兴", "降"} <= set(met)
    assert not {"乏", "拜", "司射"} & set(met)


# The data


def test_the_glossary_does_not_make_saved_sessions_those_of_other_data(tmp_path: Path) -> None:
    copy = Copy(tmp_path, *the_book().raw.phases)
    before = Book(copy.folder).digest
    copy.spoil("glossary", "献酢所用之酒器", "酒器")
    assert Book(copy.folder).digest == before


def test_check_names_a_word_without_entry_and_what_is_wrong_in_one(tmp_path: Path) -> None:
    copy = Copy(tmp_path, P01)
    copy.spoil("glossary", '{id: "厌", ', '{id: "嗟", ')
    copy.spoil("glossary", '"P02.023", "P02.024"', '"P99.001", "P02.024"')
    copy.spoil("glossary", 'clauses: ["P33.069"]', "clauses: []")
    errors = "\n".join(copy.check().errors)
    assert re.search(r"verbs.yaml:\d+: 厌: no entry in glossary.yaml; add one under verbs", errors)
    assert re.search(r"glossary.yaml:\d+: 嗟: the vocabulary has no such word", errors)
    assert re.search(r"glossary.yaml:\d+: 乏: no clause P99.001", errors)
    assert re.search(r"glossary.yaml:\d+: 彻: has no clause; cite one, or say basis 补", errors)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('basis: "推"', 'basis: "臆"', r"glossary.yaml:\d+: .*no basis 臆"),
        ('{id: "退", ', '{id: "进", ', r"glossary.yaml:\d+: a second entry 进 in verbs, after glossary.yaml:\d+"),
        ("things:\n", "stuff:\n", r"glossary.yaml:1: must be a mapping of verbs, places, things, persons"),
        ('zh: "事毕而去。", ', "", r"glossary.yaml:\d+: .*zh"),
    ],
)
def test_an_entry_that_is_not_well_shaped_is_refused(tmp_path: Path, old: str, new: str, message: str) -> None:
    copy = Copy(tmp_path, P01)
    copy.spoil("glossary", old, new)
    with pytest.raises(DataError, match=message):
        load_glossary(copy.folder)
    assert re.search(message, "\n".join(copy.check().errors))


def test_a_data_folder_without_a_glossary_can_be_played(tmp_path: Path) -> None:
    copy = Copy(tmp_path, P01)
    (copy.folder / "glossary.yaml").unlink()
    assert Book(copy.folder).glossary == {}


# The command


def test_the_command_lists_finds_and_answers_in_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["glossary", "--lang", "en"]) == 0
    listed = capsys.readouterr().out.splitlines()
    assert [x for x in listed if x.startswith("# ")] == ["# verbs", "# places", "# things", "# persons"]
    assert len(listed) == len(TERMS) + 4
    assert not re.search("[。]", "\n".join(listed))
    assert main(["glossary", "乏", "--lang", "zh"]) == 0
    told = capsys.readouterr().out
    assert "偏西五步" in told and "P02.025  西五步" in told and "Where" not in told
    assert main(["glossary", "rod", "--json"]) == 0
    (rod,) = json.loads(capsys.readouterr().out)
    assert (rod["id"], rod["part"], rod["pinyin"]) == ("扑", "things", "pū") and "where" not in rod


def test_a_word_that_is_not_there_is_answered_with_those_near_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["glossary", "arow rack"]) == 2
    assert "楅" in capsys.readouterr().err
    assert main(["glossary", "qqqq"]) == 2
    assert "`xiangshe glossary` lists all" in capsys.readouterr().err
