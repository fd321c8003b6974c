"""Many askers at once on one server: how long each waits, and whether any is let down.

    python -m benchmarks.askers [--askers 20] [--questions 5]

Each asker is a `gradio_client` in a thread of its own with its own questions; all run on the machine that
serves them, and take their share of it.
"""

from __future__ import annotations

import argparse
import time
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

from benchmarks.table import markdown, megabytes, milliseconds, percentile
from benchmarks.web_server import questions, resident_memory, web_server


def ask_all(address: str, asked: list[str], start: Barrier) -> tuple[list[float], int]:
    """Ask one after the other, beginning with all others; seconds of each, and how many failed."""
    from gradio_client import Client

    client = Client(address, verbose=False)
    start.wait()
    seconds: list[float] = []
    errors = 0
    for question in asked:
        begun = time.perf_counter()
        try:
            answer = client.predict(question, api_name="/ask")
            errors += not answer["text"]
        except Exception as error:  # noqa: BLE001 - whatever went wrong, this asker was let down
            print(f"not answered: {question!r}: {error}")
            errors += 1
        seconds.append(time.perf_counter() - begun)
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
