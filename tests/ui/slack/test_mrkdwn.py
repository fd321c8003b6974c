"""Markdown as mrkdwn: what Slack shows is what the answer says, and nothing in it commands Slack."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.rows import each_row
from tests.ui.slack.block_kit import problems
from ui.slack.message_limits import SECTION, cut, messages, sections
from ui.slack.mrkdwn import escape, joined, link, pieces, plain
from ui.slack.width import table_text, width, wrap


@each_row(
    ("markdown", "shown"),
    [
        ("plain words", "plain words"),
        ("words\n\n- one\n- two\n\nmore", "words\n\n• one\n• two\n\nmore"),
        ("**PyTorch 2.4 · Beta**\n- one [1]\n- two [2]", "*PyTorch 2.4 · Beta*\n• one [1]\n• two [2]"),
        ("a < b & c > d", "a &lt; b &amp; c &gt; d"),
        ("`x[1] < y & z`", "`x[1] &lt; y &amp; z`"),
        ("[the post](https://e.org/a?b=1&c=2#:~:text=x)", "<https://e.org/a?b=1&amp;c=2#:~:text=x|the post>"),
        ("[a|b](https://e.org/x|y)", "<https://e.org/x%7Cy|a¦b>"),
        ("[bad](javascript:alert)", "[bad](javascript:alert)"),
        ("[mail](mailto:a@b.c)", "mail"),
        ("<https://e.org>", "<https://e.org|https://e.org>"),
        ("![pixel](http://e.org/p.png)", "!<http://e.org/p.png|pixel>"),
        ("<!channel> <!here> <@U123> <#C1>", "&lt;!channel&gt; &lt;!here&gt; &lt;@U123&gt; &lt;#C1&gt;"),
        ("<script>alert(1)</script>", "&lt;script&gt;alert(1)&lt;/script&gt;"),
        ("*not bold* and __init__", "`*not` `bold*` and `__init__`"),
        ("torch._dynamo.mark_dynamic, x_y", "torch._dynamo.mark_dynamic, x_y"),
        ("2 * 3, ~2x faster", "2 * 3, ~2x faster"),
        ("使用`libuv`后端", "使用\u200b`libuv`\u200b后端"),
        ("使用 `libuv` 后端", "使用 `libuv` 后端"),
        ("# Head\ntext", "*Head*\n\ntext"),
        ("1. one\n2. two", "1. one\n2. two"),
        ("- a\n  - b\n    - c", "• a\n    ◦ b\n        ▪ c"),
        ("- a\n\n  ```py\n  x\n  ```", "• a\n```\nx\n```"),
        ("> said\n> so", "> said\n> so"),
        ("```py\nif a < b:\n    c\n```", "```\nif a &lt; b:\n    c\n```"),
        ("````\n```\n````", "```\n``\u200b`\n```"),
        ("one\ntwo  \nthree", "one\ntwo\nthree"),
        ("a\u202eb\x07c", "abc"),
        ("Use **FSDP2** now.", "Use *FSDP2* now."),
        ("注意：**重要**改动", "注意：\u200b*重要*\u200b改动"),
        ("**FSDP2**支持，也支持**DTensor**", "*FSDP2*\u200b支持，也支持\u200b*DTensor*"),
        ("- **New**: see **the `x` flag**", "• *New*: see *the `x` flag*"),
        ("f(*args, **kwargs) and g(**kwargs)", "f(`*args`, `**kwargs`) and g(`**kwargs`)"),
        ("2**3 and 4**5", "`2**3` and `4**5`"),
        ("pass **kwargs, or **nothing** at all", "pass `**kwargs`, or *nothing* at all"),
    ],
)
def test_markdown_becomes_mrkdwn(markdown: str, shown: str) -> None:
    assert joined(pieces(markdown)) == shown
    assert problems({"text": "t", "blocks": sections(pieces(markdown))}) == []


def test_a_table_is_aligned_in_both_scripts() -> None:
    table = "| PyTorch | 状态 | 内容 |\n|---|---|---|\n"
    table += "| 2.4 | 测试版 | `libuv` 后端 [1] |\n| 2.10 | Beta | b [2] |"
    assert joined(pieces(table)) == (
        "```\n"
        "PyTorch  状态    内容\n"
        "-------  ------  --------------\n"
        "2.4      测试版  libuv 后端 [1]\n"
        "2.10     Beta    b [2]\n"
        "```"
    )


def test_long_cells_go_on_below_in_their_column() -> None:
    text = table_text([["a", "b"], ["1", "word " * 30], ["2", "汉字" * 30]], most=40)
    assert all(width(line) <= 40 for line in text.split("\n"))
    assert all(line == "" or line[:3] in ("a  ", "-  ", "1  ", "2  ", "   ") for line in text.split("\n"))
    assert text.count("word") == 30 and text.count("汉") == 30


@pytest.mark.parametrize(
    ("text", "most", "lines"),
    [
        ("one two three", 7, ["one two", "three"]),
        ("张量并行。好", 8, ["张量并", "行。好"]),
        ("torch.compile_is_long", 10, ["torch.comp", "ile_is_lon", "g"]),
        ("", 5, [""]),
    ],
)
def test_lines_break_where_a_reader_expects_it(text: str, most: int, lines: list[str]) -> None:
    assert wrap(text, most) == lines


@each_row(
    "text",
    [
        "One sentence that goes on for a while. " * 200,
        "一句不长不短的中文句子，讲的是张量并行。" * 300,
        "word" * 2000,
        "& < >" * 1500,
        "see [the very same place](https://example.org/a/long/address?with=query&more=1) again " * 60,
        "`code that must stay whole` and words " * 150,
        "```\n" + "line of code <x> & more\n" * 300 + "```",
        "```\n" + "<&>" * 3000 + "\n```",
        "\n".join(f"- item {n} with some words & `x<{n}`" for n in range(400)),
        "| a | b |\n|---|---|\n" + "\n".join(f"| {n} | some words in a cell {n} |" for n in range(200)),
    ],
    ids="english chinese word entities links code fence symbols list table".split(),
)
def test_what_is_long_is_cut_at_borders_and_nothing_is_lost(text: str) -> None:
    parts = pieces(text)
    made = messages(sections(parts))
    assert len(made) > 1 or len(made[0]) > 1
    for blocks in made:
        assert problems({"text": "t", "blocks": blocks}) == []

    def bare(words: str) -> str:
        return "".join(c for c in words if not c.isspace() and c != "`")

    whole = "".join(bare(part.text) for part in parts)
    assert "".join(bare(block["text"]["text"]) for blocks in made for block in blocks) == whole


def test_sentences_stay_whole() -> None:
    parts = cut("这是一个句子。" * 1000, SECTION)
    assert all(part.endswith("。") for part in parts) and sum(map(len, parts)) == 7000
    assert all(part.endswith(".") for part in cut("This is one. " * 800, SECTION)[:-1])


def test_escaping_is_all_that_slack_asks_for() -> None:
    assert escape("<@U1> & \u202e") == "&lt;@U1&gt; &amp; " and plain("<!channel>") == "&lt;!channel&gt;"
    assert link("ftp://x.org/a", "words") == "words" and link("https://x.org", "") == ""


@settings(deadline=None, max_examples=150, derandomize=True)
@given(st.text(alphabet="<>&|`*_~[]()!#@-+ \n\t1.a中。:/\\\u200b\u202e", max_size=200), st.integers(0, 60))
def test_no_text_commands_slack(text: str, times: int) -> None:
    for markdown in (
        text,
        f"- {text}",
        f"```\n{text}",
        f"| a |\n|---|\n| {text} |",
        f"[{text}](https://e.org/{text})",
    ):
        for blocks in messages(sections(pieces(markdown * (1 + times)))):
            assert problems({"text": "t", "blocks": blocks}) == []
    line = plain(text * (1 + times))
    assert "<" not in line and ">" not in line


@each_row(
    ("markdown", "shown"),
    [
        (
            "[https://pytorch.org](https://evil.example/a)",
            "<https://evil.example/a|https://pytorch.org> (evil.example)",
        ),
        (
            "[see pytorch.org/docs](https://evil.example)",
            "<https://evil.example|see pytorch.org/docs> (evil.example)",
        ),
        (
            "[pytorch.org](https://pytorch.org@evil.example)",
            "<https://pytorch.org@evil.example|pytorch.org> (evil.example)",
        ),
        (
            "[evil.pytorch.org](https://pytorch.org.evil)",
            "<https://pytorch.org.evil|evil.pytorch.org> (pytorch.org.evil)",
        ),
        ("[pytorch.org](https://pytorch.org/blog)", "<https://pytorch.org/blog|pytorch.org>"),
        (
            "[docs.pytorch.org](https://www.docs.pytorch.org/)",
            "<https://www.docs.pytorch.org/|docs.pytorch.org>",
        ),
        ("[the notes](https://evil.example)", "<https://evil.example|the notes>"),
        ("[torch.compile](https://pytorch.org/docs)", "<https://pytorch.org/docs|torch.compile>"),
    ],
)
def test_words_do_not_hide_where_a_link_leads(markdown: str, shown: str) -> None:
    assert joined(pieces(markdown)) == shown
