"""Dask in processes of tests: importable by name, since each runs in a process of its own.

Workers embed with the light embedder: what they do is what a worker does, but for the model.
"""

from __future__ import annotations

import asyncio
import os
import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing.synchronize import Event
from pathlib import Path
from typing import Any
from unittest.mock import patch

from index.bulk.address import parse_cluster
from index.bulk.batches import Batches
from index.bulk.cluster import Cluster
from index.bulk.connecting import connected
from index.bulk.gathering import Gathering
from index.bulk.kept import KeptReadings
from index.bulk.prepared import PreparedBuilder
from index.bulk.recipe import Recipe
from index.embedding.cached import CachedEmbedder
from index.embedding.vector_cache import VectorCache
from index.storage.builder import IndexBuilder
from ingest.document import Document
from ingest.errors import SourceError
from ingest.splitter import ReleaseNoteSplitter
from tests.index.light import LightEmbedder, segmenter

LOADER = "index.bulk.jobs.load_embedder"
BATCH = 600  # bytes: some texts


@contextmanager
def cluster_here(workers: int = 1, port: int = 0, security: object = None) -> Iterator[Any]:
    """A scheduler that others can connect to, with workers that are threads of this process."""
    import dask
    from distributed import LocalCluster

    routes: dict[str, list[str]] = {f"distributed.{part}.http.routes": [] for part in ("scheduler", "worker")}
    with (
        dask.config.set(routes),
        LocalCluster(
            n_workers=workers,
            threads_per_worker=1,
            processes=False,
            protocol="tls" if security else "tcp",
            security=security,
            host="127.0.0.1",
            scheduler_port=port,
            dashboard_address=None,
            scheduler_kwargs={"dashboard_address": "127.0.0.1:0"},
        ) as cluster,
    ):
        yield cluster


def serve_cluster(port: int, ready: Event) -> None:
    """Be scheduler and two workers until killed."""
    with patch(LOADER, LightEmbedder), cluster_here(workers=2, port=port):
        ready.set()
        signal.pause()


def serve_worker(address: str, ready: Event) -> None:
    """Be a worker until killed."""
    from distributed import Worker

    async def work() -> None:
        async with Worker(address, nthreads=1, host="127.0.0.1", dashboard=False) as worker:
            ready.set()
            await worker.finished()

    with patch(LOADER, LightEmbedder):
        asyncio.run(work())


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
    return port


def builder_in(home: Path) -> IndexBuilder:
    """A builder like that of the product, but for the model."""
    embedder = CachedEmbedder(LightEmbedder(), VectorCache(home / "vectors"))
    splitter = ReleaseNoteSplitter(embedder.count_tokens, segmenter(), max_tokens=120)
    return IndexBuilder(splitter, segmenter(), embedder)


class Bulk:
    """One run of bulk work in a data folder.

    Attributes:
        skipped: what could not be read.
        said: lines about what was waited for.
    """

    def __init__(
        self,
        home: Path,
        files: list[Path],
        stored: dict[str, Document] | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> None:
        self.skipped: list[SourceError] = []
        self.said: list[str] = []
        self.kept = KeptReadings(home)
        self.builder = builder_in(home)
        assert isinstance(self.builder.embedder, CachedEmbedder)
        self._files = files
        self._stored = stored or {}
        self._embedder = self.builder.embedder
        self._progress = progress

    def run(self, address: str) -> Gathering:
        """Have the files read and embedded."""
        with connected(parse_cluster(address), self.said.append) as cluster, self.kept.held():
            return self.run_on(cluster)

    def run_on(self, cluster: Cluster) -> Gathering:
        """Have the files read and embedded by a cluster."""

        def tell(stage: str, done: int, total: int) -> None:
            assert stage == "bulk"
            if self._progress:
                self._progress(done, total)

        gathering = Gathering(
            cluster,
            Recipe.of(self.builder, "light"),
            self._embedder,
            self.kept,
            stored=self._stored,
            on_skip=self.skipped.append,
            progress=tell,
            batches=Batches(BATCH),
        )
        gathering.run(self._files)
        return gathering

    def prepared(self, gathering: Gathering) -> PreparedBuilder:
        """The builder that takes what was gathered."""
        return PreparedBuilder(self.builder, gathering.find)


def run_and_die(home: Path, files: list[Path], address: str, after: int) -> None:
    """Be a client that is killed when some files are done."""

    def tell(done: int, total: int) -> None:
        if done == after:
            os.kill(os.getpid(), signal.SIGKILL)

    Bulk(home, files, progress=tell).run(address)


def refuse(error: SourceError) -> None:
    """Fail where something cannot be read."""
    raise error
