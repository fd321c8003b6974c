"""Top-k selection with a tie order that is the same on every machine."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def best(values: NDArray[np.float32], limit: int) -> NDArray[np.int64]:
    """Return the positions of the highest values, best first.

    Uses a partial selection, so only the selected values are sorted.

    Args:
        values: scores, shape (n,).
        limit: maximum number of positions to return.

    Returns:
        At most `limit` positions. Of equal values, the one at the lower position comes first.
    """
    if limit <= 0:
        return np.empty(0, np.int64)
    positions = np.arange(len(values), dtype=np.int64)
    if len(values) > limit:
        last = np.partition(values, len(values) - limit)[len(values) - limit]
        positions = np.flatnonzero(values >= last).astype(np.int64)
    order = np.argsort(-values[positions], kind="stable")[:limit]
    return np.asarray(positions[order])
