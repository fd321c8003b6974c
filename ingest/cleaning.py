"""Removal of boilerplate from scraped or translated pages.

The rules look at the shape and position of lines; the few words they use are common to many sites. Lines
inside code fences are never removed, and the remaining lines are not changed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby

from ingest.document import Removal
from ingest.unrelated import unrelated_tail

_FENCE = re.compile(r" {0,8}(`{3,}|~{3,})")
_HEAD_LINES = 30  # boxes and bylines are looked for in so many lines
_EXCERPT = 80
_NAVIGATION = re.compile(
    r"(?:[*+-] )?\[?(?:skip to (?:main )?content|toggle (?:navigation|menu)|back to top"
    r"|edit (?:this page|on github)"
    r"|跳到(?:主要)?内容|跳至内容|跳转到内容|跳过导航|返回顶部|回到顶部|编辑此页|切换导航)\]?(?:\([^)]*\))?",
    re.I,
)
BOX_LINE = re.compile(
    r"(?:>\s*)*[*_]*(?P<label>发布|译者|作者|校对|原文|翻译|来源|日期|published|translators?|authors?"
    r"|original|translation|source|date)[*_]*\s*[:：][*_]*\s*(?P<value>\S.*)",
    re.I,
)
_BYLINE = re.compile(r"(?:来自|作者|文)\s*[:：/]?\s*.{0,20}团队|by\s.{0,30}\bteam\b.{0,30}", re.I)
_CONTENTS_ITEM = re.compile(r"\s*(?:[-*+]|\d+[.)])\s+\[[^\]]*\]\(#[^)]*\)\s*")
_FOOTER = re.compile(
    r"我们一直在努力|apachecn|布客|版权所有|保留所有权利|ICP备|©\s?(?:copyright|\d{4})|copyright\W{0,4}(?:©|\(c\)|\d{4})"
    r"|all rights reserved\.?$|^powered by\b",
    re.I,
)
_ENDS_SENTENCE = re.compile(r"[。．.!！?？;；:：][\"'”’)）*_]*$")
_STRUCTURE = re.compile(r"\s*(?:[-*+#>|<!]|\d+[.)]\s|```)")


def clean(text: str) -> tuple[str, tuple[Removal, ...]]:
    """Remove text that does not belong to the article.

    Removed are navigation lines; a translation box (published, translator, original, translation) and a
    byline at the top; tables of contents that only link into the page; the site's footer; and teasers of
    other articles after a "related articles" marker. Detect metadata on the original text: the box contains
    some.

    Args:
        text: Markdown or plain text with LF line ends, without front matter.

    Returns:
        The remaining text, and what was removed and why.
    """
    lines = text.split("\n")
    reasons: dict[int, str] = {}
    in_code = code_lines(lines)
    for number, reason in _found(lines, in_code):
        reasons.setdefault(number, reason)
    kept = "\n".join(line for number, line in enumerate(lines) if number not in reasons)
    return (kept.lstrip("\n") if reasons else kept), tuple(_report(lines, reasons))


def code_lines(lines: list[str]) -> list[bool]:
    """Return for each line whether it is in a fenced code block, fences included.

    Args:
        lines: lines of a Markdown text.
    """
    inside = ""
    flags = []
    for line in lines:
        match = _FENCE.match(line)
        if inside:
            flags.append(True)
            if match and match[1].startswith(inside) and not line.strip().strip(inside[0]):
                inside = ""
        else:
            inside = match[1] if match else ""
            flags.append(bool(match))
    return flags


def _found(lines: list[str], in_code: list[bool]) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(lines):
        if not in_code[number] and _NAVIGATION.fullmatch(line.strip()):
            yield number, "navigation"
    head = _head(lines, in_code)
    yield from ((number, "translation box") for number in _box(lines, head))
    for number in head:
        if len(line := lines[number].strip().strip("*_> ")) <= 50 and _BYLINE.fullmatch(line):
            yield number, "byline"
    yield from ((number, "table of contents") for number in _contents(lines, in_code))
    tail = unrelated_tail(lines, in_code)
    yield from ((number, "unrelated tail") for number in tail)
    end = tail.start if tail and tail.stop >= len(lines) else len(lines)
    yield from ((number, "site footer") for number in _footer(lines[:end], in_code))


def _head(lines: list[str], in_code: list[bool]) -> list[int]:
    """Return the numbers of the non-blank lines before the first subheading, at most `_HEAD_LINES`."""
    head: list[int] = []
    for number, line in enumerate(lines):
        if len(head) >= _HEAD_LINES or in_code[number] or line.startswith("##"):
            break
        if line.strip():
            head.append(number)
    return head


def _box(lines: list[str], head: list[int]) -> list[int]:
    """Return the lines of a translation box: at least two adjacent `label: value` lines, quoted or bare.

    A single one ("Source: ..." under a heading) is part of the text.
    """

    def belongs(number: int) -> bool:
        return _empty(lines[number]) or BOX_LINE.fullmatch(lines[number].strip()) is not None

    for is_box, group in groupby(head, key=belongs):
        numbers = list(group)
        if is_box and sum(not _empty(lines[number]) for number in numbers) >= 2:
            return numbers
    return []


def _empty(line: str) -> bool:
    return not line.strip("> \t")


def _contents(lines: list[str], in_code: list[bool]) -> list[int]:
    """Return the lines of lists of at least three items that only link into the page."""
    found: list[int] = []

    def is_link(number: int) -> bool:
        return not in_code[number] and _CONTENTS_ITEM.fullmatch(lines[number]) is not None

    for is_item, group in groupby(range(len(lines)), key=is_link):
        numbers = list(group)
        if is_item and len(numbers) >= 3:
            found += numbers
    return found


def _footer(lines: list[str], in_code: list[bool]) -> range:
    """Return the short closing lines, from the first one with a typical footer phrase."""
    start = len(lines)
    for number in range(len(lines) - 1, -1, -1):
        line = lines[number].strip()
        # The search ends at the last sentence, list item, table row or code line of the article.
        plain_mark = len(line) <= 120 and bool(_FOOTER.search(line))
        if in_code[number] or (line and not plain_mark and (len(line) > 40 or _ENDS_SENTENCE.search(line))):
            break
        if _STRUCTURE.match(line) and not plain_mark:
            break
        if plain_mark and not _STRUCTURE.match(line):
            start = number
    return range(start, len(lines))


def _report(lines: list[str], reasons: dict[int, str]) -> Iterator[Removal]:
    """Yield one removal for each run of lines removed for the same reason, across blank lines."""
    stretches: list[tuple[str, list[int]]] = []
    for number in sorted(reasons):
        reason = reasons[number]
        near = bool(stretches) and stretches[-1][0] == reason
        if near and not any(lines[n].strip() for n in range(stretches[-1][1][-1] + 1, number)):
            stretches[-1][1].append(number)
        else:
            stretches.append((reason, [number]))
    for reason, numbers in stretches:
        written = [lines[number].strip() for number in numbers if lines[number].strip()]
        if written:
            yield Removal(reason, len(numbers), " ".join(written)[:_EXCERPT])
