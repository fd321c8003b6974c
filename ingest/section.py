"""Sections of a document with heading path, status and pull-request numbers.

A section reaches from one heading to the next. Spans are character offsets in `document.text` and include the
heading line: in release notes a long `###` title is often the answer.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from ingest.document import Document
from ingest.markup import Block, inline_text, parse_blocks, without_closing
from ingest.status import Status, status_of

#: Characters of what each chunk of a section holds; real titles and addresses are far shorter.
MAX_TITLE, _MAX_ID, _MAX_URL = 500, 200, 2000
_PULL_REQUEST = re.compile(r"#(\d{4,6})\b")
_ID = re.compile(r"(?<!\s)\s*\{#(?P<id>[a-z0-9][a-z0-9-]*)\}\s*$")
_SOURCE_LINE = re.compile(r"^(?:Source|来源)[:：]\s*<(?P<url>https?://[^>\s]+)>\s*$", re.M)


@dataclass(frozen=True, slots=True)
class Section:
    """The part of a document under one heading.

    Attributes:
        id: id of the heading (`{#tcpstore}`), "" if it has none.
        headings: heading path as plain text, outermost first; of each at most `MAX_TITLE` characters.
        status: status named by the innermost heading that names one, "" if none does.
        start, end: span in `document.text`, heading line included.
        blocks: blocks in order, starting with the heading if there is one.
        pull_requests: numbers of the pull requests, in order of appearance.
        url: address of the section, "" if only that of the document is known.
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
    """Split a document into sections that cover it, apart from white space, without overlap.

    A heading that is directly followed by a deeper heading has no section of its own: it belongs to that of
    its first child.

    Args:
        document: the document.
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
            # Real notes skip levels: a heading closes those of its own and deeper levels.
            while stack and stack[-1][0] >= block.level:
                stack.pop()
            title = _ID.sub("", inline_text(without_closing(text[block.start : block.end])))[:MAX_TITLE]
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
        id=own_id["id"] if own_id and len(own_id["id"]) <= _MAX_ID else "",
        headings=tuple(title for _, title, _ in stack),
        status=next((status for _, _, status in reversed(stack) if status), ""),
        start=start,
        end=end,
        blocks=tuple(blocks),
        pull_requests=tuple(dict.fromkeys(map(int, _PULL_REQUEST.findall(text[start:end])))),
        url=source["url"] if source and len(source["url"]) <= _MAX_URL else "",
    )
