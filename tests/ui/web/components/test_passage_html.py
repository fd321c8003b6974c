"""A passage as HTML: its Markdown rendered, its quotes highlighted, nothing of it active."""

from __future__ import annotations

import re

import pytest

from tests.rows import each_row
from ui.web.components.passage_html import passage_to_html


def marked(text: str, *quotes: str) -> str:
    """A passage with quotes marked, numbered from 1."""
    places = [(text.index(quote), text.index(quote) + len(quote)) for quote in quotes]
    return passage_to_html(text, dict(enumerate(places, 1)))


def highlighted(html: str) -> str:
    """All that is highlighted, as plain text."""
    found = re.findall(r"<mark data-source=.1.>(.*?)</mark>", html, re.S)
    return " ".join(" ".join(re.sub("<[^>]+>", "", each) for each in found).split())


def test_quotes_are_marked_where_they_stand() -> None:
    assert marked("One. Two `a<b`. Three.", "Two `a<b`.") == (
        '<p>One. <mark data-source="1">Two </mark><code><mark data-source="1">a&lt;b</mark></code>'
        '<mark data-source="1">.</mark> Three.</p>'
    )


@each_row(
    ("quote", "words"),
    [
        pytest.param("- one `b` two", "one b two", id="item"),
        pytest.param("- one `b` two\n- **three** four.", "one b two three four.", id="items"),
        pytest.param("| 1 | 2 |", "1 2", id="row"),
        pytest.param("```py\nx = 1\n```", "x = 1", id="block"),
        pytest.param("y = 2", "y = 2", id="within-code"),
        pytest.param("Source: <https://x.y/a>.", "Source: https://x.y/a .", id="link"),
        pytest.param("### [Beta] Part {#part}", "[Beta] Part", id="heading"),
    ],
)
def test_a_quote_of_any_kind_is_marked_and_its_markdown_is_rendered(quote: str, words: str) -> None:
    text = (
        "- one `b` two\n- **three** four.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```py\nx = 1\n```\n\n"
        "```py\ny = 2\nz = 3\n```\n\nSource: <https://x.y/a>.\n\n### [Beta] Part {#part}\n"
    )
    html = marked(text, quote)
    assert highlighted(html) == words
    assert html.count("<li>") == 2 and html.count("<pre") == 2 and "<td>" in html and "<h3>" in html
    assert not any(sign in re.sub("<[^>]+>", "", html) for sign in ("`", "**", "|", "#", "<"))
    assert 'href="https://x.y/a"' in html


def test_a_heading_in_front_is_left_out_unless_it_is_quoted() -> None:
    text = "### [Beta] New {#new}\nOne. Two."
    assert marked(text, "Two.") == '<p>One. <mark data-source="1">Two.</mark></p>'
    assert '<h3><mark data-source="1">[Beta] New</mark></h3>' in marked(text, "### [Beta] New {#new}")


def test_quotes_that_touch_or_overlap_lose_no_word() -> None:
    html = passage_to_html("One two three four", {1: (4, 13), 2: (8, 18)})
    assert html == ('<p>One <mark data-source="1">two three</mark> <mark data-source="2">four</mark></p>')


@pytest.mark.parametrize(
    "harm",
    [
        "<script>alert(1)</script>",
        "[l](javascript:alert(1))",
        "![p](https://x.y/p.png)",
        "\uf8f0One\uf8f1 two",
        "<img src=x onerror=y>",
    ],
)
def test_nothing_in_a_passage_becomes_active(harm: str) -> None:
    html = marked(f"{harm}. End.", harm, "End.")
    assert not re.search(r"<(?:script|img)|href=.javascript|\son\w+=[^&]*>", html)
    assert '<mark data-source="2">End.</mark>' in html
