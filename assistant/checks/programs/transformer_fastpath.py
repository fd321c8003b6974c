"""The Transformer encoder's fast path for inference: the fused operator runs, and skips the padding."""

import kit
import torch

kit.api("torch.backends.mha.set_fastpath_enabled")
layer = torch.nn.TransformerEncoderLayer(256, 4, 512, batch_first=True)
encoder = torch.nn.TransformerEncoder(layer, 2).eval()
x = torch.randn(8, 128, 256)
padding = torch.zeros(8, 128, dtype=torch.bool)
padding[:, 32:] = True  # three quarters of every sequence


def encode(fast: bool) -> torch.Tensor:
    torch.backends.mha.set_fastpath_enabled(fast)
    with torch.inference_mode():
        out: torch.Tensor = encoder(x, src_key_padding_mask=padding)
    return out[:, :32]


fused = "aten::_transformer_encoder_layer_fwd"
kit.fact("the fused operator ran", fused in kit.operators(lambda: encode(True)))
kit.fact("it ran on the plain path", fused in kit.operators(lambda: encode(False)))
kit.same("fast path and plain path", encode(True), encode(False), 1e-4)
kit.interleaved("plain path over fast path", lambda: encode(False), lambda: encode(True))
