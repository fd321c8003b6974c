"""What holds a program beyond its limits, and that it is not in the way of what torch does."""

from __future__ import annotations

import os
import sys
import uuid
from pathlib import Path

import pytest

from assistant.sandbox import start
from assistant.sandbox import watchdog as watch
from assistant.sandbox.isolation import Isolation
from assistant.sandbox.seccomp import ARCHITECTURES
from assistant.sandbox.system_calls import NUMBERS
from tests.assistant.sandbox import keys
from tests.assistant.sandbox.test_runner import LEVELS, LINUX, ran

pytestmark = pytest.mark.usefixtures("alone")


@LINUX
@LEVELS
def test_it_ends_before_the_machine_has_no_memory_left(
    level: Isolation, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Memory of the kernel's own (of sockets, say) belongs to no process: only the machine's tells of it."""
    monkeypatch.setattr(watch, "_LEAST_LEFT", sys.maxsize)
    monkeypatch.setattr(watch, "_LEAST_SHARE", 1.0)
    outcome = ran(tmp_path, "import time\ntime.sleep(1000)", isolation=level)
    assert outcome.ended == "memory"
    assert outcome.reason.startswith("ended when this machine had less than ")


@LINUX
@LEVELS
def test_the_kernel_ends_it_first_when_memory_is_short(level: Isolation, tmp_path: Path) -> None:
    outcome = ran(tmp_path, "print(open('/proc/self/oom_score_adj').read())", isolation=level)
    assert outcome.stdout.strip() == "1000", outcome


@LINUX
@LEVELS
def test_it_has_a_session_keyring_of_its_own(level: Isolation, tmp_path: Path) -> None:
    """Also where calls that read keys are not filtered."""
    mark = uuid.uuid4().hex
    key = keys.add(mark, "secret")
    if not key:
        pytest.skip("this kernel keeps no keys")
    number = NUMBERS["keyctl"][[*ARCHITECTURES].index(os.uname().machine)]
    source = f"""
import ctypes
libc = ctypes.CDLL(None)
print(libc.syscall({number}, 10, -3, b"user", b"{mark}", 0))
"""
    try:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(start, "filter_here", lambda devices: None)
            outcome = ran(tmp_path, source, isolation=level)
    finally:
        keys.remove(key)
    assert outcome.stdout == "-1\n", outcome


@LINUX
@LEVELS
def test_it_can_do_what_torch_and_compilers_do(level: Isolation, tmp_path: Path) -> None:
    """Threads, processes, shared memory by name, servers on the loopback: no filter is in the way."""
    source = """
import concurrent.futures, multiprocessing, os, socket, subprocess, sys, threading
from multiprocessing import shared_memory

def double(number): return 2 * number

if __name__ == "__main__":
    with concurrent.futures.ThreadPoolExecutor(4) as pool: assert [*pool.map(double, [1, 2])] == [2, 4]
    for method in ("fork", "spawn"):
        with multiprocessing.get_context(method).Pool(2) as pool: assert pool.map(double, [1, 2]) == [2, 4]
    if os.access("/dev/shm", os.W_OK):
        block = shared_memory.SharedMemory(create=True, size=1 << 20)
        block.buf[:3] = b"abc"
        block.close()
        block.unlink()
    assert socket.getaddrinfo("localhost", 80, type=socket.SOCK_STREAM)
    assert socket.if_nameindex()
    with socket.create_server(("127.0.0.1", 0)) as server:
        socket.create_connection(server.getsockname()).close()
    assert subprocess.check_output(["/bin/sh", "-c", "head -c 3 /dev/zero | wc -c"]).strip() == b"3"
    os.close(os.pidfd_open(os.getpid()))
    print("well")
"""
    outcome = ran(tmp_path, source, isolation=level)
    assert outcome.stdout == "well\n", outcome
