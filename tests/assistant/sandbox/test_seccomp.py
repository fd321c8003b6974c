from __future__ import annotations

import errno
import re
import socket
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from shutil import which

import pytest

from assistant.sandbox import isolation, seccomp
from assistant.sandbox.isolation import NAMESPACES, NONE
from assistant.sandbox.seccomp import ALLOW, ARCHITECTURES, FAIL, KILL, assemble, filter_here, packed
from assistant.sandbox.system_calls import NEWEST, NUMBERS, refusals
from tests.assistant.sandbox.bpf import answer
from tests.rows import each_row

MACHINES = pytest.mark.parametrize("machine", ARCHITECTURES)
EPERM, ENOSYS, ENOMEM = (FAIL | number for number in (errno.EPERM, errno.ENOSYS, errno.ENOMEM))
OTHER_FAMILY, OTHER_PROTOCOL = FAIL | errno.EAFNOSUPPORT, FAIL | errno.EPROTONOSUPPORT
HEADERS = {
    "x86_64": ("/usr/include/x86_64-linux-gnu/asm/unistd_64.h",),
    "aarch64": (
        "-D__BITS_PER_LONG=64",
        "-D__ARCH_WANT_SYS_CLONE3",
        "-D__ARCH_WANT_MEMFD_SECRET",
        "-D__ARCH_WANT_SET_GET_RLIMIT",
        "/usr/include/asm-generic/unistd.h",
    ),
}


def asks(machine: str, *, devices: bool = False) -> Callable[..., int]:
    """What the filter of a machine answers to a call by name, or by number."""
    program = packed(assemble(machine, devices=devices))
    column = [*ARCHITECTURES].index(machine)

    def ask(call: str | int, *arguments: int) -> int:
        number = NUMBERS[call][column] if isinstance(call, str) else call
        return answer(program, number, *arguments, architecture=ARCHITECTURES[machine])

    return ask


@MACHINES
def test_every_call_that_is_refused_whatever_its_arguments(machine: str) -> None:
    ask = asks(machine)
    column = [*ARCHITECTURES].index(machine)
    for refusal in refusals():
        if not refusal.tests and NUMBERS[refusal.call][column] >= 0:
            for arguments in ((), (0xFFFFFFFF,) * 6):
                assert ask(refusal.call, *arguments) == FAIL | refusal.error, refusal


@MACHINES
def test_every_other_number_is_allowed_up_to_the_newest(machine: str) -> None:
    ask = asks(machine)
    column = [*ARCHITECTURES].index(machine)
    named = {numbers[column] for numbers in NUMBERS.values()}
    for number in range(NEWEST + 1):
        if number not in named:
            assert ask(number, *(0xFFFFFFFF,) * 6) == ALLOW, number
    for number in (NEWEST + 1, NEWEST + 100, 0x3FFFFFFF, 0x40000000, 0x40000009, -1):
        assert ask(number) == ENOSYS, number


@MACHINES
@each_row("other", [0x40000003, 0x40000028, 0, 0xC0000015])
def test_the_calls_of_another_architecture_end_the_program(machine: str, other: int) -> None:
    program = packed(assemble(machine))
    assert answer(program, 0, architecture=other) == KILL
    mine = {ARCHITECTURES[machine]}
    for wrong in {*ARCHITECTURES.values()} - mine:
        assert answer(program, 0, architecture=wrong) == KILL


@MACHINES
def test_sockets(machine: str) -> None:
    ask = asks(machine)
    for call in ("socket", "socketpair"):
        for family in range(64):
            allowed = family in (socket.AF_UNIX, socket.AF_INET, socket.AF_INET6, 16)
            assert ask(call, family, 1, 0) == (ALLOW if allowed else OTHER_FAMILY), family
        for family in (socket.AF_INET, socket.AF_INET6):
            assert ask(call, family, 1, 6) == ask(call, family, 2, 17) == ALLOW
            for protocol in (1, 33, 58, 115, 132, 136, 256, 262):
                assert ask(call, family, 1, protocol) == OTHER_PROTOCOL, protocol
        assert ask(call, socket.AF_UNIX, 1, 132) == ALLOW  # which has none
        assert ask(call, 16, 3, 0) == ALLOW  # the routes, which getaddrinfo asks
        assert ask(call, 16, 3, 12) == OTHER_PROTOCOL  # the packet filter
        assert ask(call, 0x1_0000_0001, 1, 0) == ALLOW  # the kernel looks at 32 bits as well


@MACHINES
def test_processes_and_namespaces(machine: str) -> None:
    ask = asks(machine)
    thread, fork, vfork = 0x3D0F00, 0x1200011, 0x4111
    for flags in (thread, fork, vfork):
        assert ask("clone", flags) == ALLOW
        for namespace in (0x20000, 0x2000000, 0x4000000, 0x8000000, 0x10000000, 0x20000000, 0x40000000):
            assert ask("clone", flags | namespace) == EPERM
    assert ask("clone3", 0, 88) == ENOSYS  # glibc calls clone then
    assert ask("personality", 0xFFFFFFFF) == ask("personality", 0) == ALLOW
    assert ask("personality", 0x0040000) == EPERM  # without random addresses


@MACHINES
def test_memory(machine: str) -> None:
    ask, gpu = asks(machine), asks(machine, devices=True)
    for flags in (0x22, 0x4022, 0x62, 0x20022, 0x02, 0x01, 0x03, 0x11):
        assert ask("mmap", 0, 4096, 3, flags) == ALLOW, hex(flags)
    for flags in (0x21, 0x23, 0x8021, 0x4021, 0x100021, 0x40022, 0x1_54040022):  # the last two: huge pages
        assert ask("mmap", 0, 4096, 3, flags) == ENOMEM, hex(flags)
        assert gpu("mmap", 0, 4096, 3, flags) == ALLOW
    assert ask("memfd_create") == ENOSYS and gpu("memfd_create") == ALLOW
    assert ask("shmget") == gpu("shmget") == EPERM


@MACHINES
def test_the_guard_keeps_its_limits_and_its_place(machine: str) -> None:
    ask = asks(machine)
    assert ask("prlimit64", 0, 9) == ask("setrlimit", 9) == ALLOW
    assert ask("prlimit64", 0, 4) == ask("setrlimit", 4) == EPERM  # of core dumps
    assert ask("prlimit64", 1, 9) == ask("prlimit64", 4321, 9) == EPERM
    for call in ("sched_setaffinity", "sched_setparam", "sched_setscheduler", "sched_setattr"):
        assert ask(call, 0) == ask(call, 4321) == ALLOW  # 4321 may be a thread of its own
        assert ask(call, 1) == EPERM
    for call, kind in (("setpriority", 0), ("ioprio_set", 1)):
        assert ask(call, kind, 0) == ask(call, kind, 4321) == ALLOW
        assert ask(call, kind, 1) == EPERM
    assert ask("setpriority", 2, 0) == EPERM  # all processes of the user


@MACHINES
def test_terminals_cannot_be_typed_into(machine: str) -> None:
    ask = asks(machine)
    assert ask("ioctl", 0, 0x5412) == ask("ioctl", 0, 0x541C) == ask("ioctl", 0, 0x1_0000_5412) == EPERM
    assert ask("ioctl", 0, 0x5413) == ALLOW


@MACHINES
def test_numbers_are_those_of_the_kernels_headers(machine: str) -> None:
    *options, header = HEADERS[machine]
    compiler = which("cc")
    if compiler is None or not Path(header).is_file():
        pytest.skip("there is no compiler, or it has no headers of the kernel")
    done = subprocess.run(
        [compiler, "-E", "-dM", *options, header], capture_output=True, text=True, check=True
    )
    defined = dict(re.findall(r"#define __NR(?:3264)?_(\w+)\s+(\d+)\b", done.stdout))
    newest = max(map(int, defined.values()))
    for call, numbers in NUMBERS.items():
        number = numbers[[*ARCHITECTURES].index(machine)]
        if call in defined:
            assert int(defined[call]) == number, call
        else:
            assert number < 0 or number > newest, call


def test_another_machine_has_no_filter_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.uname", lambda: type("Uname", (), {"machine": "riscv64"}))
    seccomp.why_not.cache_clear()
    try:
        assert filter_here() is None
        assert NAMESPACES.weaker and NAMESPACES.missing == ("calls",)
        assert NAMESPACES.not_held() == (
            "it can make calls of the kernel that no check needs (io_uring, tracing, keys)",
        )
        assert "calls" not in NONE.holds and "calls" in isolation.HOLDS["none"]
    finally:
        seccomp.why_not.cache_clear()


@pytest.mark.skipif(sys.platform != "linux", reason="calls are filtered on Linux")
def test_this_machine_says_whether_it_filters() -> None:
    reason = seccomp.why_not()
    assert (filter_here() is None) == (reason is not None)
    assert reason is None or "\n" not in reason


def test_guard_refuses_to_start_without_a_filter_that_was_promised(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from assistant.sandbox import start
    from assistant.sandbox.runner import run

    program = tmp_path / "program.py"
    program.write_text("print('started')", encoding="utf-8")
    monkeypatch.setattr(start, "filter_here", partial(lambda broken, devices: broken, b"\xff" * 8))
    outcome = run(program, isolation=NONE)
    assert (outcome.ended, outcome.stdout) == ("failed-to-start", "")
    assert "kernel calls cannot be filtered" in outcome.reason
