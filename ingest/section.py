"""Sections: the heading tree of a document, each with its status and pull-request numbers.

A section is what stands between one heading and the next; its heading path names the headings above it.
Spans count characters of `document.text`, the heading line included: in release notes the long `###`
title often is the answer, so it stays with its text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from ingest.document import Document
from ingest.markup import Block, inline_text, parse_blocks, without_closing
from ingest.status import Status, status_of

_PULL_REQUEST = re.compile(r"#(\d{4,6})\b")
_ID = re.compile(r"(?<!\s)\s*\{#(?P<id>[a-z0-9][a-z0-9-]*)\}\s*$")
_SOURCE_LINE = re.compile(r"^(?:Source|来源)[:：]\s*<(?P<url>https?://[^>\s]+)>\s*$", re.M)


@dataclass(frozen=True, slots=True)
class Section:
    """A stretch of a document under one heading.

    Attributes:
        id: the heading's own id (`{#tcpstore}`), or "".
        headings: titles from the top of the document down to this section's own, as plain text.
        status: what the headings say of it, the nearest first; "" when they say nothing.
        start, end: span in `document.text`, heading line included.
        blocks: its parts in order, the heading first if there is one.
        pull_requests: their numbers, in order of appearance.
        url: where a reader finds this section, "" when only the document's URL is known.
    """

    id: str
    headings: tuple[str, ...]
    status: Status
    start: int
    end: int
    blocks: tuple[Block, ...]
    pull_requests: tuple[int, ...]
    url: str

    @property
    def heading(self) -> str:
        """The section's own title, "" before the first heading."""
        return self.headings[-1] if self.headings else ""


def parse_sections(document: Document) -> list[Section]:
    """Cut a document into sections that cover it without gap or overlap.

    A heading with nothing below it but deeper headings makes no section of its own: it opens its first child.
    """
    text = document.text
    sections: list[Section] = []
    stack: list[tuple[int, str, Status]] = []
    group: list[Block] = []
    start = 0

    def close(end: int) -> None:
        if text[start:end].strip():
            sections.append(_section(text, start, end, stack, group))

    for block in parse_blocks(text):
        if block.kind == "heading":
            opens_child = bool(group) and group[-1].kind == "heading" and block.level > group[-1].level
            if not opens_child:
                close(block.start)
                start, group = block.start, []
            # Levels skip and slip in real notes: a heading closes those of its own level and below.
            while stack and stack[-1][0] >= block.level:
                stack.pop()
            title = _ID.sub("", inline_text(without_closing(text[block.start : block.end])))
            stack.append((block.level, title, status_of(title)))
        group.append(block)
    close(len(text))
    return sections


def _section(
    text: str, start: int, end: int, stack: list[tuple[int, str, Status]], blocks: list[Block]
) -> Section:
    headings = [block for block in blocks if block.kind == "heading"]
    own_id = _ID.search(text[headings[-1].start : headings[-1].end]) if headings else None
    source = _SOURCE_LINE.search(text, start, end)
    return Section(
        id=own_id["id"] if own_id else "",
        headings=tuple(title for _, title, _ in stack),
        status=next((status for _, _, status in reversed(stack) if status), ""),
        start=start,
        end=end,
        blocks=tuple(blocks),
        pull_requests=tuple(dict.fromkeys(map(int, _PULL_REQUEST.findall(text[start:end])))),
        url=source["url"] if source else "",
    )
