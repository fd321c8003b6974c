"""The system call filter: `system_calls.refusals` as a classic BPF program.

`guard.py` installs it immediately before the program starts. All child processes inherit it, and it cannot be
removed.
"""

from __future__ import annotations

import ctypes
import errno
import os
import struct
import sys
from collections.abc import Iterator
from functools import lru_cache

from assistant.sandbox.system_calls import NEWEST, NUMBERS, RefusedCall, Test, refusals

# linux/bpf_common.h: instructions
_LOAD, _AND, _RETURN = 0x20, 0x54, 0x06
_IF_EQUAL, _IF_GREATER, _IF_NOT_LESS = 0x15, 0x25, 0x35
# linux/seccomp.h: offsets in `struct seccomp_data`, and return values of a filter
_NUMBER, _ARCHITECTURE, _ARGUMENTS = 0, 4, 16
KILL, FAIL, ALLOW = 0x80000000, 0x00050000, 0x7FFF0000
#: linux/audit.h: architectures by `platform.machine()`, in the order of `system_calls.NUMBERS`.
ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
_X32 = 0x40000000  # bit in the numbers of x32 system calls
_AVAILABLE, _CALL = 2, {"x86_64": 317, "aarch64": 277}  # SECCOMP_GET_ACTION_AVAIL, the number of seccomp

Instruction = tuple[int, int, int, int]  # code, jump if true, jump if false, constant


@lru_cache
def why_not() -> str | None:
    """Return why system calls cannot be filtered on this machine, in one line; None if they can."""
    machine = os.uname().machine if sys.platform == "linux" else ""
    if machine not in ARCHITECTURES or sys.maxsize < 1 << 32:
        return f"kernel calls are filtered on 64-bit Linux on {' and '.join(ARCHITECTURES)} only"
    action = ctypes.c_uint32(KILL)
    libc = ctypes.CDLL(None, use_errno=True)
    number = ctypes.c_long(_CALL[machine])
    if libc.syscall(number, ctypes.c_uint(_AVAILABLE), ctypes.c_uint(0), ctypes.byref(action)):
        return f"this kernel does not filter calls: {os.strerror(ctypes.get_errno())}"
    return None


def filter_here(*, devices: bool = False) -> bytes | None:
    """Return the filter for programs on this machine, None if it is not supported (see `why_not`).

    Args:
        devices: allow what GPU drivers need.
    """
    return None if why_not() else packed(assemble(os.uname().machine, devices=devices))


def assemble(machine: str, *, devices: bool = False) -> list[Instruction]:
    """Return the filter for an architecture.

    System calls of another architecture (32 bit) kill the program, because their numbers have other meanings.

    Args:
        machine: a key of `ARCHITECTURES`.
        devices: allow what GPU drivers need.
    """
    column = [*ARCHITECTURES].index(machine)
    missing = (_RETURN, 0, 0, FAIL | errno.ENOSYS)
    made: list[Instruction] = [
        (_LOAD, 0, 0, _ARCHITECTURE),
        (_IF_EQUAL, 1, 0, ARCHITECTURES[machine]),
        (_RETURN, 0, 0, KILL),
        (_LOAD, 0, 0, _NUMBER),
        (_IF_NOT_LESS, 0, 1, _X32),
        missing,
        (_IF_GREATER, 0, 1, NEWEST),
        missing,
    ]
    for refusal in refusals(devices=devices):
        if (number := NUMBERS[refusal.call][column]) >= 0:
            made += _refuse(number, refusal)
    return [*made, (_RETURN, 0, 0, ALLOW)]


def packed(instructions: list[Instruction]) -> bytes:
    """Encode instructions as an array of `struct sock_filter`.

    Args:
        instructions: instructions of a filter.
    """
    return b"".join(struct.pack("HBBI", *each) for each in instructions)


def _refuse(number: int, refusal: RefusedCall) -> list[Instruction]:
    """Fail if the number matches and all tests hold, else continue with the number loaded."""
    made: list[Instruction] = [(_RETURN, 0, 0, FAIL | refusal.error)]
    if not refusal.tests:
        return [(_IF_EQUAL, 0, 1, number), *made]
    for test in reversed(refusal.tests):
        made = [*_test(test, len(made)), *made]
    return [(_IF_EQUAL, 0, len(made) + 1, number), *made, (_LOAD, 0, 0, _NUMBER)]


def _test(test: Test, rest: int) -> Iterator[Instruction]:
    """Continue with the next instruction if a test holds, else skip the following `rest` instructions.

    Only the lower half of an argument is tested: all of them have 32 bits.
    """
    yield (_LOAD, 0, 0, _ARGUMENTS + 8 * test.argument)
    yield (_AND, 0, 0, test.mask)
    for left, value in reversed([*enumerate(reversed(test.values))]):
        if test.within:
            yield (_IF_EQUAL, left, 0 if left else rest, value)
        else:
            yield (_IF_EQUAL, left + rest, 0, value)
