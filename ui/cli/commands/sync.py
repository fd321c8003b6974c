"""`torchnotes sync`: download the official documents into the index."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import click

from ui.shared.console import one_line, plural
from ui.shared.documents import describe

if TYPE_CHECKING:
    from assistant.factory import AssistantFactory
    from corpus.catalog import CatalogEntry
    from index.storage.changes import UpdateReport
    from ingest.official import SyncOutcome
    from ingest.release import Release

_NAMED = 3  # documents listed for the same error


@click.command()
@click.option("--releases", default="", metavar="RELEASES", help="Only these, as in 2.4, 2.0-2.8 or 2.1,2.4.")
@click.option("--language", type=click.Choice(("zh", "en")), help="Only documents in this language.")
@click.option("--kind", type=click.Choice(("blog", "release-notes")), help="Only documents of this kind.")
@click.option(
    "--token",
    default="",
    envvar="GITHUB_TOKEN",
    show_envvar=True,
    help="For GitHub's API, which then allows more requests.",
)
@click.option("--dry-run", is_flag=True, help="List what would be fetched, and fetch nothing.")
def sync(releases: str, language: str | None, kind: str | None, token: str, dry_run: bool) -> None:
    """Get the official release documents, or what changed of them, into the index.

    Without --releases the notes of releases come too that are newer than those listed in this version.

    What was downloaded is kept: a sync that was cut off goes on where it stopped, and a later one asks the
    servers only for what changed. Exit code 1 when a document could not be taken; the others are.

    \b
    Try: torchnotes sync --releases 2.0-2.8 --language zh
    """
    from assistant.factory import AssistantFactory
    from assistant.settings import load_settings
    from corpus.catalog import load_catalog
    from ingest.official import choose
    from ingest.release import Release

    settings = load_settings()
    entries = choose(load_catalog(), releases=releases, language=language or "", kind=kind or "")
    if dry_run:
        for entry in entries:
            click.echo(f"{entry.id:<22}  {entry.url}")
        click.echo(f"{plural(len(entries), 'document')} would be asked for.")
        return
    # Releases newer than the catalogue are found in GitHub's list of releases.
    listed = max(Release.parse(entry.release) for entry in load_catalog())
    newer = listed if not releases and language != "zh" and kind != "blog" else None
    failed = _sync(AssistantFactory(settings), entries, token, newer)
    click.get_current_context().exit(1 if failed else 0)


def _sync(
    factory: AssistantFactory, entries: Sequence[CatalogEntry], token: str, newer_than: Release | None
) -> int:
    """Download the entries and later notes, update the index, report, and return the number of failures."""
    from ingest.downloads import Downloads
    from ingest.official import Collector, addresses
    from ingest.polite import PoliteClient
    from ui.cli.progress import BuildProgressLine, duration

    api = factory.settings.github_api
    downloads = Downloads(factory.settings.home)
    with downloads.held(), BuildProgressLine() as progress:

        def on_wait(host: str, seconds: float) -> None:
            progress.say(f"waiting {duration(seconds)}, as {one_line(host)} asks for")

        with PoliteClient(addresses(entries, api), api=api, token=token, on_wait=on_wait) as client:
            collector = Collector(downloads, client, api=api)
            outcomes = collector.collect(entries, progress, newer_than=newer_than)
        documents = [outcome.document for outcome in outcomes if outcome.document]
        report = factory.update(documents, progress=progress) if documents else None
        if documents and not client.limited:
            collector.finish()
    for line in outcome_lines(outcomes, report):
        click.echo(line)
    if report:
        manifest = factory.store.manifest()
        click.echo(
            f"The index holds {plural(manifest.documents, 'document')} in "
            f"{plural(manifest.chunks, 'chunk')}; {plural(report.embedded, 'text')} embedded."
        )
    return len(outcomes) - len(documents)


def outcome_lines(outcomes: Sequence[SyncOutcome], report: UpdateReport | None) -> Iterator[str]:
    """Yield lines for what is new, changed, moved or left out, for failures, and for the totals.

    Args:
        outcomes: results of the downloads.
        report: report of the update, None if there was none.
    """
    fates: dict[str, str] = {}
    if report:
        fates |= dict.fromkeys(report.added, "new") | dict.fromkeys(report.changed, "changed")
        fates |= dict.fromkeys(report.unchanged, "unchanged")
    left_out = {left.origin: left.reason for left in report.left_out} if report else {}
    counts: Counter[str] = Counter()
    problems: dict[str, list[CatalogEntry]] = {}
    for outcome in outcomes:
        document = outcome.document
        if document is None:
            counts["failed"] += 1
            problems.setdefault(outcome.problem, []).append(outcome.entry)
            continue
        fate = "left out" if document.origin in left_out else fates.get(document.id, "unchanged")
        counts[fate] += 1
        if fate == "left out":
            yield f"{fate:<10} {document.id}: {one_line(left_out[document.origin])}"
        elif fate != "unchanged":
            yield f"{fate:<10} {document.id}  {describe(document)}"
        if outcome.moved_to:
            yield f"{'moved':<10} {outcome.entry.url} is now at {one_line(outcome.moved_to)}"
    for problem, entries in problems.items():
        named = ", ".join(entry.id for entry in entries[:_NAMED])
        more = f" and {len(entries) - _NAMED} more" if len(entries) > _NAMED else ""
        where = f" ({entries[0].url})" if len(entries) == 1 else more
        yield f"{'failed':<10} {named}{where}: {one_line(problem)}"
    told = ", ".join(
        f"{counts[fate]} {fate}"
        for fate in ("new", "changed", "unchanged", "left out", "failed")
        if counts[fate]
    )
    yield f"{plural(len(outcomes), 'official document')}: {told}."
