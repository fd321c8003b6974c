from __future__ import annotations

import pytest

from ingest.markup import parse_blocks, reading_text
from ingest.sentence import WHOLE_ITEM, sentences_of, split_prose
from tests.rows import each_row


def quotable(text: str) -> list[tuple[str, str]]:
    return [
        (s.kind, text[s.start : s.end]) for block in parse_blocks(text) for s in sentences_of(text, block)
    ]


@each_row(
    ("text", "count"),
    [
        ("One. Two. Three.", 3),
        ("你好。世界！真的？是的", 4),
        ("PyTorch 2.4 uses torch.compile and x.shape[1] with Python 3.12. It is fast.", 2),
        ("Use it, e.g. This one, i.e. That, cf. Fig. 2 vs. No. 3 here.", 1),
        ("See torch.nn. functional is lower case.", 1),
        ("It needs `a.b`. `torch.foo` is new. **`bar()`** is gone.", 3),
        ("很快。`torch.foo` 是新的。**`bar()`** 没了。**粗体。**后文。", 5),
        ("**First sentence. Second sentence.** Next one is here.", 3),
        ("Faster, e.g. `foo`, vs. `bar` and etc. `baz`.", 1),
        ("It works from Python and C++. The API is new.", 2),
        ("It is faster (see the docs. Really). Next.", 2),
        ("中文句子。English sentence. 又一句。", 3),
        ("支持 libuv.默认启用。", 2),
        ("Run `a. B` now. Then stop.", 2),
        ("You see ``FutureWarning: `a` is gone. Please use `b` instead.`` in the log. Then stop.", 2),
        ("看到 ``FutureWarning: `a` is gone. Use `b` instead.`` 的代码要修改。下一句。", 2),
        ("It warns: `X is deprecated.` Use the new name. The text `It failed.` may follow.", 3),
        ("报错 `It failed.` 之后停止。", 1),
        ("Set `aot_inductor.` (#139093) there. Next.", 2),
        ("An unclosed ` mark. Still two sentences.", 2),
        ("“引用。”他说。", 2),
        ("What? Yes! No.", 3),
        ("One.\n\ntwo", 2),
        ("The U.S. Team", 1),
        ("See <https://example.org/a?usp=sharing> now. Next.", 2),
        ("真的吗?是的。Wow!中文", 4),
        ("See <https://example.org/a>. Next.", 2),
        ("", 0),
    ],
)
def test_prose_is_cut_into_sentences(text: str, count: int) -> None:
    pieces = split_prose(text)
    assert len(pieces) == count, pieces
    assert "".join(pieces) == text


def test_bold_over_several_sentences_closes_with_the_last() -> None:
    assert split_prose("**中文第一句。第二句。**下一句。") == ["**中文第一句。", "第二句。**", "下一句。"]


def test_a_parenthesis_that_never_closes_does_not_swallow_the_rest() -> None:
    assert len(split_prose("It (is open. " + "Then come more words. " * 20)) > 15


def test_each_block_gives_what_can_be_quoted() -> None:
    text = (
        "# A title\n\nOne. Two.\n\n- a short item. And more.\n\n> said\n\n```\ncode. Here.\n```\n\n"
        "| a | b |\n| - | - |\n| 1. X | 2 |\n\n<div>no</div>\n"
    )
    assert quotable(text) == [
        ("heading", "# A title"),
        ("prose", "One."),
        ("prose", "Two."),
        ("item", "- a short item. And more."),
        ("prose", "> said"),
        ("code", "```\ncode. Here.\n```"),
        ("row", "| 1. X | 2 |"),
    ]


def test_prose_in_html_is_quoted_without_its_block_tags() -> None:
    text = (
        "<p align=center>The feature needs <code>FOO=1</code>. Set it\nbefore the <b>import.</b></p>\n"
        "<div>[Docs](x) | Menu</div><!-- Hidden. -->\n"
        "<ul><li>A sentence.<br/>Another &lt;one&gt;.</li></ul>\n"
        "<pre>code. Here.</pre> 真的。\n"
    )
    found = quotable(text)
    assert found == [
        ("prose", "The feature needs <code>FOO=1</code>."),
        ("prose", "Set it\nbefore the <b>import.</b>"),
        ("prose", "A sentence."),
        ("prose", "真的。"),
    ]
    assert reading_text(found[0][1]) == "The feature needs FOO=1."


@pytest.mark.parametrize("html", ["<!-- never closed. It", "<pre>never closed. It", "<table><td>A cell."])
def test_html_that_never_closes_is_not_quoted(html: str) -> None:
    assert quotable(f"<div>\n{html}") == []


@pytest.mark.parametrize(
    ("text", "heading"),
    [("Deprecations\n------------", "Deprecations"), ("## Closing ##", "## Closing"), ("# C#", "# C#")],
)
def test_a_heading_is_quoted_without_what_closes_it(text: str, heading: str) -> None:
    assert quotable(text) == [("heading", heading)]


def test_source_lines_are_not_quoted() -> None:
    text = "Source: <https://x.y/z>\nRelated: tcpstore\nText stays.\n\n来源：<https://x.y>\n\n相关：dcp"
    assert quotable(text) == [("prose", "Text stays.")]


def test_what_holds_no_word_is_no_sentence() -> None:
    assert quotable("……\n\n- **!**\n\nText。！") == [("prose", "Text。")]


def test_a_long_item_is_cut_into_its_sentences() -> None:
    first = f"- The first {'word ' * WHOLE_ITEM}ends."
    assert quotable(f"{first} And more.") == [("item", first), ("item", "And more.")]
