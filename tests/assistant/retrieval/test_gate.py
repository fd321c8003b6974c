"""The gate: a trained regression, and the features that it sees."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

from assistant.assistant import Assistant
from assistant.query.entities import entities
from assistant.retrieval.gate import MODEL, Gate, load_gate
from assistant.retrieval.gate_features import GateFeatures, measure
from assistant.retrieval.sentences import score
from index.search.passage import Passage
from index.search.query import Query
from ingest.release import Release
from tests.assistant.passages import question, relevance
from tests.rows import each_row

GATE = Gate(
    features=("cosine", "names"),
    mean=(0.8, 1.0),
    scale=(0.1, 2.0),
    weights=(2.0, -1.0),
    bias=0.5,
    threshold=0.4,
)


def features(assistant: Assistant, text: str, *releases: str) -> dict[str, float]:
    """Of a question, and of what a plain search finds for it."""
    wanted = tuple(Release.parse(release) for release in releases)
    query = Query(text, assistant.embedder.encode_query(text), releases=wanted)
    return seen(assistant, text, assistant.retriever.search(query))


def seen(assistant: Assistant, text: str, found: list[Passage]) -> dict[str, float]:
    asked = question(text)
    words = relevance(asked)
    evidence = GateFeatures(asked, found, 0.8, words, score(asked, found, words))
    return measure(evidence, assistant.segmenter, assistant.retriever.generation.terms)


@pytest.mark.parametrize(
    ("cosine", "names"), [(0.8, 1.0), (0.9, 0.0), (0.5, 4.0)], ids=["mean", "near", "far"]
)
def test_the_probability_is_that_of_a_logistic_regression(cosine: float, names: float) -> None:
    score = 0.5 + 2.0 * (cosine - 0.8) / 0.1 - 1.0 * (names - 1.0) / 2.0
    expected = 1 / (1 + math.exp(-score))
    given = {"cosine": cosine, "names": names, "other": 9.0}
    assert GATE.probability(given) == pytest.approx(expected)
    assert GATE.opens(given) == (expected >= 0.4)


def test_the_gate_that_ships_reads_every_feature_once(assistant: Assistant) -> None:
    gate = load_gate()
    assert set(gate.features) == set(features(assistant, "What is TCPStore?"))
    assert len(set(gate.features)) == len(gate.features)
    assert 0 < gate.threshold < 1 and all(scale > 0 for scale in gate.scale)
    rows = json.loads(MODEL.read_text(encoding="utf-8"))["features"]
    assert [row["name"] for row in rows] == list(gate.features)


def test_a_gate_is_read_from_its_file(tmp_path: Path) -> None:
    path = tmp_path / "gate.json"
    row = {"name": "cosine", "mean": 0.5, "scale": 1.0, "weight": 3.0}
    path.write_text(json.dumps({"threshold": 0.5, "bias": 0.0, "features": [row]}), encoding="utf-8")
    gate = load_gate.__wrapped__(path)
    assert gate.opens({"cosine": 0.6}) and not gate.opens({"cosine": 0.4})


@each_row(
    ("text", "names"),
    [
        ("Does it run on Jetson boards?", {"jetson"}),
        ("What is PyTorch?", set()),
        ("How fast is torch.frobnicate in 2.4?", {"torch.frobnicate"}),
        ("What is torch::stable::Tensor?", {"torch::stable::tensor"}),
        ("Is cuFrobnicate there?", {"cufrobnicate"}),
        ("支持 jetson 吗", {"jetson"}),
        ("PyTorch 2.4 支持 ROCm7 吗", {"rocm7"}),
    ],
)
def test_names_are_found_in_a_question(text: str, names: set[str]) -> None:
    found = {name for spellings in entities(question(text)) for name in spellings}
    assert names <= found and "pytorch" not in found


def test_all_spellings_of_a_term_count_as_one_name() -> None:
    (spellings,) = entities(question("张量并行怎么用"))
    assert {"tensor parallel", "张量并行"} <= set(spellings)


def test_a_name_that_stands_in_the_passages_is_covered(assistant: Assistant) -> None:
    covered = features(assistant, "What is the default backend of TCPStore?")
    lacking = features(assistant, "What is the default backend of Frobnicator?")
    assert covered["names_missing"] == 0.0 and covered["names_covered_best"] == 1.0
    assert lacking["names_missing"] == 1.0 and lacking["names_covered_best"] < 1.0
    assert lacking["names_unheard"] == 1.0 and covered["names_unheard"] == 0.0
    assert lacking["unknown_words"] > covered["unknown_words"]


def test_what_kind_of_thing_is_missing_is_counted(assistant: Assistant) -> None:
    assert features(assistant, "How many seconds less does TCPStore take to start?")["asked_missing"] == 0.0
    assert features(assistant, "Which driver does FlexAttention need?")["asked_missing"] == 1.0


@pytest.mark.parametrize(
    ("text", "apart"),
    [
        ("How many seconds does TCPStore take to start?", 0.0),
        ("How many seconds does FlexAttention take to start?", 1.0),
        ("How many seconds does it take to start?", 0.0),
        ("What does TCPStore do?", 0.0),
    ],
    ids=["one sentence has both", "two sentences", "no name", "no such thing asked for"],
)
def test_what_is_asked_for_must_stand_in_a_sentence_with_the_names(
    assistant: Assistant, text: str, apart: float
) -> None:
    assert features(assistant, text)["kinds_apart"] == apart


def test_what_is_compared_must_stand_in_one_sentence(assistant: Assistant) -> None:
    assert features(assistant, "Is TCPStore faster than FlexAttention?")["compared_apart"] > 0.0
    assert features(assistant, "What does TCPStore do?")["compared_apart"] == 0.0


def test_language_and_releases_are_told(assistant: Assistant) -> None:
    chinese = features(assistant, "2.30 的 TCPStore 默认后端")
    english = features(assistant, "TCPStore backend")
    assert chinese["chinese"] == 1.0 and chinese["cosine_zh"] == chinese["cosine"]
    assert english["chinese"] == 0.0 == english["cosine_zh"]
    assert (chinese["release_named"], chinese["release_unknown"]) == (1.0, 1.0)
    assert (english["release_named"], english["release_unknown"]) == (0.0, 0.0)


def test_nothing_found_has_features_too(assistant: Assistant) -> None:
    empty = seen(assistant, "What is TCPStore?", [])
    assert all(math.isfinite(value) for value in empty.values())
    assert empty["cosine"] == empty["lists"] == 0.0 and not load_gate().opens(empty)


@pytest.mark.parametrize(
    ("text", "opens"),
    [
        ("What is the default backend of TCPStore in 2.4?", True),
        ("TCPStore 在 2.4 里默认用什么后端", True),
        ("What is FlexAttention?", True),
        ("How do I fry an egg?", False),
        ("今天天气怎么样", False),
        ("Who won the world cup in 1998?", False),
    ],
)
def test_the_gate_that_ships_opens_for_what_the_notes_tell(
    assistant: Assistant, text: str, opens: bool
) -> None:
    assert load_gate().opens(assistant.examine(text).features) == opens
