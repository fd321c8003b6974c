"""Platforms: Python and CUDA, which headings name with a version, and what the versions are of."""

from __future__ import annotations

import re

_FAMILIES = {"python": "Python", "cuda": "CUDA"}
#: A version of a platform, such as "Python 3.13".
VERSION = re.compile(r"\b(?P<family>Python|CUDA)\s?(?P<number>\d+(?:\.\d+)?t?)(?![\w.]*\d)", re.I)
_FAMILY = re.compile(r"(?<![A-Za-z_])(?P<family>Python|CUDA)(?![A-Za-z_])", re.I)
_JOINED = re.compile(r"(?:\s*(?:,|，|、|\band\b|和|与)\s*(?:Python|CUDA)\s?\d+(?:\.\d+)?t?)+", re.I)


def versions(text: str) -> list[tuple[str, str]]:
    """The versions that a text names: ("Python", "3.13")."""
    return [(_FAMILIES[m["family"].lower()], m["number"]) for m in VERSION.finditer(text)]


def families(text: str) -> list[str]:
    """The platforms that a text names with or without a version, in lower case."""
    return list(dict.fromkeys(m["family"].lower() for m in _FAMILY.finditer(text)))


def without_joined(text: str) -> str:
    """A text without versions that are only named beside something: "Blackwell and CUDA 12.8"."""
    return _JOINED.sub("", text)


def is_platform(id_: str) -> bool:
    """Whether a feature is a platform, a version of one or the support of one: it has no status itself."""
    return re.split(r"[ +]", id_)[-1 if "+" in id_ else 0] in _FAMILIES
