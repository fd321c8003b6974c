"""How well a sentence answers: nearness, words, names and form, weighted as training found them to count.

The weights are those of a logistic regression on differences of pairs, as for passages
(assistant/retrieval/reranker.py): a sentence with a fact of the answer against one without, trained by `make ranking`.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from assistant.query.answer_type import missing
from assistant.query.entities import entities, share_named
from assistant.query.question import Intent, Question
from assistant.retrieval.known_questions import NONE_NEAR, NearQuestions, sentence_key
from assistant.retrieval.relevance import Relevance
from assistant.text.identifiers import FLAG, JOINED
from assistant.text.markdown import points_elsewhere, shown_length
from index.search.passage import Passage, ScoredSentence

MODEL = Path(__file__).with_name("sentences.json")
QUOTABLE = ("prose", "item", "row")
_SHORTEST = 8  # characters
_SUMMARIES = ("overview", "status")  # section ids of a digest
_FIGURE = re.compile(r"(?<![\w.#])\d+(?:[.,]\d+)*\s*(?:%|x\b|×|倍|[A-Za-z]+)?")
# Of words with capitals only long ones, unlike assistant.text.identifiers.CAMEL: the weights were trained so.
_NAME = re.compile(rf"`[^`]+`|{JOINED}|\b[A-Z][A-Z0-9_]{{3,}}\b|{FLAG}", re.ASCII)
_ADVICE = re.compile(
    r"\b(?:please|instead|use|should|must|recommend\w*|migrat\w*|replac\w*|add|set|require\w*|need)\b"
    r"|请|改用|替代|替换|迁移|使用|应该?|必须|需要|建议|设置|启用",
    re.I,
)


#: Sentences that open by telling how a thing is used.
_USAGE = re.compile(
    r"[-*\s]*(?:to (?:use|enable|turn|set|call|install|switch|try)\b|用法|使用方法|启用方法|要(?:用|启用|打开)|安装)",
    re.I,
)


class Quote(NamedTuple):
    """A sentence that may be quoted.

    Attributes:
        score: in log odds, comparable within one question.
        place: of its passage.
        features: what counted.
    """

    score: float
    place: int
    sentence: ScoredSentence
    features: Mapping[str, float]


def score(
    question: Question,
    passages: Sequence[Passage],
    relevance: Relevance,
    near: NearQuestions = NONE_NEAR,
    weights: Mapping[str, float] | None = None,
) -> list[Quote]:
    """The sentences that may be quoted, in the order of their passages.

    Args:
        question: the question.
        passages: best first.
        relevance: terms of the question with their weights.
        near: known questions that are like the question.
        weights: of the features; None: the trained ones.
    """
    weights = load_weights() if weights is None else weights
    rows = features(question, passages, relevance, near)
    return [
        Quote(sum(weights[name] * value for name, value in row.items()), place, sentence, row)
        for row, place, sentence in rows
    ]


def features(
    question: Question, passages: Sequence[Passage], relevance: Relevance, near: NearQuestions
) -> list[tuple[dict[str, float], int, ScoredSentence]]:
    """What counts of each sentence.

    Args:
        question: the question.
        passages: best first.
        relevance: terms of the question with their weights.
        near: known questions that are like the question.
    """
    quotable = [[s for s in p.sentences if s.span.kind in QUOTABLE and _long(p, s)] for p in passages]
    cosines = [sentence.cosine for sentences in quotable for sentence in sentences]
    if not cosines:
        return []
    mean = sum(cosines) / len(cosines)
    spread = max(max(cosines) - mean, 0.01)
    names = entities(question)
    kinds = missing(question.clean, [])
    out = []
    for place, (passage, sentences) in enumerate(zip(passages, quotable, strict=True)):
        texts = [text_of(passage, sentence) for sentence in sentences]
        covered = [0.0, *map(relevance.coverage, texts), 0.0]
        for number, (sentence, text) in enumerate(zip(sentences, texts, strict=True), 1):
            row = {
                "near": max(0.0, (sentence.cosine - mean) / spread),
                "cosine": sentence.cosine,
                "coverage": covered[number],
                "coverage_before": covered[number - 1],
                "coverage_after": covered[number + 1],
                "widened_coverage": relevance.widened_coverage(text),
                "names": share_named(names, text),
                "asked": float(kinds > 0 and missing(question.clean, [text]) < kinds),
                "form": form(question.intent, text),
                "pointer": float(points_elsewhere(text)),
                "row": float(sentence.span.kind == "row" and question.intent != "number"),
                "length": math.log(shown_length(text)),
                "passage": passage.score / passages[0].score if passages[0].score else 0.0,
                "first_passage": float(place == 0),
                "summary": float(passage.chunk.section_id in _SUMMARIES),
                "known": near.sentences.get(sentence_key(text), 0.0),
            }
            out.append((row, place, sentence))
    return out


@lru_cache(maxsize=1)
def load_weights(path: Path = MODEL) -> Mapping[str, float]:
    """The trained weights.

    Args:
        path: JSON file with the weights.
    """
    weights: dict[str, float] = json.loads(path.read_text(encoding="utf-8"))["weights"]
    return weights


def text_of(passage: Passage, sentence: ScoredSentence) -> str:
    """A sentence as it stands in the document.

    Args:
        passage: passage of the sentence.
        sentence: the sentence.
    """
    return passage.document.text[sentence.span.start : sentence.span.end]


def _long(passage: Passage, sentence: ScoredSentence) -> bool:
    return shown_length(text_of(passage, sentence)) >= _SHORTEST


def form(intent: Intent, text: str) -> float:
    """Whether a sentence has the form that the question asks for, 0 to 1.

    Args:
        intent: of the question.
        text: the sentence.
    """
    match intent:
        case "number":
            return 0.3 if _FIGURE.search(text) else 0.0
        case "howto":
            named, advised = bool(_NAME.search(text)), bool(_ADVICE.search(text))
            return 0.25 * named + 0.1 * advised + 0.6 * bool(_USAGE.match(text))
        case "breaking" | "deprecation":
            return 0.15 * bool(_NAME.search(text)) + 0.2 * bool(_ADVICE.search(text))
        case "list":
            return 0.1 * bool(_NAME.search(text))
        case _:
            return 0.0
