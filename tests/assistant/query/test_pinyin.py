"""Pinyin: read as Chinese where it is pinyin, left alone where it is anything else."""

from __future__ import annotations

import pytest

from assistant.assistant import Assistant
from assistant.query.pinyin import Pinyin, looks_like_pinyin
from ingest.segment import Segmenter


@pytest.fixture(scope="module")
def pinyin() -> Pinyin:
    return Pinyin(Segmenter().frequencies, {"后端", "编译", "编译器"}.__contains__)


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        pytest.param("TCPStore de moren houduan shi shenme", "TCPStore 的默认后端是什么", id="words"),
        pytest.param("zhi chi python 3.13 ma", "支持 python 3.13 吗", id="syllables"),
        pytest.param("zenme zai linux shang yong cuBLAS", "怎么在 linux 上用 cuBLAS", id="names"),
        pytest.param("windows shang bianyi CPU daima", "windows 上编译 CPU 代码", id="foreign words stay"),
    ],
)
def test_pinyin_becomes_chinese(pinyin: Pinyin, typed: str, read: str) -> None:
    assert pinyin.read(typed) == read


@pytest.mark.parametrize(
    "text",
    [
        "can you change the range of a long pen",
        "what breaks in torch.export in 2.8?",
        "zenme shiyong torch.compile",  # two words are too few to tell
        "TCPStore 的 moren 后端",
        "he",
        "",
    ],
)
def test_other_text_is_left_alone(pinyin: Pinyin, text: str) -> None:
    assert not looks_like_pinyin(text) and pinyin.read(text) == text


def test_a_question_in_pinyin_is_answered_in_chinese(assistant: Assistant) -> None:
    answer = assistant.ask("2.4 de TCPStore moren houduan shi shenme")
    assert answer.language == "zh" and not answer.abstained
    assert answer.question == "2.4 de TCPStore moren houduan shi shenme"
    assert "默认后端" in answer.standalone
