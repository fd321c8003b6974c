"""`torchnotes checks` and `torchnotes check`: what the notes claim, tried on this machine."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, cast

import click

from ui.console import json_text, plural

if TYPE_CHECKING:
    from assistant.checks.check import Check
    from assistant.checks.isolation import Isolation
    from assistant.checks.verdict import Verdict
    from ingest.document import Language

_language = click.option(
    "--language", "-l", type=click.Choice(["zh", "en"]), default="en", help="Language; en otherwise."
)


@click.command()
@click.option("--release", "-r", metavar="2.3", help="Only those of a release.")
@_language
@click.option("--json", "as_json", is_flag=True, help="Print them as JSON.")
def checks(release: str | None, language: str, as_json: bool) -> None:
    """List the claims that a program can try on this machine."""
    from ui.check_text import listed

    found, spoken = _chosen((), release, whole=True), cast("Language", language)
    if as_json:
        keys = ("id", "release", "section", "kind", "cost")
        rows = [{**{key: getattr(c, key) for key in keys}, "claim": dict(c.claim)} for c in found]
        click.echo(json_text(rows))
        return
    click.echo("\n".join(listed(check, spoken) for check in found))
    click.echo(
        f"{plural(len(found), 'check')}; `torchnotes check NAME` shows the program and asks before it runs."
    )


@click.command()
@click.argument("names", nargs=-1, metavar="[NAME...]")
@click.option("--release", "-r", metavar="2.3", help="All of a release.")
@click.option("--all", "whole", is_flag=True, help="All there are; some take minutes.")
@click.option("--show", is_flag=True, help="Show the programs, and run none.")
@click.option("--allow-checks", is_flag=True, help="Run them without asking for each.")
@_language
@click.option("--json", "as_json", is_flag=True, help="Print the verdicts as JSON.")
@click.option("--markdown", "as_markdown", is_flag=True, help="Print a report to share.")
@click.option(
    "--output",
    "-o",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write JSON or the report to FILE instead.",
)
def check(
    names: tuple[str, ...],
    release: str | None,
    whole: bool,
    show: bool,
    allow_checks: bool,
    language: str,
    as_json: bool,
    as_markdown: bool,
    output: Path | None,
) -> None:
    """Try claims of the notes on this machine: NAMEs, those of a --release, or --all.

    Each program is shown before it runs, and runs only if you say so; it runs apart from your files and the
    network as far as this system allows.
    """
    from ui.check_text import markdown, summary, told

    if as_json and as_markdown:
        raise click.UsageError("--json and --markdown exclude each other; give one of them")
    found, spoken = _chosen(names, release, whole=whole), cast("Language", language)
    if show:
        click.echo("\n\n".join(f"# {each.id}: {each.claim[spoken]}\n{each.code}" for each in found))
        return
    isolation = _isolation(found)
    allowed = found if allow_checks else _asked(found, isolation, spoken)
    quiet = (as_json or as_markdown) and output is None
    verdicts: list[Verdict] = []
    for number, each in enumerate(allowed, 1):
        click.echo(f"[{number}/{len(allowed)}] {each.id} ...", err=True)
        verdicts.append(_tried(each, isolation))
        if not quiet:
            click.echo(told(verdicts[-1], spoken))
    if as_json or as_markdown:
        rows = json_text([verdict.to_dict() for verdict in verdicts])
        _write(rows if as_json else markdown(verdicts, spoken), output)
    elif verdicts:
        click.echo(summary(verdicts, spoken))
    if any(verdict.result == "failed" for verdict in verdicts):
        click.get_current_context().exit(1)


def _chosen(names: Sequence[str], release: str | None, *, whole: bool) -> tuple[Check, ...]:
    """The checks that are meant.

    Raises:
        TorchnotesError: none is, or there is none of that name or release.
    """
    from assistant.checks.registry import checks_of, find_check, load_checks
    from ingest.errors import TorchnotesError

    if names and (release or whole):
        raise TorchnotesError("names and --release or --all are given; give one of them")
    if names:
        return tuple(map(find_check, names))
    if release:
        found = checks_of(release)
        if not found:
            there = ", ".join(dict.fromkeys(each.release for each in load_checks()))
            raise TorchnotesError(f"no check is of release {release}; there are those of {there}")
        return found
    if not whole:
        raise TorchnotesError(
            "no check is named; give names that `torchnotes checks` lists, --release or --all"
        )
    return load_checks()


def _isolation(found: Sequence[Check]) -> Isolation:
    """The best way to hold programs that works here."""
    from assistant.checks.probe import available

    return available(devices=any(each.needs.device == "cuda" for each in found))[0]


def _asked(found: Sequence[Check], isolation: Isolation, language: Language) -> list[Check]:
    """Those that the user lets run, each shown before.

    Raises:
        TorchnotesError: nobody is there to ask.
    """
    from ingest.errors import TorchnotesError

    if not sys.stdin.isatty():
        raise TorchnotesError(
            "nobody can be asked here whether programs may run; add --allow-checks, or --show them"
        )
    if isolation.weaker:
        click.secho(
            f"Isolation is weaker here ({isolation.name}): {'; '.join(isolation.not_held(language))}.",
            fg="yellow",
        )
    allowed = []
    for each in found:
        click.echo(f"{click.style(each.id, bold=True)}: {each.claim[language]}\n\n{each.code}")
        if click.confirm("Run this program?"):
            allowed.append(each)
    return allowed


def _tried(each: Check, isolation: Isolation) -> Verdict:
    from assistant.checks.trial import try_check

    return try_check(each, isolation=isolation)


def _write(text: str, output: Path | None) -> None:
    from ingest.errors import TorchnotesError

    if output is None:
        click.echo(text.rstrip())
        return
    try:
        output.write_text(f"{text.rstrip()}\n", encoding="utf-8")
    except OSError as error:
        raise TorchnotesError(f"{output} cannot be written ({error.strerror}); give another file") from None
