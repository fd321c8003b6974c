"""The language of prose."""

from __future__ import annotations

from ingest.language import document_language
from tests.rows import each_row


@each_row(
    ("text", "language"),
    [
        ("PyTorch 2.6 现在支持 torch.compile 与 Python 3.13 一起使用。", "zh"),
        ("Use `torch.compile` with Python 3.13; the Chinese name is 编译.", "en"),
        (
            "使用方法：\n```python\nimport torch\nmodel = torch.compile(model, dynamic=True, mode=x)\n```",
            "zh",
        ),
        ("详见 https://pytorch.org/docs/stable/torch.nn.functional.scaled_dot_product_attention.html", "zh"),
        ("```\n# 中文注释在代码里不算数\n```\nPlain English prose.", "en"),
        ("2.6", "en"),
    ],
    ids=["names in chinese", "chinese word in english", "much code", "long address", "comments", "nothing"],
)
def test_the_prose_decides(text: str, language: str) -> None:
    assert document_language(text) == language
