"""Connections to Dask: to a scheduler, or to processes of this machine that are started for one command."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from importlib.util import find_spec
from tempfile import TemporaryDirectory
from typing import Any

from index.bulk.address import ClusterAddress
from index.bulk.cluster import Cluster
from ingest.errors import TorchnotesError

_NEEDED = ("dask", "distributed", "cryptography")
#: Servers of HTTP that show tasks and logs to whoever is on this machine.
_NO_PAGES: dict[str, list[str]] = {
    f"distributed.{part}.http.routes": [] for part in ("scheduler", "worker", "nanny")
}


@contextmanager
def connected(address: ClusterAddress, say: Callable[[str], None]) -> Iterator[Cluster]:
    """Connect to the workers of an address, and disconnect at the end.

    Args:
        address: the address.
        say: called with a line when something has to be waited for.

    Raises:
        TorchnotesError: packages are missing, or no scheduler or worker answers.
    """
    missing = [name for name in _NEEDED if find_spec(name) is None]
    if missing:
        raise TorchnotesError(
            f"--dask {address.text}: it needs what is not installed here ({', '.join(missing)}); type `pip "
            "install 'torchnotes[dask]'`, or leave out --dask"
        )
    from distributed import Client, Security

    class OwnClient(Client):
        """A client that is closed if it cannot connect.

        Otherwise it is closed when it is collected; if that is while the next one starts, both wait for ever.
        """

        def start(self, **given: Any) -> None:
            """Connect."""
            try:
                super().start(**given)  # type: ignore[no-untyped-call]
            except BaseException:
                self.close()  # type: ignore[no-untyped-call]
                raise

    client: Any = OwnClient
    with ExitStack() as stack:
        stack.enter_context(_quiet())
        if address.local:
            try:
                place = stack.enter_context(_processes(address.local))
            except (OSError, RuntimeError, TimeoutError) as error:
                raise TorchnotesError(
                    f"--dask {address.text}: the processes cannot be started ({_reason(error)}); try fewer"
                ) from error

            def connect(timeout: float) -> Any:  # noqa: ANN401 - Dask has no types
                return client(place, timeout=timeout, set_as_default=False)
        else:

            def connect(timeout: float) -> Any:  # noqa: ANN401
                try:
                    return client(address.text, timeout=timeout, set_as_default=False, security=Security())
                except (OSError, TypeError, ValueError, RuntimeError) as error:
                    raise _away(address.text, error) from error

        cluster = Cluster(address.text, connect, say)
        try:
            yield cluster
        finally:
            cluster.close()


@contextmanager
def _processes(count: int) -> Iterator[Any]:
    """Start processes of this machine; who else is on it can neither use nor watch them.

    A scheduler runs what whoever connects to it sends, so certificates are made that only these processes
    have, and no pages are served. What does not fit the memory is written to a folder of the user's own.
    """
    import dask
    from dask.system import CPU_COUNT
    from distributed import LocalCluster, Security

    threads = os.environ.get("OMP_NUM_THREADS") or str(max(1, CPU_COUNT // count))
    with (
        TemporaryDirectory(prefix="torchnotes-dask-") as folder,
        dask.config.set(_NO_PAGES),
        LocalCluster(
            n_workers=count,
            threads_per_worker=1,
            processes=True,
            host="127.0.0.1",
            security=Security.temporary(),
            dashboard_address=None,
            scheduler_kwargs={"dashboard_address": "127.0.0.1:0"},
            silence_logs=logging.CRITICAL,
            local_directory=folder,
            env={"OMP_NUM_THREADS": threads},
        ) as cluster,
    ):
        yield cluster


def _away(text: str, error: Exception) -> TorchnotesError:
    if text.startswith("tls:"):
        start = "check the certificates that Dask's settings name (distributed.comm.tls)"
    else:
        start = "start one with `dask scheduler`"
    return TorchnotesError(
        f"--dask {text}: no scheduler answers there ({_reason(error)}); {start}, or use --dask local:4"
    )


def _reason(error: Exception) -> str:
    return str(error).partition("\n")[0][:200] or type(error).__name__


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep Dask's log of lost connections from the terminal: what matters of it is said in our own words."""
    logger = logging.getLogger("distributed")
    levels = [(handler, handler.level) for handler in logger.handlers]
    for handler, _ in levels:
        handler.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        for handler, level in levels:
            handler.setLevel(level)
