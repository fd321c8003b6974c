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
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

from assistant.upgrade.archives import Unpacked, unpack
from assistant.upgrade.finding import UpgradeReport
from assistant.upgrade.search import no_check
from assistant.upgrade.searching import report_on_listing
from assistant.upgrade.source_files import list_given
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


@dataclass(frozen=True, slots=True)
class GivenFiles:
    """Files that somebody sends; they are on no disk.

    Attributes:
        files: bytes by relative path.
        archives: zip archives with more of them, by name.
        path: what the report calls them; "" for the name of a single file.
    """

    files: Mapping[str, bytes]
    archives: Mapping[str, bytes] = field(default_factory=dict)
    path: str = ""


@dataclass(frozen=True, slots=True)
class _Wanted:
    """What a process is asked for."""

    given: GivenFiles
    older: Release | None
    newer: Release | None
    language: Language
    name_checks: bool
    limits: Mapping[str, int]


def report_apart(
    given: GivenFiles,
    older: Release | None,
    newer: Release | None,
    language: Language,
    *,
    name_checks: bool = False,
) -> UpgradeReport:
    """Return the upgrade report on files whose content is hostile; the installed torch is not asked.

    Args:
        given: the files.
        older, newer, language: as for `upgrade_report`.
        name_checks: whether findings name the check that shows them.

    Raises:
        TorchnotesError: as `upgrade_report` does, or reading takes too much time or memory.
    """
    limits = {"RLIMIT_CPU": _CPU_SECONDS, "RLIMIT_AS": _MEMORY}
    wanted = _Wanted(given, older, newer, language, name_checks, limits)
    # Isolated, and with absolute folders only: no module of a working folder is imported.
    folders = [str(Path(__file__).resolve().parents[2]), *filter(os.path.isabs, sys.path)]
    command = [sys.executable, "-I", "-c", _START, json.dumps(folders)]
    try:
        done = subprocess.run(
            command, input=pickle.dumps(wanted), capture_output=True, timeout=_SECONDS, check=True
        )
    except subprocess.SubprocessError:
        raise TorchnotesError(_TOO_MUCH) from None
    told: UpgradeReport | str = pickle.loads(done.stdout)  # of our own process
    if isinstance(told, str):
        raise TorchnotesError(told)
    return told


def main() -> None:
    """Make the report that standard input asks for, and write it, or the error, to standard output."""
    wanted: _Wanted = pickle.load(sys.stdin.buffer)  # of our own process
    _limit(wanted.limits)
    told: UpgradeReport | str
    try:
        told = _report(wanted)
    except TorchnotesError as error:
        told = str(error)
    pickle.dump(told, sys.stdout.buffer)


def _report(wanted: _Wanted) -> UpgradeReport:
    """Unpack the archives and search all files."""
    given = wanted.given
    unpacked = Unpacked(dict(given.files), [])
    for name, data in given.archives.items():
        unpack(name, data, unpacked)
    listing = list_given(unpacked.files)
    listing = replace(listing, skipped=(*unpacked.skipped, *listing.skipped))
    path = given.path or (
        next(iter(unpacked.files)) if len(unpacked.files) == 1 and not given.archives else "."
    )
    check_of = no_check
    if wanted.name_checks:
        from assistant.upgrade.report import first_check

        check_of = first_check
    return report_on_listing(listing, path, wanted.older, wanted.newer, wanted.language, check_of=check_of)


def _limit(limits: Mapping[str, int]) -> None:
    """Bound this process, where that is possible: outside Windows."""
    if sys.platform == "win32":
        return
    import resource

    os.nice(_POLITENESS)
    for name, most in limits.items():
        with suppress(ValueError, OSError):  # macOS does not bound memory; what is lower already stays
            resource.setrlimit(getattr(resource, name), (most, most))
