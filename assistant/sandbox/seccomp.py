"""The filter of kernel calls that a program runs under: `calls.refusals` as a program of classic BPF.

Assembled here; `guard.py` installs it right before the program starts. All that the program starts inherits
it, and nobody can take it off.
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

# linux/bpf_common.h: what an instruction does
_LOAD, _AND, _RETURN = 0x20, 0x54, 0x06
_IF_EQUAL, _IF_GREATER, _IF_NOT_LESS = 0x15, 0x25, 0x35
# linux/seccomp.h: where in `struct seccomp_data` a value lies, and what a filter answers
_NUMBER, _ARCHITECTURE, _ARGUMENTS = 0, 4, 16
KILL, FAIL, ALLOW = 0x80000000, 0x00050000, 0x7FFF0000
#: linux/audit.h: how the kernel names the machines of `platform.machine()`, in the order of `calls.NUMBERS`.
ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
_X32 = 0x40000000  # calls of x86_64 with short pointers have this bit in their number
_AVAILABLE, _CALL = 2, {"x86_64": 317, "aarch64": 277}  # SECCOMP_GET_ACTION_AVAIL, the number of seccomp

Instruction = tuple[int, int, int, int]  # code, jump if true, jump if false, constant


@lru_cache
def why_not() -> str | None:
    """Why kernel calls cannot be filtered on this machine, in one line; None where they can."""
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
    """The filter for programs of this machine; None where there can be none (see `why_not`)."""
    return None if why_not() else packed(assemble(os.uname().machine, devices=devices))


def assemble(machine: str, *, devices: bool = False) -> list[Instruction]:
    """The filter for a machine, a key of `ARCHITECTURES`.

    Calls of another architecture (32 bit) end the program, as their numbers mean something else.
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
    """As `struct sock_filter` has them."""
    return b"".join(struct.pack("HBBI", *each) for each in instructions)


def _refuse(number: int, refusal: RefusedCall) -> list[Instruction]:
    """If the number is this one and all tests hold, fail; else go on, with the number loaded."""
    made: list[Instruction] = [(_RETURN, 0, 0, FAIL | refusal.error)]
    if not refusal.tests:
        return [(_IF_EQUAL, 0, 1, number), *made]
    for test in reversed(refusal.tests):
        made = [*_test(test, len(made)), *made]
    return [(_IF_EQUAL, 0, len(made) + 1, number), *made, (_LOAD, 0, 0, _NUMBER)]


def _test(test: Test, rest: int) -> Iterator[Instruction]:
    """Go on with the next instruction if a test holds, else jump over the `rest` that follows.

    Only the lower half of an argument is looked at: all that are tested are of 32 bits.
    """
    yield (_LOAD, 0, 0, _ARGUMENTS + 8 * test.argument)
    yield (_AND, 0, 0, test.mask)
    for left, value in reversed([*enumerate(reversed(test.values))]):
        if test.within:
            yield (_IF_EQUAL, left, 0 if left else rest, value)
        else:
            yield (_IF_EQUAL, left + rest, 0, value)
