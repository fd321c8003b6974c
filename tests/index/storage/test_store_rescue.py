"""Damage is not carried over, and a rebuild saves what an older generation still has."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from index.storage.store import IndexBuilder, Store
from ingest.document import Document
from ingest.errors import IndexMismatchError
from tests.index.light import ENGLISH, LightEmbedder, make_document
from tests.index.storage.test_store_damage import FILES, flip, folder_of

MORE = make_document("more", "## More\n\nOne more document. It has two sentences.\n", release="2.6")


@pytest.fixture
def twice(filled: Store, builder: IndexBuilder, embedder: LightEmbedder) -> Store:
    """A store of two generations: the first of three documents, the second of one more."""
    filled.update([MORE], builder=builder)
    embedder.embedded.clear()
    return filled


@pytest.mark.parametrize("name", FILES)
def test_an_update_refuses_to_build_upon_damage(filled: Store, builder: IndexBuilder, name: str) -> None:
    """What is carried over gets a new checksum: damage would be whole for ever."""
    path = folder_of(filled) / name
    before = filled.current()
    for place in (path.stat().st_size // 2, path.stat().st_size - 20):
        flip(path, place)
        with pytest.raises(IndexMismatchError, match=r"index .*: damaged \(.*; type `torchnotes rebuild`$"):
            filled.update([MORE], builder=builder)
        assert filled.current() == before and len(filled.verify()) == 1
        flip(path, place)
    filled.update([MORE], builder=builder)
    assert filled.verify() == []


def test_an_update_that_changes_nothing_reads_no_checksums(
    filled: Store, builder: IndexBuilder, documents: list[Document], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("index.storage.store.find_faults", None)
    assert not filled.update(documents, builder=builder).written


@pytest.mark.parametrize("name", [name for name in FILES if name != "documents.jsonl"])
def test_a_rebuild_after_a_refusal_embeds_from_documents(
    filled: Store, builder: IndexBuilder, embedder: LightEmbedder, name: str
) -> None:
    flip(folder_of(filled) / name, 25)
    whole = filled.documents()
    report = filled.rebuild(builder=builder)
    assert filled.verify() == [] and filled.documents() == whole
    assert (report.left_out, report.restored, report.embedded) == ((), (), len(embedder.embedded))


def lines_of(store: Store) -> list[bytes]:
    return (folder_of(store) / "documents.jsonl").read_bytes().split(b"\n")


def flip_text(path: Path) -> None:
    path.write_bytes(path.read_bytes().replace(b"libuv", b"libux", 1))


def flip_id(path: Path) -> None:
    path.write_bytes(path.read_bytes().replace(b'"id":"en-2.4"', b'"id":"en-2.5"', 1))


def flip_origin(path: Path) -> None:
    path.write_bytes(path.read_bytes().replace(b"notes/en-2.4.md", b"notes/en-2.5.md", 1))


def join_lines(path: Path) -> None:
    path.write_bytes(path.read_bytes().replace(b"}\n{", b"}\r{", 1))


def empty(path: Path) -> None:
    path.write_bytes(b"")


def zeros(path: Path) -> None:
    path.write_bytes(bytes(path.stat().st_size))


def swap(path: Path) -> None:
    path.write_bytes(path.with_name("chunks.jsonl").read_bytes())


def fold(path: Path) -> None:
    path.unlink()
    path.mkdir()


HARMS: tuple[Callable[[Path], None], ...] = (
    *(flip_text, flip_id, flip_origin, join_lines, empty, zeros, swap, fold, Path.unlink),
)


@pytest.mark.parametrize("harm", HARMS, ids=lambda harm: harm.__name__)
def test_lost_documents_come_from_the_generation_before(
    twice: Store, builder: IndexBuilder, harm: Callable[[Path], None]
) -> None:
    everything = twice.documents()
    twice.update([make_document("last", "The last one.\n")], builder=builder)  # both generations have `more`
    last = twice.documents()["last"]
    harm(folder_of(twice) / "documents.jsonl")
    report = twice.rebuild(builder=builder)
    kept = twice.open(builder.parameters).documents
    assert {name: kept[name] for name in everything} == everything
    assert twice.verify() == []
    if "last" in kept:  # one line was hit, or two
        assert kept["last"] == last and report.left_out == ()
        assert 1 <= len(report.restored) <= 2 and set(report.restored) <= set(everything)
    else:
        assert set(report.restored) == set(everything)
        assert report.left_out and all("documents.jsonl" in left.origin for left in report.left_out)


@pytest.mark.parametrize("harm", HARMS, ids=lambda harm: harm.__name__)
def test_what_was_removed_does_not_come_back(
    twice: Store, builder: IndexBuilder, harm: Callable[[Path], None]
) -> None:
    twice.update([], ["zh-2.4"], builder=builder)
    harm(folder_of(twice) / "documents.jsonl")
    report = twice.rebuild(builder=builder)
    assert set(twice.documents()) == {"en-2.3", "en-2.4", "more"}
    assert "zh-2.4" not in report.restored


def test_where_nothing_tells_what_it_held_all_of_the_older_one_is_taken(
    twice: Store, builder: IndexBuilder
) -> None:
    twice.update([], ["zh-2.4"], builder=builder)
    for name in ("documents.jsonl", "chunks.jsonl", "manifest.json"):
        empty(folder_of(twice) / name)
    report = twice.rebuild(builder=builder)
    assert set(report.restored) == set(twice.documents()) == {"en-2.3", "en-2.4", "zh-2.4", "more"}


def test_an_older_text_is_told(twice: Store, builder: IndexBuilder, documents: list[Document]) -> None:
    newer = replace(documents[0], text=ENGLISH.replace("raised an error at import", "failed at import"))
    twice.update([newer], builder=builder)
    path = folder_of(twice) / "documents.jsonl"
    path.write_bytes(path.read_bytes().replace(b"failed at import", b"failed xx import"))
    report = twice.rebuild(builder=builder)
    (left,) = report.left_out
    assert report.restored == ("en-2.4",) and left.document_id == "en-2.4"
    assert left.origin == "notes/en-2.4.md" and "its text of the index before" in left.reason
    assert "torchnotes add PATH" in left.reason
    assert "raised an error at import" in twice.documents()["en-2.4"].text


def test_what_no_generation_has_is_named(twice: Store, builder: IndexBuilder) -> None:
    path = folder_of(twice) / "documents.jsonl"
    path.write_bytes(path.read_bytes().replace(b"One more document", b"Ona more document"))
    report = twice.rebuild(builder=builder)
    (left,) = report.left_out
    assert left.document_id == "more" and left.origin.endswith("documents.jsonl, line 4")
    assert "torchnotes add PATH" in left.reason and report.restored == ()


def test_what_is_taken_in_anyway_is_not_told_as_lost(twice: Store, builder: IndexBuilder) -> None:
    path = folder_of(twice) / "documents.jsonl"
    path.write_bytes(path.read_bytes().replace(b"One more document", b"Ona more document"))
    report = twice.rebuild([MORE], builder=builder)
    assert (report.left_out, report.restored) == ((), ())
    assert twice.documents()["more"] == MORE


def test_lines_as_earlier_versions_wrote_them_are_read(twice: Store, builder: IndexBuilder) -> None:
    """Their content hash proves them; such an index is opened as ever."""
    path = folder_of(twice) / "documents.jsonl"
    whole = twice.documents()
    lines = [line[: len(b"{")] + line[len(b'{"sum":"0123456789abcdef",') :] for line in lines_of(twice)[:-1]]
    assert all(line.startswith(b'{"hash":"') for line in lines)
    path.write_bytes(b"".join(line + b"\n" for line in lines))
    assert twice.documents() == whole
    path.write_bytes(path.read_bytes().replace(b"libuv", b"libux"))
    assert twice.rebuild(builder=builder).restored == ("en-2.4",)


def test_without_an_index_there_is_nothing_to_save(store: Store) -> None:
    assert store.documents() == {}
    shutil.rmtree(store.folder, ignore_errors=True)
    assert store.documents() == {}
