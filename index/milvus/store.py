"""The index of a server: read, updated and repaired like the folder of `index.storage.store`.

A writer reads the whole index into memory, builds the next generation there, writes it into collections of
its own and moves the alias. Readers take a generation by its own name, not by the alias, so they see all of
it or nothing; the generation before stays until the next switch.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from index.milvus.address import Address
from index.milvus.lease import Lease, writer_lease
from index.milvus.names import SCHEMA, Names, generations, read_name
from index.milvus.reading import (
    MilvusGeneration,
    StoredManifest,
    open_generation,
    read_generation,
    read_manifest,
    read_stored_documents,
)
from index.milvus.server import Server
from index.milvus.writing import write_generation
from index.storage.builder import IndexBuilder
from index.storage.changes import UpdateReport, plan_update
from index.storage.content import content_digest, content_sums
from index.storage.generation import Generation
from index.storage.interface import BuildProgress
from index.storage.manifest import Manifest, Parameters
from index.storage.store import LOCK_TIMEOUT
from ingest.document import Document
from ingest.errors import IndexMismatchError, TorchnotesError
from ingest.locked_property import locked_cached_property


class MilvusStore:
    """An index in Milvus. The first call connects.

    Args:
        address: where it is.
        token: token, or user and password as "user:password"; "" for none.
        lock_timeout: seconds to wait for another writer.
    """

    def __init__(self, address: Address, token: str = "", *, lock_timeout: float = LOCK_TIMEOUT) -> None:
        self.address = address
        self._token = token
        self._lock_timeout = lock_timeout

    @property
    def place(self) -> str:
        """Where the index is, for messages."""
        return self.address.text

    @locked_cached_property
    def server(self) -> Server:
        """The connection."""
        return Server(self.address, self._token)

    def current(self) -> str | None:
        """Return the name of the current generation, None without an index; a change means: reopen.

        Raises:
            IndexMismatchError: what has the name is no index, or one of another version.
            TorchnotesError: the server does not answer.
        """
        names = self._names()
        return names.generation if names else None

    def manifest(self) -> Manifest:
        """Read the manifest of the current generation only.

        Raises:
            IndexMismatchError: there is no index, it is damaged, or of another version.
            TorchnotesError: the server does not answer.
        """
        return self._held().manifest

    def open(self, expect: Parameters | None = None) -> MilvusGeneration:
        """Open the current generation: documents, chunks and vocabulary are read, the rest stays there.

        Args:
            expect: parameters it must have been built with; None: any.

        Raises:
            IndexMismatchError: there is no index, it is damaged, or it was built with other parameters.
            TorchnotesError: the server does not answer.
        """
        names = self._present()
        manifest = read_manifest(self.server, names).manifest
        self._check(manifest, expect)
        return open_generation(self.server, names, manifest)

    def whole(
        self,
        expect: Parameters | None = None,
        *,
        aside: Path | None = None,
        progress: BuildProgress | None = None,
    ) -> Generation:
        """Read all of the current generation into memory.

        Args:
            expect: parameters it must have been built with; None: any.
            aside: folder in which what has come is kept, to go on after an interruption; None: nowhere.
            progress: callback for progress.

        Raises:
            IndexMismatchError: as for `open`.
            TorchnotesError: the server does not answer.
        """
        names = self._present()
        manifest = read_manifest(self.server, names).manifest
        self._check(manifest, expect)
        aside = aside / names.generation if aside else None
        return read_generation(self.server, names, manifest, aside=aside, progress=progress)

    def update(
        self,
        add: Sequence[Document] = (),
        remove: Collection[str] = (),
        *,
        builder: IndexBuilder,
        shipped: str | None = None,
        progress: BuildProgress | None = None,
    ) -> UpdateReport:
        """Add and remove documents, as `index.storage.store.Store.update` does.

        Args:
            add: documents to add; each replaces the stored ones of its source.
            remove: ids of documents to remove.
            builder: a builder with the parameters of the index.
            shipped: fingerprint of the shipped documents; None: unchanged.
            progress: callback for progress.

        Raises:
            EmbedderError: the embedder returned no valid vectors.
            IndexBusyError: another process is writing.
            IndexMismatchError: the index is damaged, or was built with other parameters.
            TorchnotesError: the server does not answer.
        """
        with self._writing() as lease:
            names = self._names()
            manifest = None if names is None else self.manifest()
            old_shipped = manifest.shipped if manifest else ""
            if manifest:
                self._check(manifest, builder.parameters)
            documents, report = plan_update(self.documents(), add, remove)
            shipped = old_shipped if shipped is None else shipped
            changes = report.added or report.changed or report.removed
            if not changes and (names is None or shipped == old_shipped):
                return replace(report, generation=names.generation if names else "")
            previous = self.whole(progress=progress) if names else None
            generation, embedded = builder.build(documents, previous, shipped=shipped, progress=progress)
            return self._publish(generation, replace(report, embedded=embedded), lease, progress)

    def rebuild(
        self,
        add: Sequence[Document] = (),
        remove: Collection[str] = (),
        *,
        builder: IndexBuilder,
        shipped: str = "",
        progress: BuildProgress | None = None,
    ) -> UpdateReport:
        """Build the index from scratch from the stored documents.

        Args:
            add: documents to add; each replaces the stored ones of its source.
            remove: ids of documents to remove.
            builder: a builder with any parameters.
            shipped: fingerprint of the shipped documents, "" for none.
            progress: callback for progress.

        Raises:
            EmbedderError: the embedder returned no valid vectors.
            IndexBusyError: another process is writing.
            IndexMismatchError: the documents are damaged.
            TorchnotesError: the server does not answer.
        """
        with self._writing() as lease:
            documents, report = plan_update(self.documents(), add, remove)
            generation, embedded = builder.build(documents, shipped=shipped, progress=progress)
            return self._publish(generation, replace(report, embedded=embedded), lease, progress)

    def put(self, generation: Generation, progress: BuildProgress | None = None) -> str:
        """Make a generation the current one.

        Args:
            generation: the generation.
            progress: callback for progress.

        Returns:
            Its name here.

        Raises:
            IndexBusyError: another process is writing.
            TorchnotesError: the server does not answer.
        """
        with self._writing() as lease:
            return self._switch(generation, lease, progress)

    def documents(self) -> dict[str, Document]:
        """Return the stored documents by id; those of an index of another format too."""
        names = self._names()
        return read_stored_documents(self.server, names) if names else {}

    def verify(self) -> list[str]:
        """Read all of the index, and compare it with what was written.

        Returns:
            One line for each fault.
        """
        try:
            held, found = self._held(), content_sums(self.whole())
        except IndexMismatchError as error:
            return [str(error)]
        return [
            f"{self.place}: {part} are not what was written"
            for part in found
            if found[part] != held.sums[part]
        ]

    def _switch(self, generation: Generation, lease: Lease, progress: BuildProgress | None) -> str:
        sums = content_sums(generation)
        digest = content_digest(generation, sums)
        before = self._names()
        known = generations(self.address.collection, self.server.collections())
        number = max((names.number for names in known), default=0) + 1
        begun = [names for names in known if (names.schema, names.digest) == (SCHEMA, digest)]
        if before in begun:
            if not self.verify():
                return before.generation
            begun.remove(before)
        names = begun[-1] if begun else Names(self.address.collection, SCHEMA, number, digest)
        write_generation(self.server, names, generation, sums, progress)
        lease.check()
        self.server.call("alter_alias" if before else "create_alias", names.chunks, self.address.collection)
        for other in known:
            if other not in (names, before):
                for collection in other.all:
                    self.server.drop(collection)
        return names.generation

    def _publish(
        self, generation: Generation, report: UpdateReport, lease: Lease, progress: BuildProgress | None
    ) -> UpdateReport:
        return replace(report, generation=self._switch(generation, lease, progress), written=True)

    @contextmanager
    def _writing(self) -> Iterator[Lease]:
        self._names()  # what is no index of ours gets no lease
        with writer_lease(self.server, self.address.collection, self._lock_timeout) as lease:
            yield lease

    def _names(self) -> Names | None:
        """Return the current generation."""
        index = self.address.collection
        target = self.server.target(index)
        if target is None:
            if index in self.server.collections():
                raise self._foreign(f"{index!r} is a collection of something else")
            return None
        names = read_name(index, target)
        if names is None:
            raise self._foreign(f"{index!r} points to {target!r}, which is no index of torchnotes")
        if names.schema != SCHEMA:
            raise self._foreign(f"its collections are of version {names.schema}, this one reads {SCHEMA}")
        return names

    def _present(self) -> Names:
        names = self._names()
        if names is None:
            raise IndexMismatchError(
                f"no index in {self.place}; type `torchnotes add PATH` to make one, or "
                f"`torchnotes index copy FROM {self.place}`"
            )
        return names

    def _held(self) -> StoredManifest:
        return read_manifest(self.server, self._present())

    def _check(self, manifest: Manifest, expect: Parameters | None) -> None:
        difference = "" if expect is None else manifest.parameters.difference(expect)
        if difference:
            raise IndexMismatchError(f"index {self.place}: {difference}; type `torchnotes rebuild`")

    def _foreign(self, reason: str) -> TorchnotesError:
        return IndexMismatchError(
            f"index {self.place}: {reason}; give another name at the end of TORCHNOTES_INDEX"
        )
