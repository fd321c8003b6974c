"""The language of a question: one function tells it, for what acknowledges and for what answers."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from assistant.assistant import Assistant
from assistant.query.question_language import question_language
from tests.rows import each_row

ROOT = Path(__file__).resolve().parents[3]
QUESTIONS = [
    ("TCPStore 在 2.4 里默认用什么后端？", "zh"),
    ("torch.compile 支持 Python 3.12 吗", "zh"),
    ("FlexAttention是什么", "zh"),
    ("PyTorch 2.4 的 new features 有哪些", "zh"),
    ("怎么在 2.4 里 disable libuv backend of TCPStore", "zh"),
    ("日志刷屏 Please pass in use_reentrant=True explicitly，怎么去掉", "zh"),
    ("RuntimeError: it is not supported on this device 是不是要升级", "zh"),
    ("What does 张量并行 mean in 2.3?", "en"),
    ("What is 脉冲?", "en"),
    ("Which release added FlexAttention?", "en"),
    ("torch.compile", "en"),
    ("", "en"),
    ("？", "en"),
    ("TORCH_LOGS 怎么用", "zh"),
    ("the 默认 后端 是 libuv 还是 别的 什么 东西", "zh"),
    ("ＴＣＰＳｔｏｒｅ ｉｓ ｔｈｅ 后端 ｏｆ ｗｈａｔ？", "en"),
    ("2.4 de TCPStore moren houduan shi shenme", "zh"),
    ("zenme zai linux shang yong cuBLAS", "zh"),
    ("torch.Tensor.to 呢？", "zh"),
    ("为什么这段报错？\n```python\nfor i in range(3):\n    x = y if x is not None else z\n```", "zh"),
    ("Why does this fail?\n```python\n# 中文注释在代码里不算数，也不应该算数\nx = 1\n```", "en"),
    ("https://example.org/is/the/one/for/all 这一页讲的改动是哪个版本的", "zh"),
]


@each_row(("text", "language"), QUESTIONS)
def test_the_language_is_that_of_the_grammar(text: str, language: str) -> None:
    assert question_language(text) == language


@pytest.mark.parametrize(("text", "language"), QUESTIONS[:-3:2] + QUESTIONS[1:14:4])
def test_an_answer_is_in_that_language(assistant: Assistant, text: str, language: str) -> None:
    if text:
        assert assistant.ask(text).language == language
        assert assistant.ask(text, ["What is FlexAttention?"]).language == language
        assert assistant.ask(text, ["FlexAttention 是什么？"]).language == language


def test_nothing_else_tells_the_language_of_a_question() -> None:
    """`document_language` is for documents: who reads them, and what compares quotes of them."""
    allowed = {"ingest/language.py", "ingest/metadata.py", "assistant/feedback/export.py"}
    users = {
        path.relative_to(ROOT).as_posix()
        for package in ("corpus", "ingest", "index", "assistant", "ui")
        for path in (ROOT / package).rglob("*.py")
        if re.search(r"\b(?:detect|document)_language\b", path.read_text(encoding="utf-8"))
    }
    assert users == allowed
