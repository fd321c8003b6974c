"""`torchnotes ask`: a question in, a cited answer out."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import click

from ui.console import json_text

if TYPE_CHECKING:
    from ingest.document import Language


@click.command()
@click.argument("question")
@click.option(
    "--release",
    "-r",
    "releases",
    multiple=True,
    metavar="2.8",
    help="Look in this release only; repeat it for more.",
)
@click.option(
    "--language",
    "-l",
    type=click.Choice(["zh", "en"]),
    help="Language of the answer; that of the question otherwise.",
)
@click.option(
    "--history",
    multiple=True,
    metavar="QUESTION",
    help="A question asked before, for a follow-up; oldest first.",
)
@click.option("--top-k", "-k", default=8, show_default=True, help="How many passages to look at.")
@click.option("--json", "as_json", is_flag=True, help="Print the whole answer as JSON.")
def ask(
    question: str,
    releases: tuple[str, ...],
    language: str | None,
    history: tuple[str, ...],
    top_k: int,
    as_json: bool,
) -> None:
    """Answer QUESTION from the release notes.

    Exit code 0 also when the notes do not tell; JSON then has "abstained": true.
    """
    from assistant.assemble import Workshop
    from assistant.settings import load_settings
    from ui.progress import BuildProgressLine
    from ui.render import to_terminal

    with BuildProgressLine() as progress:
        assistant = Workshop(load_settings()).assistant(progress)
    answer = assistant.ask(
        question, history, releases=releases, language=cast("Language | None", language), top_k=top_k
    )
    if as_json:
        click.echo(json_text(answer.to_dict()))
    else:
        click.echo(to_terminal(answer))
