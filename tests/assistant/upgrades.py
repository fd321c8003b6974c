"""Indexes to compare releases of: what tests of upgrades share."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from assistant.release_diff.upgrade import Item, Upgrade, upgrade
from assistant.timeline.builder import histories
from assistant.timeline.model import Histories
from corpus.glossary import load_glossary
from index.storage.generation import Generation
from index.storage.store import Store
from ingest.document import Document, Language
from ingest.release import Release
from tests.assistant.lives import document
from tests.index.light import LightEmbedder, make_builder
from tests.ingest.splitting import segmenter

GLOSSARY = load_glossary()
Compared = Callable[..., Upgrade]


def built(folder: Path, documents: list[Document]) -> tuple[Generation, Histories]:
    """An index of documents with the histories that it tells of."""
    store = Store(folder)
    store.update(documents, builder=make_builder(LightEmbedder(), max_tokens=360, words=segmenter()))
    generation = store.open()
    return generation, histories(generation.documents, generation.chunks, GLOSSARY)


def compared_in(folder: Path, *documents: Document, to: str = "2.6") -> Upgrade:
    """What changes from 2.4 to a later release, by the documents given and empty ones of the ends."""
    ends = [document(r, f"# Notes\n\nNothing is told of {r}.\n", kind="blog") for r in ("2.4", to)]
    return upgrade(*built(folder, [*documents, *ends]), Release.parse("2.4"), Release.parse(to))


def lines(items: tuple[Item, ...], language: Language = "en") -> list[str]:
    return [f"{i.release} {i.names[language]}: {i.before or '-'} > {i.status}" for i in items]
