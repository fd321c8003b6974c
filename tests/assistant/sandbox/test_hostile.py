"""Hostile programs: whatever they do, the run ends within its limits, and nothing is left of it."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import tempfile
import uuid
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from assistant.sandbox.isolation import Isolation
from assistant.sandbox.probe import available
from assistant.sandbox.runner import run
from assistant.sandbox.seccomp import ARCHITECTURES
from assistant.sandbox.system_calls import NUMBERS
from tests.assistant.sandbox import keys
from tests.assistant.sandbox.hostile import PROGRAMS
from tests.assistant.sandbox.hostile.program import Hostile
from tests.assistant.sandbox.traces import processes_with

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="isolations and /proc are of Linux"),
    pytest.mark.usefixtures("alone"),
]

# Under the best isolation here each time; under the others, and with what slows the whole machine down for a
# while, where that is asked for: `make test-checks`.
_ALL = os.environ.get("TORCHNOTES_TEST_ISOLATIONS") == "all"
_HEAVY = () if _ALL else ("fork_bomb_of_sessions",)
COLUMN = [*ARCHITECTURES].index(os.uname().machine) if os.uname().machine in ARCHITECTURES else 0


def _of(program: Hostile) -> Sequence[pytest.MarkDecorator]:
    """Leave two of three programs to `make test-long`; `make test-checks` tries all under all isolations."""
    return () if _ALL or PROGRAMS.index(program) % 3 == 0 else [pytest.mark.long]


_CASES = [
    pytest.param(isolation, program, id=f"{isolation.name}-{program.name}", marks=_of(program))
    for isolation in (available()[: None if _ALL else 1] if sys.platform == "linux" else ())
    for program in PROGRAMS
    if program.name not in _HEAVY and (program.hold is None or program.hold in isolation.holds)
]


@pytest.fixture
def given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, Any]]:
    """What a hostile program is told of this machine, so that it knows where to strike."""
    mark, secret = uuid.uuid4().hex, uuid.uuid4().hex
    outside, home = tmp_path / "outside", tmp_path / "home"
    outside.mkdir()
    home.mkdir()
    (outside / "kept.txt").write_text("kept", encoding="utf-8")
    (home / "secret.txt").write_text(secret, encoding="utf-8")
    monkeypatch.setenv("TORCHNOTES_LLM_API_KEY", secret)
    monkeypatch.setenv("HTTPS_PROXY", f"http://user:{secret}@localhost:1")
    victim = subprocess.Popen(["sleep", "600"])  # its environment holds the secret
    key = keys.add(mark, secret)
    abstract = socket.socket(socket.AF_UNIX)
    abstract.bind(f"\0{mark}")
    abstract.listen()
    try:
        with socket.create_server(("127.0.0.1", 0)) as server, abstract:
            yield {
                "mark": mark,
                "sleep": f"31415.{int(mark, 16)}",
                "terces": secret[::-1],  # so that it is not in the program's own command line
                "file": str(home / "secret.txt"),
                "outside": str(outside),
                "home": str(Path.home()),
                "port": server.getsockname()[1],
                "abstract": mark,
                "victim": victim.pid,
                "parent": os.getpid(),
                "key": key,
                "calls": {"exit": (60, 93)[COLUMN]}
                | {name: numbers[COLUMN] for name, numbers in NUMBERS.items()},
            }
            assert victim.poll() is None
    finally:
        keys.remove(key)
        victim.kill()
        victim.wait()


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the folders of runs are made."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


@pytest.mark.parametrize(("isolation", "hostile"), _CASES)
def test_it_is_held_and_nothing_is_left(
    isolation: Isolation, hostile: Hostile, given: dict[str, Any], temporary: Path, tmp_path: Path
) -> None:
    program = tmp_path / f"{hostile.name}.py"
    program.write_text(hostile.text, encoding="utf-8")
    outcome = run(
        program,
        arguments=[json.dumps(given)],
        limits=hostile.limits,
        isolation=isolation,
        environment={"HOSTILE": given["mark"]},
    )
    assert outcome.ended in (hostile.ended, *hostile.others), outcome
    assert outcome.seconds < hostile.limits.seconds + 10, outcome
    assert "REACHED" not in outcome.stdout, outcome
    assert hostile.stdout in outcome.stdout, outcome
    assert hostile.stderr in outcome.stderr, outcome
    assert len(outcome.stdout) <= hostile.limits.output_bytes
    assert outcome.isolation == isolation.name
    assert not processes_with(given["mark"])
    assert not processes_with(given["sleep"])
    assert not list(temporary.iterdir())
    assert program.read_text(encoding="utf-8") == hostile.text
    assert [path.name for path in Path(given["outside"]).iterdir()] == ["kept.txt"]
    assert Path(given["file"]).is_file()


def test_every_hold_is_tried() -> None:
    tried = {program.hold for program in PROGRAMS}
    assert {hold for isolation in available() for hold in isolation.holds} <= tried
