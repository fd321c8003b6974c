"""The process that sets the limits of a program, starts it, and reports how it ended.

A standalone script, run as `python -I -S guard.py SPECIFICATION` inside the isolation, so it imports only the
standard library. In a process namespace it is process 1: no process inside can kill or stop it, and all
others die with it. Otherwise it adopts orphaned descendants, so that they can be found.

SPECIFICATION is JSON: `command`, `folder`, `make` (folders to create in it), `limits` (name in `resource` to
soft and hard limit), `filter` (BPF program for system calls as hexadecimal digits, or null), `keyctl` (number
of that system call, or null), `report` (a file descriptor), `parent` (pid of the starting process; 0 if the
guard is process 1 of a namespace). It writes JSON lines to `report`: `{"started": true}`; `{"failed":
reason}`; `{"status": as of waitpid, "cpu": seconds, "peak": bytes}`.
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
_FIRST_TO_GO = "1000"  # oom_score_adj: killed first when the machine runs out of memory
_AMBIENT_CLEAR = 4
_CAPABILITIES = 64  # more than any kernel has
_PATIENCE = 10.0  # seconds
_BREATH = 0.001  # seconds for killed processes to end
_STATE, _THREADS = 0, 17  # positions in /proc/PID/stat, after the name
_TRIES = 5  # attempts for a process whose threads end while they are read


def main(specification: str) -> None:
    """Run a program; on return everything is reported and, in a namespace, the other processes end.

    Args:
        specification: JSON as described above.
    """
    given: dict[str, Any] = json.loads(specification)
    report: int = given["report"]
    os.set_inheritable(report, False)
    if given["keyctl"]:  # leave the user's session keyring; if that fails, the filter blocks access
        ctypes.CDLL(None).syscall(ctypes.c_long(given["keyctl"]), _JOIN_SESSION_KEYRING, None)
    _control(_DUMPABLE, 0)  # the program may neither trace this process nor open its descriptors
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Python handles it, so it would end process 1 as well
    if given["parent"]:
        _control(_SUBREAPER, 1)
        signal.signal(signal.SIGTERM, _end)
        _control(_PDEATHSIG, signal.SIGTERM)
        if os.getppid() != given["parent"]:  # it ended before PDEATHSIG was set
            return
    _say(report, {"started": True})
    program = os.fork()
    if not program:
        _become(given, report)
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):  # so that the pipes close when the program ends
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
    """Return the descendants of a process, parents first, with their numbers of threads; Linux only.

    A zombie has no threads, but takes a number of the machine, of which root may have all. A process whose
    main thread has ended is in state Z too, but has its other threads.

    Args:
        pid: the process.
        most: stop after more processes than this; with thousands, each search is slow.
        most_threads: stop after more threads than this in total.

    Returns:
        Number of threads by process id; empty on other systems.
    """
    found: dict[int, int] = {}
    together = 0
    waiting = _children(pid)
    for child in waiting:
        if (count := _living_threads(child)) is not None:
            found[child] = count
            together += count
        if most is not None and len(found) > most:
            break
        if most_threads is not None and together > most_threads:
            break
        waiting += _children(child)  # reads each of its threads, so the limit is checked first
    return found


def end_descendants(pid: int) -> None:
    """Kill all descendants of a process, until none is left or ten seconds have passed.

    Each is killed as soon as it is found: then it cannot have more children, and those it had become children
    of an ancestor, where the next search finds them.

    Args:
        pid: the process.
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
                except OSError:  # it has ended
                    continue
        if not lived:
            return
        time.sleep(_BREATH)


def threads(pid: int) -> list[str]:
    """Return the folders in /proc of a process's threads, the main one first; empty if it has ended.

    Args:
        pid: the process.
    """
    try:
        return [f"/proc/{pid}/task/{thread}" for thread in os.listdir(f"/proc/{pid}/task")]
    except OSError:
        return []


def _children(pid: int) -> list[int]:
    """Return the children of all threads; those of a thread that ends meanwhile move to another one."""
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


def _living_threads(pid: int) -> int | None:
    """Return the number of threads, an ended main thread included; 0 for a zombie, None if it has ended."""
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as file:
            words = file.read().rpartition(")")[2].split()
    except OSError:
        return None
    count = int(words[_THREADS])
    return count if words[_STATE] not in "ZX" or count > 1 else 0


def _become(given: dict[str, Any], report: int) -> None:
    """Replace this process by the program, without privileges and with limits."""
    import resource  # does not exist on Windows, where this module must be importable

    try:
        if sys.platform == "linux":  # elsewhere the process group is needed to find the processes
            os.setsid()
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGPIPE, signal.SIGXFSZ):
            signal.signal(number, signal.SIG_DFL)
        os.chdir(given["folder"])
        for name in given["make"]:
            os.makedirs(name, exist_ok=True)
        if sys.platform == "linux":
            _control(_DUMPABLE, 1)  # otherwise its files in /proc belong to root
            with open("/proc/self/oom_score_adj", "w", encoding="ascii") as file:
                file.write(_FIRST_TO_GO)
        _control(_AMBIENT, _AMBIENT_CLEAR)
        for capability in range(_CAPABILITIES):  # so that root cannot raise its limits
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
    """Call `prctl` on Linux, ignoring options that the kernel does not support or that are already set."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(*map(ctypes.c_ulong, (option, value, 0, 0, 0)))


def _filter(program: bytes) -> None:
    """Install a seccomp filter for this process and all that it starts."""

    class Program(ctypes.Structure):
        _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_char_p))

    libc = ctypes.CDLL(None, use_errno=True)
    installed = Program(len(program) // 8, program)
    if libc.prctl(_SECCOMP, ctypes.c_ulong(_FILTER), ctypes.byref(installed), 0, 0):
        raise OSError(ctypes.get_errno(), "kernel calls cannot be filtered")


def _say(report: int, fact: dict[str, Any]) -> None:
    os.write(report, json.dumps(fact).encode() + b"\n")


def _end(number: int, frame: FrameType | None) -> None:
    """Kill all descendants and exit: the process that started this run has ended."""
    end_descendants(os.getpid())
    os._exit(128 + number)


def _wait_to_be_ended() -> None:
    """Keep adopting orphans until the runner has killed them all, and then this process."""
    while True:
        try:
            os.wait()
        except ChildProcessError:
            signal.pause()


if __name__ == "__main__":
    main(sys.argv[1])
