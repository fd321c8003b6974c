"""Strict decoding of text files: UTF-8, with or without a byte order mark, or GB18030."""

from __future__ import annotations

import codecs

_SNIFFED = 8192  # bytes searched for signs of a binary file
_GB2312_SHARE = 0.9  # real GB18030 prose is almost all GB2312; misread UTF-8 only about half
_MAGIC: tuple[tuple[bytes, str], ...] = (
    (b"%PDF", "a PDF file"),
    (b"PK\x03\x04", "a ZIP or Office file"),
    (b"\x89PNG", "a PNG image"),
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"GIF8", "a GIF image"),
    (b"\x1f\x8b", "a gzip file"),
    (b"\x7fELF", "a program"),
)


def decode(data: bytes) -> str:
    """Decode the content of a text file.

    Args:
        data: content of the file.

    Returns:
        The text, with LF line ends and without a byte order mark.

    Raises:
        ValueError: the file is empty, binary, or in another or a broken encoding; the message says what is
            allowed.
    """
    if not data.strip():
        raise ValueError("the file is empty")
    for magic, name in _MAGIC:
        if data.startswith(magic):
            raise ValueError(f"it is {name}, not text; save it as Markdown, HTML or plain text")
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise ValueError("it is UTF-16; UTF-8 and GB18030 are read: save it as UTF-8")
    if b"\0" in data[:_SNIFFED]:
        raise ValueError("it is a binary file; UTF-8 and GB18030 text is read")
    return normalise_lines(_decode_strictly(data).removeprefix("\ufeff"))


def normalise_lines(text: str) -> str:
    """Convert CRLF and CR line ends to LF.

    Args:
        text: any text.
    """
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _decode_strictly(data: bytes) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        broken_at = error.start
    try:
        text = data.decode("gb18030")
    except UnicodeDecodeError:
        text = ""
    if text and _looks_like_chinese(text):
        return text
    raise ValueError(
        f"the encoding is broken at byte {broken_at}: neither UTF-8 nor GB18030; save it as UTF-8"
    )


def _looks_like_chinese(text: str) -> bool:
    # Almost any byte pair is a GB18030 character, so successful decoding proves nothing.
    beyond_ascii = [character for character in text if ord(character) > 127]
    common = sum(1 for character in beyond_ascii if _in_gb2312(character))
    return common >= _GB2312_SHARE * len(beyond_ascii)


def _in_gb2312(character: str) -> bool:
    try:
        character.encode("gb2312")
    except UnicodeEncodeError:
        return False
    return True
