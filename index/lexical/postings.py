"""Postings: which texts hold a term, and how often; and how to find the best of them without adding up all.

Texts that cannot come among the best are passed over as in MaxScore (Turtle & Flood 1995, "Query evaluation:
strategies and optimizations"): terms come by the most they can add, and once all that is left could not lift
a text into the best, it is looked up only in texts that are near.
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
"""The texts that hold a term, ascending; its weight in each; its weight in the question; the most it adds."""

_SAMPLE = 4096  # texts that tell how much the best reach at least
_DEARER = 4  # times as long takes a text to look up as a posting to add
_LEAST = float(np.finfo(np.float32).tiny)
_SLACK = 1e-4  # of a score: sums in another order differ by rounding


@dataclass(frozen=True)
class Postings:
    """Counts of terms in texts, as the columns of a sparse matrix.

    Attributes:
        starts: where each term's postings begin, and the end of the last, (terms + 1,).
        texts: the text of each posting, ascending within a term.
        counts: how often the term occurs there.
        lengths: terms of each text, (size,).
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
        """Count terms given by number, text by text."""
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
        """The term of each posting."""
        return np.repeat(np.arange(len(self.starts) - 1, dtype=np.int64), np.diff(self.starts))

    def renumbered(self, places: Ints, terms: int | None = None) -> Postings:
        """With the n-th term at `places[n]`, of so many terms; one without postings may go to -1."""
        held = np.diff(self.starts)
        used = np.flatnonzero(held)
        used = used[np.argsort(places[used], kind="stable")]
        starts = np.zeros((len(places) if terms is None else terms) + 1, np.int64)
        starts[places[used] + 1] = held[used]
        np.cumsum(starts, out=starts)
        if np.all(np.diff(used) > 0):  # the order of the terms stays, and so do their postings
            return replace(self, starts=starts)
        shift = np.repeat(self.starts[used] - starts[places[used]], held[used])
        order = np.arange(len(self.texts), dtype=np.int64) + shift
        return replace(self, starts=starts, texts=self.texts[order], counts=self.counts[order])

    def chosen(self, kept: Ints) -> Postings:
        """Of the texts `kept`, in that order; -1 for one without terms."""
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
        """With the n-th text at `places[n]`, ascending, of so many texts."""
        lengths = np.zeros(size, np.int32)
        lengths[places] = self.lengths
        return replace(self, texts=places[self.texts].astype(np.int32), lengths=lengths)

    def save(self, path: Path) -> None:
        """Write to a file."""
        np.savez(path, starts=self.starts, texts=self.texts, counts=self.counts, lengths=self.lengths)

    @classmethod
    def load(cls, path: Path) -> Postings:
        """Read what `save` wrote."""
        with path.open("rb") as file, np.load(file, allow_pickle=False) as arrays:
            return cls(arrays["starts"], arrays["texts"], arrays["counts"], arrays["lengths"])


def merged(one: Postings, other: Postings) -> Postings:
    """The postings of both; of the same terms and texts, each text with terms in one of them only."""
    columns = np.concatenate([one.columns(), other.columns()])
    texts = np.concatenate([one.texts, other.texts])
    order = np.argsort(columns * max(one.size, 1) + texts, kind="stable")
    counts = np.concatenate([one.counts, other.counts])[order]
    starts = _starts(columns[order], len(one.starts) - 1)
    return Postings(starts, texts[order], counts, one.lengths + other.lengths)


def promising(
    spans: Sequence[Span], size: int, limit: int, masks: Sequence[NDArray[np.bool_] | None]
) -> list[tuple[Ints, Floats]]:
    """Texts among which the `limit` best are, and their scores, added up in the order of `spans`.

    Args:
        spans: the postings of the query terms.
        size: number of texts.
        limit: how many are wanted.
        masks: which texts to choose from, once for each; None: all.
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
            last = _last(sums[samples[place]], limit)  # so much at least
            if most >= last and ahead:
                continue  # a text of none of these terms could come among the best
            rows = np.flatnonzero(sums >= max(last - most, _LEAST)).astype(np.int32)
            if len(rows) * _DEARER <= ahead or not ahead:
                rows = rows if mask is None else rows[mask[rows]]
                found[place] = _narrowed(rows, sums, ordered[number:], limit)
        if len(found) == len(masks):
            break
    tops = [found.get(place, np.empty(0, np.int32)) for place in range(len(masks))]
    return [(rows.astype(np.int64), _sums(spans, rows)) for rows in tops]


def _narrowed(rows: Rows, sums: Floats, rest: Sequence[Span], limit: int) -> Rows:
    """The rows that are still among the best when the rest is added, looked up in them alone."""
    values = sums[rows]
    most = sum(highest for *_, highest in rest)
    for span in rest:
        values = values + _sums([span], rows)
        most -= span[3]
        near = values + most >= _last(values, limit)
        rows, values = rows[near], values[near]
    return rows[values >= _last(values, limit)]


def _last(values: Floats, limit: int) -> float:
    """What a sum must reach to be among the best, given those so far; 0 while there are fewer."""
    if len(values) <= limit:
        return 0.0
    return float(np.partition(values, len(values) - limit)[len(values) - limit]) * (1 - _SLACK)


def _sums(spans: Sequence[Span], rows: Rows) -> Floats:
    """What each of the ascending rows scores by these terms."""
    out = np.zeros(len(rows), np.float32)
    for texts, weights, weight, _ in spans:
        places = np.searchsorted(texts, rows)
        places[places == len(texts)] = 0
        held = texts[places] == rows
        out[held] += weight * weights[places[held]]
    return out


def _starts(columns: Ints, terms: int | None = None) -> Ints:
    """Where each term's postings begin, from the ascending terms of all."""
    held = np.bincount(columns, minlength=0 if terms is None else terms)
    return np.concatenate([[0], np.cumsum(held)]).astype(np.int64)


def _small(counts: Ints) -> NDArray[np.uint16]:
    return np.minimum(counts, np.iinfo(np.uint16).max).astype(np.uint16)
