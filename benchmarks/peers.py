"""torchnotes beside LangChain, LlamaIndex and Haystack, in one run and one table.

    python -m benchmarks.peers [DOCUMENTS] [--questions FILE] [--systems NAME ...] [--rounds 5]

The peers are the optional group `bench`. All index the same documents, cleaned and with their release and
language as torchnotes reads them, with the same embedding model through the same class; what they embed
differs, for each cuts its own chunks, and torchnotes embeds sentences too. So nothing is shared between them:
each embeds all of its texts itself, and the build is told with that time and without. Peers retrieve five
chunks, embedding the question; torchnotes also writes the cited answer. A peer's passages are counted by the
release of their document, and it searches a follow-up together with the questions before it.

Every step is a process of its own. Asking and cold starts go in rounds, systems by turns; the median counts.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from benchmarks.table import megabytes, milliseconds, side_by_side

ROOT = Path(__file__).resolve().parents[1]
SHARED = ROOT.parent / "shared"
SYSTEMS = {
    "torchnotes": "torchnotes",
    "digests": "torchnotes with its digests",
    "langchain": "LangChain, FAISS",
    "llamaindex": "LlamaIndex, FAISS",
    "haystack": "Haystack, hybrid",
}
NEEDED = {  # modules of each peer
    "langchain": ("langchain_community", "langchain_text_splitters"),
    "llamaindex": ("llama_index.core", "llama_index.vector_stores.faiss"),
    "haystack": ("haystack",),
}
ROWS = {
    "build": "build the index, s",
    "build_own": "  of it without embedding, s",
    "build_texts": "  texts embedded",
    "build_memory": "  peak memory, MB",
    "add": "add one document, s",
    "add_own": "  of it without embedding, s",
    "retrieve_p50": "question to passages, p50, ms",
    "retrieve_p95": "question to passages, p95, ms",
    "answer_p50": "question to cited answer, p50, ms",
    "answer_p95": "question to cited answer, p95, ms",
    "cold": "cold start of one answer (peers: of one retrieval), s",
    "memory": "peak memory of a serving process, MB",
    "bytes": "index on disk, MB",
    "recall": "recall@5",
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print a table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("documents", type=Path, nargs="?", default=SHARED / "corpus")
    parser.add_argument("--questions", type=Path, default=SHARED / "eval" / "dev.jsonl")
    parser.add_argument("--systems", nargs="+", choices=SYSTEMS, default=list(SYSTEMS))
    parser.add_argument("--rounds", type=int, default=5, help="how often each system is started and asked")
    options = parser.parse_args(arguments)
    for path in (options.documents, options.questions):
        if not path.exists():
            parser.error(f"there is no {path}; give a folder of documents and a file of questions")
    missing = [name for name in options.systems if not installed(name)]
    if missing:
        names = ", ".join(missing)
        sys.stderr.write(
            f"not installed: {names}; type `pip install -e '.[bench]'`, or choose by --systems\n"
        )
        return 2
    with tempfile.TemporaryDirectory() as scratch:
        figures = measure(
            options.systems, options.documents, options.questions, Path(scratch), options.rounds
        )
    columns = {SYSTEMS[name]: shown(figures[name]) for name in options.systems}
    print(f"{os.cpu_count()} cores, {options.rounds} rounds\n")
    print(side_by_side(ROWS, columns))
    return 0


def installed(name: str) -> bool:
    """Whether the packages of a system are there."""
    try:
        return all(importlib.util.find_spec(module) for module in NEEDED.get(name, ()))
    except ModuleNotFoundError:  # the package around a module
        return False


def measure(
    systems: Sequence[str], documents: Path, questions: Path, scratch: Path, rounds: int
) -> dict[str, dict[str, float]]:
    """The figures of each system by name. This process stays small: its memory would count as theirs."""

    def step(kind: str, name: str) -> dict[str, float]:
        folder = scratch / name
        folder.mkdir(exist_ok=True)
        sys.stderr.write(f"{kind} {name}\n")
        command = [sys.executable, "-m", "benchmarks.peers_steps", kind, name]
        places = (documents, questions, folder)
        offline = {"HF_HUB_OFFLINE": "1", "HAYSTACK_TELEMETRY_ENABLED": "False"}
        start = time.perf_counter()
        done = subprocess.run(
            [*command, *(str(place.resolve()) for place in places)],
            cwd=ROOT,
            env=os.environ | offline,
            stdout=subprocess.PIPE,
            check=True,
            encoding="utf-8",
        )
        seconds = time.perf_counter() - start
        found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
        return {**found, "cold": seconds} if kind == "cold" else found

    figures = {name: {**step("build", name), **step("add", name)} for name in systems}
    for kind in ("cold", "serve"):
        runs: dict[str, list[dict[str, float]]] = {name: [] for name in systems}
        for _ in range(rounds):
            for name in systems:
                runs[name].append(step(kind, name))
        for name, found in runs.items():
            figures[name] |= {key: statistics.median(run[key] for run in found) for key in found[0]}
    return figures


def shown(figures: Mapping[str, float]) -> dict[str, str]:
    """Figures as they stand in the table."""
    out: dict[str, str] = {}
    for key, value in figures.items():
        if key in ("bytes", "memory", "build_memory"):
            out[key] = megabytes(value)
        elif key.endswith(("_p50", "_p95")):
            out[key] = milliseconds(value)
        elif key == "build_texts":
            out[key] = f"{value:,.0f}"
        else:
            out[key] = f"{value:.3f}" if key == "recall" else f"{value:.2f}"
    return out


if __name__ == "__main__":
    raise SystemExit(main())
