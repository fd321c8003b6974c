"""A release is a type, not a word: parsed, ordered (2.10 > 2.9) and shown the same way everywhere."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import NamedTuple

_SHOWN = 40  # characters of what is no release
_FORM = re.compile(r"v?(\d{1,2})\.(\d{1,2})(?:\.\d+)?(?:\.x)?")


class Release(NamedTuple):
    """A minor release of PyTorch. Patch numbers are folded: the notes of 2.7.0 are those of 2.7."""

    major: int
    minor: int

    @classmethod
    def parse(cls, text: str) -> Release:
        """Read "2.4", "v2.4.0" or "2.4.x".

        Raises:
            ValueError: the text is no release.
        """
        match = _FORM.fullmatch(text.strip().lower())
        if match is None:
            shown = text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
            raise ValueError(f"{shown!r} is not a release; write it like 2.4 or v2.4.0")
        return cls(int(match[1]), int(match[2]))

    def __str__(self) -> str:
        return f"{self.major}.{self.minor}"


def releases_in(text: str, known: Collection[Release]) -> set[Release]:
    """The releases that a user names, alone or as a range: "2.4", "2.0-2.8", "2.1,2.4".

    Args:
        text: what was typed.
        known: the releases there are; a range takes in those of them that lie within it.

    Raises:
        ValueError: it cannot be understood, or none of `known` is meant; the message fits in one line.
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
