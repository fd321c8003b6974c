"""The scoring script that earlier figures were taken with, where it is beside the checkout."""

from __future__ import annotations

import importlib.util
from functools import cache
from pathlib import Path
from types import ModuleType

import pytest

SHARED = Path(__file__).resolve().parents[2].parent / "shared"
QUESTIONS = SHARED / "eval" / "dev.jsonl"
_SCRIPT = SHARED / "eval" / "score.py"
needs_scorer = pytest.mark.skipif(
    not (_SCRIPT.is_file() and QUESTIONS.is_file()),
    reason="the scoring script and its questions are not beside the checkout",
)


@cache
def scorer() -> ModuleType:
    """The script as a module."""
    spec = importlib.util.spec_from_file_location("score", _SCRIPT)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
