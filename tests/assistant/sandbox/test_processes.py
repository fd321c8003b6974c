"""Processes as /proc shows them."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from assistant.sandbox.processes import descendants, places, private_memory

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="/proc is of Linux")

_MEMORY = 64 << 20
_CHILD = f"""
import ctypes, os, sys, threading, time
kept = b"x" * {_MEMORY}
def work():
    while open("/proc/self/stat").read().rpartition(")")[2].split()[0] != "Z": time.sleep(0.01)
    print("ended", flush=True)
    time.sleep(1000)
threading.Thread(target=work).start()
ctypes.CDLL(None).syscall({93 if os.uname().machine == "aarch64" else 60}, 0)
"""


@pytest.fixture
def without_main_thread() -> Iterator[int]:
    """A child of this process whose main thread has ended, and another has not."""
    child = subprocess.Popen([sys.executable, "-c", _CHILD], stdout=subprocess.PIPE)
    try:
        assert child.stdout is not None and child.stdout.readline() == b"ended\n"
        yield child.pid
    finally:
        child.kill()
        child.communicate()


def test_a_process_without_main_thread_is_seen(without_main_thread: int) -> None:
    assert descendants(os.getpid())[without_main_thread] == 2
    assert private_memory([without_main_thread]) > _MEMORY
    roots = [Path(place, "root") for place in places(without_main_thread)]
    assert any(os.path.isdir(root) for root in roots)


def test_a_zombie_has_no_threads_and_counts() -> None:
    child = subprocess.Popen([sys.executable, "-c", ""])
    os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
    assert descendants(os.getpid())[child.pid] == 0
    assert private_memory([child.pid]) == 0
    child.wait()
