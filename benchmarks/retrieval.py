"""What each part of the retrieval is worth: recall@5 with one part changed at a time.

    python -m benchmarks.retrieval QUESTIONS.jsonl [QUESTIONS.jsonl ...]

Asks the index that the settings name (TORCHNOTES_HOME). A question counts by the share of its evidence that
stands in one of the first five passages of its release (see docs/quality.md for the form of a question).
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from assistant import widening
from assistant.assemble import Workshop
from assistant.assistant import Assistant
from assistant.figures import figures
from assistant.gold import GoldQuestion
from assistant.gold_file import read_questions
from assistant.quality import score
from assistant.settings import load_settings
from index.retriever import Weights

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
    sets = [[q for q in read_questions([file]) if q.answerable] for file in files]
    assistant = Workshop(load_settings()).assistant()
    shipped = assistant.retriever.weights
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


def recall(assistant: Assistant, questions: Sequence[GoldQuestion]) -> float:
    """Mean share of evidence found among the first passages, 0 to 1."""
    scores = [score(q, assistant.ask(q.text, q.history), 0.0) for q in questions]
    return figures(scores).recall or 0.0


if __name__ == "__main__":
    raise SystemExit(main())
