"""The upgrade report on files of somebody else, made by a process of its own with bounds on time and memory.

Python's parser alone can take a square of the length of its input: of memory for a name of many parts in an
import, of time for an f-string of many expressions, while no other thread runs. So not even reading hostile
code is left to the process that others wait for.
"""

from __future__ import annotations

import json
import os
import pickle
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

from assistant.upgrade.finding import UpgradeReport
from assistant.upgrade.report import upgrade_report
from ingest.document import Language
from ingest.errors import TorchnotesError
from ingest.release import Release

_CPU_SECONDS = 30
_SECONDS = 120.0  # on a machine that does other things
_MEMORY = 2 << 30  # bytes of address space; the most code that is taken needs less than half
_POLITENESS = 10  # added to its niceness: questions come first
_TOO_MUCH = (
    "searching the code takes more time or memory than a server spends on it; give less of it at once, or "
    "type `torchnotes upgrade PATH`"
)
_START = (
    "import json, sys; sys.path[:] = json.loads(sys.argv[1]); "
    "from assistant.upgrade.apart import main; main()"
)


def report_apart(
    path: Path, older: Release | None, newer: Release | None, language: Language
) -> UpgradeReport:
    """Return the upgrade report on a file or folder whose content is hostile; git and torch are not asked.

    Args:
        path: absolute path of the file or folder.
        older, newer, language: as for `upgrade_report`.

    Raises:
        TorchnotesError: as `upgrade_report` does, or reading takes too much time or memory.
    """
    wanted = {
        "path": str(path),
        "older": None if older is None else str(older),
        "newer": None if newer is None else str(newer),
        "language": language,
        "limits": {"RLIMIT_CPU": _CPU_SECONDS, "RLIMIT_AS": _MEMORY},
    }
    # Isolated, and with absolute folders only: modules that lie among the files are not imported.
    folders = [str(Path(__file__).resolve().parents[2]), *filter(os.path.isabs, sys.path)]
    command = [sys.executable, "-I", "-c", _START, json.dumps(folders)]
    try:
        done = subprocess.run(
            command, input=json.dumps(wanted).encode(), capture_output=True, timeout=_SECONDS, check=True
        )
    except subprocess.SubprocessError:
        raise TorchnotesError(_TOO_MUCH) from None
    told: UpgradeReport | str = pickle.loads(done.stdout)  # of our own process
    if isinstance(told, str):
        raise TorchnotesError(told)
    return told


def main() -> None:
    """Make the report that standard input asks for, and write it, or the error, to standard output."""
    wanted: dict[str, Any] = json.load(sys.stdin)
    _limit(wanted.pop("limits"))
    told: UpgradeReport | str
    try:
        told = upgrade_report(wanted.pop("path"), ask_installed=False, git=False, **wanted)
    except TorchnotesError as error:
        told = str(error)
    pickle.dump(told, sys.stdout.buffer)


def _limit(limits: dict[str, int]) -> None:
    """Bound this process, where that is possible: outside Windows."""
    if sys.platform == "win32":
        return
    import resource

    os.nice(_POLITENESS)
    for name, most in limits.items():
        with suppress(ValueError, OSError):  # macOS does not bound memory; what is lower already stays
            resource.setrlimit(getattr(resource, name), (most, most))
