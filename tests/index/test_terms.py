"""The lexical index against bm25s's own scores."""

from __future__ import annotations

import json
from pathlib import Path

import bm25s
import numpy as np
import pytest
from numpy.typing import NDArray

from index.terms import TermIndex

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
