"""Passages for a language model where a question has several parts: each part is searched on its own too."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest

from assistant.query.question import Question
from assistant.query.sub_questions import sub_questions
from assistant.retrieval.searcher import Searcher
from index.embedding.base import Embedder, Vectors
from index.search.passage import Passage


@dataclass(frozen=True, slots=True)
class PartSearch:
    """Searches for as many passages as a language model may read.

    Attributes:
        searcher: finds passages for one question.
        embedder: the embedder that the index was built with.
        alone: parses a question without any before it.
    """

    searcher: Searcher
    embedder: Embedder
    alone: Callable[[str], Question]

    def wider(self, asked: Question, vector: Vectors, *, strict: bool) -> Sequence[Passage]:
        """Return passages, best first; those of the question and of each of its parts by turns.

        Args:
            asked: the question.
            vector: of the question, of shape (d,).
            strict: whether to leave out releases outside its scope.
        """
        lists = [self.searcher.wider(asked, vector, strict=strict)]
        for text in sub_questions(asked.standalone):
            part = self.alone(text)
            scope = part.scope if part.scope.named else asked.scope
            part = replace(part, language=asked.language, scope=asked.scope if strict else scope)
            found = self.embedder.encode_query(part.searched)
            lists.append(self.searcher.wider(part, found, strict=strict))
        turns = (passage for turn in zip_longest(*lists) for passage in turn if passage is not None)
        return list({passage.chunk.id: passage for passage in turns}.values())
