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
from assistant.upgrade.fixers import MOVED, MOVED_TO, Target, fixer_of
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
        if each.certainty != "name" and not each.place.cell and each.place.file.endswith(".py"):
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
    if not _is_kept(text, data):
        return None
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
    """Return the edits for names of `MOVED` that are imported: all imports and uses of a name at once."""
    made: dict[str, dict[Finding, list[Edit]]] = {name: {} for name in MOVED}
    kept: set[str] = set()  # names of which something cannot be fixed
    for use in uses:
        name = use.names[0]
        if name not in MOVED or not (use.imported or isinstance(use.node, ast.Name)):
            continue
        place = part.place(use.node)
        finding = wanted.get((place.line, place.column, name))
        edits = [] if use.imported else MOVED[name](Target(use, name, positions))
        if finding is None or use.guarded or not (edits or use.imported):
            kept.add(name)
        elif edits:
            made[name][finding] = edits
    imports: list[tuple[set[str], list[tuple[str, Finding]], Edit]] = []
    for node in ast.walk(parsed(text)):
        if not isinstance(node, ast.ImportFrom) or node.level or not node.module:
            continue
        names = {f"{node.module}.{alias.name}" for alias in node.names}
        match = _FROM.match(text, positions.offset(node.lineno, node.col_offset))
        if not names <= MOVED.keys() or match is None:
            kept |= names
            continue
        places = [(f"{node.module}.{alias.name}", part.place(alias)) for alias in node.names]
        found = [(name, wanted.get((place.line, place.column, name))) for name, place in places]
        told = [(name, finding) for name, finding in found if finding]
        imports.append((names, told, Edit(match.start("module"), match.end("module"), MOVED_TO)))
    while more := {name for names, _, _ in imports if names & kept for name in names} - kept:
        kept |= more
    fixed: dict[Finding, list[Edit]] = {}
    for names, told, edit in imports:
        if not names & kept:
            fixed |= {finding: [edit] for _, finding in told}
            fixed |= {finding: edits for name in names for finding, edits in made[name].items()}
    return fixed


def _is_plain(path: Path) -> bool:
    try:
        return stat.S_ISREG(path.lstat().st_mode)
    except OSError:
        return False


def _is_kept(text: str, data: bytes) -> bool:
    """Return whether a text is written as it was read; escapes and UTF-7 have several forms of one text."""
    try:
        return text.encode(_encoding(data)) == data.replace(b"\r\n", b"\n")
    except UnicodeEncodeError:
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
