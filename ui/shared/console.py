"""Text that is safe to show on a terminal."""

from __future__ import annotations

import json
import re
import unicodedata
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ingest.document import Document


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


def json_text(value: object) -> str:
    r"""A value as JSON: what could command the terminal is escaped, the rest readable.

    >>> print(json_text("中\x9b1m\u202e👩\u200d💻"))
    "中\u009b1m\u202e👩‍💻"
    """
    text = json.dumps(value, ensure_ascii=False, indent=2)
    return "".join(json.dumps(c)[1:-1] if c != "\n" and _commands(c) else c for c in text)


def address(document: Document) -> str:
    """Where a reader finds a document: its address, else the file it was loaded from."""
    return one_line(document.url or document.origin)


def _commands(character: str) -> bool:
    category = unicodedata.category(character)
    return category in ("Cc", "Cs") or (
        category == "Cf" and unicodedata.bidirectional(character) not in ("BN", "ON")
    )
