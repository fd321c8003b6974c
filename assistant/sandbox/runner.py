"""Running programs, torchnotes' own and the user's, in the best sandbox backend available."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from assistant.sandbox.execution import execute
from assistant.sandbox.isolation import Isolation
from assistant.sandbox.outcome import Outcome
from assistant.sandbox.probe import available
from assistant.sandbox.run_limits import Limits


def run(
    program: Path,
    *,
    files: Sequence[Path] = (),
    arguments: Sequence[str] = (),
    limits: Limits = Limits(),  # noqa: B008
    isolation: Isolation | None = None,
    on_line: Callable[[str], None] | None = None,
    cancelled: threading.Event | None = None,
    environment: Mapping[str, str] = {},
    python: Path | None = None,
) -> Outcome:
    """Run a Python program and wait for it to end; see `execution.execute` for details and errors.

    Args:
        program: the script.
        files: additional files.
        arguments: command line arguments.
        limits: resource limits.
        isolation: sandbox backend; None: the best one available.
        on_line: called with each line of standard output.
        cancelled: ends the run when set by another thread.
        environment: additional environment variables.
        python: interpreter of another virtual environment; None: this one.
    """
    return execute(
        program,
        files=files,
        arguments=arguments,
        limits=limits,
        isolation=isolation or available()[0],
        on_line=on_line,
        cancelled=cancelled,
        environment=environment,
        python=python,
    )
