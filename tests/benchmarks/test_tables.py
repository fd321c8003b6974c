"""The benchmarks on tiny input: they load without the peers, and print what they measured."""

from __future__ import annotations

import importlib
from pathlib import Path

import numpy as np
import pytest

from assistant.factory import AssistantFactory
from benchmarks import growth, peers
from benchmarks.copies import COSINE, Copies
from benchmarks.growth_steps import found_share
from benchmarks.recall import recall
from benchmarks.table import markdown, milliseconds, percentile, side_by_side
from index.dense.vectors import VectorIndex
from index.storage.store import Store
from tests.rows import each_row

MODULES = sorted(path.stem for path in Path(peers.__file__).parent.glob("[a-z]*.py"))


@each_row("name", MODULES)
def test_every_benchmark_loads_without_its_peers(name: str) -> None:
    assert importlib.import_module(f"benchmarks.{name}").__doc__


def test_a_table_is_markdown() -> None:
    assert markdown(["", "a"], [["row", "1.5"], ["longer", "–"]]).splitlines() == [
        "|        |   a |",
        "|--------|----:|",
        "| row    | 1.5 |",
        "| longer |   – |",
    ]


def test_what_a_system_lacks_is_a_dash() -> None:
    figures = {"build": 61.234, "memory": 3.0e8, "retrieve_p50": 0.01234, "recall": 0.5, "build_texts": 1234}
    table = side_by_side(peers.ROWS, {"one": peers.shown(figures), "other": {}})
    lines = dict(line.strip("| ").split(" | ", 1) for line in table.splitlines()[2:])
    cells = {name.strip(): [cell.strip() for cell in rest.split("|")] for name, rest in lines.items()}
    assert cells["build the index, s"] == ["61.23", "–"]
    assert cells["peak memory of a serving process, MB"] == ["300", "–"]
    assert cells["question to passages, p50, ms"] == ["12.3", "–"]
    assert cells["recall@5"] == ["0.500", "–"] and cells["of it without embedding, s"] == ["–", "–"]


def test_a_line_of_growth_has_every_column() -> None:
    figures = dict.fromkeys(
        ("p50", "p95", "processor", "found", "build", "build_vectors", "build_terms", "build_write"), 0.5
    )
    figures |= {"open": 1.0, "memory": 2e8, "bytes": 3e7, "sentences": 60_000}
    line = growth.row(10_000, figures)
    assert len(line) == len(growth.HEADER) and line[:3] == ["10,000", "60,000", "500"] and line[6] == "–"
    assert growth.row(10, {**figures, "change": 0.5, "change_embedding": 0.1})[6] == "0.50 (embedding 0.10)"


def test_times_keep_three_digits_and_the_percentile_is_a_value() -> None:
    assert [milliseconds(s) for s in (0.00412, 0.04561, 0.2345, 1.5)] == ["4.12", "45.6", "234", "1500"]
    assert percentile(range(100), 0.95) == 95 and percentile([3.0], 0.95) == 3.0


def test_missing_peers_are_told_in_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setattr(
        peers, "NEEDED", {"langchain": ("no_such_package.at_all",), "haystack": ("nor_this",)}
    )
    questions = tmp_path / "questions.jsonl"
    questions.touch()
    code = peers.main([str(tmp_path), "--questions", str(questions), "--systems", "langchain", "haystack"])
    told = capsys.readouterr().err
    assert code == 2 and told.count("\n") == 1 and "langchain, haystack" in told
    assert "pip install -e '.[bench]'" in told


def test_recall_counts_passages_of_the_release() -> None:
    evidence = [
        {"version": "2.4", "keys": [["libuv"], ["TCP Store"]]},
        {"version": "2.5", "keys": [["Flex"]]},
    ]
    passages = [("TCPStore uses ｌｉｂｕｖ", "2.4.1"), ("FlexAttention", "2.6")]
    assert recall(passages, evidence) == 0.5
    assert recall([("", "")] * 5 + passages, evidence) == 0.0


def test_copies_keep_the_structure_of_their_originals(factory: AssistantFactory, tmp_path: Path) -> None:
    base = Store(factory.settings.home).open()
    size = 2 * len(base.chunks) + 3
    copies = Copies(base, size)
    assert len(copies.chunks) == len({chunk.id for chunk in copies.chunks}) == len(copies.rows) == size
    originals = [base.chunks[row] for row in copies.rows.tolist()]
    for chunk, original in zip(copies.chunks, originals, strict=True):
        text = copies.documents[chunk.document_id].text
        assert len(text) == len(base.documents[original.document_id].text)
        assert (chunk.start, chunk.end, chunk.sentences) == (original.start, original.end, original.sentences)
    assert len({document.text for document in copies.documents.values()}) > len(base.documents)
    matrix = base.chunk_vectors.rows(np.arange(len(base.chunks), dtype=np.int64))
    drawn = copies.vectors(matrix, copies.rows, tmp_path / "vectors.npy")
    cosines = np.sum(drawn * matrix[copies.rows], axis=1)
    assert abs(float(cosines.mean()) - COSINE) < 0.01
    assert len(copies.sentence_rows()) == sum(len(chunk.sentences) for chunk in copies.chunks)
    terms = list(copies.terms([["a", "b"] * 20] * len(base.chunks)))
    assert len(terms) == size and all(len(of_chunk) == 40 for of_chunk in terms)


def test_an_exact_index_finds_every_neighbour() -> None:
    matrix = np.random.default_rng(0).standard_normal((300, 8)).astype(np.float32)
    matrix /= np.linalg.norm(matrix, axis=1, keepdims=True)
    assert found_share(VectorIndex.build(matrix), list(matrix[:5])) == 1.0
