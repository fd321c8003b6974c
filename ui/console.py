"""Text that is safe to show on a terminal."""

from __future__ import annotations

import re
import unicodedata


def printable(text: str) -> str:
    r"""The text without control characters, which a document could use to command the terminal.

    Line breaks and tabs stay; characters that turn the reading direction go as well.

    >>> printable("a\x1b[31mb\tc")
    'a[31mb\tc'
    """
    return "".join(c for c in text if c in "\n\t" or not _commands(c))


def one_line(text: str) -> str:
    r"""The text as one printable line.

    >>> one_line("  two\n  lines ")
    'two lines'
    """
    return re.sub(r"\s+", " ", printable(text)).strip()


def plural(count: int, noun: str) -> str:
    """A count with its noun.

    >>> plural(1, "text"), plural(1200, "text"), plural(2, "copy")
    ('1 text', '1,200 texts', '2 copies')
    """
    many = f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}s"
    return f"{count:,} {noun if count == 1 else many}"


def _commands(character: str) -> bool:
    category = unicodedata.category(character)
    return category == "Cc" or (category == "Cf" and unicodedata.bidirectional(character) not in ("BN", "ON"))
