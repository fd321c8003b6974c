"""BM25 over the terms of the segmenter.

Scores follow the Lucene variant of BM25 (Kamphuis et al. 2020, "Which BM25 do you mean?"), as in bm25s. Query
terms are weighted, so that terms added by the glossary can count less than those the user typed.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from index.lexical.postings import Postings, merged, promising
from index.lexical.vocabulary import Vocabulary
from index.ranking import best
from index.scope import Scope
from ingest.locked_property import locked_cached_property

_K1 = 1.2
_B = 0.6
_FEW = 50_000  # up to so many postings, adding them all is faster than pruning

Ints = NDArray[np.int64]


class TermIndex(Vocabulary):
    """A BM25 index, stored as the columns of a sparse matrix of term weights.

    Args:
        vocabulary: number of each term.
        postings: counts of the terms, by number.
    """

    def __init__(self, vocabulary: dict[str, int], postings: Postings) -> None:
        super().__init__(vocabulary, np.diff(postings.starts), postings.size)
        self._postings = postings
        self._starts = postings.starts
        self._texts = postings.texts
        self._weights = self._weigh()

    @classmethod
    def build(cls, texts: Iterable[Sequence[str]]) -> TermIndex:
        """Build an index.

        Args:
            texts: the terms of each text; iterated once.
        """
        vocabulary: dict[str, int] = {}
        postings = Postings.build([vocabulary.setdefault(t, len(vocabulary)) for t in text] for text in texts)
        names = sorted(vocabulary)
        places = np.empty(len(names), np.int64)
        places[[vocabulary[name] for name in names]] = np.arange(len(names))
        return cls({name: i for i, name in enumerate(names)}, postings.renumbered(places))

    def updated(self, kept: Ints, fresh: Sequence[Sequence[str]]) -> TermIndex:
        """Return a new index with some of the texts and some new ones, equal to one built from scratch.

        Args:
            kept: for each text of the result, its row here, or -1 for the next one of `fresh`; shape (n,).
            fresh: the terms of each new text.
        """
        other = TermIndex.build(fresh)
        old = self._postings.chosen(kept)
        new = other._postings.placed(np.flatnonzero(kept < 0), len(kept))
        held = [name for name, i in self.numbers.items() if old.starts[i + 1] > old.starts[i]]
        names = sorted({*held, *other.numbers})
        vocabulary = {name: i for i, name in enumerate(names)}
        both = [
            postings.renumbered(np.array([vocabulary.get(n, -1) for n in known], np.int64), len(names))
            for postings, known in ((old, self.numbers), (new, other.numbers))
        ]
        return TermIndex(vocabulary, merged(*both))

    def _weigh(self) -> NDArray[np.float32]:
        """Return the weight of each posting: idf x tf / (tf + k1 (1 - b + b length / mean length))."""
        lengths = self._postings.lengths
        mean = max(float(lengths.mean()), 1e-9) if self.size else 1.0
        norms = (_K1 * (1 - _B + _B * lengths / mean)).astype(np.float32)
        held = self.held
        idf = np.log1p((self.size - held + 0.5) / (held + 0.5)).astype(np.float32)
        weights = self._postings.counts.astype(np.float32)
        weights /= weights + norms[self._texts]
        weights *= np.repeat(idf, held)
        return weights

    @locked_cached_property
    def _highest(self) -> NDArray[np.float32]:
        """The highest weight of each term, shape (terms,)."""
        if not len(self._weights):
            return np.empty(0, np.float32)
        return np.maximum.reduceat(self._weights, self._starts[:-1])

    def scores(self, terms: Mapping[str, float]) -> NDArray[np.float32]:
        """Return the BM25 score of every text, shape (size,); 0 where no term occurs.

        Args:
            terms: weight of each query term.
        """
        out = np.zeros(self.size, np.float32)
        for column, weight in self._columns(terms):
            span = slice(self._starts[column], self._starts[column + 1])
            np.add.at(out, self._texts[span], weight * self._weights[span])
        return out

    def holding(self, terms: Collection[str]) -> Ints:
        """Return the rows of the texts that contain all terms, ascending.

        Args:
            terms: terms to look for; without any, no text is returned.
        """
        columns = [self.numbers.get(term) for term in terms]
        if not columns or None in columns:
            return np.empty(0, np.int64)
        each = [self._texts[self._starts[c] : self._starts[c + 1]] for c in columns if c is not None]
        found = min(each, key=len)
        for texts in each:
            found = np.intersect1d(found, texts, assume_unique=True)
        return found.astype(np.int64)

    def top(
        self, terms: Mapping[str, float], limit: int, masks: Sequence[NDArray[np.bool_] | None]
    ) -> list[Ints]:
        """Return the rows of the texts with the highest scores above 0, best first, equal scores by row.

        Args:
            terms: weight of each query term, above 0.
            limit: maximum number of texts in each result.
            masks: for each result, the texts to choose from, shape (size,); None: all.

        Returns:
            One array of rows for each mask.
        """
        columns = self._columns(terms)
        if sum(int(self._starts[c + 1] - self._starts[c]) for c, _ in columns) <= _FEW:
            values = self.scores(terms)
            positive = values > 0
            found = [np.flatnonzero(positive if mask is None else positive & mask) for mask in masks]
            return [rows[best(values[rows], limit)] for rows in found]
        spans = []
        for column, weight in columns:
            span = slice(self._starts[column], self._starts[column + 1])
            highest = weight * float(self._highest[column])
            spans.append((self._texts[span], self._weights[span], weight, highest))
        tops = promising(spans, self.size, limit, masks)
        return [rows[best(values, limit)] for rows, values in tops]

    def ranked(self, terms: Mapping[str, float], limit: int, scopes: Sequence[Scope | None]) -> list[Ints]:
        """Return the best texts like `top`, once for each scope.

        Args:
            terms: weight of each query term, above 0.
            limit: maximum number of texts in each result.
            scopes: for each result, the texts to choose from; None: all.
        """
        return self.top(terms, limit, [None if scope is None else scope.mask for scope in scopes])

    def weights(self, rows: Ints) -> Iterator[dict[int, float]]:
        """Yield the weight of each term of a text by the term's number, the terms' share of its scores.

        Args:
            rows: ascending rows of the texts.
        """
        columns, weights, starts = self._by_text
        for row in rows.tolist():
            own = slice(starts[row], starts[row + 1])
            yield dict(zip(columns[own].tolist(), weights[own].tolist(), strict=True))

    @locked_cached_property
    def _by_text(self) -> tuple[Ints, NDArray[np.float32], Ints]:
        """Term number and weight of each posting, text by text, and the offset of each text's first."""
        order = np.argsort(self._texts, kind="stable")
        ends = np.cumsum(np.bincount(self._texts, minlength=self.size))
        starts = np.concatenate([np.zeros(1, np.int64), ends])
        return self._postings.columns()[order], self._weights[order], starts

    def _columns(self, terms: Mapping[str, float]) -> list[tuple[int, float]]:
        known = ((self.numbers.get(term), weight) for term, weight in terms.items())
        return [(column, weight) for column, weight in known if column is not None]

    def checksum(self) -> str:
        """Return the SHA-256 of terms and counts."""
        digest = hashlib.sha256(json.dumps(list(self.numbers)).encode())
        own = self._postings
        for array in (own.starts, own.texts, own.counts, own.lengths):
            digest.update(np.ascontiguousarray(array, array.dtype.newbyteorder("<")).tobytes())
        return digest.hexdigest()

    def save(self, folder: Path) -> None:
        """Write `terms.json` and `terms.npz`.

        Args:
            folder: an existing folder.
        """
        vocabulary = json.dumps(list(self.numbers), ensure_ascii=False)
        (folder / "terms.json").write_text(vocabulary, encoding="utf-8")
        self._postings.save(folder / "terms.npz")

    @classmethod
    def load(cls, folder: Path) -> TermIndex:
        """Read an index written by `save`.

        Args:
            folder: the folder that it was written to.
        """
        names = json.loads((folder / "terms.json").read_text(encoding="utf-8"))
        return cls({term: i for i, term in enumerate(names)}, Postings.load(folder / "terms.npz"))
