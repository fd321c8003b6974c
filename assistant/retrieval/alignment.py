"""Answering in the language asked, when the notes that answer are in the other one.

First choice is the same statement in the paired language version. Where there is none, the quote stays in its
language, short, and what it names is told in the reader's: the terms' meaning in Chinese, or in English the
names and figures of a Chinese sentence.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from assistant.retrieval.pick import Pick
from index.embedding.base import Vectors
from index.search.passage import Passage, ScoredSentence
from index.search.retriever import Retriever
from ingest.document import Language
from ingest.markup import reading_text

_SENTENCE_COSINE = 0.77


@dataclass(frozen=True, slots=True)
class TranslationAligner:
    """Finds the other language's version of what was picked."""

    retriever: Retriever

    def native(
        self, passages: Sequence[Passage], language: Language, vector: Vectors | None = None
    ) -> list[Passage]:
        """The passages, each section that is paired by its id in the language asked, and only once.

        Args:
            passages: what retrieval returned.
            language: that asked.
            vector: of the question, for the cosines of sentences; None: that of the passage.
        """
        out: dict[str, Passage] = {}
        for passage in passages:
            version = passage
            if passage.language != language and passage.chunk.section_id:
                version = self.retriever.counterpart(passage, language, vector) or passage
            out.setdefault(version.chunk.id, version)
        return list(out.values())

    def across(self, pick: Pick, language: Language) -> Pick:
        """The same statements in a language, where its version of the passage has every one of them.

        Args:
            pick: sentences of a passage.
            language: language of the answer.
        """
        if pick.passage.language == language:
            return pick
        other = self.retriever.counterpart(pick.passage, language)
        if other is None:
            return pick
        found = [self._twin(pick.passage, sentence, other) for sentence in pick.sentences]
        if any(twin is None for twin in found):
            return pick
        twins = {twin.row: twin for twin in found if twin is not None}
        return Pick(other, tuple(sorted(twins.values(), key=lambda s: s.span.start)), pick.score)

    def pairs(self, passages: Iterable[Passage]) -> dict[str, Passage | None]:
        """Each passage's version in the other language, None where there is none, by the id of its chunk.

        Args:
            passages: the passages.
        """
        other: dict[Language, Language] = {"zh": "en", "en": "zh"}
        each = {passage.chunk.id: passage for passage in passages}
        return {id_: self.retriever.counterpart(p, other[p.language]) for id_, p in each.items()}

    def _twin(self, passage: Passage, sentence: ScoredSentence, other: Passage) -> ScoredSentence | None:
        """The sentence of the other version that says the same: near, and with the same names and figures."""
        quotable = [s for s in other.sentences if _sort(s) == _sort(sentence)]
        if not quotable:
            return None
        vectors = self.retriever.generation.sentence_vectors
        own = vectors.rows(np.array([sentence.row], np.int64))[0]
        nearness = vectors.rows(np.array([s.row for s in quotable], np.int64)) @ own
        best = quotable[int(np.argmax(nearness))]
        text = passage.document.text[sentence.span.start : sentence.span.end]
        twin = other.document.text[best.span.start : best.span.end]
        if float(nearness.max()) < _SENTENCE_COSINE or not figures(text) <= figures(twin):
            return None
        return replace(best, cosine=sentence.cosine)


def _sort(sentence: ScoredSentence) -> str:
    """What a twin must be as well: a heading is near every sentence under it, and says less."""
    return sentence.span.kind if sentence.span.kind in ("code", "heading") else "text"


def without_foreign(picks: Sequence[Pick], language: Language) -> list[Pick]:
    """The picks without those of the other language, unless the first, which is the best, is one.

    Args:
        picks: picks, best first.
        language: language of the answer.
    """
    if not picks or picks[0].passage.language != language:
        return list(picks)
    return [pick for pick in picks if pick.passage.language == language]


def figures(text: str) -> set[str]:
    """The numbers of a text, pull requests apart.

    Args:
        text: Markdown text.
    """
    return {m.replace(",", "") for m in re.findall(r"(?<![\w#.])\d[\d,]*(?:\.\d+)*", reading_text(text))}
