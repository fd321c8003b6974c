"""What keeps a program away from the network, the user's files and other processes.

Three levels, best first: bubblewrap; the same namespaces made by ourselves; none, where only limits hold.
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

# What each isolation holds, calls only where they can be filtered; the hostile programs of the tests try it.
HOLDS: Mapping[Name, frozenset[Hold]] = {
    "bubblewrap": _ALL,
    "namespaces": _ALL,
    "none": frozenset({"limits", "forks", "calls"}),  # the second only where `forks_are_held`
}

# Where a hold is missing: what a program can then do.
MISSING: Mapping[Hold, Mapping[str, str]] = {
    "limits": {"en": "it can raise its own limits", "zh": "它可以放宽自己的资源限制"},
    "forks": {
        "en": "it can start processes faster than they can be ended",
        "zh": "它启动进程的速度可能快于结束它们的速度",
    },
    "calls": {
        "en": "it can make calls of the kernel that no check needs (io_uring, tracing, keys)",
        "zh": "它可以使用检查并不需要的内核调用（io_uring、跟踪、密钥）",
    },
    "clean-up": {
        "en": "a process that hides on purpose can outlive it",
        "zh": "刻意隐藏的进程可能在它结束后继续存在",
    },
    "processes": {
        "en": "it can read and end other processes of yours",
        "zh": "它可以读取并结束你的其他进程",
    },
    "network": {"en": "it can reach the network", "zh": "它可以访问网络"},
    "reading": {"en": "it can read every file that you can read", "zh": "它可以读取你能读取的所有文件"},
    "writing": {"en": "it can write wherever you can", "zh": "它可以写入你有权写入的任何位置"},
}


@dataclass(frozen=True)
class Isolation:
    """A way to hold a program.

    Attributes:
        name: which one.
        devices: let it use GPUs: NVIDIA's device files and what describes the hardware are then visible.
            Without it no GPU is: its files are not there, and CUDA_VISIBLE_DEVICES is empty.
    """

    name: Name
    devices: bool = False

    @property
    def holds(self) -> frozenset[Hold]:
        """What a program cannot do here."""
        held = HOLDS[self.name]
        if not (self.namespace or forks_are_held()):
            held -= {"forks"}
        return held if seccomp.why_not() is None else held - {"calls"}

    @property
    def weaker(self) -> bool:
        """Some of what others hold is not held: ask again before a program runs."""
        return bool(self.missing)

    @property
    def missing(self) -> tuple[Hold, ...]:
        """What is not held here."""
        return tuple(hold for hold in MISSING if hold not in self.holds)

    def not_held(self, language: Literal["en", "zh"] = "en") -> tuple[str, ...]:
        """The same in plain words: what a program can do to this machine."""
        return tuple(MISSING[hold][language] for hold in self.missing)

    @property
    def namespace(self) -> bool:
        """The program lives in a process namespace, which the kernel ends as a whole."""
        return self.name != "none"

    def command(self, folder: Folder, limits: Limits, command: list[str]) -> list[str]:
        """The command that runs another one inside; it keeps the environment and open descriptors."""
        if self.name == "none":
            return command
        seen = view(folder, devices=self.devices)
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
