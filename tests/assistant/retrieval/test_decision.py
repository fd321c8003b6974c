"""The decision to answer: each signal counts as its weight says, and what is not known does not count."""

from __future__ import annotations

import math

import pytest

from assistant.reader.reading import PassageReading
from assistant.retrieval import decision
from assistant.retrieval.decision import GATE, KNOWN, NOT_READ, READER, decided, load_decisions, signals
from assistant.retrieval.known_questions import NONE_NEAR, NearQuestions
from assistant.retrieval.reading import NOTHING_READ, Readings

FOUND = Readings([PassageReading(0.2), PassageReading(0.5), PassageReading(-0.5)])
NEAR = NearQuestions({"9.1/lamps": 0.2, "9.1/doors": 0.1}, unanswered=0.05)
WEIGHTS = {
    "bias": -1.0,
    "gate": 0.5,
    "best": 2.0,
    "second": 3.0,
    "first": 6.0,
    "nearest": 4.0,
    "unanswered": -5.0,
}


@pytest.fixture
def weights(monkeypatch: pytest.MonkeyPatch) -> None:
    """Weights by hand instead of those that ship."""
    sets = [(*GATE, *READER, *KNOWN), (*GATE, *READER), (*GATE, *KNOWN)]
    told = {frozenset(names): {name: WEIGHTS[name] for name in ("bias", *names)} for names in sets}
    monkeypatch.setattr(decision, "load_decisions", lambda: told)


def test_the_best_passages_the_first_and_the_nearest_question_are_told() -> None:
    assert signals(0.5, NEAR, FOUND) == {
        "gate": 0.0,
        "best": 0.5,
        "second": 0.2,
        "first": 0.2,
        "nearest": 0.2,
        "unanswered": 0.05,
    }
    assert signals(0.5, NONE_NEAR, Readings([PassageReading(-1.0)])) == {
        "gate": 0,
        "best": -1,
        "second": NOT_READ,
        "first": -1,
    }
    assert signals(0.5, NearQuestions(), NOTHING_READ) == {"gate": 0, "nearest": 0, "unanswered": 0}


@pytest.mark.usefixtures("weights")
def test_the_weighted_sum_decides() -> None:
    sure = 0.5 * math.log(0.8 / 0.2) - 1 + math.log(0.7 / 0.3)
    read, known = 2 * 0.5 + 3 * 0.2 + 6 * 0.2, 4 * 0.2 - 5 * 0.05
    for near, readings, added in (
        (NEAR, FOUND, read + known),
        (NEAR, NOTHING_READ, known),
        (NONE_NEAR, FOUND, read),
    ):
        assert decided(0.8, 0.7, near, readings) == pytest.approx(1 / (1 + math.exp(-sure - added)))


@pytest.mark.usefixtures("weights")
def test_where_nothing_else_is_known_the_gate_decides() -> None:
    assert decided(0.3, 0.7, NONE_NEAR, NOTHING_READ) == 0.3


@pytest.mark.usefixtures("weights")
def test_where_the_gate_is_sure_or_always_open_nothing_changes() -> None:
    assert decided(0.4, 0.0, NEAR, FOUND) == 0.4
    assert [decided(sure, 0.7, NEAR, FOUND) for sure in (0.0, 1.0)] == [0.0, 1.0]


@pytest.mark.usefixtures("weights")
def test_a_reader_may_be_far_from_sure() -> None:
    assert decided(0.5, 0.7, NEAR, Readings([PassageReading(-1000.0)])) == pytest.approx(0.0)


def test_the_weights_that_ship_are_of_all_signals_there_may_be() -> None:
    shipped = load_decisions()
    assert set(shipped) == {
        frozenset(names) for names in ((*GATE, *READER, *KNOWN), (*GATE, *READER), (*GATE, *KNOWN))
    }
    for weights in shipped.values():
        assert weights["gate"] > 0 and weights.get("nearest", 1) > 0 and weights.get("unanswered", -1) < 0
