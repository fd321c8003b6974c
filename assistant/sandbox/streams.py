"""What a program writes: kept up to a cap, and handed on line by line."""

from __future__ import annotations

import codecs
import os
from collections.abc import Callable

_PIECE = 1 << 16  # bytes read at once
_LONGEST = 8192  # characters handed on as one line; a longer one is cut


class Stream:
    """One end of a pipe, read without waiting.

    Args:
        descriptor: what to read; it is closed by `close`.
        cap: bytes to keep.
        on_line: is given each line without its end, as soon as it is whole.
    """

    def __init__(self, descriptor: int, cap: int, on_line: Callable[[str], None] | None = None) -> None:
        os.set_blocking(descriptor, False)
        self.descriptor = descriptor
        self.open = True
        self.over = False  # more than the cap was written
        self._cap = cap
        self._on_line = on_line
        self._kept = bytearray()
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._line = ""

    @property
    def text(self) -> str:
        """What was kept so far."""
        return self._kept.decode("utf-8", "replace")

    def read(self) -> None:
        """Take what is there, one piece; at the end of the stream `open` is False."""
        try:
            piece = os.read(self.descriptor, _PIECE)
        except BlockingIOError:
            return
        if not piece:
            self.open = False
        room = self._cap - len(self._kept)
        self.over = self.over or len(piece) > room
        piece = piece[:room]
        self._kept += piece
        if self._on_line:
            self._hand_on(self._decoder.decode(piece, final=not self.open))

    def close(self) -> None:
        """Stop reading; an unfinished last line is handed on."""
        os.close(self.descriptor)
        if self._on_line and self._line:
            self._on_line(self._line)
            self._line = ""

    def _hand_on(self, text: str) -> None:
        assert self._on_line
        *lines, rest = (self._line + text).split("\n")
        for line in lines:
            self._on_line(self._cut(line).removesuffix("\r"))
        self._line = self._cut(rest)

    def _cut(self, line: str) -> str:
        """Hand on what is more than a line may have; the last piece is left."""
        assert self._on_line
        while len(line) > _LONGEST:
            self._on_line(line[:_LONGEST])
            line = line[_LONGEST:]
        return line
