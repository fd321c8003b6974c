"""Bulk work: files go to workers as they are, documents, chunks and vectors come back.

A file is read and split in one job, and its texts are embedded in others, of the same size each: a long
document is spread over the workers, and a text that several documents have is embedded once. Both kinds of
jobs are functions of bytes and settings, and their results are kept by content on disk before anything else
is done with them. So whatever dies, the same command goes on with what is missing.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from index.bulk.batches import Batch, Batches
from index.bulk.checking import WorkerRefusedError, decode_readings, decode_vectors
from index.bulk.cluster import Cluster, Failure, WorkerJob
from index.bulk.jobs import embed_texts, read_source
from index.bulk.kept import KeptReadings, reading_key
from index.bulk.messages import DocumentReading, MessageError, encode_source, pack
from index.bulk.recipe import Recipe
from index.bulk.report import BulkReport
from index.embedding.cached import CachedEmbedder
from index.embedding.vector_cache import vector_key
from index.storage.builder import BuildProgress
from ingest.chunk import embedded_text, sentence_texts
from ingest.document import SOURCE_DIGITS, Document, source_of
from ingest.errors import SourceError, TorchnotesError
from ingest.sources import OnSkip, RawSource, read_part
from ingest.unwritable import unwritable

Part = str | Path
"""A file, or a web address."""


@dataclass(eq=False)
class _File:
    """A file whose work is not done.

    Attributes:
        number: its place among the files.
        raw: its origin, place and form, without its bytes.
        key: name of its kept reading.
        documents: its documents.
        missing: number of texts without a vector.
    """

    number: int
    raw: RawSource
    key: str
    documents: list[Document] = field(default_factory=list)
    missing: int = 0


class Gathering:
    """Has files read and embedded by workers.

    Args:
        cluster: the workers.
        recipe: settings of the work.
        embedder: embedder whose cache takes the vectors.
        kept: takes what was read.
        stored: documents of the index, by id: those whose content is the same are not split again.
        on_skip: called with an error for each thing that cannot be read.
        progress: called with "bulk", the number of files done, and their total.

    Attributes:
        report: what was done so far.
    """

    def __init__(
        self,
        cluster: Cluster,
        recipe: Recipe,
        embedder: CachedEmbedder,
        kept: KeptReadings,
        *,
        stored: Mapping[str, Document],
        on_skip: OnSkip,
        progress: BuildProgress | None = None,
        batches: Batches | None = None,
    ) -> None:
        self.report = BulkReport()
        self._cluster = cluster
        self._recipe = recipe.encode()
        self._embedder = embedder
        self._kept = kept
        self._known: dict[str, list[str]] = {}
        for document in stored.values():
            self._known.setdefault(source_of(document.id), []).append(document.content_hash)
        self._on_skip = on_skip
        self._progress = progress
        self._batches = batches or Batches()
        self._jobs: dict[WorkerJob, _File | Batch] = {}
        self._waiting: dict[bytes, list[_File]] = {}  # files by the texts that they wait for
        self._finished: dict[int, _File] = {}  # by number
        self._files: dict[str, _File] = {}  # the same by document
        self._last: tuple[str, list[DocumentReading]] = ("", [])
        self._ended = 0

    def run(self, parts: Sequence[Part], read: Callable[[Part], RawSource] = read_part) -> None:
        """Do all the work.

        Args:
            parts: files and addresses.
            read: reads one of them; raises SourceError.

        Raises:
            TorchnotesError: the scheduler is gone, a worker refuses the work, or nothing can be written.
        """
        begun = time.perf_counter()
        self.report.files = len(parts)
        rest = enumerate(parts)
        while self._fill(rest, read):
            job, outcome = self._cluster.take()
            what = self._jobs.pop(job)
            try:
                self._take(what, outcome)
            except WorkerRefusedError as refused:
                raise TorchnotesError(
                    f"a Dask worker refuses the work: {refused}; install the same torchnotes and model there"
                ) from refused
        self.report.lost = self._cluster.lost_workers()
        self.report.seconds = time.perf_counter() - begun

    @property
    def documents(self) -> list[Document]:
        """Documents of the files whose work is done, in the order in which the files were given."""
        return [document for _, file in sorted(self._finished.items()) for document in file.documents]

    def find(self, document: Document) -> DocumentReading | None:
        """Return what a worker has read of a document, for `prepared.PreparedBuilder`.

        Args:
            document: a document.
        """
        file = self._files.get(document.id)
        if file is None:
            return None
        if self._last[0] != file.key:
            message = self._kept.get(file.key)
            self._last = (file.key, decode_readings(message, file.raw)[0] if message else [])
        return next((r for r in self._last[1] if r.document == document), None)

    def _fill(self, rest: Iterator[tuple[int, Part]], read: Callable[[Part], RawSource]) -> bool:
        """Keep the workers busy; whether there is anything to wait for."""
        most = 2 * self._cluster.threads + 1
        while self._cluster.running < most:
            if self._batches:
                batch = self._batches.next()
                self._submit(
                    batch, WorkerJob(embed_texts, (self._recipe, pack({"texts": [*batch.values()]})))
                )
            elif (following := next(rest, None)) is not None:
                self._begin(*following, read)
            else:
                self._batches.cut()
                if not self._batches:
                    break
        return bool(self._cluster.running)

    def _submit(self, what: _File | Batch, job: WorkerJob) -> None:
        self._jobs[job] = what
        self._cluster.submit(job)

    def _begin(self, number: int, part: Part, read: Callable[[Part], RawSource]) -> None:
        """Take up a file: with what was read of it before, or by a worker."""
        try:
            raw = read(part)
        except SourceError as error:
            self._on_skip(error)
            self._end()
            return
        # Of a list of releases each document has a source of its own, which is not known before it is read.
        digest = hashlib.sha256(raw.place.encode("utf-8", "backslashreplace")).hexdigest()[:SOURCE_DIGITS]
        source = encode_source(raw, self._known.get(digest, ()))
        file = _File(number, replace(raw, data=b""), reading_key(self._recipe, source))
        message = self._kept.get(file.key)
        if message is not None:
            self.report.kept += 1
            self._read(file, message)
        else:
            self._submit(file, WorkerJob(read_source, (self._recipe, source)))

    def _take(self, what: _File | Batch, outcome: bytes | Failure) -> None:
        if isinstance(what, _File):
            if isinstance(outcome, Failure):
                self._fail(what, outcome.reason)
            else:
                self._read(what, outcome, new=True)
        elif isinstance(outcome, Failure):
            self._give_up(what, outcome.reason)
        else:
            self._embedded(what, outcome)

    def _read(self, file: _File, message: bytes, *, new: bool = False) -> None:
        """Take what was read of a file, and have its texts embedded."""
        try:
            readings, skipped, work = decode_readings(message, file.raw)
        except MessageError as error:
            self._fail(file, f"what a worker made of it is not right: {error}")
            return
        if new:
            self._kept.put(file.key, message)
            self.report.count_reading(work)
        for skip in skipped:
            self._on_skip(skip)
        texts: dict[bytes, str] = {}
        name = self._embedder.name
        for reading in readings:
            file.documents.append(reading.document)
            for chunk in reading.chunks or ():
                for text in (
                    embedded_text(chunk, reading.document),
                    *sentence_texts(chunk, reading.document),
                ):
                    texts.setdefault(vector_key(name, text), text)
        keys = [*texts]
        for key, vector in zip(keys, self._embedder.cache.get(keys), strict=True):
            if vector is not None:
                continue
            if key not in self._waiting:
                self._waiting[key] = []
                self._batches.add(key, texts[key])
            self._waiting[key].append(file)
            file.missing += 1
        self.report.texts += len(keys)
        if not file.missing:
            self._finish(file)

    def _embedded(self, batch: Batch, message: bytes) -> None:
        """Take the vectors of a batch; they are on disk before their files count as done."""
        try:
            vectors, work = decode_vectors(message, len(batch), self._embedder.dimension)
        except MessageError as error:
            self._give_up(batch, f"what a worker embedded is not right: {error}")
            return
        cache = self._embedder.cache
        try:
            cache.put([*batch], vectors)
        except OSError as error:
            raise unwritable(f"vectors {cache.folder}", cache.folder, error) from error
        size = sum(len(text.encode("utf-8", "replace")) for text in batch.values())
        self.report.count_embedding(work, len(batch), size)
        for key in batch:
            for file in self._waiting.pop(key):
                file.missing -= 1
                if not file.missing:
                    self._finish(file)

    def _finish(self, file: _File) -> None:
        self._finished[file.number] = file
        self._files.update(dict.fromkeys((document.id for document in file.documents), file))
        self._end()

    def _give_up(self, batch: Batch, reason: str) -> None:
        """Leave out the files that need the texts of a batch."""
        files = {file for key in batch for file in self._waiting.pop(key)}
        for file in files:
            if file.missing > 0:
                file.missing = -1  # never done
                self._fail(file, reason)

    def _fail(self, file: _File, reason: str) -> None:
        error = SourceError(file.raw.origin, reason)
        self.report.failures.append(error)
        self._on_skip(error)
        self._end()

    def _end(self) -> None:
        self._ended += 1
        if self._progress:
            self._progress("bulk", self._ended, self.report.files)
