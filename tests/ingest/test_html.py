"""Main content of whole pages: headings, code, tables and links survive; navigation does not."""

from __future__ import annotations

import time
from contextlib import suppress

import pytest

from ingest.html import html_to_markdown
from ingest.html_attributes import MOST, check_attributes
from tests.rows import each_row

PAGE = """<!doctype html><html lang="en"><head><meta charset="utf-8">
<title>PyTorch 2.6 Release Blog | PyTorch</title>
<link rel="canonical" href="https://pytorch.org/blog/pytorch2-6/">
<meta property="article:published_time" content="2025-01-29T10:00:00+00:00"></head><body>
<header><nav><ul><li><a href="/">Home</a></li><li><a href="/k8s">Kubernetes</a></li></ul></nav></header>
{open}<h1>PyTorch 2.6 Release Blog</h1>
<p>We announce PyTorch 2.6
(<a href="https://github.com/pytorch/pytorch/releases/tag/v2.6.0">release notes</a>)!
<code>torch.compile</code> works with __main__ and <a href="javascript:alert(1)">bad</a> links.</p>
<ul><li><a href="#beta">Beta</a></li></ul>
<table><thead><tr><th><a href="https://a.b/s">Beta</a></th><th>Prototype</th></tr></thead>
<tbody><tr><td>torch.compiler.set_stance</td><td>Dim.AUTO</td></tr></tbody></table>
<h3>[Beta] torch.compiler.set_stance</h3>
<p><a href="https://a.b/docs">Docs</a> | <a href="https://a.b/rfc">RFC</a></p>
<div class="highlight-source-python"><pre><span>import</span> torch


<span>def</span> f(x):
    # comment   here
    return x[0] &lt; 1
</pre></div>
<ul><li>Install:<pre>pip install torch</pre></li><li>Enabled CD (<a href="https://a.b/1">#150310</a>)</li></ul>
<h2>Short</h2><p>End.</p>{close}
<aside><h3>Other posts</h3><p>All about Redis.</p></aside><footer><p>© Copyright</p></footer></body></html>"""


@pytest.mark.parametrize(
    "tag", ["article", "main", "div class='x'", ""], ids=["article", "main", "div", "bare body"]
)
def test_the_content_of_a_page_survives(tag: str) -> None:
    opening, closing = (f"<{tag}>", f"</{tag.split()[0]}>") if tag else ("", "")
    facts, text = html_to_markdown(PAGE.replace("{open}", opening).replace("{close}", closing))
    assert facts == {
        "url": "https://pytorch.org/blog/pytorch2-6/",
        "date": "2025-01-29T10:00:00+00:00",
        "page_title": "PyTorch 2.6 Release Blog | PyTorch",
    }
    for part in (
        "# PyTorch 2.6 Release Blog\n",
        "([release notes](https://github.com/pytorch/pytorch/releases/tag/v2.6.0))",
        "`torch.compile` works with __main__ and bad links",
        "- [Beta](#beta)",
        "| [Beta](https://a.b/s) | Prototype |",
        "| torch.compiler.set_stance | Dim.AUTO |",
        "### [Beta] torch.compiler.set_stance\n",
        "[Docs](https://a.b/docs) | [RFC](https://a.b/rfc)",
        "```python\nimport torch\n\n\ndef f(x):\n    # comment   here\n    return x[0] < 1\n```\n",
        "  ```\n  pip install torch\n  ```\n",
        "- Enabled CD ([#150310](https://a.b/1))",
        "## Short\n",
    ):
        assert part in text
    for part in ("Kubernetes", "Redis", "Copyright", "javascript", "XpartX"):
        assert part not in text


def test_marks_in_the_page_itself_name_nothing() -> None:
    words = "<p>XpartX7Z and XpartX7E are words of this page.</p>"
    _, text = html_to_markdown(f"<article><h1>T</h1>{words}<pre>code</pre></article>")
    assert "XpartX7Z and XpartX7E are words" in text
    assert "```\ncode\n```" in text


@pytest.mark.parametrize(
    "page",
    ["", "<html></html>", "<html><body><nav><a href='/a'>Home</a></nav></body></html>"],
    ids=["nothing", "empty", "navigation"],
)
def test_a_page_without_content_is_refused(page: str) -> None:
    with pytest.raises(ValueError, match=r"no main content|no HTML"):
        html_to_markdown(page)


def test_a_page_that_declares_another_charset_is_read_as_text() -> None:
    head = "<head><meta charset='gbk'></head>"
    _, text = html_to_markdown(f"<html>{head}<body><p>团队在 2.4 上的经验。</p></body></html>")
    assert text == "团队在 2.4 上的经验。\n"


@each_row("control", ["\x01", "\x1b[31m", "\uffff", "&#1;", "&#x1F;"])
@each_row("page", ["<p>one\n<pre>{}</pre>", "<p>one\n{}</p>", "<article>one\n<a href='/x'>{}</a>"])
def test_a_control_character_is_told_with_its_line(page: str, control: str) -> None:
    with pytest.raises(ValueError, match=r"^it holds a control character \('.*'\) in line 2; take it out$"):
        html_to_markdown(page.format(control))


@each_row("space", ["\f", "&#12;", "&#xC;", "&#13;", "&#9;", "&#x0A;", "&#127;", "&#128512;"])
def test_white_space_is_no_control_character(space: str) -> None:
    _, markdown = html_to_markdown(f"<article><p>one {space} two</p><pre>a{space}b</pre></article>")
    assert "one" in markdown and "two" in markdown


_MANY = " ".join(f"a{number}=1" for number in range(MOST + 1))
_MANY_QUOTED = "".join(f"a{number}='>'" for number in range(MOST + 1))


@each_row(
    "page",
    [
        f"<p {_MANY}>x</p>",
        f"<p {_MANY_QUOTED}>x</p>",
        f"<p/{_MANY.replace('=1 ', '/')}",
        f"<!-- <p a=' --><p {_MANY}>it's</p>",
        f"<script>'<p a=\"'</script><p {_MANY}>x</p>",
        f"<p a= b=' {_MANY}>it's</p>",
        f"<p a=x=' {_MANY}>it's</p>",
    ],
)
def test_a_tag_of_very_many_attributes_is_refused(page: str) -> None:
    with pytest.raises(ValueError, match=r"^a tag in line 2 has more than 1000 attributes; take them out$"):
        html_to_markdown(f"<h1>T</h1>\n{page}")


def test_as_many_attributes_as_a_page_may_have_are_read() -> None:
    attributes = " ".join(f"a{number}=1" for number in range(MOST - 1))
    _, markdown = html_to_markdown(
        f"<article><p {attributes}>one</p><p title='{'x ' * 5000}'>two</p></article>"
    )
    assert "one" in markdown and "two" in markdown


@each_row(
    "part",
    ["<p ", "<p>", "<p/a=", '<p a="', "<p a='<p a=\"", "<p", "<", "a=", "<p" + " a" * 999 + ">", "<p a=x/"],
)
def test_counting_attributes_takes_linear_time(part: str) -> None:
    began = time.process_time()
    with suppress(ValueError):
        check_attributes("<p " + part * (2_000_000 // len(part)))
    assert time.process_time() - began < 20
