"""Fit the learned part of the proof: whether evidence supports a statement (`make proof`).

Statements of the sections held out, which neither the embedding model nor the reader was trained on, stand
beside the digest of their section, in their own language and in the other. What the exact checks do not
refuse is decided by a logistic regression with what the reader says, and by one without. Prints, in folds of
sections, how many unsupported statements are caught where a given share of the supported ones is rejected,
also without each feature, and what is caught of each fault; writes assistant/verification/decision.json.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import GroupKFold

from assistant.factory import AssistantFactory
from assistant.retrieval.known_questions import section_name
from assistant.settings import Settings
from assistant.verification.decision import DECISION, FEATURES
from assistant.verification.draft import Statement
from assistant.verification.evidence import grounds_of
from index.search.passage import Passage
from ingest.document import LANGUAGES, Language
from training.rows import Row, read_rows

REJECTED = 0.11  # share of the supported statements that may be rejected
_SHARES = (0.05, 0.08, 0.13)  # that figures are printed for
_FOLDS, _SHUFFLES = 5, 3
_SAMPLES = 200  # of sections, for the spread
_REFUSED = -1e6  # log odds of what an exact check refuses
Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Judged:
    """A statement beside a digest.

    Attributes:
        row: of the training data.
        own: whether the digest is in the language of the statement.
        refused: whether an exact check refuses it.
        features: that decide if not.
    """

    row: Row
    own: bool
    refused: bool
    features: dict[str, float]

    @property
    def supported(self) -> bool:
        """Whether the digest supports it."""
        return self.row.verdict == "supported"


def main() -> int:
    """Fit and write."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rejected", type=float, default=REJECTED, help="share of the supported statements")
    given = parser.parse_args()
    judged = examined([row for row in read_rows() if row.held_out and row.kind == "statement"])
    fitted: dict[str, object] = {"trained_on": f"{len(judged)} statements beside a digest, `make proof`"}
    for kind, names in FEATURES.items():
        odds = in_folds(judged, names)
        report(kind, judged, odds)
        for name in names:
            left = tuple(other for other in names if other != name)
            report(f"{kind} without {name}", judged, in_folds(judged, left))
        threshold = float(np.quantile(odds[_supported(judged)], given.rejected))
        if threshold <= _REFUSED:
            raise ValueError(f"the exact checks alone reject more than {given.rejected:.0%}; give more")
        _by_fault(judged, odds < threshold)
        bias, *weights = fit(_matrix(judged, names), _supported(judged), _passing(judged))
        told = zip(("bias", *names), (bias - threshold, *weights), strict=True)
        fitted[kind] = {name: round(float(value), 3) for name, value in told}
    DECISION.write_text(json.dumps(fitted, indent=1) + "\n", encoding="utf-8")
    return 0


def examined(rows: Sequence[Row]) -> list[Judged]:
    """Examine statements beside the digests of their sections, as the proof does.

    Args:
        rows: statements.
    """
    with tempfile.TemporaryDirectory() as home:
        assistant = AssistantFactory(Settings(home=Path(home))).assistant()
        passages: dict[tuple[str, str], list[Passage]] = {}
        for number in range(len(assistant.retriever.generation.chunks)):
            passage = assistant.retriever.passage(number)
            passages.setdefault((section_name(passage), passage.language), []).append(passage)
        sections: dict[tuple[str, Language], list[Row]] = {}
        for row in rows:
            sections.setdefault((row.sections[0], "zh" if row.language == "zh" else "en"), []).append(row)
        out: list[Judged] = []
        for (section, language), some in sections.items():
            drafted = [Statement(row.text, ()) for row in some]
            for beside in LANGUAGES:
                every = [grounds_of(passage) for passage in passages.get((section, beside), ())]
                found = assistant.verifier.examine(drafted, every, language)
                if any(not one.reason and "verdict" not in one.features for one in found):
                    raise ValueError("the reader reads nothing; unset TORCHNOTES_READER, and see its log")
                out += [
                    Judged(row, beside == language, bool(one.reason), one.features)
                    for row, one in zip(some, found, strict=True)
                ]
        return out


def in_folds(judged: Sequence[Judged], names: Sequence[str]) -> Floats:
    """Return log odds of each statement, by regressions that saw none of its section, (statements,).

    Args:
        judged: statements.
        names: features to decide from.
    """
    matrix, supported, passing = _matrix(judged, names), _supported(judged), _passing(judged)
    groups = [one.row.sections[0] for one in judged]
    odds = np.zeros(len(judged))
    for seed in range(_SHUFFLES):
        folds = GroupKFold(_FOLDS, shuffle=True, random_state=seed)
        for train, test in folds.split(matrix, groups=groups):
            seen = np.zeros(len(judged), np.bool_)
            seen[train] = True
            bias, *weights = fit(matrix, supported, passing & seen)
            odds[test] += (bias + matrix[test] @ np.array(weights)) / _SHUFFLES
    odds[~passing] = _REFUSED
    return odds


def fit(matrix: Floats, supported: Flags, used: Flags) -> Floats:
    """Return bias and weights of the log odds that a statement is supported, (1 + features,).

    Args:
        matrix: features of each statement, (statements, features).
        supported: whether it is, (statements,).
        used: which statements are fitted to, (statements,).
    """
    scale = matrix[used].std(axis=0) + 1e-9
    model = LogisticRegression(max_iter=1000).fit(matrix[used] / scale, supported[used])
    return np.array([model.intercept_[0], *(model.coef_[0] / scale)])


def caught(odds: Floats, supported: Flags, rejected: float) -> float:
    """Return the share of unsupported statements caught where a share of the supported ones is rejected.

    Args:
        odds: log odds of each statement, (statements,).
        supported: whether it is, (statements,).
        rejected: share; NaN is returned where the exact checks alone reject more.
    """
    threshold = np.quantile(odds[supported], rejected)
    return float((odds[~supported] < threshold).mean()) if threshold > _REFUSED else float("nan")


def report(name: str, judged: Sequence[Judged], odds: Floats) -> None:
    """Print what is caught, with the standard deviation over samples of sections.

    Args:
        name: of what decides.
        judged: statements.
        odds: of each, (statements,).
    """
    supported, own = _supported(judged), np.array([one.own for one in judged])
    sections = np.array([one.row.sections[0] for one in judged])
    places = {section: np.flatnonzero(sections == section) for section in np.unique(sections)}
    draw = np.random.default_rng(0)
    samples = [
        np.concatenate([places[s] for s in draw.choice(list(places), len(places))]) for _ in range(_SAMPLES)
    ]
    parts = []
    for share in _SHARES:
        spread = np.nanstd([caught(odds[some], supported[some], share) for some in samples])
        language = caught(odds[own], supported[own], share)
        parts.append(f"{caught(odds, supported, share):.3f} ± {spread:.3f} ({language:.3f})")
    auc = roc_auc_score(supported, odds)
    shares = ", ".join(f"{share:.0%}" for share in _SHARES)
    sys.stdout.write(f"{name}: AUC {auc:.3f}; caught at {shares} (own language): {', '.join(parts)}\n")


def _by_fault(judged: Sequence[Judged], rejected: Flags) -> None:
    exact = ~_passing(judged)
    for fault in sorted({one.row.fault for one in judged}):
        some = np.array([one.row.fault == fault for one in judged])
        shares = f"{rejected[some].mean():.2f}, by exact checks {exact[some].mean():.2f}, of {some.sum()}"
        sys.stdout.write(f"  {fault or '(supported)':20} rejected {shares}\n")


def _matrix(judged: Sequence[Judged], names: Sequence[str]) -> Floats:
    return np.array([[one.features.get(name, 0.0) for name in names] for one in judged])


def _supported(judged: Sequence[Judged]) -> Flags:
    return np.array([one.supported for one in judged])


def _passing(judged: Sequence[Judged]) -> Flags:
    return np.array([not one.refused for one in judged])


if __name__ == "__main__":
    raise SystemExit(main())
