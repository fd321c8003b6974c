"""Upgrades as Markdown: documents are data."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from assistant.release_diff.markdown import escaped, to_markdown
from assistant.release_diff.upgrade import GROUPS
from tests.assistant.lives import document
from tests.assistant.upgrades import Compared, compared_in


@pytest.fixture
def compared(tmp_path: Path) -> Compared:
    return partial(compared_in, tmp_path)


def test_the_words_of_documents_are_data(compared: Compared) -> None:
    text = (
        "## [Breaking] `__init__` of [x](javascript:a) <b>|</b> *y*\n\n"
        "Call `a|b_c` not __x__ or [this](http://h/q)\n<img src=x> &lt;i&gt; now.\n"
    )
    markdown = to_markdown(compared(document("2.5", text)), "en")
    (line,) = (line for line in markdown.splitlines() if line.startswith("- "))
    assert line == (
        r"- **\_\_init\_\_ of x \| y** · 2.5 · Call `a|b_c` not \_\_x\_\_ or this \&lt;i\&gt; now. · "
        "[PyTorch 2.5](https://example.org/2.5-en-user)"
    )


def test_empty_groups_say_so(compared: Compared) -> None:
    found = compared()
    english, chinese = to_markdown(found, "en"), to_markdown(found, "zh")
    assert english.startswith(
        "# PyTorch 2.4 → 2.6: what changes\n\nFrom the notes of PyTorch 2.6 in the index"
    )
    assert english.count("The notes in the index name none.") == len(GROUPS) == english.count(" (0)")
    assert "## 不兼容变更 (0)\n\n索引里的发布说明没有这类内容。" in chinese


def test_only_web_addresses_are_links(compared: Compared) -> None:
    text = "## [Breaking] A\n\nA is gone for good now.\n"
    safe, bad = document("2.5", text), document("2.6", text.replace("A", "B"))
    safe = replace(safe, url="https://example.org/a_(b)?q=<c> d")
    markdown = to_markdown(compared(safe, replace(bad, url="javascript:alert(1)")), "en")
    assert "[PyTorch 2.5](https://example.org/a_%28b%29?q=%3Cc%3E%20d)" in markdown
    assert "](javascript" not in markdown


def test_escaping_keeps_code_and_words() -> None:
    assert escaped("`a_b|c` snake_case _x_ 中_文 `") == r"`a_b|c` snake_case \_x\_ 中_文 \`"
