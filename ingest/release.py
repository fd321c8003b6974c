"""PyTorch releases as values that can be parsed, compared (2.10 > 2.9) and formatted."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import NamedTuple

_SHOWN = 40  # characters of an invalid text shown in errors
_FORM = re.compile(r"v?(\d{1,2})\.(\d{1,2})(?:\.\d+)?(?:\.x)?")


class Release(NamedTuple):
    """A minor release of PyTorch. Patch numbers are dropped: the notes of 2.7.0 are those of 2.7.

    Attributes:
        major: major version.
        minor: minor version.
    """

    major: int
    minor: int

    @classmethod
    def parse(cls, text: str) -> Release:
        """Parse a release.

        Args:
            text: as in "2.4", "v2.4.0" or "2.4.x".

        Raises:
            ValueError: the text is not a release.
        """
        match = _FORM.fullmatch(text.strip().lower())
        if match is None:
            shown = text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
            raise ValueError(f"{shown!r} is not a release; write it like 2.4 or v2.4.0")
        return cls(int(match[1]), int(match[2]))

    def __str__(self) -> str:
        return f"{self.major}.{self.minor}"


def releases_in(text: str, known: Collection[Release]) -> set[Release]:
    """Parse a list of releases and ranges, such as "2.4", "2.0-2.8" or "2.1,2.4".

    Args:
        text: text typed by a user.
        known: known releases, at least one; a range selects those within it.

    Raises:
        ValueError: the text cannot be parsed, or a part of it matches no known release; the message is one
            line.
    """
    span = f"{min(known)} to {max(known)}"
    found: set[Release] = set()
    for part in re.split(r"[,，、]", text):
        first, dash, last = re.sub(r"\s", "", part).replace("–", "-").partition("-")
        try:
            low = Release.parse(first)
            high = Release.parse(last) if dash else low
        except ValueError:
            raise ValueError(
                f"{text!r} names no releases; write 2.4, 2.0-2.8 or 2.1,2.4 (known are {span})"
            ) from None
        if low > high:
            raise ValueError(f"the range {first}-{last} runs backwards; write {high}-{low}")
        meant = {release for release in known if low <= release <= high}
        if not meant:
            raise ValueError(f"nothing is known of release {part.strip()}; known are {span}")
        found |= meant
    return found
