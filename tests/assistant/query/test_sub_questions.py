"""Questions of several parts: split by sentence ends, question marks, and conjunctions before questions."""

from __future__ import annotations

import pytest

from assistant.query.sub_questions import MOST_PARTS, sub_questions


@pytest.mark.parametrize(
    ("question", "parts"),
    [
        ("How do I save a model, and does torch.jit still work on Python 3.14?",
         ["How do I save a model", "does torch.jit still work on Python 3.14?"]),
        ("Which Pythons does 2.10 support? Can I use the free-threaded build?",
         ["Which Pythons does 2.10 support?", "Can I use the free-threaded build?"]),
        ("I moved to 2.6. Why does torch.load fail now? Is it safe to switch it back?",
         ["Why does torch.load fail now?", "Is it safe to switch it back?"]),
        ("2.4 的 TCPStore 默认用 libuv 吗，另外旧后端怎么写？",
         ["2.4 的 TCPStore 默认用 libuv 吗", "旧后端怎么写？"]),
        ("从哪个版本开始支持 Python 3.13？要注意什么问题？",
         ["从哪个版本开始支持 Python 3.13？", "要注意什么问题？"]),
    ],
)  # fmt: skip
def test_parts_of_a_question(question: str, parts: list[str]) -> None:
    assert sub_questions(question) == parts


@pytest.mark.parametrize(
    "question",
    [
        "What is the default backend of TCPStore in 2.4?",
        "What changed between 2.9 and 2.14?",
        "Does torch.compile work on Windows and macOS?",
        "I upgraded to 2.6. torch.load fails.",
        "How do I turn it off? Why?",
        "V100 上装 2.11 的默认 wheel 报 no kernel image，为什么？",
        "",
    ],
)
def test_one_question_has_no_parts(question: str) -> None:
    assert sub_questions(question) == []


def test_there_are_three_parts_at_most() -> None:
    many = " ".join(f"What changed in release 2.{minor}?" for minor in range(9))
    assert len(sub_questions(many)) == MOST_PARTS
