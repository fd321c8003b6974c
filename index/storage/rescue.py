"""Recovery of documents from generations that are damaged, incomplete or of another format.

Documents missing from a generation are taken from older ones, but only those that the newer one held as well,
so that removed documents stay removed. The readable parts of its lines and the ids of its chunks show which
ones it held.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from index.storage.changes import LeftOut
from index.storage.generation import CHUNKS_FILE, read_line
from index.storage.manifest import DOCUMENTS_FILE, MANIFEST_FILE
from ingest.document import Document, source_of

_CHUNK = re.compile(rb'\["([0-9a-f]{16}(?:-\d+)?)",(\d+),')
_HASH = re.compile(rb'"hash":"([0-9a-f]{64})"')
_ID = re.compile(rb'"id":"([^"\\]+)"')


@dataclass(frozen=True, slots=True)
class Rescue:
    """Recovered documents, and those that are lost.

    Attributes:
        documents: recovered documents by id.
        restored: ids of the documents taken from an older generation.
        left_out: documents that are lost, or recovered with an older text.
    """

    documents: dict[str, Document]
    restored: tuple[str, ...] = ()
    left_out: tuple[LeftOut, ...] = ()


@dataclass(frozen=True, slots=True)
class _Line:
    """A damaged line: its number, and the hash and id that can still be read, "" if not."""

    number: int
    content_hash: str
    document_id: str


@dataclass(slots=True)
class _Held:
    """The readable content of a generation.

    Attributes:
        documents: intact documents by position.
        damaged: damaged lines.
        chunks: position of each chunk's document, by chunk id.
        count: number of documents it held; a lower bound if the manifest cannot be read; -1: unknown.
        unreadable: why the documents file cannot be read, "" if it can.
    """

    documents: dict[int, Document] = field(default_factory=dict)
    damaged: list[_Line] = field(default_factory=list)
    chunks: dict[str, int] = field(default_factory=dict)
    count: int = -1
    unreadable: str = ""

    @property
    def whole(self) -> bool:
        return not self.unreadable and not self.damaged and len(self.documents) >= self.count >= 0


def rescue(folders: Sequence[Path], given: Collection[str] = ()) -> Rescue:
    """Recover the documents of the first generation, missing ones from the others.

    Args:
        folders: folders of generations, the current one first, then newest first.
        given: ids of documents that will be added anyway; they are not reported.
    """
    if not folders:
        return Rescue({})
    first = _read(folders[0])
    saved = {document.id: document for document in first.documents.values()}
    if first.whole:
        return Rescue(saved)
    restored: list[str] = []
    older_texts: list[LeftOut] = []
    for folder in folders[1:]:
        for document, same in _lost(first, _read(folder, older=True), saved):
            saved[document.id] = document
            if document.id in given:
                continue
            restored.append(document.id)
            if not same:
                reason = (
                    f"damaged; its text of the index before ({folder.name}) was taken: take it in again with "
                    "`torchnotes add PATH`"
                )
                older_texts.append(LeftOut(document.id, document.origin, reason))
    return Rescue(saved, tuple(restored), (*older_texts, *_gone(folders[0], first, saved, given)))


def _lost(first: _Held, older: _Held, saved: dict[str, Document]) -> Iterator[tuple[Document, bool]]:
    """Yield the documents that the first generation lost, and whether the older one has the same text."""
    hashes = {line.content_hash for line in first.damaged if line.content_hash}
    sources = {source_of(line.document_id) for line in first.damaged if line.document_id}
    chunks: dict[int, set[str]] = {}
    for chunk, place in older.chunks.items():
        chunks.setdefault(place, set()).add(chunk)
    texts = {document.text for document in saved.values()}
    known = {source_of(document_id) for document_id in saved}
    blind = not first.chunks  # unknown what it held: better to restore one too many than to lose one
    for place, document in older.documents.items():
        if source_of(document.id) in known or document.text in texts:
            continue
        own = chunks.get(place, set())
        held = own & first.chunks.keys()
        same = document.content_hash in hashes or bool(held and held == own)
        if same or held or blind or source_of(document.id) in sources:
            yield document, same


def _gone(
    folder: Path, first: _Held, saved: dict[str, Document], given: Collection[str]
) -> Iterator[LeftOut]:
    """Yield what could not be recovered."""
    path = folder / DOCUMENTS_FILE
    if first.unreadable:
        yield LeftOut("", str(path), f"cannot be read ({first.unreadable}); an older one was taken")
        return
    if len(saved) >= first.count > 0:
        return
    known = {source_of(document_id) for document_id in (*saved, *given)}
    hashes = {document.content_hash for document in saved.values()}
    again = "take it in again with `torchnotes add PATH`"
    for line in first.damaged:
        if line.content_hash not in hashes and source_of(line.document_id) not in known:
            yield LeftOut(line.document_id, f"{path}, line {line.number}", f"damaged; {again}")
    missing = first.count - len(first.documents) - len(first.damaged)
    if missing > 0 and len(saved) + len(first.damaged) < first.count:
        yield LeftOut("", str(path), f"cut short: up to {missing} documents are lost; {again}")


def _read(folder: Path, *, older: bool = False) -> _Held:
    held = _Held()
    try:
        lines = (folder / DOCUMENTS_FILE).read_bytes().split(b"\n")
    except OSError as error:
        lines = []
        held.unreadable = error.strerror or str(error)
    for number, line in enumerate(lines, start=1):
        if not line:
            continue
        document = read_line(line)
        if document:
            held.documents[number - 1] = document
        else:
            held.damaged.append(_Line(number, _first(_HASH, line), _first(_ID, line)))
    held.count = _count(folder)
    if older or not held.whole:
        held.chunks = _chunks(folder)
        held.count = max(held.count, 1 + max(held.chunks.values(), default=-2))
    return held


def _chunks(folder: Path) -> dict[str, int]:
    try:
        lines = (folder / CHUNKS_FILE).read_bytes().split(b"\n")
    except OSError:
        return {}
    found = (_CHUNK.match(line) for line in lines)
    return {match[1].decode(): int(match[2]) for match in found if match}


def _count(folder: Path) -> int:
    """Return the number of documents in the manifest, of whatever format; -1 if it cannot be read."""
    try:
        count = json.loads((folder / MANIFEST_FILE).read_bytes())["documents"]
    except (OSError, ValueError, KeyError, TypeError):
        return -1
    return count if isinstance(count, int) else -1


def _first(pattern: re.Pattern[bytes], line: bytes) -> str:
    match = pattern.search(line)
    return match[1].decode("utf-8", "replace") if match else ""
