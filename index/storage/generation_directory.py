"""The shelf: the folder that generations lie in, which of them is in force, and how the next one takes over.

    <folder>/current                  names the generation in force
    <folder>/generations/<name>/      one whole index a folder

Names count up, so what is newer is known without opening it.
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
    """Generations by name; only the holder of the writer's lock may put or sweep."""

    def __init__(self, folder: Path) -> None:
        self._current = folder / "current"
        self._generations = folder / "generations"

    def current(self) -> str | None:
        """Return the name of the generation in force, None if there is none.

        Where the file that names it is damaged, that is the newest generation, if it is complete.

        Raises:
            IndexMismatchError: the file is damaged, and so is the newest generation.
        """
        name, fault = self._named()
        return self._newest(fault) if fault else name

    def fault(self) -> str:
        """Return what is wrong with the file that names the generation in force, "" if nothing is."""
        return self._named()[1]

    def mend(self) -> bool:
        """Write the file that names the generation in force anew if it is damaged; for the writer alone.

        Returns:
            Whether it was damaged and is whole now.

        Raises:
            IndexMismatchError: as `current`.
            OSError: it cannot be written.
        """
        fault = self.fault()
        if not fault:
            return False
        name = self._newest(fault)
        replace_file(self._current, f"{name}\n".encode())
        _log.warning("%s was damaged (%s): the newest index, %s, was taken", self._current, fault, name)
        return True

    def _named(self) -> tuple[str | None, str]:
        """What the file names, and what is wrong with it; a writer may remove what it has just named."""
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
        """The newest generation; what stands in no file of documents is passed over.

        An older one is not taken where a newer one is damaged but has documents: a rebuild saves them.
        """
        for name in self.names():
            if is_complete(self.path(name)):
                return name
            if (self.path(name) / DOCUMENTS_FILE).is_file():
                break
        raise IndexMismatchError(f"{self._current}: damaged ({fault}); type `torchnotes rebuild`")

    def path(self, name: str) -> Path:
        """The folder of a generation."""
        return self._generations / name

    def names(self) -> list[str]:
        """All generations, the newest first, complete or not."""
        return [name for _, name in sorted(self._numbers(), reverse=True)]

    def put(self, save: Callable[[Path], str]) -> str:
        """Write a generation aside, switch to it, and remove all but it and the one before.

        Args:
            save: writes into an empty folder and returns the manifest's digest.

        Returns:
            The name of the new generation.

        Raises:
            TorchnotesError: the disk is full or may not be written.
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
            replace_file(self._current, f"{name}\n".encode())
        except (OSError, RuntimeError) as error:  # FAISS tells of a full disk by a RuntimeError
            raise cannot_write(self._generations.parent, error) from error
        self._keep({name, before})
        return name

    def sweep(self) -> None:
        """Remove what killed writers left: half a generation, or a whole one that was never switched to."""
        try:
            name = self.current()
        except IndexMismatchError:
            name = None
        if name is None:  # which generation counts is not known: documents may have to be saved out of one
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
        """Generations and temporary folders; whatever else lies there is not ours."""
        if not self._generations.is_dir():
            return []
        return [path for path in self._generations.iterdir() if path.is_dir() and _is_ours(path.name)]


def _is_ours(name: str) -> bool:
    try:
        parse_name(name)
    except ValueError:
        return name.startswith(TEMPORARY_PREFIX)
    return True
