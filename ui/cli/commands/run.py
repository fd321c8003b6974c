"""`torchnotes run`: run a user's program and report on its use of torch."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, cast

import click

from ui.cli.commands.api import STDIN, report_of, standard_input
from ui.cli.consent import Program, allow_options, consented
from ui.cli.output import language_option
from ui.shared.console import json_text, one_line, printable

if TYPE_CHECKING:
    from assistant.api_usage.snippet_run import SnippetRun
    from ingest.document import Language

_BESIDE: dict[Language, str] = {
    "en": "{module} lies beside your file; add --with {path}",
    "zh": "{module} 就在你的文件旁边；请加上 --with {path}",
}
_MODULE = re.compile(r"No module named '(\w+)")


@click.command()
@click.argument("file")
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
@click.option(
    "--with",
    "files",
    multiple=True,
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="A module of yours that it imports; repeat it for more.",
)
@click.option("--gpu", is_flag=True, help="Let it use the GPUs.")
@click.option(
    "--seconds", type=click.IntRange(1, 3600), default=120, help="How long it may take; 120 otherwise."
)
@allow_options
@language_option
@click.option("--json", "as_json", is_flag=True, help="Print the report as JSON.")
def run(
    file: str,
    arguments: tuple[str, ...],
    files: tuple[Path, ...],
    gpu: bool,
    seconds: int,
    allow_checks: bool,
    allow_weaker: bool,
    language: str,
    as_json: bool,
) -> None:
    """Run FILE, a Python program of yours (- for standard input), and tell of the torch in it.

    ARGUMENTS go to the program, those that begin with - after --. The program is shown before, and runs only
    if you say so; it runs apart from your files and the network as far as this system allows. Then: how it
    ended, what it was warned of, and each API name of torch in it: whether your torch has it, whether it is
    deprecated, and what the notes say of it.
    """
    from assistant.api_usage.snippet import read_snippet, snippet_of
    from assistant.api_usage.snippet_run import run_snippet
    from assistant.sandbox.probe import available
    from assistant.sandbox.run_limits import Limits
    from ui.cli.text.api import told_names
    from ui.cli.text.run import told_run

    spoken = cast("Language", language)
    snippet = snippet_of(standard_input()) if file == STDIN else read_snippet(Path(file))
    isolation = available(devices=gpu)[0]
    (agreed,) = consented(
        [Program(snippet.file, "", snippet.code)],
        isolation,
        spoken,
        allow_checks=allow_checks,
        allow_weaker=allow_weaker,
        instead="type `torchnotes api FILE`, which runs nothing of it",
    )
    if not agreed:
        return
    ran = run_snippet(
        snippet,
        arguments=arguments,
        files=files,
        limits=Limits(seconds=seconds, cpu_seconds=seconds),
        isolation=isolation,
        on_line=None if as_json else lambda line: click.echo(printable(line)),
    )
    if not as_json:
        click.echo(told_run(ran, spoken))
        _hint(ran, Path(file), spoken)
    report = report_of(snippet.names, spoken, isolation, ran)
    if as_json:
        click.echo(json_text({**ran.to_dict(), **report.to_dict()}))
    else:
        click.echo(told_names(report, spoken))
    if not ran.outcome.ok:
        click.get_current_context().exit(1)


def _hint(ran: SnippetRun, path: Path, language: Language) -> None:
    """Print how to add a module that was missing, if it is next to the program."""
    if not ran.broke or not (found := _MODULE.search(ran.broke.error)):
        return
    beside = path.parent / f"{found[1]}.py"
    if beside.is_file():
        click.echo(f"    {_BESIDE[language].format(module=found[1], path=one_line(str(beside)))}")
