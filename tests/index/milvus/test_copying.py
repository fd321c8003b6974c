"""Copying between a folder and Milvus."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from index.milvus.copying import copy_index, place_of, token_for
from index.milvus.server import Row, Server
from index.milvus.store import MilvusStore
from index.storage.content import content_sums
from index.storage.store import Store
from ingest.errors import TorchnotesError
from tests.rows import each_row


def test_there_and_back(filled: Store, remote: MilvusStore, tmp_path: Path) -> None:
    told: list[str] = []
    compared = copy_index(filled, remote, lambda stage, done, total: told.append(stage))
    assert all(each.same and each.count == each.copied > 0 for each in compared)
    back = Store(tmp_path / "back")
    assert all(each.same for each in copy_index(remote, back))
    assert {*told} == {"write", "read"}
    assert back.verify() == [] and back.documents() == filled.documents()
    assert content_sums(back.open()) == content_sums(filled.open())
    assert list(back.folder.iterdir()) != [] and not [*back.folder.glob(".torchnotes-copying")]


def test_copying_again_changes_nothing(filled: Store, remote: MilvusStore) -> None:
    copy_index(filled, remote)
    name = remote.current()
    copy_index(filled, remote)
    assert remote.current() == name


def test_a_copy_to_a_folder_goes_on(
    filled: Store, remote: MilvusStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("index.milvus.reading._AT_ONCE", 4)
    copy_index(filled, remote)
    back, query, asked = Store(tmp_path / "back"), Server.query, [0, 5]

    def counted(server: Server, collection: str, condition: str, fields: list[str], *rest: int) -> list[Row]:
        if "vector" in fields:
            asked[0] += 1
            if asked[0] > asked[1]:
                raise TorchnotesError("the network is gone")
        return query(server, collection, condition, fields, *rest)

    monkeypatch.setattr(Server, "query", counted)
    with pytest.raises(TorchnotesError, match="the network is gone"):
        copy_index(remote, back)
    assert back.current() is None
    asked[:] = [0, 10_000]
    assert all(each.same for each in copy_index(remote, back))
    blocks = sum(-(-len(v) // 4) for v in (back.open().chunk_vectors, back.open().sentence_vectors))
    assert asked[0] == blocks - 5


def test_what_an_interrupted_copy_left_half_written_is_read_again(
    filled: Store, remote: MilvusStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy_index(filled, remote)
    back = Store(tmp_path / "back")
    with monkeypatch.context() as patched:
        patched.setattr("index.milvus.copying._compared", lambda *_: [])
        patched.setattr("shutil.rmtree", lambda *_, **__: None)
        copy_index(remote, back)
    left = sorted(back.folder.glob(".torchnotes-copying/*/*.npy"))
    for path, harm in zip(left, (b"", path_half(left[-1])), strict=True):
        path.write_bytes(harm)
    assert all(each.same for each in copy_index(remote, back)) and len(left) == 2


def path_half(path: Path) -> bytes:
    content = path.read_bytes()
    return content[: len(content) // 2]


def test_a_folder_of_that_name_is_not_removed(filled: Store, remote: MilvusStore, tmp_path: Path) -> None:
    copy_index(filled, remote)
    (tmp_path / "back/copying").mkdir(parents=True)
    (tmp_path / "back/copying/mine.txt").write_text("mine")
    copy_index(remote, Store(tmp_path / "back"))
    assert (tmp_path / "back/copying/mine.txt").read_text() == "mine"


A, B = "milvus+tls://a.example:443/notes", "milvus://b.example:19530/notes"


@each_row(
    ("text", "ours", "other", "token"),
    [
        (A, A, B, "secret"),
        (B, A, A, ""),
        (B, A, "folder", ""),
        (A, "", "folder", "secret"),
        (A, "milvus:notes.db", "folder", "secret"),
        (A, "", A.replace("notes", "others"), "secret"),
        ("folder", A, A, ""),
        ("milvus:notes.db", "", A, ""),
    ],
)
def test_a_token_is_sent_to_the_server_that_it_is_for(text: str, ours: str, other: str, token: str) -> None:
    assert token_for(text, "secret", ours, other) == token
    assert token_for(text, "", ours, other) == ""


def test_a_token_that_may_be_for_either_is_sent_to_none() -> None:
    with pytest.raises(TorchnotesError, match="set TORCHNOTES_INDEX to that one"):
        token_for(A, "secret", "", B)


def test_what_differs_is_told(filled: Store, remote: MilvusStore, monkeypatch: pytest.MonkeyPatch) -> None:
    put = MilvusStore.put

    def harmed(store: MilvusStore, *arguments: Any) -> str:
        name = put(store, *arguments)
        collection = str(store.server.target(store.address.collection))
        [row] = store.server.query(collection, "row == 0", ["*"])
        store.server.call("upsert", collection, [{**row, "vector": np.zeros(16, np.float32)}])
        return name

    monkeypatch.setattr(MilvusStore, "put", harmed)
    assert [each.part for each in copy_index(filled, remote) if not each.same] == ["chunk vectors"]


def test_an_index_is_not_copied_onto_itself(filled: Store) -> None:
    with pytest.raises(TorchnotesError, match="would be copied onto itself"):
        copy_index(filled, filled)


def test_a_file_of_milvus_lite(filled: Store, tmp_path: Path) -> None:
    place = place_of(f"milvus:{tmp_path}/deep/notes.db")
    assert isinstance(place, MilvusStore)
    assert all(each.same for each in copy_index(filled, place))
    place.server.close()
    again = place_of(f"milvus:{tmp_path}/deep/notes.db")
    assert isinstance(again, MilvusStore) and again.open().documents == filled.documents()
    again.server.close()
