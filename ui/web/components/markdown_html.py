"""Conversion of an answer's Markdown to safe HTML.

HTML in documents is shown as text, images are not loaded, and only http(s) links work.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from html import escape
from typing import TYPE_CHECKING

from assistant.text.citation_marks import MARK, UNCONFIRMED
from ingest.document import Language
from ui.shared.markdown import bold_line, is_web
from ui.web.components.explain_html import explain_terms

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.renderer import RendererHTML
    from markdown_it.rules_inline import StateInline
    from markdown_it.token import Token
    from markdown_it.utils import EnvType, OptionsDict


def plain_to_html(text: str, name: str = "tn-plain") -> str:
    """Format plain text.

    Args:
        text: plain text.
        name: CSS class.
    """
    return f'<div class="{name}">{escape(text)}</div>'


def markdown_to_html(
    markdown: str, numbers: Iterable[int] = (), scope: str = "", language: Language | None = None
) -> str:
    """Convert Markdown to HTML without raw HTML, images and links other than http(s).

    Args:
        markdown: text of an answer.
        numbers: numbers of the citations; their marks [1] become links to the sources.
        scope: unique prefix of the anchors on the page.
        language: language in which glossary terms are explained; None: not at all.
    """
    env = {"numbers": frozenset(numbers), "scope": scope, "language": language}
    return str(_markdown().render(markdown, env))


def anchor(scope: str, number: int) -> str:
    """Return the id of a source's element.

    Args:
        scope: unique prefix of the anchors on the page.
        number: number of the citation.
    """
    return f"source-{scope}-{number}"


@lru_cache(maxsize=1)
def _markdown() -> MarkdownIt:
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark", {"html": False, "breaks": True}).enable("table")
    # Only whole lines are bold: all other stars and underscores belong to names.
    parser.disable(["image", "emphasis"])
    parser.validateLink = is_web  # type: ignore[method-assign]
    parser.inline.ruler.before("link", "citation", _citation)
    parser.inline.ruler.before("citation", "unconfirmed", _unconfirmed)
    parser.inline.ruler.before("citation", "title", bold_line)
    parser.add_render_rule("link_open", render_link)
    explain_terms(parser)
    return parser


def _citation(state: StateInline, silent: bool) -> bool:
    """Read a mark [1] of a citation that exists; `x.shape[1]` is none."""
    match = MARK.match(state.src, state.pos)
    number = int(match[1]) if match else 0
    if match is None or number not in state.env.get("numbers", ()):
        return False
    if not silent:
        token = state.push("link_open", "a", 1)
        token.attrs = {
            "href": f"#{anchor(state.env['scope'], number)}",
            "class": "tn-cite",
            "data-source": str(number),
        }
        state.push("text", "", 0).content = str(number)
        state.push("link_close", "a", -1)
    state.pos += match.end() - match.start()
    return True


def _unconfirmed(state: StateInline, silent: bool) -> bool:
    """Read a mark [?], and set what precedes it apart, back to the mark before."""
    from markdown_it.token import Token

    match = UNCONFIRMED.match(state.src, state.pos)
    if match is None:
        return False
    if not silent:
        if state.pending:
            state.pushPending()
        opening = Token("unsure_open", "span", 1, attrs={"class": "tn-unsure"})
        state.tokens.insert(_sentence_start(state.tokens), opening)
        sign = state.push("unsure_mark_open", "span", 1)
        sign.attrs = {"class": "tn-unsure-mark"}
        state.push("text", "", 0).content = match[0].strip("[]")
        state.push("unsure_mark_close", "span", -1)
        state.tokens.append(Token("unsure_close", "span", -1))  # its opening was not pushed either
    state.pos += match.end() - match.start()
    return True


def _sentence_start(tokens: Sequence[Token]) -> int:
    """Return where the sentence begins that follows the last mark."""
    for place in range(len(tokens) - 1, -1, -1):
        cited = tokens[place].type == "link_close" and tokens[place - 2].attrGet("class") == "tn-cite"
        if cited or tokens[place].type == "unsure_close":
            return place + 1
    return 0


def render_link(
    self: RendererHTML, tokens: Sequence[Token], index: int, options: OptionsDict, env: EnvType
) -> str:
    """Open external links in a new tab without a referrer (a rule of markdown-it).

    Args:
        self: the renderer.
        tokens: tokens of the paragraph.
        index: of the token that opens the link.
        options: of the parser.
        env: of the rendering.

    Returns:
        The opening tag.
    """
    token = tokens[index]
    if token.attrGet("class") != "tn-cite":
        token.attrSet("target", "_blank")
        token.attrSet("rel", "noopener noreferrer")
    return self.renderToken(tokens, index, options, env)
