from __future__ import annotations

from tests.assistant.checks.hostile import files, kernel, memory, processes, resources
from tests.assistant.checks.hostile.program import Hostile

PROGRAMS: tuple[Hostile, ...] = (
    *resources.PROGRAMS,
    *memory.PROGRAMS,
    *processes.PROGRAMS,
    *files.PROGRAMS,
    *kernel.PROGRAMS,
)
