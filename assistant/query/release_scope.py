"""Releases in a question: named, as sets, ranges and series, or relative to those of the previous question."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from assistant.query.release_bounds import Bounds, read_bounds
from assistant.query.release_mentions import majors_in, mentions_in, release_of
from ingest.release import Release

_SERIES = re.compile(
    r"(?:(?<![\d.\w])|(?<=torch))v?([12])\.(?:x|\*)(?!\w)|(?<![\d.\w])([12])\s*系列", re.I | re.ASCII
)
_LATEST = re.compile(
    r"\b(?:latest|newest|most recent|current)\s+(?:pytorch\s+)?(?:release|version|pytorch)"
    r"|(?:最新|当前)的?\s*(?:稳定|pytorch|一个)?\s*(?:版|发布|一版|release)|最新的?\s*pytorch",
    re.I,
)
_NEXT = re.compile(
    r"\b(?:next|following|subsequent)\s+(?:release|version|one)|(?<!以)下一?个?(?:版本?|release)|后一个?版本?",
    re.I,
)
_PREVIOUS = re.compile(
    r"\b(?:previous|prior|preceding|last)\s+(?:release|version|one)|\bthe (?:one|release|version) before"
    r"|(?<!以)上一?个?(?:版本?|release)|前一个?版本?",
    re.I,
)


@dataclass(frozen=True, slots=True)
class ReleaseScope:
    """The releases that a question is about.

    Attributes:
        named: releases written out, in order of appearance.
        releases: all releases in scope, sorted: those named, a range, "since", "latest" and so on; empty
            means any.
        unknown: named releases in scope that no document is about.
        latest: whether the question asks about the newest release, or about releases after it.
        left: release that an upgrade starts from, or None.
    """

    named: tuple[Release, ...] = ()
    releases: tuple[Release, ...] = ()
    unknown: tuple[Release, ...] = ()
    latest: bool = False
    left: Release | None = None


def find_releases(text: str, known: Collection[Release], *, before: Sequence[Release] = ()) -> ReleaseScope:
    """Find the releases that a question is about.

    Args:
        text: question.
        known: releases that documents are about.
        before: releases of the previous question, which "the next release" refers to.
    """
    text = unicodedata.normalize("NFKC", text)
    ordered = sorted(known)
    mentions = mentions_in(text)
    majors = _unknown_majors(text, ordered)
    named = tuple(dict.fromkeys((*map(release_of, mentions), *majors)))
    bounds = read_bounds(text, mentions)
    scope = [*_within(bounds, ordered), *majors] or list(named)
    for series in _SERIES.finditer(text):
        scope += [r for r in ordered if r.major == int(series[1] or series[2])]
    latest = not named and _LATEST.search(text) is not None
    scope += ordered[-1:] if latest else []
    scope += _relative(text, ordered, named or tuple(before))
    releases = tuple(sorted(set(scope)))
    # A question about releases after the newest gets the same notice as one about the newest.
    beyond = [i for i in bounds.intervals if i.high is None and i.above and i.low in ordered[-1:]]
    latest = latest or bool(beyond and releases == named)
    unknown = tuple(r for r in named if r not in known and r in releases)
    return ReleaseScope(named, releases, unknown, latest, bounds.left)


def release_spans(text: str, *, relative: bool = False) -> list[tuple[int, int]]:
    """Find where a text names releases, or refers to one by another ("the next release").

    Args:
        text: text with full-width characters folded.
        relative: whether to return relative references if no release is written out.

    Returns:
        Start and end offset of each.
    """
    spans = [match.span() for match in mentions_in(text)]
    if relative and not spans:
        spans = [match.span() for pattern in (_NEXT, _PREVIOUS) for match in pattern.finditer(text)]
    return spans


def _within(bounds: Bounds, ordered: Sequence[Release]) -> list[Release]:
    """Return the releases within the bounds; a closed bound is included even if no document is about it."""
    scope = list(bounds.single)
    for interval in bounds.intervals:
        scope += [r for r in (interval.low, interval.high) if r is not None and r in interval]
        scope += [r for r in ordered if r in interval]
    if bounds.excluded and not scope:
        scope = list(ordered)
    return [r for r in scope if r not in bounds.excluded]


def _unknown_majors(text: str, ordered: Sequence[Release]) -> list[Release]:
    """Return release X.0 for each major number X that is written alone and that no document is about."""
    held = {release.major for release in ordered}
    return [Release(major, 0) for major in majors_in(text) if major not in held] if held else []


def _relative(text: str, ordered: Sequence[Release], anchor: Sequence[Release]) -> list[Release]:
    if not anchor:
        return []
    if _NEXT.search(text):
        return [r for r in ordered if r > max(anchor)][:1]
    if _PREVIOUS.search(text):
        return [r for r in ordered if r < min(anchor)][-1:]
    return []
