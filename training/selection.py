"""Fit which sentences an answer needs (`make selection`).

Questions of the sections held out, on which neither the embedding model nor the reader was trained, are asked
of an assistant that does not know what their writers wrote. A logistic regression tells the sentences that
their writers named from the others; the threshold is the highest one at which as many of them are kept as by
differences of scores. Prints both, in folds of sections; writes assistant/retrieval/usefulness.json.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import GroupKFold

from assistant.answering.selection import choose
from assistant.assistant import Assistant
from assistant.factory import AssistantFactory
from assistant.retrieval.known_questions import section_name
from assistant.retrieval.sentences import text_of
from assistant.retrieval.usefulness import MODEL, measured
from assistant.settings import Settings
from assistant.text.markdown import shown_length
from training.fusion import Floats, fit
from training.questions import unknown_to, well_known
from training.rows import Row, is_unseen, read_rows

_FOLDS = 5


@dataclass(frozen=True, slots=True)
class Asked:
    """A question with the sentences that might answer it.

    Attributes:
        row: of the training data.
        features: of each sentence.
        right: whether the writer named it, (sentences,).
        lengths: characters of each, (sentences,).
        chosen: whether it is quoted by differences of scores, (sentences,).
    """

    row: Row
    features: Sequence[Mapping[str, float]]
    right: NDArray[np.bool_]
    lengths: Floats
    chosen: NDArray[np.bool_]


def main() -> int:
    """Fit and write."""
    rows = [row for row in well_known(list(read_rows())) if row.answers and all(row.answers)]
    rows = [row for row in rows if is_unseen(row) and row.view == row.language]
    with tempfile.TemporaryDirectory() as home:
        assistant = AssistantFactory(Settings(home=Path(home))).assistant()
        found = [asked(other, row) for other, row in unknown_to(assistant, rows)]
    usable = [one for one in found if one and one.right.any()]
    values, right = matrix(usable), np.concatenate([one.right for one in usable])
    odds = in_folds(usable, values, right)
    threshold = report(usable, odds, right)
    bias, *weights = fit(values, right)
    names = list(usable[0].features[0])
    fitted = {
        "trained_on": f"{len(usable)} questions, `make selection`",
        "threshold": round(threshold, 3),
        "bias": round(float(bias), 4),
        "weights": {name: round(float(value), 4) for name, value in zip(names, weights, strict=True)},
    }
    MODEL.write_text(json.dumps(fitted, indent=1) + "\n", encoding="utf-8")
    return 0


def asked(assistant: Assistant, row: Row) -> Asked | None:
    """Ask a row; None where nothing was read.

    Args:
        assistant: over the shipped digests.
        row: an answered question.
    """
    seen = assistant.examine(row.text, row.history)
    found, readings = seen.search, seen.readings
    if not (found.quotes and readings.passages):
        return None
    named = {section: tuple(openings) for section, openings in zip(row.sections, row.answers, strict=True)}
    texts = [text_of(found.versions[quote.place], quote.sentence) for quote in found.quotes]
    sections = [section_name(found.versions[quote.place]) for quote in found.quotes]
    picks = choose(seen.asked, found.native, found.relevance, found.quotes)
    told = {sentence.row for pick in picks for sentence in pick.sentences}
    return Asked(
        row,
        measured(found.quotes, found.versions, found.near, readings),
        np.array(
            [
                text.startswith(named.get(section, ("\0",)))
                for text, section in zip(texts, sections, strict=True)
            ]
        ),
        np.array([shown_length(text) for text in texts], np.float64),
        np.array([quote.sentence.row in told for quote in found.quotes]),
    )


def matrix(questions: Sequence[Asked]) -> Floats:
    """Return the features of all sentences, (sentences, features)."""
    return np.array([list(row.values()) for one in questions for row in one.features], np.float64)


def in_folds(questions: Sequence[Asked], values: Floats, right: NDArray[np.bool_]) -> Floats:
    """Return log odds of each sentence, by regressions that saw none of its section.

    Args:
        questions: asked.
        values: features of their sentences, (sentences, features).
        right: whether each was named, (sentences,).
    """
    groups = [one.row.sections[0] for one in questions for _ in one.features]
    odds = np.zeros(len(right))
    for train, test in GroupKFold(_FOLDS).split(values, groups=groups):
        bias, *weights = fit(values[train], right[train])
        odds[test] = bias + values[test] @ np.array(weights)
    return odds


def report(questions: Sequence[Asked], odds: Floats, right: NDArray[np.bool_]) -> float:
    """Print what is kept at some thresholds, and return the one that keeps as many as differences of scores.

    Args:
        questions: asked.
        odds: of each sentence, (sentences,).
        right: whether each was named, (sentences,).
    """
    lengths = np.concatenate([one.lengths for one in questions])
    chosen = np.concatenate([one.chosen for one in questions])
    numbers = np.repeat(np.arange(len(questions)), [len(one.lengths) for one in questions])
    best = np.zeros(len(odds), np.bool_)
    for number in range(len(questions)):
        best[np.flatnonzero(numbers == number)[odds[numbers == number].argmax()]] = True

    def row(name: str, kept: NDArray[np.bool_]) -> None:
        missed = np.bincount(numbers[right & ~kept], minlength=len(questions))
        sys.stdout.write(
            f"{name:24} named sentences kept {right[kept].sum() / right.sum():.3f}, all of a question's "
            f"{(missed == 0).mean():.3f}, characters {lengths[kept].sum() / len(questions):.0f}\n"
        )

    sys.stdout.write(
        f"{len(questions)} questions, {len(odds)} sentences, AUC {roc_auc_score(right, odds):.4f}\n"
    )
    row("differences of scores", chosen)
    wanted = (right & chosen).sum() / right.sum()
    threshold = float(np.quantile(odds[right], 1 - wanted))
    for shift in (-1.0, -0.5, 0.0, 0.5, 1.0):
        row(f"log odds from {threshold + shift:.2f}", (odds >= threshold + shift) | best)
    return threshold


if __name__ == "__main__":
    raise SystemExit(main())
