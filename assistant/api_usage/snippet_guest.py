"""A script that runs a user's file and reports its warnings, started by `run`.

Run as `snippet_guest.py MARK FILE ARGUMENT...`, with FILE next to it. The file runs as with `python FILE
ARGUMENT...`: as `__main__`, with its own `sys.argv`, exit code and traceback. Reports are written to standard
error between two MARKs, a secret string, as JSON objects:

    {"warning": message, "category": name, "file": name, "line": n, "code": text, "by": file}
    {"error": "TypeError: ...", "frames": [[file, line, code], ...], "outside": n}
    {"traced": true}        end of Python's own traceback of that error, if any

`file` is "" if none of the user's files is on the stack. `by` is the file that the warning itself refers to,
if that is not the user's. `outside` is the number of other frames below the user's last one.
"""

from __future__ import annotations

import contextlib
import json
import linecache
import os
import sys
import traceback
import types
import warnings
from pathlib import Path
from typing import Any, TextIO

_LONGEST = 1500  # characters of a message
_MOST = 100  # maximum number of warnings reported
_FRAMES = 10
_HIDDEN = (DeprecationWarning, PendingDeprecationWarning)  # by default shown for `__main__` only


class ReportWriter:
    """Writes reports to a duplicate of standard error, which the program cannot close or redirect.

    Args:
        mark: string around each report.
        folder: folder of the user's files.
    """

    def __init__(self, mark: str, folder: str) -> None:
        self.folder = folder
        self._mark = mark.encode()
        self._to = os.dup(2)
        self._seen: set[tuple[str, str, str, int]] = set()

    def tell(self, **facts: Any) -> None:
        """Write a report.

        Args:
            **facts: content of the JSON object.
        """
        with contextlib.suppress(OSError):  # the reader has gone
            os.write(self._to, self._mark + json.dumps(facts).encode() + self._mark)

    def warned(
        self,
        message: Warning | str,
        category: type[Warning],
        filename: str,
        lineno: int,
        file: TextIO | None = None,
        line: str | None = None,
    ) -> None:
        """Report a warning; replaces `warnings.showwarning`.

        Args:
            message: the warning.
            category: its class.
            filename: file that it refers to.
            lineno: line that it refers to; unused.
            file: unused.
            line: unused.
        """
        said = str(message)[:_LONGEST]
        name, number = self._own_line()
        key = (said, category.__name__, name, number)
        if key not in self._seen and len(self._seen) < _MOST:
            code = (
                linecache.getline(os.path.join(self.folder, name), number).strip()[:_LONGEST] if name else ""
            )
            by = "" if self._is_own(filename) else _short(filename)
            self.tell(warning=said, category=category.__name__, file=name, line=number, code=code, by=by)
            self._seen.add(key)

    def broke(self, error: BaseException) -> None:
        """Report an uncaught exception.

        Args:
            error: the exception.
        """
        told = "".join(traceback.TracebackException.from_exception(error).format_exception_only()).strip()
        every = traceback.extract_tb(error.__traceback__)
        own = [number for number, frame in enumerate(every) if self._is_own(frame.filename)]
        lines = [every[number] for number in own]
        frames = [[os.path.basename(f.filename), f.lineno, (f.line or "")[:_LONGEST]] for f in lines]
        outside = len(every) - 1 - own[-1] if own else len(every)
        self.tell(error=told[-_LONGEST:], frames=frames[-_FRAMES:], outside=outside)

    def _own_line(self) -> tuple[str, int]:
        """Return file and line of the innermost frame in the user's files."""
        frame: types.FrameType | None = sys._getframe()
        while frame is not None:
            if self._is_own(frame.f_code.co_filename):
                return os.path.basename(frame.f_code.co_filename), frame.f_lineno
            frame = frame.f_back
        return "", 0

    def _is_own(self, filename: str) -> bool:
        return os.path.dirname(filename) == self.folder and filename != __file__


def _short(filename: str) -> str:
    """Return the path of a file relative to its entry in `sys.path`."""
    inside = [place for place in sys.path if place and filename.startswith(place + os.sep)]
    return os.path.relpath(filename, max(inside, key=len)) if inside else os.path.basename(filename)


def main() -> None:
    """Run the file."""
    _, mark, file, *arguments = sys.argv
    path = Path(__file__).with_name(file)
    teller = ReportWriter(mark, str(path.parent))
    code = compile(path.read_bytes(), str(path), "exec", dont_inherit=True)
    module = types.ModuleType("__main__")
    module.__file__ = str(path)
    module.__dict__["__builtins__"] = __builtins__
    sys.modules["__main__"] = module
    sys.argv = [str(path), *arguments]
    warnings.showwarning = teller.warned
    for category in _HIDDEN:
        warnings.simplefilter("default", category)
    try:
        exec(code, module.__dict__)  # noqa: S102  # the purpose of this script
    except SystemExit:
        raise
    except BaseException as error:  # noqa: BLE001  # reported as Python would
        if error.__traceback__:
            error.__traceback__ = error.__traceback__.tb_next  # without this frame
        teller.broke(error)
        if sys.excepthook is not sys.__excepthook__:  # output of the program's own hook is kept
            teller.tell(traced=True)
        sys.excepthook(type(error), error, error.__traceback__)
        teller.tell(traced=True)
        sys.exit(130 if isinstance(error, KeyboardInterrupt) else 1)


if __name__ == "__main__":
    main()
