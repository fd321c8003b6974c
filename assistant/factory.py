"""The assembly: settings into an assistant. One page shows which parts there are, and in what order."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from assistant.assistant import Assistant
from assistant.query.expansion import description_texts
from assistant.settings import Settings
from assistant.text.prompt_injection import trusted_chunk
from corpus.glossary import load_glossary
from corpus.shipped import SHIPPED, digest_paths, fingerprint, vector_paths
from index.embedding.cached import CachedEmbedder
from index.embedding.factory import load_embedder
from index.embedding.vector_cache import VectorCache
from index.search.retriever import Retriever
from index.storage.manifest import Parameters, chunk_cap
from index.storage.store import Store
from ingest.document import Document
from ingest.errors import IndexMismatchError, TorchnotesError
from ingest.locked_property import locked_cached_property
from ingest.segment import Segmenter

if TYPE_CHECKING:  # what only building needs stays out of the way of a question
    from assistant.llm.client import LanguageModel
    from index.storage.builder import BuildProgress, IndexBuilder
    from index.storage.store import UpdateReport


class AssistantFactory:
    """The parts that one set of settings makes; each is made when it is first needed."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.store = Store(settings.home)
        self.glossary = load_glossary()
        self._lock = threading.Lock()
        self._latest: Assistant | None = None
        self.segmenter = Segmenter(self.glossary.chinese_names, cache_folder=settings.home / "cache")

    @locked_cached_property
    def embedder(self) -> CachedEmbedder:
        """The embedding model, with the vectors that ship and those embedded before."""
        cache = VectorCache(self.settings.home / "vectors", seeds=vector_paths())
        return CachedEmbedder(load_embedder(self.settings.embedder), cache)

    @locked_cached_property
    def model(self) -> LanguageModel | None:
        """The language model that the settings name, None where they name none."""
        given = self.settings
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
        )

    @property
    def parameters(self) -> Parameters:
        """What an index must have been built with to be read."""
        return Parameters.of(self.embedder, self.segmenter)

    @locked_cached_property
    def builder(self) -> IndexBuilder:
        """Builds the index; slow to make."""
        from index.storage.builder import IndexBuilder
        from ingest.splitter import ReleaseNoteSplitter

        cap = chunk_cap(self.embedder)
        splitter = ReleaseNoteSplitter(self.embedder.count_tokens, self.segmenter, max_tokens=cap)
        return IndexBuilder(splitter, self.segmenter, self.embedder)

    def assistant(self, progress: BuildProgress | None = None) -> Assistant:
        """An assistant over the index as it is now; shipped digests that it lacks are taken in first."""
        self.ship(progress)
        generation = self.store.open(self.parameters)
        retriever = Retriever(generation, self.segmenter, admits=trusted_chunk)
        return Assistant(retriever, self.embedder, self.segmenter, self.glossary, model=self.model)

    def latest(self, progress: BuildProgress | None = None) -> Assistant:
        """The assistant over the index as it is now, made anew only when the index has changed."""
        with self._lock:
            if self._latest is None or self.store.current() != self._latest.retriever.generation.name:
                self._latest = self.assistant(progress)
            return self._latest

    def ship(self, progress: BuildProgress | None = None) -> None:
        """Make an index where there is none, and bring the shipped digests of one that holds them up to date.

        Whether an index holds them is decided where it is made or changed (`update`, `rebuild`): others may
        share it, and a question changes it for nobody.

        Raises:
            IndexMismatchError: the settings leave the digests out, and there is no index, or one with them.
        """
        if self.store.current() is None:
            if not self.settings.shipped_corpus:
                raise self._nothing_left()
            self.update(progress=progress)
            return
        held = self.store.manifest().shipped
        if held and not self.settings.shipped_corpus:
            raise IndexMismatchError(
                f"index {self.store.folder}: it holds the shipped digests, and TORCHNOTES_SHIPPED_CORPUS is "
                "off; type `torchnotes rebuild` to take them out, or set TORCHNOTES_HOME to another folder"
            )
        if held and held != fingerprint():
            self.update(progress=progress)

    def update(
        self,
        add: Sequence[Document] = (),
        remove: Sequence[str] = (),
        *,
        progress: BuildProgress | None = None,
    ) -> UpdateReport:
        """Take documents in and out, and the shipped digests with them.

        The report's `embedded` counts the texts that no cache held.
        """
        shipped = shipped_documents() if self.settings.shipped_corpus else []
        stale = self._stale(shipped)
        before = self.embedder.embedded_count
        report = self.store.update(
            [*shipped, *add],
            [*remove, *stale],
            builder=self.builder,
            shipped=fingerprint() if shipped else "",
            progress=progress,
        )
        report = replace(report, embedded=self.embedder.embedded_count - before)
        self.embedder.encode_documents(description_texts(self.glossary))
        return report

    def rebuild(self, progress: BuildProgress | None = None) -> UpdateReport:
        """Build the index anew from the documents it holds.

        Raises:
            IndexMismatchError: it holds none, and the settings leave the shipped digests out.
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
            f"there is no document of yours in {self.store.folder}, and TORCHNOTES_SHIPPED_CORPUS is off; "
            "type `torchnotes add PATH` to make an index of your documents"
        )

    def _stale(self, shipped: Sequence[Document]) -> list[str]:
        """Ids of digests in the index that ship no more."""
        keep = {document.id for document in shipped}
        return [
            d.id for d in self.store.documents().values() if d.origin.startswith(SHIPPED) and d.id not in keep
        ]


def shipped_documents() -> list[Document]:
    """The digests that ship, as documents; their origin is the same on every machine."""
    return [_shipped(path) for path in digest_paths()]


def _shipped(path: Path) -> Document:
    from ingest.reading import read_document

    origin = f"{SHIPPED}{path.parent.name}/{path.name}"
    return read_document(path.read_text(encoding="utf-8"), origin)
