"""The entry point: `torchnotes ask "..."` and the commands that manage the index.

Heavy modules are imported by the commands that need them, so that help is fast and questions do not load the
web page.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TextIO

import click

from ingest.errors import TorchnotesError
from ingest.unwritable import FULL, unwritable
from ui.cli.commands.add import add
from ui.cli.commands.api import api
from ui.cli.commands.ask import ask
from ui.cli.commands.check import check, checks
from ui.cli.commands.compare import compare
from ui.cli.commands.config import config
from ui.cli.commands.copy import index
from ui.cli.commands.doctor import doctor
from ui.cli.commands.eval import evaluate
from ui.cli.commands.feedback import feedback
from ui.cli.commands.history import history
from ui.cli.commands.index import rebuild, remove, sources, verify
from ui.cli.commands.mcp import mcp
from ui.cli.commands.model import model
from ui.cli.commands.run import run as run_file
from ui.cli.commands.skill import skill
from ui.cli.commands.slack import slack
from ui.cli.commands.sync import sync
from ui.cli.commands.upgrade import upgrade
from ui.cli.commands.web import web
from ui.shared.console import one_line

BAD_INPUT = 2
BROKEN = 1
INTERRUPTED = 130
_DEBUG = "TORCHNOTES_DEBUG"


class Commands(click.Group):
    """A group that treats a broken pipe as success: the reader has seen enough. For click it is an error."""

    def make_context(self, *arguments: Any, **given: Any) -> click.Context:
        """Parse the command line; `--help` already prints here.

        Args:
            *arguments: see `click.Group.make_context`.
            **given: see `click.Group.make_context`.
        """
        with _to_whoever_reads():
            return super().make_context(*arguments, **given)

    def invoke(self, ctx: click.Context) -> object:
        """Run the command.

        Args:
            ctx: context of the command.
        """
        with _to_whoever_reads():
            return super().invoke(ctx)


@contextmanager
def _to_whoever_reads() -> Iterator[None]:
    """Convert a broken pipe to exit code 0."""
    try:
        yield
    except BrokenPipeError:
        raise click.exceptions.Exit(0) from None


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
def commands() -> None:
    """Ask the PyTorch release notes, in Chinese or English; every sentence of an answer is cited.

    Try: torchnotes ask "what is new in torch.compile in 2.4?"
    """


for _command in (
    ask,
    history,
    compare,
    upgrade,
    checks,
    check,
    run_file,
    api,
    add,
    sync,
    sources,
    remove,
    rebuild,
    verify,
    index,
    doctor,
    config,
    model,
    evaluate,
    feedback,
    web,
    slack,
    mcp,
    skill,
):
    commands.add_command(_command)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command.

    Args:
        arguments: command line arguments; None: those of this process.

    Returns:
        0: success, or nobody reads the output any more; 1: a check found faults, or an unexpected error; 2:
            invalid input;
        130: interrupted.
    """
    streams = (sys.stdout, sys.stderr)
    for stream in streams:
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")  # in the user's own encoding
    try:
        return _run(arguments)
    finally:
        for stream in streams:
            _let_go(stream)


def _run(arguments: Sequence[str] | None) -> int:
    """Run a command, print one line for errors, and return the exit code."""
    try:
        code = commands.main(arguments, prog_name="torchnotes", standalone_mode=False)
        return code if isinstance(code, int) else 0
    except click.exceptions.NoArgsIsHelpError as error:  # `torchnotes` alone
        with suppress(BrokenPipeError):
            error.show()
        return error.exit_code
    except click.ClickException as error:
        hint = error.ctx.command_path if isinstance(error, click.UsageError) and error.ctx else "torchnotes"
        return _fail(f"{error.format_message().rstrip('.?')}; see `{hint} --help`", BAD_INPUT)
    except TorchnotesError as error:
        if os.environ.get(_DEBUG):
            raise
        return _fail(str(error), BAD_INPUT)
    except (KeyboardInterrupt, click.Abort):
        return _fail("interrupted; the index is as it was", INTERRUPTED)
    except Exception as error:
        if os.environ.get(_DEBUG):
            raise
        if isinstance(error, OSError) and error.errno in FULL:
            return _fail(_full(error), BROKEN)
        reason = one_line(str(error)) or "no message"
        return _fail(
            f"something broke ({type(error).__name__}: {reason}); set {_DEBUG}=1 to see where, "
            "or type `torchnotes doctor`",
            BROKEN,
        )


def _full(error: OSError) -> str:
    """Return the message for a full disk; the file is not always known."""
    from assistant.settings import load_settings

    name = error.filename if isinstance(error.filename, str) else ""
    home = load_settings().home
    return str(unwritable(name or f"a file of {home}", Path(name).parent if name else home, error))


def _fail(message: str, code: int) -> int:
    """Print an error and return the exit code."""
    with suppress(BrokenPipeError):
        click.echo(f"torchnotes: {one_line(message)}", err=True)
    return code


def _let_go(stream: TextIO) -> None:
    """Redirect a stream that nobody reads to the null device: Python flushes it again at exit."""
    try:
        stream.flush()
    except BrokenPipeError:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)


def run() -> None:
    """Run a command and exit; for `python -m ui.cli.main`."""
    sys.exit(main())


if __name__ == "__main__":
    run()
