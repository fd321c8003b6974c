"""Namespaces without bubblewrap: a new root file system, assembled with system calls.

A standalone script, run as `python -I -S namespaces.py SPECIFICATION`; it imports only the standard library.
Needs Linux 5.12 and permission to create user namespaces.

SPECIFICATION is JSON: `root` (an empty folder), `read_only`, `links`, `files`, `writable`, `devices` (see
`filesystem_view.FilesystemView`), `room` (maximum `bytes` and `files` of each writable folder), `command`
(becomes process 1). This process waits for the command and exits with its exit code, or with 125 and one line
on standard error if something is not permitted.
"""

from __future__ import annotations

import ctypes
import fcntl
import json
import os
import signal
import socket
import struct
import sys
from typing import Any

REFUSED = 125  # exit code
KERNEL_SETTINGS = ("sys", "sysrq-trigger", "irq", "bus", "pressure")  # in /proc; root can write them
HIDDEN = (  # in /proc; information on other processes, and on where the memory of the machine is
    *("kcore", "keys", "key-users", "kmsg", "timer_list", "kallsyms", "slabinfo", "vmallocinfo"),
    *("kpageflags", "kpagecount", "kpagecgroup", "pagetypeinfo"),
)
# NS CGROUP UTS IPC USER PID NET
_NEW = 0x20000 | 0x2000000 | 0x4000000 | 0x8000000 | 0x10000000 | 0x20000000 | 0x40000000
_READ_ONLY, _NO_SETUID, _NO_DEVICES, _NO_EXEC = 1, 2, 4, 8  # the same for mount and mount_setattr
_BIND, _RECURSIVE, _PRIVATE = 0x1000, 0x4000, 0x40000
_DETACH = 2  # umount2
_MOUNT_SETATTR, _SUBTREE, _HERE = 442, 0x8000, -100  # the number is the same on all architectures
_PDEATHSIG = 1
_INTERFACE_FLAGS, _UP = 0x8914, 0x41  # SIOCSIFFLAGS, IFF_UP | IFF_RUNNING
_PLAIN_DEVICES = ("null", "full", "random", "urandom", "tty")

_libc = ctypes.CDLL(None, use_errno=True)


def main(specification: str) -> int:
    """Enter new namespaces, run the command there, and return its exit code.

    Args:
        specification: JSON as described above.

    Raises:
        OSError: a namespace cannot be created.
    """
    given: dict[str, Any] = json.loads(specification)
    starter = os.getppid()
    _libc.prctl(_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != starter:
        return REFUSED
    user, group = os.getuid(), os.getgid()
    _check(_libc.unshare(_NEW), "a new user namespace")
    maps = {"setgroups": "deny", "uid_map": f"{user} {user} 1", "gid_map": f"{group} {group} 1"}
    for name, text in maps.items():
        with open(f"/proc/self/{name}", "w", encoding="ascii") as file:
            file.write(text)
    ready, parent = os.pipe()
    first = os.fork()
    if not first:
        os.close(parent)
        _libc.prctl(_PDEATHSIG, signal.SIGKILL)
        if not os.read(ready, 1):  # the parent has ended
            os._exit(REFUSED)
        os.close(ready)
        _in_namespace(given)
    os.write(parent, b"1")
    status = os.waitpid(first, 0)[1]
    return os.waitstatus_to_exitcode(status) % 256


def _in_namespace(given: dict[str, Any]) -> None:
    try:
        socket.sethostname("sandbox")
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
            fcntl.ioctl(any_socket, _INTERFACE_FLAGS, struct.pack("16sH22x", b"lo", _UP))
        _enter_root(given)
        os.execv(given["command"][0], given["command"])
    except OSError as error:
        sys.stderr.write(f"{error.strerror}: {error.filename or 'namespaces'}\n")
        sys.stderr.flush()
    finally:
        os._exit(REFUSED)


def _enter_root(given: dict[str, Any]) -> None:
    """Assemble the new root on an in-memory file system, and detach the old one."""
    root = given["root"]
    _mount(None, "/", None, _RECURSIVE | _PRIVATE)
    _mount("tmpfs", root, "tmpfs", _NO_SETUID | _NO_DEVICES)
    for path in given["read_only"]:
        _bind(path, root + path, _READ_ONLY | _NO_SETUID | _NO_DEVICES)
    for target, path in given["links"]:
        os.makedirs(os.path.dirname(root + path), exist_ok=True)
        os.symlink(target, root + path)
    for path, text in given["files"]:
        os.makedirs(os.path.dirname(root + path), exist_ok=True)
        with open(root + path, "w", encoding="utf-8") as file:
            file.write(text)
    for name in (*_PLAIN_DEVICES, *(path.removeprefix("/dev/") for path in given["devices"])):
        _bind(f"/dev/{name}", f"{root}/dev/{name}", _NO_SETUID)
    # /dev/full reads like /dev/zero, but cannot be mapped as memory that escapes the limits.
    _bind("/dev/zero" if given["devices"] else "/dev/full", f"{root}/dev/zero", _NO_SETUID)
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        os.symlink(f"/proc/self/fd/{number}", f"{root}/dev/{name}")
    os.symlink("/proc/self/fd", f"{root}/dev/fd")
    room = f"size={given['room']['bytes']},nr_inodes={given['room']['files']},mode=700"
    for path in given["writable"]:
        os.makedirs(root + path, exist_ok=True)
        _mount("tmpfs", root + path, "tmpfs", _NO_SETUID | _NO_DEVICES, room)
    os.mkdir(f"{root}/proc")
    _mount("proc", f"{root}/proc", "proc", _NO_SETUID | _NO_DEVICES | _NO_EXEC)
    for name in KERNEL_SETTINGS:
        if os.path.exists(path := f"{root}/proc/{name}"):
            _bind(path, path, _READ_ONLY | _NO_SETUID | _NO_DEVICES | _NO_EXEC)
    for name in HIDDEN:
        if os.path.exists(path := f"{root}/proc/{name}"):
            _bind("/dev/null", path, _READ_ONLY | _NO_SETUID | _NO_DEVICES | _NO_EXEC)
    os.chdir(root)
    _check(_libc.pivot_root(b".", b"."), "pivot_root")
    _check(_libc.umount2(b".", _DETACH), "umount2")
    os.chdir("/")
    _set("/", _READ_ONLY, subtree=False)


def _bind(source: str, target: str, flags: int) -> None:
    """Bind-mount a file or a folder with all mounts below it."""
    if os.path.isdir(source):
        os.makedirs(target, exist_ok=True)
    elif not os.path.lexists(target):
        os.makedirs(os.path.dirname(target), exist_ok=True)
        with open(target, "w", encoding="ascii"):
            pass
    _mount(source, target, None, _BIND | _RECURSIVE)
    _set(target, flags, subtree=True)


def _mount(source: str | None, target: str, kind: str | None, flags: int, options: str = "") -> None:
    done = _libc.mount(_c(source), _c(target), _c(kind), ctypes.c_ulong(flags), _c(options or None))
    _check(done, target)


def _set(path: str, flags: int, *, subtree: bool) -> None:
    """Add flags to a mount; requires Linux 5.12."""
    attributes = struct.pack("QQQQ", flags, 0, 0, 0)
    where = _SUBTREE if subtree else 0
    size = ctypes.c_size_t(len(attributes))
    done = _libc.syscall(
        ctypes.c_long(_MOUNT_SETATTR), _HERE, _c(path), ctypes.c_uint(where), attributes, size
    )
    _check(done, path)


def _c(text: str | None) -> bytes | None:
    return None if text is None else os.fsencode(text)


def _check(returned: int, what: str) -> None:
    if returned:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number), what)


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1]))
    except OSError as error:
        sys.exit(f"{error.strerror}: {error.filename or 'namespaces'}")
