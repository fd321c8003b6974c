"""A document's words as HTML: code as code, quotes marked."""

from __future__ import annotations

import pytest

from ui.web.components.quote_html import marked_to_html, quote_to_html


@pytest.mark.parametrize(
    ("quote", "shown"),
    [
        pytest.param("Set `A=0` & <go>.", "Set <code>A=0</code> &amp; &lt;go&gt;.", id="span"),
        pytest.param("`<b>`", "<code>&lt;b&gt;</code>", id="html-in-span"),
        pytest.param("`` a`b ``", "<code>a`b</code>", id="backtick-in-span"),
        pytest.param("a ` b", "a ` b", id="lone-backtick"),
        pytest.param(r"\`a`", r"\`a`", id="escaped"),
        pytest.param("`a\n\nb`", "`a\n\nb`", id="across-paragraphs"),
        pytest.param("```py\nx = `1`\n```", '<code class="tn-block">x = `1`</code>', id="block"),
        pytest.param("See\n~~~\n<i>", 'See\n<code class="tn-block">&lt;i&gt;</code>', id="cut-block"),
        pytest.param("**a** [l](javascript:b)", "**a** [l](javascript:b)", id="other-marks-stay"),
    ],
)
def test_quotes_keep_their_words_and_show_code(quote: str, shown: str) -> None:
    assert quote_to_html(quote) == shown


def marked(text: str, *quotes: str) -> str:
    """A passage with quotes marked, numbered from 1."""
    places = [(text.index(quote), text.index(quote) + len(quote)) for quote in quotes]
    return marked_to_html(text, dict(enumerate(places, 1)))


def test_quotes_are_marked_where_they_stand() -> None:
    assert marked("One. Two `a<b`. Three.", "Two `a<b`.") == (
        'One. <mark data-source="1">Two <code>a&lt;b</code>.</mark> Three.'
    )


def test_a_heading_in_front_is_left_out_unless_it_is_quoted() -> None:
    text = "### [Beta] New {#new}\nOne. Two."
    assert marked(text, "Two.") == 'One. <mark data-source="1">Two.</mark>'
    assert marked(text, "### [Beta] New {#new}") == '<mark data-source="1">[Beta] New</mark>\nOne. Two.'


def test_quotes_that_touch_or_overlap_lose_no_word() -> None:
    html = marked_to_html("One two three four", {1: (4, 13), 2: (8, 18)})
    assert html == 'One <mark data-source="1">two three</mark><mark data-source="2"> four</mark>'


def test_a_quote_from_within_code_leaves_the_code_as_text() -> None:
    text = "```py\nx = 1\ny = 2\n```"
    assert marked(text, "y = 2") == '```py\nx = 1\n<mark data-source="1">y = 2</mark>\n```'


def test_a_whole_block_is_marked_as_code() -> None:
    text = "See.\n\n```py\nx = 1\n```\n\nEnd."
    html = marked(text, "```py\nx = 1\n```")
    assert '<mark data-source="1"><code class="tn-block">x = 1</code></mark>' in html
