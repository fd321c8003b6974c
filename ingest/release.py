"""A release is a type, not a word: parsed, ordered (2.10 > 2.9) and shown the same way everywhere."""

from __future__ import annotations

import re
from typing import NamedTuple

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
            raise ValueError(f"{text!r} is not a release; write it like 2.4 or v2.4.0")
        return cls(int(match[1]), int(match[2]))

    def __str__(self) -> str:
        return f"{self.major}.{self.minor}"
