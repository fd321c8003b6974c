"""What the work on a document depends on besides its bytes."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path

from index.storage.builder import IndexBuilder

_ROOT = Path(__file__).resolve().parents[2]
#: The code, and the catalogue, that decide what becomes of a document.
_CODE = ("corpus/catalog.*", "ingest/*.py", "index/bulk/*.py", "index/embedding/*.py")


@dataclass(frozen=True, slots=True)
class Recipe:
    """Settings of the work; with the same recipe the same bytes give the same result.

    Attributes:
        embedder: name or path by which a worker loads the embedding model.
        model: the model's own name, with the fingerprint of its weights.
        max_tokens: maximum number of tokens in a chunk.
        words: words that the segmenter keeps whole.
        code: digest of the code that does the work.
    """

    embedder: str
    model: str
    max_tokens: int
    words: tuple[str, ...]
    code: str

    @classmethod
    def of(cls, builder: IndexBuilder, embedder: str) -> Recipe:
        """Return the recipe that gives the chunks and vectors of a builder.

        Args:
            builder: builds the index.
            embedder: name or path by which its embedding model is loaded.
        """
        return cls(
            embedder=embedder,
            model=builder.embedder.name,
            max_tokens=builder.splitter.max_tokens,
            words=builder.segmenter.whole_words,
            code=code_digest(),
        )

    def encode(self) -> bytes:
        """Return the recipe as JSON."""
        return json.dumps(asdict(self), sort_keys=True).encode()

    @classmethod
    def decode(cls, data: bytes) -> Recipe:
        """Read the result of `encode`.

        Args:
            data: the bytes.
        """
        values = json.loads(data)
        return cls(**{**values, "words": tuple(values["words"])})


@lru_cache(maxsize=1)
def code_digest() -> str:
    """Return 16 hex digits that identify the code that reads, splits and embeds, in this installation."""
    digest = hashlib.sha256()
    for pattern in _CODE:
        for path in sorted(_ROOT.glob(pattern)):
            content = path.read_bytes().replace(b"\r\n", b"\n")
            digest.update(b"%s %d\0" % (path.relative_to(_ROOT).as_posix().encode(), len(content)))
            digest.update(content)
    return digest.hexdigest()[:16]
