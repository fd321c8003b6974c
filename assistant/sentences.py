"""How well a sentence answers: nearness, words, names and form, weighted as training found them to count.

The weights are those of a logistic regression on differences of pairs, as for passages (assistant/rerank.py):
a sentence with a fact of the answer against one without, trained by `make ranking`.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from assistant.asked import missing
from assistant.names import entities, share_named
from assistant.question import Intent, Question
from assistant.relevance import Relevance
from index.search.passage import Passage, ScoredSentence
from ingest.markup import reading_text

MODEL = Path(__file__).with_name("sentences.json")
QUOTABLE = ("prose", "item", "row")
_SHORTEST = 8  # characters
_TEXTS_KEPT = 16384
_SUMMARIES = ("overview", "status")  # section ids of a digest
_FIGURE = re.compile(r"(?<![\w.#])\d+(?:[.,]\d+)*\s*(?:%|x\b|×|倍|[A-Za-z]+)?")
_NAME = re.compile(r"`[^`]+`|\b\w+(?:[._]\w+)+\b|\b[A-Z][A-Z0-9_]{3,}\b|--\w+")
_POINTER = re.compile(
    r"https?://|\b(?:learn more|more (?:information|details)|for details|find (?:out )?more|see (?:the|our|this|a)\b|check out|click here"
    r"|(?:please )?refer to|sincerely thank|we(?: are|'re) excited|as always|we encourage|encourage you|full list of)"
    r"|\b(?:the|this) (?:example|code|snippet|sketch)\b|\bis an? (?:stable|beta|prototype|unstable) feature\b"
    r"|^示例|(?:下面|以下|上面)的?(?:示例|代码|例子)|是.{0,8}(?:Beta|Prototype|Stable|测试版|原型|稳定版).{0,4}(?:功能|特性)"
    r"|了解更多|更多(?:信息|详细|细节|内容|有关)|请?(?:参阅|参见|查看|点击|访问|查阅)[^，。]{0,30}(?:教程|文档|博客|页面|此处|这里|链接|指南)|单击此处"
    r"|衷心感谢|真诚地?感谢|很?高兴地?宣布|一如既往|鼓励您",
    re.I,
)
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
    weights: Mapping[str, float] | None = None,
) -> list[Quote]:
    """The sentences that may be quoted, in the order of their passages.

    Args:
        passages: best first.
        weights: of the features; None: the trained ones.
    """
    weights = load_weights() if weights is None else weights
    rows = features(question, passages, relevance)
    return [
        Quote(sum(weights[name] * value for name, value in row.items()), place, sentence, row)
        for row, place, sentence in rows
    ]


def features(
    question: Question, passages: Sequence[Passage], relevance: Relevance
) -> list[tuple[dict[str, float], int, ScoredSentence]]:
    """What counts of each sentence."""
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
                "form": _form(question.intent, text),
                "pointer": float(points_elsewhere(text)),
                "row": float(sentence.span.kind == "row" and question.intent != "number"),
                "length": math.log(shown_length(text)),
                "passage": passage.score / passages[0].score if passages[0].score else 0.0,
                "first_passage": float(place == 0),
                "summary": float(passage.chunk.section_id in _SUMMARIES),
            }
            out.append((row, place, sentence))
    return out


@lru_cache(maxsize=1)
def load_weights(path: Path = MODEL) -> Mapping[str, float]:
    """The trained weights."""
    weights: dict[str, float] = json.loads(path.read_text(encoding="utf-8"))["weights"]
    return weights


@lru_cache(maxsize=_TEXTS_KEPT)
def points_elsewhere(text: str) -> bool:
    """Whether a sentence only leads to something else: a link, an example, thanks."""
    return bool(_POINTER.search(reading_text(text)))


@lru_cache(maxsize=_TEXTS_KEPT)
def shown_length(text: str) -> int:
    """Characters of a text as shown, white space not counted."""
    return len(re.sub(r"\s+", "", reading_text(text)))


def text_of(passage: Passage, sentence: ScoredSentence) -> str:
    """A sentence as it stands in the document."""
    return passage.document.text[sentence.span.start : sentence.span.end]


def _long(passage: Passage, sentence: ScoredSentence) -> bool:
    return shown_length(text_of(passage, sentence)) >= _SHORTEST


def _form(intent: Intent, text: str) -> float:
    """Whether a sentence has the form that the question asks for."""
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
