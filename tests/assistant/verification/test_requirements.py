"""Demands: what of a statement must stand in its quotes, clause by clause."""

from __future__ import annotations

import pytest

from assistant.verification.evidence import grounds_of
from assistant.verification.requirements import ClaimRequirements, UnmetRequirement
from ingest.language import document_language
from tests.assistant.passages import passage
from tests.assistant.proving import reading
from tests.rows import each_row

BODY = """## FlexAttention {#flex}

FlexAttention is a prototype in PyTorch 2.5.
FlexAttention takes 30% less memory than SDPA on H100.
Grouped matmul takes 70% less memory than a loop on A100.

`torch.jit` will be removed in PyTorch 2.9.
Since PyTorch 2.2 it listens on IPv6, and before PyTorch 2.2 on IPv4 alone.
It supports MSVC, clang and the Intel compiler.
Call `flex_attention(q, k, v)` for it.
"""


def quotes(text: str, first: str) -> list[str]:
    """The quotes for a statement; `first` is in the ground that is nearest to it."""
    ranked = sorted(grounds_of(passage(BODY, "en-2.5")), key=lambda ground: first not in ground.raw)
    checked = ClaimRequirements(reading(), text, ranked, document_language(text)).check()
    if checked.unmet:
        raise checked.unmet[0]
    return [ground.text for ground in checked.quotes]


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        pytest.param("FlexAttention takes 30 percent less memory on H100.", "30%", id="amount"),
        pytest.param("FlexAttention 在 H100 上省三成显存。", "30%", id="amount in Chinese"),
        pytest.param("FlexAttention is experimental.", "prototype", id="status"),
        pytest.param("`torch.jit` will be removed in PyTorch 2.9.", "will be removed", id="plan"),
        pytest.param("It has listened on IPv6 since PyTorch 2.2.", "2.2", id="release"),
    ],
)
def test_a_demand_is_met_by_a_quote(text: str, quote: str) -> None:
    assert any(quote in told for told in quotes(text, quote))


def test_a_statement_of_several_clauses_may_have_several_quotes() -> None:
    text = "FlexAttention takes 30% less memory than SDPA, while grouped matmul takes 70% less on A100."
    assert {told[:4] for told in quotes(text, "30%")} == {"Flex", "Grou"}


def test_a_number_of_what_is_listed_needs_no_quote() -> None:
    assert quotes("It supports three compilers: MSVC, clang and that of Intel.", "MSVC") == []
    with pytest.raises(UnmetRequirement, match="no quote has 7"):
        quotes("It supports seven compilers: MSVC, clang and that of Intel.", "MSVC")


def test_names_that_the_nearest_ground_holds_need_no_other() -> None:
    assert quotes("Call `flex_attention(q, k, v)`.", "Call") == []
    assert quotes("Call `flex_attention(q, k, v)`.", "MSVC") == ["Call `flex_attention(q, k, v)` for it."]


def test_names_spelled_like_any_word_are_no_requirement() -> None:
    grounds = grounds_of(passage(BODY, "en-2.5"))
    required = ClaimRequirements(reading(), "FlexAttention 支持 clang 的 profiling。", grounds, "zh")
    assert required.check().quotes and required.words_lacking() == 0.5
    assert ClaimRequirements(reading(), "FlexAttention 更快。", grounds, "zh").words_lacking() == 0


def test_the_release_of_the_passage_needs_no_quote() -> None:
    assert quotes("In 2.5 FlexAttention takes less memory.", "30%") == []


@each_row(
    ("text", "first", "reason"),
    [
        pytest.param("It runs with `gloo`.", "30%", "^gloo does not occur in the passage$", id="name"),
        pytest.param(
            "Call `flex_attention(q, v)`.", "flex_", r"^flex_attention\(q, v\) does not", id="arguments"
        ),
        pytest.param("FlexAttention takes 40% less memory.", "30%", "^no quote has 40 %$", id="amount"),
        pytest.param(
            "FlexAttention takes 70% less memory than SDPA on H100.",
            "30%",
            "^no quote has 70 %$",
            id="amount of another thing",
        ),
        pytest.param("It takes 30 GB.", "30%", "^no quote has 30 GB$", id="unit"),
        pytest.param("FlexAttention is stable.", "prototype", "^no quote calls it stable$", id="status"),
        pytest.param(
            "`torch.jit` is removed.", "will be", "^no quote calls it removed$", id="what is only planned"
        ),
        pytest.param(
            "It listens on IPv6 since PyTorch 2.1.",
            "IPv6",
            "^the passage says so of another release than 2.1",
            id="release",
        ),
    ],
)
def test_a_demand_that_no_quote_meets_is_told(text: str, first: str, reason: str) -> None:
    with pytest.raises(UnmetRequirement, match=reason):
        quotes(text, first)


CONFLICTS = {
    "another figure": ("FlexAttention takes 40% less memory than SDPA on H100.", "30%", True),
    "no figure": ("FlexAttention takes 40 GB.", "30%", False),
    "another status": ("FlexAttention is stable in PyTorch 2.5.", "prototype", True),
    "no status": ("Grouped matmul is stable.", "70%", False),
    "only planned": ("`torch.jit` is removed.", "will be", True),
    "only planned, in Chinese": ("`torch.jit` 已移除。", "will be", True),
    "planned": ("`torch.jit` 要等到 2.9 才移除。", "will be", None),
    "another release": ("It listens on IPv6 since PyTorch 2.1.", "IPv6", True),
    "another name": ("It supports MSVC, clang and the `icx` compiler.", "MSVC", False),
    "another value": ("Pass `mode=9` to it.", "30%", False),
}


@each_row(("text", "first", "conflict"), CONFLICTS.values(), ids=CONFLICTS)
def test_what_a_quote_says_instead_is_a_conflict(text: str, first: str, conflict: bool | None) -> None:
    ranked = sorted(grounds_of(passage(BODY, "en-2.5")), key=lambda ground: first not in ground.raw)
    unmet = ClaimRequirements(reading(), text, ranked, document_language(text)).check().unmet
    assert (any(each.conflict for each in unmet) if unmet else None) == conflict


def test_names_and_figures_of_the_question_are_no_requirement() -> None:
    grounds = grounds_of(passage(BODY, "en-2.5"))
    text = "On 77 `zorblax` nodes FlexAttention takes 30% less memory."
    question = "How much memory does FlexAttention take on my 77 zorblax nodes?"
    assert not ClaimRequirements(reading(), text, grounds, "en", question).check().unmet
    assert len(ClaimRequirements(reading(), text, grounds, "en").check().unmet) == 2
    release = "Since PyTorch 1.9 it listens on IPv6."
    assert ClaimRequirements(reading(), release, grounds, "en", "Is it so in 1.9?").check().unmet


BORROWED = """## FlexAttention {#flex}

`torch.export` is stable in PyTorch 2.5.
FlexAttention fuses attention kernels.
"""


def test_a_status_is_not_borrowed_from_a_sentence_about_something_else() -> None:
    grounds = grounds_of(passage(BORROWED, "en-2.5"))
    for text in ("FlexAttention is stable in PyTorch 2.5.", "FlexAttention 在 2.5 中是稳定版。"):
        (unmet,) = ClaimRequirements(reading(), text, grounds, document_language(text)).check().unmet
        assert unmet.reason == "no quote calls it stable" and not unmet.conflict
    told = (
        ClaimRequirements(reading(), "`torch.export` is stable in PyTorch 2.5.", grounds, "en").check().quotes
    )
    assert "torch.export" in told[0].text
