"""The learned part of the proof: which regression decides, and what speaks for and against a statement."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from assistant.verification.decision import DECISION, FEATURES, load_decision, log_odds

NEAR = {"cosine": 0.85, "closeness": 1.28, "words_lacking": 0.0, "opposed": 0.0}
SUPPORTED = {**NEAR, "supported": 4.0, "contradicted": -5.0, "unsaid": -5.0}
CONTRADICTED = {**NEAR, "supported": -4.0, "contradicted": 4.0, "unsaid": -5.0}
#: Features that speak for each decision; the others speak against it.
FOR = {
    "proved": ("supported", "cosine"),
    "proved_unread": ("closeness",),
    "contradicted": ("contradicted", "opposed"),
}


@pytest.mark.parametrize("kind", FEATURES)
def test_what_ships_weighs_each_feature_by_its_meaning(kind: str) -> None:
    weights = json.loads(DECISION.read_text(encoding="utf-8"))[kind]
    assert list(weights) == ["bias", *FEATURES[kind]]  # type: ignore[index]  # one of its keys
    assert all((weights[name] > 0) == (name in FOR[kind]) for name in weights if name != "bias")


def test_what_the_reader_says_decides() -> None:
    assert log_odds("proved", SUPPORTED) > 0 > log_odds("proved", CONTRADICTED)
    assert log_odds("contradicted", CONTRADICTED) > 0 > log_odds("contradicted", SUPPORTED)


def test_what_it_doubts_is_neither() -> None:
    doubted = {**NEAR, "supported": -1.0, "contradicted": 0.0, "unsaid": 0.5}
    assert log_odds("proved", doubted) < 0 and log_odds("contradicted", doubted) < 0


def test_without_a_verdict_nearness_decides() -> None:
    assert log_odds("proved_unread", NEAR) > 0 > log_odds("proved_unread", {**NEAR, "closeness": 0.4})
    assert log_odds("proved_unread", NEAR) > log_odds("proved_unread", {**NEAR, "words_lacking": 1.0})


def test_log_odds_are_the_weighted_sum(tmp_path: Path) -> None:
    path = tmp_path / "decision.json"
    made = {
        kind: {"bias": -1.0, **{name: float(n) for n, name in enumerate(names, 1)}}
        for kind, names in FEATURES.items()
    }
    path.write_text(json.dumps({"trained_on": "x", **made}), encoding="utf-8")
    model = load_decision(path)
    assert model == made
    features = {"closeness": 0.5, "words_lacking": 1.0, "opposed": 2.0}
    assert log_odds("proved_unread", features, model) == pytest.approx(-1.0 + 0.5 + 2.0 + 6.0)
