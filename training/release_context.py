"""Train what tells a release that the user runs from one that is asked about (`make release-context`).

The order of passages and the gate are trained with it, so it comes before them.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score

from assistant.factory import AssistantFactory
from assistant.query.release_scope import find_releases
from assistant.retrieval.release_context import MODEL
from assistant.settings import Settings
from corpus.shipped import digest_paths
from index.embedding.base import Embedder
from ingest.release import Release
from training.questions import embedded
from training.rows import Row, is_answered, read_rows


def main() -> int:
    """Train and write."""
    rows = [row for row in read_rows() if row.kind != "statement"]
    with tempfile.TemporaryDirectory() as home:
        train_release_context(rows, AssistantFactory(Settings(home=Path(home), reader=False)).embedder)
    return 0


def train_release_context(rows: Sequence[Row], embedder: Embedder) -> None:
    """Fit the model to rows that name a release and are not held out, print its AUC, and write it.

    Args:
        rows: of the training data.
        embedder: that ships.
    """
    releases = sorted({Release.parse(path.stem) for path in digest_paths()})
    named = [(row, scope) for row in rows if (scope := scope_of(row, releases))]
    vectors = embedded([row for row, _ in named], embedder)
    outside = np.array([not scope & sections_releases(row) for row, scope in named])
    learnt = np.array([not row.held_out for row, _ in named])
    model = LogisticRegression(C=1.0, max_iter=3000).fit(vectors[learnt], outside[learnt])
    area = roc_auc_score(outside[~learnt], model.decision_function(vectors[~learnt]))
    sys.stdout.write(
        f"another release answers: {outside[~learnt].sum()} of {(~learnt).sum()} held out, AUC {area:.3f}\n"
    )
    written = {
        "trained_on": f"{learnt.sum()} questions, `make release-context`",
        "embedder": embedder.name,
        "bias": round(float(model.intercept_[0]), 4),
        "weights": [round(float(weight), 3) for weight in model.coef_[0]],
    }
    MODEL.write_text(json.dumps(written) + "\n", encoding="utf-8")


def scope_of(row: Row, releases: Sequence[Release]) -> set[Release]:
    """Return the releases that a row names; none for what is no answered question or leans on another.

    Args:
        row: of the training data.
        releases: that the digests are about.
    """
    usable = is_answered(row) and row.sections and not row.history
    return set(find_releases(row.text, releases).releases) if usable else set()


def sections_releases(row: Row) -> set[Release]:
    """Return the releases whose notes answer a row.

    Args:
        row: of the training data.
    """
    return {Release.parse(section.split("/")[0]) for section in row.sections}


if __name__ == "__main__":
    raise SystemExit(main())
