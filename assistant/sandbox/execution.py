"""Running a program in a separate process, isolated and with resource limits."""

from __future__ import annotations

import json
import os
import secrets
import selectors
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from assistant.sandbox.folder import Folder, run_folder
from assistant.sandbox.isolation import Isolation
from assistant.sandbox.outcome import Ended, Outcome, by_itself
from assistant.sandbox.processes import MARK, end
from assistant.sandbox.run_limits import Limits
from assistant.sandbox.start import environment as basic_environment
from assistant.sandbox.start import guarded
from assistant.sandbox.streams import Stream
from assistant.sandbox.watchdog import Watchdog

_REPORT_CAP = 4096
_POSIX = os.name == "posix"
_DRAIN = 2.0  # seconds to read the rest of the pipes after all processes have ended


def execute(
    program: Path,
    *,
    files: Sequence[Path] = (),
    arguments: Sequence[str] = (),
    limits: Limits = Limits(),  # noqa: B008
    isolation: Isolation,
    on_line: Callable[[str], None] | None = None,
    cancelled: threading.Event | None = None,
    environment: Mapping[str, str] = {},
    python: Path | None = None,
) -> Outcome:
    """Run a Python program and wait for it to end.

    It runs in its own session, with a new folder as home and working directory, next to copies of its files,
    with a minimal environment, no standard input and no capabilities. When it ends, for whatever reason, all
    processes that it started are killed and the folder is removed.

    Args:
        program: the script.
        files: additional files; `import kit` finds a `kit.py` among them.
        arguments: command line arguments.
        limits: resource limits. A program that writes more than allowed to standard output or standard error
            is ended; what came before is kept.
        isolation: sandbox backend. Check `isolation.weaker` first: without isolation, a program can do
            anything that its user can.
        on_line: called with each line of standard output as it is written, in the caller's thread; lines of
            more than 8,192 characters are split. An exception ends the run and is propagated.
        cancelled: ends the run within a tenth of a second when set by another thread.
        environment: additional environment variables, or other values for the given ones.
        python: interpreter of another virtual environment, whose folder the program may read; None: this one.

    Raises:
        OSError: a file cannot be read, or the folder cannot be created.
        ValueError: two files have the same name, or a variable is invalid.
    """
    if not _POSIX:
        reason = "programs are run on Linux and macOS only"
        return _not_started(reason, "", 0.0, isolation)
    with run_folder(program, files) as folder:
        token = secrets.token_hex(16)
        variables = {**basic_environment(folder, isolation), **environment, MARK: token}
        command = [str(python or sys.executable), str(folder.program / program.name), *arguments]
        also = (python.parents[1],) if python else ()
        return _run(command, folder, limits, isolation, on_line, cancelled, variables, token, also)


def _run(
    command: list[str],
    folder: Folder,
    limits: Limits,
    isolation: Isolation,
    on_line: Callable[[str], None] | None,
    cancelled: threading.Event | None,
    variables: dict[str, str],
    token: str,
    also: tuple[Path, ...],
) -> Outcome:
    reading, writing = os.pipe()
    report = Stream(reading, _REPORT_CAP)
    streams = [report]
    try:
        try:
            process = subprocess.Popen(
                isolation.command(folder, limits, guarded(command, folder, limits, isolation, writing), also),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env=variables,
                cwd=folder.work,
                pass_fds=[writing],
                start_new_session=True,
            )
        except OSError as error:
            return _not_started(str(error), "", 0.0, isolation)
        finally:
            os.close(writing)
        assert process.stdout and process.stderr
        watch = Watchdog(process.pid, folder, limits, isolation, cancelled)
        try:
            output = Stream(os.dup(process.stdout.fileno()), limits.output_bytes, on_line)
            streams.append(output)
            errors = Stream(os.dup(process.stderr.fileno()), limits.output_bytes)
            streams.append(errors)
            why = _follow(watch, report, output, errors)
            seconds = watch.seconds
        finally:
            end(process, folder.base, token)
            process.stdout.close()
            process.stderr.close()
        _drain(output, errors)
    finally:
        for stream in streams:
            stream.close()
    texts = (report.text, output.text, errors.text)
    return _outcome(why, process.returncode, *texts, seconds, limits, isolation)


def _follow(watch: Watchdog, report: Stream, output: Stream, errors: Stream) -> tuple[Ended, str] | None:
    """Read until the guard reports the end, or return why the run must be ended."""
    with selectors.DefaultSelector() as selector:
        for stream in (report, output, errors):
            selector.register(stream.descriptor, selectors.EVENT_READ, stream)
        while report.open and not _told(report.text):
            for key, _ in selector.select(watch.patience):
                stream = key.data
                stream.read()
                if stream.over:
                    return "output", "ended when it wrote more than it may"
                if not stream.open:
                    selector.unregister(stream.descriptor)
            if why := watch.look():
                return why
    return None


def _drain(*streams: Stream) -> None:
    """Read the remaining output."""
    until = time.monotonic() + _DRAIN
    with selectors.DefaultSelector() as selector:
        for stream in streams:
            if stream.open:
                selector.register(stream.descriptor, selectors.EVENT_READ, stream)
        while selector.get_map() and (left := until - time.monotonic()) > 0:
            for key, _ in selector.select(left):
                key.data.read()
                if key.data.over or not key.data.open:
                    selector.unregister(key.fd)


def _told(report: str) -> dict[str, Any]:
    """Return the guard's report on the end, {} if there is none yet."""
    facts = [json.loads(line) for line in report.split("\n")[:-1]]
    return next((fact for fact in facts if "started" not in fact), {})


def _outcome(
    why: tuple[Ended, str] | None,
    returned: int,
    report: str,
    stdout: str,
    stderr: str,
    seconds: float,
    limits: Limits,
    isolation: Isolation,
) -> Outcome:
    told = _told(report)
    if "failed" in told or (not report and why is None):
        last = stderr.strip().rpartition("\n")[2]
        return _not_started(told.get("failed") or last or f"exit code {returned}", stderr, seconds, isolation)
    code = os.waitstatus_to_exitcode(told["status"]) if "status" in told else None
    exit_code, signal = (None, None) if code is None else (code, None) if code >= 0 else (None, -code)
    cpu, peak = told.get("cpu"), told.get("peak")
    if why is None and code is None:
        why = "finished", "ended, together with what watched it, by a signal that no limit of this run sent"
    ended, reason = why or by_itself(exit_code, signal, stderr, cpu, limits.cpu_seconds)
    return Outcome(ended, reason, stdout, stderr, exit_code, signal, seconds, cpu, peak, isolation.name)


def _not_started(reason: str, stderr: str, seconds: float, isolation: Isolation) -> Outcome:
    line = f"could not be started: {reason}"
    return Outcome("failed-to-start", line, "", stderr, None, None, seconds, None, None, isolation.name)
