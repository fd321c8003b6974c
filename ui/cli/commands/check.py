"""`torchnotes checks` and `torchnotes check`: try claims of the notes on this machine."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, cast

import click

from ui.cli.consent import Program, allow_options, consented, installed
from ui.cli.output import check_form, form_options, language_option, write
from ui.shared.console import json_text, plural

if TYPE_CHECKING:
    from assistant.checks.check import Check
    from assistant.checks.torch_environment import TorchEnvironment
    from assistant.checks.verdict import Verdict
    from ingest.document import Language


_INTERRUPTED = 130  # exit code, as for other commands


@click.command()
@click.option("--release", "-r", metavar="2.3", help="Only those of a release.")
@language_option
@click.option("--json", "as_json", is_flag=True, help="Print them as JSON.")
def checks(release: str | None, language: str, as_json: bool) -> None:
    """List the claims that a program can try on this machine."""
    from ui.shared.check_text import listed

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
@click.option(
    "--against",
    metavar="2.8",
    help="Try another release of torch too, installed into an environment of its own.",
)
@click.option("--allow-install", is_flag=True, help="Install that release without asking.")
@click.option(
    "--torch-index",
    metavar="URL",
    default="",
    envvar="TORCHNOTES_TORCH_INDEX",
    help="Package index for --against; builds without CUDA by default.",
)
@allow_options
@language_option
@form_options
def check(
    names: tuple[str, ...],
    release: str | None,
    whole: bool,
    show: bool,
    against: str | None,
    allow_install: bool,
    torch_index: str,
    allow_checks: bool,
    allow_weaker: bool,
    language: str,
    as_json: bool,
    as_markdown: bool,
    output: Path | None,
) -> None:
    """Try claims of the notes on this machine: NAMEs, those of a --release, or --all.

    Each program is shown before it runs, and runs only if you say so; it runs apart from your files and the
    network as far as this system allows. With --against a claim that compares two releases is tried on both.
    """
    from assistant.checks.trial import isolation_for, try_check
    from assistant.checks.two_sides import try_on_both
    from ui.shared.check_text import interrupted, markdown, summary, told

    check_form(as_json=as_json, as_markdown=as_markdown)
    found, spoken = _chosen(names, release, whole=whole), cast("Language", language)
    if show:
        click.echo("\n\n".join(f"# {each.id}: {each.claim[spoken]}\n{each.code}" for each in found))
        return
    other = _other_torch(against, torch_index) if against else None
    if other:
        installed(other, spoken, allow=allow_install)
    isolation = isolation_for(found)
    agreed = consented(
        [Program(each.id, each.claim[spoken], each.code) for each in found],
        isolation,
        spoken,
        allow_checks=allow_checks,
        allow_weaker=allow_weaker,
        instead="--show them",
    )
    allowed = [each for each, yes in zip(found, agreed, strict=True) if yes]
    quiet = (as_json or as_markdown) and output is None
    verdicts: list[Verdict] = []
    note = ""
    try:
        for number, each in enumerate(allowed, 1):
            click.echo(f"[{number}/{len(allowed)}] {each.id} ...", err=True)
            verdicts.append(
                try_on_both(each, other, isolation=isolation)
                if other
                else try_check(each, isolation=isolation)
            )
            if not quiet:
                click.echo(told(verdicts[-1], spoken))
    except KeyboardInterrupt:  # what took minutes is not lost with the one that was under way
        note = interrupted(len(verdicts), len(allowed), spoken)
    if as_json or as_markdown:
        rows = json_text([verdict.to_dict() for verdict in verdicts])
        write(rows if as_json else markdown(verdicts, spoken, note=note).rstrip(), output)
    elif verdicts:
        click.echo(summary(verdicts, spoken))
    if note:
        click.echo(note, err=True)
        click.get_current_context().exit(_INTERRUPTED)
    if any(verdict.result == "failed" for verdict in verdicts):
        click.get_current_context().exit(1)


def _other_torch(release: str, index: str) -> TorchEnvironment:
    """Return the environment of another release of torch in the data folder.

    Raises:
        TorchnotesError: it is no release, or the one that is here.
    """
    from importlib.metadata import PackageNotFoundError, version

    from assistant.checks.torch_environment import TorchEnvironment
    from assistant.settings import load_settings
    from ingest.errors import TorchnotesError

    environment = TorchEnvironment.of(release, load_settings().home, index)
    with suppress(PackageNotFoundError):
        here = version("torch").partition("+")[0]
        if f"{here}.".startswith(f"{release}."):
            raise TorchnotesError(f"torch {here} is the one here; give another release, such as an older one")
    return environment


def _chosen(names: Sequence[str], release: str | None, *, whole: bool) -> tuple[Check, ...]:
    """Return the selected checks.

    Raises:
        TorchnotesError: no check is selected, or there is none of that name or release.
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
