"""An answer as Markdown that can be pasted elsewhere."""

from __future__ import annotations

from dataclasses import replace

import pytest
from markdown_it import MarkdownIt

from tests.ui.answers import answer
from ui.shared.answer_markdown import to_markdown


def test_the_sources_follow_with_their_quotes() -> None:
    assert to_markdown(answer("One. [1]\n\nTwo. [2]", ["first\nline", "second"])) == (
        "One. [1]\n\nTwo. [2]\n\n**Sources**\n\n"
        "\\[1\\] PyTorch 2.4 › New \\<i\\>things\\</i\\> <https://example.org/a?b=1&c=2>\n\n"
        "> first\n> line\n\n"
        "\\[2\\] PyTorch 2.4 › New \\<i\\>things\\</i\\> <https://example.org/a?b=1&c=2>\n\n> second\n"
    )


def test_a_notice_comes_first_and_a_declined_question_has_what_is_nearest() -> None:
    told = replace(answer("No. [1]", ["q"]), notices=("It is new.", "The model\nfailed."), abstained=True)
    text = to_markdown(told)
    assert (
        text.startswith("> It is new.\n>\n> The model failed.\n\nNo. [1]") and "**Nearest passages**" in text
    )


def test_an_address_that_is_none_is_left_out() -> None:
    for url in ("", "javascript:alert(1)", "https://a.b/ <c>"):
        html = MarkdownIt().render(to_markdown(answer("One. [1]", ["q"], url=url)))
        assert "href" not in html


@pytest.mark.parametrize(
    "given",
    [
        "faster <img src=x onerror=alert(1)> ![t](https://evil.example/t.png)",
        r"\<script>alert(1)</script> \![t](https://evil.example/t.png)",
        "a ` b\n\n<img src=x> ` c",
        "a ` b\nc ` <img src=x> ` d",
        "| a | b |\n|---|---|\n| ` | <img src=x> ` |",
        "```\ncode\n```\n<!-- x -->\n\n<?x?>\n\n~~~\n<b>",
    ],
)
def test_what_others_wrote_brings_neither_html_nor_images(given: str) -> None:
    told = replace(answer(f"{given} [1]", [given]), notices=(given,))
    for parser in (MarkdownIt("commonmark"), MarkdownIt("commonmark").enable("table")):
        blocks = parser.parse(to_markdown(told))
        parts = [part for block in blocks for part in (block, *(block.children or ()))]
        assert not [part for part in parts if part.type in ("html_block", "html_inline", "image")]


def test_code_and_comparisons_stay_as_they_are() -> None:
    given = "`Tensor<T>` if a < b\n\n```\nstd::vector<int>\n```"
    assert to_markdown(answer(f"{given} [1]", ["q"])).startswith(given)
