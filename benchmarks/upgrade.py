"""The upgrade report: how many known uses it finds, and how long it takes on much code.

    python -m benchmarks.upgrade [FOLDER ...] [--lines N]

Recall is that on the uses of `tests/assistant/upgrade/uses.txt`. The time is that of a whole report, from the
first file to the last finding, once with the notes alone and once with what the installed torch marks: on the
folders, or on as many lines of the packages installed here. The machine must be idle.
"""

from __future__ import annotations

import argparse
import os
import resource
import shutil
import sys
import tempfile
import time
from pathlib import Path

from assistant.upgrade.report import upgrade_report
from tests.assistant.upgrade.known_uses import wanted_and_found

LINES = 200_000
MOST_SECONDS = 20.0
OLDER, NEWER = "1.13", "2.14"
#: Installed packages that use torch, and others to fill up.
PACKAGES = ("transformers", "sentence_transformers", "torch", "sympy", "networkx")


def main() -> None:
    """Print recall and time; the exit code is 1 where a bound is missed."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folders", nargs="*", type=Path, metavar="FOLDER")
    parser.add_argument("--lines", type=int, default=LINES)
    given = parser.parse_args()
    wanted, found = wanted_and_found()
    recall = len(wanted & found) / len(wanted)
    symbols = len({symbol for _, symbol in wanted})
    print(f"{len(wanted)} known uses of {symbols} symbols: recall {recall:.3f}, {len(found - wanted)} others")
    with tempfile.TemporaryDirectory() as scratch:
        folders = given.folders or [installed_code(Path(scratch), given.lines)]
        slow = [folder for folder in folders if not timed(folder)]
    sys.exit(int(recall < 0.9 or bool(slow)))


def timed(folder: Path) -> bool:
    """Print how long the reports on a folder take; False if one of 200,000 lines would take too long."""
    fits = True
    for asked in (False, True):
        begun, worked = time.perf_counter(), time.process_time()
        report = upgrade_report(folder, older=OLDER, newer=NEWER, ask_installed=asked)
        seconds, busy = time.perf_counter() - begun, time.process_time() - worked
        lines = max(report.searched.lines, 1)
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
        what = "with the installed torch" if asked else "notes alone"
        print(
            f"{folder.name}: {lines:,} lines, {what}: {seconds:.1f} s ({busy:.1f} s of CPU), "
            f"{len(report.findings):,} findings, {peak} MB at most, {os.cpu_count()} cores"
        )
        fits &= seconds * min(1.0, LINES / lines) < MOST_SECONDS
    return fits


def installed_code(folder: Path, lines: int) -> Path:
    """Copy Python files of installed packages until they have so many lines; return where they are."""
    into = folder / "code"
    left = lines
    for package in PACKAGES:
        root = next((Path(each) / package for each in sys.path if (Path(each) / package).is_dir()), None)
        for path in sorted(root.rglob("*.py")) if root else ():
            if left <= 0:
                return into
            copy = into / package / path.relative_to(root)  # type: ignore[arg-type]
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, copy)
            left -= path.read_bytes().count(b"\n") + 1
    return into


if __name__ == "__main__":
    main()
