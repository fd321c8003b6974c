"""`torchnotes history`: show the status of a feature, release by release."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

import click

from ui.cli.opening import index_with_what_ships
from ui.shared.console import one_line
from ui.shared.labels import COLON, HISTORY_COUNT, HISTORY_ELSEWHERE

if TYPE_CHECKING:
    from assistant.timeline.model import FeatureHistory, TimelineStep
    from index.storage.interface import Index
    from ingest.document import Language
    from ingest.release import Release


@click.command()
@click.argument("feature", default="")
@click.option(
    "--release",
    "-r",
    "releases",
    multiple=True,
    metavar="2.5",
    help="Only features or steps of this release; repeat it for more.",
)
@click.option(
    "--language", "-l", type=click.Choice(["zh", "en"]), help="Language; that of FEATURE otherwise."
)
@click.option("--json", "as_json", is_flag=True, help="Print it as JSON.")
def history(feature: str, releases: tuple[str, ...], language: str | None, as_json: bool) -> None:
    """Tell the life of FEATURE: in which release it came, and what became of it.

    Without FEATURE all features are listed, each with its life in one line.
    """
    from assistant.query.question_language import question_language
    from assistant.timeline.builder import histories
    from assistant.timeline.lookup import features_named
    from corpus.glossary import load_glossary

    generation, glossary = index_with_what_ships(), load_glossary()
    only = _wanted(releases, generation)
    spoken = cast("Language", language or question_language(feature))
    known = histories(generation.documents, generation.chunks, glossary)
    if feature.strip():
        found = features_named(feature, known, glossary, hint="type `torchnotes history` to list them")
    else:  # features with a heading of their own, in order of appearance
        lives = [f for f in known.values() if f.life[0].whole and _within(f.life, only)]
        found = sorted(lives, key=lambda f: (f.steps[0].release, f.id))
    if as_json:
        rows = [f.to_dict(spoken, only) for f in found if _within(f.steps, only)]
        click.echo(json.dumps(rows, ensure_ascii=False, indent=2))
    elif feature.strip():
        click.echo("\n\n".join(_told(f, only, spoken) for f in found))
    else:
        lines = [_life(f, spoken) for f in found]
        click.echo("\n".join([*lines, HISTORY_COUNT[spoken].format(count=len(found))]))


def _within(steps: Sequence[TimelineStep], releases: Sequence[Release]) -> list[TimelineStep]:
    """Return the steps of some releases; all steps if no release is given."""
    return [step for step in steps if not releases or step.release in releases]


def _told(feature: FeatureHistory, releases: Sequence[Release], language: Language) -> str:
    """Format a feature with its steps, one per line."""
    lines = [_line(step, language) for step in _within(feature.steps, releases)]
    if not lines:
        there = ", ".join(dict.fromkeys(str(step.release) for step in feature.steps))
        lines = [HISTORY_ELSEWHERE[language].format(releases=there)]
    return "\n".join([click.style(one_line(feature.names[language]), bold=True), *lines])


def _life(feature: FeatureHistory, language: Language) -> str:
    """Format a feature with its statuses as one line."""
    from assistant.text.messages import STATUS_NAMES

    steps = [f"{step.release} {STATUS_NAMES[language][step.status]}" for step in feature.life]
    return f"{one_line(feature.names[language])}{COLON[language]}{' -> '.join(steps)}"


def _line(step: TimelineStep, language: Language) -> str:
    """Format release, date, status, quote and address as one line."""
    from assistant.timeline.model import status_words
    from ingest.markup import inline_text, reading_text

    sources = step.told(language)
    status = status_words(step, language)
    if not step.whole:
        status = f"{status} ({'; '.join(source.title for source in sources)})"
    said = sources[0].text(sources[0].sentence) or sources[0].text(sources[0].heading)
    date = str(step.date) if step.date else ""
    parts = (str(step.release), date, status, inline_text(reading_text(said)), sources[0].url)
    return one_line(" · ".join(filter(None, parts)))


def _wanted(releases: Sequence[str], generation: Index) -> tuple[Release, ...]:
    from ingest.errors import TorchnotesError
    from ingest.release import Release

    try:
        wanted = tuple(map(Release.parse, releases))
    except ValueError as error:
        raise TorchnotesError(str(error)) from None
    known = sorted({d.release for d in generation.documents.values() if d.release})
    for release in wanted:
        if release not in known:
            raise TorchnotesError(
                f"no document in the index is about release {release}; there are {', '.join(map(str, known))}"
            )
    return wanted
