"""What ships with torchnotes: our digests of the releases, and the vectors of their texts."""

from __future__ import annotations

import hashlib
from pathlib import Path

HERE = Path(__file__).parent
#: How the origin of a document that ships begins; those of a user's are paths and addresses.
SHIPPED = "shipped:"
DIGESTS = HERE / "digests"
VECTORS = HERE / "vectors"


def digest_paths() -> list[Path]:
    """The digests, one file a release and language."""
    return sorted(DIGESTS.glob("*/*.md"))


def vector_paths() -> list[Path]:
    """The files of vectors: of the glossary, which every question needs, of phrases, and of the digests."""
    first = ("glossary", "phrases")
    return sorted(VECTORS.glob("*.npz"), key=lambda path: (path.stem not in first, path.name))


def fingerprint() -> str:
    """Hash of all digests: an index that was built from others is brought up to date by it."""
    digest = hashlib.sha256()
    for path in digest_paths():
        digest.update(path.relative_to(DIGESTS).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:16]
