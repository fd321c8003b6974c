"""`torchnotes config`: the settings in effect, and where each is from."""

from __future__ import annotations

import os
from typing import Any

import click

_SET, _UNSET = "set, hidden", "not set"


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print it as JSON.")
def config(as_json: bool) -> None:
    """Show the settings in effect, and where each is from; secrets are not shown."""
    from ui.shared.console import json_text, one_line

    rows = effective()
    if as_json:
        click.echo(json_text(rows))
        return
    names = max(len(row["name"]) for row in rows)
    values = max(len(_told(row)) for row in rows if len(_told(row)) < 60)
    for row in rows:
        told = one_line(_told(row))
        click.echo(f"{row['name']:<{names}}  {told:<{values}}  {row['origin']}".rstrip())


def effective() -> list[dict[str, Any]]:
    """Return name, value, origin and secrecy of all settings, and of the variables that are no setting.

    The value of a secret is whether it is set.

    Raises:
        TorchnotesError: a setting is invalid.
    """
    from assistant.configuration.values import PREFIX, SECRET
    from assistant.settings import load_with_origins
    from ui.operations.secrets import SECRET_VARIABLES

    settings, origins = load_with_origins()
    rows = [
        _row(f"{PREFIX}{name.upper()}", getattr(settings, name), origin, secret=name in SECRET)
        for name, origin in origins.items()
    ]
    for name in SECRET_VARIABLES:
        value = os.environ.get(name, "")
        rows.append(_row(name, value, "environment" if value else "default", secret=True))
    return rows


def _row(name: str, value: object, origin: str, *, secret: bool) -> dict[str, Any]:
    shown = bool(value) if secret else _plain(value)
    return {"name": name, "value": shown, "origin": origin, "secret": secret}


def _plain(value: object) -> object:
    """Return a value as JSON has it."""
    if isinstance(value, bool | int | float | None):
        return value
    if isinstance(value, dict):
        return dict(value)
    return list(value) if isinstance(value, tuple) else str(value)


def _told(row: dict[str, Any]) -> str:
    """Return a value as it would be written in the environment."""
    value = row["value"]
    if row["secret"]:
        return _SET if value else _UNSET
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list):
        return ",".join(value) or "-"
    if isinstance(value, dict):
        return ", ".join(f"{key}={mode}" if key else str(mode) for key, mode in value.items()) or "-"
    return "-" if value in ("", None) else f"{value:g}" if isinstance(value, float) else str(value)
