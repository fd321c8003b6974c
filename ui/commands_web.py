"""`torchnotes web`: the chat page on this machine."""

from __future__ import annotations

import os
import socket
import sys

import click

from ui.model_options import model_options


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
@model_options
def web(
    host: str,
    port: int,
    open_page: bool | None,
    llm_url: str | None,
    llm_model: str | None,
    llm_api_key: str | None,
) -> None:
    """Open the chat page in a browser."""
    from assistant.assemble import Workshop
    from assistant.settings import load_settings
    from ui.progress import BuildProgressLine
    from ui.web import LOOPBACK, Desk, serve

    listening = listen(host, port)
    with BuildProgressLine() as progress:
        settings = load_settings(llm_url=llm_url, llm_model=llm_model, llm_api_key=llm_api_key)
        desk = Desk(Workshop(settings), progress)
    name = f"[{host}]" if ":" in host else host
    address = f"http://{name}:{listening.getsockname()[1]}"
    if host not in LOOPBACK:
        click.echo("Anyone who reaches this address can read the index: there is no password.", err=True)
    click.echo(f"torchnotes answers at {address}  (Ctrl+C ends it)")
    if _has_screen() if open_page is None else open_page:
        import webbrowser

        webbrowser.open(address)
    serve(desk, listening, host)


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens; requests wait in it until the server is up.

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
