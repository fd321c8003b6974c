"""One server of Milvus Lite for all tests, and an index of its own for each."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator

import pytest

from index.milvus.address import Address, parse_address
from index.milvus.store import MilvusStore

Making = Callable[..., MilvusStore]
_numbers = itertools.count(1)


@pytest.fixture(scope="session")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """Where a server of Milvus Lite listens."""
    from milvus_lite.adapter.grpc.server import start_server_in_thread

    server, database, port = start_server_in_thread(
        data_dir=str(tmp_path_factory.mktemp("milvus")), host="127.0.0.1", port=0
    )
    yield port
    server.stop(grace=0)
    database.close()


@pytest.fixture
def address(port: int) -> Address:
    """The address of an index that is not there yet."""
    return parse_address(f"milvus://127.0.0.1:{port}/notes_{next(_numbers)}")


@pytest.fixture
def open_store(address: Address) -> Making:
    """Make stores of that index, as processes of their own would."""
    return lambda **given: MilvusStore(address, **{"lock_timeout": 5.0, **given})


@pytest.fixture
def remote(open_store: Making) -> MilvusStore:
    """A store in Milvus without an index."""
    return open_store()


def missing_port() -> int:
    """A port at which nobody listens."""
    import socket

    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
