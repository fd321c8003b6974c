"""Search queries, and the weights of the ranked lists."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ingest.release import Release
from ingest.status import Status

Scores = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Query:
    """A search query.

    Attributes:
        text: the stand-alone question.
        vector: its embedding, unit length, shape (dimension,).
        expansions: weights of the terms added by the glossary.
        releases: releases to prefer; empty: no preference.
        strict: exclude all other releases.
        statuses: statuses to prefer.
        sections: sections of digests that something else than the index suggests, such as
            "2.4/tcpstore-libuv", best first.
        elsewhere: weight of the lists of other releases than those preferred; None: `Weights.other_release`.
    """

    text: str
    vector: Scores
    expansions: Mapping[str, float] = field(default_factory=dict)
    releases: tuple[Release, ...] = ()
    strict: bool = False
    statuses: tuple[Status, ...] = ()
    sections: Sequence[str] = ()
    elsewhere: float | None = None


@dataclass(frozen=True, slots=True)
class Weights:
    """Weights of the ranked lists in the fusion, and of preferences.

    Attributes:
        dense: weight of the chunk vectors.
        sentence: weight of the sentence vectors.
        lexical: weight of BM25 over the texts.
        heading: weight of BM25 over the heading paths.
        widened: weight of BM25 over the terms added by the glossary.
        suggested: weight of the sections that the query suggests.
        rank_constant: constant added to every rank, see `Fusion`.
        other_release: factor of the lists of other releases than those asked for.
        status: factor of the score of a chunk that has a status asked for.
        depth: length of each list, and maximum number of fused rows considered.
    """

    dense: float = 2.0
    sentence: float = 1.0
    lexical: float = 1.0
    heading: float = 0.5
    widened: float = 0.7
    suggested: float = 1.0
    rank_constant: float = 10.0
    other_release: float = 0.25
    status: float = 1.3
    depth: int = 100
