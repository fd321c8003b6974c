"""What each part of the retrieval is worth: recall@5 with one part changed at a time.

    python -m benchmarks.retrieval QUESTIONS.jsonl [QUESTIONS.jsonl ...]

Asks the index that the settings name (TORCHNOTES_HOME). A question counts by the share of its evidence that
stands in one of the first five passages of its release (see docs/quality.md for the form of a question).
"""

from __future__ import annotations

import argparse
import json
import re
import statistics
import unicodedata
from dataclasses import replace
from pathlib import Path
from typing import Any

from assistant import widening
from assistant.assemble import Workshop
from assistant.assistant import Assistant
from assistant.settings import load_settings
from index.passage import Passage
from index.retriever import Weights

TOP = 5
VARIANTS: dict[str, dict[str, float]] = {
    "as shipped": {},
    "no chunk vectors": {"dense": 0.0},
    "no sentence vectors": {"sentence": 0.0},
    "sentence vectors as strong as chunks": {"sentence": 1.0},
    "no BM25 over the text": {"lexical": 0.0},
    "no BM25 over the headings": {"heading": 0.0},
    "no glossary": {"widened": 0.0},
    "glossary at a third": {"widened": 0.5},
    "ranks fused flatly (constant 60)": {"rank_constant": 60.0},
    "only the releases named": {"other_release": 0.0},
}


def main() -> int:
    """Measure and print a table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("questions", type=Path, nargs="+", help="questions, one JSON object a line")
    files = parser.parse_args().questions
    assistant = Workshop(load_settings()).assistant()
    shipped = assistant.retriever.weights
    sets = [[q for q in map(json.loads, file.open(encoding="utf-8")) if q["evidence"]] for file in files]
    print(f"{'recall@5':40}" + "".join(f"{file.stem:>14}" for file in files))
    for name, changes in VARIANTS.items():
        assistant.retriever.weights = replace(shipped, **changes)  # type: ignore[arg-type]
        print(f"{name:40}" + "".join(f"{recall(assistant, questions):14.3f}" for questions in sets))
    assistant.retriever.weights = Weights()
    described = widening._DESCRIBED
    widening._DESCRIBED = ()  # type: ignore[assignment]
    print(f"{'glossary by name only':40}" + "".join(f"{recall(assistant, qs):14.3f}" for qs in sets))
    widening._DESCRIBED = described
    return 0


def recall(assistant: Assistant, questions: list[dict[str, Any]]) -> float:
    """Mean share of evidence found among the first passages, 0 to 1."""
    shares = []
    for question in questions:
        passages = assistant.ask(question["question"], question.get("history", [])).passages[:TOP]
        groups = question["evidence"]
        shares.append(sum(any(covers(p, group) for p in passages) for group in groups) / len(groups))
    return statistics.mean(shares)


def covers(passage: Passage, group: dict[str, Any]) -> bool:
    """Whether a passage is of the release and holds one of each list of keys."""
    text = folded(passage.text)
    return passage.version == group["version"] and all(
        any(folded(key) in text for key in keys) for keys in group["keys"]
    )


def folded(text: str) -> str:
    """Lower case without white space, full-width forms folded."""
    return re.sub(r"\s+", "", unicodedata.normalize("NFKC", text)).lower()


if __name__ == "__main__":
    raise SystemExit(main())
