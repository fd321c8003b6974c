"""Polarity: the opposite of a quote is found, a paraphrase is not called one."""

from __future__ import annotations

import pytest

from assistant.verification.negation import negated, opposed, other_value
from tests.rows import each_row

OPPOSED = {
    "not": ("It runs on Windows.", "It does not run on Windows."),
    "n't": ("It doesn’t support Windows.", "It supports Windows."),
    "can't": ("It can't be compiled.", "The model can be compiled ahead of time."),
    "no longer": ("PyTorch no longer publishes wheels.", "PyTorch publishes wheels."),
    "不再": ("2.6 起不再支持 Conda。", "2.6 起支持 Conda。"),
    "不": ("支持 Windows。", "不支持 Windows。"),
    "无法": ("模型无法编译。", "模型可以编译。"),
    "slower": ("It is slower than eager.", "It is faster than eager."),
    "更慢": ("比 eager 更慢。", "比 eager 更快。"),
    "提高": ("显存占用提高。", "显存占用降低。"),
    "enabled": ("The mode is disabled.", "The mode is enabled."),
    "默认禁用": ("libuv 默认禁用。", "libuv 默认启用。"),
    "at least": ("It needs at most 8 GPUs.", "It needs at least 8 GPUs."),
    "valid": ("The input is valid.", "The input is invalid."),
    "drops": ("It drops support for Volta.", "It supports Volta."),
}
PARAPHRASES = {
    "the same words": ("It does not run on Windows.", "It does not run on Windows."),
    "no as an answer": ("No, it does not run on Windows.", "It does not run on Windows."),
    "没有 as an answer": ("没有，已停止发布。", "已停止发布。"),
    "yes as an answer": ("能，支持 Windows。", "支持 Windows。"),
    "need not": ("You need not install Triton.", "There is no need to install Triton."),
    "无需": ("无需安装 Triton。", "不必安装 Triton。"),
    "without": ("It is not tied to Python.", "It is made for servers without Python."),
    "stop": ("PyTorch stopped publishing to Conda.", "PyTorch no longer publishes to Conda."),
    "停止": ("2.6 起停止在 Conda 上发布。", "2.6 起不再在 Conda 上发布。"),
    "not only": ("Not only CUDA is supported but XPU.", "CUDA and XPU are supported."),
    "不仅": ("不仅支持 CUDA，还支持 XPU。", "支持 CUDA 和 XPU。"),
    "不同": ("它与 eager 不同。", "它和 eager 有差别。"),
    "是否": ("由标志决定是否支持 Windows。", "标志决定支持 Windows 与否。"),
    "or not": ("It runs without Python.", "The environment may have Python or not."),
    "said both ways": ("A trusted file may, one you don't trust must not.", "It needs a file of trust."),
    "n't have to": ("You don't have to install SoX.", "SoX is used without installing it."),
    "lower": ("This reduces memory use.", "Memory use is lower."),
    "both directions": ("Faster on GPUs, slower on CPUs.", "It is slower on CPUs and faster on GPUs."),
    "a fix": ("It no longer crashes on Windows.", "Fixed a crash on Windows."),
    "a fix, in Chinese": ("不再泄漏内存。", "修复泄漏内存的问题。"),
    "never more": ("It never increases memory.", "Memory does not grow."),
    "nothing negated": ("TCPStore 默认使用 libuv。", "TCPStore 服务端现在默认使用 libuv 后端。"),
}


@each_row(("text", "quote"), OPPOSED.values(), ids=OPPOSED)
def test_the_opposite_is_found_either_way(text: str, quote: str) -> None:
    assert opposed(text, [quote])
    assert opposed(quote, [text])


@each_row(("text", "quote"), PARAPHRASES.values(), ids=PARAPHRASES)
def test_a_paraphrase_is_no_opposite(text: str, quote: str) -> None:
    assert opposed(text, [quote]) == ""


def test_the_word_is_told() -> None:
    assert opposed("It is slower.", ["It is faster."]) == "slower"
    assert opposed("不支持 Windows。", ["支持 Windows。"]) == "支持"


def test_only_negations_of_the_same_cancel() -> None:
    assert opposed("It runs on Windows but not on Linux.", ["It does not run on Windows."]) == "run"
    assert opposed("It does not run on Windows or Linux.", ["It does not run on Windows."]) == ""
    assert opposed("It runs on Windows without a driver.", ["It does not run on Windows."]) == "run"
    assert opposed("它支持 Windows，但没有文档。", ["它不支持 Windows。"]) == "支持"


@pytest.mark.parametrize(
    ("text", "quotes", "value"),
    [
        pytest.param("The default is `True`.", ["The default is False."], "True", id="other"),
        pytest.param("默认值是 `False`。", ["The default is True."], "False", id="other, in Chinese"),
        pytest.param("The default is `True`.", ["The default is now True, not False."], "", id="same"),
        pytest.param("The default is `True`.", ["It is on by default."], "", id="no value"),
        pytest.param("It is on.", ["The default is False."], "", id="none told"),
    ],
)
def test_true_and_false_are_values(text: str, quotes: list[str], value: str) -> None:
    assert other_value(text, quotes) == value


def test_one_quote_that_says_it_is_enough() -> None:
    assert opposed("It is slower on CPUs.", ["It is faster on GPUs.", "It is slower on CPUs."]) == ""


@each_row(
    ("text", "words"),
    [
        pytest.param("It does not run on Windows", {"run"}, id="not"),
        pytest.param("It cannot be compiled.", {"compil"}, id="cannot, at the end of a sentence"),
        pytest.param("It may no longer be used", {"use"}, id="no longer"),
        pytest.param("invalid input", {"valid"}, id="prefix"),
        pytest.param("不支持 Windows", {"支持"}, id="不"),
        pytest.param("尚未支持", {"支持"}, id="尚未"),
        pytest.param("不得不用, 不同, 有没有支持", set(), id="no negation"),
        pytest.param("You do not have to install it", set(), id="no need"),
    ],
)
def test_what_a_text_negates(text: str, words: set[str]) -> None:
    assert negated(text) == words
