"""The fit of the proof's decision: folds of sections, what is refused, and the threshold."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from tests.training.lamps import ROW
from training.proof import Judged, caught, fit, in_folds, report

STATEMENT = replace(ROW, kind="statement", verdict="supported", held_out=True)


def judged(count: int = 200) -> list[Judged]:
    """Statements of 20 sections whose `verdict` tells, with noise, and whose `cosine` does not."""
    draw = np.random.default_rng(0)
    out = []
    for number in range(count):
        verdict = "supported" if number % 2 else "contradicted"
        row = replace(STATEMENT, verdict=verdict, sections=(f"9.1/{number % 20}",))
        features = {"verdict": (number % 2) * 2 - 1 + draw.normal(), "cosine": draw.random()}
        out.append(Judged(row, own=True, refused=number % 10 == 0, features=features))
    return out


def test_what_an_exact_check_refuses_stays_refused() -> None:
    rows = judged()
    odds = in_folds(rows, ("verdict", "cosine"))
    refused = np.array([one.refused for one in rows])
    assert odds[refused].max() < odds[~refused].min()
    supported = np.array([one.supported for one in rows])
    assert caught(odds, supported, 0.1) > 0.6


def test_a_share_below_what_exact_checks_reject_cannot_be_had() -> None:
    odds = np.array([-1e6, -1e6, 1.0, 2.0, -2.0, 0.0])
    supported = np.array([True, True, True, True, False, False])
    assert math.isnan(caught(odds, supported, 0.05))
    assert caught(odds, supported, 0.75) == 1.0


def test_weights_tell_what_helps() -> None:
    rows = judged(2000)
    matrix = np.array([[one.features["verdict"], one.features["cosine"]] for one in rows])
    supported = np.array([one.supported for one in rows])
    _, verdict, cosine = fit(matrix, supported, np.ones(len(rows), np.bool_))
    assert verdict > 1 and abs(cosine) < 0.5


def test_the_same_rows_give_the_same_odds() -> None:
    np.testing.assert_array_equal(in_folds(judged(), ("verdict",)), in_folds(judged(), ("verdict",)))


def test_the_report_names_each_share(capsys: pytest.CaptureFixture[str]) -> None:
    rows = judged()
    report("read", rows, in_folds(rows, ("verdict",)))
    assert capsys.readouterr().out.startswith("read: AUC 0.")
