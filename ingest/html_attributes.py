"""A limit on the number of attributes per tag: libxml2 needs quadratic time in that number.

Whether a `<` starts a tag depends on the context: comments, scripts, quoted values. To be safe, every `<`
before a letter is treated as a possible tag, so that no page can hide one; where two such readings meet, the
larger count is kept. Takes linear time in the length of the page.
"""

from __future__ import annotations

import heapq
import re
from itertools import chain

MOST = 1000  # real tags have a few dozen at most
_TAG = re.compile(r"<[A-Za-z][^ \t\r\n/>]*")
_NAME = re.compile(r"[ \t\r\n/]*(?:[^ \t\r\n/>][^ \t\r\n/>=]*([ \t\r\n]*=[ \t\r\n]*)?)?")
_QUOTED = {quote: re.compile(f"{quote}[^{quote}]*{quote}?") for quote in "\"'"}
_UNQUOTED = re.compile(r"[^ \t\r\n>]*")


def check_attributes(page: str) -> None:
    """Check that no tag of a page has more than `MOST` attributes.

    Args:
        page: source of the page.

    Raises:
        ValueError: there is such a tag; the message is one line and names the line of the tag.
    """
    reached: dict[int, int] = {}  # possible start of an attribute: most attributes of its tag before it
    waiting: list[int] = []
    value = (0, 0)  # span of the last unquoted value, which many readings may share
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
