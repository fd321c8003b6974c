"""Texts to begin with, ours: one of each kind that a target reads."""

from __future__ import annotations

_NOTES = """# PyTorch 2.4

## [Beta] TCPStore uses libuv {#tcpstore}

Start-up is 1.6x faster (#1234, #5678). See [the docs](https://x.y/z_(1)).

- item `a|b`
  - nested: **bold** _name_
> quote

| a | b |
|---|:-:|
| 1 | [2] |

```python
x = torch.compile(f)
```

<table><tr><td colspan=2>a</td></tr></table>
"""
_PAGE = (
    "<html><head><title>T</title></head><body><article><p>Text. <a href='/x'>y</a></p><pre>a</pre></article>"
)
_RELEASE = '[{"tag_name": "v2.4.0", "body": "# Notes\\n\\ntext", "html_url": "", "name": "PyTorch 2.4"}]'
_QUESTIONS = (
    "what changed between 2.1 and 2.4 on CUDA 12.4?",
    "What is FSDP2?\nand in 2.6?",
    "torch.compile 在2.4里比2.3快多少？",
    "xianzai zenme shiyong fenbushi xunlian",
    "quantizashun since PyTorch 2.x\n那 ROCm 呢？",
)

SEEDS: dict[str, tuple[str, ...]] = {
    "pages": (_PAGE,),
    "loaders": (_NOTES, _RELEASE, "---\ntitle: T\nrelease: 2.4\n---\n# T\n\ntext"),
    "sections": (_NOTES,),
    "splitter": (_NOTES,),
    "segmenter": (_NOTES, *_QUESTIONS),
    "question": _QUESTIONS,
    "marks": (
        "It is faster [1]. See x.shape[1], a_b.c[2] and 【1-3】.\n\n- `y[1]` [1][2]\n<think>[9]</think>",
    ),
    "slack": ("<@U1> is <https://x.org|x.org> in <#C1|general> &lt; 2.4?", _NOTES),
    "reports": (
        '{"fact": "a", "value": 1}\n{"equal": "b", "difference": 0.1, "limit": 1}',
        '{"ratio": "c", "values": [1.0, 2], "baseline_seconds": [0.004], "threads": 2}',
        '{"warning": "w", "category": "c", "file": "f", "code": "", "line": 1, "by": ""}',
        '{"error": "e", "frames": [["f", 1, "c"]], "outside": 0}\n{"missing": "m", "why": "w"}',
    ),
}
