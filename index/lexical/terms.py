"""BM25 over the terms of the segmenter.

Scores follow the Lucene variant of BM25 (Kamphuis et al. 2020, "Which BM25 do you mean?"), as in bm25s. Query
terms are weighted, so that terms added by the glossary can count less than those the user typed.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import chain
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from index.lexical.postings import Postings, merged, promising
from index.ranking import best
from index.resemblance import MOST_SLIPS, resembling
from ingest.locked_property import locked_cached_property

_K1 = 1.2
_B = 0.6
_FEW = 50_000  # up to so many postings, adding them all is faster than pruning

Ints = NDArray[np.int64]


class TermIndex:
    """A BM25 index, stored as the columns of a sparse matrix of term weights.

    Args:
        vocabulary: number of each term.
        postings: counts of the terms, by number.

    Attributes:
        size: number of texts.
    """

    def __init__(self, vocabulary: dict[str, int], postings: Postings) -> None:
        self._vocabulary = vocabulary
        self._postings = postings
        self.size = postings.size
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
        held = [name for name, i in self._vocabulary.items() if old.starts[i + 1] > old.starts[i]]
        names = sorted({*held, *other._vocabulary})
        vocabulary = {name: i for i, name in enumerate(names)}
        both = [
            postings.renumbered(np.array([vocabulary.get(n, -1) for n in known], np.int64), len(names))
            for postings, known in ((old, self._vocabulary), (new, other._vocabulary))
        ]
        return TermIndex(vocabulary, merged(*both))

    def _weigh(self) -> NDArray[np.float32]:
        """Return the weight of each posting: idf x tf / (tf + k1 (1 - b + b length / mean length))."""
        lengths = self._postings.lengths
        mean = max(float(lengths.mean()), 1e-9) if self.size else 1.0
        norms = (_K1 * (1 - _B + _B * lengths / mean)).astype(np.float32)
        held = np.diff(self._starts)
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

    def __contains__(self, term: str) -> bool:
        return term in self._vocabulary

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
        columns = [self._vocabulary.get(term) for term in terms]
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

    def _columns(self, terms: Mapping[str, float]) -> list[tuple[int, float]]:
        known = ((self._vocabulary.get(term), weight) for term, weight in terms.items())
        return [(column, weight) for column, weight in known if column is not None]

    def idf(self, term: str) -> float:
        """Return the inverse document frequency, log(1 + (N - n + 0.5) / (n + 0.5)).

        Args:
            term: a term; an unknown one has n = 0, and so the highest value.
        """
        column = self._vocabulary.get(term)
        count = 0 if column is None else int(self._starts[column + 1] - self._starts[column])
        return float(np.log1p((self.size - count + 0.5) / (count + 0.5)))

    def resembling(self, word: str) -> str:
        """Return the indexed term that a misspelled word most likely stands for, "" if none is close enough.

        Args:
            word: the word as typed.
        """
        lengths = range(len(word) - MOST_SLIPS, len(word) + MOST_SLIPS + 1)
        return resembling(word, chain.from_iterable(self._alike.get((word[:1], n), ()) for n in lengths))

    @locked_cached_property
    def _alike(self) -> dict[tuple[str, int], list[str]]:
        """Terms by first character and length."""
        alike: dict[tuple[str, int], list[str]] = {}
        for term in self._vocabulary:
            alike.setdefault((term[:1], len(term)), []).append(term)
        return alike

    def save(self, folder: Path) -> None:
        """Write `terms.json` and `terms.npz`.

        Args:
            folder: an existing folder.
        """
        vocabulary = json.dumps(list(self._vocabulary), ensure_ascii=False)
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
