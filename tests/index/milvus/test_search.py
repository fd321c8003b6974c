"""Searching in Milvus finds what searching in the folder does."""

from __future__ import annotations

import numpy as np
import pytest

from index.milvus.address import parse_address
from index.milvus.store import MilvusStore
from index.scope import Scope
from index.search.query import Query
from index.search.retriever import Retriever
from index.storage.store import Store
from ingest.release import Release
from tests.index.light import LightEmbedder, make_builder, sample_documents, segmenter

Both = tuple[Retriever, Retriever]


@pytest.fixture(scope="module")
def both(port: int, tmp_path_factory: pytest.TempPathFactory) -> Both:
    """A retriever of the folder, and one of its copy in Milvus."""
    folder = Store(tmp_path_factory.mktemp("home"))
    folder.update(sample_documents(), builder=make_builder(LightEmbedder()))
    remote = MilvusStore(parse_address(f"milvus://127.0.0.1:{port}/searched"))
    remote.put(folder.open())
    return Retriever(folder.open(), segmenter()), Retriever(remote.open(), segmenter())


@pytest.mark.parametrize("releases", [(), ((2, 4),), ((2, 3), (9, 9))], ids=str)
@pytest.mark.parametrize("strict", [True, False], ids=["strict", "others too"])
def test_a_search_finds_the_same(both: Both, releases: tuple[tuple[int, int], ...], strict: bool) -> None:
    asked = tuple(Release(*release) for release in releases)
    for text in ("TCPStore libuv backend", "分布式检查点 张量并行", "nothing of the kind"):
        vector = LightEmbedder().encode_query(text)
        query = Query(text, vector, {"prototyp": 0.5}, releases=asked, strict=strict)
        here, there = (retriever.search(query, 4) for retriever in both)
        assert [p.chunk for p in there] == [p.chunk for p in here]
        assert [p.ranks for p in there] == [p.ranks for p in here]
        assert [p.score for p in there] == pytest.approx([p.score for p in here])
        cosines = [[s.cosine for p in found for s in p.sentences] for found in (here, there)]
        assert cosines[1] == pytest.approx(cosines[0], abs=1e-6)


def test_all_else_is_the_same(both: Both) -> None:
    here, there = both
    assert there.releases == here.releases and there.newest_told == here.newest_told
    release = Release(2, 4)
    assert there.every(release) == here.every(release) != []
    assert there.sections(release, ["beta"]) == here.sections(release, ["beta"]) != []
    vector = LightEmbedder().encode_query("TCPStore")
    assert [r for r, _ in there.said_by(vector, 5)] == [r for r, _ in here.said_by(vector, 5)]
    english = next(p for p in here.every(release) if p.language == "en")
    assert there.counterpart(english, "zh") == here.counterpart(english, "zh")


def test_terms_are_looked_up_here_and_postings_there(both: Both) -> None:
    here, there = (retriever.generation.terms for retriever in both)
    assert there.size == here.size and "libuv" in there and "nowhere" not in there
    for term in ("libuv", "张量并行", "nowhere"):
        assert there.idf(term) == here.idf(term)
        assert there.holding([term]).tolist() == here.holding([term]).tolist()
    for terms in (["libuv", "tcpstor"], ["libuv", "张量并行"], [], ["libuv", "nowhere"]):
        assert there.holding(terms).tolist() == here.holding(terms).tolist()
    assert there.resembling("libvu") == here.resembling("libvu")


def test_a_term_of_more_texts_than_a_reply_has_is_read_in_parts(
    both: Both, monkeypatch: pytest.MonkeyPatch
) -> None:
    here, there = (retriever.generation.terms for retriever in both)
    monkeypatch.setattr("index.milvus.parts.MOST", 2)
    for term in ("2.4", "pytorch"):
        assert there.holding([term]).tolist() == here.holding([term]).tolist() != []


def test_vectors_that_were_read_are_kept(both: Both, monkeypatch: pytest.MonkeyPatch) -> None:
    here, there = (retriever.generation.sentence_vectors for retriever in both)
    rows = np.array([3, 0, 3], np.int64)
    assert np.array_equal(there.rows(rows), here.rows(rows))
    monkeypatch.setattr("index.milvus.server.Server.call", None)  # nothing is asked any more
    assert np.array_equal(there.rows(rows[::-1]), here.rows(rows[::-1]))
    assert there.rows(rows[:0]).shape == (0, there.dimension)
    nothing = Scope((Release(9, 9),), False, None, None, lambda: np.zeros(len(there), np.bool_), rows[:0])
    [(found, cosines)] = there.nearest(here.rows(rows)[0], 3, [nothing])
    assert len(found) == len(cosines) == 0
