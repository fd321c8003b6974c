"""The app manifest, and the scopes that the bot needs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from urllib.parse import quote

FILE = Path(__file__).with_name("manifest.json")
EVENTS = "/slack/events"  # path of HTTP requests
_NEW_APP = "https://api.slack.com/apps?new_app=1&manifest_json="


def manifest(url: str = "") -> dict[str, Any]:
    """Return the manifest.

    Args:
        url: public address of the bot for HTTP; "" for Socket Mode.
    """
    made: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
    if url:
        address = f"{url.rstrip('/')}{EVENTS}"
        made["settings"]["socket_mode_enabled"] = False
        made["settings"]["event_subscriptions"]["request_url"] = address
        made["settings"]["interactivity"]["request_url"] = address
        for command in made["features"]["slash_commands"]:
            command["url"] = address
    return made


def scopes() -> list[str]:
    """Return the scopes that the bot needs."""
    return list(manifest()["oauth_config"]["scopes"]["bot"])


def new_app_link(url: str = "") -> str:
    """Return a link to Slack's form for a new app with the manifest filled in.

    Args:
        url: public address of the bot for HTTP; "" for Socket Mode.
    """
    return _NEW_APP + quote(json.dumps(manifest(url), ensure_ascii=False, separators=(",", ":")))
