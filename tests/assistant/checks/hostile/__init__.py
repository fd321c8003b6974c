from __future__ import annotations

from tests.assistant.checks.hostile import files, processes, resources
from tests.assistant.checks.hostile.program import Hostile

PROGRAMS: tuple[Hostile, ...] = (*resources.PROGRAMS, *processes.PROGRAMS, *files.PROGRAMS)
