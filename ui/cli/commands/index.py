"""Commands to list, remove, rebuild and verify documents of the index."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import click

from ui.cli.opening import index_as_it_is, open_factory
from ui.shared.console import address, json_text, one_line, plural
from ui.shared.documents import check_removable, cleaned, describe

if TYPE_CHECKING:
    from assistant.factory import AssistantFactory
    from ingest.document import Document


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print them as JSON.")
def sources(as_json: bool) -> None:
    """List the documents in the index."""
    factory = open_factory()
    generation = index_as_it_is(factory)
    chunks = Counter(chunk.document_id for chunk in generation.chunks)
    documents = list(generation.documents.values())
    if as_json:
        rows = [_row(document, chunks[document.id]) for document in documents]
        click.echo(json_text(rows))
        return
    width = max((len(document.id) for document in documents), default=0)
    for document in documents:
        facts = (describe(document), address(document), plural(chunks[document.id], "chunk"))
        click.echo(f"{document.id:<{width}}  {' · '.join(facts)}")
        if document.removed:
            click.echo(f"{'':<{width}}  cleaned away: {cleaned(document)}")
    click.echo(f"{plural(len(documents), 'document')} in {plural(len(generation.chunks), 'chunk')}.")


@click.command()
@click.argument("ids", nargs=-1, required=True, metavar="ID...")
def remove(ids: tuple[str, ...]) -> None:
    """Take documents out of the index, by the ids that `torchnotes sources` shows."""
    from ui.cli.progress import BuildProgressLine

    factory = open_factory()
    check_removable(index_as_it_is(factory).documents, ids, shipped_corpus=factory.settings.shipped_corpus)
    with BuildProgressLine() as progress:
        report = factory.update(remove=ids, progress=progress)
    for name in report.removed:
        click.echo(f"removed {name}")
    click.echo(_holds(factory))


@click.command()
def rebuild() -> None:
    """Build the index anew from the documents it holds: for another embedder, or when it is damaged."""
    from ui.cli.progress import BuildProgressLine

    factory = open_factory()
    with BuildProgressLine() as progress:
        report = factory.rebuild(progress)
    for name in report.restored:
        click.echo(f"restored {one_line(name)} from the index before: it was damaged")
    for left in report.left_out:
        click.echo(f"left out {one_line(left.origin)}: {one_line(left.reason)}")
    click.echo(f"{_holds(factory)} {plural(report.embedded, 'text')} embedded.")


@click.command()
def verify() -> None:
    """Read every file of the index and compare it with what was written; exit code 1 when one differs."""
    store = open_factory().store
    faults = store.verify()
    if faults:
        for fault in faults:
            click.echo(one_line(fault))
        if not any(
            "type `torchnotes " in fault for fault in faults
        ):  # a fault of the whole index has its own hint
            click.echo("Type `torchnotes rebuild` to mend the index.", err=True)
        click.get_current_context().exit(1)
    manifest = store.manifest()
    click.echo(
        f"the index is whole: {plural(manifest.documents, 'document')}, {plural(manifest.chunks, 'chunk')}"
    )


def _holds(factory: AssistantFactory) -> str:
    manifest = factory.store.manifest()
    return f"The index holds {plural(manifest.documents, 'document')} in {plural(manifest.chunks, 'chunk')}."


def _row(document: Document, chunks: int) -> dict[str, Any]:
    return {
        "id": document.id,
        "title": document.title,
        "release": document.version or None,
        "language": document.language,
        "kind": document.kind,
        "date": document.date.isoformat() if document.date else None,
        "url": document.url,
        "origin": document.origin,
        "chunks": chunks,
        "cleaned": [{"reason": r.reason, "lines": r.lines, "excerpt": r.excerpt} for r in document.removed],
    }
