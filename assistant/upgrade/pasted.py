"""The upgrade report on code that is given as text, for clients that must not name files of this machine."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path, PurePosixPath

from assistant.upgrade.apart import report_apart
from assistant.upgrade.finding import UpgradeReport
from assistant.upgrade.report import upgrade_report
from assistant.upgrade.source_files import MAX_DEPTH
from ingest.document import Language
from ingest.errors import TorchnotesError
from ingest.release import Release

MAX_CODE = 200_000  # characters
MAX_FILES = 1_000
MAX_ALL = 1_500_000  # characters of several files together
NAME = "code.py"
_LONGEST = 200  # characters of a name


def report_on_code(
    code: object,
    older: Release | None,
    newer: Release | None,
    language: Language = "en",
    *,
    ask_installed: bool = False,
) -> UpgradeReport:
    """Tell what an upgrade of torch affects in Python code. It is not run.

    Args:
        code: the code.
        older, newer: the releases; None as for `upgrade_report`.
        language: language of the quotes.
        ask_installed: as for `upgrade_report`; for clients on this machine, since the code is then read by
            this process, whatever it takes.

    Raises:
        TorchnotesError: the code is no text, too long or not valid Python, reading takes too much time or
            memory, or the releases make no upgrade.
    """
    if not isinstance(code, str):
        raise TorchnotesError(f"code is of type {type(code).__name__}; give Python code as a text")
    if len(code) > MAX_CODE:
        raise TorchnotesError(
            f"code has {len(code):,} characters; give at most {MAX_CODE:,}, or type `torchnotes upgrade PATH`"
        )
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, NAME)
        path.write_bytes(code.encode("utf-8", "replace"))
        if ask_installed:
            report = upgrade_report(path, older=older, newer=newer, language=language)
        else:
            report = report_apart(path, older, newer, language)
    if report.searched.skipped:
        raise TorchnotesError(f"the code is {report.searched.skipped[0].reason}; mend it")
    return report


def report_on_files(
    files: Mapping[str, str], older: Release | None, newer: Release | None, language: Language = "en"
) -> UpgradeReport:
    """Tell what an upgrade of torch affects in files that are given as texts. Nothing is run.

    Args:
        files: texts by relative path, such as "src/train.py"; files of other kinds than are searched are left
            out, see `source_files.kind_of`.
        older, newer: the releases; None as for `upgrade_report`.
        language: language of the quotes.

    Raises:
        TorchnotesError: there are too many files, a name leads out of their folder or cannot be one, reading
            takes too much time or memory, or the releases make no upgrade.
    """
    size = sum(map(len, files.values()))
    if len(files) > MAX_FILES or size > MAX_ALL:
        raise TorchnotesError(
            f"{len(files):,} files with {size:,} characters; give at most {MAX_FILES:,} with {MAX_ALL:,}, or "
            "type `torchnotes upgrade PATH`"
        )
    with tempfile.TemporaryDirectory() as folder:
        for name, text in files.items():
            _write(Path(folder), name, text)
        # git is not asked: the files are chosen already; a .gitignore could keep it busy for a minute.
        report = report_apart(Path(folder), older, newer, language)
    return replace(report, path=next(iter(files)) if len(files) == 1 else ".")


def _write(folder: Path, name: str, text: str) -> None:
    """Write a file whose name somebody else chose, inside a folder."""
    parts = PurePosixPath(name).parts
    absolute = PurePosixPath(name).is_absolute()
    if not parts or absolute or ".." in parts or len(parts) > MAX_DEPTH or len(name) > _LONGEST:
        shown = name if len(name) <= _LONGEST else f"{name[:_LONGEST]}…"
        raise TorchnotesError(f"{shown!r} is no name of a file; give a relative path, such as src/train.py")
    path = folder.joinpath(*parts)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode("utf-8", "replace"))
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "no name of a file"
        raise TorchnotesError(f"{name!r}: {reason}; give it another name") from None
