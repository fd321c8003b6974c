"""`torchnotes slack`: run the Slack bot."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click

from ui.cli.options import model_options

if TYPE_CHECKING:
    from assistant.settings import Settings
    from ui.slack.tokens import Tokens

PORT = 3000


@click.command()
@click.option(
    "--check", "checks", is_flag=True, help="Verify tokens, scopes and connection, and say what is missing."
)
@click.option(
    "--manifest",
    "shows_manifest",
    is_flag=True,
    help="Print the app's manifest, and a link that makes the app.",
)
@click.option("--url", default="", metavar="URL", help="With --manifest: public https address for HTTP mode.")
@click.option(
    "--http", is_flag=True, help="Take requests over HTTP at /slack/events instead of the web socket."
)
@click.option("--host", default="127.0.0.1", show_default=True, help="With --http: address to listen on.")
@click.option(
    "--port",
    default=PORT,
    show_default=True,
    type=click.IntRange(0, 65535),
    help="With --http; 0 takes a free one.",
)
@model_options
def slack(
    checks: bool,
    shows_manifest: bool,
    url: str,
    http: bool,
    host: str,
    port: int,
    llm_url: str | None,
    llm_model: str | None,
    llm_api_key: str | None,
) -> None:
    """Answer in Slack: mentions, direct messages and /torchnotes.

    SLACK_BOT_TOKEN and SLACK_APP_TOKEN come from the environment; with --http, SLACK_SIGNING_SECRET does
    instead of the second. docs/slack.md tells where to find them.
    """
    if shows_manifest:
        _show_manifest(url)
        return
    from assistant.settings import load_settings
    from ui.slack.tokens import Tokens

    check_installed()
    settings = load_settings(llm_url=llm_url, llm_model=llm_model, llm_api_key=llm_api_key)
    tokens = Tokens.of(os.environ)
    if checks:
        _check(settings, tokens, http)
    else:
        _serve(settings, tokens, (host, port) if http else None)


def check_installed() -> None:
    """Check that slack-bolt is installed.

    Raises:
        TorchnotesError: it is not.
    """
    from importlib.util import find_spec

    from ingest.errors import TorchnotesError

    if find_spec("slack_bolt") is None:
        raise TorchnotesError('torchnotes slack needs slack-bolt; type `pip install "torchnotes[slack]"`')


def _show_manifest(url: str) -> None:
    from ingest.errors import TorchnotesError
    from ui.shared.console import json_text
    from ui.slack.manifest import manifest, new_app_link

    if url and not url.startswith("https://"):
        raise TorchnotesError(f"--url {url!r} cannot be used: Slack sends to https:// addresses only")
    click.echo(json_text(manifest(url)))
    click.echo(f"Open this link to make the app:\n{new_app_link(url)}", err=True)


def _check(settings: Settings, tokens: Tokens, http: bool) -> None:
    from ui.slack.check import CheckTarget, examine
    from ui.slack.state import FILE, State

    wrong = 0
    state = State(settings.home / FILE, keep_days=settings.slack_keep_days)
    for finding in examine(CheckTarget(tokens, settings.slack_api, state, http)):
        click.echo(str(finding))
        wrong += not finding.good
    if not wrong:
        click.echo("Type `torchnotes slack`, then invite the bot into a channel: /invite @torchnotes")
    click.get_current_context().exit(1 if wrong else 0)


def _serve(settings: Settings, tokens: Tokens, listen_on: tuple[str, int] | None) -> None:
    from assistant.factory import AssistantFactory
    from ingest.errors import TorchnotesError
    from ui.cli.commands.web import listen
    from ui.cli.progress import BuildProgressLine
    from ui.operations.operations import Operations
    from ui.shared.app_state import AppState
    from ui.slack.app import build_app, identify, web_client
    from ui.slack.incoming import AccessPolicy
    from ui.slack.modes import ChannelModes
    from ui.slack.serve import connect, leave, serve_http, until_stopped
    from ui.slack.service import Service
    from ui.slack.state import FILE, State

    missing = tokens.missing(http=listen_on is not None)
    if missing:
        name, mend = next(iter(missing.items()))
        raise TorchnotesError(f"{name} is not set; {mend}; `torchnotes slack --check` tells more")
    operations = Operations.start(settings)
    client = web_client(tokens.bot, settings.slack_api)
    me = identify(client)
    state = State(settings.home / FILE, keep_days=settings.slack_keep_days)
    state.tidy()
    listening = listen(*listen_on) if listen_on else None
    with BuildProgressLine() as progress:
        app_state = AppState(AssistantFactory(settings, operations), progress)
    access = AccessPolicy(frozenset(settings.slack_teams), frozenset(settings.slack_channels))
    modes = ChannelModes.parse(settings.slack_modes)
    service = Service(app_state, client, me, state, access, modes=modes, helper=settings.slack_help)
    app = build_app(service, tokens.signing)
    where = (
        f"http://{listen_on[0]}:{listening.getsockname()[1]}/slack/events"
        if listen_on and listening
        else "the socket"
    )
    line = f"{me.name} answers in {me.team_name} over {where}  (Ctrl+C ends it)"
    try:
        if listening:
            click.echo(line)
            serve_http(app, listening)
        else:
            handler = connect(app, tokens.app)
            try:
                click.echo(line)
                until_stopped()
            finally:
                leave(handler.client)
    finally:
        service.close()
        operations.close()
