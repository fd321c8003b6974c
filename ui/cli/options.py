"""Options for the language model, shared by the commands that answer questions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

_Command = TypeVar("_Command", bound=Callable[..., Any])

_OPTIONS = (
    click.option(
        "--llm-url",
        metavar="URL",
        help="Root of a language model's API, such as http://localhost:11434/v1; TORCHNOTES_LLM_URL "
        "otherwise.",
    ),
    click.option("--llm-model", metavar="NAME", help="Its name there; TORCHNOTES_LLM_MODEL otherwise."),
    click.option(
        "--llm-api-key",
        metavar="KEY",
        help="Its key; other users of this machine may see it, TORCHNOTES_LLM_API_KEY is safer.",
    ),
)


def model_options(command: _Command) -> _Command:
    """Add the options --llm-url, --llm-model and --llm-api-key.

    Args:
        command: function of the command, with arguments of these names.
    """
    for option in reversed(_OPTIONS):
        command = option(command)
    return command
