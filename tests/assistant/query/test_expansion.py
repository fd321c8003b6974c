"""Widening: named terms bring their other names, described needs find theirs."""

from __future__ import annotations

import pytest

from assistant.factory import AssistantFactory
from assistant.query.expansion import QueryExpander, description_texts
from assistant.query.question import understand
from corpus.glossary import Glossary, Term
from ingest.release import Release

KNOWN = (Release(2, 4), Release(2, 5))


def term(
    name: str, zh: tuple[str, ...], what: str, *, wrong: tuple[str, ...] = (), release: str = "2.4"
) -> Term:
    return Term(name.lower(), name, zh, (), (f"torch.{name.lower()}",), wrong, (release,), what, what)


@pytest.fixture(scope="module")
def glossary() -> Glossary:
    return Glossary(
        [
            term("TensorParallel", ("张量并行",), "split one layer over several GPUs", wrong=("张量平行",)),
            term("LibuvStore", (), "faster start of jobs with thousands of ranks", release="2.5"),
            term("MaskedTensor", ("掩码张量",), "tensors in which some values are missing"),
        ]
    )


@pytest.fixture(scope="module")
def widener(glossary: Glossary, factory: AssistantFactory) -> QueryExpander:
    return QueryExpander(glossary, factory.embedder, factory.segmenter)


def expansions(widener: QueryExpander, factory: AssistantFactory, text: str) -> dict[str, float]:
    question = understand(text, (), known=KNOWN, glossary=widener.glossary)
    return widener.expansions(question, factory.embedder.encode_query(text))


def test_a_named_term_brings_all_its_names(widener: QueryExpander, factory: AssistantFactory) -> None:
    weights = expansions(widener, factory, "张量并行怎么用")
    for text in ("TensorParallel", "torch.tensorparallel", "张量平行"):
        for word in factory.segmenter.terms(text):
            assert weights[word] >= 0.5, word


def test_a_known_mistranslation_finds_the_term(widener: QueryExpander, factory: AssistantFactory) -> None:
    assert "tensorparallel" in expansions(widener, factory, "张量平行怎么用")


@pytest.mark.parametrize(
    ("text", "nearest"),
    [
        ("my job with 4000 ranks takes ages to start", "libuvstore"),
        ("the layer is too large for one GPU", "tensorparallel"),
        ("数据里有缺失值怎么办", "maskedtensor"),
    ],
)
def test_a_need_without_a_name_finds_its_term(
    widener: QueryExpander, factory: AssistantFactory, text: str, nearest: str
) -> None:
    vector = factory.embedder.encode_query(text)
    found = widener.described(vector)
    assert len(found) == 2 and found[0].id == nearest
    weights = expansions(widener, factory, text)
    assert weights[nearest] == 1.0 and weights[found[1].id] == 0.6


def test_the_release_asked_for_limits_what_is_described(
    widener: QueryExpander, factory: AssistantFactory
) -> None:
    vector = factory.embedder.encode_query("the layer is too large for one GPU")
    assert [t.id for t in widener.described(vector, [Release(2, 5)])] == ["libuvstore"]
    assert widener.described(vector, [Release(2, 8)]) == []


def test_weights_are_at_most_one_and_the_highest_counts(
    widener: QueryExpander, factory: AssistantFactory
) -> None:
    weights = expansions(widener, factory, "TensorParallel: split one layer over several GPUs")
    assert weights["tensorparallel"] == 1.0
    assert all(0 < weight <= 1 for weight in weights.values())


def test_nearness_is_that_of_the_nearest_description(
    widener: QueryExpander, factory: AssistantFactory
) -> None:
    near = widener.nearness(factory.embedder.encode_query("split one layer over several GPUs"))
    far = widener.nearness(factory.embedder.encode_query("how do I fry an egg"))
    assert -1 <= far < near <= 1


def test_each_term_is_described_in_both_languages(glossary: Glossary) -> None:
    texts = description_texts(glossary)
    assert len(texts) == 2 * len(glossary.terms)
    assert texts[0].startswith("TensorParallel: ") and texts[1].startswith("张量并行：")
    assert texts[3].startswith("LibuvStore：")
