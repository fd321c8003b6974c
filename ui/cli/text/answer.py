"""Formatting of answers for a terminal."""

from __future__ import annotations

import re
from itertools import groupby

import click

from assistant.answer import Answer, Citation, ToolStep
from assistant.text.citation_marks import UNCONFIRMED
from ui.shared.console import address, one_line, printable
from ui.shared.labels import ASK_INSTEAD, NEAREST_QUOTES, NEXT, SOURCES
from ui.shared.markdown import BOLD_LINE
from ui.shared.sources import heading_path, shown_quote, source_name

LONGEST_QUOTE = 300
_INDENT = "    "
_FENCE = re.compile(r"^\s*(```|~~~)")


def to_terminal(answer: Answer, *, suggests: bool = False) -> str:
    """Format an answer with its sources: text, then `[1] release · heading · URL` with the quotes below.

    Bold text has terminal codes; `click.echo` removes them if the output is not a terminal.

    Args:
        answer: the answer.
        suggests: whether to list what to ask next.
    """
    parts = [_text(answer.text)]
    if answer.notices:
        lines = (click.style(one_line(notice), italic=True) for notice in answer.notices)
        parts.insert(0, "\n".join(lines))
    if answer.steps:
        parts.insert(0, "\n".join(map(_step, answer.steps)))
    if answer.citations:
        head = (NEAREST_QUOTES if answer.abstained else SOURCES)[answer.language]
        parts.append(click.style(head, bold=True))
        parts += [_source(tuple(group)) for _, group in groupby(answer.citations, key=_passage_id)]
    if suggests and answer.suggestions:
        head = (ASK_INSTEAD if answer.abstained else NEXT)[answer.language]
        questions = [f"- {one_line(question)}" for question in answer.suggestions]
        parts.append("\n".join([click.style(head, bold=True), *questions]))
    return "\n\n".join(parts)


def _step(step: ToolStep) -> str:
    """Format what a language model looked up as one dim line."""
    given = ", ".join(f"{name}={one_line(value)}" for name, value in step.arguments.items())
    return click.style(f"→ {one_line(step.name)}({given}): {one_line(step.result)}", dim=True)


def _text(markdown: str) -> str:
    """Replace bold lines and openings by terminal codes, and color the marks of what is not confirmed."""
    lines: list[str] = []
    in_code = False
    for line in printable(markdown).split("\n"):
        fence = _FENCE.match(line) is not None
        in_code ^= fence
        if not (in_code or fence):
            line = UNCONFIRMED.sub(lambda mark: click.style(mark[0], fg="yellow"), line)
            if bold := BOLD_LINE.match(line):
                line = click.style(bold[bold.lastgroup or 0], bold=True) + line[bold.end() :]
        lines.append(line)
    return "\n".join(lines)


def _passage_id(citation: Citation) -> str:
    return citation.passage.chunk.id


def _source(citations: tuple[Citation, ...]) -> str:
    """Format a passage with its quotes, numbered if there are several."""
    passage, first, last = citations[0].passage, citations[0].number, citations[-1].number
    place = (
        source_name(passage),
        " > ".join(heading_path(passage)),
        passage.url or address(passage.document),
    )
    numbers = f"[{first}]" if first == last else f"[{first}]-[{last}]"
    lines = [f"{numbers} {one_line(' · '.join(filter(None, place)))}"]
    for citation in citations:
        quote = printable(shown_quote(citation.quote))
        if len(quote) > LONGEST_QUOTE:
            quote = quote[: LONGEST_QUOTE - 1].rstrip() + "…"
        mark = "" if first == last else f"[{citation.number}] "
        lines += [f"{_INDENT}{line}".rstrip() for line in f"{mark}{quote}".split("\n")]
    return "\n".join(lines)
