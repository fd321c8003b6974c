"""User programs, read from a file or from standard input."""

from __future__ import annotations

from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from tokenize import detect_encoding

from assistant.api_usage.names import ApiName, names_in
from assistant.sandbox.run_limits import KB
from ingest.errors import SourceError

LARGEST = 256 * KB  # maximum size of a program in bytes
STDIN = "snippet.py"  # file name of a program from standard input


@dataclass(frozen=True, slots=True)
class Snippet:
    """A user program.

    Attributes:
        file: file name without folders.
        code: source code.
        content: source code as bytes, in the encoding that it declares.
        names: names of torch in it.
    """

    file: str
    code: str
    content: bytes
    names: tuple[ApiName, ...]


def read_snippet(path: Path) -> Snippet:
    """Read a program from a file.

    Args:
        path: path of the file.

    Raises:
        SourceError: the file is missing, a folder, too large, or not Python; the message is one line.
    """
    name = str(path)
    try:
        if path.is_dir():
            raise SourceError(name, "this is a folder; give one Python file, such as torchnotes run train.py")
        with path.open("rb") as file:
            content = file.read(LARGEST + 1)
    except OSError as error:
        raise SourceError(
            name, f"cannot be read ({error.strerror}); give a Python file, or - for standard input"
        ) from None
    if path.suffix == ".ipynb":
        raise SourceError(name, "this is a notebook; save its code as a .py file, and give that")
    return snippet_of(content, path.name, name)


def snippet_of(content: bytes, file: str = STDIN, source: str = "standard input") -> Snippet:
    """Create a program from bytes.

    Args:
        content: source code.
        file: file name to run it under.
        source: name of the source in errors.

    Raises:
        SourceError: the content is too large, empty, or not Python.
    """
    if len(content) > LARGEST:
        raise SourceError(source, f"this is larger than {LARGEST // KB} KB, the most that a program may be")
    try:
        encoding, _ = detect_encoding(BytesIO(content).readline)
        code = content.decode(encoding)
    except (UnicodeDecodeError, SyntaxError):
        code = "\0"
    if "\0" in code:
        raise SourceError(
            source, "this is no text in UTF-8, nor in an encoding that it names; give a Python file"
        )
    if not code.strip():
        raise SourceError(source, "this is empty; give a Python file with code in it")
    try:
        names = names_in(content)
    except SyntaxError as error:
        where = f"line {error.lineno}: " if error.lineno else ""
        raise SourceError(
            source, f"this is no Python ({where}{error.msg}); mend it, or give another file"
        ) from None
    except (ValueError, RecursionError, MemoryError):
        raise SourceError(source, "its code is nested too deeply to be read; give another file") from None
    return Snippet(file, code, content, names)
