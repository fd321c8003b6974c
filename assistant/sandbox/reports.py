"""Parsing and validation of JSON written by untrusted programs.

All results are short, printable, finite and of the requested type; anything else raises `ValueError`.
"""

from __future__ import annotations

import json
import math
import unicodedata
from typing import Any

LONGEST = 1 << 16  # characters of a record
TEXT = 500  # characters of a name or a text value
ITEMS = 1000  # items of a list
_DIGITS = 19  # digits of an integer, more than any valid one has
_WHITE = "\n\t"


def record(text: str) -> dict[str, Any] | None:
    """Parse a JSON object.

    Args:
        text: JSON.

    Returns:
        The object; None if the text is invalid, not an object, too long, too deeply nested, or has duplicate
        keys.
    """
    if len(text) > LONGEST:
        return None
    try:
        found = json.loads(text, object_pairs_hook=_unique, parse_int=_whole)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def text_of(value: object, longest: int = TEXT, *, lines: bool = False) -> str:
    """Return a text that can be displayed and encoded, with unprintable characters replaced.

    Args:
        value: value from a record.
        longest: maximum number of characters; longer texts are truncated.
        lines: keep line breaks and tabs.

    Raises:
        ValueError: the value is not a string.
    """
    if not isinstance(value, str):
        raise ValueError(f"{_name(value)} in place of text")
    kept = value if len(value) <= longest else f"{value[: longest - 1]}…"
    return "".join(c if _shows(c) or (lines and c in _WHITE) else "\ufffd" for c in kept)


def number_of(value: object, least: float = -math.inf) -> float:
    """Return a finite number.

    Args:
        value: value from a record.
        least: minimum.

    Raises:
        ValueError: the value is not a finite number, or below the minimum.
    """
    found = any_number_of(value)
    if not math.isfinite(found) or found < least:
        raise ValueError(
            f"{found:g} in place of a finite number" + (f" from {least:g}" if least == 0 else "")
        )
    return found


def any_number_of(value: object) -> float:
    """Return a number, which may be infinite or NaN, as differences can be.

    Args:
        value: value from a record.

    Raises:
        ValueError: the value is not a number.
    """
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError(f"{_name(value)} in place of a number")
    return float(value)


def whole_of(value: object, least: int, most: int) -> int:
    """Return an integer.

    Args:
        value: value from a record.
        least: minimum.
        most: maximum.

    Raises:
        ValueError: the value is not an integer, or out of range.
    """
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise ValueError(f"a whole number from {least} to {most} is missing")
    return value


def value_of(value: object) -> bool | int | float | str:
    """Return the value of a fact: a bool, a finite number, or a text.

    Args:
        value: value from a record.

    Raises:
        ValueError: the value is of another type, or not finite.
    """
    if isinstance(value, bool | int):
        return value
    return number_of(value) if isinstance(value, float) else text_of(value)


def numbers_of(value: object) -> tuple[float, ...]:
    """Return a list of finite numbers that are at least 0.

    Args:
        value: value from a record.

    Raises:
        ValueError: the value is not such a list, or has more than `ITEMS` items.
    """
    if not isinstance(value, list) or len(value) > ITEMS:
        raise ValueError(f"a list of up to {ITEMS} numbers is missing")
    return tuple(number_of(each, 0) for each in value)


def _shows(character: str) -> bool:
    """Return whether a character is neither a control character, a surrogate, nor a direction mark."""
    return character.isprintable() or unicodedata.category(character) == "Zs"


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key is given twice")
    return found


def _whole(digits: str) -> int:
    if len(digits) > _DIGITS:
        raise ValueError("a number has too many digits")
    return int(digits)


def _name(value: object) -> str:
    return {dict: "an object", list: "a list", str: "text", bool: "true or false"}.get(
        type(value), "a number"
    )
