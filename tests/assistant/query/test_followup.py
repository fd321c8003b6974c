"""Follow-ups that bring a new value for a slot of the question before, and those that bring none."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.assistant.query.test_question import read, releases
from tests.rows import each_row


@each_row(
    ("history", "text", "alone"),
    [
        ("What is FlexAttention in 2.5?", "And what about FSDP2?", "What is FSDP2 in 2.5?"),
        ("Since when is FSDP2 available?", "and FlexAttention?", "Since when is FlexAttention available?"),
        ("What changed for FSDP2 in 2.4?", "and DTensor, too?", "What changed for DTensor in 2.4?"),
        ("What is new for the profiler in 2.6?", "And torch.export?", "What is new for torch.export in 2.6?"),
        ("Is torch.export in 2.3 stable?", "How about my_lib.thing?", "Is my_lib.thing in 2.3 stable?"),
        ("2.5 里 SDPA 有什么变化？", "那 FlexAttention 呢？", "2.5 里 FlexAttention 有什么变化?"),
        ("2.3 里张量并行有什么变化？", "流水线并行呢", "2.3 里流水线并行有什么变化?"),
        ("怎么打开 Mega Cache？", "那换成 TORCH_LOGS 的话呢？", "怎么打开 TORCH_LOGS?"),
    ],
)
def test_a_name_takes_the_place_of_another(history: str, text: str, alone: str) -> None:
    question = read(text, [history])
    assert question.standalone == question.clean == alone and question.text == text
    assert replace(question, text=alone) == replace(read(alone), language=question.language)


@each_row(
    ("history", "text", "alone"),
    [
        ("What is FSDP2?", "and in 2.6?", "What is FSDP2 in 2.6?"),
        ("What is FSDP2 in PyTorch 2.4?", "What about PyTorch 2.6?", "What is FSDP2 in PyTorch 2.6?"),
        ("Tell me about FSDP2", "in 2.6?", "Tell me about FSDP2 in 2.6?"),
        ("What is FSDP2 in 2.4?", "2.6?", "What is FSDP2 in 2.6?"),
        ("FSDP2 在 2.4 里怎么用？", "2.6 版", "FSDP2 在 2.6 里怎么用?"),
        ("What is FlexAttention in 2.5?", "And in the next release?", "What is FlexAttention in 2.6?"),
        ("FSDP2 是什么？", "那 2.6 里呢？", "2.6 里 FSDP2 是什么?"),
        ("怎么用 FSDP2？", "那在 2.7 版里呢？", "2.7 里怎么用 FSDP2?"),
        ("FlexAttention 在 2.5 里怎么样", "那 2.6 呢？", "FlexAttention 在 2.6 里怎么样"),
        ("FlexAttention 在2.5里怎么样", "上一版呢", "FlexAttention 在2.4里怎么样"),
        ("What is FSDP2 in 2.4?", "and FlexAttention in 2.5?", "What is FlexAttention in 2.5?"),
        ("2.4 里 TCPStore 有什么变化", "那 DTensor 在 2.6 里呢", "2.6 里 DTensor 有什么变化"),
    ],
)
def test_a_release_takes_its_place(history: str, text: str, alone: str) -> None:
    question = read(text, [history])
    assert question.standalone == alone and releases(question) == releases(read(alone)) != []


@pytest.mark.parametrize(
    ("history", "text", "alone"),
    [
        (
            "Does torch.compile run on Windows in 2.5?",
            "and on Linux?",
            "Does torch.compile run on Linux in 2.5?",
        ),
        (
            "Does torch.compile run on Windows in 2.5?",
            "and FlexAttention?",
            "Does FlexAttention run on Windows in 2.5?",
        ),
        (
            "Does torch.compile work on Python 3.12 in 2.4?",
            "And 3.13?",
            "Does torch.compile work on Python 3.13 in 2.4?",
        ),
        (
            "2.5 的 torch.compile 能在 Windows 上用吗？",
            "那 macOS 上呢？",
            "2.5 的 torch.compile 能在 macOS 上用吗?",
        ),
        ("How does torch.compile work with FSDP2?", "and with DDP?", "How does torch.compile work with DDP?"),
    ],
    ids=["place", "feature beside a place", "version of something else", "chinese", "by its preposition"],
)
def test_a_value_takes_the_place_of_one_of_its_kind(history: str, text: str, alone: str) -> None:
    assert read(text, [history]).standalone == alone


def test_follow_ups_fill_slots_one_after_the_other() -> None:
    history = ["What is FSDP2?", "and in 2.4?", "what about FlexAttention?"]
    assert read("and the next release?", history).standalone == "What is FlexAttention in 2.5?"
    assert (
        read("Does it run on CPU?", history).standalone == "What is FlexAttention in 2.4? Does it run on CPU?"
    )


@each_row(
    ("history", "text"),
    [
        ("What is FlexAttention in 2.5?", "And why?"),
        ("What is FlexAttention in 2.5?", "And the API?"),
        ("What is FlexAttention in 2.5?", "and the memory usage?"),
        ("What is FlexAttention in 2.5?", "And FSDP2 and DTensor?"),
        ("What is FlexAttention in 2.5?", "And FlexAttention?"),
        ("What is FlexAttention in 2.5?", "And since 2.4?"),
        ("Which release added FSDP2?", "and in 2.6?"),
        ("How does torch.compile work with FSDP2?", "and DDP?"),
        ("What changed from 2.3 to 2.5?", "and in 2.6?"),
        ("What is new in the latest release?", "and in 2.4?"),
        ("2.4 里 TCPStore 的默认后端是什么？", "那性能呢？"),
        ("2.4 里 TCPStore 的默认后端是什么？", "那它有什么好处呢？"),
    ],
)
def test_what_fills_no_one_slot_is_read_beside_the_question_before(history: str, text: str) -> None:
    assert read(text, [history]).standalone == f"{read(history).clean} {read(text).clean}"


@each_row(
    ("text", "leans"),
    [
        ("How do I go back to the old one?", True),
        ("So which one is faster on large jobs?", True),
        ("Is there a faster one for large jobs?", True),
        ("the other one", True),
        ("怎么换回旧的？", True),
        ("训练大模型的时候哪个更快？", True),
        ("另一个要怎么打开？", True),
        ("原来的那个叫什么？", True),
        ("Is 2.4 the one with asynchronous checkpoints?", False),
        ("Is one GPU enough to train with torch.compile?", False),
        ("训练大模型用哪个优化器？", False),
    ],
)
def test_one_of_those_spoken_of_leans_on_the_question_before(text: str, leans: bool) -> None:
    history = "What is the default backend of TCPStore in 2.4?"
    clean = read(text).clean
    assert read(text, [history]).standalone == (f"{history} {clean}" if leans else clean)


@pytest.mark.parametrize(
    ("history", "text"),
    [
        ("Since when are Intel GPUs supported?", "and on Windows?"),
        ("Intel GPU 从哪个版本开始支持？", "Windows 上呢"),
    ],
)
def test_a_system_does_not_take_the_place_of_a_processor(history: str, text: str) -> None:
    question = read(text, [history])
    assert question.standalone.endswith(text) and "Intel GPU" in question.standalone


def test_follow_ups_that_name_nothing_do_not_add_up() -> None:
    first = "What is FlexAttention?"
    assert (
        read("is it stable?", [first, "why?", "how do I turn it on?"]).standalone == f"{first} is it stable?"
    )
    named = [first, "does it work on CPU?", "why?"]
    assert read("is it stable?", named).standalone == f"{first} does it work on CPU? is it stable?"
    assert read("on Mac?", [first, "how do I use it?"]).standalone == f"{first} how do I use it? on Mac?"
    other = [first, "how do I get the old behaviour back?"]
    assert read("what error do I get?", other).standalone == f"{first} what error do I get?"
