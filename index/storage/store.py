"""The store: an index that is read while it is written, updated at the cost of what changed, and mended.

A writer makes a new generation aside and switches to it; readers need no lock. The generation before the one
in force is kept until the next switch, so a reader that just began finds it whole.
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
    """The index of a home folder.

    Args:
        home: the data folder; made by the first update.
        lock_timeout: seconds that an update waits for another one to end.
    """

    def __init__(self, home: Path, *, lock_timeout: float = LOCK_TIMEOUT) -> None:
        self.folder = home / "index"
        self._shelf = GenerationDirectory(self.folder)
        self._lock_timeout = lock_timeout
        self._told = False  # that `current` is damaged and cannot be mended

    def current(self) -> str | None:
        """Return the name of the generation in force, None without an index; a server asks it when to reopen.

        Where the file that names it is damaged, it is written anew: the newest generation is in force.

        Raises:
            IndexMismatchError: that file is damaged, and so is the newest generation.
        """
        if self._shelf.fault():
            self._mend()
        return self._shelf.current()

    def manifest(self) -> Manifest:
        """The manifest of the generation in force, without the rest of it.

        Raises:
            IndexMismatchError: as `open`.
        """
        return self._read(Manifest.read)

    def open(self, expect: Parameters | None = None) -> Generation:
        """Read the generation in force.

        Args:
            expect: what it must have been built with; None: anything.

        Raises:
            IndexMismatchError: there is none, it is damaged, or it was built otherwise; the message names the
                command that mends it.
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
        """Take documents in and out; nothing is written when nothing changes.

        Args:
            add: documents, each replacing the one of its id.
            remove: ids of documents.
            builder: with the parameters that the index was built with.
            shipped: fingerprint of the shipped documents, kept as `manifest().shipped`; None: as it was.
            progress: called with a stage, how much of it is done, and how much there is.

        Raises:
            IndexBusyError: another process is writing.
            IndexMismatchError: the index is damaged or was built otherwise.
            TorchnotesError: the folder cannot be written.
        """
        with self._writing():
            previous = None if self._shelf.current() is None else self.open(builder.parameters)
            documents, report = plan_update(previous.documents if previous else {}, add, remove)
            old_shipped = previous.manifest.shipped if previous else ""
            shipped = old_shipped if shipped is None else shipped
            changes = report.added or report.changed or report.removed
            if not changes and (previous is None or shipped == old_shipped):
                self._shelf.sweep()
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
        """Build everything anew from the stored documents: for another embedder, or after damage.

        Nothing but the documents is taken from the old index. Those that are damaged in it are taken from the
        generation before (`restored`); what cannot be saved is named in `left_out`. Arguments and errors are
        those of `update`, but the parameters may be others.
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

    def documents(self) -> dict[str, Document]:
        """The stored documents by id, out of an index of any parameters, format and state."""
        return self._rescue().documents

    def verify(self) -> list[str]:
        """Read every file of the generation in force; one line a fault, none when all is as written."""
        try:
            for _ in range(_ATTEMPTS):
                name = self.current()
                if name is None:
                    raise self._missing()
                faults = find_faults(self._shelf.path(name))
                if not faults or self.current() == name:
                    return faults
            raise self._restless()
        except IndexMismatchError as error:
            return [str(error)]

    def _read(self, load: Callable[[Path], _T]) -> _T:
        """Load from the generation in force; anew when it was switched and removed meanwhile."""
        for _ in range(_ATTEMPTS):
            name = self.current()
            if name is None:
                raise self._missing()
            try:
                return load(self._shelf.path(name))
            except IndexMismatchError:
                raise
            except Exception as error:
                # Damage and removal show as any error of the readers below: JSON, npz, FAISS, files.
                if self.current() == name:
                    reason = str(error).partition("\n")[0]
                    raise IndexMismatchError(
                        f"index {self._shelf.path(name)}: damaged ({reason}); type `torchnotes rebuild`"
                    ) from error
        raise self._restless()

    def _publish(
        self, generation: Generation, report: UpdateReport, progress: BuildProgress | None
    ) -> UpdateReport:
        if progress:
            progress("write", 0, 1)
        name = self._shelf.put(generation.save)
        if progress:
            progress("write", 1, 1)
        return replace(report, generation=name, written=True)

    def _rescue(self, given: Collection[str] = ()) -> Rescue:
        """The stored documents, out of an index of any parameters, format and state, and what is lost."""
        names = self._shelf.names()
        try:
            name = self._shelf.current()
            names = [name, *names] if name else names
        except IndexMismatchError:
            pass  # the newest generation is then the likeliest
        return rescue([self._shelf.path(name) for name in dict.fromkeys(names)], given)

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """Be the only writer, of an index whose generation in force is known where it can be."""
        with writer_lock(self.folder, self._lock_timeout):
            try:
                self._shelf.mend()
            except IndexMismatchError:
                pass  # an update refuses when it opens the index, a rebuild mends it
            except OSError as error:
                raise cannot_write(self.folder, error) from error
            yield

    def _mend(self) -> None:
        """Mend `current` where no writer is about to; a reader who may not write can do without."""
        try:
            with writer_lock(self.folder, 0):
                self._shelf.mend()
        except IndexBusyError:
            return
        except (TorchnotesError, OSError) as error:
            if not self._told:
                _log.warning("%s", error)
            self._told = True

    def _check(self, name: str) -> None:
        """Refuse to build upon what is not as it was written: its checksums would be made anew."""
        faults = find_faults(self._shelf.path(name))
        if faults:
            raise IndexMismatchError(f"index {self.folder}: damaged ({faults[0]}); type `torchnotes rebuild`")

    def _missing(self) -> IndexMismatchError:
        return IndexMismatchError(f"no index in {self.folder}; type `torchnotes add PATH` to make one")

    def _restless(self) -> IndexMismatchError:
        return IndexMismatchError(
            f"index {self.folder}: rewritten again and again while it was read; try again"
        )
