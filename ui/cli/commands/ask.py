"""`torchnotes ask`: answer a question."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, cast

import click

from ui.cli.options import model_options
from ui.shared.console import json_text

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
@click.option(
    "--no-model", is_flag=True, help="Answer by the sentences of the notes, without the language model."
)
@click.option(
    "--strict/--no-strict",
    default=None,
    help="Show only what the notes prove of what the language model wrote, or mark the rest.",
)
@click.option("--here", is_flag=True, help="Tell which of it applies to this machine, and why.")
@model_options
@click.option("--json", "as_json", is_flag=True, help="Print the whole answer as JSON.")
def ask(
    question: str,
    releases: tuple[str, ...],
    language: str | None,
    history: tuple[str, ...],
    top_k: int,
    no_model: bool,
    strict: bool | None,
    here: bool,
    llm_url: str | None,
    llm_model: str | None,
    llm_api_key: str | None,
    as_json: bool,
) -> None:
    """Answer QUESTION from the release notes.

    Exit code 0 also when the notes do not tell; JSON then has "abstained": true.
    """
    from assistant.factory import AssistantFactory
    from assistant.settings import load_settings
    from ui.cli.progress import BuildProgressLine
    from ui.cli.text.answer import to_terminal

    with BuildProgressLine() as progress:
        settings = load_settings(llm_url=llm_url, llm_model=llm_model, llm_api_key=llm_api_key)
        assistant = AssistantFactory(settings).assistant(progress)
    answer = assistant.ask(
        question,
        history,
        releases=releases,
        language=cast("Language | None", language),
        top_k=top_k,
        use_model=not no_model,
        strict=strict,
    )
    suggests = sys.stdout.isatty()  # what reads a pipe asks nothing next
    if not here:
        click.echo(json_text(answer.to_dict()) if as_json else to_terminal(answer, suggests=suggests))
        return
    from assistant.applicability.marks import mark
    from assistant.checks.machine import describe
    from ui.cli.text.here import applies_text

    machine = describe()
    marks = mark(answer, machine)
    if as_json:
        told = {"applies": [each.to_dict() for each in marks], "machine": machine.to_dict()}
        click.echo(json_text({**answer.to_dict(), **told}))
    else:
        click.echo(f"{to_terminal(answer)}\n\n{applies_text(marks, machine, answer.language)}")
