"""The MCP server over standard input and output. It is built on the package mcp, which is optional."""

from __future__ import annotations

import io
import os
import sys
import threading
from collections.abc import Callable
from functools import partial, wraps
from inspect import getdoc
from pathlib import Path

import anyio.to_thread
from mcp.server.fastmcp import FastMCP
from mcp.types import ToolAnnotations

from assistant.factory import AssistantFactory
from assistant.versions import own_version
from ui.agents.tools import Tools
from ui.operations.request_context import request_context

_Tool = Callable[..., object]

INSTRUCTIONS = (
    "Release notes of PyTorch, every sentence with its source. Check code that uses torch when you write or "
    "change it: upgrade(code=..., newer=the project's release). Ask since when something exists, what "
    "replaced it, what breaks. If `declined` is true, the notes do not answer."
)


def build_server(factory: AssistantFactory, root: Path) -> FastMCP:
    """Build the server.

    Args:
        factory: creates the assistant, at the first call that needs it.
        root: the only folder whose files are read.
    """
    server: FastMCP = FastMCP("torchnotes", instructions=INSTRUCTIONS, log_level="WARNING")
    server._mcp_server.version = own_version() or None
    tools = Tools(factory, root)
    reads = ToolAnnotations(readOnlyHint=True, idempotentHint=True, openWorldHint=False)
    for tool in (tools.ask, tools.search, tools.history, tools.compare, tools.upgrade):
        server.add_tool(_in_thread(tool), description=getdoc(tool), annotations=reads)
    return server


def serve(factory: AssistantFactory, root: Path) -> None:
    """Serve until the client closes standard input.

    Args:
        factory: creates the assistant.
        root: the only folder whose files are read.
    """
    _keep_output_for_protocol()
    server = build_server(factory, root)
    # The client waits for the first call, not for the start; the call that meets an error again tells it.
    threading.Thread(target=_warm, args=(factory,), name="warm", daemon=True).start()
    server.run("stdio")


def _in_thread(tool: _Tool) -> _Tool:
    """Run a tool in a thread, so that the server answers pings and other calls meanwhile."""

    @wraps(tool)
    async def run(**given: object) -> object:
        with request_context(question=str(given.get("question", ""))):
            return await anyio.to_thread.run_sync(partial(tool, **given))

    return run


def _warm(factory: AssistantFactory) -> None:
    """Open the index; build it if there is none."""
    try:
        factory.latest()
    except Exception as error:  # noqa: BLE001 - of a thread; the first call raises it again
        sys.stderr.write(f"torchnotes: {' '.join(str(error).split())}\n")


def _keep_output_for_protocol() -> None:
    """Give standard output to the protocol alone: what a library or a child process prints goes to errors."""
    sys.stdout.flush()
    protocol = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    sys.stdout = io.TextIOWrapper(protocol, encoding="utf-8", newline="\n")
