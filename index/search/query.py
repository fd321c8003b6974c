"""What is looked for in an index, and what each list of what is found counts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ingest.release import Release
from ingest.status import Status

Scores = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Query:
    """What to look for.

    Attributes:
        text: the stand-alone question.
        vector: its embedding, (dimension,), unit length.
        expansions: terms that the glossary adds, with their weights.
        releases: look in these first; empty: everywhere.
        strict: leave out other releases altogether.
        statuses: statuses asked for.
    """

    text: str
    vector: Scores
    expansions: Mapping[str, float] = field(default_factory=dict)
    releases: tuple[Release, ...] = ()
    strict: bool = False
    statuses: tuple[Status, ...] = ()


@dataclass(frozen=True, slots=True)
class Weights:
    """What each list counts in the fusion, and how strongly preferences act."""

    dense: float = 2.0
    sentence: float = 1.0
    lexical: float = 1.0
    heading: float = 0.5
    widened: float = 0.7
    rank_constant: float = 10.0
    other_release: float = 0.25
    status: float = 1.3
    depth: int = 100
