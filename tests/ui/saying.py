"""What the command line says, and what is typed into it."""

from __future__ import annotations

import io
import sys

import pytest

from ui.cli.main import main


def said(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    """Exit code, standard output and standard error of a command."""
    code = main(arguments)
    out, err = capsys.readouterr()
    return code, out, err


def type_in(monkeypatch: pytest.MonkeyPatch, content: str, *, terminal: bool = False) -> None:
    """Let standard input hold a text; a terminal has somebody at it."""
    stream = io.TextIOWrapper(io.BytesIO(content.encode()), encoding="utf-8")
    monkeypatch.setattr(stream, "isatty", lambda: terminal)
    monkeypatch.setattr(sys, "stdin", stream)
