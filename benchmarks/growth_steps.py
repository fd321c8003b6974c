"""The steps of `benchmarks.growth`, each run in a process of its own, so that its memory is its alone.

    python -m benchmarks.growth_steps prepare|build|ask|change FOLDER

FOLDER holds `task.json`; a step prints its figures as one line of JSON.
"""

from __future__ import annotations

import json
import pickle
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from assistant.assistant import Assistant
from assistant.factory import AssistantFactory
from assistant.settings import load_settings
from benchmarks.copies import Copies
from benchmarks.table import folder_bytes, peak_memory, percentile
from benchmarks.timed import TimedEmbedder
from index.dense.vectors import VectorIndex
from index.embedding.base import Vectors
from index.lexical.terms import TermIndex
from index.search.passage import Passage
from index.search.query import Query
from index.search.retriever import Retriever
from index.storage.builder import IndexBuilder
from index.storage.generation import Generation
from index.storage.generation_directory import GenerationDirectory
from index.storage.store import Store
from ingest.chunk import lexical_text
from ingest.errors import TorchnotesError
from ingest.loaders import load

QUESTIONS = Path(__file__).resolve().parents[1] / "tests" / "quality" / "questions.jsonl"
ASKED = 200
EDITS = 3
COMPARED = 30  # questions whose neighbours are compared with exact ones
NEIGHBOURS = 10


@dataclass(frozen=True)
class Task:
    """What a step works on.

    Attributes:
        folder: where the copies are indexed.
        home: data folder with the index of the originals.
        size: chunks to have.
        documents: folders of originals, beside the digests.
    """

    folder: Path
    home: Path
    size: int
    documents: tuple[Path, ...]

    @classmethod
    def read(cls, folder: Path) -> Task:
        """Read `task.json`."""
        data = json.loads((folder / "task.json").read_text(encoding="utf-8"))
        return cls(folder, Path(data["home"]), data["size"], tuple(map(Path, data["documents"])))

    def queries(self) -> list[Query]:
        """The queries that real questions became, kept beside the originals."""
        with (self.home / "queries.pickle").open("rb") as file:
            found: list[Query] = pickle.load(file)
        return found


def prepare(task: Task) -> dict[str, Any]:
    """Index the originals, and keep beside them what real questions ask of the retriever."""
    factory = AssistantFactory(load_settings(home=task.home))
    factory.update([document for folder in task.documents for document in load(folder, on_skip=_fail)])
    queries: list[Query] = []

    class Listening(Retriever):
        def search(self, query: Query, top_k: int = 8) -> list[Passage]:
            queries.append(query)
            return super().search(query, top_k)

    retriever = Listening(factory.store.open(factory.parameters), factory.segmenter)
    assistant = Assistant(retriever, factory.embedder, factory.segmenter, factory.glossary)
    with QUESTIONS.open(encoding="utf-8") as file:
        asked = [json.loads(line) for line in file]
    for question in asked[:: max(1, len(asked) // ASKED)][:ASKED]:
        assistant.examine(question["question"], question.get("history", ()))
    with (task.home / "queries.pickle").open("wb") as out:
        pickle.dump(queries, out)
    return {"originals": len(retriever.generation.chunks)}


def _fail(error: TorchnotesError) -> None:
    raise error


def build(task: Task) -> dict[str, Any]:
    """Index perturbed copies with the product's own classes; making the copies is not counted."""
    factory = AssistantFactory(load_settings(home=task.home))
    base = Store(task.home).open(factory.parameters)
    copies = Copies(base, task.size)
    pairs = [(chunk, base.documents[chunk.document_id]) for chunk in base.chunks]
    bodies = [factory.segmenter.terms(lexical_text(*pair)) for pair in pairs]
    paths = [factory.segmenter.terms("\n".join(chunk.headings)) for chunk in base.chunks]
    seconds: dict[str, float] = {}

    def vectors(index: VectorIndex, rows: Any, name: str) -> VectorIndex:  # noqa: ANN401
        path = task.folder / f"{name}.npy"
        drawn = copies.vectors(index.rows(np.arange(len(index), dtype=np.int64)), rows, path)
        start = time.perf_counter()
        built = VectorIndex.build(drawn)
        seconds["vectors"] = seconds.get("vectors", 0.0) + time.perf_counter() - start
        del drawn
        path.unlink()
        return built

    sentence_rows = copies.sentence_rows()
    chunk_vectors = vectors(base.chunk_vectors, copies.rows, "chunks")
    sentence_vectors = vectors(base.sentence_vectors, sentence_rows, "sentences")
    start = time.perf_counter()
    terms = TermIndex.build(copies.terms(bodies))
    heading_terms = TermIndex.build(paths[row] for row in copies.rows.tolist())
    seconds["terms"] = time.perf_counter() - start
    manifest = replace(
        base.manifest,
        documents=len(copies.documents),
        chunks=len(copies.chunks),
        sentences=len(sentence_rows),
    )
    generation = Generation(
        *(
            "",
            copies.documents,
            copies.chunks,
            chunk_vectors,
            sentence_vectors,
            terms,
            heading_terms,
            manifest,
        )
    )
    start = time.perf_counter()
    GenerationDirectory(task.folder / "index").put(generation.save)
    seconds["write"] = time.perf_counter() - start
    return {
        "sentences": len(sentence_rows),
        "build": sum(seconds.values()),
        **{f"build_{name}": value for name, value in seconds.items()},
        "build_memory": peak_memory(),
        "bytes": folder_bytes(task.folder / "index"),
    }


def ask(task: Task) -> dict[str, Any]:
    """Open the index and retrieve for real questions, the embedding of them not counted."""
    factory = AssistantFactory(load_settings(home=task.home))
    queries = task.queries()
    start = time.perf_counter()
    generation = Store(task.folder).open(factory.parameters)
    retriever = Retriever(generation, factory.segmenter)
    opened = time.perf_counter() - start
    for query in queries[:20]:
        retriever.search(query)
    seconds, of_processor = [], []
    for query in queries:
        start, own_start = time.perf_counter(), time.process_time()
        retriever.search(query)
        seconds.append(time.perf_counter() - start)
        of_processor.append(time.process_time() - own_start)
    memory = peak_memory()
    return {
        "questions": len(queries),
        "p50": statistics.median(seconds),
        "p95": percentile(seconds, 0.95),
        "processor": statistics.median(of_processor),
        "open": opened,
        "memory": memory,
        "found": found_share(generation.sentence_vectors, [query.vector for query in queries[:COMPARED]]),
    }


def found_share(index: VectorIndex, questions: Sequence[Vectors]) -> float:
    """How many of the nearest vectors a search finds of those that comparing all of them would."""
    matrix = np.stack(questions)
    best = np.full((len(matrix), 0), 0, np.int64)
    cosines = np.empty((len(matrix), 0), np.float32)
    for start in range(0, len(index), 1 << 16):
        rows = np.arange(start, min(start + (1 << 16), len(index)), dtype=np.int64)
        cosines = np.concatenate([cosines, matrix @ index.rows(rows).T], axis=1)
        best = np.concatenate([best, np.broadcast_to(rows, (len(matrix), len(rows)))], axis=1)
        chosen = np.argsort(-cosines, axis=1)[:, :NEIGHBOURS]
        cosines, best = np.take_along_axis(cosines, chosen, 1), np.take_along_axis(best, chosen, 1)
    hits = [
        len(np.intersect1d(index.search(q, NEIGHBOURS)[0], exact))
        for q, exact in zip(matrix, best, strict=True)
    ]
    return sum(hits) / (NEIGHBOURS * len(hits))


def change(task: Task) -> dict[str, Any]:
    """Edit a sentence of a document and take the document in again; the median of a few edits."""
    factory = AssistantFactory(load_settings(home=task.home))
    builder = factory.builder
    embedder = TimedEmbedder(builder.embedder)
    timed = IndexBuilder(builder.splitter, builder.segmenter, embedder)
    store = Store(task.folder)
    documents = list(store.documents().values())
    of_middle_length = sorted(documents, key=lambda d: len(d.text))[len(documents) // 2]
    totals, embeddings = [], []
    for number in range(EDITS + 1):  # the first one loads what the others find loaded
        text = of_middle_length.text.rstrip() + f"\n\nThe limit is now {number + 2} instead of one.\n"
        embedder.seconds = 0.0
        start = time.perf_counter()
        report = store.update([replace(of_middle_length, text=text)], builder=timed)
        totals.append(time.perf_counter() - start)
        embeddings.append(embedder.seconds)
        if not report.changed:
            raise RuntimeError(f"{of_middle_length.id} was not taken in again")
    own = [total - embedding for total, embedding in zip(totals, embeddings, strict=True)]
    return {"change": statistics.median(own[1:]), "change_embedding": statistics.median(embeddings[1:])}


STEPS: dict[str, Callable[[Task], dict[str, Any]]] = {
    "prepare": prepare,
    "build": build,
    "ask": ask,
    "change": change,
}

if __name__ == "__main__":
    print(json.dumps(STEPS[sys.argv[1]](Task.read(Path(sys.argv[2])))))
