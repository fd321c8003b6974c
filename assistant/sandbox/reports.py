"""What a program tells of itself, in JSON: read, bounded and validated in this one place.

The program may be anybody's. Whatever it writes, what comes out of here is short, printable, finite and of
the type that was asked for; all else is a `ValueError`.
"""

from __future__ import annotations

import json
import math
import unicodedata
from typing import Any

LONGEST = 1 << 16  # characters of one record
TEXT = 500  # characters of a name, or of a value that is text
ITEMS = 1000  # of a list
_DIGITS = 19  # of a whole number: none of the protocol is near
_WHITE = "\n\t"


def record(text: str) -> dict[str, Any] | None:
    """Read one JSON object; None for whatever is none: cut off, too long, too deep, or with a key twice."""
    if len(text) > LONGEST:
        return None
    try:
        found = json.loads(text, object_pairs_hook=_unique, parse_int=_whole)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def text_of(value: object, longest: int = TEXT, *, lines: bool = False) -> str:
    """Return text that can be shown, written and encoded anywhere; what is beyond `longest` is cut off.

    Args:
        value: what was told.
        longest: characters to keep.
        lines: keep line breaks and tabs.

    Raises:
        ValueError: it is no text.
    """
    if not isinstance(value, str):
        raise ValueError(f"{_name(value)} in place of text")
    kept = value if len(value) <= longest else f"{value[: longest - 1]}…"
    return "".join(c if _shows(c) or (lines and c in _WHITE) else "\ufffd" for c in kept)


def number_of(value: object, least: float = -math.inf) -> float:
    """Return a finite number that is not below `least`.

    Raises:
        ValueError: it is none.
    """
    found = any_number_of(value)
    if not math.isfinite(found) or found < least:
        raise ValueError(
            f"{found:g} in place of a finite number" + (f" from {least:g}" if least == 0 else "")
        )
    return found


def any_number_of(value: object) -> float:
    """Return a number, or one of those that are none: differences may be infinite, or not a number.

    Raises:
        ValueError: it is of another type.
    """
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError(f"{_name(value)} in place of a number")
    return float(value)


def whole_of(value: object, least: int, most: int) -> int:
    """Return a whole number within bounds.

    Raises:
        ValueError: it is none.
    """
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise ValueError(f"a whole number from {least} to {most} is missing")
    return value


def value_of(value: object) -> bool | int | float | str:
    """Return the value of a fact: true or false, a finite number, or text.

    Raises:
        ValueError: it is none of these.
    """
    if isinstance(value, bool | int):
        return value
    return number_of(value) if isinstance(value, float) else text_of(value)


def numbers_of(value: object) -> tuple[float, ...]:
    """Return a list of finite numbers, none below 0.

    Raises:
        ValueError: it is none, or too long.
    """
    if not isinstance(value, list) or len(value) > ITEMS:
        raise ValueError(f"a list of up to {ITEMS} numbers is missing")
    return tuple(number_of(each, 0) for each in value)


def _shows(character: str) -> bool:
    """It is no control character, no half of a pair, and turns no text round; wide spaces are well."""
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
