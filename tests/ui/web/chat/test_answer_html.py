"""An answer and its sources as HTML for the chat, and nothing of a document active in it."""

from __future__ import annotations

from dataclasses import replace
from html.parser import HTMLParser

import pytest

from assistant.answer import DraftSentence
from tests.rows import each_row
from tests.ui.answers import answer
from ui.web.chat.answer_html import answer_to_html, panel_to_html


def test_marks_and_buttons_lead_to_the_source_of_the_same_answer() -> None:
    told = answer("One. [1] Two.[2]", ["first", "second"])
    html, panel = answer_to_html(told, "7"), panel_to_html(told, "7")
    for number, quote in ((1, "first"), (2, "second")):
        assert f'<a href="#source-7-{number}" class="tn-cite" data-source="{number}">{number}</a>' in html
        assert f'id="source-7-{number}"' in panel
        assert f'<mark data-source="{number}">{quote}</mark>' in panel
    assert '<button type="button" class="tn-source" data-source="1">' in html
    assert '<span class="tn-number">1–2</span><span class="tn-badge">PyTorch 2.4</span>' in html


def test_a_source_tells_what_it_is_and_where() -> None:
    panel = panel_to_html(answer("One. [1]", ["first"]), "7")
    assert "New &lt;i&gt;things&lt;/i&gt;" in panel and ">Beta</span>" in panel
    assert "Notes · Blog · English · 2024-07-24" in panel
    assert 'href="https://example.org/a?b=1&amp;c=2"' in panel and 'target="_blank"' in panel


def test_the_other_language_is_one_click_away() -> None:
    alone = answer("One. [1]", ["first"])
    passage = alone.citations[0].passage
    text = "### [Beta] 新<东西> {#new}\n第一"
    document = replace(passage.document, language="zh", text=text)
    other = replace(passage, document=document, end=len(text))
    both = replace(alone, citations=(replace(alone.citations[0], paired=other),))
    assert "<details" not in panel_to_html(alone, "1")
    words = '<div class="tn-words" lang="zh"><p>[Beta] 新&lt;东西&gt;</p><p>第一</p></div>'
    assert f"<summary>The same in Chinese</summary>{words}</details>" in panel_to_html(both, "1")


@each_row(
    "harm",
    [
        pytest.param("<script>alert(1)</script>", id="script"),
        pytest.param("<img src=http://x.y/z onerror=alert(1)>", id="img"),
        pytest.param("`a\n\n<img src=http://x.y/z>\n\nb`", id="code-across-paragraphs"),
        pytest.param("![p](http://x.y/p.png)", id="image"),
        pytest.param("[l](javascript:alert(1))", id="javascript"),
        pytest.param("[l](JaVaScRiPt&#58;alert(1))", id="entity"),
        pytest.param("[l]\n\n[l]: javascript:alert(1)", id="reference"),
        pytest.param("<javascript:alert(1)>", id="autolink"),
        pytest.param("[l](data:text/html,x)", id="data"),
        pytest.param('[l](https://x.y/"onclick="alert(1))', id="quote-in-address"),
        pytest.param("```<b>\n</code></pre><script>x</script>\n```", id="fence"),
    ],
)
def test_nothing_a_document_holds_becomes_active(harm: str) -> None:
    found: list[tuple[str, dict[str, str | None]]] = []

    class Tags(HTMLParser):
        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            found.append((tag, dict(attrs)))

    told = answer(f"{harm} [1]", [harm], title=harm, url="javascript:alert(1)")
    Tags().feed(answer_to_html(told, "1") + panel_to_html(told, "1"))
    allowed = {"article", "div", "span", "p", "a", "abbr", "br", "button", "code", "mark", "pre", "ul", "li"}
    assert {tag for tag, _ in found} <= allowed
    for tag, attributes in found:
        assert not any(name.startswith("on") or name in ("src", "style") for name in attributes)
        if tag == "a":
            assert str(attributes["href"]).startswith(("#source-", "https://", "http://"))


def test_a_notice_stands_above_the_answer() -> None:
    html = answer_to_html(
        replace(answer("It is so. [1]", ["q"]), notices=("It is new.", "The model failed: <b>no</b>")), "1"
    )
    assert html.index('<p class="tn-notice">It is new.</p><p class="tn-notice">The model') < html.index(
        "<p>It is so."
    )
    assert "&lt;b&gt;no&lt;/b&gt;" in html


def test_what_is_pending_stands_below_what_is_proved() -> None:
    growing = replace(answer("It is so. [1]", ["q"]), pending="<img src=x> and [1] **more**")
    html = answer_to_html(growing, "1")
    shown = '<p class="tn-pending">&lt;img src=x&gt; and [1] **more**</p>'
    assert html.index("It is so.") < html.index(shown) < html.index("tn-sources")


def test_what_a_model_wrote_in_vain_is_folded_with_the_reason() -> None:
    told = replace(
        answer("It is so. [1]", ["q"]),
        model="<m>",
        sentences=(DraftSentence("It <i>flies</i>.", "contradicted", "why", shown=False),),
    )
    html = answer_to_html(told, "1")
    assert "Written by &lt;m&gt;" in html
    assert "<li>It &lt;i&gt;flies&lt;/i&gt;. <em>why</em></li>" in html and "<details" in html


def test_an_answer_as_it_should_be_has_neither() -> None:
    html = answer_to_html(answer("It is so. [1]", ["q"]), "1")
    assert not any(name in html for name in ("tn-notice", "tn-pending", "tn-model", "tn-unproved"))
