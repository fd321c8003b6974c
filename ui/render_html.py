"""An answer as HTML for the web page, safe whatever the documents hold.

Documents are data: their HTML is shown as text, images are not loaded, and only http(s) links work. The HTML
is made here, not by the Markdown parser of the browser, so there is no second reading that could differ;
the page sanitizes it once more.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from html import escape
from itertools import groupby
from typing import TYPE_CHECKING

from assistant.answer import Answer, Citation
from assistant.wording import STATUS_NAMES
from index.passage import Passage
from ingest.document import Language
from ui.explain_html import explain_terms
from ui.quote_html import quote_to_html
from ui.render import heading_path, shown_quote, source_name
from ui.words import (
    DECLINED_BADGE,
    KIND_NAMES,
    LANGUAGE_NAMES,
    NEAREST_QUOTES,
    PAIRED,
    READ_ORIGINAL,
    SOURCES,
)

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.renderer import RendererHTML
    from markdown_it.rules_inline import StateInline
    from markdown_it.token import Token
    from markdown_it.utils import EnvType, OptionsDict

_WEB = re.compile(r"https?://[^\s/?#]+[^\s]*", re.I)
_MARK = re.compile(r"\[([0-9]{1,3})\](?!\()")
_TITLE = re.compile(r"\*\*(?=\S)(?P<title>[^\n]+)(?<=\S)\*\*(?=\n|\Z)")
_NEW_TAB = 'target="_blank" rel="noopener noreferrer"'
_NAME_BEFORE = re.compile(r"[A-Za-z0-9_)`]$")


def to_html(answer: Answer, scope: str) -> str:
    """An answer with its sources, in one line of HTML.

    Args:
        answer: also one that is still growing.
        scope: tells this answer's anchors from those of other answers on the page; letters, digits, hyphens.
    """
    parts = [markdown_to_html(answer.text, [c.number for c in answer.citations], scope, answer.language)]
    if answer.pending:
        parts.append(f'<p class="tn-pending">{escape(answer.pending)}</p>')
    if answer.notice:
        parts.insert(0, f'<p class="tn-notice">{escape(answer.notice)}</p>')
    if answer.abstained:
        parts.insert(0, f'<span class="tn-badge tn-declined">{DECLINED_BADGE[answer.language]}</span>')
    if answer.citations:
        parts.append(_sources(answer, scope))
    name = "tn-answer tn-abstained" if answer.abstained else "tn-answer"
    return _one_line(f'<div class="{name}" lang="{answer.language}">{"".join(parts)}</div>')


def plain_to_html(text: str, name: str = "tn-plain") -> str:
    """Text as it was typed, as one line of HTML."""
    return _one_line(f'<div class="{name}">{escape(text)}</div>')


def markdown_to_html(
    markdown: str, numbers: Iterable[int] = (), scope: str = "", language: Language | None = None
) -> str:
    """Markdown as HTML without raw HTML, images and other links than http(s).

    Args:
        markdown: an answer's text.
        numbers: citations; their marks [1] become links to the source entry.
        scope: of the anchors.
        language: in which the terms of the glossary are explained; None: not at all.
    """
    env = {"numbers": frozenset(numbers), "scope": scope, "language": language}
    return str(_markdown().render(markdown, env))


def anchor(scope: str, number: int) -> str:
    """The id of a source entry."""
    return f"source-{scope}-{number}"


def _sources(answer: Answer, scope: str) -> str:
    """The sources as cards, one a passage, a quote a citation."""
    head = (NEAREST_QUOTES if answer.abstained else SOURCES)[answer.language]
    groups = groupby(answer.citations, key=lambda citation: citation.passage.chunk.id)
    cards = "".join(_card(tuple(group), answer.language, scope) for _, group in groups)
    return f'<div class="tn-sources"><div class="tn-head">{head}</div>{cards}</div>'


def _card(citations: Sequence[Citation], language: Language, scope: str) -> str:
    passage = citations[0].passage
    document = passage.document
    facts = [
        KIND_NAMES[language][document.kind],
        LANGUAGE_NAMES[passage.language],
        document.date.isoformat() if document.date else "",
    ]
    status = STATUS_NAMES[language][passage.status]
    meta = [
        f'<span class="tn-badge">{escape(source_name(passage))}</span>',
        f'<span class="tn-badge tn-status tn-{passage.status}">{escape(status)}</span>' if status else "",
        f'<span class="tn-path">{escape(" › ".join(heading_path(passage)))}</span>',
    ]
    quotes = "".join(_quote(citation, scope) for citation in citations)
    told = escape(" · ".join(filter(None, facts)))
    foot = f'<span class="tn-facts">{told}</span>{_link(passage.url, language)}'
    return (
        f'<div class="tn-card"><div class="tn-meta">{"".join(meta)}</div>{quotes}'
        f'{_paired(citations[0].paired, language)}<div class="tn-foot">{foot}</div></div>'
    )


def _paired(passage: Passage | None, language: Language) -> str:
    """The passage's version in the other language, folded."""
    if passage is None:
        return ""
    heading, _, body = passage.text.partition("\n")
    words = quote_to_html(f"{shown_quote(heading)}\n{body}")
    return (
        f'<details class="tn-paired"><summary>{PAIRED[language][passage.language]}</summary>'
        f'<div class="tn-words" lang="{passage.language}">{words}</div></details>'
    )


def _quote(citation: Citation, scope: str) -> str:
    lang = citation.passage.language
    return (
        f'<div class="tn-quote" id="{anchor(scope, citation.number)}">'
        f'<span class="tn-number">{citation.number}</span>'
        f'<span class="tn-words" lang="{lang}">{quote_to_html(shown_quote(citation.quote))}</span></div>'
    )


def _link(url: str, language: Language) -> str:
    if not _WEB.fullmatch(url):
        return ""
    href = escape(url)
    return f'<a href="{href}" title="{href}" {_NEW_TAB}>{READ_ORIGINAL[language]} ↗</a>'


def _one_line(html: str) -> str:
    """Line breaks as entities: the page's Markdown parser then takes the whole for one block of HTML."""
    return html.replace("\r", "").replace("\n", "&#10;")


@lru_cache(maxsize=1)
def _markdown() -> MarkdownIt:
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark", {"html": False, "breaks": True}).enable("table")
    # Of emphasis there is only that of whole lines: all other stars and underscores are those of names.
    parser.disable(["image", "emphasis"])
    parser.validateLink = _is_web  # type: ignore[method-assign]
    parser.inline.ruler.before("link", "citation", _citation)
    parser.inline.ruler.before("citation", "title", _title)
    parser.add_render_rule("link_open", _render_link)
    explain_terms(parser)
    return parser


def _is_web(url: str) -> bool:
    return _WEB.fullmatch(url) is not None


def _title(state: StateInline, silent: bool) -> bool:
    """Read a line that is bold as a whole: the title above the sentences of a section."""
    match = _TITLE.match(state.src, state.pos, state.posMax)
    if match is None or (state.pos and state.src[state.pos - 1] != "\n"):
        return False
    if not silent:
        state.push("strong_open", "strong", 1)
        reach, state.pos, state.posMax = state.posMax, match.start("title"), match.end("title")
        state.md.inline.tokenize(state)
        state.posMax = reach
        state.push("strong_close", "strong", -1)
    state.pos = match.end()
    return True


def _citation(state: StateInline, silent: bool) -> bool:
    """Read a mark [1] of a citation that exists; `x.shape[1]` is none."""
    match = _MARK.match(state.src, state.pos)
    if match is None or _NAME_BEFORE.search(state.src[: state.pos]):
        return False
    number = int(match[1])
    if number not in state.env.get("numbers", ()):
        return False
    if not silent:
        token = state.push("link_open", "a", 1)
        token.attrs = {"href": f"#{anchor(state.env['scope'], number)}", "class": "tn-mark"}
        state.push("text", "", 0).content = str(number)
        state.push("link_close", "a", -1)
    state.pos += match.end() - match.start()
    return True


def _render_link(
    self: RendererHTML, tokens: Sequence[Token], index: int, options: OptionsDict, env: EnvType
) -> str:
    """Links out open in a tab of their own and tell nothing of this page."""
    token = tokens[index]
    if token.attrGet("class") != "tn-mark":
        token.attrSet("target", "_blank")
        token.attrSet("rel", "noopener noreferrer")
    return self.renderToken(tokens, index, options, env)
