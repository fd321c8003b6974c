"""Fixes of a code base: the mechanical ones of a report, as a patch or written to the files."""

from __future__ import annotations

import ast
import io
import os
import re
import stat
import tempfile
import tokenize
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from assistant.upgrade.edits import Edit, Positions, applied, patch
from assistant.upgrade.finding import Finding, UpgradeReport
from assistant.upgrade.fixers import MOVED, Target, fixer_of
from assistant.upgrade.reading import Part, text_of
from assistant.upgrade.source_files import SourceFile
from assistant.upgrade.uses import Use, parsed, read_code
from ingest.errors import TorchnotesError

_FROM = re.compile(r"from\s+(?P<module>[\w.]+)\s+import\b")


@dataclass(frozen=True, slots=True)
class Fix:
    """The fixes of one file.

    Attributes:
        path: the file.
        name: its name in the patch.
        before, after: its text; line ends are those of Unix.
        fixed: findings that are fixed.
    """

    path: Path
    name: str
    before: str
    after: str
    fixed: tuple[Finding, ...]

    @property
    def patch(self) -> str:
        """The changes as a patch."""
        return patch(self.name, self.before, self.after)


def fixes_of(report: UpgradeReport) -> list[Fix]:
    """Return the fixes of a report, one for each Python file that has any. Notebooks are left alone.

    Args:
        report: the report; its files must not have changed since.
    """
    root = Path(report.path)
    root = root.parent if report.searched.listing == "file" else root
    found: dict[str, list[Finding]] = defaultdict(list)
    for each in report.findings:
        if each.certainty != "name" and not each.place.cell and each.place.file.endswith((".py", ".pyi")):
            found[each.place.file].append(each)
    fixes = (_fix(root / file, str(report.prefix / file), findings) for file, findings in found.items())
    return [fix for fix in fixes if fix]


def write_fixes(fixes: Sequence[Fix]) -> None:
    """Write fixes to their files, each at once, with its encoding, line ends and permissions.

    Args:
        fixes: the fixes.

    Raises:
        TorchnotesError: a file has changed, or cannot be written; those before it are fixed.
    """
    for fix in fixes:
        file = SourceFile(fix.path, fix.name, "python")
        if not _is_plain(fix.path) or text_of(file) != fix.before:
            raise TorchnotesError(f"{fix.name} has changed meanwhile; type the command again")
        data = fix.path.read_bytes()
        encoding = _encoding(data)
        text = fix.after.replace("\n", "\r\n") if b"\r\n" in data else fix.after
        try:
            _replace(fix.path, text.encode(encoding))
        except OSError as error:
            raise TorchnotesError(
                f"{fix.name}: {error.strerror or 'cannot be written'}; nothing of it was changed"
            ) from None


def _fix(path: Path, name: str, findings: list[Finding]) -> Fix | None:
    file = SourceFile(path, name, "python")
    if not _is_plain(path):
        return None  # the name of a file that is not in UTF-8 is told otherwise, and may be that of a link
    data = path.read_bytes()
    lone = data.replace(b"\r\n", b"")
    if b"\r" in lone or (b"\r\n" in data and b"\n" in lone):
        return None  # line ends of several kinds could not be kept
    text = text_of(file)
    code = read_code(text)
    part, positions = Part(file, text, code), Positions(text)
    wanted = {(each.place.line, each.place.column, each.symbol): each for each in findings}
    edits: dict[Finding, list[Edit]] = {}
    for use in code.uses:
        place = part.place(use.node)
        for symbol in {each.symbol for each in findings if each.place.line == place.line}:
            finding = wanted.get((place.line, place.column, symbol))
            fixer = fixer_of(symbol)
            by_import = symbol in MOVED and isinstance(use.node, ast.Name)  # see `_moved_imports`
            if (
                finding
                and fixer
                and not by_import
                and not use.versioned
                and (made := fixer(Target(use, symbol, positions)))
            ):
                edits[finding] = made
    edits |= _moved_imports(text, code.uses, wanted, part, positions)
    after = applied(text, [edit for each in edits.values() for edit in each])
    if after == text or not _is_valid(after):
        return None
    return Fix(path, name, text, after, tuple(edits))


def _moved_imports(
    text: str,
    uses: Sequence[Use],
    wanted: dict[tuple[int, int, str], Finding],
    part: Part,
    positions: Positions,
) -> dict[Finding, list[Edit]]:
    """Return the edits for classes of `MOVED` that are imported by name: the import and all calls at once."""
    edits: dict[Finding, list[Edit]] = {}
    for node in ast.walk(parsed(text)):
        if not isinstance(node, ast.ImportFrom) or node.level or not node.module:
            continue
        names = [f"{node.module}.{alias.name}" for alias in node.names]
        if not set(names) <= MOVED.keys():
            continue
        calls = [use for use in uses if use.names[0] in names and not use.imported]
        made: dict[Finding, list[Edit]] = {}
        start = positions.offset(node.lineno, node.col_offset)
        match = _FROM.match(text, start)
        module = MOVED[names[0]][0].rpartition(".")[0]
        for use in [use for use in uses if use.names[0] in names]:
            place = part.place(use.node)
            finding = wanted.get((place.line, place.column, use.names[0]))
            fixer = fixer_of(use.names[0])
            if finding is None or fixer is None or match is None or use.guarded:
                break
            if use.imported:
                made[finding] = [Edit(match.start("module"), match.end("module"), module)]
            elif isinstance(use.node, ast.Name) and (call := fixer(Target(use, use.names[0], positions))):
                made[finding] = call
            elif isinstance(use.node, ast.Name):
                break
        else:
            edits |= made if calls or made else {}
    return edits


def _is_plain(path: Path) -> bool:
    try:
        return stat.S_ISREG(path.lstat().st_mode)
    except OSError:
        return False


def _is_valid(text: str) -> bool:
    try:
        parsed(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def _encoding(data: bytes) -> str:
    return tokenize.detect_encoding(io.BytesIO(data).readline)[0]


def _replace(path: Path, data: bytes) -> None:
    """Replace a file at once: a process that is killed leaves the old one or the new one."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        os.chmod(name, path.stat().st_mode & 0o7777)
        os.replace(name, path)
    except OSError:
        os.unlink(name)
        raise
