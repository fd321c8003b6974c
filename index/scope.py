"""Which chunks a search may find: told as a filter for a server, and as rows for arrays."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ingest.document import Kind, Language
from ingest.locked_property import locked_cached_property
from ingest.release import Release

Ints = NDArray[np.int64]
Mask = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Scope:
    """Chunks to choose from, or the sentences of these chunks.

    The fields up to `kind` say which; what holds its vectors on another machine sends them as a filter. What
    holds them in arrays takes `mask` or `few`.

    Attributes:
        releases: releases of the documents, None for documents without one.
        others: whether all other releases are meant instead.
        language: only this language; None: any.
        kind: only this kind of document; None: any.
        find: returns the same set as a mask over all rows, shape (rows,).
        few: the same set as ascending row numbers, where it is small; None: see `mask`.
    """

    releases: tuple[Release | None, ...]
    others: bool
    language: Language | None
    kind: Kind | None
    find: Callable[[], Mask]
    few: Ints | None = None

    @locked_cached_property
    def mask(self) -> Mask:
        """Whether each row is in the set, shape (rows,)."""
        return self.find()
