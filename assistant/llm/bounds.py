"""Bounds of a reply: a server that never ends one would hold a place in the queue and fill the memory."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

LARGEST = 8_000_000  # bytes once unpacked; the longest answer takes one million as a stream
LONGEST = 1_800.0  # seconds for all of it, counted from its head
_TOKEN = 10  # characters of a token; twice what languages and code have on average


def bound(response: Any) -> None:  # noqa: ANN401 - the client has changed its HTTP library once
    """Limit what is read of a response in size and time; reading more raises an error of the client.

    Args:
        response: response whose body has not been read (a hook of the HTTP library).
    """
    import openai

    until = time.monotonic() + LONGEST
    pieces = response.iter_bytes

    def iter_bytes(chunk_size: int | None = None) -> Iterator[bytes]:
        size = 0
        for piece in pieces(chunk_size):
            size += len(piece)
            if size > LARGEST:
                raise openai.OpenAIError(f"more than {LARGEST:,} bytes in one reply")
            if time.monotonic() > until:
                raise openai.OpenAIError(f"one reply takes more than {LONGEST:g} s")
            yield piece

    response.iter_bytes = iter_bytes


def longest_text(max_tokens: int) -> int:
    """Return how many characters a reply of some tokens has at most, for a server that does not count them.

    Args:
        max_tokens: maximum length of the reply in tokens.
    """
    return max_tokens * _TOKEN
