from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import date

import pytest

from assistant.answer import Answer, Citation
from index.passage import Passage
from ingest.chunk import Chunk
from ingest.document import Document
from ingest.release import Release
from ui.console import json_text, printable
from ui.quote_html import quote_to_html
from ui.render import to_terminal
from ui.render_html import markdown_to_html, to_html


def answer(
    text: str, quotes: Sequence[str] = (), *, url: str = "https://example.org/a?b=1&c=2", title: str = "Notes"
) -> Answer:
    """An answer in English that cites quotes, all from one passage."""
    body = "\n".join(quotes)
    document = Document("d", title, url, Release(2, 4), "blog", "en", date(2024, 7, 24), body, "notes.md")
    chunk = Chunk("c", "d", 0, "", (title, "New <i>things</i>"), "beta", "", 0, len(body), "", ())
    passage = Passage(chunk, document, 0, len(body), 1.0, {}, 0.9, ())
    starts = [sum(len(q) + 1 for q in quotes[:n]) for n in range(len(quotes))]
    citations = tuple(
        Citation(n, passage, start, start + len(quote))
        for n, (start, quote) in enumerate(zip(starts, quotes, strict=True), 1)
    )
    return Answer("q", "q", text, "en", False, citations, (passage,), (Release(2, 4),))


def test_terminal_text_cuts_long_quotes_only() -> None:
    shown = to_terminal(answer("A [1]\nB [2]", ["x" * 400, "short"]))
    assert "[1]-[2] PyTorch 2.4 · New <i>things</i> · https://example.org/a?b=1&c=2" in shown
    assert f"    [1] {'x' * 299}…\n    [2] short" in shown


def test_terminal_text_turns_bold_outside_code() -> None:
    shown = to_terminal(answer("**Head**\n```\n**kept**\n```\n"))
    assert "\x1b[1mHead\x1b[0m" in shown
    assert "\n**kept**\n" in shown


def test_terminal_text_keeps_the_stars_of_names() -> None:
    text = "**Powers · `a**b`**\n- `x**2 + y**2` and 2**3**4 [1]\n- **kwargs and **options [2]"
    shown = to_terminal(answer(text))
    assert shown == text.replace("**Powers · `a**b`**", "\x1b[1mPowers · `a**b`\x1b[0m")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        pytest.param("torch.__version__ and __init__", "torch.__version__ and __init__", id="dunder"),
        pytest.param("a *b* _c_ 2*3*4", "a *b* _c_ 2*3*4", id="emphasis"),
        pytest.param("*args and **kwargs**, 2**3**4", "*args and **kwargs**, 2**3**4", id="stars"),
        pytest.param("**A `b**c` [1]**", "<strong>A <code>b**c</code> <a", id="title"),
        pytest.param("**One**\nTwo **three**", "<strong>One</strong><br />\nTwo **three**", id="lines"),
        pytest.param("Two\n**One**", "Two<br />\n<strong>One</strong>", id="later-line"),
        pytest.param("- **One**\n- two", "<li><strong>One</strong></li>", id="item"),
        pytest.param(r"as in \[1\], [１]", "as in [1], [１]", id="no-mark-of-ours"),
        pytest.param("**", "<p>**</p>", id="two-stars"),
        pytest.param("****", "<hr", id="four-stars"),
    ],
)
def test_stars_and_underscores_of_names_survive(text: str, shown: str) -> None:
    assert shown in markdown_to_html(text, [1], "1")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        pytest.param("a\x1b]0;owned\x07b", "a]0;ownedb", id="escape"),
        pytest.param("a\u202eb", "ab", id="direction"),
        pytest.param("a\tb\n中文", "a\tb\n中文", id="kept"),
        pytest.param("👩\u200d💻", "👩\u200d💻", id="joined-emoji"),
    ],
)
def test_documents_cannot_command_the_terminal(text: str, shown: str) -> None:
    assert printable(text) == shown


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        pytest.param("a\x9b31m\x1b[0m", r"a\u009b31m\u001b[0m", id="escape"),
        pytest.param("a\u202eb\u2066c\u200f", r"a\u202eb\u2066c\u200f", id="direction"),
        pytest.param("\U000110bd", r"\ud804\udcbd", id="two-units"),
        pytest.param("\ud800", r"\ud800", id="surrogate"),
        pytest.param("中文 👩\u200d💻 ❤\ufe0f", "中文 👩\u200d💻 ❤\ufe0f", id="kept"),
    ],
)
def test_json_cannot_command_the_terminal(text: str, shown: str) -> None:
    dumped = json_text({text: [text]})
    assert dumped == f'{{\n  "{shown}": [\n    "{shown}"\n  ]\n}}'
    assert json.loads(dumped) == {text: [text]}


def test_the_other_language_is_one_click_away() -> None:
    alone = answer("One. [1]", ["first"])
    passage = alone.citations[0].passage
    text = "### [Beta] 新<东西> {#new}\n第一"
    document = replace(passage.document, language="zh", text=text)
    other = replace(passage, document=document, end=len(text))
    both = replace(alone, citations=(replace(alone.citations[0], paired=other),))
    assert "<details" not in to_html(alone, "1")
    words = '<div class="tn-words" lang="zh">[Beta] 新&lt;东西&gt;&#10;第一</div>'
    assert f"<summary>The same in Chinese</summary>{words}</details>" in to_html(both, "1")


def test_a_source_without_an_address_is_named_by_its_file() -> None:
    shown = to_terminal(answer("A [1]", ["first"], url=""))
    assert "[1] PyTorch 2.4 · New <i>things</i> · notes.md\n" in shown


def test_marks_lead_to_the_source_of_the_same_answer() -> None:
    html = to_html(answer("One. [1] Two.[2]", ["first", "second"]), "7")
    for number, quote in ((1, "first"), (2, "second")):
        assert f'<a href="#source-7-{number}" class="tn-mark">{number}</a>' in html
        assert f'id="source-7-{number}"' in html and f">{quote}</span>" in html
    assert "\n" not in html


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
    assert "tn-mark" not in markdown_to_html(text, [1], "1")


@pytest.mark.parametrize(
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
    from html.parser import HTMLParser

    found: list[tuple[str, dict[str, str | None]]] = []

    class Tags(HTMLParser):
        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            found.append((tag, dict(attrs)))

    Tags().feed(to_html(answer(f"{harm} [1]", [harm], title=harm, url="javascript:alert(1)"), "1"))
    allowed = {"div", "span", "p", "a", "abbr", "br", "code", "pre", "ul", "li"}
    assert {tag for tag, _ in found} <= allowed
    for tag, attributes in found:
        assert not any(name.startswith("on") or name in ("src", "style") for name in attributes)
        if tag == "a":
            assert str(attributes["href"]).startswith(("#source-", "https://", "http://"))


def test_links_out_open_a_tab_of_their_own() -> None:
    html = to_html(answer("[docs](https://x.y/z) [1]", ["q"]), "1")
    assert '<a href="https://x.y/z" target="_blank" rel="noopener noreferrer">docs</a>' in html
    assert 'href="https://example.org/a?b=1&amp;c=2"' in html


def test_a_notice_stands_above_the_answer() -> None:
    told = replace(answer("It is so. [1]", ["q"]), notice="The model\nfailed: \x1b[31m<b>no</b>")
    shown = to_terminal(told)
    first, text, *_ = shown.split("\n\n")
    assert "The model failed: " in first and "<b>no</b>" in first and text == "It is so. [1]"
    assert "\x1b[31m" not in shown
    html = to_html(told, "1")
    assert html.index('<p class="tn-notice">The model') < html.index("<p>It is so.")
    assert "&lt;b&gt;no&lt;/b&gt;" in html and "\n" not in html


def test_what_is_pending_stands_below_what_is_proved() -> None:
    growing = replace(answer("It is so. [1]", ["q"]), pending="<img src=x> and [1] **more**")
    html = to_html(growing, "1")
    shown = '<p class="tn-pending">&lt;img src=x&gt; and [1] **more**</p>'
    assert html.index("It is so.") < html.index(shown) < html.index("tn-sources")
    assert "more" not in to_terminal(growing)


def test_an_answer_as_it_should_be_has_neither() -> None:
    html = to_html(answer("It is so. [1]", ["q"]), "1")
    assert "tn-notice" not in html and "tn-pending" not in html
