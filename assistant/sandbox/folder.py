"""The temporary folder of one run: made before, removed afterwards whatever lies in it."""

from __future__ import annotations

import errno
import logging
import os
import shutil
import stat
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from assistant.sandbox import guard

_log = logging.getLogger(__name__)
IN_WORK = ("tmp", "cache", "config", "data", "inductor", "triton")
_TAKEN = {errno.EEXIST, errno.ENOTEMPTY, errno.ENOTDIR}  # the name is of something else


@dataclass(frozen=True)
class Folder:
    """Paths of one run, the same inside of its isolation and outside.

    Attributes:
        base: holds the others; only its owner may look into it.
        program: a copy of the program, with its files beside it.
        work: where the program may write: its working folder and its home. In a namespace its files are in
            memory instead, and this folder stays empty.
        root: an empty folder, for a root to be put together in.
        guard: a copy of `guard.py`.
    """

    base: Path
    program: Path
    work: Path
    root: Path
    guard: Path

    def environment(self) -> dict[str, str]:
        """The variables that name folders."""
        work = self.work
        return {
            "HOME": str(work),
            "TMPDIR": str(work / "tmp"),
            "XDG_CACHE_HOME": str(work / "cache"),
            "XDG_CONFIG_HOME": str(work / "config"),
            "XDG_DATA_HOME": str(work / "data"),
            "TORCHINDUCTOR_CACHE_DIR": str(work / "inductor"),
            "TRITON_CACHE_DIR": str(work / "triton"),
        }

    def size(self, most_files: int) -> tuple[int, int]:
        """Bytes and number of what was written to disk; counting stops beyond `most_files`."""
        written = files = 0
        waiting = [self.work]
        while waiting and files <= most_files:
            with suppress(OSError), os.scandir(waiting.pop()) as entries:
                for entry in entries:
                    files += 1
                    if files > most_files:
                        break
                    if entry.is_dir(follow_symlinks=False):
                        waiting.append(Path(entry.path))
                    else:
                        written += entry.stat(follow_symlinks=False).st_blocks * 512
        return written, files


@contextmanager
def run_folder(program: Path, files: Sequence[Path] = ()) -> Iterator[Folder]:
    """A fresh folder with copies of the program and its files; removed on leaving.

    Raises:
        OSError: where one of them cannot be read.
        ValueError: where two have the same name.
    """
    sources = (program, *files)
    if len({path.name for path in sources}) < len(sources):
        raise ValueError(f"two of {', '.join(map(str, sources))} have the same name")
    base = Path(tempfile.mkdtemp(prefix="torchnotes-run-")).resolve()
    try:
        folder = Folder(base, *(base / name for name in ("program", "work", "root", "guard.py")))
        for made in (folder.program, folder.work, folder.root):
            made.mkdir()
        for source in sources:
            shutil.copyfile(source, folder.program / source.name)
        shutil.copyfile(guard.__file__, folder.guard)
        yield folder
    finally:
        try:
            remove(base)
        except OSError as error:
            _log.warning("%s could not be removed: %s", base, error)


def remove(folder: Path) -> None:
    """Delete a folder, however deep, whatever its modes; symbolic links are deleted, never followed.

    Folders inside are first moved up to the top, so that no path grows long and no call nests. Nothing else
    may be writing to it.
    """
    numbers = count()
    top = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        while names := os.listdir(top):
            for name in names:
                _remove(name, top, numbers)
    finally:
        os.close(top)
    folder.rmdir()


def _remove(name: str, top: int, numbers: Iterator[int]) -> None:
    """Delete an entry of the folder `top`; of a folder, what it holds is deleted or moved to `top`."""
    if not _is_folder(name, top):
        os.unlink(name, dir_fd=top)
        return
    os.chmod(name, stat.S_IRWXU, dir_fd=top)
    inside = os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=top)
    try:
        for entry in os.listdir(inside):
            if not _is_folder(entry, inside):
                os.unlink(entry, dir_fd=inside)
                continue
            os.chmod(entry, stat.S_IRWXU, dir_fd=inside)  # a folder is moved only by who may write to it
            _move(entry, inside, top, numbers)
    finally:
        os.close(inside)
    os.rmdir(name, dir_fd=top)


def _move(entry: str, inside: int, top: int, numbers: Iterator[int]) -> None:
    while True:
        try:
            os.rename(entry, f".removed-{next(numbers)}", src_dir_fd=inside, dst_dir_fd=top)
        except OSError as error:
            if error.errno not in _TAKEN:
                raise
        else:
            return


def _is_folder(name: str, parent: int) -> bool:
    return stat.S_ISDIR(os.stat(name, dir_fd=parent, follow_symlinks=False).st_mode)
