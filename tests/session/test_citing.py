"""What each act cites: its own clauses, and where the text says 亦如之, that."""

from __future__ import annotations

from tests.builders import scene


def cited(phase: str, person: str, verb: str) -> list[list[str]]:
    """The clauses of each such act of a person, the phase performed by agents."""
    lines = scene(phase, phase).journal.lines
    return [x["clauses"] for x in lines if x["t"] == "act" and (x["person"], x["verb"]) == (person, verb)]


def test_the_pairs_after_the_first_cite_that_they_do_as_it_did() -> None:
    first, second, third = (cited("21-三耦射", f"{pair}上射", "履物") for pair in ("上耦", "次耦", "下耦"))
    assert first == [["P21.023"]]
    assert second == third == [["P21.023", "P21.079"]]


def test_a_senior_guest_does_not_cite_what_the_host_does_for_him() -> None:
    # P08.012 实爵 and P08.013 西阶上献众宾 are the host's.
    for guest in ("众宾1", "众宾2", "众宾3"):
        assert not {c for clauses in cited("08-主人献众宾", guest, "饮") for c in clauses} & {"P08.012", "P08.013"}
