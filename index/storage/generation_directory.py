"""The folder of all generations, and the pointer to the current one.

    <folder>/current                  name of the current generation
    <folder>/generations/<name>/      one complete index per folder

Names start with a counter, so the newest generation is known without opening any.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection
from pathlib import Path

from index.storage.manifest import DOCUMENTS_FILE, is_complete, parse_name
from index.storage.publishing import (
    TEMPORARY_PREFIX,
    cannot_write,
    publish,
    remove_folder,
    replace_file,
    temporary_folder,
)
from ingest.errors import IndexMismatchError

_log = logging.getLogger(__name__)


class GenerationDirectory:
    """Generations by name; only the holder of the writer lock may call `mend`, `put` and `sweep`.

    Args:
        folder: folder of the index.
    """

    def __init__(self, folder: Path) -> None:
        self._current = folder / "current"
        self._generations = folder / "generations"

    def current(self) -> str | None:
        """Return the name of the current generation, None if there is none.

        If the pointer file is damaged, the newest generation is current, provided it is complete.

        Raises:
            IndexMismatchError: both the pointer file and the newest generation are damaged.
        """
        name, fault = self._named()
        return self._newest(fault) if fault else name

    def fault(self) -> str:
        """Return what is wrong with the pointer file, "" if nothing is."""
        return self._named()[1]

    def mend(self) -> bool:
        """Rewrite the pointer file if it is damaged.

        Returns:
            Whether it was damaged.

        Raises:
            IndexMismatchError: both the pointer file and the newest generation are damaged.
            OSError: the file cannot be written.
        """
        fault = self.fault()
        if not fault:
            return False
        name = self._newest(fault)
        replace_file(self._current, f"{name}\n".encode())
        _log.warning("%s was damaged (%s): the newest index, %s, was taken", self._current, fault, name)
        return True

    def _named(self) -> tuple[str | None, str]:
        """Return the name in the pointer file and its fault; retry if a writer removes that generation."""
        said = ""
        while True:
            try:
                text = self._current.read_bytes().decode("ascii")
                name = text.removesuffix("\n")
                parse_name(name)
                if name == text:
                    raise ValueError("its line break is missing")
            except FileNotFoundError:
                return None, "it is missing" if self.names() else ""
            except UnicodeDecodeError:
                return None, "it is no text"
            except (OSError, ValueError) as error:
                return None, getattr(error, "strerror", "") or str(error).partition("\n")[0][:80]
            if self.path(name).is_dir():
                return name, ""
            if name == said:
                return None, f"there is no {name}"
            said = name

    def _newest(self, fault: str) -> str:
        """Return the newest complete generation, skipping those without a documents file.

        If a damaged one has documents, no older one is used: a rebuild can recover them.
        """
        for name in self.names():
            if is_complete(self.path(name)):
                return name
            if (self.path(name) / DOCUMENTS_FILE).is_file():
                break
        raise IndexMismatchError(f"{self._current}: damaged ({fault}); type `torchnotes rebuild`")

    def path(self, name: str) -> Path:
        """Return the folder of a generation.

        Args:
            name: name of the generation.
        """
        return self._generations / name

    def names(self) -> list[str]:
        """Return the names of all generations, complete or not, newest first."""
        return [name for _, name in sorted(self._numbers(), reverse=True)]

    def put(self, save: Callable[[Path], str]) -> str:
        """Write a generation aside, remove all but it and the one in force, and switch to it.

        Args:
            save: writes the files into an empty folder and returns the digest of the manifest.

        Returns:
            The name of the new generation.

        Raises:
            TorchnotesError: the files cannot be written, for example because the disk is full.
        """
        try:
            before = self.current()
        except IndexMismatchError:
            before = next(iter(self.names()), None)
        try:
            self.sweep()
            with temporary_folder(self._generations) as folder:
                digest = save(folder)
                number = max((number for number, _ in self._numbers()), default=0) + 1
                name = f"{number:06d}-{digest}"
                publish(folder, self.path(name))
            # Before the switch: who is killed after it has nothing left to do, and may never write again.
            self._keep({name, before})
            replace_file(self._current, f"{name}\n".encode())
        except (OSError, RuntimeError) as error:  # FAISS raises RuntimeError on a full disk
            raise cannot_write(self._generations.parent, error) from error
        return name

    def sweep(self) -> None:
        """Remove what killed writers left: partial generations, and ones that never became current."""
        try:
            name = self.current()
        except IndexMismatchError:
            name = None
        if name is None:  # the current one is unknown: any may be needed to recover documents
            self._keep(self.names())
        else:
            number, _ = parse_name(name)
            before = max((pair for pair in self._numbers() if pair[0] < number), default=(0, None))[1]
            self._keep({name, before})

    def _keep(self, names: Collection[str | None]) -> None:
        for folder in self._folders():
            if folder.name not in names:
                remove_folder(folder)

    def _numbers(self) -> list[tuple[int, str]]:
        return [
            (parse_name(folder.name)[0], folder.name)
            for folder in self._folders()
            if not folder.name.startswith(TEMPORARY_PREFIX)
        ]

    def _folders(self) -> list[Path]:
        """Return generations and temporary folders; anything else in the folder is left alone."""
        if not self._generations.is_dir():
            return []
        return [path for path in self._generations.iterdir() if path.is_dir() and _is_ours(path.name)]


def _is_ours(name: str) -> bool:
    try:
        parse_name(name)
    except ValueError:
        return name.startswith(TEMPORARY_PREFIX)
    return True
