"""Whatever is killed in the middle, the index is that of one machine, and nothing is embedded twice."""

from __future__ import annotations

import os
import signal
import sqlite3
from contextlib import closing
from multiprocessing.process import BaseProcess
from pathlib import Path

import pytest

from index.bulk.gathering import Gathering
from index.embedding.vector_table import FILE
from index.storage.content import content_sums
from ingest.errors import TorchnotesError
from tests.index.bulk.serving import (
    Bulk,
    builder_in,
    cluster_here,
    free_port,
    run_and_die,
    serve_cluster,
    serve_worker,
)
from tests.index.bulk.test_gathering import loaded, texts_of
from tests.index.processes import context, end, needs_fork, start

pytestmark = [needs_fork, pytest.mark.usefixtures("light")]
WAIT = 60  # seconds for a process to be ready


class Killing:
    """Kills a process once some files are done.

    Args:
        process: the process.
        after: number of files.
    """

    def __init__(self, process: BaseProcess, after: int = 2) -> None:
        self._process = process
        self._after = after

    def __call__(self, done: int, total: int) -> None:
        if done == self._after:
            assert self._process.pid
            os.kill(self._process.pid, signal.SIGKILL)
            self._process.join(WAIT)
            self.then()

    def then(self) -> None:
        """Called when it is dead."""


def check_index(home: Path, files: list[Path], bulk: Bulk, gathering: Gathering) -> None:
    """Compare with what one machine makes of the files, chunk by chunk and vector by vector."""
    assert gathering.documents == loaded(files) and not bulk.skipped
    mine, _ = bulk.prepared(gathering).build({d.id: d for d in gathering.documents})
    theirs, _ = builder_in(home / "here").build({d.id: d for d in loaded(files)})
    assert content_sums(mine) == content_sums(theirs)


def test_a_killed_worker_costs_its_work_alone(tmp_path: Path, files: list[Path], address: str) -> None:
    ready = context().Event()
    worker = start(serve_worker, address, ready)
    assert ready.wait(WAIT)
    bulk = Bulk(tmp_path / "home", files, progress=Killing(worker))
    gathering = bulk.run(address)
    assert gathering.report.lost == 1
    assert gathering.report.embedded == texts_of(tmp_path, files)
    check_index(tmp_path, files, bulk, gathering)


def test_a_killed_client_goes_on_where_it_was(tmp_path: Path, files: list[Path], address: str) -> None:
    home = tmp_path / "home"
    assert end(start(run_and_die, home, files, address, 3)) == -signal.SIGKILL
    with closing(sqlite3.connect(home / "vectors" / FILE)) as table:
        [(embedded,)] = table.execute("SELECT count(*) FROM vectors")
    bulk = Bulk(home, files)
    read = sum(not path.name.startswith("tmp-") for path in bulk.kept.folder.iterdir())
    gathering = bulk.run(address)
    assert read >= 3 and embedded > 0
    assert gathering.report.kept == read
    assert gathering.report.embedded == texts_of(tmp_path, files) - embedded
    check_index(tmp_path, files, bulk, gathering)


def test_a_killed_scheduler_is_waited_for(
    tmp_path: Path, files: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    port, ready, again = free_port(), context().Event(), context().Event()
    first = start(serve_cluster, port, ready)
    assert ready.wait(WAIT)

    class KillingAndStarting(Killing):
        def then(self) -> None:
            self.second = start(serve_cluster, port, again)

    killing = KillingAndStarting(first)
    home, address = tmp_path / "home", f"tcp://127.0.0.1:{port}"
    bulk = Bulk(home, files[:6], progress=killing)
    gathering = bulk.run(address)
    assert bulk.said == ["the Dask scheduler is gone; waiting for it to come back"]
    assert gathering.report.embedded == texts_of(tmp_path, files[:6])
    check_index(tmp_path, files[:6], bulk, gathering)
    # One that does not come back ends the command, and the next one goes on.
    monkeypatch.setattr("index.bulk.cluster._RETURN", 0.2)
    with pytest.raises(TorchnotesError, match=r"no scheduler answers there .* the same command goes on"):
        Bulk(home, files, progress=Killing(killing.second, after=7)).run(address)
    with closing(sqlite3.connect(home / "vectors" / FILE)) as table:
        [(embedded,)] = table.execute("SELECT count(*) FROM vectors")
    with cluster_here() as other:
        bulk = Bulk(home, files)
        gathering = bulk.run(other.scheduler_address)
    assert gathering.report.embedded == texts_of(tmp_path, files) - embedded
    assert gathering.report.kept >= 7
    check_index(tmp_path, files, bulk, gathering)
