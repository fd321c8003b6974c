"""Announcements: each change told once, by the sentence that tells it."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from assistant.release_diff.sections import saying
from tests.assistant.lives import FLEX_PROTOTYPE, ZH_FLEX, document
from tests.assistant.upgrades import Compared, compared_in, lines

LIST = """# Backwards Incompatible Changes

## Flip the default of torch.load to weights_only=True (#137602)

Pass `weights_only=False` for a file that you trust.

## Python frontend

- `torch.foo` was removed (#140001)
  - and what it called
- `torch.bar` raises a `ValueError` now (#140002)

# Deprecations

- `torch.baz` is going away (#140003)
"""
DIGEST = "## [Breaking] New default of weights_only in torch.load {#load}\n\nThe default is now `True`.\n\n"
ZH_DIGEST = "## [不兼容变更] torch.load 的 weights_only 换了默认值 {#load}\n\n默认值现在是 `True`。\n\n"
SHEET = "## [Beta] Quuxifier {#quux}\n\nThe quuxifier is here to stay.\n"
ZH_SHEET = "## [Beta] 夸克器 {#quux}\n\n夸克器从此可用。\n"


@pytest.fixture
def compared(tmp_path: Path) -> Compared:
    return partial(compared_in, tmp_path)


def test_both_languages_are_one_item(compared: Compared) -> None:
    digests = [
        document("2.5", DIGEST + SHEET, kind="digest"),
        document("2.5", ZH_DIGEST + ZH_SHEET, "zh", kind="digest"),
    ]
    found = compared(*digests, document("2.6", FLEX_PROTOTYPE), document("2.6", ZH_FLEX, "zh"))
    assert lines(found.breaking, "zh") == ["2.5 torch.load 的 weights_only 换了默认值: - > breaking"]
    assert lines(found.breaking) == ["2.5 New default of weights_only in torch.load: - > breaking"]
    assert lines(found.new, "zh") == ["2.5 夸克器: - > beta", "2.6 FlexAttention: - > prototype"]
    assert found.breaking[0].quote("zh") == "默认值现在是 `True`。"
    assert found.new[1].quote("en") == "FlexAttention is an API for attention variants."


def test_translations_without_ids_are_paired_by_their_order(compared: Compared) -> None:
    zh = "# 不兼容变更\n\n## 甲的默认值\n\n甲的默认值变成了零。\n\n## 乙的类型\n\n乙的类型变成了整数。\n"
    en = "# Breaking changes\n\n## Default of A\n\nThe default of A is 0.\n\n## Type of B\n\nB is an int.\n"
    found = compared(document("2.5", zh, "zh", kind="blog"), document("2.5", en, kind="blog"))
    assert [dict(item.names) for item in found.breaking] == [
        {"zh": "甲的默认值", "en": "Default of A"},
        {"zh": "乙的类型", "en": "Type of B"},
    ]


def test_a_list_below_a_heading_is_one_item_a_change(compared: Compared) -> None:
    found = compared(document("2.5", LIST, kind="release-notes"))
    assert [(item.names["en"], item.quote("en")) for item in found.breaking] == [
        (
            "Flip the default of torch.load to weights_only=True",
            "Pass `weights_only=False` for a file that you trust.",
        ),
        ("Python frontend", "- `torch.foo` was removed (#140001)"),
        ("Python frontend", "- `torch.bar` raises a `ValueError` now (#140002)"),
    ]
    assert [item.quote("en") for item in found.deprecated] == ["- `torch.baz` is going away (#140003)"]


def test_the_digest_tells_first_and_the_notes_only_what_it_leaves_out(
    compared: Compared,
) -> None:
    digest = document("2.5", DIGEST, kind="digest")
    found = compared(
        digest, document("2.5", LIST, kind="release-notes"), document("2.5", DIGEST, kind="blog")
    )
    assert [item.told("en").document.kind for item in found.breaking] == ["digest", *["release-notes"] * 2]
    assert [item.names["en"] for item in found.breaking][1:] == ["Python frontend"] * 2


def test_the_users_own_notes_stand_beside_the_digest(compared: Compared) -> None:
    own = "## [Breaking] Our fork drops the quuxifier\n\nUse the one that ships.\n"
    found = compared(document("2.5", DIGEST, kind="digest"), document("2.5", own + DIGEST))
    assert [item.told("en").document.kind for item in found.breaking] == ["digest", "user"]


@pytest.mark.parametrize(
    ("title", "told"),
    [
        pytest.param("弃用 CUDA 11.6 和 Python 3.7", True, id="names-what-goes"),
        pytest.param("已弃用的功能", False, id="group"),
        pytest.param("不兼容变更（PyTorch 2.5）", False, id="group-of-release"),
    ],
)
def test_a_chinese_heading_that_names_what_goes_is_an_item(
    compared: Compared, title: str, told: bool
) -> None:
    found = compared(document("2.5", f"## {title}\n\n请改用更新的版本，详情见下文。\n", "zh", kind="blog"))
    assert bool(found.deprecated) is told and not found.breaking


@pytest.mark.parametrize(
    ("text", "said"),
    [
        pytest.param(
            "`f` lets you choose. `f` is a Beta feature of PyTorch 2.5.",
            "`f` lets you choose.",
            id="code-after",
        ),
        pytest.param(
            "`f` 让你自己选择行为。`f` 是 Beta 功能。", "`f` 让你自己选择行为。", id="code-after-zh"
        ),
        pytest.param(
            "可以把任何 `torch.*` 操作换成自己的。", "可以把任何 `torch.*` 操作换成自己的。", id="code-within"
        ),
        pytest.param(
            "Quuxing is a Beta feature for servers. More on servers.",
            "Quuxing is a Beta feature for servers.",
            id="status-first",
        ),
        pytest.param(
            "Version 2.7.0\n\nCall it with two arguments.", "Call it with two arguments.", id="label"
        ),
        pytest.param("See the documentation.\n\n```python\nf()\n```", "", id="nothing"),
    ],
)
def test_the_sentence_that_tells(compared: Compared, text: str, said: str) -> None:
    (item,) = compared(document("2.5", f"## [Breaking] The thing\n\n{text}\n")).breaking
    assert saying(item.told("en")) == said
    assert item.quote("en") == (said or "## [Breaking] The thing")
