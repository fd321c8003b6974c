"""`torchnotes mcp`: serve coding agents over standard input and output."""

from __future__ import annotations

import sys
from pathlib import Path

import click


@click.command()
@click.option(
    "--root",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    default=".",
    help="The only folder whose files are read; the one that the server is started in otherwise.",
)
def mcp(root: Path) -> None:
    """Serve a coding agent: the tools ask, search, history, compare and upgrade, as an MCP server on stdio.

    The agent starts it: give it the command `torchnotes mcp` in its settings.
    """
    from importlib.util import find_spec

    from ingest.errors import TorchnotesError

    if find_spec("mcp") is None:
        raise TorchnotesError('this needs the package mcp; type `pip install "torchnotes[mcp]"`')
    from assistant.factory import AssistantFactory
    from assistant.settings import load_settings
    from ui.agents.server import serve
    from ui.operations.operations import Operations

    if sys.stdin.isatty():
        click.echo("An agent talks to this command, by MCP; `torchnotes skill` says how.", err=True)
    settings = load_settings()
    operations = Operations.start(settings)
    serve(AssistantFactory(settings, operations), root)
    operations.close()
