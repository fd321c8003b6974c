"""Bulk work by Dask: the same documents with 1, 2 and 4 workers, and without Dask.

    python -m benchmarks.dask [--documents 10000] [--workers 0 1 2 4] [--threads 1] [--scratch FOLDER]
        [--address tcp://scheduler:8786]

The documents are digests that ship, repeated; in each copy a tenth of the words give way to others
(`benchmarks/copies.py`), so that nearly every sentence is new. 0 workers: this process does all, as
`torchnotes add` without --dask. Every line is run in a process of its own with an empty cache of vectors. A
worker uses --threads cores. With --address the workers of a scheduler do the work, however many there are.

"start" is until the first worker is there, "work" until all vectors are on disk here, "write" until the
index is written. A worker of this machine loads the model with its first texts, which counts as work.
"processor" is the time of processors of all processes of this machine, from start to end: on a busy machine
it says more than the others. The last lines compare the indexes: chunks have to be equal, vectors to agree.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from assistant.factory import AssistantFactory, shipped_documents
from assistant.settings import load_settings
from benchmarks.copies import copied, places_of, words_of
from benchmarks.table import markdown, megabytes, peak_memory
from index.bulk.address import parse_cluster
from index.bulk.connecting import connected
from index.bulk.gathering import Gathering
from index.bulk.kept import KeptReadings
from index.bulk.prepared import PreparedBuilder
from index.bulk.recipe import Recipe
from index.embedding.cached import CachedEmbedder
from index.embedding.factory import load_embedder
from index.embedding.vector_cache import VectorCache
from index.storage.builder import IndexBuilder
from index.storage.generation import Generation
from index.storage.store import Store
from ingest.loaders import load
from ingest.sources import parts_of
from ingest.splitter import ReleaseNoteSplitter

ROOT = Path(__file__).resolve().parents[1]
HEADER = (
    *("workers", "documents", "MB of text", "texts embedded", "start, s", "work, s", "texts a second"),
    *(
        "of it reading, s of a worker",
        "embedding",
        "write, s",
        "processor, s",
        "of it the writer",
        "memory of the writer, MB",
    ),
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure each number of workers and print a table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--documents", type=int, default=10_000, help="number of documents")
    parser.add_argument("--workers", type=int, nargs="+", default=(0, 1, 2, 4), help="0: without Dask")
    parser.add_argument("--threads", type=int, default=1, help="cores that a worker uses")
    parser.add_argument("--address", default="", help="of a scheduler, instead of workers of this machine")
    parser.add_argument("--scratch", type=Path, help="where to write (the temporary folder)")
    options = parser.parse_args(arguments)
    rows = []
    with tempfile.TemporaryDirectory(dir=options.scratch) as scratch:
        documents = Path(scratch) / "documents"
        size = make_documents(documents, options.documents)
        homes = []
        for number in (1,) if options.address else options.workers:
            homes.append(Path(scratch) / f"home{number}")
            address = options.address or (f"local:{number}" if number else "")
            figures = step(documents, homes[-1], address, options.threads)
            rows.append(row(options.address or str(number), size, figures))
            sys.stderr.write(" | ".join(rows[-1]) + "\n")
        print(markdown(HEADER, rows))
        for home in homes[1:]:
            print(f"{home.name} and {homes[0].name}: {compared(Store(homes[0]).open(), Store(home).open())}")
    return 0


def make_documents(folder: Path, count: int) -> int:
    """Write copies of digests as files, and return their bytes."""
    originals = sorted(shipped_documents(), key=lambda each: each.id)
    words, draw = words_of(originals), np.random.default_rng(0)
    folder.mkdir()
    size = 0
    for number in range(count):
        original = originals[number % len(originals)]
        copy = copied(original, number, places_of(original), words, draw)
        head = f"---\ntitle: {copy.title}\nrelease: {copy.version}\nlanguage: {copy.language}\n---\n"
        size += (folder / f"{number:06}.md").write_bytes((head + copy.text).encode())
    return size


def step(documents: Path, home: Path, address: str, threads: int) -> dict[str, Any]:
    """The figures of one line, which is run in a process of its own."""
    command = [sys.executable, "-m", "benchmarks.dask", "--step", str(documents), str(home), address]
    environment = os.environ | {"OMP_NUM_THREADS": str(threads)}
    done = subprocess.run(
        command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, check=True, encoding="utf-8"
    )
    figures: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return figures


def add(folder: Path, home: Path, address: str) -> dict[str, Any]:
    """Index the documents of a folder in an empty home."""
    factory = AssistantFactory(load_settings(home=home))
    embedder = CachedEmbedder(load_embedder(), VectorCache(home / "vectors"))  # without what ships
    splitter = ReleaseNoteSplitter(embedder.count_tokens, factory.segmenter)
    builder = IndexBuilder(splitter, factory.segmenter, embedder)
    factory.segmenter.terms("张量并行")  # its dictionary is loaded
    watch, before, own = Watch(), processor_seconds(), processor_seconds(resource.RUSAGE_SELF)
    if address:
        kept = KeptReadings(home)
        with kept.held(), connected(parse_cluster(address), watch.say) as cluster:
            watch.mark("start")
            recipe = Recipe.of(builder, factory.settings.embedder)
            gathering = Gathering(cluster, recipe, embedder, kept, stored={}, on_skip=_fail)
            gathering.run(list(parts_of(folder, _fail)))
            watch.mark("work")
        prepared = PreparedBuilder(builder, gathering.find)
        watch.mark("end")  # of processes of this machine
        Store(home).update(gathering.documents, builder=prepared)
        told = gathering.report
        figures = {"embedded": told.embedded, "reading": told.reading, "embedding": told.embedding}
    else:
        watch.mark("start")
        documents = list(load(folder, on_skip=_fail))
        Store(home).update(documents, builder=builder, progress=watch)
        figures = {"embedded": embedder.embedded_count}
    watch.mark("write")
    return {
        **figures,
        **watch.seconds,
        "documents": len(Store(home).documents()),
        "processor": processor_seconds() - before,
        "own": processor_seconds(resource.RUSAGE_SELF) - own,
        "memory": peak_memory(),
    }


def processor_seconds(*whose: int) -> float:
    """Seconds of processors that this process and its ended children have taken."""
    used = map(resource.getrusage, whose or (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(each.ru_utime + each.ru_stime for each in used)


class Watch:
    """Seconds between marks; as the progress of a build it marks when the work is done."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self._last = time.perf_counter()

    def mark(self, name: str) -> None:
        """Name the time since the last mark."""
        now = time.perf_counter()
        self.seconds[name] = self.seconds.get(name, 0.0) + now - self._last
        self._last = now

    def __call__(self, stage: str, done: int, total: int) -> None:
        """Mark the end of embedding."""
        if stage in ("split", "embed"):
            self.mark("work")

    def say(self, line: str) -> None:
        """Pass a line on."""
        sys.stderr.write(f"{line}\n")


def row(name: str, size: int, figures: dict[str, Any]) -> list[str]:
    """A line of the table."""
    return [
        name,
        f"{figures['documents']:,}",
        megabytes(size),
        f"{figures['embedded']:,}",
        *(f"{figures[part]:.1f}" for part in ("start", "work")),
        f"{figures['embedded'] / figures['work']:.1f}",
        *(f"{figures[part]:.1f}" if part in figures else "–" for part in ("reading", "embedding", "write")),
        f"{figures['processor']:.0f}",
        f"{figures['own']:.1f}",
        megabytes(figures["memory"]),
    ]


def compared(first: Generation, second: Generation) -> str:
    """How two indexes of the same documents differ."""
    if first.chunks != second.chunks or first.terms.checksum() != second.terms.checksum():
        return "DIFFERENT CHUNKS"
    least = 1.0
    pairs = ((first.chunk_vectors, second.chunk_vectors), (first.sentence_vectors, second.sentence_vectors))
    for one, other in pairs:
        for start in range(0, len(one), 1 << 14):
            rows = np.arange(start, min(start + (1 << 14), len(one)), dtype=np.int64)
            least = min(least, float(np.einsum("ij,ij->i", one.rows(rows), other.rows(rows)).min()))
    return f"equal chunks and terms, vectors of a cosine of at least {least:.5f}"


def _fail(error: Exception) -> None:
    raise error


if __name__ == "__main__":
    if sys.argv[1:2] == ["--step"]:
        print(json.dumps(add(Path(sys.argv[2]), Path(sys.argv[3]), sys.argv[4])))
    else:
        raise SystemExit(main())
