"""Whose an act is, and for how long the text rules one out."""

from __future__ import annotations

import pytest

from tests.builders import PerfectPlayer, faults, scene, step_id
from tests.rules.acting import Case, Judged, judge


def one(phase: str, person: str, before: str, **act: object) -> Judged:
    ((_, judged),) = judge([Case("one", phase, person, before, [act])])
    assert judged is not None and not judged.refused, judged
    return judged


@pytest.mark.parametrize("person", ["次耦下射", "下耦下射"])
def test_a_loser_is_forbidden_to_bow_while_he_drinks_and_no_longer(person: str) -> None:
    """P33.037: 不拜 is his whose turn it is; those who have drunk are not meant by it any more."""
    session = scene("33-饮不胜者", "33-饮不胜者", person)
    player = PerfectPlayer(session, person)

    def forbidden() -> set[object]:
        current = session.ceremony.arbiter.forbids.current()
        return {f.pattern["who"] for f in current if "拜" in f.pattern["verb"]}

    seen = {}
    while not session.ended:
        entry = player.due()
        if entry is not None:
            seen[step_id(entry["step"])] = forbidden()
        player.turn()
    assert seen["p33_loser_takes"] == seen["p33_loser_drains"] == {(person,)}
    assert (person,) not in seen["p33_loser_salutes"] | seen["p33_loser_advances"] - {(person,)}
    assert (person,) not in seen["p33_loser_lays_bow"]


def test_a_rule_for_what_is_forbidden_holds_in_its_own_phase() -> None:
    """辞 is ruled out in P01 (礼辞) and in P07 (不辞洗), each for its own reason."""
    consents = one("01-戒宾", "宾", "p01_guest_consents", verb="辞", to="主人")
    assert (consents.kinds, consents.rules) == (["过"], ["refuse_once_only"])
    washed = one("07-主人酬宾", "宾", "p07_up__p05_guest_salutes", verb="辞", manner="辞洗", to="主人")
    assert (washed.kinds, washed.rules) == (["过"], ["offer_toast_first_washing_not_declined"])


@pytest.mark.parametrize(
    ("scenario", "phase", "person", "clause", "holds"),
    [
        ("常", "12-献工与笙", "主人", "P12.002", True),
        ("大师", "12-献工与笙", "主人", "P12.002", False),
        ("大夫", "11-合乐乐宾", "乐正", "P52.038", True),
        ("常", "11-合乐乐宾", "乐正", "P52.038", False),
    ],
)
def test_a_branch_may_forbid_and_do_nothing(scenario: str, phase: str, person: str, clause: str, holds: bool) -> None:
    """P12.002, P52.038: no washing but for a master; no grandee comes in once there is music."""
    session = scene(phase, phase, person, scenario=scenario)
    assert holds is (clause in {c for f in session.ceremony.arbiter.forbids.current() for c in f.clauses})


def test_to_stand_up_to_a_bow_is_want_of_manner_and_not_an_omission() -> None:
    """少退, P05.036 P05.040 P06.027: left undone it is 容."""
    for phase, person, before in (
        ("05-主人献宾", "主人", "p05_host_steps_back"),
        ("05-主人献宾", "宾", "p05_guest_steps_back"),
        ("06-宾酢主人", "宾", "p06_guest_steps_back"),
    ):
        ((_, lapsed),) = judge([Case("lapsed", phase, person, before, [], lapse=True)])
        assert lapsed is not None and (lapsed.kinds, lapsed.rules) == (["容"], ["step_back_from_bow"]), before


def test_the_hosts_walk_of_the_commentary_may_be_left_out() -> None:
    """P06.010 has him E of the steps; that he comes forward for it is 郑's."""
    acts = [{"verb": "辞", "manner": "辞洗", "to": "宾", "facing": "南"}]
    ((_, judged),) = judge([Case("stays", "06-宾酢主人", "主人", "p06_host_advances", acts)])
    assert judged is not None and judged.outcome in ([], ["面"])


@pytest.mark.parametrize("facing", ["东北", "北"])
def test_the_host_is_told_facing_him_or_north(facing: str) -> None:
    """P14.016 as printed NE, as 敖 has it N."""
    judged = one("14-司射请射", "司射", "p14_tells_host", verb="告", to="主人", facing=facing)
    assert judged.kinds == []


@pytest.mark.parametrize(
    ("phase", "person", "before", "act", "owner", "clause"),
    [
        ("05-主人献宾", "宾", "p05_guest_replies", {"verb": "命", "to": "获者", "speech": "去侯"}, "相", "P21.035"),
        ("01-戒宾", "宾", "p01_guest_consents", {"verb": "速", "to": "主人"}, "主人", ""),
        ("14-司射请射", "宾", "p14_guest_answers", {"verb": "作", "to": "上耦"}, "司射", "P21.007"),
    ],
)
def test_an_act_of_another_phase_is_known_for_whose_it_is(
    phase: str, person: str, before: str, act: dict[str, object], owner: str, clause: str
) -> None:
    """What in the whole rite one man alone does is his office, though nothing of the kind is due now."""
    session = scene(phase, phase, person)
    player = PerfectPlayer(session, person)
    while (entry := player.due()) is None or step_id(entry["step"]) != before:
        player.turn()
    start = session.journal.next
    reply = session.act(dict(act), person)
    if not clause:
        assert not any(f["kind"] == "僭" for _, f in faults(session.journal.lines[start:]))
        return
    assert reply["ok"], reply
    ((_, fault),) = [(p, f) for p, f in faults(session.journal.lines[start:]) if p == person]
    assert (fault["kind"], fault["expected"], fault["got"]) == ("僭", owner, person)
    assert clause in fault["clauses"]
    (why,) = session.why(of=reply["n"])["why"]
    assert f"此{owner}之事" in why["zh"] and f"见第{int(clause[1:3])}节" in why["zh"]
    assert f"It stands in phase {int(clause[1:3])}." in why["en"]


def test_what_everybody_does_is_nobodys_office() -> None:
    """To rinse the hands is done by host, guest and others: out of place it is just uncalled for."""
    session = scene("02-陈设", "02-陈设", "赞者3")
    office = session.ceremony.arbiter.elsewhere.office
    read = session.ceremony.arbiter.read
    for act in ({"verb": "盥"}, {"verb": "拜", "to": "宾"}, {"verb": "揖", "to": "主人"}):
        attempt = read("赞者3", act)
        assert office(attempt) is None, act  # type: ignore[arg-type]
