"""Documents that visitors of the page put into the index and take out of it."""

from __future__ import annotations

import threading
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING
from unicodedata import normalize

from ingest.addresses import is_web
from ingest.document import Document, Language
from ingest.errors import SourceError, TorchnotesError
from ingest.loaders import UPLOADED, load, load_upload
from ui.shared.console import one_line
from ui.shared.documents import Fate, check_removable, fates, known_as
from ui.web.components.background_work import Tell, WorkStep, watched
from ui.web.documents import document_labels as words
from ui.web.guard.uploads import MOST_FILES

if TYPE_CHECKING:
    from index.storage.changes import UpdateReport
    from ui.shared.app_state import AppState

_LONGEST_NAME = 120  # characters of a file's name that are kept
_LONGEST_ADDRESS = 2000


class LockedError(TorchnotesError):
    """Visitors may not change the documents of this server."""


@dataclass(frozen=True, slots=True)
class Upload:
    """A file that a visitor sent: where its bytes lie for now, and the name that the visitor knows it by."""

    path: Path
    name: str


@dataclass(frozen=True, slots=True)
class RefusedDocument:
    """What was not taken, by the name that its giver knows, and why."""

    source: str
    reason: str


@dataclass(frozen=True, slots=True)
class IntakeOutcome:
    """What a change of the documents came to.

    Attributes:
        taken: the documents given, each with what became of it.
        removed: documents that are in the index no more.
        refused: what was not taken.
        digests: how many shipped digests came in or changed besides.
        documents, chunks: how many the index holds now.
        embedded: how many texts were embedded.
        updated: the index was asked to change; False where nothing was left to ask for.
    """

    taken: tuple[tuple[Fate, Document], ...] = ()
    removed: tuple[Document, ...] = ()
    refused: tuple[RefusedDocument, ...] = ()
    digests: int = 0
    documents: int = 0
    chunks: int = 0
    embedded: int = 0
    updated: bool = False


class Intake:
    """Takes documents in and out, one visitor after the other.

    Args:
        desk: has the index, and says whether visitors may change it.
        folder: where files that were sent lie; nothing outside of it is read or deleted.
    """

    def __init__(self, app_state: AppState, folder: Path) -> None:
        self._desk = app_state
        self._folder = folder
        self._turn = threading.Lock()

    def add(
        self, uploads: Sequence[Upload], address: str, shown: Language
    ) -> Generator[WorkStep, None, IntakeOutcome]:
        """Take files that were sent, and the page of an address, into the index.

        The files are deleted, whatever becomes of them.

        Args:
            uploads: at most `MOST_FILES` of them are read.
            address: http or https, of the public internet; "" for none.
            shown: the language of the reasons that are ours.

        Raises:
            LockedError: visitors may not; the files are not touched.
            TorchnotesError: the index cannot be changed.
        """
        self._check_allowed()
        return (yield from watched(lambda tell: self._add(uploads, address.strip(), shown, tell)))

    def remove(self, ids: Sequence[str]) -> Generator[WorkStep, None, IntakeOutcome]:
        """Take documents out of the index.

        Raises:
            LockedError: visitors may not.
            TorchnotesError: one of them is not in the index or ships, or the index cannot be changed.
        """
        self._check_allowed()
        return (yield from watched(lambda tell: self._update([], ids, [], tell)))

    def _check_allowed(self) -> None:
        if not self._desk.allow_documents:
            raise LockedError(words.LOCKED["en"])

    def _add(self, uploads: Sequence[Upload], address: str, shown: Language, tell: Tell) -> IntakeOutcome:
        refused: list[RefusedDocument] = []
        try:
            documents = [*self._load(uploads, address, shown, refused, tell)]
        finally:
            for upload in uploads:
                self._discard(upload.path)
        return (
            self._update(documents, [], refused, tell) if documents else IntakeOutcome(refused=tuple(refused))
        )

    def _load(
        self,
        uploads: Sequence[Upload],
        address: str,
        shown: Language,
        refused: list[RefusedDocument],
        tell: Tell,
    ) -> Iterator[Document]:
        """The documents of what was given; what cannot be taken is added to `refused`."""

        def on_skip(error: SourceError) -> None:
            refused.append(RefusedDocument(known_as(error.source), one_line(error.reason)))

        names: set[str] = set()
        total = len(uploads[:MOST_FILES]) + bool(address)
        tell("load", 0, total)
        for done, upload in enumerate(uploads[:MOST_FILES], start=1):
            name = _plain_name(upload.name)
            if name in names:
                refused.append(RefusedDocument(name, words.TWICE[shown]))
            elif not self._is_ours(upload.path) or not upload.path.is_file():
                refused.append(RefusedDocument(name, words.GONE[shown]))
            else:
                yield from load_upload(upload.path, name, on_skip=on_skip)
            names.add(name)
            tell("load", done, total)
        if rest := uploads[MOST_FILES:]:
            reason = words.TOO_MANY[shown].format(most=MOST_FILES, count=len(rest))
            refused.append(RefusedDocument(f"{_plain_name(rest[0].name)} …", reason))
        # Anything else than an address would be read as a path on this machine.
        if address and (not is_web(address.lower()) or len(address) > _LONGEST_ADDRESS):
            refused.append(RefusedDocument(one_line(address[:_LONGEST_NAME]), words.NO_ADDRESS[shown]))
        elif address:
            yield from load(address, on_skip=on_skip, allow_private=False)
        tell("load", total, total)

    def _update(
        self, add: Sequence[Document], remove: Sequence[str], refused: Sequence[RefusedDocument], tell: Tell
    ) -> IntakeOutcome:
        factory = self._desk.factory
        with self._my_turn(tell):
            tell("open", 0, 0)
            before = self._desk.assistant().retriever.generation.documents
            check_removable(before, remove, shipped_corpus=factory.settings.shipped_corpus)
            report = factory.update(add, remove, progress=tell)
            tell("read", 0, 0)
            manifest = self._desk.assistant().retriever.generation.manifest
        taken, digests = fates(add, report)
        return IntakeOutcome(
            taken=tuple(taken),
            removed=tuple(before[name] for name in report.removed if name in before),
            refused=(*refused, *_left_out(report, before)),
            digests=digests,
            documents=manifest.documents,
            chunks=manifest.chunks,
            embedded=report.embedded,
            updated=True,
        )

    @contextmanager
    def _my_turn(self, tell: Tell) -> Iterator[None]:
        if not self._turn.acquire(blocking=False):
            tell("wait", 0, 0)
            self._turn.acquire()
        try:
            yield
        finally:
            self._turn.release()

    def _is_ours(self, path: Path) -> bool:
        """Return whether a visitor sent the file; that it lies in the folder proves nothing."""
        return str(path) in self._desk.received and path.resolve().is_relative_to(self._folder.resolve())

    def _discard(self, path: Path) -> None:
        """Delete a file that was sent, and the folder made for it."""
        if self._is_ours(path):
            with suppress(OSError):  # it is gone already, or another file lies beside it
                path.unlink()
                path.parent.rmdir()


def _plain_name(name: str) -> str:
    """A file's name as one printable line without folders; a long one keeps its ending.

    >>> _plain_name("C:\\\\notes\\\\a.md"), _plain_name("../b\\n.txt")
    ('a.md', 'b .txt')
    """
    plain = one_line(normalize("NFC", PurePosixPath(name.replace("\\", "/")).name)) or "?"
    suffix = PurePosixPath(plain).suffix[:_LONGEST_NAME]
    return plain if len(plain) <= _LONGEST_NAME else f"{plain[: _LONGEST_NAME - len(suffix)]}{suffix}"


def _left_out(report: UpdateReport, before: dict[str, Document]) -> Iterator[RefusedDocument]:
    """What the index left out; where files lie on this machine is nothing for a visitor."""
    origins = sorted((document.origin for document in before.values()), key=len, reverse=True)
    for left in report.left_out:
        reason = left.reason
        for origin in origins:
            if origin in reason:
                reason = reason.replace(origin, known_as(origin))
        yield RefusedDocument(known_as(left.origin), one_line(reason.replace(UPLOADED, "")))
