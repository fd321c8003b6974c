"""Train the gate that decides when to decline (`make gate`).

Reads our own questions, answers none of them: it asks what retrieval finds, with and without the shipped
digests, and fits a logistic regression on the features of assistant/gate.py. Prints what the gate would do
on questions it was not trained on (ten folds), and writes assistant/gate.json.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from pathlib import Path

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold
from sklearn.preprocessing import StandardScaler

from assistant.assemble import Workshop
from assistant.gate import MODEL
from assistant.settings import Settings
from ingest.loaders import load

DECLINE = ("unanswerable", "offtopic")
FALSE_DECLINES = 0.02  # share of answerable questions that may be declined
_INVERSE_PENALTY = 0.3
_FOLDS = 10


def main() -> int:
    """Train and write."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("documents", type=Path, help="the folder of release documents")
    parser.add_argument("questions", type=Path, nargs="+", help="questions, one JSON object a line")
    arguments = parser.parse_args()
    questions = [json.loads(line) for path in arguments.questions for line in path.open(encoding="utf-8")]
    rows: list[dict[str, float]] = []
    for shipped in (False, True):
        with tempfile.TemporaryDirectory() as home:
            rows += features(arguments.documents, questions, Path(home), shipped)
    answerable = np.array([q["kind"] not in DECLINE for q in questions] * 2)
    names = sorted(rows[0])
    matrix = np.array([[row[name] for name in names] for row in rows])
    groups = np.tile(np.arange(len(questions)), 2)  # a question's two rows stay in one fold
    held_out = np.empty(len(rows))
    for train, test in GroupKFold(_FOLDS, shuffle=True, random_state=0).split(matrix, answerable, groups):
        scaler = StandardScaler().fit(matrix[train])
        model = LogisticRegression(C=_INVERSE_PENALTY).fit(scaler.transform(matrix[train]), answerable[train])
        held_out[test] = model.predict_proba(scaler.transform(matrix[test]))[:, 1]
    threshold = float(np.quantile(held_out[answerable], FALSE_DECLINES))
    kinds = np.array([q["kind"] for q in questions] * 2)
    sys.stdout.write(f"threshold {threshold:.3f}, declined on questions held out:\n")
    for name, mask in (("answerable", answerable), *((kind, kinds == kind) for kind in DECLINE)):
        sys.stdout.write(
            f"  {name:14}{(held_out[mask] < threshold).mean():.3f}  of {mask.sum() // 2} questions\n"
        )
    scaler = StandardScaler().fit(matrix)
    model = LogisticRegression(C=_INVERSE_PENALTY).fit(scaler.transform(matrix), answerable)
    columns = zip(names, scaler.mean_, scaler.scale_, model.coef_[0], strict=True)
    gate = {
        "trained_on": f"{len(questions)} questions, `make gate`",
        "threshold": round(threshold, 4),
        "bias": round(float(model.intercept_[0]), 4),
        "features": [
            {"name": name, "mean": round(m, 4), "scale": round(s, 4), "weight": round(w, 4)}
            for name, m, s, w in columns
        ],
    }
    MODEL.write_text(json.dumps(gate, indent=1) + "\n", encoding="utf-8")
    return 0


def features(
    documents: Path, questions: list[dict[str, object]], home: Path, shipped: bool
) -> list[dict[str, float]]:
    """The features of every question on an index of the documents."""
    workshop = Workshop(Settings(home=home, shipped_corpus=shipped))
    workshop.update(list(load(documents, on_skip=lambda error: None)))
    assistant = workshop.assistant()
    return [assistant.features(str(q["question"]), list(q.get("history", []))) for q in questions]  # type: ignore[call-overload]


if __name__ == "__main__":
    raise SystemExit(main())
