"""The temporary folder of a run, removed afterwards whatever it contains."""

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
_TAKEN = {errno.EEXIST, errno.ENOTEMPTY, errno.ENOTDIR}  # the name is in use


@dataclass(frozen=True)
class Folder:
    """Paths of a run, the same inside and outside the isolation.

    Attributes:
        base: folder of the others, accessible only to its owner.
        program: contains copies of the program and its files.
        work: working directory and home of the program. With namespaces its files are in memory, and this
            folder stays empty.
        root: empty folder to mount the program's root file system on.
        guard: copy of `guard.py`.
    """

    base: Path
    program: Path
    work: Path
    root: Path
    guard: Path

    def environment(self) -> dict[str, str]:
        """Return the environment variables that name folders."""
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
        """Return the bytes on disk, and the number of files and folders, in `work`.

        Args:
            most_files: stop counting beyond this number.
        """
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
    """Create a temporary folder with copies of a program and its files; removed on exit.

    Args:
        program: the script.
        files: additional files.

    Raises:
        OSError: a file cannot be read or written.
        ValueError: two files have the same name.
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
    """Remove a folder of any depth and permissions; symbolic links are not followed.

    Nested folders are first moved to the top, so that paths stay short and no recursion is needed. No other
    process may write to the folder.

    Args:
        folder: folder to remove.

    Raises:
        OSError: something cannot be removed.
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
    """Remove an entry of the folder `top`; the subfolders of a folder are moved to `top`."""
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
            os.chmod(entry, stat.S_IRWXU, dir_fd=inside)  # moving a folder requires write permission
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
