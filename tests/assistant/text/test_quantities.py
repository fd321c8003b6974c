"""Amounts: one number is the same however it is spelt, and a name holds none."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.text.quantities import amounts
from tests.rows import each_row


def told(text: str) -> list[tuple[str, str]]:
    return [(amount.value, amount.unit) for amount in amounts(text)]


SPELLINGS: dict[tuple[str, str], list[str]] = {
    ("2", "x"): [
        *("2x", "2×", "2 X", "2.0x", "2 times", "two times", "2-fold", "twofold", "twice", "doubled"),
        *("2 倍", "2倍", "两倍", "二倍", "提升2倍", "２倍"),
    ],
    ("1.5", "x"): ["1.5x", "1.50x", "1.5 倍", "一点五倍"],
    ("30", "%"): [
        *("30%", "30 %", "30％", "30 percent", "30 per cent", "thirty percent", "30.0%"),
        *("百分之三十", "百分之 30", "三成", "3 成", "提升30%"),
    ],
    ("50", "%"): ["half of it", "一半", "减半", "1/2", "五成", "50%"],
    ("5", "pp"): ["5 percentage points", "5 个百分点", "五个百分点"],
    ("25", "%"): ["25%", "twenty-five percent", "百分之二十五"],
    ("1000", ""): ["1000", "1,000", "1，000", "10 hundred", "1 thousand", "1K", "1k", "一千个", "1 千"],
    ("2000000", ""): ["2 million", "2M", "two million", "200 万", "200万", "二百万", "两百万行", "2,000,000"],
    ("100000000000", ""): ["100B", "100 billion", "1000 亿", "1000亿参数", "一千亿", "千亿参数", "100B参数"],
    ("5000000000000", ""): ["5T", "5 trillion", "5 万亿"],
    ("12", ""): ["12 kinds", "twelve kinds", "十二种", "12 种"],
    ("16", "GB"): ["16 GB", "16GB", "16 GiB", "16GB显存"],
    ("16", "s"): ["16 s", "16 seconds", "sixteen seconds", "16 秒", "缩短16秒"],
    ("30", "ms"): ["30 ms", "30ms内", "30 milliseconds", "30 毫秒"],
    ("99", "us"): ["99 us", "99 µs", "99 microseconds", "99 微秒"],
    ("8", "bit"): ["8-bit", "8 bits", "8 位整数", "支持8位量化", "8 比特"],
    ("8", "gpu"): ["8 GPUs", "eight GPUs", "8 张卡", "八块显卡"],
    ("4", "core"): ["4 cores", "four cores", "4 核"],
}


@each_row(
    ("text", "amount"),
    [pytest.param(text, amount, id=text) for amount, texts in SPELLINGS.items() for text in texts],
)
def test_every_spelling_is_the_same_amount(text: str, amount: tuple[str, str]) -> None:
    assert told(text) == [amount]


@each_row(
    "text",
    [
        *("2024-07-24", "2024/7/24", "2024.7.24", "2024 年 7 月 24 日", "2024年7月24日", "2024年07月24日"),
        *("July 24, 2024", "Jul 24, 2024", "24 July 2024", "July 24th, 2024", "on July 24 of 2024"),
    ],
)
def test_a_date_is_its_year_month_and_day(text: str) -> None:
    found = told(text)
    assert {value for value, _ in found} == {"2024", "7", "24"} and len(found) == 3
    assert ("7", "month") in found


@pytest.mark.parametrize(
    ("text", "value"),
    [("2.10", "2.10"), ("PyTorch 2.1", "2.1"), ("v2.4", "2.4"), ("2.4起", "2.4"), ("2.4.0", "2.4.0")],
)
def test_a_bare_decimal_stays_as_it_is_written(text: str, value: str) -> None:
    assert told(text) == [(value, "")]


@each_row(
    "text",
    [
        *(
            "H100",
            "int8",
            "x86",
            "s390x",
            "bf16",
            "cu121",
            "sm_90",
            "MI300X",
            "IPv6",
            "aarch64",
            "FlashAttention-2",
        ),
        *("用H100训练", "int8量化"),
    ],
)
def test_a_name_holds_no_amount(text: str) -> None:
    assert told(text) == []


@each_row(
    "text",
    [
        *("one of them", "zero", "一个", "一些", "统一", "三维", "成功", "千万不要", "万一", "成千上万"),
        *("you may use it", "march on", "the someone", "half-precision"),
    ],
)
def test_words_that_count_nothing_are_no_amounts(text: str) -> None:
    assert told(text) == []


@each_row(
    ("text", "amount"),
    [
        pytest.param("426 位贡献者", ("426", ""), id="people are no bits"),
        pytest.param("两位作者", ("2", ""), id="nor are authors"),
        pytest.param("三成为", ("3", ""), id="to become is no tenth"),
        pytest.param("3 个月", ("3", ""), id="months that last are no month"),
        pytest.param("two hundred GPUs", ("200", "gpu"), id="hundreds"),
        pytest.param("百分之一点五", ("1.5", "%"), id="a Chinese fraction"),
    ],
)
def test_what_follows_a_number_decides(text: str, amount: tuple[str, str]) -> None:
    assert told(text) == [amount]


def test_several_amounts_come_in_order_with_their_places() -> None:
    text = "从 1.3 倍到 1.8 倍，显存减少30%"
    found = amounts(text)
    assert [text[a.start : a.end] for a in found] == ["1.3 倍", "1.8 倍", "30%"]


@given(st.integers(min_value=2, max_value=9999), st.sampled_from(["", "提升", "the ", "（"]))
def test_a_number_is_found_in_either_language(number: int, before: str) -> None:
    assert told(f"{before}{number}倍") == told(f"{before}{number:,} times") == [(str(number), "x")]


@given(st.text())
def test_no_text_breaks_it(text: str) -> None:
    assert all(0 <= a.start < a.end <= len(text) for a in amounts(text))
