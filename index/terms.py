"""The lexical index: BM25 over the segmenter's terms (bm25s).

Scores follow BM25 in Lucene's form (Kamphuis et al. 2020, "Which BM25 do you mean?"). Query terms carry
weights, so that words the glossary adds count less than those the user typed.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from index.resemblance import resembling

_K1 = 1.2
_B = 0.6


class TermIndex:
    """BM25 scores by term, as the columns of a sparse matrix.

    Attributes:
        size: number of texts.
    """

    def __init__(
        self,
        vocabulary: dict[str, int],
        starts: NDArray[np.int64],
        texts: NDArray[np.int32],
        weights: NDArray[np.float32],
        size: int,
    ) -> None:
        self._vocabulary = vocabulary
        self._starts = starts
        self._texts = texts
        self._weights = weights
        self.size = size

    @classmethod
    def build(cls, texts: Sequence[Sequence[str]]) -> TermIndex:
        """Index texts given as lists of terms."""
        import bm25s

        vocabulary = {term: i for i, term in enumerate(sorted({t for terms in texts for t in terms}))}
        if not vocabulary:
            empty = np.zeros(1, np.int64)
            return cls({}, empty, np.empty(0, np.int32), np.empty(0, np.float32), len(texts))
        ids = [[vocabulary[t] for t in terms] for terms in texts]
        model = bm25s.BM25(method="lucene", k1=_K1, b=_B)
        model.index((ids, vocabulary), show_progress=False, create_empty_token=False)
        return cls(
            vocabulary,
            np.asarray(model.scores["indptr"], np.int64),
            np.asarray(model.scores["indices"], np.int32),
            np.asarray(model.scores["data"], np.float32),
            len(texts),
        )

    def __contains__(self, term: str) -> bool:
        return term in self._vocabulary

    def scores(self, terms: Mapping[str, float]) -> NDArray[np.float32]:
        """BM25 of every text for weighted query terms, (size,); 0 where no term occurs."""
        out = np.zeros(self.size, np.float32)
        for term, weight in terms.items():
            column = self._vocabulary.get(term)
            if column is not None:
                span = slice(self._starts[column], self._starts[column + 1])
                out[self._texts[span]] += weight * self._weights[span]
        return out

    def idf(self, term: str) -> float:
        """How telling a term is: log(1 + (N - n + 0.5) / (n + 0.5)); the largest value for an unknown one."""
        column = self._vocabulary.get(term)
        count = 0 if column is None else int(self._starts[column + 1] - self._starts[column])
        return float(np.log1p((self.size - count + 0.5) / (count + 0.5)))

    def resembling(self, word: str) -> str:
        """The term that a misspelled word most likely means; "" if none is near."""
        return resembling(word, self._vocabulary)

    def save(self, folder: Path) -> None:
        """Write `terms.json` and `terms.npz` into a folder."""
        vocabulary = json.dumps({"size": self.size, "vocabulary": list(self._vocabulary)}, ensure_ascii=False)
        (folder / "terms.json").write_text(vocabulary, encoding="utf-8")
        np.savez(folder / "terms.npz", starts=self._starts, texts=self._texts, weights=self._weights)

    @classmethod
    def load(cls, folder: Path) -> TermIndex:
        """Read what `save` wrote."""
        head = json.loads((folder / "terms.json").read_text(encoding="utf-8"))
        with np.load(folder / "terms.npz", allow_pickle=False) as arrays:
            return cls(
                {term: i for i, term in enumerate(head["vocabulary"])},
                arrays["starts"],
                arrays["texts"],
                arrays["weights"],
                head["size"],
            )
