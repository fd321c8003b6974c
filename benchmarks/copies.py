"""Many documents out of few: real ones repeated, and each copy perturbed.

A copy keeps the structure of its original: in the text some words give way to others of the same length, so
that every span still points to what it pointed to. Terms are perturbed likewise (some give way to others,
drawn as often as they occur), vectors by noise (`COSINE` to the original); neither is computed from the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from index.storage.generation import Generation
from ingest.chunk import Chunk
from ingest.document import Document

COSINE = 0.95
_SWAPPED = 0.1  # of the words and terms
_WORD = re.compile(r"(?<![\w#./-])[A-Za-z]{4,}(?![\w./-])")
_BLOCK = 16_384


class Copies:
    """The first `size` chunks of endless copies of a generation, document by document.

    Attributes:
        documents: in the order of an index, by id.
        chunks: theirs, in their order.
        rows: for each chunk the row of its original.
    """

    def __init__(self, base: Generation, size: int, seed: int = 0) -> None:
        self._base = base
        self._seed = seed
        by_document: dict[str, list[int]] = {}
        for row, chunk in enumerate(base.chunks):
            by_document.setdefault(chunk.document_id, []).append(row)
        counts: dict[str, int] = {}
        whole, rest = divmod(size, len(base.chunks))
        for document_id, rows in by_document.items():  # the last copy takes documents as far as they go
            counts[document_id] = whole + (rest > 0)
            rest -= min(rest, len(rows))
        draw = np.random.default_rng(seed)
        self.documents: dict[str, Document] = {}
        chunks: list[Chunk] = []
        kept: list[int] = []
        words = words_of(base.documents.values())
        for document in base.documents.values():
            places = places_of(document)
            for number in range(counts.get(document.id, 0)):
                copy = document if number == 0 else copied(document, number, places, words, draw)
                self.documents[copy.id] = copy
                for row in by_document[document.id][: size - len(chunks)]:
                    chunk = base.chunks[row]
                    chunks.append(replace(chunk, id=f"{chunk.id}-{number}", document_id=copy.id))
                    kept.append(row)
        self.chunks = tuple(chunks)
        self.rows = np.array(kept, np.int64)

    def sentence_rows(self) -> NDArray[np.int64]:
        """For each sentence the row of its original."""
        first = np.searchsorted(self._base.sentence_owner, np.arange(len(self._base.chunks) + 1))
        return np.concatenate([np.arange(first[row], first[row + 1]) for row in self.rows.tolist()])

    def vectors(
        self, originals: NDArray[np.float32], rows: NDArray[np.int64], path: Path
    ) -> NDArray[np.float32]:
        """The originals' vectors with noise, at unit length, mapped from a file: they may exceed memory."""
        shape = (len(rows), originals.shape[1])
        out = np.lib.format.open_memmap(path, "w+", np.float32, shape)
        draw = np.random.default_rng(self._seed + 1)
        noise = (1 / COSINE**2 - 1) ** 0.5 / shape[1] ** 0.5
        for start in range(0, len(rows), _BLOCK):
            block = originals[rows[start : start + _BLOCK]]
            block += noise * draw.standard_normal(block.shape, np.float32)
            block /= np.linalg.norm(block, axis=1, keepdims=True)
            out[start : start + _BLOCK] = block
        out.flush()
        del out
        return np.asarray(np.load(path, mmap_mode="r"))

    def terms(self, originals: Sequence[Sequence[str]]) -> Iterator[list[str]]:
        """The originals' terms, in each list some of them others, drawn as often as they occur."""
        names = sorted({term for terms in originals for term in terms})
        numbers = {name: number for number, name in enumerate(names)}
        lists = [np.array([numbers[term] for term in terms], np.int64) for terms in originals]
        every = np.concatenate(lists)
        draw = np.random.default_rng(self._seed + 2)
        for row in self.rows.tolist():
            terms = lists[row].copy()
            swapped = draw.integers(0, max(len(terms), 1), int(_SWAPPED * len(terms)))
            terms[swapped] = every[draw.integers(0, len(every), len(swapped))]
            yield [names[number] for number in terms.tolist()]


def places_of(document: Document) -> list[tuple[int, int]]:
    """Where the words of a document are that may give way to others."""
    return [match.span() for match in _WORD.finditer(document.text)]


def words_of(documents: Iterable[Document]) -> dict[int, list[str]]:
    """The words of all documents by their length."""
    words: dict[int, set[str]] = {}
    for document in documents:
        for word in _WORD.findall(document.text):
            words.setdefault(len(word), set()).add(word)
    return {length: sorted(found) for length, found in words.items()}


def copied(
    document: Document,
    number: int,
    places: Sequence[tuple[int, int]],
    words: dict[int, list[str]],
    draw: np.random.Generator,
) -> Document:
    """A copy of a document, in which some words are others of the same length.

    Args:
        document: the original.
        number: of the copy.
        places: `places_of` the original.
        words: `words_of` all documents.
        draw: draws the words.
    """
    pieces: list[str] = []
    end = 0
    chosen = np.flatnonzero(draw.random(len(places)) < _SWAPPED).tolist()
    for place, ticket in zip(chosen, draw.integers(0, 1 << 30, len(chosen)).tolist(), strict=True):
        start, stop = places[place]
        others = words[stop - start]
        pieces += (document.text[end:start], others[ticket % len(others)])
        end = stop
    text = "".join([*pieces, document.text[end:]])
    source, origin = f"{document.id}-copy{number}", f"{document.origin}#{number}"
    return replace(document, id=source, title=f"{document.title} {number:06}", text=text, origin=origin)
