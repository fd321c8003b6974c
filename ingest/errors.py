"""What can go wrong before an answer.

TorchnotesError            one clear line for the user: what was given, what is allowed, what to type next
├── SourceError            a file, folder or URL cannot be taken; the others go on
├── EmbedderError          the embedding model is missing or does not fit
├── IndexMismatchError     the index on disk was built otherwise, or is damaged
└── LanguageModelError     the language model does not answer; answers go on without it
"""

from __future__ import annotations


class TorchnotesError(Exception):
    """Base of all errors whose message is meant for the user."""


class SourceError(TorchnotesError):
    """A source that cannot be taken: its name and why."""

    def __init__(self, source: str, reason: str) -> None:
        source = source.encode("utf-8", "backslashreplace").decode()  # bytes of a file name that are no text
        super().__init__(f"{source}: {reason}")
        self.source = source
        self.reason = reason


class EmbedderError(TorchnotesError):
    """An embedding model that cannot be loaded or does not fit the index."""


class IndexMismatchError(TorchnotesError):
    """An index that was built with other parameters, is damaged, or is missing."""


class LanguageModelError(TorchnotesError):
    """A language model that cannot be used: not reached, refusing, too slow, or broken off."""
