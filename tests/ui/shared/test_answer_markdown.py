"""An answer as Markdown that can be pasted elsewhere."""

from __future__ import annotations

from dataclasses import replace

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
