"""`torchnotes api`: look up API names in this machine's torch and in the notes."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, cast

import click

from ui.cli.opening import index_with_what_ships, open_factory
from ui.cli.output import language_option
from ui.shared.console import json_text, one_line

if TYPE_CHECKING:
    from assistant.api_usage.api_report import ApiReport
    from assistant.api_usage.names import ApiName
    from assistant.api_usage.snippet_run import SnippetRun
    from assistant.sandbox.isolation import Isolation
    from ingest.document import Language

STDIN = "-"


@click.command()
@click.argument("what", nargs=-1, required=True, metavar="WHAT...")
@language_option
@click.option("--json", "as_json", is_flag=True, help="Print the report as JSON.")
def api(what: tuple[str, ...], language: str, as_json: bool) -> None:
    """Look up API names in your torch and in the notes; nothing of yours runs.

    WHAT are names (torch.compile), Python files, or texts with names, such as an answer; - is standard
    input: torchnotes ask "..." | torchnotes api -
    """
    from assistant.sandbox.probe import available
    from ui.cli.text.api import told_names

    spoken = cast("Language", language)
    names = {each.name: each for given in reversed(what) for each in reversed(_names(given))}
    report = report_of([*reversed(names.values())], spoken, available()[0], None)
    click.echo(json_text(report.to_dict()) if as_json else told_names(report, spoken))
    if report.missing:
        click.get_current_context().exit(1)


def report_of(
    names: Sequence[ApiName], language: Language, isolation: Isolation, ran: SnippetRun | None
) -> ApiReport:
    """Return a report on names, based on the current index.

    Args:
        names: names to look up.
        language: preferred language of quotes.
        isolation: sandbox backend.
        ran: run of the program that the names are from, None if it did not run.
    """
    from assistant.api_usage.api_report import report_on
    from index.search.retriever import Retriever

    factory = open_factory()
    retriever = Retriever(index_with_what_ships(factory), factory.segmenter)
    return report_on(names, retriever, factory.glossary, language=language, isolation=isolation, ran=ran)


def standard_input() -> bytes:
    """Read standard input, up to one byte more than a program may have."""
    from assistant.api_usage.snippet import LARGEST

    return sys.stdin.buffer.read(LARGEST + 1)


def _names(given: str) -> tuple[ApiName, ...]:
    """Return the names that an argument stands for: itself, or those in a file.

    Raises:
        TorchnotesError: it is neither a name nor a readable file, or the file has no names.
    """
    from assistant.api_usage.names import names_in_answer
    from assistant.api_usage.snippet import LARGEST, read_snippet
    from ingest.errors import SourceError

    path = Path(given)
    if given == STDIN:
        found = _names_of_text(standard_input().decode("utf-8", "replace"))
    elif path.suffix == ".py":
        found = read_snippet(path).names
    elif os.path.isfile(given):  # False if the text is too long for a path
        try:
            with path.open("rb") as file:
                found = _names_of_text(file.read(LARGEST).decode("utf-8", "replace"))
        except OSError as error:
            raise SourceError(given, f"cannot be read ({error.strerror}); give another file") from None
    else:
        found = names_in_answer(f"`{given}`")
        if len(found) != 1 or found[0].written != given.removesuffix("()"):
            reason = "no name of torch, nor a file; give names such as torch.compile, a file, or - for input"
            raise SourceError(one_line(given), reason)
        return tuple(type(each)(each.name, each.written, ()) for each in found)
    if not found:
        reason = "no name of torch is in it; names count in Python code, or as `torch.compile` in a text"
        raise SourceError("standard input" if given == STDIN else given, reason)
    return found


def _names_of_text(text: str) -> tuple[ApiName, ...]:
    """Return the names in Python code, or else in an answer."""
    from assistant.api_usage.names import names_in, names_in_answer

    try:
        return names_in(text) or names_in_answer(text)
    except (SyntaxError, ValueError, RecursionError):
        return names_in_answer(text)
