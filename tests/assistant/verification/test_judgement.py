"""What judgements of a model make of statements: with quotes that occur, and beside the exact checks."""

from __future__ import annotations

import pytest

from assistant.answer import Outcome
from assistant.verification.draft import Statement
from assistant.verification.evidence import grounds_of
from assistant.verification.judgement import Judgement, Judging, Verdict
from assistant.verification.proof import Proof
from tests.assistant.proving import numbered, reading

START = "Starting a job of 1024 ranks with `libuv` takes 16 seconds\nless than before."
ALONE = "The old backend is **kept** for Windows only."
OTHER = "The `gloo` backend does not support `all_gather` of integers."
CLAIM = "With `libuv` a job of 1024 ranks is up 16 seconds earlier."


@pytest.fixture(scope="module")
def judging() -> Judging:
    passages = numbered(("en-2.4", f"{START}\n\n{ALONE}"), ("en-2.5", OTHER))
    return Judging([grounds_of(passage) for passage in passages], reading(), "en")


def proof(text: str = CLAIM, outcome: Outcome = "unconfirmed", *, exact: bool = False) -> Proof:
    return Proof(Statement(text, (1,)), outcome, "open", exact=exact)


@pytest.mark.parametrize(
    ("quote", "found"),
    [
        ("Starting a job of 1024 ranks", 1),
        ("with libuv takes  16 seconds less", 1),
        ("The old backend is kept", 1),
        ("less than before. The old backend", 2),
        ("takes 32 seconds less", 0),
        ("Starting a job … takes 16 seconds", 0),
        ("gloo backend does not", 0),
        ("1024", 0),
        ("", 0),
    ],
)
def test_a_quote_has_to_occur_but_for_white_space_and_markup(
    quote: str, found: int, judging: Judging
) -> None:
    assert len(judging.quoted(Judgement("supported", 1, quote))) == found


@pytest.mark.parametrize("passage", [-1, 0, 2, 3, 10**9])
def test_a_quote_has_to_occur_in_the_passage_that_is_named(passage: int, judging: Judging) -> None:
    assert not judging.quoted(Judgement("supported", passage, "Starting a job of 1024 ranks"))


QUOTED = "Starting a job of 1024 ranks with `libuv` takes 16 seconds less than before."
CASES: list[tuple[Outcome, Verdict, str, Outcome]] = [
    ("unconfirmed", "supported", QUOTED, "proved"),
    ("unconfirmed", "contradicted", QUOTED, "contradicted"),
    ("unconfirmed", "absent", "", "unconfirmed"),
    ("unconfirmed", "supported", "made up words", "unconfirmed"),
    ("unconfirmed", "contradicted", "made up words", "unconfirmed"),
    ("contradicted", "supported", QUOTED, "proved"),
    ("contradicted", "absent", "", "contradicted"),
    ("proved", "contradicted", QUOTED, "contradicted"),
    ("proved", "contradicted", "made up words", "proved"),
    ("proved", "absent", "", "proved"),
]


@pytest.mark.parametrize(("before", "verdict", "quote", "after"), CASES)
def test_what_a_judgement_makes_of_an_open_statement(
    before: Outcome, verdict: Verdict, quote: str, after: Outcome, judging: Judging
) -> None:
    told = judging.decided(proof(outcome=before), [Judgement(verdict, 1, quote)])
    assert told.outcome == after
    if after == "proved" and verdict == "supported":
        assert [" ".join(each.text.split()) for each in told.quotes] == [QUOTED] and not told.reason


@pytest.mark.parametrize("outcome", ["proved", "contradicted", "unconfirmed", "neutral"])
@pytest.mark.parametrize("verdict", ["supported", "contradicted", "absent"])
def test_what_exact_checks_decided_stays(outcome: Outcome, verdict: Verdict, judging: Judging) -> None:
    before = proof(outcome=outcome, exact=True)
    assert judging.decided(before, [Judgement(verdict, 1, QUOTED)]) is before


@pytest.mark.parametrize(
    ("text", "quote", "passage"),
    [
        pytest.param("With `libuv` it takes 32 seconds less to start 1024 ranks.", QUOTED, 1, id="figure"),
        pytest.param("With `libuv` it takes 16 minutes less to start 1024 ranks.", QUOTED, 1, id="unit"),
        pytest.param("The `gloo` backend supports `all_gather` of integers.", OTHER, 2, id="negation"),
        pytest.param("The `mpi` backend does not support `all_gather` of integers.", OTHER, 2, id="name"),
        pytest.param("`libuv` has been removed.", QUOTED, 1, id="status"),
    ],
)
def test_exact_checks_speak_against_a_statement_beside_the_quote(
    text: str, quote: str, passage: int, judging: Judging
) -> None:
    before = proof(text)
    assert judging.decided(before, [Judgement("supported", passage, quote)]) is before


def test_one_contradiction_counts_more_than_support(judging: Judging) -> None:
    told = judging.decided(proof(), [Judgement("supported", 1, QUOTED), Judgement("contradicted", 1, QUOTED)])
    assert told.outcome == "contradicted"


def test_a_statement_is_proved_by_several_quotes(judging: Judging) -> None:
    text = "`libuv` starts 1024 ranks 16 seconds earlier, and Windows alone keeps the old backend."
    told = judging.decided(proof(text), [Judgement("supported", 1, QUOTED), Judgement("supported", 1, ALONE)])
    assert told.outcome == "proved" and len(told.quotes) == 2
