"""Programs of ours and of the user, run under the best isolation that works here."""

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
) -> Outcome:
    """Run a Python program and wait for its end; `execution.execute` documents the arguments and errors.

    Args:
        isolation: the sandbox backend; the best that works on this machine where none is named.
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
    )
