"""What is said of acts and faults: sentences, in one language alone, and everybody by one name."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from game.core.choreography import Act, FaultKind
from game.core.ruling import Refusal
from game.rules.faults import FIELD_FAULTS
from game.session.ceremony import Ceremony
from game.session.explain import Explainer
from game.session.lexicon import Lexicon
from game.session.names import bindings
from game.session.notation import parse
from game.session.replay import voided
from game.session.score import in_full, in_points
from game.session.telling import aloud, follow, offices_at, sentence
from tests.builders import scenarios, scene, the_book
from tests.session.careless import played

CHINESE = re.compile("[\u3400-\u9fff]")
DOUBLED = re.compile(r"(\S+) \1(?![^ ])|([\u3400-\u9fff])\2")
HANGING = re.compile(
    r"\b(?:at|from|of|into|with|to|towards)(?=,|$| (?:at|to|from|of|in|into|with|facing)\b)|\b(\w+) \1\b"
)
"""A preposition without its object, or a word twice."""


Said = tuple[str, str, str, str, Lexicon]


def said_acts() -> Iterator[Said]:
    """(step, verb, Chinese, English, what can be typed) of every act of every scenario that reads otherwise than those
    before.
    """
    seen = set()
    for scenario in (the_book().scenarios[name] for name in scenarios()):
        explainer = Explainer(the_book(), Ceremony(the_book(), scenario))
        rite = explainer.ceremony.rite
        lexicon = Lexicon.of(explainer.ceremony.words, rite)
        for act in (node for node in rite.nodes if isinstance(node, Act)):
            for index in bindings(rite, act):
                fields = {
                    name: [rite.fill(v, act, index) if isinstance(v, str) else v for v in values]
                    for name, values in act.fields.items()
                }
                for verb in act.choices or (act.verb,):
                    both = explainer.phrase(verb, fields), explainer.english(verb, fields)
                    if both not in seen:
                        seen.add(both)
                        yield rite.step_name(act, index), verb, *both, lexicon


@pytest.fixture(scope="module")
def acts() -> list[Said]:
    return list(said_acts())


def test_no_act_has_a_word_twice(acts: list[Said]) -> None:
    assert len(acts) > 500
    assert [(step, zh) for step, _, zh, _, _ in acts if DOUBLED.search(zh)] == []
    assert [(step, zh) for step, _, zh, _, _ in acts if re.search("[A-Za-z]", zh)] == []


def test_no_english_act_has_chinese_or_a_preposition_without_its_object(acts: list[Said]) -> None:
    assert [(step, en) for step, _, _, en, _ in acts if CHINESE.search(en)] == []
    assert [(step, en) for step, _, _, en, _ in acts if HANGING.search(en)] == []


AWKWARD = re.compile(
    r"\bat the [NS]?[EW]? of\b|decline the (?:washing|coming|descending).* to |hold the .* from"
    r"|announce [^,]* to the \w+$|offer in (?:sacrifice|return) the|tuck in the belt|on the shoulder the"
    r"|spread a mat at|guide a musician to"
)
STIFF = re.compile("(?:^| )(?:戒|速|送|迎|命|揖|厌|作|视|从)(?:于\\S+)? 向|(?:献|酢|授|告|受命)[^ （）]* 向")


def test_acts_are_said_as_the_text_and_as_english_have_them(acts: list[Said]) -> None:
    assert [(step, en) for step, _, _, en, _ in acts if AWKWARD.search(en)] == []
    assert [(step, zh) for step, _, zh, _, _ in acts if STIFF.search(zh)] == []


@pytest.mark.parametrize(
    ("verb", "act", "zh", "en"),
    [
        ("辞", {"manner": "辞洗", "to": "主人"}, "辞洗 向主人", "decline the host's washing"),
        ("祭", {"object": "酒"}, "祭酒", "offer the wine in sacrifice"),
        ("执", {"object": "爵", "from": "荐西"}, "执爵 自荐西", "take up the jue cup from the W of the guest's food"),
        ("坐", {"at": "洗北"}, "洗北 坐", "N of the basin, kneel"),
        ("厌", {"to": "众宾"}, "厌 众宾", "salute the other guests with hands drawn in"),
        ("告", {"manner": "告旨", "to": "主人"}, "告旨 于主人", "announce to the host in praise of the wine"),
        ("从", {"at": "门外西", "to": "主人"}, "从主人 于门外西", "follow the host to the guest side outside the gate"),
        ("席", {"object": "席", "into": "宾席"}, "席 于宾席", "spread the guest's mat"),
    ],
)
def test_an_act_in_words_and_what_is_read_back_of_it(verb: str, act: dict[str, str], zh: str, en: str) -> None:
    explainer = scene("05-主人献宾", "05-主人献宾", "宾").explainer
    lexicon = Lexicon.of(explainer.ceremony.words, explainer.ceremony.rite)
    given = {"verb": verb, **act}
    for text, english in ((zh, False), (en, True)):
        assert explainer.act(given, english, at=True) == text
        found = parse(text, lexicon)
        assert not isinstance(found, Refusal), text
        (typed,) = found
        read = {k: v[0] if isinstance(v, list) else v for k, v in typed.items()}
        assert {k: read.get(k) for k in given if k not in ("object", "manner")} == {
            k: v for k, v in given.items() if k not in ("object", "manner")
        }, text


def test_what_would_be_wrong_is_found() -> None:
    for wrong in ("执弓弓", "行当当阶", "县 县", "席 席 于宾席"):
        assert DOUBLED.search(wrong), wrong
    for wrong in ("look at to the pair", "go to", "set down at, facing N", "sight the target target"):
        assert HANGING.search(wrong), wrong


def test_what_is_said_of_an_act_can_be_typed(acts: list[Said]) -> None:
    wrong = []
    for step, verb, zh, en, lexicon in acts:
        # The place 尊 and the verb are one graph.
        for text in (zh.removeprefix("尊 "), en):
            found = parse(text, lexicon)
            if isinstance(found, Refusal) or [a["verb"] for a in found] not in ([verb], [f"{verb}弓"]):
                wrong.append((step, text, found))
    assert wrong == []


# Faults

KINDS: tuple[FaultKind, ...] = FaultKind.__args__  # type: ignore[attr-defined]
FAULTS = {
    "序": ("坐", "坐"), "阙": ("坐", "无"), "过": ("无", "揖"), "位": ("阼阶上", "西阶上"), "面": ("北", "南"),
    "数": ("2", "1"), "容": ("立", "坐"), "器": ("爵", "觯"), "服": ("袒", "袭"), "手": ("左", "右"),
    "先后": ("俟", "升"), "辞": ("诺", "否"), "僭": ("相", "宾"),
}  # fmt: skip
"""Of each kind what was expected and what was done."""


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_of_fault_is_a_sentence_of_its_own(kind: str) -> None:
    words = scene("05-主人献宾", "05-主人献宾", "宾").explainer.fault_words
    wanted, got = FAULTS[kind]
    fault = {"kind": kind, "expected": wanted, "got": got}
    zh, en = words.zh(fault), words.en(fault)
    assert zh.endswith("。") and en.endswith(".") and en[0].isupper()
    assert not re.search("[A-Za-z0-9]|，而。|当，", zh), zh
    assert kind == "辞" or not CHINESE.search(en), en
    assert not re.search(r"  |\bNone\b| ,|where  ", en), en
    for other, (expected, done) in FAULTS.items():
        if other != kind:
            assert words.en({"kind": other, "expected": expected, "got": done}) != en


def test_a_facing_is_said_as_it_should_be() -> None:
    words = scene("05-主人献宾", "05-主人献宾", "宾").explainer.fault_words
    fault = {"kind": "面", "expected": "北", "got": "南"}
    assert words.zh(fault) == "当面北，而面南。"
    assert words.en(fault) == "You faced south where north is due."


@pytest.mark.parametrize("kind", sorted(set(FIELD_FAULTS.values()) - {"面"}))
def test_what_was_not_said_at_all_is_no_gap_in_a_sentence(kind: str) -> None:
    words = scene("05-主人献宾", "05-主人献宾", "宾").explainer.fault_words
    fault = {"kind": kind, "expected": FAULTS[kind][0], "got": "0" if kind == "数" else ""}
    for text in (words.zh(fault), words.en(fault)):
        assert not re.search("，而[。，]|零|而(?:面|用|为)。|\\b0\\b|where where|used  |was where|faced where", text), (
            text
        )


def test_a_careless_session_is_told_in_one_language_at_a_time() -> None:
    lines = played().lines
    session = scene("03-速宾", "05-主人献宾", "宾")
    offices: dict[str, str] = {}
    faults = 0
    for line in lines:
        follow(offices, line)
        (zh,), (en,) = (aloud(line, session.explainer, lang, offices) for lang in ("zh", "en"))
        faults += bool((line.get("verdict") or {}).get("faults"))
        if line["t"] not in ("note", "appeal", "session"):
            assert not CHINESE.search(re.sub("「.*?」", "", en)), en
            assert not re.search("[a-z]{3,}", re.sub("p[0-9]{2}_[a-z_]+", "", zh)), zh
        assert aloud(line, session.explainer, "both", offices) == [zh, en]
    assert faults > 5 and voided(lines)


# Persons


def test_one_man_has_one_name_and_it_is_his_office() -> None:
    session = scene("13-立司正", "13-立司正", "宾")
    while not session.ended:
        session.wait()
    lines = session.journal.lines
    explainer = session.explainer
    begun = next(i for i, x in enumerate(lines) if x["t"] == "become")
    offices = offices_at(lines[: begun + 1])
    assert offices == {"相": "司正"}
    after = next(x for x in lines[begun:] if x["t"] == "act" and x["person"] == "相")
    assert sentence(after, explainer, False, offices).startswith("司正 ")
    assert sentence(after, explainer, True, offices).startswith("overseer: ")
    assert explainer.chinese.in_full("相") == "司正（相）"
    assert explainer.gloss.in_full("相") == "the overseer (host's helper)"
    before = next(x for x in lines[:begun] if x["t"] == "act" and "相" in x["to"])
    assert "相" in sentence(before, explainer, False, offices_at(lines[:begun]))


def test_points_are_told_in_one_form() -> None:
    score = {"points": 11.5, "of": 13, "score": 0.8846, "faults": {}}
    assert in_points(score) == "11.5/13" and in_full(score) == "11.5/13 = 0.885"
