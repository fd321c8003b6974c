"""The learned part of the proof: which regression decides, and what speaks for and against a statement."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from assistant.verification.decision import DECISION, FEATURES, load_decision, log_odds

NEAR = {"cosine": 0.8, "closeness": 1.1, "words_lacking": 0.0}


@pytest.mark.parametrize("kind", FEATURES)
def test_what_ships_weighs_each_feature_by_its_meaning(kind: str) -> None:
    weights = json.loads(DECISION.read_text(encoding="utf-8"))[kind]
    assert list(weights) == ["bias", *FEATURES[kind]]  # type: ignore[index]  # one of its keys
    assert all((weights[name] < 0) == (name == "words_lacking") for name in weights if name != "bias")


def test_the_reader_outweighs_nearness() -> None:
    assert log_odds({**NEAR, "verdict": 3.0}) > 0 > log_odds({**NEAR, "verdict": -3.0})


def test_without_a_verdict_nearness_decides() -> None:
    assert log_odds(NEAR) > 0 > log_odds({**NEAR, "closeness": 0.4})
    assert log_odds(NEAR) > log_odds({**NEAR, "words_lacking": 1.0})


def test_log_odds_are_the_weighted_sum(tmp_path: Path) -> None:
    path = tmp_path / "decision.json"
    read = {"bias": -1.0, "verdict": 1.0, "cosine": 2.0, "words_lacking": -3.0}
    unread = {"bias": 0.5, "closeness": 1.0, "words_lacking": -1.0}
    path.write_text(json.dumps({"trained_on": "x", "read": read, "unread": unread}), encoding="utf-8")
    model = load_decision(path)
    assert model == {"read": read, "unread": unread}
    assert log_odds({"closeness": 0.5, "words_lacking": 1.0}, model) == pytest.approx(0.0)
    assert log_odds({"verdict": 2.0, "cosine": 0.5, "words_lacking": 1.0}, model) == pytest.approx(-1.0)
