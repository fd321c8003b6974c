"""jieba's dictionary: parsed once, kept in a cache, read from there.

jieba reads its cache through a file object, item by item; read in one piece it is there in a third of the
time, and the dictionary is most of what a cold start costs.
"""

from __future__ import annotations

import logging
import marshal
import os
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import jieba

_CACHE = "jieba.cache"  # jieba's own name for it


def load_tokenizer(cache_folder: Path | None) -> jieba.Tokenizer:
    """A tokenizer of its own: jieba's module keeps one for the whole process.

    Args:
        cache_folder: where jieba may keep its parsed dictionary; None, or one that cannot be written: the
            system's temporary folder.
    """
    import jieba

    jieba.setLogLevel(logging.WARNING)
    tokenizer = jieba.Tokenizer()
    if cache_folder is not None and _can_keep(cache_folder):
        tokenizer.tmp_dir = str(cache_folder)
        if kept := _read(cache_folder / _CACHE):
            tokenizer.FREQ, tokenizer.total = kept
            tokenizer.initialized = True
    tokenizer.initialize()  # nothing to do after a read
    return tokenizer


def _read(cache: Path) -> tuple[dict[str, int], int] | None:
    """What jieba keeps: the frequency of each word and prefix, and their sum; None if it cannot be used."""
    try:
        frequencies, total = marshal.loads(cache.read_bytes())
    except (OSError, ValueError, EOFError, TypeError):
        return None  # none yet, or cut short: jieba makes it anew
    return (frequencies, total) if isinstance(frequencies, dict) and isinstance(total, int) else None


def _can_keep(folder: Path) -> bool:
    """Whether a dictionary can be kept in a folder, or is there already."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return False
    return os.access(folder, os.W_OK) or (folder / _CACHE).is_file()
