"""What each part of an answer is worth: one part changed at a time, on the index that the settings name.

    python -m benchmarks.ablation QUESTIONS.jsonl [QUESTIONS.jsonl ...]

Prints, for each file of questions (docs/quality.md has their form), the share of evidence among the first
five passages and the share of questions answered right; those that the notes do not answer are left out.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from unittest.mock import patch

from assistant import assistant as answering
from assistant.assistant import Assistant
from assistant.evaluation.gold import GoldQuestion
from assistant.evaluation.loader import read_questions
from assistant.evaluation.metrics import figures
from assistant.evaluation.scoring import Score, score
from assistant.factory import AssistantFactory
from assistant.query import expansion as widening
from assistant.query.pinyin import Pinyin
from assistant.query.spelling import Spelling
from assistant.retrieval import searcher as search
from assistant.retrieval import sentences
from assistant.settings import load_settings
from index.search.passage import Passage
from index.search.query import Query
from index.search.retriever import Retriever
from ingest.chunk import lexical_text

WEIGHTS: dict[str, dict[str, float]] = {
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
_FED_PASSAGES, _FED_TERMS, _FED_WEIGHT = 3, 5, 0.3  # of pseudo-relevance feedback


def main() -> int:
    """Measure and print a table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("questions", type=Path, nargs="+", help="questions, one JSON object a line")
    files = parser.parse_args().questions
    sets = [[q for q in read_questions([file]) if q.answerable] for file in files]
    assistant = AssistantFactory(load_settings()).assistant()
    print(f"{'recall@5 / right':40}" + "".join(f"{file.stem:>16}" for file in files))
    for name, changed in variants(assistant).items():
        with changed():
            measured = [figures(scores(assistant, questions)) for questions in sets]
        told = (f"{row.recall or 0.0:.3f} / {row.right or 0.0:.3f}" for row in measured)
        print(f"{name:40}" + "".join(f"{cell:>16}" for cell in told), flush=True)
    return 0


def scores(assistant: Assistant, questions: Sequence[GoldQuestion]) -> list[Score]:
    """Each question's figures."""
    return [score(q, assistant.ask(q.text, q.history), 0.0) for q in questions]


def variants(assistant: Assistant) -> dict[str, Callable[[], AbstractContextManager[object]]]:
    """By name: what changes an assistant for as long as it lasts."""
    retriever = assistant.retriever

    def weighted(changes: dict[str, float]) -> AbstractContextManager[object]:
        return patch.object(retriever, "weights", replace(retriever.weights, **changes))  # type: ignore[arg-type]

    def only(*features: str) -> AbstractContextManager[object]:
        kept = {name: w if name in features else 0.0 for name, w in sentences.load_weights().items()}
        return patch.object(sentences, "load_weights", lambda: kept)

    return {
        **{name: partial(weighted, changes) for name, changes in WEIGHTS.items()},
        "glossary by name only": lambda: patch.object(widening, "_DESCRIBED", ()),
        "pseudo-relevance feedback": lambda: fed(retriever),
        "not reranked": lambda: patch.object(search, "rerank", lambda _asked, found, _words: list(found)),
        "sentences by nearness alone": lambda: only("cosine", "near"),
        "sentences by words alone": lambda: only("coverage", "widened_coverage", "names"),
        "follow-ups by their words alone": lambda: patch.object(answering, "_DOUBTED", (1.0, 1.0)),
        "no other release for can-I-still": lambda: patch.object(
            search, "told_elsewhere", lambda _asked, found, _everywhere: list(found)
        ),
        "slips and pinyin as typed": as_typed,
    }


@contextmanager
def as_typed() -> Iterator[None]:
    """Nothing typed is set right."""

    def same(_self: object, text: str) -> str:
        return text

    with patch.object(Spelling, "right", same), patch.object(Pinyin, "read", same):
        yield


@contextmanager
def fed(retriever: Retriever) -> Iterator[None]:
    """Each search done twice, the second time with the most telling terms of the first passages as well.

    Rocchio's feedback on the first passages as if they were relevant (Manning, Raghavan & Schütze 2008,
    "Introduction to Information Retrieval", 9.1.6).
    """
    once, terms = retriever.search, retriever.generation.terms

    def search_twice(query: Query, top_k: int = 8) -> list[Passage]:
        first = once(query, _FED_PASSAGES)
        words = {t for p in first for t in retriever.segmenter.terms(lexical_text(p.chunk, p.document))}
        telling = sorted(words, key=lambda term: (-terms.idf(term), term))[:_FED_TERMS]
        more = {**dict.fromkeys(telling, _FED_WEIGHT), **query.expansions}
        return once(replace(query, expansions=more), top_k)

    with patch.object(retriever, "search", search_twice):
        yield


if __name__ == "__main__":
    raise SystemExit(main())
