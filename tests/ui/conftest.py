"""What the tests of the interface share: a small index of their own, without the shipped digests."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.ui.notes import write_notes
from ui.cli.main import main


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home folder with the notes in its index; copy it before changing it."""
    folder = tmp_path_factory.mktemp("built")
    notes = write_notes(folder / "notes")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TORCHNOTES_HOME", str(folder / "home"))
        patch.setenv("TORCHNOTES_SHIPPED_CORPUS", "false")
        patch.chdir(folder)
        assert main(["add", str(notes)]) == 0
    return folder / "home"


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
