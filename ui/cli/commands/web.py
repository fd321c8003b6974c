"""`torchnotes web`: serve the web page on this machine."""

from __future__ import annotations

import os
import socket
import sys
from typing import TYPE_CHECKING

import click

from ui.cli.options import model_options

if TYPE_CHECKING:
    from ui.shared.app_state import Checks


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on; 0.0.0.0 for all.")
@click.option(
    "--port", default=7860, show_default=True, type=click.IntRange(0, 65535), help="0 takes a free one."
)
@click.option(
    "--open/--no-open",
    "open_page",
    default=None,
    help="Show the page in a browser; by default where there is a screen.",
)
@click.option(
    "--password",
    envvar="TORCHNOTES_PASSWORD",
    metavar="WORD",
    help="Ask it of everyone; TORCHNOTES_PASSWORD keeps it out of the list of processes.",
)
@click.option(
    "--name",
    "names",
    multiple=True,
    metavar="NAME",
    help="A name that readers type for this server, such as notes.example.org; for one without a password.",
)
@click.option(
    "--behind-proxy",
    is_flag=True,
    help="A proxy on this machine sets X-Forwarded-For, by which password waits and rates count, and "
    "X-Forwarded-Host and -Proto, the address that readers see.",
)
@click.option("--no-password", is_flag=True, help="Serve others than this machine without one.")
@click.option(
    "--allow-documents/--no-documents",
    default=None,
    help="Whether visitors may add and remove documents; by default on this machine only.",
)
@click.option(
    "--allow-checks/--no-checks",
    default=None,
    help="Whether visitors may run the checks of claims on this machine, each after consent; by default only "
    "where no others reach it.",
)
@click.option("--mcp", is_flag=True, help="Serve MCP clients as well, at /gradio_api/mcp/.")
@model_options
def web(
    host: str,
    port: int,
    open_page: bool | None,
    password: str | None,
    names: tuple[str, ...],
    behind_proxy: bool,
    no_password: bool,
    allow_documents: bool | None,
    allow_checks: bool | None,
    mcp: bool,
    llm_url: str | None,
    llm_model: str | None,
    llm_api_key: str | None,
) -> None:
    """Open the chat page in a browser."""
    from assistant.factory import AssistantFactory
    from assistant.settings import load_settings
    from ui.cli.progress import BuildProgressLine
    from ui.operations.operations import Operations
    from ui.shared.app_state import AppState
    from ui.web.guard import LOOPBACK
    from ui.web.server import Access, serve

    alone = host in LOOPBACK
    check_access(alone, password, no_password)
    check_mcp(mcp)
    with listen(host, port) as listening:
        with BuildProgressLine() as progress:
            settings = load_settings(llm_url=llm_url, llm_model=llm_model, llm_api_key=llm_api_key)
            operations = Operations.start(settings, password or "", metrics=True)
            allowed = alone if allow_documents is None else allow_documents
            checks = who_checks(alone, allow_checks)
            factory = AssistantFactory(settings, operations)
            app_state = AppState(factory, progress, allow_documents=allowed, mcp=mcp, checks=checks)
        name = f"[{host}]" if ":" in host else host
        address = f"http://{name}:{listening.getsockname()[1]}"
        if not alone and not password:
            click.echo("Anyone who reaches this address can read the index: there is no password.", err=True)
        click.echo(f"torchnotes answers at {address}  (Ctrl+C ends it)")
        if _has_screen() if open_page is None else open_page:
            import webbrowser

            webbrowser.open(address)
        access = Access(host, password or "", names, behind_proxy, settings.metrics_token)
        serve(app_state, listening, access, operations.metrics)
        operations.close()


def check_access(alone: bool, password: str | None, no_password: bool) -> None:
    """Check that the operator has decided who may use the server.

    Args:
        alone: the server can be reached from this machine only.
        password: password of the server, None if not given.
        no_password: others may use the server without a password.

    Raises:
        TorchnotesError: the options are missing or contradict each other.
    """
    from ingest.errors import TorchnotesError

    if password and no_password:
        raise TorchnotesError("both --password and --no-password are given; give one of them")
    if password is not None and not password:
        raise TorchnotesError("the password is empty; give one with --password, or leave it out")
    if not alone and not password and not no_password:
        raise TorchnotesError(
            "--host lets others reach this server; add --password WORD, or --no-password to let everyone in"
        )


def who_checks(alone: bool, allow_checks: bool | None) -> Checks:
    """Return who may run checks: all visitors only if the operator allows it explicitly.

    Args:
        alone: the server can be reached from this machine only.
        allow_checks: value of the option, None if not given.
    """
    if allow_checks is None:
        return "here" if alone else "off"
    return "allowed" if allow_checks else "off"


def check_mcp(mcp: bool) -> None:
    """Check that the package mcp is installed if it is needed.

    Args:
        mcp: whether the server is to serve MCP clients.

    Raises:
        TorchnotesError: it is not installed.
    """
    from importlib.util import find_spec

    from ingest.errors import TorchnotesError

    if mcp and find_spec("mcp") is None:
        raise TorchnotesError('--mcp needs the package mcp; type `pip install "torchnotes[mcp]"`')


def listen(host: str, port: int) -> socket.socket:
    """Open a listening socket; requests wait in it until the server has started.

    Args:
        host: address to listen on.
        port: port, 0 for any free one.

    Raises:
        TorchnotesError: the address cannot be used.
    """
    from ingest.errors import TorchnotesError

    listening = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    if os.name == "posix":
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
        listening.listen(128)
    except OSError as error:
        listening.close()
        raise TorchnotesError(
            f"{host}:{port} cannot be listened on ({error.strerror}); try another one, "
            "such as `torchnotes web --port 7861`"
        ) from None
    return listening


def _has_screen() -> bool:
    if not sys.stdout.isatty() or "SSH_CONNECTION" in os.environ:
        return False
    return sys.platform in ("darwin", "win32") or "DISPLAY" in os.environ or "WAYLAND_DISPLAY" in os.environ
