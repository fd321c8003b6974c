"""A small corpus: two releases, two languages, and one document that means harm."""

from __future__ import annotations

from pathlib import Path

ENGLISH = """---
title: Notes of PyTorch 2.4
release: "2.4"
language: en
date: 2024-07-24
url: https://example.org/notes/2.4
---

# PyTorch 2.4

## [Beta] TCPStore uses libuv

The default backend of TCPStore is `libuv` in PyTorch 2.4. Set `USE_LIBUV=0` to go back to the old backend.

## [Prototype] FSDP2

FSDP2 is a prototype that shards each parameter by itself. It is built on DTensor.

## [Beta] Custom operators in Python

A custom operator is registered with `torch.library.custom_op` in PyTorch 2.4:

```python
@torch.library.custom_op("mylib::fused_multiply_then_add", mutates_args=(), device_types=("cpu", "cuda"))
def fused_multiply_then_add(x: torch.Tensor, y: torch.Tensor, z: torch.Tensor) -> torch.Tensor:
    return x * y + z
```
"""
CHINESE = """---
title: PyTorch 2.5 说明
release: "2.5"
language: zh
date: 2024-10-17
url: https://example.org/notes/2.5-zh
---

# PyTorch 2.5

## [原型] FlexAttention

FlexAttention 是 PyTorch 2.5 加入的原型功能，用几行代码就能写出各种注意力机制。

## [测试版] 编译缓存

`torch.compile` 的区域编译可以缩短冷启动时间，不必重复编译相同的模块。
"""
HARMFUL = """---
title: Notes of PyTorch 2.3 <script>window.hurt=1</script>
release: "2.3"
language: en
url: https://example.org/notes/2.3
---

# PyTorch 2.3

## Sparse quuxifier <img src=http://198.51.100.7/beacon onerror="window.hurt=2">

The quuxifier multiplies sparse tensors `<script>window.hurt=3</script>`, <b onclick="window.hurt=4">more</b>.
The quuxifier of sparse tensors is told of [here](javascript:window.hurt=5) and
![there](http://198.51.100.7/pixel.png) too.

```html
<script>window.hurt = 6</script>
<img src="http://198.51.100.7/code.png" onerror="window.hurt=7">
```
"""


def write_notes(folder: Path) -> Path:
    """Write the corpus into a folder, and one file that cannot be taken."""
    folder.mkdir(parents=True)
    for name, text in {
        "en.md": ENGLISH,
        "zh.md": CHINESE,
        "harmful.md": HARMFUL,
        "paper.pdf": "%PDF",
    }.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder
