"""What can befall a file, and what must be so then: it is found and named, and the command named mends it."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path

from index.storage.store import Store
from tests.trust.acting import Place, perform, texts
from ui.cli.main import main

Harm = Callable[[Path], None]


def flipped_first(path: Path) -> None:
    _flip(path, 0)


def flipped_middle(path: Path) -> None:
    _flip(path, path.stat().st_size // 2)


def flipped_last(path: Path) -> None:
    _flip(path, path.stat().st_size - 1)


def truncated(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def emptied(path: Path) -> None:
    path.write_bytes(b"")


def swapped(path: Path) -> None:
    """With another file of the home."""
    others = [
        p for p in sorted(_home(path).rglob("*")) if p.is_file() and p.read_bytes() != path.read_bytes()
    ]
    path.write_bytes(next((p for p in others if p.suffix == path.suffix), others[0]).read_bytes())


def made_a_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def gone(path: Path) -> None:
    path.unlink()


HARMS: tuple[Harm, ...] = (
    *(flipped_first, flipped_middle, flipped_last, truncated, emptied, swapped, made_a_folder, gone),
)


def damageable(home: Path) -> list[str]:
    """The files of the generation in force, of the file that names it, and of the caches."""
    name = Store(home).current()
    index = home / "index"
    held = [path for path in (index / "generations" / str(name)).rglob("*") if path.is_file()]
    caches = [p for folder in ("vectors", "sync") for p in (home / folder).rglob("*") if p.is_file()]
    files = [index / "current", index / "writer.lock", *held, *caches]
    return sorted(path.relative_to(home).as_posix() for path in files)


def check_harm(place: Place, home: Path, name: str, harm: Harm, said: Callable[[], str]) -> None:
    """Damage a file, and do what the messages say until the index is whole.

    Args:
        place: as `prepare` made it; its parts must be in use.
        home: a copy, changed.
        name: the file, from the home.
        harm: one of HARMS.
        said: gives what was said since it was last called, standard output and error.
    """
    before = texts(home)
    path = home / name
    harm(path)
    said()
    code = main(["verify"])
    message = said()
    part = name.rpartition("/")[2]
    if name.startswith("index/generations/"):
        assert code and part in message, f"{name} is damaged, and verify says {message!r}"
    if "index/current" in name:
        assert code == 0 and "was taken" in message, message
    if code:
        command = re.search(r"[Tt]ype `torchnotes (\w+)`", message)
        assert command, message
        assert len(message.strip().splitlines()) <= 3, message
        assert main([command[1]]) == 0, said()
    assert main(["verify"]) == 0, said()
    after = texts(home)
    assert {key: after.get(key) for key in before} == before
    # What only costs time when it is lost is made anew by the next command that needs it.
    code = perform(place, "sync")
    message = said()
    if code:
        assert str(path) in message and "remove" in message, message
        shutil.rmtree(path)
        assert perform(place, "sync") == 0, said()
    assert perform(place, "rebuild") == 0 and main(["verify"]) == 0, said()


def is_one_line_of_a_full_disk(message: str) -> bool:
    """Whether the last line of a message says what, why, how much is free, and what to type."""
    last = message.strip().splitlines()[-1]
    return bool(
        re.match(r"torchnotes: .*cannot be written \(No space left.* free\); make room, .*again$", last)
    )


def _flip(path: Path, place: int) -> None:
    content = bytearray(path.read_bytes())
    if content:
        content[place] ^= 1
        path.write_bytes(content)


def _home(path: Path) -> Path:
    return next(parent for parent in path.parents if parent.name == "home")
