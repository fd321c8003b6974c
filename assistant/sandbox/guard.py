"""The process between us and the program: sets its limits, starts it, and says how it ended.

A script of its own, run as `python -I -S guard.py SPECIFICATION` inside whatever isolates the program; so it
imports the standard library only. In a process namespace it is process 1: nobody inside can end or stop it,
and all others die with it. Elsewhere it adopts orphaned descendants, so that they can still be found.

SPECIFICATION is JSON: `command`, `folder`, `make` (folders to make there), `limits` (name in `resource` to
soft and hard limit), `filter` (of kernel calls: BPF in hexadecimal, or null), `keyctl` (the number of that
call, or null), `report` (a file descriptor), `parent` (who starts it; 0 where it is process 1 of a
namespace). To `report` it writes JSON lines: `{"started": true}`; `{"failed": reason}`;
`{"status": as of waitpid, "cpu": seconds, "peak": bytes}`.
"""

from __future__ import annotations

import ctypes
import json
import os
import signal
import sys
import time
from types import FrameType
from typing import Any

_PDEATHSIG, _DUMPABLE, _CAPBSET_DROP, _SUBREAPER, _NO_NEW_PRIVS, _AMBIENT = 1, 4, 24, 36, 38, 47  # prctl.h
_SECCOMP, _FILTER = 22, 2
_JOIN_SESSION_KEYRING = 1  # keyctl.h
_FIRST_TO_GO = "1000"  # of oom_score_adj: what the kernel ends when the machine has no memory left
_AMBIENT_CLEAR = 4
_CAPABILITIES = 64  # more than any kernel has
_PATIENCE = 10.0  # seconds
_BREATH = 0.001  # seconds for what was killed to go
_STATE, _THREADS = 0, 17  # which words of /proc/PID/stat they are, after the name
_TRIES = 5  # at a process whose threads come and go faster than they are read


def main(specification: str) -> None:
    """Run one program; returns when all is reported and, in a namespace, thereby ends everything."""
    given: dict[str, Any] = json.loads(specification)
    report: int = given["report"]
    os.set_inheritable(report, False)
    if given["keyctl"]:  # keys of the user's session are not the program's; where it fails, the filter holds
        ctypes.CDLL(None).syscall(ctypes.c_long(given["keyctl"]), _JOIN_SESSION_KEYRING, None)
    _control(_DUMPABLE, 0)  # the program may neither trace this process nor open its descriptors
    if given["parent"]:
        _control(_SUBREAPER, 1)
        signal.signal(signal.SIGTERM, _end)
        _control(_PDEATHSIG, signal.SIGTERM)
        if os.getppid() != given["parent"]:  # it was gone before it could be told
            return
    _say(report, {"started": True})
    program = os.fork()
    if not program:
        _become(given, report)
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):  # the streams end with the program
        os.dup2(nowhere, stream)
    while True:
        pid, status, usage = os.wait4(-1, 0)
        if pid == program:
            break
    unit = 1 if sys.platform == "darwin" else 1024
    cpu = usage.ru_utime + usage.ru_stime
    _say(report, {"status": status, "cpu": cpu, "peak": usage.ru_maxrss * unit})
    if given["parent"]:
        _wait_to_be_ended()


def descendants(pid: int, most: int | None = None, most_threads: int | None = None) -> dict[int, int]:
    """Processes below another one, parents first, and how many threads each has. Linux only, elsewhere none.

    Zombies are left out. A process whose main thread has ended is none while another thread lives, though its
    state says so.

    Args:
        pid: whose.
        most: the search stops where more processes are found: among thousands every look takes long.
        most_threads: likewise for the threads of all of them.
    """
    found: dict[int, int] = {}
    together = 0
    waiting = _children(pid)
    for child in waiting:
        if count := _living_threads(child):
            found[child] = count
            together += count
        if most is not None and len(found) > most:
            break
        if most_threads is not None and together > most_threads:
            break
        waiting += _children(child)  # this reads each of its threads, so it comes after they are counted
    return found


def end_descendants(pid: int) -> None:
    """SIGKILL to everything below a process, until a look finds nothing more, or ten seconds are over.

    Each is killed when it is found: whoever is killed has no more children, and those that it had become
    children of an ancestor, where the next look finds them.
    """
    until = time.monotonic() + _PATIENCE
    while time.monotonic() < until:
        waiting = _children(pid)
        lived = False
        for child in waiting:
            waiting += _children(child)
            if _living_threads(child):
                lived = True
                try:
                    os.kill(child, signal.SIGKILL)
                except OSError:  # it is gone
                    continue
        if not lived:
            return
        time.sleep(_BREATH)


def threads(pid: int) -> list[str]:
    """Folders in /proc of the threads of a process, the main one first; none where it is gone."""
    try:
        return [f"/proc/{pid}/task/{thread}" for thread in os.listdir(f"/proc/{pid}/task")]
    except OSError:
        return []


def _children(pid: int) -> list[int]:
    """Those of all its threads; of one that goes while it is read, others inherit them."""
    children: dict[int, None] = {}
    for _ in range(_TRIES):
        gone = False
        for thread in threads(pid):
            try:
                with open(f"{thread}/children", encoding="ascii") as file:
                    children.update(dict.fromkeys(map(int, file.read().split())))
            except OSError:
                gone = True
        if not gone:
            break
    return [*children]


def _living_threads(pid: int) -> int:
    """How many a process has, a main thread that has ended among them; 0 where it is gone or a zombie."""
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as file:
            words = file.read().rpartition(")")[2].split()
    except OSError:
        return 0
    count = int(words[_THREADS])
    return count if words[_STATE] not in "ZX" or count > 1 else 0


def _become(given: dict[str, Any], report: int) -> None:
    """Turn this process into the program, without any privilege, and within its limits."""
    import resource  # not on Windows, where this module can be imported all the same

    try:
        if sys.platform == "linux":  # elsewhere only the process group tells what belongs together
            os.setsid()
        for number in (signal.SIGTERM, signal.SIGPIPE, signal.SIGXFSZ):
            signal.signal(number, signal.SIG_DFL)
        os.chdir(given["folder"])
        for name in given["make"]:
            os.makedirs(name, exist_ok=True)
        if sys.platform == "linux":
            _control(_DUMPABLE, 1)  # else its files in /proc are root's
            with open("/proc/self/oom_score_adj", "w", encoding="ascii") as file:
                file.write(_FIRST_TO_GO)
        _control(_AMBIENT, _AMBIENT_CLEAR)
        for capability in range(_CAPABILITIES):  # root without capabilities cannot raise its limits
            _control(_CAPBSET_DROP, capability)
        _control(_NO_NEW_PRIVS, 1)
        for name, (soft, hard) in given["limits"].items():
            which = getattr(resource, name)
            highest = resource.getrlimit(which)[1]
            if highest != resource.RLIM_INFINITY:
                soft, hard = min(soft, highest), min(hard, highest)
            resource.setrlimit(which, (soft, hard))
        if given["filter"]:
            _filter(bytes.fromhex(given["filter"]))
        os.execv(given["command"][0], given["command"])
    except (OSError, ValueError) as error:
        _say(report, {"failed": str(error)})
    finally:
        os._exit(127)


def _control(option: int, value: int) -> None:
    """`prctl`, on Linux; what a kernel does not know, or has done already, is no error."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(*map(ctypes.c_ulong, (option, value, 0, 0, 0)))


def _filter(program: bytes) -> None:
    """Let the kernel judge each call of this process, and of all that it starts, by a program of BPF."""

    class Program(ctypes.Structure):
        _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_char_p))

    libc = ctypes.CDLL(None, use_errno=True)
    installed = Program(len(program) // 8, program)
    if libc.prctl(_SECCOMP, ctypes.c_ulong(_FILTER), ctypes.byref(installed), 0, 0):
        raise OSError(ctypes.get_errno(), "kernel calls cannot be filtered")


def _say(report: int, fact: dict[str, Any]) -> None:
    os.write(report, json.dumps(fact).encode() + b"\n")


def _end(number: int, frame: FrameType | None) -> None:
    """Whoever started this run is gone."""
    end_descendants(os.getpid())
    os._exit(128 + number)


def _wait_to_be_ended() -> None:
    """Keep the orphans together until the runner has ended them all, and this process last."""
    while True:
        try:
            os.wait()
        except ChildProcessError:
            signal.pause()


if __name__ == "__main__":
    main(sys.argv[1])
