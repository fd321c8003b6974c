"""What a cluster does that does not do what it should: told by a client that is none of Dask's."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import CancelledError

import pytest

from index.bulk.address import parse_cluster
from index.bulk.cluster import Cluster, Failure, WorkerJob
from index.bulk.connecting import connected
from index.bulk.jobs import embed_texts
from ingest.errors import TorchnotesError


class Future:
    """A job that has ended, with a result or an error."""

    def __init__(self, outcome: object) -> None:
        self._outcome = outcome
        self.status = "finished" if isinstance(outcome, bytes | str) else "cancelled"

    def add_done_callback(self, call: Callable[[Future], None]) -> None:
        call(self)

    def result(self, timeout: float) -> object:
        if isinstance(self._outcome, BaseException):
            raise self._outcome
        return self._outcome


class Client:
    """A client whose jobs end as they are told to, one after the other; the last outcome stays."""

    def __init__(self, *outcomes: object, threads: object = 2) -> None:
        self.status = "running"
        self.submitted = 0
        self._outcomes = outcomes
        self.threads = threads

    def wait_for_workers(self, count: int, timeout: float) -> None:
        if isinstance(self.threads, TimeoutError):
            raise self.threads

    def nthreads(self) -> dict[str, int]:
        if isinstance(self.threads, OSError):
            raise self.threads
        assert isinstance(self.threads, int)
        return {"tcp://host:1": self.threads} if self.threads else {}

    def submit(self, function: object, *arguments: object, key: str, pure: bool) -> Future:
        self.submitted += 1
        assert key.startswith("embed_texts-") and not pure
        return Future(self._outcomes[min(self.submitted, len(self._outcomes)) - 1])

    def get_events(self, topic: str) -> list[object]:
        raise OSError("the stream is closed")

    def close(self) -> None:
        self.status = "closed"


def cluster_of(*clients: Client) -> tuple[Cluster, list[str]]:
    """A cluster that connects with one client after the other, and what it says."""
    rest, said = iter(clients), list[str]()
    return Cluster("tcp://host:1", lambda timeout: next(rest), said.append), said


def job() -> WorkerJob:
    return WorkerJob(embed_texts, (b"", b""))


def test_a_result_that_is_lost_is_made_again_three_times() -> None:
    cluster, _ = cluster_of(client := Client(CancelledError(), TimeoutError(), b"result"))
    cluster.submit(work := job())
    assert cluster.take() == (work, b"result")
    assert client.submitted == 3 and not cluster.running
    cluster, _ = cluster_of(client := Client(CancelledError()))
    cluster.submit(work := job())
    assert cluster.take() == (work, Failure("its result was lost 3 times"))
    assert client.submitted == 3


def test_what_is_not_bytes_is_no_result() -> None:
    cluster, _ = cluster_of(Client("text"))
    cluster.submit(work := job())
    assert cluster.take() == (work, Failure("its worker sent something else"))


def test_a_scheduler_that_goes_while_it_is_asked_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("index.bulk.cluster._LOOK", 0.0)
    first, second = Client(b"result"), Client(b"other")
    cluster, said = cluster_of(first, second)
    cluster.submit(work := job())
    first.threads = OSError("the stream is closed")
    assert cluster.threads == 2
    assert said == ["the Dask scheduler is gone; waiting for it to come back"]
    assert cluster.take() == (work, b"other") and first.status == "closed"
    assert cluster.lost_workers() == 0  # nobody knows


def test_no_worker_is_told_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("index.bulk.cluster._LOOK", 0.0)
    cluster, said = cluster_of(client := Client(b"result"))
    client.threads = 0
    assert cluster.threads == cluster.threads == 1
    assert said == ["no Dask worker is left; waiting for one"]


def test_a_scheduler_without_workers_is_one_line() -> None:
    client = Client(threads=TimeoutError())
    with pytest.raises(TorchnotesError, match="no worker has come within 30 s; start some with `dask worker"):
        cluster_of(client)
    assert client.status == "closed"


def test_processes_that_do_not_start_are_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(**given: object) -> None:
        raise RuntimeError("Nanny failed to start.\nmore")

    monkeypatch.setattr("distributed.LocalCluster", fail)
    with (
        pytest.raises(TorchnotesError, match=r"local:3: .* started \(Nanny failed to start\.\); try fewer$"),
        connected(parse_cluster("local:3"), pytest.fail),
    ):
        raise AssertionError("they started")
