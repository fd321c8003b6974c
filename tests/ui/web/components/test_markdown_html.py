"""An answer's Markdown as HTML: marks, names with stars, and nothing active."""

from __future__ import annotations

import pytest

from tests.rows import each_row
from ui.web.components.markdown_html import markdown_to_html, plain_to_html


@each_row(
    ("text", "shown"),
    [
        pytest.param("torch.__version__ and __init__", "torch.__version__ and __init__", id="dunder"),
        pytest.param("a *b* _c_ 2*3*4", "a *b* _c_ 2*3*4", id="emphasis"),
        pytest.param("*args and **kwargs**, 2**3**4", "*args and **kwargs**, 2**3**4", id="stars"),
        pytest.param("**A `b**c` [1]**", "<strong>A <code>b**c</code> <a", id="title"),
        pytest.param("**One**\nTwo **three**", "<strong>One</strong><br />\nTwo **three**", id="lines"),
        pytest.param("Two\n**One**", "Two<br />\n<strong>One</strong>", id="later-line"),
        pytest.param("**No, since 2.5:** A", "<strong>No, since 2.5:</strong> A", id="opening"),
        pytest.param("**支持：** A", "<strong>支持：</strong> A", id="opening-zh"),
        pytest.param("**kwargs: a** b", "**kwargs: a** b", id="no-opening"),
        pytest.param("- **One**\n- two", "<li><strong>One</strong></li>", id="item"),
        pytest.param(r"as in \[1\], [１]", "as in [1], [１]", id="no-mark-of-ours"),
        pytest.param("**", "<p>**</p>", id="two-stars"),
        pytest.param("****", "<hr", id="four-stars"),
    ],
)
def test_stars_and_underscores_of_names_survive(text: str, shown: str) -> None:
    assert shown in markdown_to_html(text, [1], "1")


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("x.shape[1]", id="index"),
        pytest.param("`[1]`", id="code"),
        pytest.param("see [9]", id="no-such-source"),
        pytest.param("```\n[1]\n```", id="fence"),
    ],
)
def test_other_brackets_are_no_marks(text: str) -> None:
    assert "tn-cite" not in markdown_to_html(text, [1], "1")


@pytest.mark.parametrize("text", ["So it is [1]", "So it is [9][1]", "So it is\n[1]"])
def test_marks_lead_to_their_source(text: str) -> None:
    assert '<a href="#source-t1-1" class="tn-cite"' in markdown_to_html(text, [1, 9], "t1")


def test_links_out_open_a_tab_of_their_own() -> None:
    html = markdown_to_html("[docs](https://x.y/z) [1]", [1], "t1")
    assert '<a href="https://x.y/z" target="_blank" rel="noopener noreferrer">docs</a>' in html
    assert '<a href="#source-t1-1" class="tn-cite" data-source="1">1</a>' in html


def test_what_was_typed_is_text() -> None:
    assert plain_to_html("<b>a</b>\nb") == '<div class="tn-plain">&lt;b&gt;a&lt;/b&gt;\nb</div>'
