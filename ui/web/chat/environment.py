"""The environment that a reader has stated, as the machine that answers are marked for."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from assistant.applicability.hardware import CARD, CARDS
from assistant.checks.machine import Machine
from ingest.errors import TorchnotesError
from ui.shared.app_state import AppState

_FIELDS = ("torch", "python", "cuda", "rocm", "gpu", "system")
_MOST = 100  # characters of a field
_SYSTEMS = ((r"windows", "Windows"), (r"mac\s?os|darwin", "Darwin"), (r"\S", "Linux"))
_DEVICES = ((r"\bapple\b|\bM\d\b", "mps"), (r"\bintel\b|\barc\b", "xpu"))


def read_environment(sent: object) -> Machine | None:
    """Return the machine that a browser has sent, None if it has sent none.

    What is not stated counts as unknown, not as missing.

    Args:
        sent: text by field: torch, python, cuda, rocm, gpu, system; None for none.

    Raises:
        TorchnotesError: the page cannot have sent this.
    """
    if sent is None:
        return None
    if not isinstance(sent, Mapping) or not all(
        isinstance(value, str) and len(value) <= _MOST for value in sent.values()
    ):
        raise TorchnotesError("the page sent an environment that is not of its form; load it again")
    torch, python, cuda, rocm, gpu, system = (str(sent.get(name, "")).strip() for name in _FIELDS)
    devices = tuple(device for form, device in _DEVICES if re.search(form, gpu, re.I))
    if gpu and not (cuda or rocm or devices):
        torch = ""  # which of its GPUs torch can use is not known
    if not any((torch, python, gpu, system)):
        return None
    return Machine(
        system=next((name for form, name in _SYSTEMS if re.search(form, system, re.I)), ""),
        cpu="",
        instructions=(),
        cores=0,
        memory=0,
        python=python,
        torch=torch,
        cuda=cuda,
        rocm=rocm,
        gpu=gpu,
        capability=_capability(gpu),
        compiler="?",
        devices=devices,
    )


def environment_of(app_state: AppState) -> Callable[[Any], dict[str, str]]:
    """Return a function, called by the scripts of the page, that describes the reader's machine.

    Args:
        app_state: shared state, which knows whether the reader uses the machine that serves.
    """

    def environment(_: object = None) -> dict[str, str]:
        """Return text by field; {} if the reader's machine is another one."""
        machine = app_state.machine()
        if machine is None:
            return {}
        return {name: str(getattr(machine, name))[:_MOST] for name in _FIELDS}

    return environment


def _capability(gpu: str) -> tuple[int, int]:
    """Return the compute capability of an NVIDIA card, (0, 0) if it is not known."""
    match = CARD.search(gpu)
    number = match.lastgroup if match else None
    major, minor = CARDS[int(number[1:])][1] if number else (0, 0)
    return major, minor
