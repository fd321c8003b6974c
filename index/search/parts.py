"""Sections of several chunks: matching chunks of two language versions, and near-duplicates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from index.search.facts import RowFacts
from index.storage.interface import Index
from ingest.chunk import Chunk

_DUPLICATE_COSINE = 0.97


def parts(chunks: Sequence[Chunk], row: int) -> range:
    """Return the rows of all chunks of a chunk's section; they are consecutive.

    Args:
        chunks: all chunks of the index.
        row: row of a chunk.
    """
    first = last = row
    while first and _together(chunks[first - 1], chunks[row]):
        first -= 1
    while last + 1 < len(chunks) and _together(chunks[last + 1], chunks[row]):
        last += 1
    return range(first, last + 1)


def other_part(here: range, row: int, there: range) -> int:
    """Return the chunk of a section's other version that corresponds to a chunk, by relative position.

    Args:
        here: rows of the section.
        row: row of the chunk, in `here`.
        there: rows of the section's other version.

    >>> [other_part(range(4, 7), row, range(10, 12)) for row in (4, 5, 6)]
    [10, 10, 11]
    """
    if len(here) == 1:
        return there[0]
    return there[round((row - here.start) * (len(there) - 1) / (len(here) - 1))]


def _together(one: Chunk, other: Chunk) -> bool:
    return (one.document_id, one.section) == (other.document_id, other.section)


@dataclass(frozen=True, slots=True)
class Repeats:
    """Compares chunks with those selected before them.

    Attributes:
        generation: the index.
        facts: metadata of its chunks.
    """

    generation: Index
    facts: RowFacts

    def told(self, row: int, picked: Sequence[int]) -> bool:
        """Return whether a selected chunk of another section is a near-duplicate of a chunk.

        Only chunks of the same release and language are compared. Chunks of one section are not: each is
        embedded with the headings above it, so they are similar whatever they say.

        Args:
            row: row of the chunk.
            picked: rows selected before it.
        """
        releases, languages = self.facts.release_numbers, self.facts.language_numbers
        section = parts(self.generation.chunks, row)
        alike = [o for o in picked if releases[o] == releases[row] and languages[o] == languages[row]]
        alike = [o for o in alike if o not in section]
        if not alike:
            return False
        vectors = self.generation.chunk_vectors.rows(np.array([row, *alike], np.int64))
        return bool((vectors[1:] @ vectors[0] > _DUPLICATE_COSINE).any())

    def part(self, row: int, picked: Sequence[int]) -> int:
        """Return a chunk's counterpart in the language in which its section was selected before.

        A section is shown in one language only.

        Args:
            row: row of the chunk.
            picked: rows selected before it.

        Returns:
            The row of the counterpart; `row` itself if its section was not selected in another language.
        """
        chunks, facts = self.generation.chunks, self.facts
        section = chunks[row].section_id
        for other in picked if section else ():
            same = facts.release_numbers[row] == facts.release_numbers[other]
            paired = same and chunks[other].section_id == section
            if paired and facts.language_numbers[row] != facts.language_numbers[other]:
                return other_part(parts(chunks, row), row, parts(chunks, other))
        return row
