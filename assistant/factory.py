"""Creates assistants from settings: the one place that shows all parts and how they fit together."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from assistant.assistant import Assistant
from assistant.observation import Observer
from assistant.query.expansion import description_texts
from assistant.reader.network import ShippedReader
from assistant.retrieval.known_questions import KnownQuestions, load_known_questions
from assistant.settings import Settings
from assistant.text.prompt_injection import trusted_chunk
from corpus.glossary import load_glossary
from corpus.shipped import SHIPPED, digest_paths, fingerprint, vector_paths
from index.embedding.cached import CachedEmbedder
from index.embedding.factory import load_embedder
from index.embedding.vector_cache import VectorCache
from index.search.retriever import Retriever
from index.storage.interface import IndexStore
from index.storage.manifest import Parameters, chunk_cap
from index.storage.store import Store
from ingest.document import Document
from ingest.errors import IndexMismatchError, TorchnotesError
from ingest.locked_property import locked_cached_property
from ingest.segment import Segmenter

if TYPE_CHECKING:  # imported late, to keep questions fast
    from assistant.llm.client import LanguageModel
    from index.storage.builder import BuildProgress, IndexBuilder
    from index.storage.changes import UpdateReport


class AssistantFactory:
    """Creates the parts of an assistant from settings, each on first use.

    Args:
        settings: user settings.
        observer: told of each question and how its answer ended; None for nobody.
    """

    def __init__(self, settings: Settings, observer: Observer | None = None) -> None:
        self.settings = settings
        self.observer = observer
        self.store = store_of(settings)
        self.glossary = load_glossary()
        self._lock = threading.Lock()
        self._latest: Assistant | None = None
        self.segmenter = Segmenter(self.glossary.chinese_names, cache_folder=settings.home / "cache")

    @locked_cached_property
    def embedder(self) -> CachedEmbedder:
        """Embedding model, with a cache of the shipped vectors and those computed before."""
        cache = VectorCache(self.settings.home / "vectors", seeds=vector_paths())
        return CachedEmbedder(load_embedder(self.settings.embedder), cache)

    @locked_cached_property
    def model(self) -> LanguageModel | None:
        """Language model of the settings, or None.

        Raises:
            TorchnotesError: a model is set without a URL.
        """
        given = self.settings
        if given.llm_file:
            from assistant.llm.local import LocalModel

            return LocalModel(
                given.llm_file,
                context=given.llm_context,
                timeout=given.llm_timeout,
                calls_tools=given.llm_tools,
            )
        if not given.llm_url:
            if given.llm_model:
                raise TorchnotesError(
                    f"TORCHNOTES_LLM_MODEL={given.llm_model!r} is set without TORCHNOTES_LLM_URL; set "
                    f"that to "
                    "the root of its API, such as http://localhost:11434/v1 for Ollama"
                )
            return None
        from assistant.llm.client import LanguageModel

        return LanguageModel(
            given.llm_url,
            given.llm_model,
            given.llm_api_key,
            context=given.llm_context,
            timeout=given.llm_timeout,
            calls_tools=given.llm_tools,
        )

    @locked_cached_property
    def reader(self) -> ShippedReader | None:
        """Reader that ships, loaded with the first question, or None if the settings leave it out."""
        return ShippedReader() if self.settings.reader else None

    @locked_cached_property
    def known(self) -> KnownQuestions | None:
        """Questions that were written for the shipped digests, or None with another embedding model."""
        known = load_known_questions()
        return known if known.embedder == self.embedder.name else None

    @property
    def parameters(self) -> Parameters:
        """Parameters that an index must have been built with to be readable."""
        return Parameters.of(self.embedder, self.segmenter)

    @locked_cached_property
    def builder(self) -> IndexBuilder:
        """Index builder, slow to create."""
        from index.storage.builder import IndexBuilder
        from ingest.splitter import ReleaseNoteSplitter

        cap = chunk_cap(self.embedder)
        splitter = ReleaseNoteSplitter(self.embedder.count_tokens, self.segmenter, max_tokens=cap)
        return IndexBuilder(splitter, self.segmenter, self.embedder)

    def assistant(self, progress: BuildProgress | None = None) -> Assistant:
        """Create an assistant for the current index, after updating the shipped digests in it (`ship`).

        Args:
            progress: called with stage, number of items done and total number of items while the index is
                built.

        Raises:
            IndexMismatchError: as for `ship`.
        """
        self.ship(progress)
        generation = self.store.open(self.parameters)
        retriever = Retriever(generation, self.segmenter, admits=trusted_chunk)
        return Assistant(
            retriever,
            self.embedder,
            self.segmenter,
            self.glossary,
            model=self.model,
            reader=self.reader,
            known=self.known,
            strict=self.settings.llm_strict,
            judges=self.settings.llm_verify,
            observer=self.observer,
        )

    @property
    def opened(self) -> Assistant | None:
        """The assistant that `latest` has returned last, even if the index has changed; None before."""
        return self._latest

    def latest(self, progress: BuildProgress | None = None) -> Assistant:
        """Return the assistant for the current index, creating a new one only if the index has changed.

        Args:
            progress: called with stage, number of items done and total number of items while the index is
                built.

        Raises:
            IndexMismatchError: as for `ship`.
        """
        with self._lock:
            if self._latest is None or self.store.current() != self._latest.retriever.generation.name:
                self._latest = self.assistant(progress)
            return self._latest

    def ship(self, progress: BuildProgress | None = None) -> None:
        """Create the index if there is none, and update the shipped digests in an index that contains them.

        Whether an index contains them is decided when it is created or changed (`update`, `rebuild`). An
        index may be shared, so asking a question must not change that.

        Args:
            progress: called with stage, number of items done and total number of items while the index is
                built.

        Raises:
            IndexMismatchError: the settings exclude the digests, but there is no index, or one that contains
                them.
        """
        if self.store.current() is None:
            if not self.settings.shipped_corpus:
                raise self._nothing_left()
            self.update(progress=progress)
            return
        held = self.store.manifest().shipped
        if held and not self.settings.shipped_corpus:
            raise IndexMismatchError(
                f"index {self.store.place}: it holds the shipped digests, and TORCHNOTES_SHIPPED_CORPUS is "
                "off; type `torchnotes rebuild` to take them out, or set TORCHNOTES_HOME to another folder"
            )
        if held and held != fingerprint():
            self.update(progress=progress)

    def update(
        self,
        add: Sequence[Document] = (),
        remove: Sequence[str] = (),
        *,
        builder: IndexBuilder | None = None,
        progress: BuildProgress | None = None,
    ) -> UpdateReport:
        """Add and remove documents, and update the shipped digests.

        Args:
            add: documents to add or replace.
            remove: ids of documents to remove.
            builder: builds like `builder`, but takes from elsewhere what it can; None: `builder`.
            progress: called with stage, number of items done and total number of items while the index is
                built.

        Returns:
            Report whose `embedded` counts the texts that were not cached.
        """
        shipped = shipped_documents() if self.settings.shipped_corpus else []
        stale = self._stale(shipped)
        before = self.embedder.embedded_count
        report = self.store.update(
            [*shipped, *add],
            [*remove, *stale],
            builder=builder or self.builder,
            shipped=fingerprint() if shipped else "",
            progress=progress,
        )
        report = replace(report, embedded=self.embedder.embedded_count - before)
        self.embedder.encode_documents(description_texts(self.glossary))
        return report

    def rebuild(self, progress: BuildProgress | None = None) -> UpdateReport:
        """Build the index again from the documents it contains and the shipped digests.

        Args:
            progress: called with stage, number of items done and total number of items while the index is
                built.

        Returns:
            Report whose `embedded` counts the texts that were not cached.

        Raises:
            IndexMismatchError: no document is left, because the settings exclude the digests.
        """
        shipped = shipped_documents() if self.settings.shipped_corpus else []
        stale = self._stale(shipped)
        if not shipped and not self.store.documents().keys() - stale:
            raise self._nothing_left()
        before = self.embedder.embedded_count
        report = self.store.rebuild(
            shipped,
            stale,
            builder=self.builder,
            shipped=fingerprint() if shipped else "",
            progress=progress,
        )
        report = replace(report, embedded=self.embedder.embedded_count - before)
        self.embedder.encode_documents(description_texts(self.glossary))
        return report

    def _nothing_left(self) -> IndexMismatchError:
        return IndexMismatchError(
            f"there is no document of yours in {self.store.place}, and TORCHNOTES_SHIPPED_CORPUS is off; "
            "type `torchnotes add PATH` to make an index of your documents"
        )

    def _stale(self, shipped: Sequence[Document]) -> list[str]:
        """Return the ids of indexed digests that no longer ship."""
        keep = {document.id for document in shipped}
        return [
            d.id for d in self.store.documents().values() if d.origin.startswith(SHIPPED) and d.id not in keep
        ]


def store_of(settings: Settings) -> IndexStore:
    """Return where the index of the settings is kept: in the data folder, or in Milvus.

    Args:
        settings: user settings.
    """
    if not settings.index:
        return Store(settings.home)
    from index.milvus.address import parse_address
    from index.milvus.store import MilvusStore

    return MilvusStore(parse_address(settings.index), settings.index_token)


def shipped_documents() -> list[Document]:
    """Return the shipped digests as documents, whose origin is the same on every machine."""
    return [_shipped(path) for path in digest_paths()]


def _shipped(path: Path) -> Document:
    from ingest.reading import read_document

    origin = f"{SHIPPED}{path.parent.name}/{path.name}"
    return read_document(path.read_text(encoding="utf-8"), origin)
