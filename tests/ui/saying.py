"""What the command line says."""

from __future__ import annotations

import pytest

from ui.cli import main


def said(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    """Exit code, standard output and standard error of a command."""
    code = main(arguments)
    out, err = capsys.readouterr()
    return code, out, err
