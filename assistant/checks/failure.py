"""What an error says that ended a program: that torch refuses what is claimed, or that nothing was tried."""

from __future__ import annotations

import builtins
import re

#: Errors of torch and of the standard library that are about this machine, not about what is claimed.
_OF_MACHINE = frozenset(
    "CalledProcessError CppCompileError DistBackendError DistNetworkError DistStoreError"
    " InvalidCxxCompiler OutOfMemoryError ProcessExitedException TimeoutExpired".split()
)
#: The same in the words of errors that torch raises as RuntimeError.
_SAYS_MACHINE = re.compile(
    r"allocate memory|out of memory|no space left|timed out|timeout|connection|address already in use"
    r"|too many open files|c\+\+ compile error|unable to mmap|exit code",
    re.I,
)
_KIND = re.compile(r"([A-Za-z_][\w.]*): ")
#: Ends of names of errors: what stands before a colon further on may be a word of the message.
_ENDS = ("Error", "Exception", "Expired", "Failed", "Unsupported")


def contradicts(failed: str) -> bool:
    """Return whether the error that ended a program contradicts its claim.

    All claims say that something works. Where torch refuses it (`RuntimeError` and what torch derives from
    it), it does not; a bug of the program, or what this machine does not give, shows nothing about it.

    Args:
        failed: the error in one line, with the names of an error and of its causes in front.

    >>> contradicts("RuntimeError: Dynamo is not supported on Python 3.15+")
    True
    >>> contradicts("RuntimeError: OSError: [Errno 28] No space left on device")
    False
    """
    kinds = _kinds(failed)
    return bool(kinds) and all(map(_of_torch, kinds)) and not _SAYS_MACHINE.search(failed)


def _kinds(failed: str) -> list[str]:
    found: list[str] = []
    at = 0
    while (named := _KIND.match(failed, at)) and (not found or named[1].endswith(_ENDS)):
        found.append(named[1].rpartition(".")[2])
        at = named.end()
    return found


def _of_torch(kind: str) -> bool:
    known = getattr(builtins, kind, None)
    if isinstance(known, type):
        return issubclass(known, RuntimeError)
    return kind not in _OF_MACHINE
