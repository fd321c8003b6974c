"""The upgrade report on code that is given as text, for clients that must not name files of this machine."""

from __future__ import annotations

import tempfile
from pathlib import Path

from assistant.upgrade.finding import UpgradeReport
from assistant.upgrade.report import upgrade_report
from ingest.document import Language
from ingest.errors import TorchnotesError
from ingest.release import Release

MAX_CODE = 200_000  # characters
NAME = "code.py"


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
        ask_installed: as for `upgrade_report`.

    Raises:
        TorchnotesError: the code is no text, too long or not valid Python, or the releases make no upgrade.
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
        report = upgrade_report(
            path, older=older, newer=newer, language=language, ask_installed=ask_installed
        )
    if report.searched.skipped:
        raise TorchnotesError(f"the code is {report.searched.skipped[0].reason}; mend it")
    return report
