"""Running a user's program in the sandbox, with its warnings and errors."""

from __future__ import annotations

import re
import secrets
import tempfile
import threading
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from assistant.api_usage import snippet_guest
from assistant.api_usage.deprecation import speaks_of_deprecation
from assistant.api_usage.snippet import Snippet
from assistant.sandbox.isolation import Isolation
from assistant.sandbox.outcome import Outcome, by_itself
from assistant.sandbox.reports import record, text_of, whole_of
from assistant.sandbox.run_limits import Limits
from assistant.sandbox.runner import run
from ingest.errors import SourceError

_LONGEST = 2000  # characters of a message, or of a line of code
_MOST = 200  # warnings
_FRAMES = 20
_MOST_LINES = 1 << 31
_INSIDE = re.compile(r"(?:/[^\s/]+){0,32}/torchnotes-run-\w+/program/")


@dataclass(frozen=True, slots=True)
class Warned:
    """A warning raised while a program ran.

    Attributes:
        message: message of the warning.
        category: name of its class.
        file: innermost of the user's files on the stack, "" if there was none.
        line: line in it, from 1; 0 if there was none.
        code: text of that line.
        by: file that the warning refers to if that is not the user's, as for warnings raised inside torch;
            else "".
    """

    message: str
    category: str
    file: str
    line: int
    code: str
    by: str

    @property
    def deprecation(self) -> bool:
        """Whether it is about deprecation."""
        return speaks_of_deprecation(self.category, self.message)


@dataclass(frozen=True, slots=True)
class Broke:
    """An error that ended a program.

    Attributes:
        error: class and message, as formatted by Python.
        frames: file, line and code of the user's frames, outermost first.
        outside: number of other frames below the last of these.
    """

    error: str
    frames: tuple[tuple[str, int, str], ...]
    outside: int


@dataclass(frozen=True, slots=True)
class SnippetRun:
    """The result of running a user's program.

    Attributes:
        snippet: the program.
        outcome: how it ended, with the output of the program itself.
        warnings: warnings that it did not catch, in order.
        broke: the error that ended it, None if there was none.
        stderr: its standard error without Python's traceback of that error.
    """

    snippet: Snippet
    outcome: Outcome
    warnings: tuple[Warned, ...]
    broke: Broke | None
    stderr: str

    @property
    def deprecations(self) -> tuple[Warned, ...]:
        """The warnings about deprecation."""
        return tuple(each for each in self.warnings if each.deprecation)

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON-serialisable dictionary."""
        return {
            "file": self.snippet.file,
            "outcome": asdict(self.outcome),
            "warnings": [{**asdict(each), "deprecation": each.deprecation} for each in self.warnings],
            "broke": asdict(self.broke) if self.broke else None,
        }


def run_snippet(
    snippet: Snippet,
    *,
    arguments: Sequence[str] = (),
    files: Sequence[Path] = (),
    limits: Limits = Limits(),  # noqa: B008
    isolation: Isolation | None = None,
    on_line: Callable[[str], None] | None = None,
    cancelled: threading.Event | None = None,
) -> SnippetRun:
    """Run a user's program; the caller must have asked for consent. See `runner.run` for the restrictions.

    Args:
        snippet: the program.
        arguments: its command line arguments.
        files: modules to copy next to it.
        limits: resource limits.
        isolation: sandbox backend; None: the best one available.
        on_line: called with each line of standard output as it is written; an exception ends the run.
        cancelled: ends the run when set by another thread.

    Raises:
        SourceError: a file cannot be read, or two have the same name.
        OSError: the program cannot be copied, for example because the disk is full.
    """
    mark = f"\x1e{secrets.token_hex(16)}\x1e"
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder, snippet.file)
        program.write_bytes(snippet.content)
        try:
            outcome = run(
                Path(snippet_guest.__file__),
                files=[program, *files],
                arguments=[mark, snippet.file, *arguments],
                limits=limits,
                isolation=isolation,
                on_line=on_line,
                cancelled=cancelled,
            )
        except ValueError:
            raise SourceError(
                ", ".join(map(str, files)), "two files have the same name; rename one"
            ) from None
        except OSError as error:
            if str(error.filename) not in map(str, files):  # of the folder of the run, or of `on_line`
                raise
            raise SourceError(
                str(error.filename), f"cannot be read ({error.strerror}); give a file"
            ) from None
    return _told(snippet, outcome, mark, limits)


def _told(snippet: Snippet, outcome: Outcome, mark: str, limits: Limits) -> SnippetRun:
    """Extract the reports from standard error."""
    parts = outcome.stderr.split(mark)
    own = [_INSIDE.sub("", part) for part in parts[::2]]
    warned: list[Warned] = []
    broke: Broke | None = None
    untraced = own[:1]
    tracing = False
    for part, after in zip(parts[1::2], [*own[1:], ""], strict=False):
        told = _fact(part)
        if isinstance(told, Warned):
            warned += [told] if len(warned) < _MOST else []
        elif isinstance(told, Broke):
            broke, tracing = told, True
        else:
            tracing = False
        if not tracing:
            untraced.append(after)
    outcome = replace(outcome, stderr="".join(own))
    if outcome.ended == "finished" and outcome.exit_code is not None:
        cpu = outcome.cpu_seconds
        _, reason = by_itself(outcome.exit_code, outcome.signal, outcome.stderr, cpu, limits.cpu_seconds)
        outcome = replace(outcome, reason=reason)
    return SnippetRun(snippet, outcome, tuple(warned), broke, "".join(untraced))


def _fact(text: str) -> Warned | Broke | None:
    """Parse a report; None for the end of a traceback, and for invalid reports.

    A program can find the mark and forge reports, but only about itself and in this form.
    """
    try:
        fact = record(text) or {}
        if "warning" in fact:
            category, file, by = (text_of(fact[key]) for key in ("category", "file", "by"))
            message, code = text_of(fact["warning"], _LONGEST, lines=True), text_of(fact["code"], _LONGEST)
            return Warned(message, category, file, _count(fact["line"]), code, by)
        if "error" in fact:
            frames = tuple(
                (text_of(file), _count(line), text_of(code, _LONGEST))
                for file, line, code in fact["frames"][:_FRAMES]
            )
            return Broke(text_of(fact["error"], _LONGEST, lines=True), frames, _count(fact["outside"]))
    except (KeyError, TypeError, ValueError):
        return None
    return None


def _count(value: object) -> int:
    return whole_of(value, 0, _MOST_LINES)
