"""Copying between a folder and Milvus."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from index.milvus.copying import copy_index, place_of
from index.milvus.server import Row, Server
from index.milvus.store import MilvusStore
from index.storage.content import content_sums
from index.storage.store import Store
from ingest.errors import TorchnotesError


def test_there_and_back(filled: Store, remote: MilvusStore, tmp_path: Path) -> None:
    told: list[str] = []
    compared = copy_index(filled, remote, lambda stage, done, total: told.append(stage))
    assert all(each.same and each.count == each.copied > 0 for each in compared)
    back = Store(tmp_path / "back")
    assert all(each.same for each in copy_index(remote, back))
    assert {*told} == {"write", "read"}
    assert back.verify() == [] and back.documents() == filled.documents()
    assert content_sums(back.open()) == content_sums(filled.open())
    assert list(back.folder.iterdir()) != [] and not (back.folder / "copying").exists()


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
