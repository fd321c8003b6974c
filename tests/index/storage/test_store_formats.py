"""Indexes as each earlier format was written: one line says what to type, and that keeps all."""

from __future__ import annotations

import base64
import json
from pathlib import Path

import pytest

from index.storage.manifest import FORMAT
from index.storage.store import IndexBuilder, Store
from ingest.errors import IndexMismatchError
from tests.index.light import make_document, sample_documents

FORMATS: dict[str, dict[str, str]] = json.loads(
    Path(__file__).with_name("formats.json").read_text(encoding="utf-8")
)


def test_there_is_an_index_of_each_earlier_format() -> None:
    assert sorted(map(int, FORMATS)) == list(range(1, FORMAT))


@pytest.fixture(params=sorted(FORMATS))
def old(request: pytest.FixtureRequest, tmp_path: Path) -> Store:
    for name, content in FORMATS[request.param].items():
        path = tmp_path / "home" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(base64.b64decode(content))
    return Store(tmp_path / "home")


def test_rebuild_is_asked_for_and_keeps_the_documents(old: Store, builder: IndexBuilder) -> None:
    message = rf"index of format \d, this version reads format {FORMAT}; type `torchnotes rebuild`$"
    for use in (old.open, old.manifest, lambda: old.update([make_document("a", "A.\n")], builder=builder)):
        with pytest.raises(IndexMismatchError, match=message):
            use()
    (fault,) = old.verify()
    assert fault.endswith("type `torchnotes rebuild`")
    report = old.rebuild(builder=builder)
    assert (report.left_out, report.restored) == ((), ())
    assert old.open(builder.parameters).documents == {d.id: d for d in sample_documents()}
    assert old.verify() == []


def test_a_damaged_one_saves_what_is_whole(old: Store, builder: IndexBuilder) -> None:
    path = next(old.folder.rglob("documents.jsonl"))
    path.write_bytes(path.read_bytes().replace(b"libuv", b"libux"))
    (old.folder / "current").write_bytes(b"")
    report = old.rebuild(builder=builder)
    assert set(old.documents()) == {"en-2.3", "zh-2.4"}
    assert [left.document_id for left in report.left_out] == ["en-2.4"]
