"""`torchnotes add`: add files, folders and web pages to the index, by this process or by a Dask cluster."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING

import click

from ui.cli.opening import open_factory
from ui.shared.console import one_line, plural
from ui.shared.documents import cleaned, describe, fates

if TYPE_CHECKING:
    from assistant.factory import AssistantFactory
    from index.bulk.address import ClusterAddress
    from index.bulk.report import BulkReport
    from index.storage.changes import UpdateReport
    from ingest.document import Document
    from ingest.errors import SourceError


@click.command()
@click.argument("sources", nargs=-1, required=True, metavar="SOURCE...")
@click.option(
    "--allow-private", is_flag=True, help="Also fetch from addresses of this machine and the local network."
)
@click.option(
    "--dask",
    metavar="ADDRESS",
    help="Have the work done by a Dask cluster: tcp://scheduler:8786, tls://scheduler:8786, or local:4 for "
    "four processes of this machine.",
)
def add(sources: tuple[str, ...], allow_private: bool, dask: str | None) -> None:
    """Take files, folders and http(s) addresses into the index.

    Markdown, plain text, HTML and the JSON of GitHub's releases API are read. What is in the index
    already costs nothing; what changed is replaced.

    With --dask documents are read, split and embedded by workers, on GPUs where they have some, and written
    by this process. A command that was cut off goes on where it was when it is typed again.
    """
    from index.bulk.address import parse_cluster
    from ingest.loaders import load
    from ui.cli.progress import BuildProgressLine

    cluster = None if dask is None else parse_cluster(dask)
    factory = open_factory()
    skipped: list[SourceError] = []
    if cluster is None:
        documents = [
            document
            for source in sources
            for document in load(source, on_skip=skipped.append, allow_private=allow_private)
        ]
        _check_any(documents, skipped)
        with BuildProgressLine() as progress:
            report = factory.update(documents, progress=progress)
        lines = report_lines(documents, skipped, report)
        embedded = report.embedded
    else:
        documents, report, bulk = _add_by_workers(factory, sources, allow_private, cluster, skipped)
        lines = chain(report_lines(documents, skipped, report), bulk_lines(bulk))
        embedded = report.embedded + bulk.embedded
    for line in lines:
        click.echo(line)
    manifest = factory.store.manifest()
    click.echo(
        f"The index holds {plural(manifest.documents, 'document')} in {plural(manifest.chunks, 'chunk')}; "
        f"{plural(embedded, 'text')} embedded."
    )


def _add_by_workers(
    factory: AssistantFactory,
    sources: Sequence[str],
    allow_private: bool,
    cluster: ClusterAddress,
    skipped: list[SourceError],
) -> tuple[list[Document], UpdateReport, BulkReport]:
    """Have the sources read and embedded by a cluster, and write the index."""
    from index.bulk.connecting import connected
    from index.bulk.gathering import Gathering
    from index.bulk.kept import KeptReadings
    from index.bulk.prepared import PreparedBuilder
    from index.bulk.recipe import Recipe
    from ingest.sources import parts_of, read_part
    from ui.cli.progress import BuildProgressLine

    parts = [part for source in sources for part in parts_of(source, skipped.append)]
    _check_any(parts, skipped)
    kept = KeptReadings(factory.settings.home)
    recipe = Recipe.of(factory.builder, factory.settings.embedder)
    with kept.held(), BuildProgressLine() as progress:
        with connected(cluster, progress.say) as workers:
            gathering = Gathering(
                workers,
                recipe,
                factory.embedder,
                kept,
                stored=factory.store.documents(),
                on_skip=skipped.append,
                progress=progress,
            )
            gathering.run(parts, lambda part: read_part(part, allow_private=allow_private))
        documents = gathering.documents
        _check_any(documents, skipped)
        builder = PreparedBuilder(factory.builder, gathering.find)
        report = factory.update(documents, builder=builder, progress=progress)
        kept.clear()
    return documents, report, gathering.report


def _check_any(taken: Sequence[object], skipped: Sequence[SourceError]) -> None:
    """Raise an error, after a line for each thing that was skipped, if nothing was taken."""
    from ingest.errors import TorchnotesError

    if taken:
        return
    for skip in skipped:
        click.echo(_skip_line(skip), err=True)
    raise TorchnotesError(
        "nothing was taken; give files of release notes, folders of them, or their addresses"
    )


def bulk_lines(bulk: BulkReport) -> Iterator[str]:
    """Yield what workers did, how fast, and what was lost.

    Args:
        bulk: counts of the run.
    """
    from ui.cli.progress import duration

    gpus = sum(device == "cuda" for device in bulk.devices.values())
    rate = bulk.embedded / max(bulk.seconds, 0.001)
    embedders = f"{plural(len(bulk.devices), 'worker')}, {gpus} with a GPU"
    work = f"read for {duration(bulk.reading)} and embedded for {duration(bulk.embedding)}"
    yield (
        f"{'workers':<10} {plural(bulk.files, 'file')} in {duration(bulk.seconds)}; "
        f"{plural(bulk.embedded, 'text')} embedded by {embedders}: {rate:,.1f} a second"
    )
    yield (
        f"{'':<10} {plural(bulk.texts - bulk.embedded, 'text')} had vectors, {plural(bulk.kept, 'file')} had "
        f"been read; added up, workers {work}"
    )
    if bulk.lost:
        yield f"{'lost':<10} {plural(bulk.lost, 'worker')}; others did their work again"
    if bulk.failures:
        yield f"{'failed':<10} {plural(len(bulk.failures), 'file')} of those skipped failed on the workers"


def report_lines(
    documents: Sequence[Document], skipped: Sequence[SourceError], report: UpdateReport
) -> Iterator[str]:
    """Yield one line for what became of each document, and one for what cleaning removed.

    Args:
        documents: documents that were given.
        skipped: errors of sources that could not be read.
        report: report of the update.
    """
    taken, others = fates(documents, report)
    for fate, document in taken:
        yield f"{fate:<10} {document.id}  {describe(document)}"
        if document.removed:
            yield f"{'':<10} cleaned away: {cleaned(document)}"
    if others:
        yield f"{'new':<10} {plural(others, 'shipped digest')}"
    for name in report.removed:
        yield f"{'removed':<10} {one_line(name)}"
    for left in report.left_out:
        yield f"{'left out':<10} {one_line(left.origin)}: {one_line(left.reason)}"
    yield from map(_skip_line, skipped)


def _skip_line(skip: SourceError) -> str:
    # The reason may come from a page or file, so control characters are removed.
    return f"{'skipped':<10} {one_line(str(skip))}"
