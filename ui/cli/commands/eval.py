"""`torchnotes eval`: measure the quality of the answers to a set of questions."""

from __future__ import annotations

import math
import time
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ui.cli.opening import open_factory
from ui.shared.console import json_text, plural

if TYPE_CHECKING:
    from collections.abc import Sequence

    from assistant.assistant import Assistant
    from assistant.evaluation.gold import GoldQuestion
    from assistant.evaluation.scoring import Score
    from ui.cli.progress import BuildProgressLine


@click.command("eval")
@click.argument("files", nargs=-1, required=True, metavar="FILE...", type=click.Path(path_type=Path))
@click.option("--misses/--no-misses", default=True, help="Tell of each question that was missed, and why.")
@click.option(
    "--min-right",
    type=click.FloatRange(0, 1),
    metavar="0.8",
    help="Exit with code 1 where a smaller share is answered right.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the figures, of each question too, as JSON.")
def evaluate(files: tuple[Path, ...], misses: bool, min_right: float | None, as_json: bool) -> None:
    """Ask the questions of FILE, and measure how right the answers are.

    Each line of FILE is a question, with what a right answer to it holds:

    \b
    {"id": "cudnn", "lang": "en", "kind": "number",
     "question": "On which GPUs is the cuDNN backend faster in 2.5, and by how much?",
     "evidence": [{"version": "2.5", "keys": [["cuDNN"], ["H100"]]}],
     "facts": [["H100"], ["75%", "75 percent"]]}

    (In the file it is one line.) "evidence": a passage of that release with one text of each inner list must
    be cited. "facts": one text of each inner list must be said. Besides, "forbid": texts that must not be
    said, "history": the questions before a follow-up, and "note": for yourself. Kinds are yours to name;
    questions of kind "unanswerable" or "offtopic" have no evidence and no facts, and are right when declined.

    Exit code 0 whatever the figures are, unless --min-right is given.
    """
    from decimal import Decimal

    from assistant.evaluation.loader import read_questions
    from assistant.evaluation.metrics import report
    from ui.cli.progress import BuildProgressLine
    from ui.cli.text.eval import to_json, to_text

    if min_right is not None and math.isnan(min_right):  # passes click's range check
        raise click.BadParameter("nan is no share; give a number from 0 to 1", param_hint="--min-right")
    questions = read_questions(files)
    with BuildProgressLine() as progress:
        assistant = open_factory().assistant(progress)
        _tell_lacking(questions, assistant, progress)
        scores = _ask(questions, assistant, progress)
    figures = report(scores)
    if as_json:
        click.echo(json_text(to_json(figures, scores, misses=misses)))
    else:
        click.echo(to_text(figures, scores, misses=misses))
    right, count = figures.total.right_count, figures.total.count
    # Decimal arithmetic: 0.55 of 100 is 55, while the nearest binary number would require 56.
    needed = math.ceil(Decimal(str(min_right or 0)) * count)
    if right < needed:
        asked = f"--min-right {min_right:g} asks for {needed}"
        click.echo(f"{right} of {plural(count, 'question')} answered right; {asked}", err=True)
        click.get_current_context().exit(1)


def _tell_lacking(
    questions: Sequence[GoldQuestion], assistant: Assistant, progress: BuildProgressLine
) -> None:
    """Warn about releases without a document in the index: evidence in them counts as missed.

    Raises:
        SourceError: a release does not exist.
    """
    from assistant.evaluation.gold import check_releases
    from corpus.catalog import load_catalog
    from ingest.release import Release

    official = {Release.parse(entry.release) for entry in load_catalog()}
    lacking = check_releases(questions, assistant.retriever.releases, official)
    for release, count in lacking.items():
        progress.say(
            f"no document in the index is about release {release}, where {plural(count, 'question')} "
            f"{'has' if count == 1 else 'have'} evidence; type `torchnotes sync --releases {release}`"
        )


def _ask(questions: Sequence[GoldQuestion], assistant: Assistant, progress: BuildProgressLine) -> list[Score]:
    """Ask all questions and score the answers."""
    from assistant.evaluation.scoring import score

    assistant.ask("warm up")  # so that loading does not count as time of the first question
    scores: list[Score] = []
    for question in questions:
        progress("ask", len(scores), len(questions))
        start = time.perf_counter()
        answer = assistant.ask(question.text, question.history)
        scores.append(score(question, answer, time.perf_counter() - start))
    progress("ask", len(scores), len(questions))
    return scores
