"""Many askers for minutes: nobody is let down, and memory does not grow.

TORCHNOTES_TRUST_SECONDS says how long the server is asked, TORCHNOTES_TRUST_QUESTIONS how many questions the
assistant is asked; the figures are printed with `-rP`.
"""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from itertools import cycle
from pathlib import Path

import httpx
import pytest

from assistant.factory import AssistantFactory
from assistant.settings import Settings
from benchmarks.table import percentile
from benchmarks.web_server import questions, resident_memory, web_server

SECONDS = float(os.environ.get("TORCHNOTES_TRUST_SECONDS", "300"))
QUESTIONS = int(os.environ.get("TORCHNOTES_TRUST_QUESTIONS", "20000"))
ASKERS, THREADS = 50, 8
NOTE = "# PyTorch 2.6\n\n## [Beta] Frobnicator {0}\n\nThe frobnicator {0} is new in PyTorch 2.6.\n"
TORCHNOTES = [sys.executable, "-c", "import sys; from ui.cli.main import main; sys.exit(main(sys.argv[1:]))"]


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with what ships in its index."""
    folder = tmp_path_factory.mktemp("home")
    AssistantFactory(Settings(home=folder)).latest()
    return folder


def ask_until(address: str, asked: list[str], end: float) -> tuple[list[float], list[str]]:
    """Ask over and over until a time; seconds of each answer, and what went wrong."""
    seconds: list[float] = []
    wrong: list[str] = []
    with httpx.Client(base_url=f"{address}/gradio_api/call/", timeout=120) as client:
        for question in cycle(asked):
            begun = time.monotonic()
            if begun > end:
                return seconds, wrong
            try:
                event = client.post("ask", json={"data": [question, [], [], "", True]}).json()["event_id"]
                told = client.get(f"ask/{event}").text
            except (httpx.HTTPError, ValueError, KeyError) as error:
                told = f"{type(error).__name__}: {error}"
            seconds.append(time.monotonic() - begun)
            last = told.rstrip().rsplit("\n\n", 1)[-1]  # heartbeats may come before it
            if not last.startswith("event: complete"):
                wrong.append(f"{question!r}: {told[:200]}")
    return seconds, wrong


def change_until(home: Path, notes: Path, end: float) -> list[str]:
    """Add documents and take them out again until a time; what went wrong."""
    environment = os.environ | {"TORCHNOTES_HOME": str(home)}
    wrong: list[str] = []
    number = 0
    while time.monotonic() < end:
        number += 1
        (notes / "note.md").write_text(NOTE.format(number), encoding="utf-8")
        done = subprocess.run(
            [*TORCHNOTES, "add", str(notes)], env=environment, capture_output=True, text=True, check=False
        )
        if done.returncode:
            wrong.append(done.stderr)
    return wrong


def test_fifty_askers_while_documents_come_and_go(home: Path, tmp_path: Path) -> None:
    asked = questions(ASKERS * 4)
    with web_server(home=home) as (address, process), ThreadPoolExecutor(ASKERS + 1) as pool:
        ask_until(address, asked[:4], time.monotonic() + 5)
        end = time.monotonic() + SECONDS
        changing = pool.submit(change_until, home, tmp_path, end)
        asking = [pool.submit(ask_until, address, asked[number::ASKERS], end) for number in range(ASKERS)]
        done = [each.result() for each in asking]
        memory = resident_memory(process)
        assert changing.result() == []
    seconds = [second for each, _ in done for second in each]
    figures = f"p50 {percentile(seconds, 0.5):.2f} s, p95 {percentile(seconds, 0.95):.2f} s"
    sys.stdout.write(f"{len(seconds)} answers in {SECONDS:.0f} s, {figures}, server {memory / 1e6:.0f} MB\n")
    assert [line for _, wrong in done for line in wrong] == []
    assert len(seconds) > ASKERS


def test_memory_does_not_grow(home: Path) -> None:
    assistant = AssistantFactory(Settings(home=home)).latest()
    asked = questions(500)
    left = iter(range(QUESTIONS))
    taking = threading.Lock()
    sizes: list[tuple[int, int]] = []

    def ask() -> None:
        while True:
            with taking:
                number = next(left, None)
                if number is None:
                    return
                if number % max(1, QUESTIONS // 20) == 0:
                    gc.collect()
                    sizes.append((number, resident_memory(os.getpid())))
            assistant.ask(asked[number % len(asked)])

    with ThreadPoolExecutor(THREADS) as pool:
        for each in [pool.submit(ask) for _ in range(THREADS)]:
            each.result()
    # The first round fills the caches; each later one asks the same questions.
    (_, first), (_, last) = next(size for size in sizes if size[0] >= QUESTIONS // 10), sizes[-1]
    grown = f"{first / 1e6:.0f} MB to {last / 1e6:.0f} MB"
    sys.stdout.write(f"{QUESTIONS} questions by {THREADS} threads: {grown}\n")
    assert last < first * 1.05
