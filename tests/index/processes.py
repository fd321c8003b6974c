"""Processes of tests: forked from a server that has all imports done, in milliseconds."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable
from functools import lru_cache
from multiprocessing.context import ForkServerContext, ForkServerProcess

import pytest

needs_fork = pytest.mark.skipif(
    "forkserver" not in multiprocessing.get_all_start_methods(), reason="needs fork and SIGKILL"
)


@lru_cache(maxsize=1)
def context() -> ForkServerContext:
    """A server that has all imports done and forks in milliseconds."""
    server = multiprocessing.get_context("forkserver")
    server.set_forkserver_preload(["tests.index.warm", "tests.trust.warm"])
    return server


def start(target: Callable[..., None], *arguments: object) -> ForkServerProcess:
    process = context().Process(target=target, args=arguments, daemon=True)
    process.start()
    return process


def end(process: ForkServerProcess) -> int | None:
    """Wait for a process; its exit status."""
    process.join(60)
    assert not process.is_alive(), "the writer hangs"
    return process.exitcode
