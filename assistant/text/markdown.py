"""Reads Markdown as it is displayed: titles, column titles, visible length, and sentences that only refer elsewhere."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise, takewhile

from ingest.markup import reading_text
from ingest.tables import _cells

_TEXTS_KEPT = 16384


#: A sentence that gives a feature's status and no more.
STATED = re.compile(
    r"\bis an? (?:stable|beta|prototype|unstable) feature\b"
    r"|是.{0,8}(?:Beta|Prototype|Stable|测试版|原型|稳定版).{0,4}(?:功能|特性)",
    re.I,
)
_POINTER = re.compile(
    r"https?://|\b(?:learn more|more (?:information|details)|for details|find (?:out )?more|see (?:the|our|this|a)\b|check out|click here"
    r"|(?:please )?refer to|sincerely thank|we(?: are|'re) excited|as always|we encourage|encourage you|full list of)"
    rf"|\b(?:the|this) (?:example|code|snippet|sketch)\b|{STATED.pattern}"
    r"|^示例|(?:下面|以下|上面)的?(?:示例|代码|例子)"
    r"|了解更多|更多(?:信息|详细|细节|内容|有关)|请?(?:参阅|参见|查看|点击|访问|查阅)[^，。]{0,30}(?:教程|文档|博客|页面|此处|这里|链接|指南)|单击此处"
    r"|衷心感谢|真诚地?感谢|很?高兴地?宣布|一如既往|鼓励您",
    re.I,
)


@lru_cache(maxsize=_TEXTS_KEPT)
def points_elsewhere(text: str) -> bool:
    """Check whether a sentence only refers elsewhere: to a link or an example, or expresses thanks.

    Args:
        text: one sentence in Markdown.
    """
    return bool(_POINTER.search(reading_text(text)))


@lru_cache(maxsize=_TEXTS_KEPT)
def shown_length(text: str) -> int:
    """Count the characters of a text as displayed, without white space.

    Args:
        text: Markdown.
    """
    return len(re.sub(r"\s+", "", reading_text(text)))


_HEADING_ID = re.compile(r"(?<!\s)\s*\{#[\w-]+\}\s*$")


_RULE = re.compile(r"\|?(?:\s*:?-+:?\s*\|)*(?:\s*:?-+:?)?")  # the line between column titles and rows


def one_line_title(markdown: str) -> str:
    """Convert a title to plain text in one line; code keeps its text.

    Args:
        markdown: title, possibly with a heading id.
    """
    return " ".join(_HEADING_ID.sub("", reading_text(markdown)).split())


def column_titles(text: str, start: int) -> list[str]:
    """Return the column titles of the table that contains a row.

    Args:
        text: Markdown document.
        start: offset at which the row begins.

    Returns:
        Titles from the line above the table's rule, empty if there is none.
    """
    above = reversed(text[:start].split("\n")[:-1])
    for line, before in pairwise(takewhile(lambda line: "|" in line, above)):
        if "-" in line and _RULE.fullmatch(line.strip()):
            return _cells(before)
    return []
