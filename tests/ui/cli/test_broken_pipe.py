"""A reader who has seen enough, as in `torchnotes ... | head -1`: every command ends without a word."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TextIO

import pytest

from tests.ui.cli.test_main import ROOT
from tests.ui.notes import write_notes
from ui.cli.main import commands, main

GOLD = '{"id": "a", "lang": "en", "kind": "offtopic", "question": "Who won the football world cup?"}\n'
PROGRAM = "for number in range(500):\n    print(number, 'x' * 200, flush=True)\n"
COMMANDS = (
    ["ask", "What is the default backend of TCPStore in 2.4?"],
    ["ask", "--json", "What is the default backend of TCPStore in 2.4?"],
    ["history", "FlexAttention"],
    ["compare", "2.3", "2.4"],
    ["checks"],
    ["check", "--all", "--show"],
    ["check", "torch-func", "--allow-checks", "--allow-weaker"],
    ["run", "program.py", "--allow-checks", "--allow-weaker"],
    ["run", "program.py", "--allow-checks", "--allow-weaker", "--json"],
    ["api", "torch.compile"],
    ["upgrade", ".", "--from", "2.3", "--to", "2.8", "--notes-only"],
    ["add", "notes"],
    ["sync", "--dry-run"],
    ["sources"],
    ["config"],
    ["rebuild"],
    ["verify"],
    ["doctor"],
    ["eval", "gold.jsonl"],
    ["feedback", "list"],
    ["feedback", "export"],
    ["feedback", "clear", "--yes"],
    ["web", "--port", "0"],
    ["slack", "--manifest"],
    ["slack", "--check"],
    ["model"],
    ["index", "--help"],
    ["skill", "skills"],
    ["--help"],
)
REFUSED: tuple[list[str], ...] = (
    ["ask", " "],
    ["asl"],
    ["remove", "nothing"],
    ["run", "none.py"],
    ["mcp", "--none"],
    [],
)


@pytest.fixture
def broken() -> Iterator[TextIO]:
    """A pipe that nobody reads. Closing it writes what is left, which must not fail any more."""
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "w", encoding="utf-8") as stream:
        yield stream


@pytest.fixture(autouse=True)
def folder(home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working folder with what the commands read."""
    folder = home.parent
    write_notes(folder / "notes")
    (folder / "gold.jsonl").write_text(GOLD, encoding="utf-8")
    (folder / "program.py").write_text(PROGRAM, encoding="utf-8")
    for name in ("SLACK_BOT_TOKEN", "SLACK_APP_TOKEN", "SLACK_SIGNING_SECRET"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("ui.web.server.serve", lambda *_, **__: pytest.fail("it serves on"))
    return folder


@pytest.mark.parametrize("both", [False, True], ids=["stdout", "stdout-and-stderr"])
@pytest.mark.parametrize("arguments", COMMANDS, ids=" ".join)
def test_a_command_ends_silently(
    arguments: list[str],
    both: bool,
    broken: TextIO,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(sys, "stdout", broken)
        if both:
            patch.setattr(sys, "stderr", broken)
        code = main(arguments)
    out, err = capfd.readouterr()
    assert (code, out) == (0, "")
    assert "torchnotes: " not in err and "Traceback" not in err


@pytest.mark.parametrize("arguments", REFUSED, ids=" ".join)
def test_what_cannot_be_used_has_its_exit_code(
    arguments: list[str], broken: TextIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(sys, "stdout", broken)
        patch.setattr(sys, "stderr", broken)
        assert main(arguments) == 2


def test_every_command_is_tried() -> None:
    assert {arguments[0] for arguments in (*COMMANDS, *REFUSED) if arguments} >= set(commands.commands)


def test_a_process_ends_silently(folder: Path) -> None:
    program = [sys.executable, "-m", "ui.cli.main", "run", str(folder / "program.py")]
    line = f"{{ {' '.join([*program, '--allow-checks', '--allow-weaker'])}; echo $? >&2; }} | head -n 1"
    done = subprocess.run(
        ["bash", "-c", line], cwd=ROOT, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
    )
    assert done.stdout.startswith("0 xxx") and done.stderr == "0\n"
