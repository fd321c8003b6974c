"""Classic BPF as the kernel runs it for seccomp: just the instructions that a filter of ours may have."""

from __future__ import annotations

import struct

_ALLOWED = {0x20, 0x54, 0x06, 0x15, 0x25, 0x35}


def answer(program: bytes, number: int, *arguments: int, architecture: int) -> int:
    """What a filter answers to a call; AssertionError where the kernel would not take it."""
    data = struct.pack("=iIQ6Q", number, architecture, 0, *arguments, *[0] * (6 - len(arguments)))
    instructions = [*struct.iter_unpack("=HBBI", program)]
    assert len(instructions) <= 4096
    assert all(code in _ALLOWED for code, *_ in instructions)
    at = value = 0
    while True:
        code, true, false, constant = instructions[at]
        at += 1
        if code == 0x20:
            assert constant % 4 == 0 and constant + 4 <= len(data)
            (value,) = struct.unpack_from("=I", data, constant)
        elif code == 0x54:
            value &= constant
        elif code == 0x06:
            return int(constant)
        else:
            holds = {0x15: value == constant, 0x25: value > constant, 0x35: value >= constant}[code]
            at += true if holds else false
