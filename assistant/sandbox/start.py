"""Command, environment and kernel limits that a program is started with."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

from assistant.sandbox.filesystem_view import USER, user_base
from assistant.sandbox.folder import IN_WORK, Folder
from assistant.sandbox.isolation import Isolation
from assistant.sandbox.processes import tasks_of_user
from assistant.sandbox.run_limits import Limits
from assistant.sandbox.seccomp import ARCHITECTURES, filter_here
from assistant.sandbox.system_calls import NUMBERS

_GPU_VARIABLES = ("CUDA_VISIBLE_DEVICES", "CUDA_HOME", "LD_LIBRARY_PATH", "NVIDIA_VISIBLE_DEVICES")


def guarded(
    command: list[str], folder: Folder, limits: Limits, isolation: Isolation, report: int
) -> list[str]:
    """Return the command that runs a program through `guard.py`.

    Args:
        command: command of the program.
        folder: folders of the run.
        limits: resource limits.
        isolation: sandbox backend.
        report: file descriptor for the guard's report.
    """
    wanted = {
        # 1, as 0 does not keep the kernel from giving a crashed process to a program outside (core_pattern)
        "RLIMIT_CORE": (1, 1),
        "RLIMIT_CPU": (limits.cpu_seconds, limits.cpu_seconds + 1),
        "RLIMIT_FSIZE": (limits.file_bytes, limits.file_bytes),
        "RLIMIT_NOFILE": (limits.open_files, limits.open_files),
    }
    if sys.platform == "linux":  # macOS counts all programs of the user for NPROC, and refuses AS
        wanted["RLIMIT_NPROC"] = (tasks := tasks_of_user() + limits.processes, tasks)
        if not isolation.devices:
            wanted["RLIMIT_AS"] = (limits.memory, limits.memory)
    specification = {
        "command": command,
        "folder": str(folder.work),
        "make": IN_WORK,
        "limits": wanted,
        "filter": made.hex() if (made := filter_here(devices=isolation.devices)) else None,
        "keyctl": _keyctl(),
        "report": report,
        "parent": 0 if isolation.namespace else os.getpid(),
    }
    return [sys.executable, "-I", "-S", str(folder.guard), json.dumps(specification)]


def _keyctl() -> int | None:
    """Return the number of that system call on this machine, None if unknown."""
    machine = os.uname().machine
    known = sys.platform == "linux" and machine in ARCHITECTURES
    return NUMBERS["keyctl"][[*ARCHITECTURES].index(machine)] if known else None


def environment(folder: Folder, isolation: Isolation) -> dict[str, str]:
    """Return the environment of a program, which inherits nothing but GPU settings.

    Args:
        folder: folders of the run.
        isolation: sandbox backend.
    """
    given = {
        "PATH": os.pathsep.join((str(Path(sys.executable).parent), "/usr/local/bin", "/usr/bin", "/bin")),
        "LANG": "C.UTF-8",
        "USER": USER,
        "LOGNAME": USER,
        "PYTHONUNBUFFERED": "1",
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONUTF8": "1",
        "OMP_NUM_THREADS": "1",
        "OMP_WAIT_POLICY": "passive",
        **folder.environment(),
    }
    if user := user_base():
        given["PYTHONUSERBASE"] = user
    if isolation.devices:
        return {**given, **{name: os.environ[name] for name in _GPU_VARIABLES if name in os.environ}}
    return {**given, "CUDA_VISIBLE_DEVICES": ""}
