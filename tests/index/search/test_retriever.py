"""Retrieval on a small real index: releases first, duplicates out, cut sections joined, languages paired."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from assistant.assistant import Assistant
from assistant.factory import AssistantFactory
from index.dense.vectors import VectorIndex
from index.search.facts import RowFacts
from index.search.passage import Passage
from index.search.query import Query, Weights
from index.search.retriever import Retriever
from index.storage.generation import Generation
from ingest.document import Language
from ingest.release import Release
from ingest.status import Status
from tests.assistant.notes import note


@pytest.fixture(scope="module")
def retriever(assistant: Assistant) -> Retriever:
    return assistant.retriever


def search(
    factory: AssistantFactory,
    retriever: Retriever,
    text: str,
    *releases: str,
    strict: bool = False,
    top_k: int = 8,
    statuses: tuple[Status, ...] = (),
) -> list[Passage]:
    wanted = tuple(Release.parse(release) for release in releases)
    vector = factory.embedder.encode_query(text)
    query = Query(text, vector, releases=wanted, strict=strict, statuses=statuses)
    return retriever.search(query, top_k)


@pytest.mark.parametrize(
    ("text", "release", "heading"),
    [
        ("default backend of TCPStore", "2.4", "libuv"),
        ("TCPStore 默认使用什么后端", "2.4", "libuv"),
        ("grouped matrix multiplication speed on H100", "2.6", "分组矩阵乘"),
        ("自定义 FlexAttention 的打分函数", "2.5", "FlexAttention"),
        ("提前编译成共享库", "2.2", "AOTInductor"),
    ],
)
def test_the_right_section_comes_first(
    factory: AssistantFactory, retriever: Retriever, text: str, release: str, heading: str
) -> None:
    best = search(factory, retriever, text)[0]
    assert best.version == release and heading in best.heading
    assert best.text == best.document.text[best.start : best.end]


def test_the_releases_asked_for_come_first_and_others_stay_reachable(
    factory: AssistantFactory, retriever: Retriever
) -> None:
    found = [p.version for p in search(factory, retriever, "TCPStore backend", "2.3")]
    assert found[0] == "2.3" and "2.4" in found


def test_strict_leaves_other_releases_out(factory: AssistantFactory, retriever: Retriever) -> None:
    found = search(factory, retriever, "TCPStore backend", "2.3", strict=True)
    assert {p.version for p in found} == {"2.3"}
    both = search(factory, retriever, "TCPStore backend", "2.3", "2.4", strict=True)
    assert {p.version for p in both} == {"2.3", "2.4"}


def test_a_release_that_no_document_has_leaves_the_others(
    factory: AssistantFactory, retriever: Retriever
) -> None:
    assert search(factory, retriever, "TCPStore backend", "2.9")[0].version == "2.4"
    assert search(factory, retriever, "TCPStore backend", "2.9", strict=True) == []


def test_top_k_bounds_the_passages_and_scores_fall(factory: AssistantFactory, retriever: Retriever) -> None:
    found = search(factory, retriever, "torch.compile", top_k=3)
    assert len(found) == 3
    scores = [p.score for p in search(factory, retriever, "torch.compile")]
    assert scores == sorted(scores, reverse=True)


def test_a_status_asked_for_is_preferred(factory: AssistantFactory, retriever: Retriever) -> None:
    plain = search(factory, retriever, "attention")
    asked = search(factory, retriever, "attention", statuses=("prototype",))
    score = {p.chunk.id: p.score for p in plain}
    assert asked[0].status == "prototype"
    assert asked[0].score == pytest.approx(1.3 * score[asked[0].chunk.id])


def test_duplicates_are_left_out(factory: AssistantFactory, retriever: Retriever) -> None:
    found = search(factory, retriever, "ring attention over a long sequence")
    assert sum("Ring attention" in p.heading for p in found) == 1
    documents = retriever.generation.documents.values()
    assert sum("Ring attention" in d.text for d in documents) == 2


def test_a_paired_section_is_found_once(factory: AssistantFactory, retriever: Retriever) -> None:
    found = search(factory, retriever, "TCPStore libuv", "2.4")
    assert [p.chunk.section_id for p in found].count("tcpstore") == 1
    assert {d.language for d in retriever.generation.documents.values() if "libuv" in d.text} == {"en", "zh"}


def test_versions_in_two_languages_that_no_id_pairs_are_no_duplicates(
    factory: AssistantFactory, retriever: Retriever
) -> None:
    found = search(factory, retriever, "AOTInductor", "2.2")
    assert {p.language for p in found if "AOTInductor" in p.text} == {"en", "zh"}


def test_neighbours_of_a_cut_section_are_joined(factory: AssistantFactory, retriever: Retriever) -> None:
    section = [c for c in retriever.generation.chunks if c.headings[-1] == "Saving checkpoints"]
    assert len(section) > 1
    found = search(factory, retriever, "every rank writes shards of the checkpoint")
    joined = [p for p in found if p.chunk.headings[-1] == "Saving checkpoints"]
    assert len(joined) == 1
    (passage,) = joined
    inside = [c for c in section if passage.start <= c.start and c.end <= passage.end]
    assert len(inside) == len(section)
    spans = [s.span for s in passage.sentences]
    assert spans == sorted(spans, key=lambda span: span.start) and len(set(spans)) == len(spans)
    assert all(passage.start <= span.start < span.end <= passage.end for span in spans)
    assert [s.row for s in passage.sentences] == sorted({s.row for s in passage.sentences})


@pytest.mark.parametrize(
    ("text", "release", "language"),
    [
        ("TCPStore libuv backend", "2.4", "zh"),
        ("TCPStore 服务端默认使用 libuv 后端", "2.4", "en"),
        ("AOTInductor ahead-of-time compilation", "2.2", "zh"),
        ("AOTInductor 提前编译", "2.2", "en"),
    ],
    ids=["by id to zh", "by id to en", "by vector to zh", "by vector to en"],
)
def test_the_counterpart_is_the_section_in_the_other_language(
    factory: AssistantFactory, retriever: Retriever, text: str, release: str, language: Language
) -> None:
    found = search(factory, retriever, text, release, strict=True)
    passage = next(p for p in found if p.language != language)
    other = retriever.counterpart(passage, language)
    assert other is not None
    assert other.language == language and other.version == release
    assert other.chunk.section_id == passage.chunk.section_id
    assert ("TCPStore" in other.text) == ("TCPStore" in passage.text)


def test_without_a_version_in_the_other_language_there_is_no_counterpart(
    factory: AssistantFactory, retriever: Retriever
) -> None:
    flex = search(factory, retriever, "FlexAttention", "2.5")[0]
    assert retriever.counterpart(flex, "zh") is None


def test_a_far_section_of_the_other_language_is_no_counterpart(factory: AssistantFactory) -> None:
    documents = [
        note("en-2.5", "# PyTorch 2.5\n\n## FlexAttention\n\nAttention variants as Python functions.\n"),
        note("zh-2.5", "# PyTorch 2.5\n\n## 许可证\n\n本文档以 BSD 许可证发布。\n"),
    ]
    generation, _ = factory.builder.build({d.id: d for d in documents})
    other = Retriever(generation, factory.segmenter)
    found = search(factory, other, "FlexAttention attention variants")
    english = next(p for p in found if p.language == "en")
    assert other.counterpart(english, "zh") is None


def test_ranks_tell_which_lists_found_a_passage(factory: AssistantFactory, retriever: Retriever) -> None:
    best = search(factory, retriever, "default libuv backend of TCPStore", "2.4")[0]
    assert best.ranks.keys() <= {"dense", "sentence", "lexical", "heading", "widened"}
    assert {"dense", "sentence", "lexical", "heading"} <= best.ranks.keys()
    assert min(best.ranks.values()) == 1 and -1 <= best.cosine <= 1


def test_expansions_find_what_the_words_typed_do_not(factory: AssistantFactory, retriever: Retriever) -> None:
    text = "which kernel grew quicker"
    query = Query(text, factory.embedder.encode_query(text), {"torch.grouped_mm": 1.0})
    found = {passage.version: passage for passage in retriever.search(query, 3)}
    assert "widened" in found["2.6"].ranks
    assert not any("widened" in p.ranks for p in search(factory, retriever, text))


def test_a_passage_is_json_ready(factory: AssistantFactory, retriever: Retriever) -> None:
    passage = search(factory, retriever, "TCPStore libuv", "2.4")[0]
    data = json.loads(json.dumps(passage.to_dict()))
    assert data["release"] == "2.4" and data["text"] == passage.text and data["status"] == "beta"
    assert data["id"] == passage.chunk.id and data["url"] == passage.url


def test_the_address_of_a_section_comes_before_that_of_its_document(
    factory: AssistantFactory, retriever: Retriever
) -> None:
    english = next(p for p in search(factory, retriever, "TCPStore libuv", "2.4") if p.language == "en")
    assert english.url == "https://example.org/2.4/tcpstore"
    assert search(factory, retriever, "FlexAttention", "2.5")[0].url == "https://example.org/en-2.5"


def test_the_releases_of_the_index_are_in_order(retriever: Retriever) -> None:
    assert " ".join(map(str, retriever.releases)) == "2.2 2.3 2.4 2.5 2.6 2.7"


def test_an_empty_index_finds_nothing(factory: AssistantFactory) -> None:
    generation, _ = factory.builder.build({})
    empty = Retriever(generation, factory.segmenter)
    assert search(factory, empty, "TCPStore") == [] and empty.releases == ()


def test_lists_rank_as_the_exact_index(
    factory: AssistantFactory, retriever: Retriever, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("index.dense.vectors.FLAT_LIMIT", 1)
    exact = retriever.generation
    assert isinstance(exact, Generation)

    def lists(vectors: VectorIndex) -> VectorIndex:
        import numpy as np

        return VectorIndex.build(vectors.rows(np.arange(len(vectors), dtype=np.int64)))

    generation = replace(
        exact, chunk_vectors=lists(exact.chunk_vectors), sentence_vectors=lists(exact.sentence_vectors)
    )
    other = Retriever(generation, factory.segmenter, Weights())
    for releases in ((), ("2.4",)):
        before = search(factory, retriever, "TCPStore libuv backend", *releases)
        after = search(factory, other, "TCPStore libuv backend", *releases)
        assert [p.chunk.id for p in after[:3]] == [p.chunk.id for p in before[:3]]


@pytest.mark.parametrize("many", [0, 2000], ids=["one by one", "in runs"])
def test_the_sentences_of_chosen_chunks(
    retriever: Retriever, monkeypatch: pytest.MonkeyPatch, many: int
) -> None:
    monkeypatch.setattr("index.search.facts._MANY", many)
    assert isinstance(retriever.generation, Generation)
    facts = RowFacts(retriever.generation)
    for releases in ((), ("2.4",), ("2.2", "2.5", "9.9")):
        mask = facts.mask([Release.parse(r) for r in releases])
        chosen = {c.document_id for c, held in zip(retriever.generation.chunks, mask, strict=True) if held}
        assert all(retriever.generation.documents[d].version in releases for d in chosen)
        assert facts.sentences(mask).tolist() == mask[retriever.generation.sentence_owner].tolist()


def test_a_large_index_searches_vectors_beside_terms_and_finds_the_same(
    factory: AssistantFactory, retriever: Retriever, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = ["default backend of TCPStore", "提前编译成共享库", "FlexAttention"]
    alone = [search(factory, retriever, text) for text in texts]
    monkeypatch.setattr("index.search.lists.FLAT_LIMIT", 0)
    assert [search(factory, retriever, text) for text in texts] == alone
    assert "_threads" in vars(retriever._lists)


def test_who_says_so_is_told_of_the_nearest_sentences(
    factory: AssistantFactory, retriever: Retriever
) -> None:
    (vector,) = factory.embedder.encode_passing(
        ["The TCPStore server now runs on the libuv backend by default."]
    )
    said_by = retriever.said_by(vector, 3)
    assert len(said_by) == 3 and said_by[0][0] == Release(2, 4) and said_by[0][1] > 0.85
    assert [cosine for _, cosine in said_by] == sorted((cosine for _, cosine in said_by), reverse=True)
