"""Parses bounds on releases: "newer than 2.4", "torch>=2.4,<2.7", "2.4 以后", "between 2.4 and 2.6"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from assistant.query.bound_words import (
    AHEAD_OF,
    AMONG,
    AND,
    BEHIND_OF,
    BETWEEN,
    EVENT,
    FROM,
    LINK,
    MIRROR,
    MIRRORED,
    MOVED,
    MOVED_THEN,
    NOTHING,
    OPEN_FROM,
    SIGNS,
    SYMBOL,
    THAN,
    THAN_WHAT,
    TO,
    UPGRADES,
    Sign,
)
from assistant.query.release_mentions import NEAR, ends, release_of
from ingest.release import Release


@dataclass(frozen=True, slots=True)
class Interval:
    """A range of releases; use `in` to test for membership.

    Attributes:
        low: lower bound, or None.
        high: upper bound, or None.
        above: whether `low` itself is excluded.
        below: whether `high` itself is excluded.
        major: restricts the range to this major version, or None.
    """

    low: Release | None = None
    high: Release | None = None
    above: bool = False
    below: bool = False
    major: int | None = None

    def __contains__(self, release: Release) -> bool:
        low, high = self.low, self.high
        return (
            (low is None or release > low or (release == low and not self.above))
            and (high is None or release < high or (release == high and not self.below))
            and self.major in (None, release.major)
        )


@dataclass(frozen=True, slots=True)
class Bounds:
    """Releases that a text denotes by the releases it names.

    Attributes:
        single: releases named without a bound.
        intervals: ranges given by bounds.
        excluded: releases explicitly excluded.
        left: release that an upgrade starts from, or None.
    """

    single: tuple[Release, ...] = ()
    intervals: tuple[Interval, ...] = ()
    excluded: tuple[Release, ...] = ()
    left: Release | None = None


@dataclass(frozen=True, slots=True)
class _Bound:
    """A release with its comparison sign, and the span of both."""

    release: Release
    sign: Sign
    start: int
    end: int
    behind: bool = False  # whether the words follow the release


def read_bounds(text: str, mentions: Sequence[re.Match[str]]) -> Bounds:
    """Parse the bounds in a text.

    Args:
        text: text with full-width characters folded.
        mentions: releases in the text, from `mentions_in`.
    """
    bounds = [_bound(text, mention) for mention in mentions]
    intervals: list[Interval] = []
    linked: set[int] = set()
    upgrades = UPGRADES.search(text) is not None
    left = [b.release for b in bounds[:-1] if upgrades and ends(FROM, text, b.start)]
    for place, (one, other) in enumerate(pairwise(mentions)):
        interval = _linked(text, one, other, bounds[place], bounds[place + 1])
        if interval:
            intervals.append(interval)
            linked |= {place, place + 1}
            goes = ends(FROM, text, bounds[place].start) and TO.search(text, one.end(), other.start())
            if interval.low and (upgrades or goes):
                left.append(interval.low)
    rest = [bound for place, bound in enumerate(bounds) if place not in linked]
    intervals += _paired(rest)
    return Bounds(
        single=tuple(bound.release for bound in rest if not bound.sign),
        intervals=tuple(intervals),
        excluded=tuple(bound.release for bound in rest if bound.sign == "!="),
        left=min(left, default=None),
    )


def _bound(text: str, mention: re.Match[str]) -> _Bound:
    """Parse the comparison sign of one release."""
    release, start, end = release_of(mention), mention.start(), mention.end()
    plain = _Bound(release, "", start, end)
    if symbol := ends(SYMBOL, text, start):
        sign = SIGNS.get(symbol[1], "")
        if mention["patch"]:  # notes are per minor release: "<2.4.1" includes 2.4, as 2.4.0
            sign = (
                "" if sign in ("~=", "!=") else "<=" if sign == "<" and mention["patch"].strip("0") else sign
            )
        return replace(plain, sign=sign, start=symbol.start())
    if mirror := MIRROR.match(text, end, end + NEAR):
        return replace(plain, sign=MIRRORED.get(SIGNS.get(mirror[1], ""), ""), end=mirror.end(), behind=True)
    if ends(THAN, text, start):
        for sign, words in THAN_WHAT:
            if found := words.match(text, end, end + NEAR):
                return replace(plain, sign=sign, end=found.end(), behind=True)
        return plain
    if ends(MOVED, text, start) and MOVED_THEN.match(text, end, end + NEAR):
        return plain
    for sign, words in BEHIND_OF:
        found = words.match(text, end, end + NEAR)
        if found and (found[0].strip() != "on" or ends(OPEN_FROM, text, start)):
            return replace(plain, sign=sign, end=found.end(), behind=True)
    for sign, words in AHEAD_OF:
        if (found := ends(words, text, start)) and not EVENT.match(text, end, end + NEAR):
            return replace(plain, sign=sign, start=found.start())
    return plain


def _linked(
    text: str, one: re.Match[str], other: re.Match[str], first: _Bound, second: _Bound
) -> Interval | None:
    """Return the range between two consecutive releases, or None if they form none."""
    if one.end() + NEAR < other.start():
        return None
    among = BETWEEN.search(text, max(0, one.start() - NEAR), one.start()) or AMONG.match(text, other.end())
    start, stop = one.end(), other.start()
    opens, closes = first.sign == ">", second.sign == "<" and second.behind
    if not (LINK.fullmatch(text, start, stop) or (among and AND.fullmatch(text, start, stop))):
        # Skip the words of the two bounds: "2.4 之后到 2.7", "from 2.4 to before 2.7".
        start = first.end if first.behind else start
        stop = second.start if not second.behind else stop
        if start > stop or (start, stop) == (one.end(), other.start()):
            return None
        reaches = not first.sign and second.sign in ("<", "<=") and ends(FROM, text, first.start)
        if not (LINK.fullmatch(text, start, stop) or (reaches and NOTHING.fullmatch(text, start, stop))):
            return None
        closes = second.sign == "<"
    low, high = first.release, second.release
    if low > high:
        return Interval(high, low)
    return Interval(low, high, above=opens, below=closes)


def _paired(bounds: Iterable[_Bound]) -> list[Interval]:
    """Convert bounds to intervals, merging a lower and an upper bound that follow each other."""
    intervals: list[Interval] = []
    waiting: Interval | None = None
    for bound in bounds:
        interval = _interval(bound)
        if interval is None:
            continue
        both = waiting and _both(waiting, interval)
        if both:
            intervals[-1], waiting = both, None
        else:
            intervals.append(interval)
            waiting = interval
    return intervals


def _interval(bound: _Bound) -> Interval | None:
    """Convert one bound to an interval, or return None for a release without one."""
    release, sign = bound.release, bound.sign
    if sign in (">=", ">"):
        return Interval(low=release, above=sign == ">")
    if sign in ("<=", "<"):
        return Interval(high=release, below=sign == "<")
    return Interval(low=release, major=release.major) if sign == "~=" else None


def _both(one: Interval, other: Interval) -> Interval | None:
    """Return the intersection of a lower and an upper bound, or None if it is empty."""
    lower, upper = (one, other) if one.high is None else (other, one)
    if lower.low is None or upper.high is None or lower.high or upper.low or lower.low > upper.high:
        return None
    if lower.low == upper.high and (lower.above or upper.below):
        return None
    return replace(lower, high=upper.high, below=upper.below)
