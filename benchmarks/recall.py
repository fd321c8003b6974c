"""Whether passages hold the evidence of a question (docs/quality.md tells the form of a question)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from assistant.evaluation.scoring import fold

TOP = 5


def recall(passages: Sequence[tuple[str, str]], evidence: Sequence[Mapping[str, Any]]) -> float:
    """Share of the evidence among the first passages, given as text and release; 0 to 1."""
    first = passages[:TOP]
    return sum(any(covers(*passage, group) for passage in first) for group in evidence) / len(evidence)


def covers(text: str, version: str, group: Mapping[str, Any]) -> bool:
    """Whether a passage is of the release and holds one of each list of keys."""
    held = fold(text)
    return release(version) == group["version"] and all(
        any(fold(key) in held for key in keys) for keys in group["keys"]
    )


def release(version: str) -> str:
    """Major and minor of a version; "" for none."""
    match = re.match(r"v?(\d+)\.(\d+)", version)
    return f"{match[1]}.{match[2]}" if match else ""
