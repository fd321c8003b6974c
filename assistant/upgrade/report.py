"""The upgrade report: what breaks in a code base between two releases."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from assistant.checks.registry import checks_of
from assistant.upgrade.finding import UpgradeReport
from assistant.upgrade.pins import installed
from assistant.upgrade.searching import report_on_listing
from assistant.upgrade.source_files import list_files
from assistant.upgrade.torch_marks import TorchMark, ask_torch, marks_in, names_to_ask
from assistant.upgrade.uses import Use
from corpus.changes import Change
from ingest.document import Language
from ingest.release import Release


def upgrade_report(
    path: str | os.PathLike[str],
    *,
    older: str | Release | None = None,
    newer: str | Release | None = None,
    language: Language = "en",
    ask_installed: bool = True,
) -> UpgradeReport:
    """Tell what an upgrade of torch affects in a code base. Nothing of it is imported or run.

    Args:
        path: folder or file.
        older: release to upgrade from; None: what requirements, lock files and Dockerfiles in the folder ask
            for, or else what is installed.
        newer: release to upgrade to; None: what they ask for or what is installed, if that is newer, or else
            the newest release of the notes.
        language: language of the quotes.
        ask_installed: whether to ask the installed torch which of the names in use it marks as deprecated,
            and which it lacks if it is between the releases. A program of torchnotes imports it, isolated.

    Returns:
        The report.

    Raises:
        TorchnotesError: there is no such path, or a release is unknown, missing, or not newer than the other.
    """
    return report_on_listing(
        list_files(Path(path)),
        str(path),
        older,
        newer,
        language,
        marks_of=installed_marks if ask_installed else None,
        check_of=first_check,
    )


def installed_marks(uses: Iterable[Use], older: Release, newer: Release) -> tuple[str, dict[str, TorchMark]]:
    """Return the version of the installed torch, "" if none was asked, and what it marks of the names in use.

    Args:
        uses: uses of all files.
        older, newer: releases of the upgrade.

    Raises:
        TorchnotesError: it cannot be asked.
    """
    here = installed()
    names = names_to_ask(uses) if here else ()
    if here is None or not names:
        return "", {}
    lookup = ask_torch(names)
    # What a newer torch lacks may exist in the newer release; an older one is what runs today.
    between = older < here <= newer
    marks = {name: m for name, m in marks_in(lookup).items() if between or m.kind == "deprecated"}
    return lookup.torch, marks


def first_check(change: Change) -> str:
    """Return the id of the first check that shows a change, "" if there is none.

    Args:
        change: the change.
    """
    checks = checks_of(change.release, change.section)
    return checks[0].id if checks else ""
