"""`torchnotes run` and `torchnotes api`: a program of the user's own, and API names, on this machine."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, cast

import click

from ui.console import json_text, one_line, printable

if TYPE_CHECKING:
    from assistant.checks.api_report import ApiReport
    from assistant.checks.isolation import Isolation
    from assistant.checks.names import ApiName
    from assistant.checks.snippet import Snippet
    from assistant.checks.snippet_run import SnippetRun
    from ingest.document import Language

_STDIN = "-"
_RUN_IT: dict[Language, str] = {"en": "Run this program?", "zh": "运行这个程序吗？"}
_ALL_THE_SAME: dict[Language, str] = {"en": "Run it all the same?", "zh": "仍然运行吗？"}
_WEAKER: dict[Language, str] = {
    "en": "isolation is weaker here ({name}): {what}",
    "zh": "这里的隔离较弱（{name}）：{what}",
}
_BESIDE: dict[Language, str] = {
    "en": "{module} lies beside your file; add --with {path}",
    "zh": "{module} 就在你的文件旁边；请加上 --with {path}",
}
_MODULE = re.compile(r"No module named '(\w+)")
_language = click.option(
    "--language", "-l", type=click.Choice(["zh", "en"]), default="en", help="Language; en otherwise."
)


@click.command(context_settings={"ignore_unknown_options": True})
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
@click.option("--allow-checks", is_flag=True, help="Run it without asking.")
@click.option(
    "--allow-weaker", is_flag=True, help="Also where this system isolates it less; do not ask again."
)
@_language
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
    """Run FILE, a Python program of yours (- for standard input), with ARGUMENTS, and tell of its torch.

    The program is shown before, and runs only if you say so; it runs apart from your files and the network as
    far as this system allows. Then: how it ended, what it was warned of, and each API name of torch in it:
    whether your torch has it, whether it is deprecated, and what the notes say of it.
    """
    from assistant.checks.limits import Limits
    from assistant.checks.probe import available
    from assistant.checks.snippet import read_snippet, snippet_of
    from assistant.checks.snippet_run import run_snippet
    from ui.run_text import told_names, told_run

    spoken = cast("Language", language)
    snippet = snippet_of(_input()) if file == _STDIN else read_snippet(Path(file))
    isolation = available(devices=gpu)[0]
    if not _allowed(snippet, isolation, spoken, allow_checks=allow_checks, allow_weaker=allow_weaker):
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
    report = _report(snippet.names, spoken, isolation, ran)
    if as_json:
        click.echo(json_text({**ran.to_dict(), **report.to_dict()}))
    else:
        click.echo(told_names(report, spoken))
    if not ran.outcome.ok:
        click.get_current_context().exit(1)


@click.command()
@click.argument("what", nargs=-1, required=True, metavar="WHAT...")
@_language
@click.option("--json", "as_json", is_flag=True, help="Print the report as JSON.")
def api(what: tuple[str, ...], language: str, as_json: bool) -> None:
    """Look up API names in your torch and in the notes; nothing of yours runs.

    WHAT are names (torch.compile), Python files, or texts with names, such as an answer; - is standard
    input: torchnotes ask "..." | torchnotes api -
    """
    from assistant.checks.probe import available
    from ui.run_text import told_names

    spoken = cast("Language", language)
    names = {each.name: each for given in reversed(what) for each in reversed(_names(given))}
    report = _report([*reversed(names.values())], spoken, available()[0], None)
    click.echo(json_text(report.to_dict()) if as_json else told_names(report, spoken))
    if report.missing:
        click.get_current_context().exit(1)


def _allowed(
    snippet: Snippet, isolation: Isolation, language: Language, *, allow_checks: bool, allow_weaker: bool
) -> bool:
    """Whether the user lets a program run, which is shown before; asked again where isolation is weaker.

    Raises:
        TorchnotesError: nobody is there to ask.
    """
    from ingest.errors import TorchnotesError

    asks_twice = isolation.weaker and not allow_weaker
    if not sys.stdin.isatty() and (asks_twice or not allow_checks):
        missing = [
            *(() if allow_checks else ("--allow-checks",)),
            *(("--allow-weaker",) if asks_twice else ()),
        ]
        why = f" ({_weaker(isolation, 'en')})" if asks_twice else ""
        raise TorchnotesError(
            f"nobody can be asked here whether {one_line(snippet.file)} may run{why}; "
            f"add {' '.join(missing)}, or type `torchnotes api FILE`, which runs nothing of it"
        )
    if not allow_checks:
        click.echo(
            f"{click.style(one_line(snippet.file), bold=True)}\n\n{printable(snippet.code).rstrip()}\n"
        )
        if not click.confirm(_RUN_IT[language]):
            return False
    if asks_twice:
        click.secho(_weaker(isolation, language), fg="yellow")
        return click.confirm(_ALL_THE_SAME[language])
    return True


def _weaker(isolation: Isolation, language: Language) -> str:
    return _WEAKER[language].format(name=isolation.name, what="; ".join(isolation.not_held(language)))


def _names(given: str) -> tuple[ApiName, ...]:
    """The names that an argument stands for: itself, or those in a file.

    Raises:
        TorchnotesError: it is neither, or has none.
    """
    from assistant.checks.names import names_in_answer
    from assistant.checks.snippet import read_snippet
    from ingest.errors import SourceError

    path = Path(given)
    if given == _STDIN:
        found = _names_of_text(_input().decode("utf-8", "replace"))
    elif path.suffix == ".py":
        found = read_snippet(path).names
    elif path.is_file():
        found = _names_of_text(path.read_text(encoding="utf-8", errors="replace"))
    else:
        found = names_in_answer(f"`{given}`")
        if len(found) != 1 or found[0].written != given.removesuffix("()"):
            reason = "no name of torch, nor a file; give names such as torch.compile, a file, or - for input"
            raise SourceError(one_line(given), reason)
        return tuple(type(each)(each.name, each.written, ()) for each in found)
    if not found:
        reason = "no name of torch is in it; names count in Python code, or as `torch.compile` in a text"
        raise SourceError("standard input" if given == _STDIN else given, reason)
    return found


def _names_of_text(text: str) -> tuple[ApiName, ...]:
    """The names in Python code, or else in an answer."""
    from assistant.checks.names import names_in, names_in_answer

    try:
        return names_in(text) or names_in_answer(text)
    except (SyntaxError, ValueError, RecursionError):
        return names_in_answer(text)


def _input() -> bytes:
    from assistant.checks.snippet import LARGEST

    return sys.stdin.buffer.read(LARGEST + 1)


def _report(
    names: Sequence[ApiName], language: Language, isolation: Isolation, ran: SnippetRun | None
) -> ApiReport:
    from assistant.assemble import Workshop
    from assistant.checks.api_report import report_on
    from assistant.settings import load_settings
    from index.retriever import Retriever
    from ui.progress import BuildProgressLine

    workshop = Workshop(load_settings())
    with BuildProgressLine() as progress:
        workshop.ship(progress)
    retriever = Retriever(workshop.store.open(), workshop.segmenter)
    return report_on(names, retriever, workshop.glossary, language=language, isolation=isolation, ran=ran)


def _hint(ran: SnippetRun, path: Path, language: Language) -> None:
    """Where a module of the user's own was missing: how to give it."""
    if not ran.broke or not (found := _MODULE.search(ran.broke.error)):
        return
    beside = path.parent / f"{found[1]}.py"
    if beside.is_file():
        click.echo(f"    {_BESIDE[language].format(module=found[1], path=one_line(str(beside)))}")
