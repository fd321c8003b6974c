"""Lines with code as HTML: code as code, all else as it stands."""

from __future__ import annotations

import pytest

from tests.rows import each_row
from ui.web.components.quote_html import quote_to_html


@each_row(
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
