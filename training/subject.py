"""Train what tells questions about PyTorch from others (a part of `make gate`)."""

from __future__ import annotations

import json
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_predict

from assistant.retrieval.subject import MODEL
from index.embedding.base import Embedder
from training.questions import embedded
from training.rows import Row

LOST = 0.005  # share of follow-ups about PyTorch that may be taken for something else
_FOLDS = 5
Floats = NDArray[np.float64]


def train_subject(rows: Sequence[Row], embedder: Embedder) -> Floats:
    """Fit the classifier to rows that are not held out, and write it.

    Args:
        rows: of the training data; those without sections are about something else.
        embedder: that ships.

    Returns:
        Log odds of each row by a classifier that did not see it, (rows,).
    """
    vectors = embedded(rows, embedder)
    about = np.array([bool(row.sections) for row in rows])
    learnt = np.array([not row.held_out for row in rows])
    model = LogisticRegression(C=1.0, class_weight="balanced", max_iter=3000)
    unseen = np.empty(len(rows))
    unseen[learnt] = cross_val_predict(
        model, vectors[learnt], about[learnt], cv=_FOLDS, method="decision_function"
    )
    model.fit(vectors[learnt], about[learnt])
    unseen[~learnt] = model.decision_function(vectors[~learnt])
    follow_up = np.array([bool(row.history) for row in rows])
    some = unseen[about & follow_up] if (about & follow_up).any() else unseen[about]
    written = {
        "trained_on": f"{learnt.sum()} questions, `make gate`",
        "embedder": embedder.name,
        "away": round(float(np.quantile(some, LOST)), 3),
        "bias": round(float(model.intercept_[0]), 4),
        "weights": [round(float(weight), 3) for weight in model.coef_[0]],
    }
    MODEL.write_text(json.dumps(written) + "\n", encoding="utf-8")
    return unseen
