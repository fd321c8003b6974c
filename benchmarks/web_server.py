"""A server of the page in a process of its own, on the shipped corpus, as a user starts it."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx

ROOT = Path(__file__).resolve().parents[1]
QUESTIONS = ROOT / "tests" / "quality" / "questions.jsonl"
_ADDRESS = re.compile(r"answers at (http://\S+)")


@contextmanager
def web_server(*options: str, home: Path | None = None) -> Iterator[tuple[str, int]]:
    """Start it, and end it.

    Args:
        options: of `torchnotes web`.
        home: its data folder; None: an empty one, so that it indexes what ships first.

    Yields:
        Its address, and the number of its process.

    Raises:
        RuntimeError: it ended before it could be reached; with what it said.
    """
    with tempfile.TemporaryDirectory() as folder:
        command = [
            sys.executable,
            "-c",
            "import sys; from ui.cli.main import main; sys.exit(main(sys.argv[1:]))",
        ]
        process = subprocess.Popen(
            [*command, "web", "--port", "0", "--no-open", *options],
            cwd=ROOT,
            env=os.environ | {"TORCHNOTES_HOME": str(home or folder)},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
        )
        try:
            address = _address(process)
            httpx.get(f"{address}/healthz", timeout=60).raise_for_status()  # it waits until the server is up
            yield address, process.pid
        finally:
            process.terminate()
            process.communicate(timeout=30)


def questions(count: int) -> list[str]:
    """Questions of our own that stand alone, spread over the file; some twice where it is too short."""
    lines = [json.loads(line) for line in QUESTIONS.read_text(encoding="utf-8").splitlines()]
    texts = [str(line["question"]) for line in lines if not line["history"]]
    step = max(1, len(texts) // count)
    return [texts[number * step % len(texts)] for number in range(count)]


def resident_memory(process: int) -> int:
    """Bytes that a process has in memory now; 0 where the system does not tell."""
    try:
        pages = int(Path(f"/proc/{process}/statm").read_text(encoding="ascii").split()[1])
    except OSError:
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE")


def _address(process: subprocess.Popen[str]) -> str:
    said: list[str] = []
    for line in process.stdout or ():
        said.append(line)
        if match := _ADDRESS.search(line):
            return match[1]
    raise RuntimeError(f"the server ended: {''.join(said)}")
