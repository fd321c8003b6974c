"""`torchnotes index copy`: an index from a folder to Milvus, or back."""

from __future__ import annotations

import click

from ui.shared.console import plural


@click.group("index")
def index() -> None:
    """Move an index: see `torchnotes index copy --help`."""


@index.command("copy")
@click.argument("source", metavar="FROM")
@click.argument("target", metavar="TO")
def copy(source: str, target: str) -> None:
    """Copy the index FROM one place TO another, and compare the two.

    Each is a data folder (what TORCHNOTES_HOME names), or an index in Milvus:

    \b
    torchnotes index copy ~/.local/share/torchnotes milvus://host:19530/notes
    torchnotes index copy milvus:notes.db /srv/torchnotes

    A copy that was interrupted goes on where it was when the same command is typed again. Readers of TO see
    the index that was there until the copy is whole. TORCHNOTES_INDEX_TOKEN is the token of the server that
    TORCHNOTES_INDEX names, and is sent to no other; where that is not set, of the only server that is named
    here. Exit code 1 where the copy differs.
    """
    from assistant.settings import load_settings
    from index.milvus.copying import copy_index, place_of, token_for
    from ui.cli.progress import BuildProgressLine

    settings = load_settings()
    there, here = (
        place_of(place, token_for(place, settings.index_token, settings.index, other))
        for place, other in ((source, target), (target, source))
    )
    with BuildProgressLine() as progress:
        compared = copy_index(there, here, progress)
    for each in compared:
        told = "same content" if each.same else "DIFFERENT CONTENT"
        click.echo(f"{each.part:<16}  {each.count:>9,}  {each.copied:>9,}  {told}")
    different = [each.part for each in compared if not each.same]
    if different:
        click.echo(f"{target} is no copy of {source}: {', '.join(different)} differ", err=True)
        click.get_current_context().exit(1)
    click.echo(f"{target} is a copy of {source}: {plural(compared[0].count, 'document')}.")
