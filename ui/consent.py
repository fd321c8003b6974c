"""Programs run only if the user says so: each is shown before."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeVar

import click

if TYPE_CHECKING:
    from assistant.checks.check import Check
    from assistant.checks.isolation import Isolation
    from ingest.document import Language


_Command = TypeVar("_Command", bound=Callable[..., object])


def allow_options(command: _Command) -> _Command:
    """`--allow-checks` and `--allow-weaker-isolation`; see `consented`."""
    weaker = click.option(
        "--allow-weaker-isolation",
        is_flag=True,
        help="Run them also where this system cannot keep them from your files and the network.",
    )
    allow = click.option("--allow-checks", is_flag=True, help="Run them without asking for each.")
    return allow(weaker(command))


def consented(
    found: Sequence[Check], isolation: Isolation, language: Language, *, allow: bool, weaker: bool
) -> list[Check]:
    """Those that the user lets run.

    Args:
        found: what would run.
        isolation: how it would be held.
        language: of what is told.
        allow: all of them were allowed by an option.
        weaker: weaker isolation was allowed by an option.

    Raises:
        TorchnotesError: nobody is there to ask.
    """
    from ingest.errors import TorchnotesError

    asking = sys.stdin.isatty()
    if not asking and not allow:
        raise TorchnotesError(
            "nobody can be asked here whether programs may run; add --allow-checks, or --show them"
        )
    if isolation.weaker and not weaker:
        what = f"isolation is weaker here ({isolation.name}): {'; '.join(isolation.not_held(language))}"
        if not asking:
            raise TorchnotesError(f"{what}; add --allow-weaker-isolation to run them all the same")
        click.secho(what, fg="yellow", err=True)
        if not click.confirm("Run programs all the same?", err=True):
            return []
    return list(found) if allow else [each for each in found if _asked(each, language)]


def _asked(each: Check, language: Language) -> bool:
    click.echo(f"{click.style(each.id, bold=True)}: {each.claim[language]}\n\n{each.code}", err=True)
    return click.confirm("Run this program?", err=True)
