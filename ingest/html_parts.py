"""Code blocks and links that are replaced by placeholders while the main content is extracted.

Placeholders are plain words, which the extraction leaves unchanged. They are chosen so that they do not occur
in the page, so a page cannot forge one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lxml.html import HtmlElement  # type: ignore[import-untyped]

_MARK = "XpartX"
_LANGUAGE_CLASS = re.compile(r"(?:language|lang|highlight-source|highlight)-([a-z+#]+)")
_ARTICLE = "(ancestor::article or ancestor::main or ancestor::*[@role='main'])"
_BOILERPLATE = "(ancestor::nav or ancestor::aside or ancestor::footer or ancestor::header)"


@dataclass(frozen=True, slots=True)
class Aside:
    """Parts that were set aside.

    Attributes:
        mark: prefix of the placeholders.
        blocks: fenced code blocks, by number.
        targets: link targets, by number.
    """

    mark: str
    blocks: list[str]
    targets: list[str]


def set_aside(tree: HtmlElement, page: str) -> Aside:
    """Replace `<pre>` outside tables by placeholders, and mark the link texts of an article with them.

    Args:
        tree: the page; modified in place.
        page: source of the page.
    """
    mark = _MARK
    while mark in page:
        mark += "X"
    return Aside(mark, _take_code_blocks(tree, mark), _take_links(tree, mark))


def put_back(markdown: str, aside: Aside) -> str:
    """Replace the placeholders in the extracted text.

    Args:
        markdown: the extracted text.
        aside: the result of `set_aside`.
    """
    start = re.compile(rf"{aside.mark}\d+S")
    end = re.compile(rf"{aside.mark}(\d+)E")
    markdown = end.sub(lambda match: f"]({aside.targets[int(match[1])]})", start.sub("[", markdown))
    return _put_code_blocks(markdown, aside)


def _take_links(tree: HtmlElement, mark: str) -> list[str]:
    targets: list[str] = []
    for link in tree.xpath(f"//a[@href][{_ARTICLE}][not{_BOILERPLATE}]"):
        target = link.get("href").strip()
        wanted = re.match(r"https?://|[#/.]|[\w-]+(?:[/.]|$)", target) and not re.search(r"[\s<>()]", target)
        if not link.text_content().strip():
            continue  # an anchor or an image
        # Inside code, the brackets of a link would be literal.
        if wanted and not link.xpath("ancestor::code | ancestor::pre"):
            link.text = f"{mark}{len(targets)}S{link.text or ''}"
            if len(link):
                link[-1].tail = f"{link[-1].tail or ''}{mark}{len(targets)}E"
            else:
                link.text += f"{mark}{len(targets)}E"
            targets.append(target)
        link.drop_tag()
    return targets


def _take_code_blocks(tree: HtmlElement, mark: str) -> list[str]:
    import lxml.html  # type: ignore[import-untyped]

    blocks: list[str] = []
    for pre in tree.xpath("//pre[not(ancestor::pre | ancestor::td | ancestor::th)]"):
        code = pre.text_content().replace("\r", "").strip("\n")
        parent = pre.getparent()
        if not code.strip() or parent is None:
            continue
        marked = lxml.html.Element("p")
        marked.text, marked.tail = f"{mark}{len(blocks)}Z", pre.tail
        fence = "`" * max(3, 1 + max((len(run) for run in re.findall(r"`+", code)), default=0))
        blocks.append(f"{fence}{_code_language(pre)}\n{code}\n{fence}")
        parent.replace(pre, marked)
    return blocks


def _code_language(pre: HtmlElement) -> str:
    parent = pre.getparent()
    around = [pre, *pre.iter("code"), *([parent] if parent is not None else [])]
    classes = " ".join(str(element.get("class") or "") for element in around)
    match = _LANGUAGE_CLASS.search(classes)
    return match[1] if match and match[1] not in ("default", "none", "text") else ""


def _put_code_blocks(markdown: str, aside: Aside) -> str:
    marked = re.compile(rf"`*{aside.mark}(\d+)Z`*")
    lines: list[str] = []
    for line in markdown.split("\n"):
        # Because of the group in the pattern, every second part is the number of a block.
        parts = marked.split(line)
        lead = parts[0].rstrip()
        # In a list item the fence is indented, otherwise it would end the list.
        item = re.match(r" *(?:(?:[-*+]|\d+[.)]) +)?", lead)
        indent = " " * item.end() if item else ""
        for position, part in enumerate(parts):
            if position % 2:
                block = aside.blocks[int(part)].split("\n")
                if lines and lines[-1]:
                    lines.append("")
                lines += [*(indent + code if code else code for code in block), ""]
            elif part.strip() or len(parts) == 1:
                lines.append(part.rstrip() if len(parts) > 1 else part)
    return "\n".join(lines)
