from __future__ import annotations

from pathlib import Path

import pytest

from index.bulk.kept import KeptReadings, reading_key
from ingest.errors import TorchnotesError

KEY = "0123"


@pytest.fixture
def kept(tmp_path: Path) -> KeptReadings:
    readings = KeptReadings(tmp_path / "home")
    readings.folder.mkdir(parents=True)
    return readings


def test_a_result_is_kept_until_all_are_cleared(kept: KeptReadings) -> None:
    assert kept.get(KEY) is None
    kept.put(KEY, b"result" * 100)
    assert kept.get(KEY) == b"result" * 100
    kept.clear()
    assert kept.get(KEY) is None and not kept.folder.exists()


@pytest.mark.parametrize("harm", ["cut", "flipped", "empty", "swapped"])
def test_a_damaged_result_is_none(kept: KeptReadings, harm: str) -> None:
    kept.put(KEY, b"result" * 100)
    kept.put("other", b"other" * 100)
    path = kept.folder / KEY
    content = bytearray(path.read_bytes())
    if harm == "cut":
        content = content[:-4]
    elif harm == "flipped":
        content[3] ^= 1
    elif harm == "empty":
        content = bytearray()
    else:
        content[32:] = (kept.folder / "other").read_bytes()[32:]
    path.write_bytes(content)
    assert kept.get(KEY) is None


def test_one_process_at_a_time_works(kept: KeptReadings) -> None:
    other = KeptReadings(kept.folder.parent)
    with (
        kept.held(),
        pytest.raises(TorchnotesError, match=r"another `torchnotes add --dask` .*; try again"),
        other.held(),
    ):
        raise AssertionError("two are at it")
    with other.held():
        assert other.folder.is_dir()


def test_a_folder_that_cannot_be_written_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "bulk").write_text("in the way", encoding="utf-8")
    readings = KeptReadings(tmp_path)
    with pytest.raises(TorchnotesError, match="cannot be written"):
        readings.put(KEY, b"result")
    with pytest.raises(TorchnotesError, match="cannot be written"), readings.held():
        raise AssertionError("it is written")


def test_a_key_tells_recipes_and_sources_apart() -> None:
    keys = {reading_key(*pair) for pair in [(b"a", b"bc"), (b"ab", b"c"), (b"a", b"b"), (b"a", b"bc")]}
    assert len(keys) == 3
