"""Threads of a run: honest programs have room, more ends it; `hostile/processes.py` tries it."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from assistant.sandbox.run_limits import Limits
from assistant.sandbox.runner import run

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc"),
    pytest.mark.usefixtures("alone"),
]

_POOLS = """
import os, time
import torch
torch.set_num_threads(64)
torch.set_num_interop_threads(32)
left, right = (torch.rand(512, 512, requires_grad=True) for _ in range(2))
tasks = [torch.jit.fork(torch.relu, left) for _ in range(64)]
until = time.monotonic() + 0.5  # several looks
while time.monotonic() < until: (left @ right).exp().sum().backward()
for task in tasks: torch.jit.wait(task)
print(len(os.listdir("/proc/self/task")))
"""
_TWENTY = """
import threading
for _ in range(20): threading.Thread(target=threading.Event().wait, daemon=True).start()
threading.Event().wait()
"""


def test_the_thread_pools_of_torch_have_room(tmp_path: Path) -> None:
    """Those of a machine of 64 cores, whatever this one has."""
    pytest.importorskip("torch")
    program = tmp_path / "program.py"
    program.write_text(_POOLS, encoding="utf-8")
    outcome = run(program, limits=Limits(seconds=120))
    assert outcome.ok, outcome
    assert int(outcome.stdout) > 64 + 32


def test_too_many_are_told(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(_TWENTY, encoding="utf-8")
    outcome = run(program, limits=Limits(seconds=30, threads=16))
    assert outcome.ended == "processes", outcome
    assert outcome.reason == "ended with more than 16 threads in its processes"


def test_their_limit_grows_with_the_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: 4)
    assert Limits().threads == 1024
    monkeypatch.setattr(os, "cpu_count", lambda: 256)
    assert Limits().threads == 2048
