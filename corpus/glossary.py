"""The glossary: the terms of the releases, with their names in both languages.

It feeds segmentation (jieba keeps the Chinese names whole), query widening (中文 <-> English <-> identifiers
<-> known mistranslations) and the plain-words explanation of a term.
"""

from __future__ import annotations

import re
import sys
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from corpus.hardware import load_devices

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

_CHARACTER = re.compile(r".[\u0300-\u036f\u3099\u309a]*", re.S)  # with its accents
GLOSSARY = Path(__file__).with_name("glossary.toml")


@dataclass(frozen=True, slots=True)
class Term:
    """A glossary entry.

    Attributes:
        id: lower-case name of the entry.
        en: canonical English name.
        zh: good Chinese names, the best first; empty where Chinese engineers use the English one.
        aliases: other English spellings and abbreviations.
        identifiers: API names, flags, environment variables.
        mistranslations: wrong Chinese names that machine-translated notes use.
        releases: releases whose documents speak of it, as text.
        what_en, what_zh: what it is for, in a user's words.
        devices: names of devices of this kind, which users type and few notes name; the term is found by
            them, and not widened to them.
    """

    id: str
    en: str
    zh: tuple[str, ...]
    aliases: tuple[str, ...]
    identifiers: tuple[str, ...]
    mistranslations: tuple[str, ...]
    releases: tuple[str, ...]
    what_en: str
    what_zh: str
    devices: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """Every name that a text may use for it."""
        return (self.en, *self.zh, *self.aliases, *self.identifiers, *self.mistranslations)


class Glossary:
    """Terms, found in text by any of their names."""

    def __init__(self, terms: Iterable[Term]) -> None:
        self.terms = tuple(terms)
        self._by_name: dict[str, list[Term]] = {}
        for term in self.terms:
            for name in dict.fromkeys(_fold(name) for name in (*term.names, *term.devices)):
                if len(name) > 1:
                    self._by_name.setdefault(name, []).append(term)
        # A text is walked once, not once a name: only names that open with the same two characters are tried.
        self._openings: dict[str, list[str]] = {}
        for name in sorted(self._by_name, key=len, reverse=True):
            self._openings.setdefault(name[:2], []).append(name)

    @property
    def chinese_names(self) -> tuple[str, ...]:
        """The names that a Chinese segmenter must keep whole."""
        return tuple(dict.fromkeys(name for t in self.terms for name in (*t.zh, *t.mistranslations)))

    def find(self, text: str) -> tuple[Term, ...]:
        """The terms that a text names, in order of appearance; a longer name hides those inside it.

        Args:
            text: text in Chinese or English.
        """
        return tuple({term.id: term for _, term in self.locate(text)}.values())

    def locate(self, text: str) -> list[tuple[int, Term]]:
        """Where a text names terms: the first character of each name, and the term.

        Args:
            text: text in Chinese or English.
        """
        return [(start, term) for start, _, term in self.spans(text)]

    def spans(self, text: str) -> list[tuple[int, int, Term]]:
        """The names of terms in a text: where each begins and ends, and the term.

        Args:
            text: text in Chinese or English.
        """
        folded, origins = _fold_with_origins(text)
        found: list[tuple[int, int, Term]] = []
        reach = 0
        for start, name in self._occurrences(folded):
            end = start + len(name)
            if end > reach:
                reach = end
                found += [(origins[start], origins[end - 1] + 1, term) for term in self._by_name[name]]
        return found

    def _occurrences(self, folded: str) -> Iterator[tuple[int, str]]:
        """Where names stand in a folded text, not inside a longer Latin word, the longest first."""
        for start in range(len(folded) - 1):
            names = self._openings.get(folded[start : start + 2])
            if names is None or (start and _joins(folded[start - 1], folded[start])):
                continue
            for name in names:
                if folded.startswith(name, start) and _may_end(folded, start + len(name)):
                    yield start, name


def _may_end(text: str, end: int) -> bool:
    """Whether a name may end here, not inside a Latin word; a plural is the name as well."""
    after = text[end] if end < len(text) else " "
    plural = after == "s" and not re.match(r"\w", text[end + 1 : end + 2], re.ASCII)
    return plural or not _joins(text[end - 1], after)


def _joins(left: str, right: str) -> bool:
    return all(c.isascii() and (c.isalnum() or c == "_") for c in (left, right))


def _fold_with_origins(text: str) -> tuple[str, Sequence[int]]:
    """The folded text, and for each of its characters the place in the text that it comes from."""
    if text.isascii():
        return text.lower(), range(len(text))
    parts = [(match.start(), _fold(match[0])) for match in _CHARACTER.finditer(text)]
    return "".join(part for _, part in parts), [place for place, part in parts for _ in part]


def _fold(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold()


@lru_cache(maxsize=1)
def load_glossary(path: Path = GLOSSARY) -> Glossary:
    """The shipped glossary.

    Args:
        path: TOML file.
    """
    with path.open("rb") as file:
        tables = tomllib.load(file)["term"]
    devices: dict[str, list[str]] = {}
    for device in load_devices():
        devices.setdefault(device.term, []).extend((*device.names, *device.short))
    return Glossary(
        Term(
            id=t["id"],
            en=t["en"],
            zh=tuple(t["zh"]),
            aliases=tuple(t["aliases"]),
            identifiers=tuple(t["identifiers"]),
            mistranslations=tuple(t["mistranslations"]),
            releases=tuple(t["releases"]),
            what_en=t["what_en"],
            what_zh=t["what_zh"],
            devices=tuple(devices.get(t["id"], ())),
        )
        for t in tables
    )
