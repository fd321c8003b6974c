"""Statuses: how ready a feature is, or what kind of change a section tells of, and the words for them.

A heading is a status when all of it is (`status_of`); prose says one in passing (`SAID`).
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal, get_args

Status = Literal[
    "stable",
    "beta",
    "prototype",
    "unstable",
    "deprecated",
    "breaking",
    "new",
    "improvement",
    "performance",
    "bug-fix",
    "regression",
    "documentation",
    "developers",
    "platform",
    "",
]
STATUSES: tuple[Status, ...] = get_args(Status)
#: How ready a feature is.
MATURITIES: tuple[Status, ...] = ("prototype", "unstable", "beta", "stable")
#: Patterns of the words that say a status within a sentence; stability (稳定性) is none. To be compiled with
#: re.I, and with re.ASCII, since Chinese writes "Beta功能" without a space.
SAID: dict[Status, str] = {
    "beta": r"\bbeta\b|测试版|公测",
    "prototype": r"\bprototypes?\b|原型",
    "stable": r"\bstable\b|(?<!不)稳定(?!性)",
    "unstable": r"\bunstable\b|不稳定",
    "deprecated": r"\bdeprecat\w+|弃用|废弃",
}

# The order matters for headings that match two: "Backwards incompatible changes" is not a "change", and
# "[Prototype] performance of ..." is a prototype.
_STATUS_WORDS: tuple[tuple[Status, str], ...] = (
    ("unstable", r"(?:api[- ])?unstable|(?:(?:api|接口) ?)?不稳定"),
    ("stable", r"stable|稳定版?"),
    ("beta", r"beta|测试版?|公测"),
    ("prototype", r"prototypes?|experimental|原型|实验性?"),
    (
        "breaking",
        r"backwards? incompatible.*|bc[- ]breaking|breaking(?: changes?)?"
        r"|不兼容的?(?:变更|更改|改动)|向后不兼容.*|破坏性.*",
    ),
    ("deprecated", r"deprecat\w*|已?弃用.*|已?废弃.*"),
    ("regression", r"(?:tracked|known) (?:regressions?|issues?)|已知问题|回归"),
    ("bug-fix", r"bug ?fix(?:es)?|缺陷修复|错误修复"),
    ("performance", r"performance(?: improvements?| optimi[sz]ations?)?|性能(?:改进|优化|提升|增强)?"),
    ("new", r"new features?|新功能|新特性"),
    ("improvement", r"improvements?|改进"),
    ("documentation", r"docs|documentation|文档"),
    ("developers", r"developers?|开发者.*"),
    ("platform", r"platforms?|平台.*"),
)
_SUFFIX = r"(?:\s*(?:features?|api|版|功能|特性|特点|特征|changes?|更新))*"
_OPENING = re.compile(r"^\W*[\[(（【]\s*(?P<word>[^\])）】]{2,24})\s*[\])）】]\s*[:：]?\s*")
_CLOSING = re.compile(
    r"\s*[\[(（【]\s*(?:now\s+|现在|现已)?(?P<word>[^\[(（【\])）】]{2,24})[\])）】]\W*$", re.I
)


def status_of(title: str) -> Status:
    """Return the status that a heading or table column names, "" if none.

    Args:
        title: plain text of the heading.

    >>> status_of("[Beta] TCPStore uses libuv"), status_of("C++ API(稳定)"), status_of("New TCPStore backend")
    ('beta', 'stable', '')
    """
    brackets = (_OPENING.match(title), _CLOSING.search(title))
    for text in [bracket["word"] for bracket in brackets if bracket] + [title]:
        for status, pattern in _patterns():
            if pattern.fullmatch(text.strip()):
                return status
    return ""


def names_status_only(heading: str) -> bool:
    """Whether a heading only names a status; one that opens with a bracket is of a feature or a change.

    Args:
        heading: heading.
    """
    return bool(status_of(heading)) and re.match(r"\s*[\[(（【]", heading) is None


def without_opening_status(title: str) -> str:
    """A title without a status in brackets before it; other brackets are part of it.

    Args:
        title: heading.

    >>> without_opening_status("[Beta] TCPStore"), without_opening_status("[ONNX] Remove caffe2")
    ('TCPStore', '[ONNX] Remove caffe2')
    """
    bracket = _OPENING.match(title)
    return title[bracket.end() :] if bracket and status_of(bracket["word"]) else title


def without_closing_status(title: str) -> str:
    """A title without a status in brackets after it.

    Args:
        title: heading.
    """
    bracket = _CLOSING.search(title)
    return title[: bracket.start()] if bracket and status_of(bracket["word"]) else title


@lru_cache(maxsize=1)
def _patterns() -> tuple[tuple[Status, re.Pattern[str]], ...]:
    """Return the patterns of the statuses, compiled on first use."""
    return tuple(
        (status, re.compile(rf"\W*(?:{words}){_SUFFIX}\W*", re.I)) for status, words in _STATUS_WORDS
    )
