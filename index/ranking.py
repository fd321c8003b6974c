"""Choosing the best of many scores, equal ones alike on every machine."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def best(values: NDArray[np.float32], limit: int) -> NDArray[np.int64]:
    """Positions of the highest values, best first, of equal ones the first; at most `limit`.

    A partial selection: its time grows with the number of values, not with that of sorting them.
    """
    if limit <= 0:
        return np.empty(0, np.int64)
    positions = np.arange(len(values), dtype=np.int64)
    if len(values) > limit:
        last = np.partition(values, len(values) - limit)[len(values) - limit]
        positions = np.flatnonzero(values >= last).astype(np.int64)
    order = np.argsort(-values[positions], kind="stable")[:limit]
    return np.asarray(positions[order])
