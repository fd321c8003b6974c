"""One writer at a time, by a lease."""

from __future__ import annotations

import pytest

from index.milvus.address import Address
from index.milvus.lease import Lease, writer_lease
from index.milvus.server import Server
from index.storage.publishing import IndexBusyError
from ingest.errors import TorchnotesError


@pytest.fixture
def server(address: Address) -> Server:
    """A connection."""
    return Server(address)


def leftovers(server: Server) -> list[str]:
    return [name for name in server.collections() if name.startswith(f"{server.address.collection}_lease_")]


def test_a_second_writer_is_told_who_writes(server: Server) -> None:
    with writer_lease(server, server.address.collection, 0) as lease:
        with (
            pytest.raises(IndexBusyError, match=r"process \d+ on .* is writing it; waited 0 s, try again"),
            writer_lease(server, server.address.collection, 0),
        ):
            pass
        lease.check()
    with writer_lease(server, server.address.collection, 0) as lease:
        lease.check()
        assert len(leftovers(server)) == 1


def test_a_writer_that_lives_keeps_its_lease(server: Server) -> None:
    name = server.address.collection
    with (
        writer_lease(server, name, 0, period=0.3) as lease,
        pytest.raises(IndexBusyError),
        writer_lease(server, name, 0.8, period=0.3),
    ):
        pass
    lease.check()


def test_a_writer_that_is_silent_loses_it(server: Server) -> None:
    name = server.address.collection
    dead = Lease(server, name, period=1000.0)  # gives no sign of life in this test
    dead.take(0)
    with writer_lease(server, name, 5, period=0.05) as lease:
        lease.check()
        with pytest.raises(IndexBusyError, match="another process took over writing it"):
            dead.check()
        dead.end()
        lease.check()
    with writer_lease(server, name, 0):
        assert len(leftovers(server)) == 1


def test_a_lease_that_could_not_be_renewed_is_not_used(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    lease = Lease(server, server.address.collection, period=0.05)
    lease.take(0)

    def away(*arguments: object) -> None:
        raise TorchnotesError("the server is away")

    monkeypatch.setattr(lease, "_beat", away)
    lease._thread.join(10)
    with pytest.raises(TorchnotesError, match="the server is away"):
        lease.check()
    monkeypatch.undo()
    lease.end()


def test_of_two_that_want_a_lease_one_gets_it(server: Server) -> None:
    one, other = (Lease(server, server.address.collection, period=1000.0) for _ in range(2))
    assert one._take(1) and not other._take(1)
    assert other._take(2) and not one._take(2)
