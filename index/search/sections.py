"""Sections of digests, by their names, such as "2.4/tcpstore-libuv"."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from index.storage.interface import Index
from ingest.document import LANGUAGES, Language
from ingest.locked_property import locked_cached_property

Ints = NDArray[np.int64]
Scores = NDArray[np.float32]


@dataclass(frozen=True)
class DigestSections:
    """Finds the chunks of sections of digests.

    Attributes:
        generation: the index.
    """

    generation: Index

    def nearest(
        self, names: Sequence[str], vector: Scores, mask: NDArray[np.bool_] | None = None
    ) -> Iterator[Ints]:
        """Yield the row of each section's chunk that is nearest to a vector, for each language.

        Args:
            names: of sections; the rows are in their order, and those of unknown ones are missing.
            vector: unit vector, shape (dimension,).
            mask: chunks that may be found, shape (chunks,); None: all.
        """
        sections = [self._rows[name] for name in names if name in self._rows]
        for language in LANGUAGES:
            found = [np.empty(0, np.int64)]
            for section in sections:
                rows = np.array(section.get(language, ()), np.int64)
                rows = rows if mask is None else rows[mask[rows]]
                if len(rows) > 1:
                    cosines = self.generation.chunk_vectors.rows(rows) @ vector
                    rows = rows[[int(cosines.argmax())]]
                found.append(rows)
            yield np.concatenate(found)

    @locked_cached_property
    def _rows(self) -> Mapping[str, Mapping[Language, Sequence[int]]]:
        digests = {d.id: d for d in self.generation.documents.values() if d.kind == "digest"}
        found: dict[str, dict[Language, list[int]]] = {}
        for row, chunk in enumerate(self.generation.chunks):
            document = digests.get(chunk.document_id)
            if document and chunk.section_id:
                section = found.setdefault(f"{document.version}/{chunk.section_id}", {})
                section.setdefault(document.language, []).append(row)
        return found
