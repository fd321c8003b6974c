"""The same index in a folder and in Milvus: opening, memory, queries, and whether they find the same.

    python -m benchmarks.milvus [--sizes 1000 10000] [--address milvus://host:19530/bench] [--scratch FOLDER]

Without an address the index is put into a file of Milvus Lite, which runs in the process that asks: its
memory and its processor time count as those of the reader. The indexes are those of `benchmarks.growth`:
digests repeated and perturbed. A query is a retrieval, without the embedding of the question; what a search
finds in Milvus is compared with the passages that it finds in the folder.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from assistant.factory import AssistantFactory
from assistant.settings import load_settings
from benchmarks.growth import ROOT, measure
from benchmarks.growth_steps import Task
from benchmarks.table import folder_bytes, markdown, megabytes, milliseconds, peak_memory, percentile
from index.milvus.copying import place_of
from index.milvus.store import MilvusStore
from index.search.retriever import Retriever
from index.storage.store import Store

ASKED = 60
WARM = 5
PASSAGES = 8
SIZES = (1_000, 10_000)
HEADER = (
    *("chunks", "where", "written in, s", "open, s", "memory, MB", "query p50, ms", "p95, ms"),
    *("processor p50, ms", "passages of the folder found", "same first passage", "on disk, MB"),
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure every size and print a table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES, help="numbers of chunks")
    parser.add_argument("--address", default="", help="where Milvus is; a file of Milvus Lite without")
    parser.add_argument("--scratch", type=Path, help="where to write the indexes (the temporary folder)")
    options = parser.parse_args(arguments)
    rows = []
    with tempfile.TemporaryDirectory(dir=options.scratch) as scratch:
        home = Path(scratch) / "originals"
        home.mkdir()
        measure(home, home, 0, ["prepare"])
        for size in options.sizes:
            with tempfile.TemporaryDirectory(dir=scratch) as name:
                folder = Path(name)
                built = measure(folder, home, size, ["build"])
                address = options.address or f"milvus:{folder}/notes.db"
                here = {"written": built["build_write"], **step("ask", folder, "")}
                rows.append(row(size, "folder", here, here, folder / "index"))
                there = step("put", folder, address) | step("ask", folder, address)
                rows.append(row(size, "Milvus", there, here, folder / "notes.db"))
            sys.stderr.write("\n".join(" | ".join(line) for line in rows[-2:]) + "\n")
    print(markdown(HEADER, rows))
    return 0


def row(size: int, where: str, own: Mapping[str, Any], folder: Mapping[str, Any], files: Path) -> list[str]:
    """A line of the table."""
    pairs = list(zip(own["found"], folder["found"], strict=True))
    shares = [len({*mine} & {*theirs}) / len(theirs) for mine, theirs in pairs if theirs]
    first = [mine[:1] == theirs[:1] for mine, theirs in pairs]
    return [
        f"{size:,}",
        where,
        f"{own['written']:.1f}",
        f"{own['open']:.2f}",
        megabytes(own["memory"]),
        *(milliseconds(own[name]) for name in ("p50", "p95", "processor")),
        f"{statistics.mean(shares):.3f}",
        f"{statistics.mean(first):.3f}",
        megabytes(folder_bytes(files)) if files.exists() else "–",
    ]


def step(name: str, folder: Path, address: str) -> dict[str, Any]:
    """The figures of a step, which is run in a process of its own."""
    command = [sys.executable, "-m", "benchmarks.milvus", "--step", name, str(folder), address]
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, check=True, encoding="utf-8")
    figures: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return figures


def put(folder: Path, address: str) -> dict[str, Any]:
    """Write the folder's index to Milvus."""
    generation, place = Store(folder).open(), place_of(address)
    start = time.perf_counter()
    place.put(generation)
    return {"written": time.perf_counter() - start}


def ask(folder: Path, address: str) -> dict[str, Any]:
    """Open the index and retrieve for real questions."""
    task = Task.read(folder)
    factory = AssistantFactory(load_settings(home=task.home))
    queries = task.queries()
    queries = queries[:: max(1, len(queries) // ASKED)][:ASKED]
    place = place_of(address) if address else Store(folder)
    if isinstance(place, MilvusStore):
        place.current()  # the client is imported and connected: a reader that asks again has both
    start = time.perf_counter()
    retriever = Retriever(place.open(factory.parameters), factory.segmenter)
    opened = time.perf_counter() - start
    for query in queries[:WARM]:
        retriever.search(query, PASSAGES)
    seconds, processor, found = [], [], []
    for query in queries:
        start, own = time.perf_counter(), time.process_time()
        passages = retriever.search(query, PASSAGES)
        seconds.append(time.perf_counter() - start)
        processor.append(time.process_time() - own)
        found.append([passage.chunk.id for passage in passages])
    return {
        "open": opened,
        "memory": peak_memory(),
        "p50": statistics.median(seconds),
        "p95": percentile(seconds, 0.95),
        "processor": statistics.median(processor),
        "found": found,
    }


if __name__ == "__main__":
    if sys.argv[1:2] == ["--step"]:
        print(json.dumps({"put": put, "ask": ask}[sys.argv[2]](Path(sys.argv[3]), sys.argv[4])))
    else:
        raise SystemExit(main())
