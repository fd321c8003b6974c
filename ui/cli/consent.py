"""Asking for consent before programs run; each is shown first."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

import click

from ui.shared.console import one_line, printable

if TYPE_CHECKING:
    from assistant.checks.torch_environment import TorchEnvironment
    from assistant.sandbox.isolation import Isolation
    from ingest.document import Language

_Command = TypeVar("_Command", bound=Callable[..., object])

_RUN_IT: dict[Language, str] = {"en": "Run this program?", "zh": "运行这个程序吗？"}
_INSTALL: dict[Language, str] = {
    "en": "torch {release} is not installed for comparisons: "
    "about {download} from {index}, {disk} in {folder}",
    "zh": "用来对比的 torch {release} 没有安装：从 {index} 下载约 {download}，装好约 {disk}，放在 {folder}",
}
_INSTALL_IT: dict[Language, str] = {"en": ". Install it?", "zh": "。安装吗？"}
_ALL_THE_SAME: dict[Language, str] = {"en": "Run it all the same?", "zh": "仍要运行吗？"}
_WEAKER: dict[Language, str] = {
    "en": "isolation is weaker here ({name}): {what}",
    "zh": "这里的隔离较弱（{name}）：{what}",
}


@dataclass(frozen=True, slots=True)
class Program:
    """A program that may run.

    Attributes:
        name: name, one line.
        about: what it does, "" if the name says enough.
        code: source code, shown completely.
    """

    name: str
    about: str
    code: str


def allow_options(command: _Command) -> _Command:
    """Add the options `--allow-checks` and `--allow-weaker`; see `consented`.

    Args:
        command: function of the command.
    """
    weaker = click.option(
        "--allow-weaker",
        is_flag=True,
        help="Also where this system isolates programs less; do not ask again.",
    )
    allow = click.option("--allow-checks", is_flag=True, help="Run programs without asking.")
    return allow(weaker(command))


def consented(
    programs: Sequence[Program],
    isolation: Isolation,
    language: Language,
    *,
    allow_checks: bool,
    allow_weaker: bool,
    instead: str,
) -> list[bool]:
    """Ask which programs may run, and once more if isolation is weaker.

    Args:
        programs: programs to run.
        isolation: sandbox backend.
        language: language of the questions.
        allow_checks: do not ask whether they may run.
        allow_weaker: do not ask about weaker isolation.
        instead: alternative that runs no program, for the error message.

    Returns:
        Whether each program may run.

    Raises:
        TorchnotesError: standard input is not a terminal, so nobody can be asked.
    """
    from ingest.errors import TorchnotesError

    asks_twice = isolation.weaker and not allow_weaker
    told = _WEAKER[language].format(name=isolation.name, what="; ".join(isolation.not_held(language)))
    if not sys.stdin.isatty() and (asks_twice or not allow_checks):
        options = {"--allow-checks": not allow_checks, "--allow-weaker": asks_twice}
        missing = " ".join(option for option, lacks in options.items() if lacks)
        names = ", ".join(one_line(program.name) for program in programs)
        raise TorchnotesError(
            f"nobody can be asked here whether {names} may run{f' ({told})' if asks_twice else ''}; "
            f"add {missing}, or {instead}"
        )
    agreed = [allow_checks or _agreed(program, language) for program in programs]
    if asks_twice and any(agreed):
        click.secho(told, fg="yellow", err=True)
        if not click.confirm(_ALL_THE_SAME[language], err=True):
            return [False] * len(programs)
    return agreed


def installed(environment: TorchEnvironment, language: Language, *, allow: bool) -> None:
    """Install a release of torch for comparisons, if it is not installed and the user agrees.

    Args:
        environment: environment of the release.
        language: language of the question.
        allow: do not ask.

    Raises:
        TorchnotesError: it cannot be installed, the user refuses, or nobody can be asked.
    """
    from assistant.checks.torch_environment import SIZE
    from ingest.errors import TorchnotesError

    if environment.version:
        return
    given = {
        "release": environment.release,
        "index": environment.index or "PyPI",
        "folder": environment.folder,
    }
    told = _INSTALL[language].format(download=SIZE[0], disk=SIZE[1], **given)
    if not allow:
        if not sys.stdin.isatty():
            raise TorchnotesError(f"nobody can be asked here: {told}; add --allow-install")
        if not click.confirm(f"{told}{_INSTALL_IT[language]}", err=True):
            raise TorchnotesError("nothing is installed; without --against one side is tried")
    environment.install(lambda line: click.echo(f"  {printable(line)}", err=True))


def _agreed(program: Program, language: Language) -> bool:
    about = f": {one_line(program.about)}" if program.about else ""
    name = click.style(one_line(program.name), bold=True)
    click.echo(f"{name}{about}\n\n{printable(program.code).rstrip()}\n", err=True)
    return click.confirm(_RUN_IT[language], err=True)
