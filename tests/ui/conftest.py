"""What the tests of the interface share: homes of their own, with and without a small index."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest


@pytest.fixture
def empty_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home folder without an index, and nothing of the user's settings."""
    home = tmp_path / "home"
    monkeypatch.setenv("TORCHNOTES_HOME", str(home))
    monkeypatch.setenv("TORCHNOTES_SHIPPED_CORPUS", "false")
    for name in ("DEBUG", "LLM_URL", "LLM_MODEL", "LLM_API_KEY", "LLM_CONTEXT", "LLM_TIMEOUT"):
        monkeypatch.delenv(f"TORCHNOTES_{name}", raising=False)
    monkeypatch.chdir(tmp_path)
    return home


@pytest.fixture
def home(built: Path, empty_home: Path) -> Path:
    """A home folder of the test's own with the notes in its index."""
    shutil.copytree(built, empty_home)
    return empty_home
