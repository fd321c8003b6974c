"""Haystack in memory: recursive splitter, BM25 and vectors, joined by reciprocal rank, the first five.

Its splitter counts words between spaces by default, of which Chinese has none; it is given LangChain's 1,000
characters and 200 shared instead. The index is one JSON file that is read whole.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from benchmarks.recall import TOP
from index.embedding.base import Embedder
from ingest.document import Document


class Haystack:
    """Splits, embeds, keeps in memory and gives back the best chunks of both lists.

    Args:
        embedder: the one of all systems.
        folder: where the index is kept.
    """

    def __init__(self, embedder: Embedder, folder: Path) -> None:
        self._embedder = embedder
        self._path = folder / "documents.json"
        self._store: Any = None
        self._pipeline: Any = None

    def build(self, documents: Sequence[Document]) -> None:
        """Index documents and save them."""
        from haystack.document_stores.in_memory import InMemoryDocumentStore

        self._store = InMemoryDocumentStore(embedding_similarity_function="cosine")
        self._write(documents)

    def open(self) -> None:
        """Read what was saved, and make the pipeline."""
        from haystack import Pipeline
        from haystack.components.joiners import DocumentJoiner
        from haystack.components.retrievers.in_memory import InMemoryBM25Retriever, InMemoryEmbeddingRetriever
        from haystack.document_stores.in_memory import InMemoryDocumentStore

        self._store = InMemoryDocumentStore.load_from_disk(str(self._path))
        self._pipeline = Pipeline()
        self._pipeline.add_component("words", InMemoryBM25Retriever(self._store))
        self._pipeline.add_component("vectors", InMemoryEmbeddingRetriever(self._store))
        self._pipeline.add_component("join", DocumentJoiner(join_mode="reciprocal_rank_fusion", top_k=TOP))
        for name in ("words", "vectors"):
            self._pipeline.connect(name, "join")

    def add(self, document: Document) -> None:
        """Add a document and save."""
        self._write([document])

    def retrieve(self, question: str, history: Sequence[str]) -> list[tuple[str, str]]:
        """Text and release of the best chunks; a follow-up is searched with the questions before it."""
        asked = "\n".join([*history, question])
        vector = self._embedder.encode_query(asked).tolist()
        done = self._pipeline.run({"words": {"query": asked}, "vectors": {"query_embedding": vector}})
        return [(one.content, one.meta["release"]) for one in done["join"]["documents"]]

    def _write(self, documents: Iterable[Document]) -> None:
        from haystack import Document as Text
        from haystack.components.preprocessors import RecursiveDocumentSplitter
        from haystack.document_stores.types import DuplicatePolicy

        splitter = RecursiveDocumentSplitter(
            split_length=1000,
            split_overlap=200,
            split_unit="char",
            separators=["\n\n", "\n", "。", ". ", " "],
        )
        texts = [Text(content=d.text, meta={"release": d.version, "language": d.language}) for d in documents]
        chunks = splitter.run(documents=texts)["documents"]
        vectors = self._embedder.encode_documents([chunk.content for chunk in chunks])
        embedded = [
            replace(chunk, embedding=row.tolist()) for chunk, row in zip(chunks, vectors, strict=True)
        ]
        self._store.write_documents(embedded, policy=DuplicatePolicy.OVERWRITE)
        self._store.save_to_disk(str(self._path))
