"""Evidence: what was found for a question, in the numbers that decide whether it is answered.

How near the vectors are, how much of the question stands in what was found, in one sentence of it and under
one heading, and above all whether the names in the question (a product, a device, an API) do.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from assistant.query.answer_type import asked_kinds, missing
from assistant.query.entities import entities, share_named
from assistant.query.question import Question
from assistant.retrieval.relevance import Relevance
from assistant.retrieval.sentences import Quote, text_of
from index.search.passage import Passage
from index.storage.interface import Terms
from ingest.chunk import lexical_text
from ingest.segment import Segmenter

_DEPTH = 5
_CLOSE = 3
_COMPARED = re.compile(
    r"\b(?:vs|versus|than|against|compared? (?:with|to)|beat)\b|[比跟和与].{1,24}(?:快|慢|强|好|省|谁|哪个)|相比",
    re.I,
)
_RELEASE = re.compile(r"[12]\.\d{1,2}")
#: Words that every note has, so that their presence says nothing.
_COMMON = frozenset("pytorch torch releas version 版本 use need get work make want new thing way".split())
_OF_SENTENCE = ("cosine", "names", "widened_coverage")


@dataclass(frozen=True, slots=True)
class GateFeatures:
    """What the gate looks at.

    Attributes:
        question: as understood.
        passages: what retrieval returned, best first.
        nearness: cosine of the nearest glossary description.
        relevance: what the words of the question count.
        quotes: the sentences that the answer would be made of.
        on_subject: log odds that the question is about PyTorch, 0 where nothing is known.
    """

    question: Question
    passages: Sequence[Passage]
    nearness: float
    relevance: Relevance
    quotes: Sequence[Quote]
    on_subject: float = 0.0


def measure(evidence: GateFeatures, segmenter: Segmenter, terms: Terms) -> dict[str, float]:
    """The features of a question and what was found for it.

    Args:
        evidence: the question and what was found for it.
        segmenter: splits texts into terms.
        terms: frequencies of terms in the index.
    """
    question, passages = evidence.question, evidence.passages[:_DEPTH]
    typed = [
        term
        for term in dict.fromkeys(segmenter.terms(question.clean))
        if term not in _COMMON and not _RELEASE.fullmatch(term)
    ]
    texts = [lexical_text(p.chunk, p.document).casefold() for p in passages]
    names = entities(question)
    by_passage = [share_named(names, text) for text in texts]
    # A figure counts only where the subject is spoken of: in the best passages that hold most of the names.
    most = max(by_passage[:_CLOSE], default=0.0)
    on_subject = [p.text for p, share in zip(passages[:_CLOSE], by_passage, strict=False) if share == most]
    compared = _compares(question)
    cosine = max((s.cosine for s in passages[0].sentences), default=0.0) if passages else 0.0
    found = [any(name in text for text in texts for name in spellings) for spellings in names]
    chinese = float(question.language == "zh")
    return {
        "cosine": cosine,
        "cosine_zh": cosine * chinese,
        "nearness": evidence.nearness,
        "nearness_zh": evidence.nearness * chinese,
        "on_subject": evidence.on_subject,
        "chinese": chinese,
        "lists": float(max((len(p.ranks) for p in passages[:_CLOSE]), default=0)),
        "unknown_words": _weight([t for t in typed if t not in terms], typed, terms),
        "asked_missing": float(missing(question.clean, on_subject)),
        "names": float(len(names)),
        "names_missing": float(found.count(False)),
        "names_covered_best": by_passage[0] if by_passage else 0.0,
        "names_unheard": float(
            sum(_unheard(spellings, segmenter, terms) for spellings in names[len(question.terms) :])
        ),
        "compared_missing": float(compared and not all(found)),
        "release_named": float(bool(question.releases)),
        "release_unknown": float(bool(question.scope.unknown)),
        **_of_best(evidence.quotes),
        **_in_context(evidence, names),
    }


def _compares(question: Question) -> bool:
    """Whether a question sets one thing beside another, and not two releases."""
    return bool(_COMPARED.search(question.clean)) and not question.releases[1:]


def _of_best(quotes: Sequence[Quote]) -> dict[str, float]:
    """Of the sentence that answers best."""
    row = max(quotes, key=lambda quote: quote.score).features if quotes else {}
    return {f"sentence_{name}": row.get(name, 0.0) for name in _OF_SENTENCE}


def _in_context(evidence: GateFeatures, names: Sequence[Sequence[str]]) -> dict[str, float]:
    """What single sentences, read below their headings, hold of the question.

    The most names in one of them, and how far the kind of thing asked for is from the names: 0 where a sentence
    that gives such a thing names all, 1 where none gives one or it names nothing of the question.
    """
    kinds = asked_kinds(evidence.question.clean)
    proper = entities(evidence.question, proper=True)
    named, given = 0.0, 0.0
    for sentence, context in _sentences(evidence.passages[:_DEPTH]):
        named = max(named, share_named(names, context))
        if kinds and all(kind.given.search(sentence) for kind in kinds):
            given = max(given, share_named(proper, context) if proper else 1.0)
    return {
        "context_names": named,
        "kinds_apart": 1 - given if kinds else 0.0,
        "compared_apart": 1 - named if _compares(evidence.question) else 0.0,
    }


def _sentences(passages: Sequence[Passage]) -> Iterator[tuple[str, str]]:
    """Each sentence, and the same below its headings."""
    for passage in passages:
        headings = " ".join(passage.chunk.headings)
        for sentence in passage.sentences:
            if sentence.span.kind != "heading":
                text = text_of(passage, sentence)
                yield text, f"{headings} {text}"


def _unheard(spellings: Sequence[str], segmenter: Segmenter, terms: Terms) -> bool:
    """Whether a name stands nowhere in the corpus, nor one that a slip of the keys would make of it."""
    words = [segmenter.terms(name) for name in spellings]
    if any(
        found and (found[0] in terms or all(word in terms for word in found[1:] or found)) for found in words
    ):
        return False
    return not any(terms.resembling(word) for found in words for word in found[:1])


def _weight(part: Sequence[str], whole: Sequence[str], terms: Terms) -> float:
    """Share of the terms' weight (idf) that a part of them has."""
    total = sum(terms.idf(term) for term in whole)
    return sum(terms.idf(term) for term in part) / total if total else 0.0
