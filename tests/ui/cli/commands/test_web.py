"""`torchnotes web`: who is let in, and what is said where something is missing."""

from __future__ import annotations

import socket
import subprocess
import sys
from pathlib import Path
from urllib.request import urlopen

import pytest

from ingest.errors import TorchnotesError
from tests.rows import each_row
from tests.ui.saying import said
from ui.cli.commands.web import check_access, check_mcp, who_checks

ROOT = Path(__file__).resolve().parents[4]


@pytest.mark.parametrize(
    ("alone", "password", "no_password"),
    [
        (True, None, False),
        (True, "word", False),
        (True, None, True),
        (False, "word", False),
        (False, None, True),
    ],
)
def test_it_is_clear_who_may_come(alone: bool, password: str | None, no_password: bool) -> None:
    check_access(alone, password, no_password)


@pytest.mark.parametrize(
    ("alone", "password", "no_password", "line"),
    [
        (False, None, False, "add --password WORD, or --no-password to let everyone in"),
        (False, "", False, "the password is empty"),
        (True, "word", True, "both --password and --no-password are given"),
    ],
)
def test_others_are_not_let_in_by_oversight(
    alone: bool, password: str | None, no_password: bool, line: str
) -> None:
    with pytest.raises(TorchnotesError, match=line):
        check_access(alone, password, no_password)


@pytest.mark.usefixtures("home")
def test_a_host_without_a_password_is_refused_before_anything_is_loaded(
    capsys: pytest.CaptureFixture[str],
) -> None:
    code, out, err = said(capsys, "web", "--host", "0.0.0.0", "--port", "0", "--no-open")
    assert code == 2 and out == "" and "--no-password" in err and "Traceback" not in err


def test_mcp_without_its_library_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(TorchnotesError, match=r'pip install "torchnotes\[mcp\]"'):
        check_mcp(True)
    check_mcp(False)


def test_a_port_that_is_taken_is_named(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        code, _, err = said(capsys, "web", "--port", port, "--no-open")
    assert code == 2 and f"127.0.0.1:{port} cannot be listened on" in err and "--port 7861" in err


def test_the_page_is_served_and_the_address_told(home: Path) -> None:
    command = [sys.executable, "-c", "import sys; from ui.cli.main import main; sys.exit(main(sys.argv[1:]))"]
    process = subprocess.Popen(
        [*command, "web", "--port", "0", "--no-open"],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    )
    try:
        assert process.stdout
        line = process.stdout.readline()
        assert line.startswith("torchnotes answers at http://127.0.0.1:") and "(Ctrl+C ends it)" in line
        address = line.split()[3]
        with urlopen(f"{address}/healthz") as reply:  # it waits until the server is up
            assert b'"documents":3' in reply.read().replace(b" ", b"")
        with urlopen(address) as reply:
            assert b"torchnotes" in reply.read()
        with urlopen(f"{address}/page/chat.js") as reply:
            assert b"export async function connect" in reply.read()
    finally:
        process.terminate()
        _, err = process.communicate(timeout=30)
    assert "Traceback" not in err


@each_row(
    ("alone", "allowed", "who"),
    [
        (True, None, "here"),
        (False, None, "off"),
        (True, True, "allowed"),
        (False, True, "allowed"),
        (True, False, "off"),
        (False, False, "off"),
    ],
)
def test_checks_are_for_others_only_by_name(alone: bool, allowed: bool | None, who: str) -> None:
    assert who_checks(alone, allowed) == who
