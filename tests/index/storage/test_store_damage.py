"""Damage is found, named, and mended."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from index.storage.manifest import FORMAT, parse_name
from index.storage.store import IndexBuilder, Store
from ingest.errors import IndexMismatchError, TorchnotesError
from tests.index.light import changed_documents, make_document

FILES = (
    "manifest.json",
    "documents.jsonl",
    "chunks.jsonl",
    "chunks.faiss",
    "sentences.faiss",
    "terms/terms.json",
    "terms/terms.npz",
    "headings/terms.json",
    "headings/terms.npz",
)


def folder_of(store: Store) -> Path:
    return store.folder / "generations" / (store.current() or "")


def flip(path: Path, place: int) -> None:
    content = bytearray(path.read_bytes())
    content[place] ^= 1
    path.write_bytes(content)


def test_files_are_all_there_is(filled: Store) -> None:
    folder = folder_of(filled)
    assert {p.relative_to(folder).as_posix() for p in folder.rglob("*") if p.is_file()} == set(FILES)
    assert set(filled.manifest().files) == set(FILES) - {"manifest.json"}


@pytest.mark.parametrize("name", FILES)
def test_a_flipped_byte_is_found(filled: Store, name: str) -> None:
    path = folder_of(filled) / name
    size = path.stat().st_size
    for place in {0, size // 3, size // 2, size - 1}:
        flip(path, place)
        (fault,) = filled.verify()
        assert fault.startswith(f"{path}: ")
        flip(path, place)
    assert filled.verify() == []


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("harm", ["missing", "cut"])
def test_opening_refuses_what_is_missing_or_cut(filled: Store, name: str, harm: str) -> None:
    path = folder_of(filled) / name
    content = path.read_bytes()
    path.unlink()
    if harm == "cut":
        path.write_bytes(content[:-1])
    with pytest.raises(IndexMismatchError, match=r"damaged .*; type `torchnotes rebuild`"):
        filled.open()
    assert len(filled.verify()) == 1


@pytest.mark.parametrize("name", FILES)
def test_rebuild_mends_whatever_is_missing(filled: Store, builder: IndexBuilder, name: str) -> None:
    (folder_of(filled) / name).unlink()
    with pytest.raises(IndexMismatchError, match="torchnotes rebuild"):
        filled.update(changed_documents(), builder=builder)
    report = filled.rebuild(changed_documents(), ["en-2.3"], builder=builder)
    assert set(filled.open(builder.parameters).documents) == {"en-2.4", "zh-2.4", "en-2.3-moved", "en-2.5"}
    assert filled.verify() == []
    assert bool(report.left_out) == (name == "documents.jsonl")


def test_rebuild_saves_documents_line_by_line(filled: Store, builder: IndexBuilder) -> None:
    path = folder_of(filled) / "documents.jsonl"
    lines = path.read_bytes().split(b"\n")
    path.write_bytes(b"\n".join([lines[0], lines[1].replace(b"libuv", b"libux"), lines[2], b""]))
    report = filled.rebuild(builder=builder)
    assert set(filled.open().documents) == {"en-2.3", "zh-2.4"}
    (left,) = report.left_out
    assert left.origin.endswith("documents.jsonl, line 2")
    assert "torchnotes add PATH" in left.reason


def test_another_format_is_refused_and_rebuilt(
    filled: Store, builder: IndexBuilder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("index.storage.manifest.FORMAT", FORMAT + 1)
    message = rf"index of format {FORMAT}, this version reads format {FORMAT + 1}; type `torchnotes rebuild`"
    for use in (filled.open, filled.manifest, lambda: filled.update(builder=builder)):
        with pytest.raises(IndexMismatchError, match=message):
            use()
    assert f"format {FORMAT}" in filled.verify()[0]
    filled.rebuild(builder=builder)
    assert len(filled.open(builder.parameters).documents) == 3


def test_counts_must_agree(filled: Store) -> None:
    """A manifest that is whole but does not fit its files, as a faulty writer would leave."""
    folder = folder_of(filled)
    manifest = filled.manifest()
    data = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    (folder / "manifest.json").unlink()
    for name in ("chunks.faiss", "sentences.faiss"):
        assert name in data["files"]
    (folder / "chunks.faiss").write_bytes((folder / "sentences.faiss").read_bytes())
    number, _ = parse_name(folder.name)
    digest = manifest.write(folder)
    renamed = folder.rename(folder.with_name(f"{number:06d}-{digest}"))
    (filled.folder / "current").write_text(f"{renamed.name}\n", encoding="ascii")
    with pytest.raises(IndexMismatchError, match=r"it holds \d+ chunk vectors instead of \d+"):
        filled.open()


def test_left_over_folders_go_and_others_stay(filled: Store, builder: IndexBuilder) -> None:
    generations = filled.folder / "generations"
    for name in ("tmp-123-abc", "000009-0123456789abcdef", "mine"):
        (generations / name).mkdir()
        (generations / name / "file").touch()
    filled.update(builder=builder)
    assert {path.name for path in generations.iterdir()} == {filled.current(), "mine"}


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path, builder: IndexBuilder) -> None:
    (tmp_path / "home").write_text("a file, not a folder", encoding="utf-8")
    with pytest.raises(TorchnotesError, match=r"cannot be written .*set TORCHNOTES_HOME"):
        Store(tmp_path / "home").update([make_document("a", "Text.\n")], builder=builder)


def test_a_failed_write_leaves_the_old_index(
    filled: Store, builder: IndexBuilder, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = filled.current()

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("index.storage.publishing.os.fsync", full)
    with pytest.raises(TorchnotesError, match=r"No space left on device.*make room"):
        filled.update(changed_documents(), builder=builder)
    monkeypatch.undo()
    assert filled.current() == before and filled.verify() == []
    assert [path.name for path in (filled.folder / "generations").iterdir()] == [before]
