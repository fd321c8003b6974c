from __future__ import annotations

from tests.assistant.sandbox.hostile import files, kernel, memory, processes, resources
from tests.assistant.sandbox.hostile.program import Hostile

PROGRAMS: tuple[Hostile, ...] = (
    *resources.PROGRAMS,
    *memory.PROGRAMS,
    *processes.PROGRAMS,
    *files.PROGRAMS,
    *kernel.PROGRAMS,
)
