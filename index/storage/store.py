"""The index of a data folder: concurrent reads, incremental updates, and repair.

A writer creates a new generation and switches to it, so readers need no lock. The previous generation is kept
until the next switch, so that a reader that has just opened it can finish reading.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from index.storage.builder import BuildProgress, IndexBuilder
from index.storage.changes import LeftOut, UpdateReport, plan_update
from index.storage.generation import Generation
from index.storage.generation_directory import GenerationDirectory
from index.storage.manifest import Manifest, Parameters, find_faults
from index.storage.publishing import IndexBusyError, cannot_write, writer_lock
from index.storage.rescue import Rescue, rescue
from ingest.document import Document
from ingest.errors import IndexMismatchError, TorchnotesError

__all__ = [
    "BuildProgress",
    "Generation",
    "IndexBuilder",
    "IndexBusyError",
    "LeftOut",
    "Parameters",
    "Store",
    "UpdateReport",
]

LOCK_TIMEOUT = 30.0
_ATTEMPTS = 20
_T = TypeVar("_T")

_log = logging.getLogger(__name__)


class Store:
    """The index of a data folder.

    Args:
        home: the data folder; created by the first update.
        lock_timeout: seconds to wait for another writer.
    """

    def __init__(self, home: Path, *, lock_timeout: float = LOCK_TIMEOUT) -> None:
        self.folder = home / "index"
        self._directory = GenerationDirectory(self.folder)
        self._lock_timeout = lock_timeout
        self._told = False  # whether the warning about a damaged `current` was logged

    @property
    def place(self) -> str:
        """Where the index is, for messages."""
        return str(self.folder)

    def current(self) -> str | None:
        """Return the name of the current generation, None without an index; a change means: reopen.

        A damaged pointer file is rewritten to name the newest generation.

        Raises:
            IndexMismatchError: both the pointer file and the newest generation are damaged.
        """
        if self._directory.fault():
            self._mend()
        return self._directory.current()

    def manifest(self) -> Manifest:
        """Read the manifest of the current generation only.

        Raises:
            IndexMismatchError: there is no index, it is damaged, or it is of another format.
        """
        return self._read(Manifest.read)

    def open(self, expect: Parameters | None = None) -> Generation:
        """Read the current generation.

        Args:
            expect: parameters it must have been built with; None: any.

        Raises:
            IndexMismatchError: there is no index, it is damaged, or it was built with other parameters; the
                message names the command to run.
        """

        def load(folder: Path) -> Generation:
            manifest = Manifest.read(folder)
            if expect is not None:
                manifest.check(folder, expect)
            return Generation.load(folder, manifest)

        return self._read(load)

    def update(
        self,
        add: Sequence[Document] = (),
        remove: Collection[str] = (),
        *,
        builder: IndexBuilder,
        shipped: str | None = None,
        progress: BuildProgress | None = None,
    ) -> UpdateReport:
        """Add and remove documents; nothing is written if nothing changes.

        Args:
            add: documents to add; each replaces the stored ones of its source.
            remove: ids of documents to remove.
            builder: a builder with the parameters of the index.
            shipped: fingerprint of the shipped documents, stored as `manifest().shipped`; None: unchanged.
            progress: callback for progress.

        Raises:
            EmbedderError: the embedder returned no valid vectors.
            IndexBusyError: another process is writing.
            IndexMismatchError: the index is damaged, or was built with other parameters.
            TorchnotesError: the folder cannot be written.
        """
        with self._writing():
            previous = None if self._directory.current() is None else self.open(builder.parameters)
            documents, report = plan_update(previous.documents if previous else {}, add, remove)
            old_shipped = previous.manifest.shipped if previous else ""
            shipped = old_shipped if shipped is None else shipped
            changes = report.added or report.changed or report.removed
            if not changes and (previous is None or shipped == old_shipped):
                self._directory.sweep()
                return replace(report, generation=previous.name if previous else "")
            if previous:
                self._check(previous.name)
            generation, embedded = builder.build(documents, previous, shipped=shipped, progress=progress)
            return self._publish(generation, replace(report, embedded=embedded), progress)

    def rebuild(
        self,
        add: Sequence[Document] = (),
        remove: Collection[str] = (),
        *,
        builder: IndexBuilder,
        shipped: str = "",
        progress: BuildProgress | None = None,
    ) -> UpdateReport:
        """Build the index from scratch from the stored documents, after damage or for another embedder.

        Only the documents are reused. Damaged ones are taken from the previous generation (`restored`); those
        that cannot be recovered are listed in `left_out`.

        Args:
            add: documents to add; each replaces the stored ones of its source.
            remove: ids of documents to remove.
            builder: a builder with any parameters.
            shipped: fingerprint of the shipped documents, "" for none.
            progress: callback for progress.

        Raises:
            EmbedderError: the embedder returned no valid vectors.
            IndexBusyError: another process is writing.
            TorchnotesError: the folder cannot be written.
        """
        with self._writing():
            saved = self._rescue({document.id for document in add})
            documents, report = plan_update(saved.documents, add, remove)
            generation, embedded = builder.build(documents, shipped=shipped, progress=progress)
            report = replace(
                report,
                left_out=(*report.left_out, *saved.left_out),
                restored=tuple(name for name in saved.restored if name in documents),
                embedded=embedded,
            )
            return self._publish(generation, report, progress)

    def put(self, generation: Generation, progress: BuildProgress | None = None) -> str:
        """Make a generation that was read elsewhere the current one.

        Args:
            generation: the generation.
            progress: callback for progress.

        Returns:
            Its name here.

        Raises:
            IndexBusyError: another process is writing.
            TorchnotesError: the folder cannot be written.
        """
        with self._writing():
            return self._put(generation, progress)

    def documents(self) -> dict[str, Document]:
        """Return the stored documents by id, even from a damaged index or one of another format."""
        return self._rescue().documents

    def verify(self) -> list[str]:
        """Verify all files of the current generation.

        Returns:
            One line for each fault.
        """
        try:
            for _ in range(_ATTEMPTS):
                name = self.current()
                if name is None:
                    raise self._missing()
                faults = find_faults(self._directory.path(name))
                if not faults or self.current() == name:
                    return faults
            raise self._restless()
        except IndexMismatchError as error:
            return [str(error)]

    def _read(self, load: Callable[[Path], _T]) -> _T:
        """Load from the current generation; retry if a writer replaced and removed it meanwhile."""
        for _ in range(_ATTEMPTS):
            name = self.current()
            if name is None:
                raise self._missing()
            try:
                return load(self._directory.path(name))
            except IndexMismatchError:
                raise
            except Exception as error:
                # Damage and removal can raise any error of the readers: JSON, npz, FAISS, files.
                if self.current() == name:
                    reason = str(error).partition("\n")[0]
                    raise IndexMismatchError(
                        f"index {self._directory.path(name)}: damaged ({reason}); type `torchnotes rebuild`"
                    ) from error
        raise self._restless()

    def _publish(
        self, generation: Generation, report: UpdateReport, progress: BuildProgress | None
    ) -> UpdateReport:
        return replace(report, generation=self._put(generation, progress), written=True)

    def _put(self, generation: Generation, progress: BuildProgress | None) -> str:
        if progress:
            progress("write", 0, 1)
        name = self._directory.put(generation.save)
        if progress:
            progress("write", 1, 1)
        return name

    def _rescue(self, given: Collection[str] = ()) -> Rescue:
        """Recover the stored documents from an index of any parameters, format and state."""
        names = self._directory.names()
        try:
            name = self._directory.current()
            names = [name, *names] if name else names
        except IndexMismatchError:
            pass  # fall back to the newest generation
        return rescue([self._directory.path(name) for name in dict.fromkeys(names)], given)

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """Hold the writer lock, with a damaged pointer file repaired where possible."""
        with writer_lock(self.folder, self._lock_timeout):
            try:
                self._directory.mend()
            except IndexMismatchError:
                pass  # an update fails when it opens the index, a rebuild repairs it
            except OSError as error:
                raise cannot_write(self.folder, error) from error
            yield

    def _mend(self) -> None:
        """Repair the pointer file unless a writer is about to; only log failure, as readers can go on."""
        try:
            with writer_lock(self.folder, 0):
                self._directory.mend()
        except IndexBusyError:
            return
        except (TorchnotesError, OSError) as error:
            if not self._told:
                _log.warning("%s", error)
            self._told = True

    def _check(self, name: str) -> None:
        """Refuse to update a damaged index: the new checksums would hide the damage."""
        faults = find_faults(self._directory.path(name))
        if faults:
            raise IndexMismatchError(f"index {self.folder}: damaged ({faults[0]}); type `torchnotes rebuild`")

    def _missing(self) -> IndexMismatchError:
        return IndexMismatchError(f"no index in {self.folder}; type `torchnotes add PATH` to make one")

    def _restless(self) -> IndexMismatchError:
        return IndexMismatchError(
            f"index {self.folder}: rewritten again and again while it was read; try again"
        )
