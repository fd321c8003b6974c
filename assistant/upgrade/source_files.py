"""Selection of the files of a code base: which are searched, and why others are not."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Literal

from assistant.upgrade.finding import Skipped
from assistant.upgrade.gitignore import GitIgnore, repository_of
from ingest.errors import SourceError

FileKind = Literal["python", "notebook", "requirements", "docker", "shell", "build", "cpp"]

MAX_FILES = 50_000
MAX_DEPTH = 40  # folders below the one that is searched
#: Bytes. Notebooks hold their pictures.
MAX_SIZES: dict[FileKind, int] = {"notebook": 30_000_000}
MAX_SIZE = 3_000_000
_LEFT_OUT = {"node_modules", "__pycache__", "site-packages", "build", "dist", "venv", "env"}
_NAMES: tuple[tuple[re.Pattern[str], FileKind], ...] = (
    (re.compile(r".*\.py$"), "python"),
    (re.compile(r".*\.ipynb$"), "notebook"),
    (re.compile(r".*requirements[^/]*\.(?:txt|in)$|.*constraints[^/]*\.txt$"), "requirements"),
    (
        re.compile(
            r"pyproject\.toml|setup\.cfg|(?:poetry|uv|pdm)\.lock|Pipfile(?:\.lock)?|environment.*\.ya?ml"
        ),
        "requirements",
    ),
    (re.compile(r"(?:.*\.)?(?:Docker|Container)file(?:\..*)?$"), "docker"),
    (re.compile(r".*\.(?:sh|bash|ya?ml)$|tox\.ini|Makefile"), "shell"),
    (re.compile(r"CMakeLists\.txt|.*\.cmake$"), "build"),
    (re.compile(r".*\.(?:c|cc|cpp|cxx|cu|cuh|h|hh|hpp|mm)$"), "cpp"),
)


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file to search.

    Attributes:
        path: where it is.
        name: path relative to the folder that is searched, with forward slashes.
        kind: kind of the file.
        data: its bytes, None if they are to be read from `path`.
    """

    path: Path
    name: str
    kind: FileKind
    data: bytes | None = None


@dataclass(frozen=True, slots=True)
class Listing:
    """The files of a code base.

    Attributes:
        how: see `Searched.listing`.
        files: files to search, by name.
        skipped: those that are not searched; files of other kinds are not mentioned.
    """

    how: str
    files: tuple[SourceFile, ...]
    skipped: tuple[Skipped, ...]


def list_files(path: Path) -> Listing:
    """Select the files of a code base.

    Links are not followed: they lead to files that are listed by themselves, or out of the folder.

    Args:
        path: folder or file.

    Raises:
        SourceError: there is no such file, or it is of no kind that is searched.
    """
    if path.is_file():
        kind = kind_of(path.name)
        if kind is None:
            reason = (
                "neither Python, a notebook, nor a file that builds or installs; give a .py file or a folder"
            )
            raise SourceError(str(path), reason)
        files, skipped = _usable([path], path.parent)
        return Listing("file", files, skipped)
    if not path.is_dir():
        raise SourceError(str(path), "no such file or folder; give the root of your code, such as .")
    path = path.resolve()
    top = repository_of(path)
    skipped_folders: list[Skipped] = []
    ignore = GitIgnore(path, top or path, skipped_folders)
    files, skipped = _usable(_walk(path, skipped_folders, ignore, git=top is not None), path)
    return Listing("git" if top else "folders", files, (*skipped_folders, *skipped))


def kind_of(name: str) -> FileKind | None:
    """Return the kind of a file, None if it is not searched.

    Args:
        name: its name without folders.
    """
    return next((kind for pattern, kind in _NAMES if pattern.fullmatch(name)), None)


def list_given(files: Mapping[str, bytes]) -> Listing:
    """Select those of the files that somebody sends; they are on no disk.

    Args:
        files: bytes by relative path, with forward slashes.
    """
    found: list[SourceFile] = []
    skipped: list[Skipped] = []
    for name in sorted(files):
        *folders, last = PurePosixPath(name).parts
        kind = kind_of(last)
        if kind is None or any(map(is_left_out, folders)):
            continue
        largest = MAX_SIZES.get(kind, MAX_SIZE)
        if len(folders) > MAX_DEPTH:
            skipped.append(Skipped(name, f"more than {MAX_DEPTH} folders deep"))
        elif len(files[name]) > largest:
            skipped.append(Skipped(name, f"larger than {largest // 1_000_000} MB"))
        else:
            found.append(SourceFile(Path(name), name, kind, files[name]))
    return Listing("file" if len(files) == 1 else "folders", tuple(found), tuple(skipped))


def is_left_out(folder: str) -> bool:
    """Return whether what is in a folder of some name is not searched.

    Args:
        folder: the name.
    """
    return folder.startswith(".") or folder in _LEFT_OUT or folder.endswith(".egg-info")


def _usable(
    found: Iterator[Path] | list[Path], root: Path
) -> tuple[tuple[SourceFile, ...], tuple[Skipped, ...]]:
    files: list[SourceFile] = []
    skipped: list[Skipped] = []
    for path in found:
        kind = kind_of(path.name)
        if kind is None:
            continue
        name = os.fsencode(path.relative_to(root).as_posix()).decode("utf-8", "backslashreplace")
        if len(files) == MAX_FILES:
            skipped.append(
                Skipped(name, f"this and later files: more than {MAX_FILES:,}; give a folder inside")
            )
            break
        if reason := _unfit(path, kind, name):
            skipped.append(Skipped(name, reason))
        else:
            files.append(SourceFile(path, name, kind))
    return tuple(files), tuple(skipped)


def _unfit(path: Path, kind: FileKind, name: str) -> str:
    """Return why a file is not read, "" if it is."""
    try:
        status = path.lstat()
    except OSError as error:
        return error.strerror or "cannot be read"
    if stat.S_ISLNK(status.st_mode):
        return "a symbolic link"
    if not stat.S_ISREG(status.st_mode):
        return "not a regular file"
    if name.count("/") > MAX_DEPTH:
        return f"more than {MAX_DEPTH} folders deep"
    largest = MAX_SIZES.get(kind, MAX_SIZE)
    return f"larger than {largest // 1_000_000} MB" if status.st_size > largest else ""


def _walk(root: Path, skipped: list[Skipped], ignore: GitIgnore, *, git: bool) -> Iterator[Path]:
    """Yield the files below a folder that may be searched.

    In a repository nested ones are left out as well, elsewhere hidden folders and the like.
    """
    for folder, folders, names in os.walk(
        root, onerror=lambda error: skipped.append(_unreadable(error, root))
    ):
        here = Path(folder)
        ignore.enter(here)
        folders[:] = sorted(each for each in folders if _is_entered(here / each, ignore, git=git))
        if len(here.relative_to(root).parts) >= MAX_DEPTH and folders:
            skipped.append(Skipped(here.relative_to(root).as_posix(), f"more than {MAX_DEPTH} folders deep"))
            folders[:] = []
        paths = [here / name for name in sorted(names) if kind_of(name)]
        yield from (path for path in paths if not ignore.leaves_out(path, folder=False))


def _is_entered(folder: Path, ignore: GitIgnore, *, git: bool) -> bool:
    """Return whether what is in a folder is searched."""
    if (folder / "pyvenv.cfg").exists():
        return False
    foreign = folder.name == ".git" or (folder / ".git").exists() if git else is_left_out(folder.name)
    return not foreign and not ignore.leaves_out(folder, folder=True)


def _unreadable(error: OSError, root: Path) -> Skipped:
    path = Path(error.filename or root)
    name = path.relative_to(root).as_posix() if path.is_relative_to(root) else str(path)
    return Skipped(name, error.strerror or "cannot be read")
