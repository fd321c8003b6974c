"""Sandbox backends, which keep a program away from the network, the user's files and other processes.

There are three, best first: bubblewrap; the same namespaces created by ourselves; none, with resource limits
only.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from shutil import which
from typing import Literal, get_args

from assistant.sandbox import bubblewrap, namespaces, seccomp
from assistant.sandbox.filesystem_view import view
from assistant.sandbox.folder import Folder
from assistant.sandbox.processes import forks_are_held
from assistant.sandbox.run_limits import Limits

Name = Literal["bubblewrap", "namespaces", "none"]
Hold = Literal["limits", "forks", "calls", "clean-up", "processes", "network", "reading", "writing"]

_ALL: frozenset[Hold] = frozenset(get_args(Hold))

# Protections of each backend, tested with hostile programs; see also `Isolation.holds`.
HOLDS: Mapping[Name, frozenset[Hold]] = {
    "bubblewrap": _ALL,
    "namespaces": _ALL,
    "none": frozenset({"limits", "forks", "calls"}),  # "forks" only if `forks_are_held`
}

# What a program can do if a protection is missing.
MISSING: Mapping[Hold, Mapping[str, str]] = {
    "limits": {"en": "it can raise its own limits", "zh": "程序可以放宽自己的资源限制"},
    "forks": {
        "en": "it can start processes faster than they can be ended",
        "zh": "程序启动进程的速度可能快于清理它们的速度",
    },
    "calls": {
        "en": "it can make calls of the kernel that no check needs (io_uring, tracing, keys)",
        "zh": "程序可以使用检查用不到的系统调用（io_uring、进程跟踪、密钥）",
    },
    "clean-up": {
        "en": "a process that hides on purpose can outlive it",
        "zh": "刻意隐藏的进程可能在程序结束后继续运行",
    },
    "processes": {
        "en": "it can read and end other processes of yours",
        "zh": "程序可以读取并结束你的其他进程",
    },
    "network": {"en": "it can reach the network", "zh": "程序可以访问网络"},
    "reading": {"en": "it can read every file that you can read", "zh": "程序可以读取你能读取的所有文件"},
    "writing": {"en": "it can write wherever you can", "zh": "程序可以写入你能写入的任何位置"},
}


@dataclass(frozen=True)
class Isolation:
    """A sandbox backend.

    Attributes:
        name: its name.
        devices: allow GPUs: NVIDIA's device files and descriptions of the hardware are visible. Without it
            they are hidden and CUDA_VISIBLE_DEVICES is empty.
    """

    name: Name
    devices: bool = False

    @property
    def holds(self) -> frozenset[Hold]:
        """Protections that are effective on this machine."""
        held = HOLDS[self.name]
        if not (self.namespace or forks_are_held()):
            held -= {"forks"}
        return held if seccomp.why_not() is None else held - {"calls"}

    @property
    def weaker(self) -> bool:
        """Whether any protection is missing; if so, ask the user before running a program."""
        return bool(self.missing)

    @property
    def missing(self) -> tuple[Hold, ...]:
        """Protections that are missing on this machine."""
        return tuple(hold for hold in MISSING if hold not in self.holds)

    def not_held(self, language: Literal["en", "zh"] = "en") -> tuple[str, ...]:
        """Return in words what a program can do because protections are missing.

        Args:
            language: language of the text.
        """
        return tuple(MISSING[hold][language] for hold in self.missing)

    @property
    def namespace(self) -> bool:
        """Whether the program runs in a process namespace, which the kernel ends as a whole."""
        return self.name != "none"

    def command(
        self, folder: Folder, limits: Limits, command: list[str], also: tuple[Path, ...] = ()
    ) -> list[str]:
        """Return the command that runs another command inside; it keeps environment and open descriptors.

        Args:
            folder: folders of the run.
            limits: resource limits.
            command: command to run inside.
            also: further folders that it may read.
        """
        if self.name == "none":
            return command
        seen = view(folder, devices=self.devices, also=also)
        if self.name == "bubblewrap":
            program = which(bubblewrap.PROGRAM) or bubblewrap.PROGRAM
            return [program, *bubblewrap.arguments(folder, seen, limits), *command]
        room = {"bytes": limits.folder_bytes, "files": limits.folder_files}
        wanted = {"root": str(folder.root), "command": command, "room": room, **asdict(seen)}
        specification = json.dumps(wanted, default=os.fspath)
        return [sys.executable, "-I", "-S", str(Path(namespaces.__file__).resolve()), specification]


BUBBLEWRAP = Isolation("bubblewrap")
NAMESPACES = Isolation("namespaces")
NONE = Isolation("none")
ALL = (BUBBLEWRAP, NAMESPACES, NONE)
