"""`torchnotes upgrade`: what breaks in your code between two releases."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, cast

import click

from ui.cli.output import form_options, language_option, write
from ui.shared.console import json_text, plural, printable

if TYPE_CHECKING:
    from assistant.upgrade.finding import UpgradeReport
    from ingest.document import Language

FAILED = 1


@click.command()
@click.argument("path", metavar="PATH", type=click.Path(path_type=Path))
@click.option(
    "--from",
    "older",
    metavar="RELEASE",
    help="Release you come from; else what your files pin, or what is installed.",
)
@click.option("--to", "newer", metavar="RELEASE", help="Release you go to; else the newest of the notes.")
@click.option(
    "--fail-on",
    type=click.Choice(["breaking", "deprecated"]),
    help="Exit with 1 if something breaks or has another default; `deprecated` adds deprecations.",
)
@click.option(
    "--notes-only", is_flag=True, help="Do not ask the installed torch for its own deprecation marks."
)
@click.option("--sarif", "as_sarif", is_flag=True, help="Print it as SARIF 2.1.0, for code scanning.")
@click.option("--diff", "as_diff", is_flag=True, help="Print a patch for what can be fixed mechanically.")
@click.option("--write", "in_place", is_flag=True, help="Write these fixes to your files.")
@language_option
@form_options
@click.pass_context
def upgrade(
    context: click.Context,
    path: Path,
    older: str | None,
    newer: str | None,
    fail_on: str | None,
    notes_only: bool,
    as_sarif: bool,
    as_diff: bool,
    in_place: bool,
    language: str,
    as_json: bool,
    as_markdown: bool,
    output: Path | None,
) -> None:
    """Tell what breaks in your code when you upgrade torch.

    PATH is a folder or a file: Python, notebooks, requirements, Dockerfiles. Nothing of it is run, nothing
    leaves this machine.
    """
    from assistant.upgrade.report import upgrade_report

    if as_json + as_markdown + as_sarif + as_diff + in_place > 1:
        raise click.UsageError("--json, --markdown, --sarif, --diff and --write exclude each other; give one")
    spoken = cast("Language", language)
    report = upgrade_report(path, older=older, newer=newer, language=spoken, ask_installed=not notes_only)
    if as_diff or in_place:
        _fix(report, output, in_place=in_place)
    else:
        write(_text(report, spoken, as_json=as_json, as_markdown=as_markdown, as_sarif=as_sarif), output)
    if fail_on and report.failing("breaking" if fail_on == "breaking" else "deprecated"):
        context.exit(FAILED)


def _fix(report: UpgradeReport, output: Path | None, *, in_place: bool) -> None:
    """Print the patch, or apply it and say so."""
    from assistant.upgrade.fixes import fixes_of, write_fixes

    fixes = fixes_of(report)
    fixed = sum(len(fix.fixed) for fix in fixes)
    if in_place:
        write_fixes(fixes)
        left = len(report.findings) - fixed
        where = plural(len(fixes), "file")
        click.echo(
            f"fixed {plural(fixed, 'finding')} in {where}; {left:,} left, see the report without --write"
        )
    elif fixes:
        write("".join(fix.patch for fix in fixes).removesuffix("\n"), output, exact=True)
    else:
        click.echo("nothing can be fixed mechanically; the report without --diff tells what to do", err=True)


def _text(
    report: UpgradeReport, language: Language, *, as_json: bool, as_markdown: bool, as_sarif: bool
) -> str:
    from assistant.upgrade.markdown import to_markdown
    from assistant.upgrade.sarif import to_sarif
    from ui.cli.text.upgrade import told_upgrade

    if as_json:
        return json_text(report.to_dict())
    if as_sarif:
        return json_text(to_sarif(report))
    return (
        printable(to_markdown(report, language)).rstrip() if as_markdown else told_upgrade(report, language)
    )
