"""What goes wrong with Milvus is told in one line."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from grpc import RpcError
from milvus_lite import MilvusLite
from milvus_lite.adapter.grpc.server import start_server_in_thread

from index.milvus.address import Address, parse_address
from index.milvus.names import Names
from index.milvus.schema import create_files
from index.milvus.store import MilvusStore
from index.storage.store import IndexBuilder
from ingest.document import Document
from ingest.errors import IndexMismatchError, TorchnotesError
from tests.index.milvus.conftest import missing_port


def test_without_an_index_it_says_how_to_make_one(remote: MilvusStore) -> None:
    with pytest.raises(IndexMismatchError, match=r"no index in milvus://.*; type `torchnotes add PATH`"):
        remote.open()


def test_a_server_that_is_away(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("index.milvus.server.CONNECT", 0.2)
    address = parse_address(f"milvus://127.0.0.1:{missing_port()}/notes")
    with pytest.raises(TorchnotesError, match="check that it runs there, and TORCHNOTES_INDEX") as error:
        MilvusStore(address).current()
    assert "\n" not in str(error.value) and str(address.uri) in str(error.value)


def test_a_server_that_dies(
    tmp_path: Path, builder: IndexBuilder, documents: list[Document], monkeypatch: pytest.MonkeyPatch
) -> None:
    server, database, port = start_server_in_thread(data_dir=str(tmp_path), host="127.0.0.1", port=0)
    store = MilvusStore(parse_address(f"milvus://127.0.0.1:{port}/notes"))
    store.update(documents, builder=builder)
    reader = store.open()
    server.stop(grace=0)
    database.close()
    monkeypatch.setattr("index.milvus.server.WAIT", 0.5)
    for ask in (store.current, lambda: reader.terms.holding(["libuv"])):
        with pytest.raises(TorchnotesError, match="check that it runs there") as error:
            ask()
        assert "\n" not in str(error.value)


def test_a_reply_that_comes_too_late(remote: MilvusStore, monkeypatch: pytest.MonkeyPatch) -> None:
    class LateError(RpcError):  # type: ignore[misc]  # as pymilvus lets it through
        def details(self) -> str:
            return "Deadline Exceeded"

    def late(*arguments: object, **given: object) -> None:
        raise LateError

    monkeypatch.setattr(remote.server._client, "list_aliases", late)
    with pytest.raises(TorchnotesError, match=r"\(Deadline Exceeded\); check that it runs there"):
        remote.current()


@pytest.mark.parametrize(
    ("lacks", "text"), [("pymilvus", "milvus://host/notes"), ("milvus_lite", "milvus:notes.db")]
)
def test_packages_that_are_not_installed(
    lacks: str, text: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("index.milvus.server.find_spec", lambda name: None if name == lacks else object())
    with pytest.raises(TorchnotesError, match=rf"\({lacks}\); type `pip install '\.\[milvus\]'`"):
        MilvusStore(parse_address(text)).current()


def test_a_collection_of_something_else(remote: MilvusStore, builder: IndexBuilder) -> None:
    create_files(remote.server, remote.address.collection)
    with pytest.raises(IndexMismatchError, match="is a collection of something else; give another name"):
        remote.update(builder=builder)


def test_an_alias_of_something_else(remote: MilvusStore) -> None:
    other = f"{remote.address.collection}_other"
    create_files(remote.server, other)
    remote.server.create_alias(other, remote.address.collection)
    with pytest.raises(IndexMismatchError, match="which is no index of torchnotes"):
        remote.current()


def test_an_index_of_another_version(remote: MilvusStore) -> None:
    names = Names(remote.address.collection, 9, 1, "0" * 16)
    create_files(remote.server, names.chunks)
    remote.server.create_alias(names.chunks, remote.address.collection)
    with pytest.raises(IndexMismatchError, match="its collections are of version 9, this one reads 1"):
        remote.open()


def test_files_of_another_format(
    remote: MilvusStore, builder: IndexBuilder, documents: list[Document], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("index.milvus.writing.FORMAT", 2)
    remote.update(documents, builder=builder)
    with pytest.raises(IndexMismatchError, match="of format 2, this version reads format"):
        remote.open()
    monkeypatch.undo()
    remote.rebuild(builder=builder)
    assert remote.open(builder.parameters).documents.keys() == {document.id for document in documents}


def test_a_file_that_another_process_has_open(tmp_path: Path) -> None:
    address = parse_address(f"milvus:{tmp_path}/notes.db")
    with MilvusLite(address.uri), pytest.raises(TorchnotesError, match="another process has it open"):
        MilvusStore(address).current()


def test_a_row_that_is_missing(remote: MilvusStore, builder: IndexBuilder, documents: list[Document]) -> None:
    remote.update(documents, builder=builder)
    reader = remote.open()
    remote.server.call("delete", remote.server.target(remote.address.collection), ids=[1])
    with pytest.raises(IndexMismatchError, match="_chunks are missing"):
        reader.chunk_vectors.rows(np.arange(3, dtype=np.int64))


def test_a_file_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    address = Address("milvus:…", str(tmp_path / "file" / "notes.db"), "torchnotes")
    with pytest.raises(TorchnotesError, match="cannot be made"):
        MilvusStore(address).current()
