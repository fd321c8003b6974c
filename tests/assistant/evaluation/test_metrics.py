"""Means over many scores."""

from __future__ import annotations

import json
from dataclasses import asdict

import pytest

from assistant.evaluation.metrics import figures, report
from assistant.evaluation.scoring import Score, score
from tests.assistant.answers import DECLINE, OTHER, PROOF, RIGHT, answer, gold
from tests.assistant.scorer import needs_scorer, scorer

CHINESE = {"lang": "zh", "kind": "fact"}


def scores() -> list[Score]:
    return [
        score(gold(), answer(RIGHT), 0.1),
        score(gold(), answer("TCPStore, it is gloo. [1]", [OTHER, PROOF]), 0.2),
        score(gold(**CHINESE), answer("没有", [OTHER], [], abstained=True), 0.4),
        score(gold(**DECLINE), answer("No.", abstained=True), 0.3),
    ]


def test_figures_by_language_and_kind() -> None:
    told = report(scores())
    assert (told.total.count, told.total.right_count, told.total.right) == (4, 2, 0.5)
    assert told.total.recall == pytest.approx(2 / 3) and told.total.rr == pytest.approx(0.5)
    assert list(told.by_language) == ["zh", "en"]
    assert list(told.by_kind) == ["fact", "howto", "unanswerable"]
    assert (told.by_kind["howto"].right, told.by_kind["howto"].facts) == (0.5, 0.75)
    assert told.declined == {True: (1, 3), False: (1, 1)}
    assert (told.median_seconds, told.late_seconds) == (0.25, 0.4)
    assert told.median_characters == 25
    assert json.loads(json.dumps(told.to_dict()))["by_kind"]["unanswerable"] == {
        "count": 1,
        "right_count": 1,
        "right": 1.0,
        "recall": None,
        "rr": None,
        "facts": None,
        "cited": None,
        "language": None,
        "lead": None,
        "declined": 1.0,
    }


def test_of_questions_to_be_declined_alone_there_is_no_length() -> None:
    told = report([score(gold(**DECLINE), answer("No.", abstained=True), 0.3)])
    assert told.median_characters is None
    assert told.declined == {True: (0, 0), False: (1, 1)}


@needs_scorer
def test_the_means_are_those_of_the_scoring_script() -> None:
    rows = [measured.to_dict() for measured in scores()]
    ours = asdict(figures(scores()))
    for name in ("right", "recall", "rr", "facts", "cited", "language", "declined"):
        assert ours[name] == scorer().mean(rows, name)
