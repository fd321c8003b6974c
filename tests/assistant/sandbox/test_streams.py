from __future__ import annotations

import os
from collections.abc import Callable

import pytest

from assistant.sandbox.streams import Stream
from tests.rows import each_row


def read_all(pieces: list[bytes], cap: int, on_line: Callable[[str], None] | None = None) -> Stream:
    """What is written in these pieces, each read before the next is written."""
    reading, writing = os.pipe()
    stream = Stream(reading, cap, on_line)
    for piece in pieces:
        os.write(writing, piece)
        stream.read()
    os.close(writing)
    while stream.open:
        stream.read()
    stream.close()
    return stream


def test_nothing_to_read_is_no_end() -> None:
    reading, writing = os.pipe()
    stream = Stream(reading, 10)
    stream.read()
    assert stream.open and not stream.over
    os.close(writing)
    stream.read()
    assert not stream.open
    stream.close()


@each_row(
    ("pieces", "lines"),
    [
        pytest.param([b"a\nb\n"], ["a", "b"], id="at-once"),
        pytest.param([b"a", b"b\nc"], ["ab", "c"], id="in-pieces"),
        pytest.param(["长".encode()[:2], "长".encode()[2:] + b"\n"], ["长"], id="a-character-in-pieces"),
        pytest.param([b"a\r\n\r\n"], ["a", ""], id="of-windows"),
        pytest.param([b"\xff\n\xe9"], ["\ufffd", "\ufffd"], id="no-text"),
        pytest.param([], [], id="nothing"),
    ],
)
def test_lines(pieces: list[bytes], lines: list[str]) -> None:
    handed: list[str] = []
    read_all(pieces, 1000, handed.append)
    assert handed == lines


@pytest.mark.parametrize(
    ("cap", "kept", "over"), [(5, "12345", False), (4, "1234", True)], ids=["fits", "over"]
)
def test_the_cap(cap: int, kept: str, over: bool) -> None:
    handed: list[str] = []
    stream = read_all([b"123", b"45"], cap, handed.append)
    assert (stream.text, stream.over, handed) == (kept, over, [kept])
