"""A bound on the attributes of a tag: libxml2 takes time that grows with the square of their number.

What is a tag depends on what is before it: a comment, a script, a value in quotes. Here every `<` before a
letter may begin one, so that no page can hide a tag; where two readings meet, the longer tag goes on. The
time is in proportion to the length of the page.
"""

from __future__ import annotations

import heapq
import re
from itertools import chain

MOST = 1000  # pages have some dozens at most
_TAG = re.compile(r"<[A-Za-z][^ \t\r\n/>]*")
_NAME = re.compile(r"[ \t\r\n/]*(?:[^ \t\r\n/>][^ \t\r\n/>=]*([ \t\r\n]*=[ \t\r\n]*)?)?")
_QUOTED = {quote: re.compile(f"{quote}[^{quote}]*{quote}?") for quote in "\"'"}
_UNQUOTED = re.compile(r"[^ \t\r\n>]*")


def check_attributes(page: str) -> None:
    """Refuse a page with a tag of very many attributes.

    Args:
        page: its source.

    Raises:
        ValueError: there is such a tag; the message names the line and fits in one.
    """
    reached: dict[int, int] = {}  # where an attribute may begin, and how many of its tag may be before it
    waiting: list[int] = []
    value = (0, 0)  # the last one without quotes: many readings may meet in it
    for tag in chain(_TAG.finditer(page), [None]):
        if tag is not None and tag.end() not in reached:
            reached[tag.end()] = 0
            heapq.heappush(waiting, tag.end())
        while waiting and (tag is None or waiting[0] < tag.end()):
            at = heapq.heappop(waiting)
            count = reached.pop(at) + 1
            if count > MOST:
                line = page.count("\n", 0, at) + 1
                raise ValueError(f"a tag in line {line} has more than {MOST} attributes; take them out")
            name = _NAME.match(page, at)
            end = name.end() if name else at
            if name and name[1]:
                quoted = _QUOTED.get(page[end : end + 1])
                if quoted is None and not value[0] <= end < value[1]:
                    value = (end, _end(_UNQUOTED, page, end))
                end = value[1] if quoted is None else _end(quoted, page, end)
            if end == at or page[end : end + 1] in ("", ">"):
                continue
            if end not in reached:
                heapq.heappush(waiting, end)
            reached[end] = max(count, reached.get(end, 0))


def _end(pattern: re.Pattern[str], page: str, at: int) -> int:
    match = pattern.match(page, at)
    return match.end() if match else at
