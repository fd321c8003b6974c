"""Reading of a program's output up to a limit, line by line."""

from __future__ import annotations

import codecs
import os
from collections.abc import Callable

_PIECE = 1 << 16  # bytes read at once
_LONGEST = 8192  # maximum characters of a line; longer ones are split


class Stream:
    """The reading end of a pipe, read without blocking.

    Args:
        descriptor: file descriptor, closed by `close`.
        cap: maximum number of bytes to keep.
        on_line: called with each complete line, without its line break.

    Attributes:
        descriptor: as given.
        open: whether the end of the stream has not been reached.
        over: whether more than `cap` bytes were written.
    """

    def __init__(self, descriptor: int, cap: int, on_line: Callable[[str], None] | None = None) -> None:
        os.set_blocking(descriptor, False)
        self.descriptor = descriptor
        self.open = True
        self.over = False
        self._cap = cap
        self._on_line = on_line
        self._kept = bytearray()
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._line = ""

    @property
    def text(self) -> str:
        """The text read so far."""
        return self._kept.decode("utf-8", "replace")

    def read(self) -> None:
        """Read one available piece without blocking; at the end of the stream `open` becomes False."""
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
        """Close the descriptor; an unfinished last line is passed to `on_line`."""
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
        """Pass on the pieces of an over-long line but the last, which is returned."""
        assert self._on_line
        while len(line) > _LONGEST:
            self._on_line(line[:_LONGEST])
            line = line[_LONGEST:]
        return line
