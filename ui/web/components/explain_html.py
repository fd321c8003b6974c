"""Explanations of glossary terms in answers, shown on hover or keyboard focus.

The explanation says what the term is for and, for machine-translated words, gives the correct one. Each term
is explained once per answer, at its first occurrence.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape
from typing import TYPE_CHECKING

from corpus.glossary import Term, load_glossary
from ingest.document import Language
from ingest.language import HAN

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.rules_core import StateCore
    from markdown_it.token import Token

#: Names that are also common words, such as "训练" and "dim": they would be marked in every line.
_COMMON = re.compile(f"[{HAN}]{{1,2}}|[a-z]{{1,4}}")


def explain_terms(parser: MarkdownIt) -> None:
    """Add a rule to a Markdown parser that marks terms; `env["language"]` selects the language.

    Args:
        parser: the parser.
    """
    parser.core.ruler.push("terms", _mark_terms)


def explanation(term: Term, language: Language) -> str:
    """Return name and purpose of a term on one line.

    Args:
        term: the term.
        language: language of the text.
    """
    if language == "zh":
        name = f"{term.en}（{term.zh[0]}）" if term.zh else term.en
        return f"{name}：{term.what_zh}"
    return f"{term.en}: {term.what_en}"


def _mark_terms(state: StateCore) -> None:
    language = state.env.get("language")
    if language is None:
        return
    told: set[str] = set()
    for block in state.tokens:
        if block.type == "inline" and block.children:
            block.children = list(_marked(block.children, language, told))


def _marked(tokens: list[Token], language: Language, told: set[str]) -> Iterator[Token]:
    links = 0
    for token in tokens:
        links += token.nesting if token.type.startswith("link_") else 0
        if links or token.type not in ("text", "code_inline"):
            yield token
        elif token.type == "text":
            yield from _pieces(token, language, told)
        else:
            yield from _whole(token, language, told)


def _pieces(token: Token, language: Language, told: set[str]) -> Iterator[Token]:
    """Split a text at the terms in it."""
    text, position = token.content, 0
    for start, end, term in load_glossary().spans(text):
        if start < position or term.id in told or _COMMON.fullmatch(text[start:end]):
            continue
        told.add(term.id)
        yield _like(token, text[position:start])
        yield from _abbreviated(_like(token, text[start:end]), term, language)
        position = end
    yield _like(token, text[position:])


def _whole(token: Token, language: Language, told: set[str]) -> Iterator[Token]:
    """Mark code that is a term as a whole."""
    found = load_glossary().spans(token.content)
    if len(found) == 1 and found[0][:2] == (0, len(token.content)) and found[0][2].id not in told:
        told.add(found[0][2].id)
        yield from _abbreviated(token, found[0][2], language)
    else:
        yield token


def _abbreviated(token: Token, term: Term, language: Language) -> Iterator[Token]:
    words = escape(explanation(term, language))
    yield _html(token, f'<abbr class="tn-term" tabindex="0" title="{words}">')
    yield token
    yield _html(token, "</abbr>")


def _like(token: Token, content: str) -> Token:
    return token.copy(content=content)


def _html(token: Token, html: str) -> Token:
    return token.copy(type="html_inline", tag="", content=html)
