"""What was downloaded is kept whole or not at all."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timezone
from pathlib import Path

import pytest

from ingest.downloads import Download, Downloads, last_sync
from ingest.errors import TorchnotesError

NOW = 1_800_000_000.0
PAGE = Download(
    url="https://pytorch.org/blog/pytorch2-4",
    address="https://pytorch.org/blog/pytorch2-4/",
    moved_to="",
    etag='W/"1"',
    modified="Wed, 24 Jul 2024 18:39:34 GMT",
    media_type="text/html",
    next="",
    checked=NOW,
    body="<p>\n多行\n".encode() + b"\x00\xff",
)


@pytest.fixture
def downloads(tmp_path: Path) -> Downloads:
    """A folder that a sync is at."""
    made = Downloads(tmp_path)
    with made.held():
        return made


def kept_file(downloads: Downloads) -> Path:
    (path,) = downloads.folder.glob("*.download")
    return path


def test_what_is_kept_is_found(downloads: Downloads) -> None:
    assert downloads.find(PAGE.url) is None
    downloads.keep(PAGE)
    assert downloads.find(PAGE.url) == PAGE
    assert kept_file(downloads).name.startswith("pytorch.org-blog-pytorch2-4-")
    newer = replace(PAGE, body=b"newer", checked=NOW + 1)
    downloads.keep(newer)
    assert downloads.find(PAGE.url) == newer
    assert downloads.find(f"{PAGE.url}/") is None


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: data[:-1],
        lambda data: data + b"x",
        lambda data: b"",
        lambda data: b"{}\n",
        lambda data: b"[]\nbody",
        lambda data: data[5:],
    ],
    ids=["cut", "longer", "empty", "no-facts", "list", "headless"],
)
def test_what_is_damaged_counts_as_missing(downloads: Downloads, damage: object) -> None:
    downloads.keep(PAGE)
    path = kept_file(downloads)
    assert callable(damage)
    path.write_bytes(damage(path.read_bytes()))
    assert downloads.find(PAGE.url) is None


def test_a_write_that_was_cut_off_leaves_the_old(downloads: Downloads) -> None:
    downloads.keep(PAGE)
    path = kept_file(downloads)
    path.with_name(f"tmp-{path.name}").write_bytes(b"half")
    assert downloads.find(PAGE.url) == PAGE
    downloads.keep(replace(PAGE, body=b"new"))
    assert [p.name for p in downloads.folder.glob("*.download")] == [path.name]


def test_only_one_sync_at_a_time(downloads: Downloads, tmp_path: Path) -> None:
    busy = pytest.raises(TorchnotesError, match="another sync is running")
    with downloads.held(), busy, Downloads(tmp_path).held():
        pytest.fail("two at once")
    with Downloads(tmp_path).held():
        assert downloads.folder.is_dir()


def test_a_folder_that_cannot_be_written_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "sync").write_text("a file")
    refused = pytest.raises(TorchnotesError, match=r"sync: cannot be written .*set TORCHNOTES_HOME")
    with refused, Downloads(tmp_path).held():
        pytest.fail("it is a file")


def test_a_sync_that_was_cut_off_goes_on(downloads: Downloads, tmp_path: Path) -> None:
    assert downloads.begin(NOW) == NOW
    assert downloads.begin(NOW + 100) == NOW
    assert downloads.begin(NOW + 2 * 86_400) == NOW + 2 * 86_400
    assert last_sync(tmp_path) is None
    downloads.end(NOW + 2 * 86_400 + 5)
    assert last_sync(tmp_path) == datetime.fromtimestamp(NOW + 2 * 86_400 + 5, timezone.utc)
    assert downloads.begin(NOW + 3 * 86_400) == NOW + 3 * 86_400
    assert last_sync(tmp_path) is not None  # still the last that came to its end


@pytest.mark.parametrize(
    "state", ["", "[]", "{", '{"begun": 5, "synced": []}', '{"begun": "x", "synced": "2026-01-01"}']
)
def test_a_broken_state_is_none(downloads: Downloads, tmp_path: Path, state: str) -> None:
    (downloads.folder / "state.json").write_text(state)
    assert last_sync(tmp_path) is None
    assert downloads.begin(NOW) == NOW
