"""The file that names the generation in force is damaged: the index mends it by itself."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from index.storage.generation_directory import GenerationDirectory
from index.storage.store import IndexBuilder, Store
from ingest.errors import IndexMismatchError
from tests.index.light import changed_documents, make_document
from tests.index.storage.test_store_damage import flip, folder_of


def emptied(path: Path) -> None:
    path.write_bytes(b"")


def garbled(path: Path) -> None:
    path.write_bytes(b"\xff\x00 garbage")


def swapped(path: Path) -> None:
    manifest = next(path.parent.glob("generations/*/manifest.json"))
    path.write_bytes(manifest.read_bytes())


def without_line_break(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-1])


def made_a_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def made_a_folder_with_a_file(path: Path) -> None:
    made_a_folder(path)
    (path / "mine").write_text("mine", encoding="utf-8")


def naming_what_is_gone(path: Path) -> None:
    path.write_bytes(b"000009-0123456789abcdef\n")


HARMS: tuple[Callable[[Path], None], ...] = (
    *(emptied, garbled, swapped, without_line_break, made_a_folder, made_a_folder_with_a_file),
    *(naming_what_is_gone, Path.unlink),
)


@pytest.fixture
def twice(filled: Store, builder: IndexBuilder) -> Store:
    """A store of two generations."""
    filled.update([make_document("more", "One more.\n")], builder=builder)
    return filled


@pytest.mark.parametrize("harm", HARMS, ids=lambda harm: harm.__name__)
def test_the_newest_generation_is_taken_and_named_anew(
    twice: Store, builder: IndexBuilder, harm: Callable[[Path], None], caplog: pytest.LogCaptureFixture
) -> None:
    name = twice.current()
    current = twice.folder / "current"
    before = current.read_bytes()
    harm(current)
    assert twice.open(builder.parameters).name == name
    (record,) = caplog.records
    assert str(current) in record.message and f"{name}, was taken" in record.message
    assert "\n" not in record.message
    assert current.read_bytes() == before
    assert [path.name for path in twice.folder.rglob("mine")] == ["mine"] * ("with_a_file" in harm.__name__)
    caplog.clear()
    assert twice.verify() == [] and twice.current() == name and not caplog.records


@pytest.mark.parametrize("place", [0, 5, 6, 7, -2, -1])
def test_a_flipped_byte_is_mended(twice: Store, place: int) -> None:
    name = twice.current()
    flip(twice.folder / "current", place)
    assert twice.verify() == [] and twice.current() == name


@pytest.mark.parametrize("what", ["update", "rebuild"])
def test_a_writer_goes_on_where_it_left_off(twice: Store, builder: IndexBuilder, what: str) -> None:
    garbled(twice.folder / "current")
    (twice.update if what == "update" else twice.rebuild)(changed_documents(), builder=builder)
    assert {"more", "en-2.5"} <= set(twice.open(builder.parameters).documents)
    assert twice.verify() == []


def test_a_reader_that_may_not_write_reads_all_the_same(
    twice: Store, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    garbled(twice.folder / "current")

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("index.storage.publishing.FileLock.acquire", refuse)
    assert len(twice.open().documents) == 4
    assert twice.current() is not None
    assert ["cannot be written (Permission denied)" in r.message for r in caplog.records] == [True]


def test_a_reader_beside_a_writer_leaves_the_mending_to_it(
    twice: Store, builder: IndexBuilder, caplog: pytest.LogCaptureFixture
) -> None:
    seen: list[str | None] = []

    def read(stage: str, done: int, total: int) -> None:
        if stage == "split" and not seen:
            garbled(twice.folder / "current")
            seen.append(Store(twice.folder.parent).current())

    before = twice.current()
    twice.update(changed_documents(), builder=builder, progress=read)
    assert seen == [before] and not caplog.records
    assert twice.current() != before and twice.verify() == []


def test_a_damaged_generation_is_not_passed_over_for_an_older_one(
    twice: Store, builder: IndexBuilder
) -> None:
    """What it holds more than the older one would be lost: a rebuild saves it."""
    (folder_of(twice) / "chunks.faiss").unlink()
    garbled(twice.folder / "current")
    refused = r"current: damaged \(.*\); type `torchnotes rebuild`"
    for use in (twice.open, twice.current, lambda: twice.update(builder=builder)):
        with pytest.raises(IndexMismatchError, match=refused):
            use()
    assert "torchnotes rebuild" in twice.verify()[0]
    twice.rebuild(builder=builder)
    assert set(twice.open().documents) == {"en-2.3", "en-2.4", "zh-2.4", "more"}


def test_an_empty_folder_of_a_generation_is_passed_over(twice: Store) -> None:
    name = twice.current()
    (twice.folder / "generations" / "000009-0123456789abcdef").mkdir()
    emptied(twice.folder / "current")
    assert twice.current() == name


def test_a_generation_removed_between_two_looks_is_no_damage(
    twice: Store, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    old, new = sorted(path.name for path in (twice.folder / "generations").iterdir())
    current = twice.folder / "current"
    current.write_text(f"{old}\n", encoding="ascii")
    path = GenerationDirectory.path

    def overtaken(shelf: GenerationDirectory, name: str) -> Path:
        monkeypatch.undo()
        shutil.rmtree(path(shelf, old))
        os.truncate(current, 0)
        current.write_text(f"{new}\n", encoding="ascii")
        return path(shelf, name)

    monkeypatch.setattr(GenerationDirectory, "path", overtaken)
    assert twice.current() == new and not caplog.records
