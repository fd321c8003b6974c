"""Fit the learned part of the proof: what evidence supports, and what it contradicts (`make proof`).

Statements of the sections held out, which neither the embedding model nor the reader was trained on, stand
beside the digest of their section, in their own language and in the other. Two decisions are fitted: which
statements are shown as proved, so that few unsupported ones are, and which are removed as contradicted, so
that few supported ones are; where the reader says nothing, exact checks alone remove. Prints, in folds of
sections, the outcomes of supported and unsupported statements with the spread over samples of sections, also
without each feature, and by fault; writes assistant/verification/decision.json.
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
from assistant.verification.decision import DECISION, FEATURES, DecisionKind
from assistant.verification.draft import Statement
from assistant.verification.evidence import grounds_of
from index.search.passage import Passage
from ingest.document import LANGUAGES, Language
from training.rows import Row, read_rows

PROVED = 0.05  # share of the unsupported statements that may be shown as proved
REMOVED = 0.02  # share of the supported statements that may be removed
_FOLDS, _SHUFFLES = 5, 3
_SAMPLES = 200  # of sections, for the spread
_SURE = 1e6  # log odds, with a sign, of what an exact check decides
_OUTCOMES = ("proved", "unconfirmed", "contradicted")
Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Judged:
    """A statement beside a digest.

    Attributes:
        row: of the training data.
        own: whether the digest is in the language of the statement.
        lacking: whether its evidence lacks something that it must have.
        conflict: whether an exact check contradicts it.
        features: that decide if not.
    """

    row: Row
    own: bool
    lacking: bool
    conflict: bool
    features: dict[str, float]

    @property
    def supported(self) -> bool:
        """Whether the digest supports it."""
        return self.row.verdict == "supported"


def main() -> int:
    """Fit and write."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--proved", type=float, default=PROVED, help="share of the unsupported statements")
    parser.add_argument("--removed", type=float, default=REMOVED, help="share of the supported statements")
    given = parser.parse_args()
    judged = examined([row for row in read_rows() if row.held_out and row.kind == "statement"])
    fitted: dict[str, object] = {"trained_on": f"{len(judged)} statements beside a digest, `make proof`"}
    odds: dict[DecisionKind, Floats] = {}
    for kind, names in FEATURES.items():
        share = given.removed if kind == "contradicted" else given.proved
        odds[kind] = in_folds(judged, kind, names)
        report(kind, judged, kind, odds[kind], share)
        for name in names:
            left = tuple(other for other in names if other != name)
            report(f"{kind} without {name}", judged, kind, in_folds(judged, kind, left), share)
        threshold = threshold_of(judged, kind, odds[kind], share)
        odds[kind] -= threshold
        bias, *weights = fit(_matrix(judged, names), _wanted(judged, kind), _open(judged, kind))
        told = zip(("bias", *names), (bias - threshold, *weights), strict=True)
        fitted[kind] = {name: round(float(value), 3) for name, value in told}
    exact = np.where([one.conflict for one in judged], _SURE, -_SURE)
    outcome_table("with the reader", judged, outcomes(odds["proved"], odds["contradicted"]))
    outcome_table("without the reader", judged, outcomes(odds["proved_unread"], exact))
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
                if any("supported" not in one.features for one in found):
                    raise ValueError("the reader reads nothing; unset TORCHNOTES_READER, and see its log")
                out += [
                    Judged(row, beside == language, bool(one.lacking), bool(one.conflict), one.features)
                    for row, one in zip(some, found, strict=True)
                ]
        return out


def in_folds(judged: Sequence[Judged], kind: DecisionKind, names: Sequence[str]) -> Floats:
    """Return log odds of each statement, by regressions that saw none of its section, (statements,).

    Args:
        judged: statements.
        kind: of the decision.
        names: features to decide from.
    """
    matrix, wanted, used = _matrix(judged, names), _wanted(judged, kind), _open(judged, kind)
    groups = [one.row.sections[0] for one in judged]
    odds = np.zeros(len(judged))
    for seed in range(_SHUFFLES):
        folds = GroupKFold(_FOLDS, shuffle=True, random_state=seed)
        for train, test in folds.split(matrix, groups=groups):
            seen = np.zeros(len(judged), np.bool_)
            seen[train] = True
            bias, *weights = fit(matrix, wanted, used & seen)
            odds[test] += (bias + matrix[test] @ np.array(weights)) / _SHUFFLES
    odds[~used] = _SURE if kind == "contradicted" else -_SURE
    return odds


def fit(matrix: Floats, wanted: Flags, used: Flags) -> Floats:
    """Return bias and weights of the log odds that a statement is wanted, (1 + features,).

    Args:
        matrix: features of each statement, (statements, features).
        wanted: whether the decision should be made, (statements,).
        used: which statements are fitted to, (statements,).
    """
    scale = matrix[used].std(axis=0) + 1e-9
    model = LogisticRegression(max_iter=1000).fit(matrix[used] / scale, wanted[used])
    return np.array([model.intercept_[0], *(model.coef_[0] / scale)])


def threshold_of(judged: Sequence[Judged], kind: DecisionKind, odds: Floats, share: float) -> float:
    """Return the log odds above which a decision is made.

    Args:
        judged: statements.
        kind: of the decision.
        odds: of each, (statements,).
        share: of the statements for which it would be wrong that may be above: unsupported ones for proofs,
            supported ones for contradictions.

    Raises:
        ValueError: the exact checks alone are wrong for more.
    """
    supported = np.array([one.supported for one in judged])
    wrong = odds[supported if kind == "contradicted" else ~supported]
    threshold = float(np.quantile(wrong, 1 - share))
    if abs(threshold) >= _SURE:
        raise ValueError(f"the exact checks alone are wrong for more than {share:.0%}; give more")
    return threshold


def outcomes(proved: Floats, contradicted: Floats) -> NDArray[np.int64]:
    """Return the outcome of each statement by its number in `_OUTCOMES`, (statements,).

    Args:
        proved: log odds above the threshold that it is supported, (statements,).
        contradicted: log odds above the threshold that it is contradicted, (statements,).
    """
    return np.where(contradicted >= 0, 2, np.where(proved >= 0, 0, 1))


def report(name: str, judged: Sequence[Judged], kind: DecisionKind, odds: Floats, share: float) -> None:
    """Print how well odds tell, and how many decisions are right, with the spread over samples of sections.

    Args:
        name: of what decides.
        judged: statements.
        kind: of the decision.
        odds: of each, (statements,).
        share: as for `threshold_of`.
    """
    wanted, made = _wanted(judged, kind), odds >= threshold_of(judged, kind, odds, share)
    spread = np.std([made[some][wanted[some]].mean() for some in _samples(judged)])
    told = f"AUC {roc_auc_score(wanted, odds):.3f}; made for {made[wanted].mean():.3f} ± {spread:.3f}"
    sys.stdout.write(f"{name}: {told}, wrongly for {share:.0%}\n")


def outcome_table(name: str, judged: Sequence[Judged], found: NDArray[np.int64]) -> None:
    """Print outcomes of supported, contradicted and other statements, with the spread, and by fault.

    Args:
        name: of what decides.
        judged: statements.
        found: their outcomes, (statements,).
    """
    sys.stdout.write(f"{name}: {', '.join(_OUTCOMES)}\n")
    samples = _samples(judged)

    def line(label: str, some: Flags) -> None:
        shares = np.array([(found[some] == n).mean() for n in range(len(_OUTCOMES))])
        drawn = [
            [(found[at][some[at]] == n).mean() for n in range(len(_OUTCOMES))]
            for at in samples
            if some[at].any()
        ]
        parts = (f"{m:.3f} ± {d:.3f}" for m, d in zip(shares, np.std(drawn, axis=0), strict=True))
        sys.stdout.write(f"  {label:20} {', '.join(parts)}, of {some.sum()}\n")

    supported, own = np.array([one.supported for one in judged]), np.array([one.own for one in judged])
    line("true", supported)
    line("true, own language", supported & own)
    line("false", ~supported)
    line("false, own language", ~supported & own)
    for fault in sorted({one.row.fault for one in judged if one.row.fault}):
        line(fault, np.array([one.row.fault == fault for one in judged]))


def _samples(judged: Sequence[Judged]) -> list[NDArray[np.int64]]:
    sections = np.array([one.row.sections[0] for one in judged])
    places = {section: np.flatnonzero(sections == section) for section in np.unique(sections)}
    draw = np.random.default_rng(0)
    return [
        np.concatenate([places[s] for s in draw.choice(list(places), len(places))]) for _ in range(_SAMPLES)
    ]


def _matrix(judged: Sequence[Judged], names: Sequence[str]) -> Floats:
    return np.array([[one.features.get(name, 0.0) for name in names] for one in judged])


def _wanted(judged: Sequence[Judged], kind: DecisionKind) -> Flags:
    """Return for which statements a decision should be made."""
    verdict = "contradicted" if kind == "contradicted" else "supported"
    return np.array([one.row.verdict == verdict for one in judged])


def _open(judged: Sequence[Judged], kind: DecisionKind) -> Flags:
    """Return which statements no exact check decides."""
    if kind == "contradicted":
        return np.array([not one.conflict for one in judged])
    return np.array([not (one.lacking or one.conflict) for one in judged])


if __name__ == "__main__":
    raise SystemExit(main())
