"""Many askers at once on one server: how long each waits, and whether any is let down.

    python -m benchmarks.askers [--askers 20] [--questions 5]

Each asker is a thread with questions of its own and calls `/ask` by plain HTTP; all run on the machine that
serves them, and take their share of it.
"""

from __future__ import annotations

import argparse
import time
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import httpx

from benchmarks.table import markdown, megabytes, milliseconds, percentile
from benchmarks.web_server import questions, resident_memory, web_server


def ask_all(address: str, asked: list[str], start: Barrier) -> tuple[list[float], int]:
    """Ask one after the other, beginning with all others; seconds of each, and how many failed."""
    seconds: list[float] = []
    errors = 0
    with httpx.Client(base_url=f"{address}/gradio_api/call/", timeout=120) as client:
        start.wait()
        for question in asked:
            begun = time.perf_counter()
            try:
                event = client.post("ask", json={"data": [question, [], [], "", True]}).json()["event_id"]
                told = client.get(f"ask/{event}").text
            except (httpx.HTTPError, ValueError, KeyError) as error:
                told = f"{type(error).__name__}: {error}"
            seconds.append(time.perf_counter() - begun)
            if not told.startswith("event: complete"):
                print(f"not answered: {question!r}: {told[:200]}")
                errors += 1
    return seconds, errors


def crowd(address: str, askers: int, each: int) -> tuple[list[float], int, float]:
    """All askers at once: seconds of every question, errors, and seconds of the whole."""
    asked = questions(askers * each)
    start = Barrier(askers + 1)
    with ThreadPoolExecutor(askers) as pool:
        waiting = [
            pool.submit(ask_all, address, asked[number * each : (number + 1) * each], start)
            for number in range(askers)
        ]
        start.wait()
        begun = time.perf_counter()
        done = [each.result() for each in waiting]
        whole = time.perf_counter() - begun
    return [s for seconds, _ in done for s in seconds], sum(errors for _, errors in done), whole


def main() -> None:
    """Print a table: one asker, and many."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--askers", type=int, default=20)
    parser.add_argument("--questions", type=int, default=5, help="that each asks")
    options = parser.parse_args()
    rows: list[list[str]] = []
    with web_server() as (address, process):
        crowd(address, 1, 5)  # what is loaded with the first questions
        for askers in (1, options.askers):
            seconds, errors, whole = crowd(address, askers, options.questions)
            figures = [percentile(seconds, 0.5), percentile(seconds, 0.95), max(seconds)]
            rate = f"{len(seconds) / whole:.1f}"
            memory = megabytes(resident_memory(process))
            rows.append([str(askers), *map(milliseconds, figures), rate, str(errors), memory])
    print(markdown(["askers", "p50 ms", "p95 ms", "longest ms", "answers/s", "errors", "server MB"], rows))


if __name__ == "__main__":
    main()
