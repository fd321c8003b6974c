"""torchnotes itself, as the command line assembles it: retrieval, and the cited answer."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from assistant.answer import Answer
from assistant.assistant import Assistant
from assistant.factory import AssistantFactory
from assistant.settings import load_settings
from index.embedding.base import Embedder
from ingest.document import Document


class Torchnotes:
    """Indexes in a data folder, and answers.

    Args:
        embedder: the one of all systems.
        folder: the data folder.
        digests: whether the digests that ship are in the index too.
    """

    def __init__(self, embedder: Embedder, folder: Path, *, digests: bool = False) -> None:
        self._factory = AssistantFactory(load_settings(home=folder, shipped_corpus=digests))
        self._factory.embedder.embedder = embedder
        self._assistant: Assistant | None = None

    def build(self, documents: Sequence[Document]) -> None:
        """Index documents and save them."""
        self._factory.update(documents)

    def open(self) -> None:
        """Read what was saved."""
        self._assistant = self._factory.assistant()

    def add(self, document: Document) -> None:
        """Add a document and save."""
        self._factory.update([document])

    def retrieve(self, question: str, history: Sequence[str]) -> list[tuple[str, str]]:
        """Text and release of the passages that an answer is made of."""
        return [(passage.text, passage.version) for passage in self.answer(question, history).passages]

    def answer(self, question: str, history: Sequence[str]) -> Answer:
        """The cited answer."""
        if self._assistant is None:
            raise RuntimeError("open() comes first")
        return self._assistant.ask(question, history)
