"""LangChain as its guide has it: recursive splitter (1,000 characters, 200 shared), FAISS, nearest five."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.recall import TOP
from index.embedding.base import Embedder
from ingest.document import Document

if TYPE_CHECKING:
    from langchain_core.embeddings import Embeddings


def wrapped(embedder: Embedder) -> Embeddings:
    """The embedder behind LangChain's interface."""
    from langchain_core.embeddings import Embeddings

    class Wrapped(Embeddings):
        def embed_documents(self, texts: list[str]) -> list[list[float]]:
            return [row.tolist() for row in embedder.encode_documents(texts)]

        def embed_query(self, text: str) -> list[float]:
            row: list[float] = embedder.encode_query(text).tolist()
            return row

    return Wrapped()


class LangChain:
    """Splits, embeds, keeps in FAISS and gives back the nearest chunks.

    Args:
        embedder: the one of all systems.
        folder: where the index is kept.
    """

    def __init__(self, embedder: Embedder, folder: Path) -> None:
        with warnings.catch_warnings():  # it says that it is no longer developed
            warnings.simplefilter("ignore", DeprecationWarning)
            from langchain_community.vectorstores import FAISS

        self._faiss: Any = FAISS
        self._embeddings = wrapped(embedder)
        self._folder = str(folder)
        self._store: Any = None

    def build(self, documents: Sequence[Document]) -> None:
        """Index documents and save them."""
        self._store = self._faiss.from_documents(self._split(documents), self._embeddings)
        self._store.save_local(self._folder)

    def open(self) -> None:
        """Read what was saved."""
        self._store = self._faiss.load_local(
            self._folder, self._embeddings, allow_dangerous_deserialization=True
        )

    def add(self, document: Document) -> None:
        """Add a document and save."""
        self._store.add_documents(self._split([document]))
        self._store.save_local(self._folder)

    def retrieve(self, question: str, history: Sequence[str]) -> list[tuple[str, str]]:
        """Text and release of the nearest chunks; a follow-up is searched with the questions before it."""
        found = self._store.similarity_search("\n".join([*history, question]), k=TOP)
        return [(one.page_content, one.metadata["release"]) for one in found]

    def _split(self, documents: Iterable[Document]) -> list[Any]:
        from langchain_core.documents import Document as Text
        from langchain_text_splitters import RecursiveCharacterTextSplitter

        splitter = RecursiveCharacterTextSplitter(chunk_size=1000, chunk_overlap=200)
        return splitter.split_documents(
            [
                Text(page_content=d.text, metadata={"release": d.version, "language": d.language})
                for d in documents
            ]
        )
