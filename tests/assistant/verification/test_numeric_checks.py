"""Agreement: figures of a sentence belong to the same things as in its quotes."""

from __future__ import annotations

import pytest

from assistant.text.claim_facts import holds_name, points
from assistant.text.quantities import amounts
from assistant.verification.numeric_checks import (
    counted,
    listed,
    misattributed,
    miscounted,
)
from ingest.language import document_language
from ingest.segment import stem
from tests.rows import each_row

COMMITS = ["426 contributors made 3393 commits."]
COMMITS_ZH = ["426 位贡献者提交了 3393 次提交。"]
SUITES = ["HuggingFace +18%, TorchBench +19%."]
SUITES_ZH = ["HuggingFace 加速 18%，TorchBench 加速 19%。"]


@each_row(
    ("text", "quotes", "amount"),
    [
        pytest.param("3393 contributors made 426 commits.", COMMITS, "3393", id="exchanged"),
        pytest.param("426 people made 3393 commits.", COMMITS, "", id="in other words"),
        pytest.param("There were 3,393 commits of 426 contributors.", COMMITS, "", id="in another order"),
        pytest.param("3393 位贡献者提交了 426 次提交。", COMMITS_ZH, "3393", id="exchanged, in Chinese"),
        pytest.param("共有 426 位贡献者。", COMMITS_ZH, "", id="right, in Chinese"),
        pytest.param("500 contributors made 3393 commits.", COMMITS, "", id="a figure that no quote has"),
    ],
)
def test_a_number_counts_what_it_counts_in_the_quote(text: str, quotes: list[str], amount: str) -> None:
    assert miscounted(text, quotes, stem) == amount


@each_row(
    ("text", "quotes", "amount"),
    [
        pytest.param("HuggingFace gains 19%, TorchBench 18%.", SUITES, "19 %", id="exchanged"),
        pytest.param("Up to 18% on HuggingFace and 19% on TorchBench.", SUITES, "", id="right"),
        pytest.param("TorchBench gains 18%.", SUITES, "18 %", id="one alone"),
        pytest.param(
            "HuggingFace 加速 19%，TorchBench 加速 18%。", SUITES_ZH, "19 %", id="exchanged, in Chinese"
        ),
        pytest.param("TorchBench 提速 19%。", SUITES_ZH, "", id="right, in Chinese"),
        pytest.param(
            "HuggingFace and TorchBench gain 18% and 19% respectively.", SUITES, "", id="respectively"
        ),
        pytest.param(
            "HuggingFace and TorchBench gain 19% and 18% respectively.",
            SUITES,
            "19 %",
            id="respectively, not",
        ),
        pytest.param("HuggingFace 和 TorchBench 分别加速 19% 和 18%。", SUITES_ZH, "19 %", id="分别, not"),
        pytest.param("HuggingFace 和 TorchBench 分别加速 18% 和 19%。", SUITES, "", id="分别"),
        pytest.param(
            "TorchBench gains 18%.",
            ["HuggingFace and TorchBench gain 18% and 19%, respectively."],
            "18 %",
            id="respectively in the quote",
        ),
        pytest.param("HuggingFace gains 20%.", SUITES, "", id="a figure that no quote has"),
    ],
)
def test_an_amount_belongs_to_the_name_beside_it(text: str, quotes: list[str], amount: str) -> None:
    language = document_language(text)
    assert misattributed(text, quotes, lambda part: points(part, language).names, holds_name) == amount


@each_row(
    ("count", "text", "held"),
    [
        pytest.param("two backends", "Gloo and NCCL", True, id="two"),
        pytest.param("3 种编译器", "支持 MSVC、clang 和 Intel 编译器。", True, id="three, in Chinese"),
        pytest.param("three backends", "Gloo and NCCL", False, id="fewer"),
        pytest.param("three backends", "Gloo. NCCL. And MPI.", False, id="several sentences"),
        pytest.param("2 GB", "Gloo and NCCL", False, id="a unit counts nothing"),
        pytest.param("1 thing", "Gloo and NCCL", False, id="one is no list"),
        pytest.param("13 things", ", ".join("abcdefghijklm"), False, id="too many to be counted"),
    ],
)
def test_a_small_number_may_be_that_of_a_list(count: str, text: str, held: bool) -> None:
    assert listed(amounts(count)[0], [text]) is held


def test_bare_numbers_and_what_they_count() -> None:
    assert counted("426 contributors, 16 GB and 12 new operators", stem) == {
        ("426", stem("contributors")),
        ("12", stem("operators")),
    }
