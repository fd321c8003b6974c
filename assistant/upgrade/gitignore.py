"""What the .gitignore files of a folder leave out. Git is not started: the folder may be hostile."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from assistant.upgrade.finding import Skipped
from assistant.upgrade.ignore_patterns import MatchingCost, Patterns, patterns_in

_NAME = ".gitignore"
_MAX_SIZE = 200_000  # bytes of a file of patterns


class GitIgnore:
    """The .gitignore files that concern a folder, those of the folders above it in its repository as well.

    Args:
        root: the folder.
        top: root of its repository.
        skipped: what lines are added to on patterns that are not respected.
    """

    def __init__(self, root: Path, top: Path, skipped: list[Skipped]) -> None:
        self._root = root
        self._skipped = skipped
        self._work = MatchingCost()
        self._told = False
        self._chains: dict[Path, tuple[tuple[Path, Patterns], ...]] = {}
        chain: tuple[tuple[Path, Patterns], ...] = ()
        for folder in reversed([each for each in root.parents if each.is_relative_to(top)]):
            chain = (*chain, *self._read(folder))
        self._above = chain

    def enter(self, folder: Path) -> None:
        """Read the patterns of a folder, whose parent was entered before.

        Args:
            folder: the root or a folder below it.
        """
        chain = self._chains.get(folder.parent, self._above)
        self._chains[folder] = (*chain, *self._read(folder))

    def leaves_out(self, path: Path, *, folder: bool) -> bool:
        """Return whether the patterns leave out a path.

        Args:
            path: path in a folder that was entered.
            folder: whether it is a folder.
        """
        for base, patterns in reversed(self._chains[path.parent]):
            verdict = patterns.verdict(path.relative_to(base).as_posix(), folder, self._work)
            if self._work.used_up and not self._told:
                self._told = True
                where = path.parent.relative_to(self._root).as_posix()
                self._skipped.append(
                    Skipped(
                        _NAME,
                        f"its patterns take too long; those with wildcards leave nothing out from {where} on",
                    )
                )
            if verdict is not None:
                return verdict
        return False

    def _read(self, folder: Path) -> list[tuple[Path, Patterns]]:
        """Read the file of a folder; one that cannot be read costs a line."""
        path = folder / _NAME
        try:
            status = path.lstat()
            if not stat.S_ISREG(status.st_mode):  # git follows no link either; a pipe would be waited for
                return self._skip(path, "not a regular file")
            if status.st_size > _MAX_SIZE:
                return self._skip(path, f"larger than {_MAX_SIZE // 1_000} kB")
            data = path.read_bytes()
        except FileNotFoundError:
            return []
        except OSError as error:
            return self._skip(path, error.strerror or "cannot be read")
        return [(folder, patterns_in(os.fsdecode(data.removeprefix(b"\xef\xbb\xbf"))))]

    def _skip(self, path: Path, reason: str) -> list[tuple[Path, Patterns]]:
        name = os.path.relpath(path, self._root).replace(os.sep, "/")
        self._skipped.append(Skipped(name, reason))
        return []


def repository_of(folder: Path) -> Path | None:
    """Return the root of the git repository that contains a folder, None if it is in none.

    Args:
        folder: absolute path of the folder.
    """
    return next((each for each in (folder, *folder.parents) if (each / ".git").exists()), None)
