"""LlamaIndex with its defaults: sentence splitter (1,024 tokens, 200 shared), FAISS, the nearest five."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from benchmarks.recall import TOP
from index.embedding.base import Embedder
from ingest.document import Document


def wrapped(embedder: Embedder) -> Any:  # noqa: ANN401 - its types come with the package
    """The embedder behind LlamaIndex's interface."""
    from llama_index.core.embeddings import BaseEmbedding

    class Wrapped(BaseEmbedding):  # type: ignore[misc]
        def _get_text_embedding(self, text: str) -> list[float]:
            return self._get_text_embeddings([text])[0]

        def _get_text_embeddings(self, texts: list[str]) -> list[list[float]]:
            return [row.tolist() for row in embedder.encode_documents(texts)]

        def _get_query_embedding(self, query: str) -> list[float]:
            row: list[float] = embedder.encode_query(query).tolist()
            return row

        async def _aget_query_embedding(self, query: str) -> list[float]:
            return self._get_query_embedding(query)

    # The most it allows: in batches of ten, its default, bulk embedding would never take the fast road.
    return Wrapped(model_name=embedder.name, embed_batch_size=2048)


class LlamaIndex:
    """Splits, embeds, keeps in FAISS and gives back the nearest nodes.

    Args:
        embedder: the one of all systems.
        folder: where the index is kept.
    """

    def __init__(self, embedder: Embedder, folder: Path) -> None:
        self._model = wrapped(embedder)
        self._dimension = embedder.dimension
        self._folder = str(folder)
        self._index: Any = None
        self._retriever: Any = None

    def build(self, documents: Sequence[Document]) -> None:
        """Index documents and save them."""
        import faiss
        from llama_index.core import StorageContext, VectorStoreIndex
        from llama_index.vector_stores.faiss import FaissVectorStore

        store = FaissVectorStore(faiss_index=faiss.IndexFlatIP(self._dimension))
        self._index = VectorStoreIndex.from_documents(
            list(map(_text, documents)),
            storage_context=StorageContext.from_defaults(vector_store=store),
            embed_model=self._model,
        )
        self._save()

    def open(self) -> None:
        """Read what was saved."""
        from llama_index.core import StorageContext, load_index_from_storage
        from llama_index.vector_stores.faiss import FaissVectorStore

        store = FaissVectorStore.from_persist_dir(self._folder)
        context = StorageContext.from_defaults(vector_store=store, persist_dir=self._folder)
        self._index = load_index_from_storage(context, embed_model=self._model)
        self._retriever = self._index.as_retriever(similarity_top_k=TOP)

    def add(self, document: Document) -> None:
        """Add a document and save."""
        self._index.insert(_text(document))
        self._save()

    def retrieve(self, question: str, history: Sequence[str]) -> list[tuple[str, str]]:
        """Text and release of the nearest nodes; a follow-up is searched with the questions before it."""
        found: Iterable[Any] = self._retriever.retrieve("\n".join([*history, question]))
        return [(one.node.get_content(), one.node.metadata["release"]) for one in found]

    def _save(self) -> None:
        self._index.storage_context.persist(persist_dir=self._folder)


def _text(document: Document) -> Any:  # noqa: ANN401 - its types come with the package
    from llama_index.core import Document as Text

    facts = {"release": document.version, "language": document.language}
    return Text(text=document.text, id_=document.id, metadata=facts)
