"""Adding and removing documents on behalf of visitors."""

from __future__ import annotations

import threading
from collections.abc import Generator, Iterator, Mapping, Sequence
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

_LONGEST_NAME = 120  # maximum characters of a file name
_LONGEST_ADDRESS = 2000


class LockedError(TorchnotesError):
    """Visitors must not change the documents of this server."""


def check_allowed(app_state: AppState) -> None:
    """Check that visitors may change documents.

    Args:
        app_state: shared state.

    Raises:
        LockedError: they must not.
    """
    if not app_state.allow_documents:
        raise LockedError(words.LOCKED["en"])


@dataclass(frozen=True, slots=True)
class Upload:
    """An uploaded file.

    Attributes:
        path: temporary path on the server.
        name: name of the file at the visitor.
    """

    path: Path
    name: str


@dataclass(frozen=True, slots=True)
class RefusedDocument:
    """A document that was not added.

    Attributes:
        source: name known to the visitor.
        reason: why it was not added.
    """

    source: str
    reason: str


@dataclass(frozen=True, slots=True)
class IntakeOutcome:
    """The result of a change.

    Attributes:
        taken: given documents, each with what became of it.
        removed: documents that are no longer in the index.
        refused: documents that were not added.
        digests: number of shipped digests that were added or changed as well.
        documents: number of documents in the index.
        chunks: number of chunks in the index.
        embedded: number of texts embedded.
        updated: whether the index was updated; False if no document was left to add.
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
    """Adds and removes documents, one visitor at a time.

    Args:
        app_state: shared state, with the index and the permission to change it.
        folder: folder of uploaded files; nothing outside it is read or deleted.
    """

    def __init__(self, app_state: AppState, folder: Path) -> None:
        self._app_state = app_state
        self._folder = folder
        self._turn = threading.Lock()

    def add(
        self, uploads: Sequence[Upload], address: str, shown: Language
    ) -> Generator[WorkStep, None, IntakeOutcome]:
        """Add uploaded files, and the page at an address. The files are deleted in any case.

        Args:
            uploads: uploaded files, of which at most `MOST_FILES` are read.
            address: public http or https address; "" for none.
            shown: language of the reasons.

        Yields:
            The progress.

        Returns:
            The result.

        Raises:
            LockedError: visitors must not change documents; the files are not touched.
            TorchnotesError: the index cannot be changed.
        """
        check_allowed(self._app_state)
        return (yield from watched(lambda tell: self._add(uploads, address.strip(), shown, tell)))

    def remove(self, ids: Sequence[str]) -> Generator[WorkStep, None, IntakeOutcome]:
        """Remove documents.

        Args:
            ids: ids of the documents.

        Yields:
            The progress.

        Returns:
            The result.

        Raises:
            LockedError: visitors must not change documents.
            TorchnotesError: a document is not in the index or ships with torchnotes, or the index cannot be
                changed.
        """
        check_allowed(self._app_state)
        return (yield from watched(lambda tell: self._update([], ids, [], tell)))

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
        """Yield the given documents, and add what cannot be read to `refused`."""

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
        # Anything but a web address would be read as a path on this machine.
        if address and (not is_web(address.lower()) or len(address) > _LONGEST_ADDRESS):
            refused.append(RefusedDocument(one_line(address[:_LONGEST_NAME]), words.NO_ADDRESS[shown]))
        elif address:
            yield from load(address, on_skip=on_skip, allow_private=False)
        tell("load", total, total)

    def _update(
        self, add: Sequence[Document], remove: Sequence[str], refused: Sequence[RefusedDocument], tell: Tell
    ) -> IntakeOutcome:
        factory = self._app_state.factory
        with self._my_turn(tell):
            tell("open", 0, 0)
            before = self._app_state.assistant().retriever.generation.documents
            check_removable(before, remove, shipped_corpus=factory.settings.shipped_corpus)
            report = factory.update(add, remove, progress=tell)
            tell("read", 0, 0)
            manifest = self._app_state.assistant().retriever.generation.manifest
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
        """Return whether a visitor uploaded the file; being in the folder is not sufficient."""
        return str(path) in self._app_state.received and path.resolve().is_relative_to(self._folder.resolve())

    def _discard(self, path: Path) -> None:
        """Delete an uploaded file and its folder."""
        if self._is_ours(path):
            with suppress(OSError):  # it is already deleted, or the folder contains another file
                path.unlink()
                path.parent.rmdir()


def _plain_name(name: str) -> str:
    r"""Return a file name as one printable line without folders; long names keep their suffix.

    >>> _plain_name("C:\\notes\\a.md"), _plain_name("../b\n.txt")
    ('a.md', 'b .txt')
    """
    plain = one_line(normalize("NFC", PurePosixPath(name.replace("\\", "/")).name)) or "?"
    suffix = PurePosixPath(plain).suffix[:_LONGEST_NAME]
    return plain if len(plain) <= _LONGEST_NAME else f"{plain[: _LONGEST_NAME - len(suffix)]}{suffix}"


def _left_out(report: UpdateReport, before: Mapping[str, Document]) -> Iterator[RefusedDocument]:
    """Yield documents left out by the index, without paths of this machine."""
    origins = sorted((document.origin for document in before.values()), key=len, reverse=True)
    for left in report.left_out:
        reason = left.reason
        for origin in origins:
            if origin in reason:
                reason = reason.replace(origin, known_as(origin))
        yield RefusedDocument(known_as(left.origin), one_line(reason.replace(UPLOADED, "")))
