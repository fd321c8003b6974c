"""Platforms: Python, CUDA, GPU architectures and Conda, as build and install files name them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from assistant.upgrade.finding import Certainty
from assistant.upgrade.quotes import ChangeQuote, platform_quote, quote_of
from corpus.changes import Change, load_changes
from corpus.compatibility import Compatibility, find_compatibility
from ingest.document import Language
from ingest.release import Release

_PYTHON_IMAGE = re.compile(r"^\s*FROM\s+(?:--\S+\s+)?(?:\S*/)?python:(?P<what>3\.\d{1,2})", re.I)
_PYTHON_RANGE = re.compile(
    r"""(?:requires-python|python_requires)\s*=\s*["']?[^"'\n]*?(?:>=|~=)\s*(?P<what>3\.\d{1,2})"""
    r"""|^\s*python\s*=\s*["'](?:\^|>=|~)(?P<poetry>3\.\d{1,2})"""
)
_PYTHON_MATRIX = re.compile(r"""python(?:-version)?s?["']?\s*[:=]\s*(?P<list>\[?[^\]#\n]*3\.\d[^\]#\n]*)""")
_WHEELS = re.compile(r"(?:download\.pytorch\.org/whl/|torch==[\w.]+\+)cu(?P<major>\d{2})(?P<minor>\d)\b")
_CUDA_IMAGE = re.compile(r"^\s*FROM\s+(?:--\S+\s+)?\S*nvidia/cuda:(?P<what>\d{2}\.\d)", re.I)
_ARCH_LIST = re.compile(r"""TORCH_CUDA_ARCH_LIST["'\]]*\s*[=:,]?\s*["']?(?P<list>[\d.;, +PTXa]+)""")
_ARCH_FLAG = re.compile(r"(?:arch=compute_|code=sm_|--?gpu-architecture=sm_|-arch=sm_)(?P<what>\d{2,3})")
_CONDA = re.compile(r"\b(?:conda|mamba|micromamba)\s+install\b.*(?<![\w-])pytorch(?![\w/-])")
_CONDA_CHANNEL = re.compile(r"^\s*-\s*pytorch\s*(?:[=<>].*)?$")
_MAC_RUNNER = re.compile(r"(?<![\w-])macos-(?P<what>1\d)(?:-[a-z]+)?(?![\w.-])")
_MAC_TARGET = re.compile(
    r"""(?:MACOSX|CMAKE_OSX)_DEPLOYMENT_TARGET["'\]]*\s*[=: ]?\s*["']?(?P<what>1\d)(?:\.\d+)*(?![\w.])"""
)
#: Images with a C library older than 2.28: what `manylinux_2_28` asks for.
_OLD_LINUX = re.compile(
    r"^\s*FROM\s+(?:--\S+\s+)?\S*?(?P<what>centos:7|amazonlinux:2|manylinux2014|manylinux1|manylinux2010"
    r"|(?:ubuntu:?(?:14|16|18)\.04)|debian:(?:8|9|jessie|stretch))(?![\d])",
    re.I,
)
_LONGEST = 1_000  # characters of a line

#: Match, symbol, certainty, word of the sentence to quote, replacement.
_Found = Iterator[tuple[re.Match[str], str, Certainty, str, tuple[str, ...]]]


@dataclass(frozen=True, slots=True)
class PlatformMatch:
    """Something that a release does not run on, or cannot be installed with.

    Attributes:
        line: line of the text, from 1.
        start, end: span in the line.
        symbol: what it is, such as "Python 3.8".
        certainty: see `finding.CERTAINTIES`.
        quote: words of the digest.
        release: release of the digest.
        replacement: what to use instead.
    """

    line: int
    start: int
    end: int
    symbol: str
    certainty: Certainty
    quote: ChangeQuote
    release: str
    replacement: tuple[str, ...]


class PlatformRules:
    """What of the platforms that files name a release does not run on.

    Args:
        older, newer: releases of the upgrade.
        language: language of the quotes.
    """

    def __init__(self, older: Release, newer: Release, language: Language) -> None:
        self._newer = str(newer)
        self._row = find_compatibility(str(newer))
        self._before = find_compatibility(str(older))
        self._language: Language = language
        self._conda = _change("2.6", "conda", older, newer)
        self._linux = _change("2.7", "manylinux-228", older, newer)
        macs = (_change("2.9", "macos-14", older, newer), _change("2.5", "macos-12", older, newer))
        self._mac = next((change for change in macs if change), None)

    def matches(self, text: str) -> Iterator[PlatformMatch]:
        """Yield what a text names; each line is looked at by itself.

        Args:
            text: a file, or a part of it.
        """
        rules: tuple[Callable[[str, Compatibility], _Found], ...]
        rules = (self._python, self._cuda, self._architectures)
        for number, line in enumerate(text.split("\n"), 1):
            if len(line) > _LONGEST or line.lstrip().startswith("#"):
                continue
            for change, match, symbol, certainty in self._systems(line):
                quote = quote_of(change, "CentOS" if change is self._linux else "", self._language)
                span = match.span()
                yield PlatformMatch(
                    number, *span, symbol, certainty, quote, change.release, change.replacement
                )
            if self._row is None:
                continue
            for rule in rules:
                for match, symbol, certainty, word, replacement in rule(line, self._row):
                    quote = platform_quote(self._newer, word, self._language)
                    yield PlatformMatch(
                        number, *match.span(), symbol, certainty, quote, self._newer, replacement
                    )

    def _systems(self, line: str) -> Iterator[tuple[Change, re.Match[str], str, Certainty]]:
        """Yield the systems and channels of a line that releases of the upgrade have left."""
        if self._conda and (match := _CONDA.search(line) or _CONDA_CHANNEL.match(line)):
            yield self._conda, match, "conda install pytorch", "sure"
        if self._linux and (match := _OLD_LINUX.match(line)):
            yield self._linux, match, f"Linux {match['what'].lower()}", "likely"
        if self._mac and (match := _MAC_RUNNER.search(line) or _MAC_TARGET.search(line)):
            needed = int(self._mac.replacement[0].removeprefix("macOS "))
            if int(match["what"]) < needed:
                yield self._mac, match, f"macOS {match['what']}", "likely"

    def _python(self, line: str, row: Compatibility) -> _Found:
        lowest, highest = map(_order, row.python)
        use = (f"Python {row.python[0]} to {row.python[1]}",)
        known = {*row.python_experimental, f"{row.python[1]}"}
        if match := _PYTHON_IMAGE.match(line):
            if not lowest <= _order(match["what"]) <= highest and match["what"] not in known:
                yield match, f"Python {match['what']}", "sure", "Python", use
        elif match := _PYTHON_RANGE.search(line):
            what = match["what"] or match["poetry"]
            if _order(what) < lowest:
                yield match, f"Python {what}", "likely", "Python", use
        elif match := _PYTHON_MATRIX.search(line):
            for what in re.findall(r"(?<![\d.])3\.\d{1,2}(?![\d.]*\d)", match["list"]):
                if _order(what) < lowest:
                    yield match, f"Python {what}", "likely", "Python", use

    def _cuda(self, line: str, row: Compatibility) -> _Found:
        use = tuple(f"CUDA {version}" for version in row.cuda)
        for match in _WHEELS.finditer(line):
            version = f"{int(match['major'])}.{match['minor']}"
            if version not in row.cuda:
                yield match, f"CUDA {version}", "sure", "CUDA", use
        if (image := _CUDA_IMAGE.match(line)) and image["what"] not in row.cuda:
            yield image, f"CUDA {image['what']}", "likely", "CUDA", use

    def _architectures(self, line: str, row: Compatibility) -> _Found:
        if not row.sm:
            return
        listed = _ARCH_LIST.search(line)
        found = [(listed, each) for each in re.findall(r"\d{1,2}\.\d", listed["list"])] if listed else []
        for match in _ARCH_FLAG.finditer(line):
            found.append((match, f"{match['what'][:-1]}.{match['what'][-1]}"))
        for match, capability in found:
            builds = row.cuda_for(capability)
            before = self._before.cuda_for(capability) if self._before else ()
            if len(builds) == len(row.sm) or (not before and builds):
                continue
            if not builds and _order(capability) > max(
                _order(each) for built in row.sm.values() for each in built
            ):
                continue  # newer than any that the table knows
            all_known = set(row.cuda) <= row.sm.keys()
            certainty: Certainty = "sure" if all_known and not builds else "likely"
            use = tuple(f"the CUDA {version} build" for version in builds)
            yield match, f"compute capability {capability}", certainty, "compute capability", use


def _change(release: str, section: str, older: Release, newer: Release) -> Change | None:
    """Return a change on platforms if it concerns an upgrade."""
    found = next(c for c in load_changes() if (c.release, c.section) == (release, section))
    return found if older < Release.parse(found.since) <= newer else None


def _order(version: str) -> tuple[int, int]:
    major, _, minor = version.partition(".")
    return int(major), int(minor)
