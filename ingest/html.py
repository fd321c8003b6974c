"""Conversion of saved or fetched web pages to Markdown.

trafilatura extracts the main content. Code blocks and links are set aside first, because it drops blank lines
of code and passages that consist of links, which matter in release notes. Its escapes in identifiers are
removed, and the date is only taken from the metadata in the head of the page.
"""

from __future__ import annotations

import logging
import re
from typing import TYPE_CHECKING

from ingest.code_spans import outside_code
from ingest.html_attributes import check_attributes
from ingest.html_parts import put_back, set_aside
from ingest.html_spans import bound_spans

if TYPE_CHECKING:
    from lxml.html import HtmlElement  # type: ignore[import-untyped]

_ESCAPE = re.compile(r"\\([_\[\]~<])")
_LINK = re.compile(r"!?\[[^\]\n]{0,500}\]\([^)\n]{0,2000}\)")
# Characters and character references that XML does not allow: lxml and trafilatura fail on some of them.
_CONTROL = re.compile(
    "[\\x00-\\x08\\x0b\\x0e-\\x1f\\ufffe\\uffff]"
    r"|&#(?:0{0,8}(?:[0-8]|11|1[4-9]|2\d|3[01]|6553[45])(?!\d)|x0{0,8}(?:[0-8bef]|1[0-9a-f]|fff[ef])(?![0-9a-f]));?",
    re.I,
)
# Form feeds are white space in HTML but not allowed in XML.
_PAGE_BREAK = re.compile(r"\f|&#(?:0{0,8}12(?!\d)|x0{0,8}c(?![0-9a-f]));?", re.I)
#: Tags of a page, which cost far more than its letters: some seconds for so many, ten times those of notes.
MOST_TAGS = 100_000
_TAG = re.compile(r"<[a-z]", re.I)
_FACTS: tuple[tuple[str, str], ...] = (
    ("url", "//link[@rel='canonical']/@href"),
    ("url", "//meta[@property='og:url']/@content"),
    ("date", "//meta[@property='article:published_time']/@content"),
    ("date", "//meta[@name='date' or @name='pubdate' or @name='dcterms.date']/@content"),
    ("page_title", "//meta[@property='og:title']/@content"),
    ("page_title", "//title/text()"),
)


def html_to_markdown(page: str) -> tuple[dict[str, str], str]:
    """Extract the main content of a page.

    Args:
        page: source of the page.

    Returns:
        Declared metadata (url, date, page_title; missing ones left out), and the content as Markdown.

    Raises:
        ValueError: the page cannot be parsed, or no main content is found; the message is one line.
    """
    import lxml.html  # type: ignore[import-untyped]
    from lxml.etree import ParserError  # type: ignore[import-untyped]
    from trafilatura import extract
    from trafilatura.settings import use_config

    page = _PAGE_BREAK.sub(" ", page)
    if control := _CONTROL.search(page):
        line = page.count("\n", 0, control.start()) + 1
        raise ValueError(f"it holds a control character ({control[0]!a}) in line {line}; take it out")
    check_attributes(page)
    if sum(1 for _ in _TAG.finditer(page)) > MOST_TAGS:
        raise ValueError(f"it has more than {MOST_TAGS:,} tags; split it, or save its main part alone")
    logging.getLogger("trafilatura").setLevel(logging.CRITICAL)  # an empty page is reported by us
    try:
        # Bytes, because lxml refuses a str that declares an encoding.
        tree = lxml.html.document_fromstring(page.encode(), parser=lxml.html.HTMLParser(encoding="utf-8"))
    except (ParserError, ValueError) as error:
        raise ValueError("it holds no HTML that can be read") from error
    facts = _facts(tree)
    _mark_article(tree)
    bound_spans(tree, most=len(page))
    aside = set_aside(tree, page)
    # Below its minimum size trafilatura falls back to plain text, but short pages are valid too.
    config = use_config()
    config.set("DEFAULT", "MIN_EXTRACTED_SIZE", "1")
    config.set("DEFAULT", "MIN_OUTPUT_SIZE", "1")
    markdown = extract(
        tree,
        output_format="markdown",
        include_links=True,
        include_tables=True,
        include_formatting=True,
        include_comments=False,
        favor_recall=True,
        config=config,
    )
    if not markdown or not _LINK.sub("", markdown).strip(" \n*+-|"):
        raise ValueError("no main content was found in the page; save the article itself or give its text")
    return facts, put_back(_unescape(markdown), aside).strip() + "\n"


def _facts(tree: HtmlElement) -> dict[str, str]:
    facts: dict[str, str] = {}
    for name, path in _FACTS:
        for value in tree.xpath(path)[:1]:
            if value.strip():
                facts.setdefault(name, " ".join(value.split()))
    return facts


def _mark_article(tree: HtmlElement) -> None:
    """Mark an article in a page without one: trafilatura drops headings around bare paragraphs."""
    import lxml.html

    body = tree.find("body")
    if body is None or tree.xpath("//article | //main | //*[@role='main']"):
        return
    paragraphs = tree.xpath("//body//p[not(ancestor::aside | ancestor::footer)]")
    parents = {paragraph.getparent() for paragraph in paragraphs}
    richest = max(parents, key=lambda e: sum(len(p.text_content()) for p in e.findall("p")), default=None)
    if richest is None:
        return
    if richest is not body:
        if richest.tag in ("div", "section"):
            richest.tag = "article"
        return
    article = lxml.html.Element("article")
    for child in list(body):
        if child.tag not in ("nav", "header", "footer", "aside", "script", "style", "form"):
            article.append(child)
    body.append(article)


def _unescape(markdown: str) -> str:
    return outside_code(markdown, lambda text: _ESCAPE.sub(r"\1", text))
