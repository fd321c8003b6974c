"""Reading of source files: text, code, and places in it."""

from __future__ import annotations

import ast
import io
import tokenize
from array import array
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from assistant.upgrade.finding import Place
from assistant.upgrade.notebooks import cells_of
from assistant.upgrade.source_files import MAX_SIZE, SourceFile
from assistant.upgrade.uses import Code, parsed, read_code

_CODE = 200  # characters of a line that are shown


@dataclass(frozen=True, slots=True)
class Part:
    """Python code of a file; that of a notebook are its code cells, one below the other.

    Attributes:
        file: the file.
        source: the code.
        code: its uses, None if it was not read.
        lines: line of the file for each line of the code; empty if they are the same.
        cells: number of the cell for each line of the code; empty in a Python file.
        commands: shell commands in it, as (line of the code, text).
        shown: the code as written, before magics were taken out.
    """

    file: SourceFile
    source: str
    code: Code | None
    lines: tuple[int, ...] = ()
    cells: tuple[int, ...] = ()
    commands: tuple[tuple[int, str], ...] = ()
    shown: str = ""

    def place(self, node: ast.AST) -> Place:
        """Return the place of a node; of a definition, that of its first line.

        Args:
            node: a node with a position.
        """
        rows = rows_of(self.shown or self.source)
        line, start = getattr(node, "lineno", 1), getattr(node, "col_offset", 0)
        end_line, end = (
            getattr(node, "end_lineno", line) or line,
            getattr(node, "end_col_offset", start) or start,
        )
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            end_line, end = line, len(rows[line - 1].encode()) if line <= len(rows) else start
        row = rows[line - 1] if line <= len(rows) else ""
        last = rows[end_line - 1] if end_line <= len(rows) else ""
        return Place(
            self.file.name,
            self.line_of(line),
            _characters(row, start) + 1,
            self.line_of(end_line),
            _characters(last, end) + 1,
            self.cell_of(line),
            shown_row(row),
        )

    def line_of(self, line: int) -> int:
        """Return the line of the file for a line of the code.

        Args:
            line: from 1.
        """
        return self.lines[min(line, len(self.lines)) - 1] if self.lines else line

    def cell_of(self, line: int) -> int:
        """Return the number of the cell for a line of the code, 0 in a Python file.

        Args:
            line: from 1.
        """
        return self.cells[min(line, len(self.cells)) - 1] if self.cells else 0


def text_of(file: SourceFile) -> str:
    """Return the text of a file, in the encoding that it declares.

    Args:
        file: the file.

    Raises:
        OSError: it cannot be read.
        SyntaxError: its encoding is unknown, or not one of text, such as "zip".
        UnicodeDecodeError: it is not in its encoding.
    """
    data = file.path.read_bytes() if file.data is None else file.data
    if file.kind == "python":
        encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
        try:
            text = data.decode(encoding)
        except LookupError:
            raise SyntaxError(f"{encoding} is no encoding of text") from None
        return text.replace("\r\n", "\n").replace("\r", "\n")
    return data.decode("utf-8", "replace").replace("\r\n", "\n")


def parts_of(file: SourceFile, text: str) -> Iterator[Part | str]:
    """Yield the Python code of a file; for a cell that cannot be read, the reason.

    Args:
        file: a Python file or a notebook.
        text: its text.

    Raises:
        SyntaxError, ValueError, RecursionError, MemoryError: it cannot be parsed.
    """
    if file.kind == "python":
        yield Part(file, text, read_code(text) if mentions_torch(text) else None)
        return
    code: list[str] = []
    shown: list[str] = []
    lines: list[int] = []
    cells: list[int] = []
    commands: list[tuple[int, str]] = []
    size = 0
    for cell in cells_of(text):
        size += len(cell.code)
        if size > MAX_SIZE:
            raise ValueError(f"its code is larger than {MAX_SIZE // 1_000_000} MB")
        try:
            parsed(cell.code)
            written = cell.code.split("\n")
        except SyntaxError as error:
            yield f"cell {cell.number}: {reason(error)}"
            written = [""] * (cell.code.count("\n") + 1)
        commands += ((len(code) + line, command) for line, command in cell.commands)
        code += written
        shown += cell.source.split("\n")
        lines += cell.lines
        cells += [cell.number] * len(written)
    source = "\n".join(code)
    read = read_code(source) if mentions_torch(source) else None
    yield Part(file, source, read, tuple(lines), tuple(cells), tuple(commands), "\n".join(shown))


def mentions_torch(text: str) -> bool:
    """Return whether a file can use torch: without its name nothing in it can be resolved.

    Args:
        text: the file.
    """
    return "torch" in text or "caffe2" in text


def reason(error: BaseException) -> str:
    """Return why a file cannot be read, as one line.

    Args:
        error: error of `text_of` or `parts_of`.
    """
    if isinstance(error, SyntaxError):
        return f"not valid Python for this Python ({error.msg}, line {error.lineno or 1})"
    if isinstance(error, (RecursionError, MemoryError)):
        return "nested too deeply to be parsed"
    if isinstance(error, UnicodeDecodeError):
        return f"not text in its encoding, {error.encoding}"
    if isinstance(error, OSError):
        return error.strerror or "cannot be read"
    return f"cannot be read ({str(error)[:_CODE]})"


@lru_cache(maxsize=4)  # a file may hold as many findings as lines
def rows_of(text: str) -> list[str]:
    """Return the lines of a text; not to be changed.

    Args:
        text: the text.
    """
    return text.split("\n")


@lru_cache(maxsize=4)  # a line may hold as many findings as words
def shown_row(row: str) -> str:
    """Return what is shown of a line.

    Args:
        row: the line.
    """
    return row.strip()[:_CODE]


def _characters(row: str, offset: int) -> int:
    """Convert an offset in UTF-8 bytes to characters."""
    if row.isascii():
        return offset
    places = _places(row)
    return places[offset] if offset < len(places) else len(row)


@lru_cache(maxsize=4)
def _places(row: str) -> array[int]:
    """Return the number of the character that each byte of a line belongs to."""
    places = array("L")
    for number, character in enumerate(row):
        places.extend([number] * len(character.encode()))
    return places
