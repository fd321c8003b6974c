"""Bytes to text: the allowed encodings are told apart, everything else is refused in one clear line."""

from __future__ import annotations

import codecs

import pytest

from ingest.encoding import decode, normalise_lines
from tests.rows import each_row

CHINESE = "我们很高兴地宣布 PyTorch 2.6 的发布，现在支持 Python 3.13。"


@pytest.mark.parametrize(
    "data",
    [CHINESE.encode(), codecs.BOM_UTF8 + CHINESE.encode(), CHINESE.encode("gb18030")],
    ids=["utf-8", "utf-8 with mark", "gb18030"],
)
def test_allowed_encodings_give_the_same_text(data: bytes) -> None:
    assert decode(data) == CHINESE


def test_line_ends_become_lf() -> None:
    assert decode(b"a\r\nb\rc\n") == normalise_lines("a\nb\nc\n") == "a\nb\nc\n"


@each_row(
    ("data", "message"),
    [
        (b"", "is empty"),
        (b" \n\t\r\n", "is empty"),
        (b"%PDF-1.7 ...", "a PDF file, not text"),
        (b"PK\x03\x04rest", "a ZIP or Office file"),
        (b"abc\x00def", "binary file"),
        (codecs.BOM_UTF16_LE + "ab".encode("utf-16-le"), "UTF-16"),
        (CHINESE.encode()[:-1], "broken at byte"),
        (CHINESE.encode()[:20] + b"\xff" + CHINESE.encode()[20:], "neither UTF-8 nor GB18030"),
        ("déjà vu à côté".encode("latin-1"), "neither UTF-8 nor GB18030"),
    ],
    ids=["empty", "blank", "pdf", "zip", "nul", "utf-16", "cut", "wrong byte", "latin-1"],
)
def test_other_bytes_are_refused(data: bytes, message: str) -> None:
    with pytest.raises(ValueError, match=message) as caught:
        decode(data)
    assert "\n" not in str(caught.value)


@each_row("at", range(3, 40))
def test_broken_utf8_is_never_read_as_gb18030(at: int) -> None:
    data = CHINESE.encode()
    broken = data[:at] + b"\x80\x80\x80" + data[at:]
    with pytest.raises(ValueError, match="broken at byte"):
        decode(broken)
