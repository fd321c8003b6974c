"""What the tests of bulk work share."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.index.bulk.serving import LOADER, cluster_here
from tests.index.light import CHINESE, ENGLISH, LightEmbedder


@pytest.fixture
def light(monkeypatch: pytest.MonkeyPatch) -> None:
    """Workers that are threads of this process embed with the light embedder too."""
    monkeypatch.setattr(LOADER, LightEmbedder)


@pytest.fixture(scope="session")
def address() -> Iterator[str]:
    """A scheduler with one worker."""
    with cluster_here() as cluster:
        yield cluster.scheduler_address


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    """Notes of eight releases, in two languages."""
    folder = tmp_path / "notes"
    folder.mkdir()
    paths = []
    for minor in range(8):
        path = folder / f"pytorch-2.{minor}.md"
        text = (ENGLISH if minor % 2 else CHINESE).replace("2.4", f"2.{minor}")
        path.write_text(f"{text}\n## More\n\nThe limit is {minor} now.\n", encoding="utf-8")
        paths.append(path)
    return paths
