"""Options for the format of results, shared by several commands, and writing to a file."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import click

from ui.shared.console import one_line, printable

_Command = TypeVar("_Command", bound=Callable[..., object])


def language_option(command: _Command) -> _Command:
    """Add the option `--language`, for commands whose arguments do not imply a language.

    Args:
        command: function of the command.
    """
    option = click.option(
        "--language", "-l", type=click.Choice(["zh", "en"]), default="en", help="Language; en otherwise."
    )
    return option(command)


def form_options(command: _Command) -> _Command:
    """Add the options `--json`, `--markdown` and `--output`; see `check_form` and `write`.

    Args:
        command: function of the command.
    """
    options = (
        click.option("--json", "as_json", is_flag=True, help="Print it as JSON."),
        click.option("--markdown", "as_markdown", is_flag=True, help="Print it as Markdown, to share."),
        click.option(
            "--output",
            "-o",
            metavar="FILE",
            type=click.Path(dir_okay=False, path_type=Path),
            help="Write it to FILE instead; what stands there is replaced.",
        ),
    )
    for option in reversed(options):
        command = option(command)
    return command


def check_form(*, as_json: bool, as_markdown: bool) -> None:
    """Check that at most one format is selected.

    Args:
        as_json: value of `--json`.
        as_markdown: value of `--markdown`.

    Raises:
        click.UsageError: both are given.
    """
    if as_json and as_markdown:
        raise click.UsageError("--json and --markdown exclude each other; give one of them")


def write(text: str, output: Path | None, *, exact: bool = False) -> None:
    """Print a result, or write it to a file without terminal codes.

    Args:
        text: the result.
        output: file to write; None: standard output.
        exact: the text has no terminal codes of ours; those of others are kept, but not shown on a terminal.

    Raises:
        TorchnotesError: the file cannot be written.
    """
    from ingest.errors import TorchnotesError

    if output is None:
        # With colour nothing is taken out. What lies in the code of others must not reach a terminal.
        click.echo(printable(text) if exact and sys.stdout.isatty() else text, color=exact or None)
        return
    try:
        plain = text if exact else click.unstyle(text)
        output.write_text(f"{plain}\n", encoding="utf-8", newline="\n")
    except OSError as error:
        reason = error.strerror or "it cannot be written"
        raise TorchnotesError(f"{output}: {reason}; give --output a file that can be written") from error
    click.echo(f"written to {one_line(str(output))}", err=True)
