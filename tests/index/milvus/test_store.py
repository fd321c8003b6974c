"""An index in Milvus: written, searched and updated as the folder is."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from index.milvus.names import generations
from index.milvus.server import Server
from index.milvus.store import MilvusStore
from index.storage.content import content_sums
from index.storage.store import IndexBuilder, Store
from ingest.document import Document
from ingest.errors import IndexMismatchError, TorchnotesError
from tests.index.light import LightEmbedder, changed_documents, make_builder, make_document
from tests.index.milvus.conftest import Making


def test_an_index_is_made_updated_and_left_alone(
    remote: MilvusStore, store: Store, builder: IndexBuilder, documents: list[Document]
) -> None:
    assert remote.current() is None and remote.documents() == {}
    for adds, removes in ((documents, []), (changed_documents(), ["en-2.3"])):
        here, there = (place.update(adds, removes, builder=builder) for place in (store, remote))
        assert (there.added, there.changed, there.removed) == (here.added, here.changed, here.removed)
        assert there.written and there.generation == remote.current()
        assert content_sums(remote.whole()) == content_sums(store.open())
    assert remote.current() is not None and str(remote.current()).startswith("000002-")
    again = remote.update(changed_documents(), builder=builder)
    assert not again.written and again.generation == remote.current()
    assert remote.documents() == store.documents() and remote.verify() == []


def test_what_did_not_change_is_not_embedded_again(
    remote: MilvusStore, builder: IndexBuilder, documents: list[Document], embedder: LightEmbedder
) -> None:
    remote.update(documents, builder=builder)
    embedder.embedded.clear()
    remote.update([make_document("more", "## More\n\nOne more note.\n")], builder=builder)
    assert len(embedder.embedded) <= 3  # a chunk, a heading and a sentence
    assert embedder.embedded[-1].endswith("One more note.")


def test_a_reader_keeps_its_generation_for_one_update(
    remote: MilvusStore, open_store: Making, builder: IndexBuilder, documents: list[Document]
) -> None:
    remote.update(documents, builder=builder)
    reader = open_store().open(builder.parameters)
    before = reader.terms.holding(["libuv"]).tolist()
    remote.update(changed_documents(), ["en-2.3"], builder=builder)
    assert reader.name != remote.current()
    assert reader.terms.holding(["libuv"]).tolist() == before != []
    remote.update([make_document("more", "## More\n\nOne more note.\n")], builder=builder)
    with pytest.raises(IndexMismatchError, match="was replaced while it was read, try again"):
        reader.terms.holding(["libuv"])


def test_a_write_that_was_cut_off_is_unseen_and_goes_on(
    remote: MilvusStore,
    builder: IndexBuilder,
    documents: list[Document],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("index.milvus.writing._AT_ONCE", 4)
    remote.update(documents, builder=builder)
    whole, call = remote.current(), Server.call
    written: Counter[str] = Counter()

    def breaks(server: Server, name: str, *arguments: Any, **given: Any) -> object:
        if name == "upsert" and len(arguments[1]) > 1:
            part = arguments[0].rpartition("_")[2]
            if part == "sentences" and written[part] == 2:
                raise TorchnotesError("the network is gone")
            written[part] += 1
        return call(server, name, *arguments, **given)

    monkeypatch.setattr(Server, "call", breaks)
    with pytest.raises(TorchnotesError, match="the network is gone"):
        remote.update(changed_documents(), ["en-2.3"], builder=builder)
    assert remote.current() == whole and remote.verify() == []
    first = dict(written)
    written.clear()
    written["sentences"] = -100  # breaks no more
    remote.update(changed_documents(), ["en-2.3"], builder=builder)
    assert remote.current() != whole and remote.verify() == []
    assert first["sentences"] == 2 and written["chunks"] == 0  # these chunks were there already


def test_only_the_current_and_the_last_generation_are_kept(
    remote: MilvusStore, builder: IndexBuilder, documents: list[Document]
) -> None:
    for name in ("a", "b", "c"):
        remote.update([*documents, make_document(name, f"## Note\n\nNote {name}.\n")], builder=builder)
    kept = generations(remote.address.collection, remote.server.collections())
    assert [names.number for names in kept] == [2, 3]


def test_rebuilding_takes_other_parameters(
    remote: MilvusStore, builder: IndexBuilder, documents: list[Document]
) -> None:
    remote.update(documents, builder=builder)
    other = make_builder(LightEmbedder("another"))
    with pytest.raises(IndexMismatchError, match="built with embedder light, this run uses another"):
        remote.open(other.parameters)
    with pytest.raises(IndexMismatchError, match="type `torchnotes rebuild`"):
        remote.update(changed_documents(), builder=other)
    remote.rebuild(builder=other, shipped="some")
    assert remote.open(other.parameters).documents.keys() == {d.id for d in documents}
    assert remote.manifest().shipped == "some"


def test_damage_is_found(remote: MilvusStore, builder: IndexBuilder, documents: list[Document]) -> None:
    remote.update(documents, builder=builder)
    collection = remote.server.target(remote.address.collection)
    [row] = remote.server.query(str(collection), "row == 0", ["*"])
    remote.server.call("upsert", collection, [{**row, "vector": [1.0] + [0.0] * 15}])
    assert remote.verify() == [f"{remote.place}: chunk vectors are not what was written"]
    remote.server.call("delete", collection, ids=[0])
    [fault] = remote.verify()
    assert "copy the index there again" in fault
