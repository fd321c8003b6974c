"""A key in the session keyring of the tests, for programs to go for."""

from __future__ import annotations

import ctypes
import os

from assistant.sandbox.seccomp import ARCHITECTURES
from assistant.sandbox.system_calls import NUMBERS

_SESSION, _UNLINK = -3, 9


def add(name: str, secret: str) -> int:
    """Its serial number; 0 where this kernel keeps no keys, or lets nobody have any here."""
    number = _number("add_key")
    if number is None:
        return 0
    content = secret.encode()
    call = (b"user", name.encode(), content, ctypes.c_size_t(len(content)), ctypes.c_int(_SESSION))
    return max(0, int(ctypes.CDLL(None).syscall(number, *call)))


def remove(key: int) -> None:
    """Take it out of the keyring, which forgets it."""
    if key:
        session = ctypes.c_int(_SESSION)
        ctypes.CDLL(None).syscall(_number("keyctl"), ctypes.c_int(_UNLINK), ctypes.c_int(key), session)


def _number(call: str) -> ctypes.c_long | None:
    machine = os.uname().machine
    if machine not in ARCHITECTURES:
        return None
    return ctypes.c_long(NUMBERS[call][[*ARCHITECTURES].index(machine)])
