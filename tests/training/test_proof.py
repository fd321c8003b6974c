"""The fit of the proof's decisions: folds of sections, what exact checks decide, and the thresholds."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from tests.later import Later
from tests.training.lamps import ROW

if TYPE_CHECKING:
    from training import proof
else:
    proof = Later("training.proof")

STATEMENT = replace(ROW, kind="statement", verdict="supported", held_out=True)
NAMES = ("supported", "cosine")


def judged(count: int = 200) -> list[proof.Judged]:
    """Statements of 20 sections whose `supported` tells, with noise, and whose `cosine` does not."""
    draw = np.random.default_rng(0)
    out = []
    for number in range(count):
        verdict = "supported" if number % 2 else "contradicted"
        fault = "" if number % 2 else "figure"
        row = replace(STATEMENT, verdict=verdict, sections=(f"9.1/{number % 20}",), fault=fault)
        features = {"supported": (number % 2) * 2 - 1 + draw.normal(), "cosine": draw.random()}
        out.append(
            proof.Judged(row, True, lacking=number % 10 == 0, conflict=number % 20 == 2, features=features)
        )
    return out


def test_what_an_exact_check_decides_stays_decided() -> None:
    rows = judged()
    conflict, lacking = np.array([r.conflict for r in rows]), np.array([r.lacking for r in rows])
    proved = proof.in_folds(rows, "proved", NAMES)
    assert proved[conflict | lacking].max() < proved[~(conflict | lacking)].min()
    contradicted = proof.in_folds(rows, "contradicted", NAMES)
    assert contradicted[conflict].min() > contradicted[~conflict].max()


def test_a_threshold_is_wrong_for_the_share_allowed() -> None:
    rows = judged(2000)
    for kind in ("proved", "contradicted"):
        odds = proof.in_folds(rows, kind, NAMES)
        made = odds >= proof.threshold_of(rows, kind, odds, 0.05)
        wrong = np.array([row.supported == (kind == "contradicted") for row in rows])
        assert made[wrong].mean() == pytest.approx(0.05, abs=0.01) and made[~wrong].mean() > 0.3


def test_a_share_below_that_of_the_exact_checks_cannot_be_had() -> None:
    rows = [replace(row, conflict=row.supported) for row in judged()]
    odds = np.where([row.conflict for row in rows], 1e6, 0.0)
    with pytest.raises(ValueError, match="wrong for more than 2%; give more"):
        proof.threshold_of(rows, "contradicted", odds, 0.02)


def test_a_contradiction_outweighs_a_proof() -> None:
    assert proof.outcomes(np.array([1.0, 1.0, -1.0]), np.array([1.0, -1.0, -1.0])).tolist() == [2, 0, 1]


def test_weights_tell_what_helps() -> None:
    rows = judged(2000)
    matrix = np.array([[one.features[name] for name in NAMES] for one in rows])
    supported = np.array([one.supported for one in rows])
    _, verdict, cosine = proof.fit(matrix, supported, np.ones(len(rows), np.bool_))
    assert verdict > 1 and abs(cosine) < 0.5


def test_the_same_rows_give_the_same_odds() -> None:
    first, again = (proof.in_folds(judged(), "proved", ("supported",)) for _ in range(2))
    np.testing.assert_array_equal(first, again)


def test_the_report_names_rates_and_outcomes(capsys: pytest.CaptureFixture[str]) -> None:
    rows = judged()
    odds = proof.in_folds(rows, "proved", NAMES)
    proof.report("read", rows, "proved", odds, 0.05)
    assert capsys.readouterr().out.startswith("read: AUC 0.")
    proof.outcome_table("read", rows, proof.outcomes(odds, np.full(len(rows), -1.0)))
    head, *lines = capsys.readouterr().out.splitlines()
    assert head == "read: proved, unconfirmed, contradicted"
    assert [line.split()[0] for line in lines] == ["true", "true,", "false", "false,", "figure"]
