"""`torchnotes add`: add files, folders and web pages to the index."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import click

from ui.cli.opening import open_workshop
from ui.shared.console import one_line, plural
from ui.shared.documents import cleaned, describe, fates

if TYPE_CHECKING:
    from index.storage.changes import UpdateReport
    from ingest.document import Document
    from ingest.errors import SourceError


@click.command()
@click.argument("sources", nargs=-1, required=True, metavar="SOURCE...")
@click.option(
    "--allow-private", is_flag=True, help="Also fetch from addresses of this machine and the local network."
)
def add(sources: tuple[str, ...], allow_private: bool) -> None:
    """Take files, folders and http(s) addresses into the index.

    Markdown, plain text, HTML and the JSON of GitHub's releases API are read. What is in the index
    already costs nothing; what changed is replaced.
    """
    from ingest.errors import TorchnotesError
    from ingest.loaders import load
    from ui.cli.progress import BuildProgressLine

    factory = open_workshop()
    skipped: list[SourceError] = []
    documents = [
        document
        for source in sources
        for document in load(source, on_skip=skipped.append, allow_private=allow_private)
    ]
    if not documents:
        for skip in skipped:
            click.echo(_skip_line(skip), err=True)
        raise TorchnotesError(
            "nothing was taken; give files of release notes, folders of them, or their addresses"
        )
    with BuildProgressLine() as progress:
        report = factory.update(documents, progress=progress)
    for line in report_lines(documents, skipped, report):
        click.echo(line)
    manifest = factory.store.manifest()
    click.echo(
        f"The index holds {plural(manifest.documents, 'document')} in {plural(manifest.chunks, 'chunk')}; "
        f"{plural(report.embedded, 'text')} embedded."
    )


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
