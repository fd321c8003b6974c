"""jieba's dictionary: parsed once, kept in a file of our own, read from there.

The dictionary is most of what a cold start costs. jieba's own cache is not used: it is read with marshal,
which a forged file can make crash or worse, from a temporary folder that every user of the machine may write
to. What is kept here is plain words and numbers, and is believed only if it is as it was written.
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
"""The frequency of each word and prefix of a word, and their sum."""

_CACHE = "dictionary.bin"
_LEFT = "jieba.cache"  # what earlier versions kept
_MAGIC = b"torchnotes dictionary 1"
_WORD = 4  # bytes of a number

_log = logging.getLogger(__name__)


def load_tokenizer(cache_folder: Path | None) -> jieba.Tokenizer:
    """Return a tokenizer of its own: jieba's module keeps one for the whole process.

    Args:
        cache_folder: where the parsed dictionary is kept; None, or one that cannot be written: it is parsed
            anew each time.
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
    tokenizer.initialized = True  # else it would read and write a cache of its own
    return tokenizer


def is_kept(cache_folder: Path) -> bool:
    """Return whether `load_tokenizer` has kept a dictionary in a folder."""
    return (cache_folder / _CACHE).is_file()


def _read(cache: Path) -> Frequencies | None:
    """What `_keep` wrote; None if there is none, of another jieba, or not as it was written."""
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
    """Write the dictionary beside and rename it; where that fails it is parsed again the next time."""
    frequencies, total = kept
    numbers = array("I", frequencies.values())
    if sys.byteorder == "big":
        numbers.byteswap()
    body = f"{total} {len(frequencies)}\n".encode() + numbers.tobytes() + "\n".join(frequencies).encode()
    beside = folder / f"tmp-{_CACHE}"  # two processes that write it at once write the same
    try:
        folder.mkdir(parents=True, exist_ok=True)
        try:
            beside.write_bytes(_head(body) + b"\n" + body)
            os.replace(beside, folder / _CACHE)
        finally:
            beside.unlink(missing_ok=True)
        (folder / _LEFT).unlink(missing_ok=True)
    except OSError as error:  # a full disk, a folder that may only be read
        _log.debug("%s keeps no dictionary (%s)", folder, error)


def _head(body: bytes) -> bytes:
    """The first line: it tells the jieba that the dictionary is of, and proves the rest."""
    import jieba

    return b"%s %s %s" % (_MAGIC, jieba.__version__.encode(), hashlib.sha256(body).hexdigest().encode())


def _array(content: bytes) -> array[int]:
    numbers = array("I")
    numbers.frombytes(content)
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers
