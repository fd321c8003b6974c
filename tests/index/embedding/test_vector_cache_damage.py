"""The cache of vectors where files are damaged or may not be written: at worst a text is embedded anew."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

import numpy as np
import pytest

from index.embedding import vector_table
from index.embedding.base import Vectors
from index.embedding.cached import BLOCK, CachedEmbedder
from index.embedding.vector_cache import VectorCache
from index.embedding.vector_table import FILE
from ingest.errors import TorchnotesError
from tests.index.embedding.test_vector_cache import ROOT, LetterEmbedder, keys_of, unit_vectors


def held(folder: Path, texts: str) -> str:
    """Those of some texts of one letter whose vectors a cache holds."""
    found = VectorCache(folder).get(keys_of(texts))
    return "".join(text for text, vector in zip(texts, found, strict=True) if vector is not None)


@contextmanager
def table_of(folder: Path) -> Iterator[sqlite3.Connection]:
    """The table of a cache, to spoil it; what is done is committed."""
    with closing(sqlite3.connect(folder / FILE)) as connection, connection:
        yield connection


def emptied(path: Path) -> None:
    path.write_bytes(b"")


def no_database(path: Path) -> None:
    path.write_bytes(b"no database at all" * 500)


def truncated(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def zeroed_within(path: Path) -> None:
    content = path.read_bytes()
    path.write_bytes(content[:4096] + bytes(len(content) - 4096))


def a_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()
    (path / "file").touch()


def of_another(path: Path) -> None:
    path.unlink()
    with table_of(path.parent) as connection:
        connection.execute("CREATE TABLE vectors (theirs)")


@pytest.mark.parametrize("harm", [emptied, no_database, truncated, zeroed_within, a_folder, of_another])
@pytest.mark.parametrize("first", ["get", "put"])
def test_a_damaged_file_is_set_aside(
    tmp_path: Path, harm: Callable[[Path], None], first: str, caplog: pytest.LogCaptureFixture
) -> None:
    VectorCache(tmp_path).put(keys_of("abcdef"), unit_vectors(6, 384))
    harm(tmp_path / FILE)
    for end in ("-wal", "-shm", "-journal"):  # what a killed process left
        (tmp_path / f"{FILE}{end}").write_bytes(b"left")
    cache = VectorCache(tmp_path)
    if first == "get":
        assert cache.get(keys_of("ab")) == [None] * 2
    cache.put(keys_of("ab"), unit_vectors(2))
    assert held(tmp_path, "abcdef") == "ab"
    if harm is emptied:  # nothing is lost that could be looked at
        assert not caplog.text and [path.name for path in tmp_path.iterdir()] == [FILE]
        return
    (line,) = caplog.messages
    assert f"{FILE} is damaged (" in line and line.endswith("and set aside; its texts are embedded anew")
    assert sorted(path.name for path in tmp_path.iterdir()) == [FILE, f"{FILE}.damaged"]


def test_one_byte_anywhere_changes_no_vector(tmp_path: Path) -> None:
    vectors = unit_vectors(40, 96)
    texts = [chr(ord("a") + number) for number in range(len(vectors))]
    VectorCache(tmp_path / "cache").put(keys_of(texts), vectors)
    whole = (tmp_path / "cache" / FILE).read_bytes()
    for number, place in enumerate(range(0, len(whole), 97)):
        folder = tmp_path / str(number)
        folder.mkdir()
        (folder / FILE).write_bytes(
            whole[:place] + bytes([whole[place] ^ 1 << number % 8]) + whole[place + 1 :]
        )
        for found, vector in zip(VectorCache(folder).get(keys_of(texts)), vectors, strict=True):
            assert found is None or (found == vector).all()
        cache = CachedEmbedder(LetterEmbedder(), VectorCache(folder))
        again = cache.encode_documents(["one", "two"])
        np.testing.assert_array_equal(again, LetterEmbedder().encode_documents(["one", "two"]))
        shutil.rmtree(folder)


@pytest.mark.parametrize(
    "spoil",
    [
        "vector = zeroblob(32)",
        "vector = CAST(x'ff00ff00' AS TEXT)",
        "vector = 7",
        "vector = substr(vector, 5)",
        "vector = NULL",
        "checksum = checksum + 1",
        "checksum = 'x'",
    ],
)
def test_a_row_that_is_not_as_written_is_embedded_anew(
    tmp_path: Path, spoil: str, caplog: pytest.LogCaptureFixture
) -> None:
    texts = ["a", "bb", "ccc"]
    CachedEmbedder(LetterEmbedder(), VectorCache(tmp_path)).encode_documents(texts)
    with table_of(tmp_path) as connection:
        connection.execute("PRAGMA ignore_check_constraints = ON")
        connection.execute("CREATE TABLE loose AS SELECT * FROM vectors")  # takes nulls, as damage does
        connection.execute("DROP TABLE vectors")
        connection.execute("CREATE TABLE vectors (key BLOB PRIMARY KEY, checksum, vector)")
        connection.execute("INSERT INTO vectors SELECT * FROM loose")
        connection.execute(f"UPDATE vectors SET {spoil} WHERE key = ?", keys_of(["bb"], "letters"))  # noqa: S608
    again = CachedEmbedder(LetterEmbedder(), VectorCache(tmp_path))
    np.testing.assert_array_equal(again.encode_documents(texts), LetterEmbedder().encode_documents(texts))
    assert again.embedded_count == 1
    assert "1 vectors are damaged" in caplog.text
    third = CachedEmbedder(LetterEmbedder(), VectorCache(tmp_path))
    np.testing.assert_array_equal(third.encode_documents(texts), LetterEmbedder().encode_documents(texts))
    assert third.embedded_count == 0


READ_ONLY = """
import sys
from pathlib import Path
import numpy as np
from index.embedding.vector_cache import VectorCache, vector_key
cache = VectorCache(Path(sys.argv[1]))
print(cache.get([vector_key("model", "a")])[0] is not None)
try:
    cache.put([vector_key("model", "b")], np.zeros((1, 8), np.float32))
except OSError as error:
    print(error.strerror)
"""


def test_a_cache_is_read_where_nothing_may_be_written(tmp_path: Path) -> None:
    folder = tmp_path / "cache"
    VectorCache(folder).put(keys_of("a"), unit_vectors(1))
    if sys.platform != "linux" or not shutil.which("unshare"):
        pytest.skip("a folder that may only be read, for root too, needs Linux and unshare")
    alone = ["unshare", "--mount"] if os.geteuid() == 0 else ["unshare", "--mount", "--map-root-user"]
    mount = 'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && exec "$@"'
    done = subprocess.run(
        [*alone, "sh", "-c", mount, str(folder), sys.executable, "-c", READ_ONLY, str(folder)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if "mount:" in done.stderr or "unshare:" in done.stderr:
        pytest.skip(f"nothing can be mounted here ({done.stderr.strip()})")
    assert (done.stdout, done.stderr) == ("True\nRead-only file system\n", "")


def test_a_cache_that_is_locked_is_read_past_the_lock_and_not_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vector_table, "_TIMEOUT", 0.1)
    VectorCache(tmp_path).put(keys_of("a"), unit_vectors(1))
    with table_of(tmp_path) as connection:
        connection.execute("PRAGMA locking_mode = EXCLUSIVE")
        connection.execute("BEGIN EXCLUSIVE")
        assert held(tmp_path, "ab") == "a"
        with pytest.raises(OSError, match="database is locked"):
            VectorCache(tmp_path).put(keys_of("b"), unit_vectors(1))


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    cache = VectorCache(tmp_path / "file" / "vectors")
    assert cache.get(keys_of("a")) == [None]
    with pytest.raises(NotADirectoryError):
        cache.put(keys_of("a"), unit_vectors(1))
    assert VectorCache(tmp_path / ("x" * 300)).get(keys_of("a")) == [None]


class FullCache(VectorCache):
    """On a disk that is full."""

    def put(self, keys: Sequence[bytes], vectors: Vectors) -> None:
        raise OSError(28, "No space left on device")


def test_on_a_full_disk_nothing_is_embedded_that_would_be_lost(tmp_path: Path) -> None:
    inner = LetterEmbedder()
    many = CachedEmbedder(inner, FullCache(tmp_path / "vectors"))
    refused = r"vectors .*vectors: cannot be written \(No space left on device, .* free\); make room"
    with pytest.raises(TorchnotesError, match=refused):
        many.encode_documents(["x" * number for number in range(1, 2 * BLOCK)])
    assert len(inner.calls) == 1


def test_the_last_block_is_given_though_it_is_not_kept(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    cached = CachedEmbedder(LetterEmbedder(), FullCache(tmp_path / "vectors"))
    np.testing.assert_array_equal(cached.encode_documents(["a"]), LetterEmbedder().encode_documents(["a"]))
    assert "not kept for the next time" in caplog.text
