"""The lexical index against bm25s's own scores."""

from __future__ import annotations

import json
from pathlib import Path

import bm25s
import numpy as np
import pytest
from numpy.typing import NDArray

from index.lexical.terms import TermIndex

TEXTS = [
    ["tcpstore", "libuv", "backend", "libuv"],
    ["tcpstore", "socket"],
    ["张量并行", "tensor", "parallel"],
    ["torch.compile", "backend", "backend", "backend", "inductor"],
    [],
    ["2.10", "release"],
]


def oracle(texts: list[list[str]], query: list[str]) -> NDArray[np.float32]:
    """BM25 by bm25s itself, from its own vocabulary."""
    model = bm25s.BM25(method="lucene", k1=1.2, b=0.6)
    model.index(texts, show_progress=False)
    return np.asarray(model.get_scores(query), np.float32)


@pytest.mark.parametrize(
    "query",
    [["libuv"], ["tcpstore", "backend"], ["张量并行"], ["2.10", "release", "torch.compile"]],
    ids=" ".join,
)
def test_scores_are_those_of_bm25s(query: list[str]) -> None:
    scores = TermIndex.build(TEXTS).scores(dict.fromkeys(query, 1.0))
    np.testing.assert_allclose(scores, oracle(TEXTS, query), rtol=1e-5)


def test_scores_are_those_of_bm25s_on_many_texts() -> None:
    draw = np.random.default_rng(0)
    texts = [[f"t{n}" for n in draw.zipf(1.4, size=draw.integers(1, 60)) if n < 500] for _ in range(300)]
    terms = TermIndex.build(texts)
    for query in (["t1"], ["t2", "t7", "t30"], ["t499", "t3"]):
        known = [term for term in query if term in terms]
        np.testing.assert_allclose(
            terms.scores(dict.fromkeys(query, 1.0)), oracle(texts, known), rtol=1e-4, atol=1e-6
        )


def test_a_rare_term_and_a_short_text_count_more() -> None:
    terms = TermIndex.build(TEXTS)
    assert terms.scores({"tcpstore": 1.0})[1] > terms.scores({"tcpstore": 1.0})[0] > 0
    assert terms.idf("libuv") > terms.idf("backend")
    assert terms.idf("nowhere") > terms.idf("libuv")
    assert terms.idf("libuv") == pytest.approx(np.log1p((6 - 1 + 0.5) / (1 + 0.5)))


def test_weights_scale_the_terms() -> None:
    terms = TermIndex.build(TEXTS)
    alone = {term: terms.scores({term: 1.0}) for term in ("tcpstore", "backend")}
    mixed = terms.scores({"tcpstore": 0.5, "backend": 2.0})
    np.testing.assert_allclose(mixed, 0.5 * alone["tcpstore"] + 2.0 * alone["backend"], rtol=1e-6)


def test_the_texts_that_hold_all_of_some_terms() -> None:
    index = TermIndex.build(TEXTS)
    assert index.holding(["backend"]).tolist() == [0, 3]
    assert index.holding(["tcpstore", "libuv"]).tolist() == [0]
    assert index.holding(["tcpstore", "2.10"]).tolist() == []
    assert index.holding(["tcpstore", "unknown"]).tolist() == index.holding([]).tolist() == []


def test_unknown_terms_score_nothing() -> None:
    terms = TermIndex.build(TEXTS)
    assert "libuv" in terms and "nowhere" not in terms
    assert not terms.scores({"nowhere": 1.0}).any() and not terms.scores({}).any()
    np.testing.assert_array_equal(terms.scores({"nowhere": 1.0, "libuv": 1.0}), terms.scores({"libuv": 1.0}))


@pytest.mark.parametrize("texts", [[], [[], []]], ids=["no texts", "empty texts"])
def test_an_index_without_terms(texts: list[list[str]], tmp_path: Path) -> None:
    TermIndex.build(texts).save(tmp_path)
    terms = TermIndex.load(tmp_path)
    assert terms.size == len(texts) and terms.scores({"libuv": 1.0}).shape == (len(texts),)
    assert np.isfinite(terms.idf("libuv"))


def test_saving_and_loading_changes_nothing(tmp_path: Path) -> None:
    before = TermIndex.build(TEXTS)
    before.save(tmp_path)
    after = TermIndex.load(tmp_path)
    query = {"tcpstore": 1.0, "backend": 0.3, "张量并行": 2.0}
    np.testing.assert_array_equal(before.scores(query), after.scores(query))
    assert after.size == len(TEXTS) and after.idf("libuv") == before.idf("libuv")
    assert "张量并行" in (tmp_path / "terms.json").read_text(encoding="utf-8")


def test_the_same_texts_give_the_same_files(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        TermIndex.build(TEXTS).save(tmp_path / name)
    assert json.loads((tmp_path / "a/terms.json").read_text("utf-8")) == json.loads(
        (tmp_path / "b/terms.json").read_text("utf-8")
    )
    assert (tmp_path / "a/terms.npz").read_bytes() == (tmp_path / "b/terms.npz").read_bytes()


def drawn(count: int, seed: int = 0) -> list[list[str]]:
    """Texts of terms of which few are common and many are rare."""
    draw = np.random.default_rng(seed)
    return [[f"t{n % 800}" for n in draw.zipf(1.3, size=draw.integers(0, 60))] for _ in range(count)]


@pytest.mark.parametrize(
    "kept",
    [[0, 1, 2, 3], [], [-1, 0, 2, -1, 3], [3, -1, 1], [-1, -1]],
    ids=["all", "none", "between", "turned", "fresh alone"],
)
def test_an_update_is_as_built_anew(kept: list[int], tmp_path: Path) -> None:
    old, fresh = drawn(4), iter(drawn(5, seed=1))
    new = [next(fresh) if row < 0 else old[row] for row in kept]
    added = [text for row, text in zip(kept, new, strict=True) if row < 0]
    before = TermIndex.build(old)
    for name, terms in (
        ("updated", before.updated(np.array(kept, np.int64), added)),
        ("built", TermIndex.build(new)),
    ):
        (tmp_path / name).mkdir()
        terms.save(tmp_path / name)
    for file in ("terms.json", "terms.npz"):
        assert (tmp_path / "updated" / file).read_bytes() == (tmp_path / "built" / file).read_bytes()


@pytest.mark.parametrize("few", [50_000, 0], ids=["all added up", "what cannot win passed over"])
def test_the_top_is_that_of_all_scores(few: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("index.lexical.terms._FEW", few)
    terms = TermIndex.build(drawn(2000))
    draw = np.random.default_rng(3)
    masks = [None, np.arange(2000) % 3 == 0, np.zeros(2000, np.bool_)]
    for _ in range(20):
        query = {
            f"t{n % 800}": float(w) for n, w in zip(draw.zipf(1.3, 12), draw.uniform(0.2, 1, 12), strict=True)
        }
        scores = terms.scores(query)
        for mask, top in zip(masks, terms.top(query, 30, masks), strict=True):
            held = np.flatnonzero((scores > 0) & (True if mask is None else mask))
            assert top.tolist() == held[np.argsort(-scores[held], kind="stable")][:30].tolist()


def test_the_weights_of_a_text_add_up_to_its_scores() -> None:
    texts = [["a", "b", "a"], [], ["b", "c"], ["a"]]
    index = TermIndex.build(texts)
    rows = np.arange(4, dtype=np.int64)
    weights = list(index.weights(rows))
    assert [set(each) for each in weights] == [{index.numbers[t] for t in text} for text in texts]
    asked = {"a": 1.0, "b": 0.5, "unknown": 1.0}
    sums = [sum(w * each.get(index.numbers.get(t, -1), 0.0) for t, w in asked.items()) for each in weights]
    assert sums == pytest.approx(index.scores(asked).tolist())
    assert list(index.weights(rows[2:3])) == weights[2:3]


def test_the_checksum_is_that_of_terms_and_counts(tmp_path: Path) -> None:
    index = TermIndex.build([["a", "b"], ["b"]])
    index.save(tmp_path)
    assert TermIndex.load(tmp_path).checksum() == index.checksum()
    others = ([["a", "b"], ["c"]], [["a", "b"], ["b", "b"]], [["a", "b"], ["b"], []])
    assert len({index.checksum(), *(TermIndex.build(other).checksum() for other in others)}) == 4
