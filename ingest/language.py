"""Detection of a document's language."""

from __future__ import annotations

import re

from ingest.document import Language

#: Chinese characters, for a regex class: the main block, extension A, and compatibility ideographs.
HAN = r"\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_NOT_PROSE = re.compile(
    r"```.*?(?:```|\Z)|(?<!`)(?P<ticks>``?)(?!`)[^\n]{1,600}?(?<!`)(?P=ticks)(?!`)|https?://\S+|<[^<>]{0,300}>",
    re.S,
)
_HAN = re.compile(f"[{HAN}]")
_LATIN_WORD = re.compile(r"[A-Za-z]+")


def prose_of(text: str) -> str:
    """Return a Markdown text without code, addresses and tags.

    Args:
        text: a Markdown text.
    """
    return _NOT_PROSE.sub(" ", text)


def document_language(text: str) -> Language:
    """Return the language of a document, ignoring code and addresses.

    Chinese technical prose is full of English names, so one Chinese character for every two Latin words is
    enough; English texts that quote Chinese words have far fewer. Questions are too short for this rule, see
    `assistant.query.question_language`.

    Args:
        text: the document or a part of it, as Markdown.

    Returns:
        "zh" or "en"; "en" for a text without prose.
    """
    prose = prose_of(text)
    return "zh" if 2 * len(_HAN.findall(prose)) > len(_LATIN_WORD.findall(prose)) else "en"
