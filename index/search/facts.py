"""Per-chunk metadata as arrays, for filtering without visiting the chunks."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from index.scope import Scope
from index.storage.interface import Index
from ingest.document import LANGUAGES, Kind, Language
from ingest.release import Release
from ingest.status import Status

Ints = NDArray[np.int64]
Mask = NDArray[np.bool_]

_MANY = 2000


class RowFacts:
    """Release, language, kind and status of every chunk, encoded as small integers.

    Args:
        generation: the index; its documents are grouped by release.

    Attributes:
        releases: releases of the documents, oldest first.
        release_numbers: release code of each chunk, 0 for none, shape (chunks,).
        language_numbers: language code of each chunk, shape (chunks,).
        first_sentences: row of each chunk's first sentence, followed by the number of sentences, shape
            (chunks + 1,).
    """

    def __init__(self, generation: Index) -> None:
        documents = generation.documents
        known = {document.release for document in documents.values()}
        self.releases: tuple[Release, ...] = tuple(sorted(r for r in known if r))
        self._release_numbers: dict[Release | None, int] = {None: 0}
        self._release_numbers |= {release: i for i, release in enumerate(self.releases, 1)}
        kinds = sorted({document.kind for document in documents.values()})
        self._kind_numbers = {kind: i for i, kind in enumerate(kinds)}
        by_document = {
            document.id: (
                self._release_numbers[document.release],
                LANGUAGES.index(document.language),
                self._kind_numbers[document.kind],
            )
            for document in documents.values()
        }
        rows = [by_document[chunk.document_id] for chunk in generation.chunks]
        columns = np.array(rows, np.int16).reshape(-1, 3)
        self.release_numbers, self.language_numbers, self._kinds = np.ascontiguousarray(columns.T)
        statuses = sorted({chunk.status for chunk in generation.chunks})
        self._status_numbers = {status: i for i, status in enumerate(statuses)}
        self._statuses = np.array([self._status_numbers[c.status] for c in generation.chunks], np.int16)
        counts = np.array([len(chunk.sentences) for chunk in generation.chunks], np.int64)
        self.first_sentences: Ints = np.concatenate([np.zeros(1, np.int64), np.cumsum(counts)])
        # Chunks of one release are almost always adjacent: the rows where the release changes.
        self._runs = np.flatnonzero(np.diff(self.release_numbers, prepend=-1, append=-1))
        # Rows sorted by release, then language; ascending within each group.
        self._groups = self.release_numbers.astype(np.int32) * len(LANGUAGES) + self.language_numbers
        self._by_group: Ints = np.argsort(self._groups, kind="stable")
        ends = np.bincount(self._groups, minlength=len(self._release_numbers) * len(LANGUAGES))
        self._group_starts: Ints = np.concatenate([np.zeros(1, np.int64), np.cumsum(ends)])

    def rows(self, release: Release | None, language: Language | None = None) -> Ints:
        """Return the rows of a release's chunks, ascending.

        Args:
            release: the release; None: chunks of documents without one.
            language: only chunks in this language; None: in any.
        """
        number = self._release_numbers.get(release)
        if number is None:
            return np.empty(0, np.int64)
        first = number * len(LANGUAGES)
        languages = range(len(LANGUAGES)) if language is None else [LANGUAGES.index(language)]
        parts = [slice(*self._group_starts[[first + i, first + i + 1]]) for i in languages]
        rows = np.concatenate([self._by_group[part] for part in parts])
        return np.sort(rows)

    def of_kind(self, rows: Ints, kind: Kind) -> Ints:
        """Return the rows whose document is of a kind.

        Args:
            rows: rows to choose from.
            kind: kind of document.
        """
        return np.asarray(rows[self._kinds[rows] == self._kind_numbers.get(kind, -1)])

    def of_status(self, rows: Ints, statuses: Sequence[Status]) -> Ints:
        """Return the rows whose section has one of the statuses.

        Args:
            rows: rows to choose from.
            statuses: statuses to match; "" matches sections without one.
        """
        numbers = [self._status_numbers.get(status, -1) for status in statuses]
        return np.asarray(rows[np.isin(self._statuses[rows], numbers)])

    def scope(self, releases: Collection[Release], *, others: bool = False) -> Scope:
        """Return the chunks of some releases as a scope.

        Args:
            releases: releases to match; unknown ones match nothing.
            others: whether all other chunks are meant instead.
        """
        find = (lambda: ~self.mask(releases)) if others else (lambda: self.mask(releases))
        return Scope(tuple(releases), others, None, None, find)

    def scope_of_few(self, release: Release | None, language: Language, kind: Kind | None = None) -> Scope:
        """Return the chunks of a release in one language as a scope.

        Args:
            release: the release; None: documents without one.
            language: the language.
            kind: only documents of this kind; None: of any.
        """
        rows = self.rows(release, language)
        rows = rows if kind is None else self.of_kind(rows, kind)
        return Scope((release,), False, language, kind, lambda: _mask(rows, len(self._kinds)), rows)

    def of_sentences(self, scope: Scope) -> Scope:
        """Return the sentences of a scope's chunks as a scope.

        Args:
            scope: chunks.
        """
        return replace(scope, find=lambda: self.sentences(scope.mask), few=None)

    def mask(self, releases: Collection[Release]) -> Mask:
        """Return which chunks belong to one of the releases, shape (chunks,).

        Args:
            releases: releases to match; unknown ones match nothing.
        """
        wanted = np.zeros(len(self._release_numbers), np.bool_)
        wanted[
            [self._release_numbers[release] for release in releases if release in self._release_numbers]
        ] = True
        return np.repeat(wanted[self.release_numbers[self._runs[:-1]]], np.diff(self._runs))

    def sentences(self, mask: Mask) -> Mask:
        """Return which sentences belong to the masked chunks, shape (sentences,).

        Args:
            mask: selected chunks, shape (chunks,).
        """
        edges = np.flatnonzero(np.diff(mask, prepend=False, append=False))
        if len(edges) > _MANY:
            return np.repeat(mask, np.diff(self.first_sentences))
        out = np.zeros(self.first_sentences[-1], np.bool_)
        for start, end in self.first_sentences[edges].reshape(-1, 2).tolist():  # few runs: slices are faster
            out[start:end] = True
        return out


def _mask(rows: Ints, size: int) -> Mask:
    mask = np.zeros(size, np.bool_)
    mask[rows] = True
    return mask
