"""The upgrade report on code that is given as text, for clients that must not name files of this machine."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePosixPath

from assistant.upgrade.apart import GivenFiles, report_apart
from assistant.upgrade.archives import MAX_FILES
from assistant.upgrade.finding import UpgradeReport
from assistant.upgrade.source_files import list_given
from ingest.document import Language
from ingest.errors import TorchnotesError
from ingest.release import Release

MAX_CODE = 200_000  # characters
MAX_ALL = 1_500_000  # characters of several files together
MAX_ARCHIVES = 5
NAME = "code.py"
_LONGEST = 200  # characters of a name


class NotPythonError(TorchnotesError):
    """What was given as code cannot be read as Python."""


def report_on_code(
    code: object,
    older: Release | None,
    newer: Release | None,
    language: Language = "en",
    *,
    ask_installed: bool = False,
    name_checks: bool = False,
) -> UpgradeReport:
    """Tell what an upgrade of torch affects in Python code. It is not run.

    Args:
        code: the code.
        older, newer: the releases; None as for `upgrade_report`.
        language: language of the quotes.
        ask_installed: as for `upgrade_report`; for clients on this machine, since the code is then read by
            this process, whatever it takes.
        name_checks: whether findings name the check that shows them.

    Raises:
        NotPythonError: the code is not valid Python.
        TorchnotesError: it is no text or too long, reading takes too much time or memory, or the releases
            make no upgrade.
    """
    if not isinstance(code, str):
        raise TorchnotesError(f"code is of type {type(code).__name__}; give Python code as a text")
    if len(code) > MAX_CODE:
        raise TorchnotesError(
            f"code has {len(code):,} characters; give at most {MAX_CODE:,}, or type `torchnotes upgrade PATH`"
        )
    given = {NAME: code.encode("utf-8", "replace")}
    if ask_installed:
        from assistant.upgrade.report import first_check, installed_marks
        from assistant.upgrade.searching import report_on_listing

        report = report_on_listing(
            list_given(given), NAME, older, newer, language, marks_of=installed_marks, check_of=first_check
        )
    else:
        report = report_apart(GivenFiles(given, path=NAME), older, newer, language, name_checks=name_checks)
    if report.searched.skipped:
        raise NotPythonError(f"the code is {report.searched.skipped[0].reason}; mend it")
    return report


def report_on_files(
    files: Mapping[str, str],
    older: Release | None,
    newer: Release | None,
    language: Language = "en",
    *,
    archives: Mapping[str, bytes] | None = None,
) -> UpgradeReport:
    """Tell what an upgrade of torch affects in files that are given. Nothing is run, or written to a disk.

    Args:
        files: texts by relative path, such as "src/train.py"; files of other kinds than are searched are left
            out, see `source_files.kind_of`.
        older, newer: the releases; None as for `upgrade_report`.
        language: language of the quotes.
        archives: zip archives with more of them, by name; what is odd in one costs a line of the report.

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
    packed = archives or {}
    if len(packed) > MAX_ARCHIVES:
        raise TorchnotesError(f"{len(packed):,} archives; give at most {MAX_ARCHIVES}")
    given = {_checked(name): text.encode("utf-8", "replace") for name, text in files.items()}
    return report_apart(GivenFiles(given, packed), older, newer, language, name_checks=True)


def _checked(name: str) -> str:
    """Return the name of a file that somebody else chose, if it is one inside a folder."""
    parts = PurePosixPath(name).parts
    absolute = PurePosixPath(name).is_absolute() or "\0" in name
    if not parts or absolute or ".." in parts or len(name) > _LONGEST:
        shown = name if len(name) <= _LONGEST else f"{name[:_LONGEST]}…"
        raise TorchnotesError(f"{shown!r} is no name of a file; give a relative path, such as src/train.py")
    return name
