"""One home for all tests of this folder; each works on a copy."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.ingest.github_server import serve
from tests.trust.acting import Place, prepare


@pytest.fixture(scope="session")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    with serve() as site:
        yield prepare(tmp_path_factory.mktemp("base"), site)


@pytest.fixture(scope="session")
def rounds() -> int:
    """How often what is random is tried."""
    return int(os.environ.get("TORCHNOTES_TRUST_ROUNDS", "300"))


@pytest.fixture
def copied(place: Place, tmp_path: Path) -> Path:
    """A copy of the home."""
    import shutil

    return shutil.copytree(place.base / "home", tmp_path / "home")
