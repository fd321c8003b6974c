"""What bulk work came to: counts, rates and failures."""

from __future__ import annotations

from dataclasses import dataclass, field

from index.bulk.messages import WorkReport
from ingest.errors import SourceError


@dataclass(slots=True)
class BulkReport:
    """Counts of one run.

    Attributes:
        files: files and pages given.
        kept: of these, those that a command before had read.
        texts: different texts of the documents, without those of documents that the index has.
        embedded: of these, those that workers embedded.
        bytes: bytes of UTF-8 of the embedded texts.
        seconds: duration.
        reading, embedding: seconds of work of all workers together.
        devices: where each worker that embedded did it: "cpu" or "cuda".
        lost: workers that were lost.
        failures: files that no worker could do.
    """

    files: int = 0
    kept: int = 0
    texts: int = 0
    embedded: int = 0
    bytes: int = 0
    seconds: float = 0.0
    reading: float = 0.0
    embedding: float = 0.0
    devices: dict[str, str] = field(default_factory=dict)
    lost: int = 0
    failures: list[SourceError] = field(default_factory=list)

    def count_reading(self, work: WorkReport) -> None:
        """Count a file that a worker read.

        Args:
            work: who read it.
        """
        self.reading += work.seconds

    def count_embedding(self, work: WorkReport, texts: int, size: int) -> None:
        """Count texts that a worker embedded.

        Args:
            work: who embedded them.
            texts: how many.
            size: their bytes of UTF-8.
        """
        self.embedding += work.seconds
        self.embedded += texts
        self.bytes += size
        self.devices[work.worker] = work.device
