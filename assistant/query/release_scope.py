"""Releases in a question: named, as sets, ranges and series, or relative to what was spoken of before."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import pairwise

from ingest.release import Release

_NEAR = 64  # characters; a text of many numbers is read once, not once a number
# A number after one of these is the version of something else.
_FOREIGN = re.compile(
    r"(?<![A-Za-z])(?:cuda|cudnn|nccl|python|py|rocm|gcc|g\+\+|onednn|mkl|triton|onnx\w*|opset|numpy|glibc|glibcxx|manylinux"
    r"|ubuntu|macos|windows|ios|android|cmake|c\+\+|llvm|clang|dlpack|cutlass|openmp|nvtx\d?|torchvision|torchaudio"
    r"|torchtext|transformers|java|scipy|driver|驱动|vision|audio|text)\s*(?:版本|version|v|>=|==|<=|[<>=])?\s*$",
    re.I,
)
# Right after one of these any number is a release, be it one that never was.
_OWN = re.compile(
    r"(?<![A-Za-z])(?:pytorch|torch)(?:'s)?\s*的?\s*(?:版本|version|release)?\s*(?:[<>=~]=|[<>=])?\s*$", re.I
)
_VALUE = re.compile(r"(?:[=<≈]|(?<![-=])>)\s*$")  # of a parameter
# Chinese stands right beside a number (`在2.4里`): only Latin letters and digits make it part of a word.
_VERSION = re.compile(
    r"(?:(?<![\d.\w])|(?<=torch))v?(?P<major>\d{1,2})\.(?P<minor>\d{1,2})(?:\.(?:\d{1,2}|x))?"
    r"(?!\.?\d)(?!\s*(?:x\b|[×倍%]|percent|times|[GMKT]i?B\b|[GMK]Hz\b|[GTP]?FLOPS\b|[BM]\b|ms\b|s\b|seconds?\b|minutes?\b|hours?\b"
    r"|秒|毫秒|分钟|小时|亿|万|个百分点))(?![A-Za-z_])",
    re.I | re.ASCII,
)
_SERIES = re.compile(
    r"(?:(?<![\d.\w])|(?<=torch))v?([12])\.x(?!\w)|(?<![\d.\w])([12])\s*系列", re.I | re.ASCII
)
# "PyTorch 3", "PyTorch 3.x": a major number alone, with nothing behind it that it could count.
_MAJOR = re.compile(
    r"(?:(?<![\d.\w])|(?<=torch))v?(?P<major>\d{1,2})(?:\.x(?!\w)|(?=\s*(?:$|[?!。,;)、]|有|的|里|中|版|会|是|和|与|到|新|什么)))",
    re.I | re.ASCII,
)
_RANGE_LINK = re.compile(
    r"\s*(?:-|–|—|~|～|→|->|到|至|升(?:级)?(?:到|至)?|to|through|until|(?:and )?up to|版?到)\s*", re.I
)
_BETWEEN_BEFORE = re.compile(r"\bbetween\s*(?:pytorch|torch|releases?|versions?)?\s*$", re.I)
_BETWEEN_AFTER = re.compile(r"\s*(?:这?两?个?版本?)?之间")
_SINCE_AFTER = re.compile(
    r"\s*(?:版本?)?\s*(?:以来|以后|之后|起(?!不?来)|开始|及以后|及?以上|至今|到(?:现在|目前|今)|\+|onwards?\b"
    r"|and (?:later|newer|up\b|above|onwards?)|or (?:later|newer|above))",
    re.I,
)
_SINCE_BEFORE = re.compile(r"(?:since|自从?|after|later than)\s*(?:pytorch|torch|release|version)?\s*$", re.I)
_UNTIL_AFTER = re.compile(r"\s*(?:版本?)?\s*(?:之前|以前)", re.I)
_UNTIL_BEFORE = re.compile(
    r"(?:before|until|prior to|(?:earlier|older) than)\s*(?:pytorch|torch|release|version)?\s*$", re.I
)
_UP_TO_AFTER = re.compile(
    r"\s*(?:版本?)?\s*(?:及(?:之前|以前|以下)|(?:and|or) (?:earlier|older|below|before))", re.I
)
_UP_TO_BEFORE = re.compile(r"\bup to(?: and including)?\s*(?:pytorch|torch|release|version)?\s*$", re.I)
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
    """What releases a question is about.

    Attributes:
        named: releases written out, in order of appearance.
        releases: all that the question is about (the named, a range, "since", "latest", ...); empty: any.
        unknown: named releases that no document is about.
        latest: it asks about the newest release, whichever that is.
    """

    named: tuple[Release, ...] = ()
    releases: tuple[Release, ...] = ()
    unknown: tuple[Release, ...] = ()
    latest: bool = False


def find_releases(text: str, known: Collection[Release], *, before: Sequence[Release] = ()) -> ReleaseScope:
    """Read the releases of a question.

    Args:
        text: the question.
        known: releases that documents are about.
        before: releases of the question before this one, for "the next release".
    """
    text = unicodedata.normalize("NFKC", text)
    ordered = sorted(known)
    mentions = [m for m in _VERSION.finditer(text) if _is_ours(text, m)]
    named = tuple(dict.fromkeys((*map(_release, mentions), *_unknown_majors(text, ordered))))
    scope: list[Release] = list(named)
    if len(mentions) >= 2:
        for left, right in pairwise(mentions):
            link = text[left.end() : right.start()]
            bare = re.sub(r"(?:版本?|升级|PyTorch)", "", link, flags=re.I).strip()
            between = bare.lower() in ("and", "和", "与") and (
                _ends(_BETWEEN_BEFORE, text, left.start()) or _BETWEEN_AFTER.match(text, right.end())
            )
            if between or _RANGE_LINK.fullmatch(bare):
                low, high = sorted((_release(left), _release(right)))
                scope += [r for r in ordered if low <= r <= high]
    if len(mentions) == 1:
        mention, release = mentions[0], _release(mentions[0])
        head, tail = text[: mention.start()], text[mention.end() :]
        if _SINCE_AFTER.match(tail) or _SINCE_BEFORE.search(head):
            scope += [r for r in ordered if r >= release]
        elif _UP_TO_AFTER.match(tail) or _UP_TO_BEFORE.search(head):
            scope += [r for r in ordered if r <= release]
        elif _UNTIL_AFTER.match(tail) or _UNTIL_BEFORE.search(head):
            scope = [r for r in ordered if r < release] or scope
    for series in _SERIES.finditer(text):
        scope += [r for r in ordered if r.major == int(series[1] or series[2])]
    latest = not named and _LATEST.search(text) is not None
    scope += ordered[-1:] if latest else []
    scope += _relative(text, ordered, named or tuple(before))
    releases = tuple(sorted(set(scope)))
    return ReleaseScope(named, releases, tuple(r for r in named if r not in known), latest)


def release_spans(text: str, *, relative: bool = False) -> list[tuple[int, int]]:
    """Where a text writes releases out, in order; where it means one by another ("the next release"), too.

    Args:
        text: with its full-width characters folded.
        relative: whether those by another count.
    """
    spans = [match.span() for match in _VERSION.finditer(text) if _is_ours(text, match)]
    if relative and not spans:
        spans = [match.span() for pattern in (_NEXT, _PREVIOUS) for match in pattern.finditer(text)]
    return spans


def _is_ours(text: str, mention: re.Match[str]) -> bool:
    """Whether a version is one of PyTorch: it follows the name, or looks like one and follows no other name."""
    return _ends(_OWN, text, mention.start()) or (
        mention["major"] in ("1", "2")
        and not _ends(_FOREIGN, text, mention.start())
        and not _ends(_VALUE, text, mention.start())
    )


def _ends(pattern: re.Pattern[str], text: str, end: int) -> bool:
    """Whether a text up to `end` ends with a pattern that is closed by `$`; only what is near is looked at."""
    return pattern.search(text, max(0, end - _NEAR), end) is not None


def _unknown_majors(text: str, ordered: Sequence[Release]) -> list[Release]:
    """The first release of each major number of PyTorch that is named alone, and that no document is about."""
    held = {release.major for release in ordered}
    majors = [int(m["major"]) for m in _MAJOR.finditer(text) if _ends(_OWN, text, m.start())]
    return [Release(major, 0) for major in majors if major not in held] if held else []


def _relative(text: str, ordered: Sequence[Release], anchor: Sequence[Release]) -> list[Release]:
    if not anchor:
        return []
    if _NEXT.search(text):
        return [r for r in ordered if r > max(anchor)][:1]
    if _PREVIOUS.search(text):
        return [r for r in ordered if r < min(anchor)][-1:]
    return []


def _release(mention: re.Match[str]) -> Release:
    return Release(int(mention["major"]), int(mention["minor"]))
