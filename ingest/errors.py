"""Exceptions whose messages are shown to the user.

Each message is one line: what was given, what is allowed, and what to type next.

TorchnotesError
├── SourceError            a file, folder or URL cannot be read; others are not affected
├── EmbedderError          the embedding model is missing or does not fit
├── IndexMismatchError     the index on disk has other parameters, is damaged or missing
└── LanguageModelError     the language model does not answer; answers are given without it
"""

from __future__ import annotations


class TorchnotesError(Exception):
    """Base class of all errors whose message is meant for the user."""


class SourceError(TorchnotesError):
    """A source cannot be read.

    Args:
        source: path or URL.
        reason: why, in one line.
    """

    def __init__(self, source: str, reason: str) -> None:
        source = source.encode("utf-8", "backslashreplace").decode()  # file names may contain invalid UTF-8
        super().__init__(f"{source}: {reason}")
        self.source = source
        self.reason = reason


class EmbedderError(TorchnotesError):
    """An embedding model cannot be loaded, or does not fit the index."""


class IndexMismatchError(TorchnotesError):
    """An index was built with other parameters, is damaged, or is missing."""


class LanguageModelError(TorchnotesError):
    """A language model cannot be used: unreachable, refusing, too slow, or interrupted."""
