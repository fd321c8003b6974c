"""An app state over the small notes, with an embedder that costs nothing."""

from __future__ import annotations

import json
from collections.abc import Generator
from pathlib import Path

import pytest

from assistant import factory as assemble
from assistant.factory import AssistantFactory
from assistant.settings import Settings
from corpus.shipped import digest_paths
from index.storage.manifest import MANIFEST_FILE
from ingest.loaders import load
from tests.index.light import LightEmbedder, segmenter
from tests.ui.notes import write_notes
from ui.shared.app_state import AppState
from ui.web.components.background_work import WorkStep
from ui.web.documents.intake import Intake, IntakeOutcome, Upload

#: With a name to be put in.
NOTE = '---\ntitle: {0}\nrelease: "2.6"\n---\n\n## New\n\nThe {0} is new in PyTorch 2.6.\n'


class Small:
    """An app state, its intake, and the folder that files are sent to."""

    def __init__(self, folder: Path, *, allowed: bool, shipped: bool) -> None:
        factory = AssistantFactory(Settings(home=folder / "home", shipped_corpus=shipped))
        factory.update(list(load(write_notes(folder / "notes"), on_skip=lambda _: None)))
        self.app_state = AppState(factory, allow_documents=allowed)
        self.folder = folder / "sent"
        self.folder.mkdir()
        self.intake = Intake(self.app_state, self.folder)

    def send(self, name: str, content: str | bytes, called: str = "") -> Upload:
        """A file in a folder of its own, as gradio lays it."""
        place = self.folder / f"{len(list(self.folder.iterdir()))}"
        place.mkdir()
        path = place / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        self.app_state.received.note(json.dumps([str(path)]).encode())
        return Upload(path, called or name)

    def damage(self) -> None:
        """Damage the index beyond what opening it mends: what names the generation, and each of them."""
        store = self.app_state.factory.settings.home / "index"
        (store / "current").write_bytes(b"x")
        for manifest in (store / "generations").glob(f"*/{MANIFEST_FILE}"):
            manifest.write_bytes(b"x")

    @property
    def titles(self) -> set[str]:
        """Of the documents in the index."""
        return {
            document.title for document in self.app_state.assistant().retriever.generation.documents.values()
        }

    @property
    def left(self) -> list[Path]:
        """Files that were sent and still lie there."""
        return [path for path in self.folder.rglob("*") if path.is_file()]


def make(folder: Path, patch: pytest.MonkeyPatch, *, allowed: bool = True, shipped: bool = False) -> Small:
    """A small app state; of the digests that ship it knows two."""
    embedder = LightEmbedder()
    two = digest_paths()[:2]
    patch.setattr(assemble, "load_embedder", lambda name: embedder)
    patch.setattr(assemble, "Segmenter", lambda *_, **__: segmenter())
    patch.setattr(assemble, "description_texts", lambda glossary: [])
    patch.setattr(assemble, "digest_paths", lambda: two)
    return Small(folder, allowed=allowed, shipped=shipped)


def done(work: Generator[WorkStep, None, IntakeOutcome]) -> tuple[list[str], IntakeOutcome]:
    """The stages that a work told of, and what it came to."""
    stages: list[str] = []
    while True:
        try:
            stages.append(next(work).stage)
        except StopIteration as end:
            return stages, end.value
