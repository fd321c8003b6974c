"""A cache of jieba's parsed dictionary, most of the cost of a cold start.

jieba's own cache is not used: it is a marshal file, which can crash the interpreter or worse if forged, in a
temporary folder that every user of the machine can write to. This one holds plain words and numbers and is
verified with a checksum.
"""

from __future__ import annotations

import hashlib
import logging
import os
import sys
from array import array
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import jieba

Frequencies = tuple[dict[str, int], int]
"""The frequency of each word and word prefix, and their sum."""

_CACHE = "dictionary.bin"
_LEFT = "jieba.cache"  # file of earlier versions, removed
_MAGIC = b"torchnotes dictionary 1"
_WORD = 4  # bytes per number

_log = logging.getLogger(__name__)


def load_tokenizer(cache_folder: Path | None) -> jieba.Tokenizer:
    """Return a new tokenizer; the one of the jieba module is shared by the whole process.

    Args:
        cache_folder: folder of the cache; None, or one that cannot be written: parse the dictionary every
            time.
    """
    import jieba

    jieba.setLogLevel(logging.WARNING)
    tokenizer = jieba.Tokenizer()
    kept = None if cache_folder is None else _read(cache_folder / _CACHE)
    if kept is None:
        kept = tokenizer.gen_pfdict(tokenizer.get_dict_file())
        if cache_folder is not None:
            _keep(cache_folder, kept)
    tokenizer.FREQ, tokenizer.total = kept
    tokenizer.initialized = True  # otherwise it would use its own cache
    return tokenizer


def is_kept(cache_folder: Path) -> bool:
    """Return whether a folder contains the cache.

    Args:
        cache_folder: folder of the cache.
    """
    return (cache_folder / _CACHE).is_file()


def _read(cache: Path) -> Frequencies | None:
    """Return the cached dictionary; None if it is missing, damaged, or of another jieba version."""
    try:
        head, _, body = cache.read_bytes().partition(b"\n")
    except OSError:
        return None
    if head != _head(body):
        return None
    try:
        counts, _, rest = body.partition(b"\n")
        total, count = (int(number) for number in counts.split())
        frequencies = _array(rest[: _WORD * count])
        names = rest[_WORD * count :].decode().split("\n")
    except ValueError:
        return None
    if len(names) != count or len(frequencies) != count or total <= 0:
        return None
    return dict(zip(names, frequencies, strict=True)), total


def _keep(folder: Path, kept: Frequencies) -> None:
    """Write the cache atomically; on failure the dictionary is parsed again the next time."""
    frequencies, total = kept
    numbers = array("I", frequencies.values())
    if sys.byteorder == "big":
        numbers.byteswap()
    body = f"{total} {len(frequencies)}\n".encode() + numbers.tobytes() + "\n".join(frequencies).encode()
    beside = folder / f"tmp-{_CACHE}"  # concurrent processes write the same content
    try:
        folder.mkdir(parents=True, exist_ok=True)
        try:
            beside.write_bytes(_head(body) + b"\n" + body)
            os.replace(beside, folder / _CACHE)
        finally:
            beside.unlink(missing_ok=True)
        (folder / _LEFT).unlink(missing_ok=True)
    except OSError as error:  # a full disk, a read-only folder
        _log.debug("%s keeps no dictionary (%s)", folder, error)


def _head(body: bytes) -> bytes:
    """Return the first line: format, jieba version, and checksum of the rest."""
    import jieba

    return b"%s %s %s" % (_MAGIC, jieba.__version__.encode(), hashlib.sha256(body).hexdigest().encode())


def _array(content: bytes) -> array[int]:
    numbers = array("I")
    numbers.frombytes(content)
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers
