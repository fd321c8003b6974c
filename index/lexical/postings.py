"""Posting lists, and top-k scoring that does not add up every posting.

Texts that cannot be among the best are skipped as in MaxScore (Turtle & Flood 1995, "Query evaluation:
strategies and optimizations"): terms are processed in order of their maximum contribution. Once the remaining
terms cannot lift a new text into the best, they are looked up only in the texts still in reach.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Floats = NDArray[np.float32]
Rows = NDArray[np.int32]
Span = tuple[Rows, Floats, float, float]
"""Posting list of a query term: ascending text rows, weight in each, query weight, maximum contribution."""

_SAMPLE = 4096  # texts from which a lower bound of the best scores is estimated
_DEARER = 4  # cost of looking up one text, relative to adding one posting
_LEAST = float(np.finfo(np.float32).tiny)
_SLACK = 1e-4  # relative tolerance: sums in another order differ by rounding


@dataclass(frozen=True)
class Postings:
    """Term counts per text, stored as the columns of a sparse matrix.

    Attributes:
        starts: offset of each term's first posting, followed by the number of postings, shape (terms + 1,).
        texts: text row of each posting, ascending within a term, shape (postings,).
        counts: occurrences of the term in that text, capped at 65535, shape (postings,).
        lengths: number of terms in each text, shape (size,).
    """

    starts: Ints
    texts: NDArray[np.int32]
    counts: NDArray[np.uint16]
    lengths: NDArray[np.int32]

    @property
    def size(self) -> int:
        """Number of texts."""
        return len(self.lengths)

    @classmethod
    def build(cls, texts: Iterable[list[int]]) -> Postings:
        """Count the terms of each text.

        Args:
            texts: for each text, the numbers of its terms, in any order and with repetition.
        """
        numbers, lengths = array("i"), array("i")
        for text in texts:
            numbers.fromlist(text)
            lengths.append(len(text))
        sizes = np.array(lengths, np.int32)
        keys = np.array(numbers, np.int64)
        del numbers
        keys *= max(len(sizes), 1)
        keys += np.repeat(np.arange(len(sizes), dtype=np.int32), sizes)
        keys.sort()
        first = np.flatnonzero(np.diff(keys, prepend=-1))
        counts = np.diff(first, append=len(keys))
        terms, rows = np.divmod(keys[first], max(len(sizes), 1))
        return cls(_starts(terms), rows.astype(np.int32), _small(counts), sizes)

    def columns(self) -> Ints:
        """Return the term number of each posting, shape (postings,)."""
        return np.repeat(np.arange(len(self.starts) - 1, dtype=np.int64), np.diff(self.starts))

    def renumbered(self, places: Ints, terms: int | None = None) -> Postings:
        """Return the same postings under new term numbers.

        Args:
            places: new number of each term, shape (terms,); a term without postings may have -1.
            terms: number of terms in the result; None: as many as here.
        """
        held = np.diff(self.starts)
        used = np.flatnonzero(held)
        used = used[np.argsort(places[used], kind="stable")]
        starts = np.zeros((len(places) if terms is None else terms) + 1, np.int64)
        starts[places[used] + 1] = held[used]
        np.cumsum(starts, out=starts)
        if np.all(np.diff(used) > 0):  # the terms keep their order, so the postings keep theirs
            return replace(self, starts=starts)
        shift = np.repeat(self.starts[used] - starts[places[used]], held[used])
        order = np.arange(len(self.texts), dtype=np.int64) + shift
        return replace(self, starts=starts, texts=self.texts[order], counts=self.counts[order])

    def chosen(self, kept: Ints) -> Postings:
        """Return the postings of some of the texts, in a new order.

        Args:
            kept: for each text of the result, its row here, or -1 for one without terms; shape (n,).
        """
        place = np.full(self.size, -1, np.int32)
        stays = np.flatnonzero(kept >= 0)
        place[kept[stays]] = stays
        texts = place[self.texts]
        held = texts >= 0
        columns, texts = self.columns()[held], texts[held]
        order = np.lexsort((texts, columns)) if np.any(np.diff(kept[stays]) < 0) else slice(None)
        lengths = np.zeros(len(kept), np.int32)
        lengths[stays] = self.lengths[kept[stays]]
        starts = _starts(columns, len(self.starts) - 1)
        return Postings(starts, texts[order], self.counts[held][order], lengths)

    def placed(self, places: Ints, size: int) -> Postings:
        """Return the postings with the texts moved to other rows.

        Args:
            places: new row of each text, ascending, shape (self.size,).
            size: number of texts in the result; the others have no terms.
        """
        lengths = np.zeros(size, np.int32)
        lengths[places] = self.lengths
        return replace(self, texts=places[self.texts].astype(np.int32), lengths=lengths)

    def save(self, path: Path) -> None:
        """Write the arrays to an npz file.

        Args:
            path: file to write, with the suffix ".npz".
        """
        np.savez(path, starts=self.starts, texts=self.texts, counts=self.counts, lengths=self.lengths)

    @classmethod
    def load(cls, path: Path) -> Postings:
        """Read a file written by `save`.

        Args:
            path: file to read.
        """
        with path.open("rb") as file, np.load(file, allow_pickle=False) as arrays:
            return cls(arrays["starts"], arrays["texts"], arrays["counts"], arrays["lengths"])


def merged(one: Postings, other: Postings) -> Postings:
    """Combine two sets of postings over the same terms and texts.

    Args:
        one: first postings.
        other: second postings; a text may have terms in only one of the two.
    """
    columns = np.concatenate([one.columns(), other.columns()])
    texts = np.concatenate([one.texts, other.texts])
    order = np.argsort(columns * max(one.size, 1) + texts, kind="stable")
    counts = np.concatenate([one.counts, other.counts])[order]
    starts = _starts(columns[order], len(one.starts) - 1)
    return Postings(starts, texts[order], counts, one.lengths + other.lengths)


def promising(
    spans: Sequence[Span], size: int, limit: int, masks: Sequence[NDArray[np.bool_] | None]
) -> list[tuple[Ints, Floats]]:
    """Find a small set of texts that contains the best ones, and score it.

    Args:
        spans: posting lists of the query terms; scores are summed in this order.
        size: number of texts.
        limit: number of best texts that each result must contain.
        masks: for each result, the texts to choose from, shape (size,); None: all.

    Returns:
        For each mask, the rows of the texts and their scores, both of shape (m,), unsorted by score.
    """
    ordered = sorted(spans, key=lambda span: -span[3])
    most = sum(highest for *_, highest in ordered)
    ahead = sum(len(texts) for texts, *_ in ordered)
    sums = np.zeros(size, np.float32)
    samples = [np.empty(0, np.int32) for _ in masks]
    found: dict[int, Rows] = {}
    for number, (texts, weights, weight, highest) in enumerate(ordered, 1):
        sample = texts[:: len(texts) // _SAMPLE + 1]
        sample = sample[sums[sample] == 0]
        np.add.at(sums, texts, weight * weights)
        most = max(most - highest, 0.0)
        ahead -= len(texts)
        for place, mask in enumerate(masks):
            if place in found:
                continue
            if len(samples[place]) < _SAMPLE:
                fresh = sample if mask is None else sample[mask[sample]]
                samples[place] = np.concatenate([samples[place], fresh])
            last = _last(sums[samples[place]], limit)  # a lower bound
            if most >= last and ahead:
                continue  # a text with none of these terms could still be among the best
            rows = np.flatnonzero(sums >= max(last - most, _LEAST)).astype(np.int32)
            if len(rows) * _DEARER <= ahead or not ahead:
                rows = rows if mask is None else rows[mask[rows]]
                found[place] = _narrowed(rows, sums, ordered[number:], limit)
        if len(found) == len(masks):
            break
    tops = [found.get(place, np.empty(0, np.int32)) for place in range(len(masks))]
    return [(rows.astype(np.int64), _sums(spans, rows)) for rows in tops]


def _narrowed(rows: Rows, sums: Floats, rest: Sequence[Span], limit: int) -> Rows:
    """Return the rows that stay among the best once the remaining spans are added."""
    values = sums[rows]
    most = sum(highest for *_, highest in rest)
    for span in rest:
        values = values + _sums([span], rows)
        most -= span[3]
        near = values + most >= _last(values, limit)
        rows, values = rows[near], values[near]
    return rows[values >= _last(values, limit)]


def _last(values: Floats, limit: int) -> float:
    """Return a lower bound of the sum needed to be among the best; 0 with no more than `limit` values."""
    if len(values) <= limit:
        return 0.0
    return float(np.partition(values, len(values) - limit)[len(values) - limit]) * (1 - _SLACK)


def _sums(spans: Sequence[Span], rows: Rows) -> Floats:
    """Return the score of each of the ascending rows for these spans."""
    out = np.zeros(len(rows), np.float32)
    for texts, weights, weight, _ in spans:
        places = np.searchsorted(texts, rows)
        places[places == len(texts)] = 0
        held = texts[places] == rows
        out[held] += weight * weights[places[held]]
    return out


def _starts(columns: Ints, terms: int | None = None) -> Ints:
    """Return the offset of each term's first posting, given the ascending term numbers of all postings."""
    held = np.bincount(columns, minlength=0 if terms is None else terms)
    return np.concatenate([[0], np.cumsum(held)]).astype(np.int64)


def _small(counts: Ints) -> NDArray[np.uint16]:
    return np.minimum(counts, np.iinfo(np.uint16).max).astype(np.uint16)
