"""`torchnotes compare`: show what changes between two releases."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, cast

import click

from ui.cli.opening import index_with_what_ships
from ui.cli.output import check_form, form_options, language_option, write
from ui.shared.console import json_text, one_line, printable

if TYPE_CHECKING:
    from assistant.release_diff.item import Item
    from assistant.release_diff.upgrade import Upgrade
    from ingest.document import Language
    from ingest.release import Release


@click.command()
@click.argument("first", metavar="OLDER")
@click.argument("second", metavar="NEWER")
@language_option
@form_options
def compare(
    first: str, second: str, language: str, as_json: bool, as_markdown: bool, output: Path | None
) -> None:
    """Tell what changes for one who goes from release OLDER to NEWER.

    Breaking changes, deprecations, features with another status, new features and what else was announced,
    each with the sentence of the notes that says so and its address.
    """
    from assistant.release_diff.markdown import to_markdown
    from assistant.release_diff.upgrade import upgrade
    from assistant.timeline.builder import histories
    from corpus.glossary import load_glossary

    check_form(as_json=as_json, as_markdown=as_markdown)
    releases = _release(first), _release(second)
    spoken = cast("Language", language)
    generation = index_with_what_ships()
    known = histories(generation.documents, generation.chunks, load_glossary())
    changes = upgrade(generation, known, *releases)
    if as_json:
        text = json_text(changes.to_dict(spoken))
    else:
        text = printable(to_markdown(changes, spoken)).rstrip() if as_markdown else _text(changes, spoken)
    write(text, output)


def _release(text: str) -> Release:
    from ingest.errors import TorchnotesError
    from ingest.release import Release

    try:
        return Release.parse(text)
    except ValueError as error:
        raise TorchnotesError(str(error)) from None


def _text(changes: Upgrade, language: Language) -> str:
    """Format the groups one below the other, one line per item."""
    from assistant.release_diff.markdown import introduction, title
    from assistant.text.messages import UPGRADE_GROUPS, UPGRADE_NONE

    parts = [f"{click.style(title(changes, language), bold=True)}\n{introduction(changes, language)}"]
    for name, items in changes.groups.items():
        head = click.style(f"{UPGRADE_GROUPS[language][name]} ({len(items)})", bold=True)
        lines = [_line(item, name, language) for item in items] or [UPGRADE_NONE[language]]
        parts.append("\n".join([head, *lines]))
    return "\n\n".join(parts)


def _line(item: Item, group: str, language: Language) -> str:
    """Format release, date, status, name, quote and address as one line."""
    from assistant.release_diff.markdown import TOLD_BY_HEADING, change_words, shown_quote
    from ingest.markup import inline_text

    status = "" if group in TOLD_BY_HEADING else change_words(item, language)
    date = str(item.date) if item.date else ""
    said = inline_text(shown_quote(item, language))
    parts = (str(item.release), date, status, item.names[language], said, item.told(language).url)
    return one_line(" · ".join(filter(None, parts)))
