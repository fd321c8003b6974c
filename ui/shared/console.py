"""Text that is safe to print on a terminal."""

from __future__ import annotations

import json
import re
import unicodedata
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ingest.document import Document


def printable(text: str) -> str:
    r"""Remove control characters, with which a document could control the terminal.

    Line breaks and tabs are kept; characters that change the reading direction are removed as well.

    Args:
        text: any text.

    >>> printable("a\x1b[31mb\tc")
    'a[31mb\tc'
    """
    return "".join(c for c in text if c in "\n\t" or not _commands(c))


def one_line(text: str) -> str:
    r"""Return a text as one printable line.

    Args:
        text: any text.

    >>> one_line("  two\n  lines ")
    'two lines'
    """
    return re.sub(r"\s+", " ", printable(text)).strip()


def plural(count: int, noun: str) -> str:
    """Return a number with a noun.

    Args:
        count: the number.
        noun: the noun in singular.

    >>> plural(1, "text"), plural(1200, "text"), plural(2, "copy")
    ('1 text', '1,200 texts', '2 copies')
    """
    many = f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}s"
    return f"{count:,} {noun if count == 1 else many}"


def json_text(value: object) -> str:
    r"""Format a value as JSON, with terminal control characters escaped and other characters readable.

    Args:
        value: JSON-serialisable value.

    >>> print(json_text("中\x9b1m\u202e👩\u200d💻"))
    "中\u009b1m\u202e👩‍💻"
    """
    text = json.dumps(value, ensure_ascii=False, indent=2)
    return "".join(json.dumps(c)[1:-1] if c != "\n" and _commands(c) else c for c in text)


def address(document: Document) -> str:
    """Return the address of a document, or else the file it was loaded from.

    Args:
        document: the document.
    """
    return one_line(document.url or document.origin)


def _commands(character: str) -> bool:
    category = unicodedata.category(character)
    return category in ("Cc", "Cs") or (
        category == "Cf" and unicodedata.bidirectional(character) not in ("BN", "ON")
    )
