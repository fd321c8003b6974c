from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from ingest.markup import Block, inline_text, parse_blocks, reading_text, unescape
from tests.rows import each_row


def outline(text: str) -> list[tuple[str, str]]:
    return [(block.kind, text[block.start : block.end]) for block in parse_blocks(text)]


def parents(text: str) -> dict[str, str | None]:
    return {
        text[b.start : b.end].strip(): text[slice(*b.parent)].strip() if b.parent else None
        for b in parse_blocks(text)
    }


def test_kinds_and_spans() -> None:
    text = (
        "# Title\n\nA paragraph\nof two lines.\n\n- one\n  - two\n\n> said\n\n```python\nx = 1\n```\n\n"
        "| a |\n| - |\n| b |\n\n<div>\nhtml\n</div>\n\nTitle 2\n---\n"
    )
    assert outline(text) == [
        ("heading", "# Title"),
        ("paragraph", "A paragraph\nof two lines."),
        ("item", "- one"),
        ("item", "  - two"),
        ("quote", "> said"),
        ("fence", "```python\nx = 1\n```"),
        ("table", "| a |\n| - |\n| b |"),
        ("html", "<div>\nhtml\n</div>"),
        ("heading", "Title 2\n---"),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "```\n# no heading\n```",
        "~~~\n# no\n~~~",
        "````\n```\n# no\n```\n````",
        "```\n# no, and never closed",
        "    # indented code",
    ],
    ids=["backticks", "tildes", "nested", "unclosed", "indented"],
)
def test_a_hash_in_code_is_no_heading(text: str) -> None:
    assert [kind for kind, _ in outline(text)] == ["fence"]


@pytest.mark.parametrize("text", ["#156181 is a pull request", "#no space", r"\# escaped", "####### seven"])
def test_what_looks_like_a_heading(text: str) -> None:
    assert [kind for kind, _ in outline(text)] == ["paragraph"]


@pytest.mark.parametrize(
    "line",
    ["**Inductor**", "**New features:**", "**Note**：", "__Dynamo__", "**scaled_dot_product_attention**"],
)
def test_a_bold_line_of_its_own_is_a_heading_below_all_others(line: str) -> None:
    first, second = parse_blocks(f"{line}\n\nText.")
    assert (first.kind, first.level, second.kind) == ("heading", 7, "paragraph")


@each_row(
    "line",
    ["**a** and **b**", "**Bold** then text", "text **bold**", "- **item**", "> **quoted**", "**a**\n**b**"],
)
def test_bold_elsewhere_is_none(line: str) -> None:
    assert not any(block.kind == "heading" for block in parse_blocks(line))


def test_items_know_the_line_they_stand_under() -> None:
    assert parents("Lead in:\n\n- a\n  - b\n    - c\n\n  more of a\n- d\n\nElse.\n\n- e") == {
        "Lead in:": None,
        "- a": "Lead in:",
        "- b": "- a",
        "- c": "- b",
        "more of a": "- a",
        "- d": "Lead in:",
        "Else.": None,
        "- e": None,
    }


def test_code_inside_an_item_does_not_cut_the_next_item_off() -> None:
    found = parents("Lead:\n\n- a\n  ```\n  x\n  ```\n- b\n\n* c")
    assert found["- b"] == found["* c"] == "Lead:"
    assert found["```\n  x\n  ```"] == "- a"


def test_a_new_list_after_other_text_has_no_lead_in() -> None:
    found = parents("Lead:\n\n- a\n\n## Heading\n\n- b\n\n```\nx\n```\n\n- c\n\nNo lead in.\n\n- d")
    assert (found["- a"], found["- b"], found["- c"], found["- d"]) == ("Lead:", None, None, None)


@pytest.mark.parametrize("end", ["\r\n", "\r", "\n"], ids=["crlf", "cr", "lf"])
def test_every_line_end_counts_as_one(end: str) -> None:
    text = end.join(["# A", "", "text", "", "- b", ""])
    assert outline(text) == [("heading", "# A"), ("paragraph", "text"), ("item", "- b")]


def test_nothing() -> None:
    assert parse_blocks("") == [] and parse_blocks(" \n\n") == []


def test_a_block_has_no_blank_lines_at_its_end() -> None:
    assert parse_blocks("text  \n\n\n") == [Block("paragraph", 0, 4)]


@each_row(
    ("markdown", "plain"),
    [
        ("### [Beta] *torch.compile* (#1234)", "[Beta] torch.compile (#1234)"),
        ("`torch._dynamo.mark_dynamic`, __init__, _x_", "torch._dynamo.mark_dynamic, __init__, x"),
        ("scaled_dot_product_attention, a*b*c, 2 * 3 * 4", "scaled_dot_product_attention, a*b*c, 2 * 3 * 4"),
        ("**bold** <b>tag</b> [text](https://x.y/z_(1)) ![alt](i.png)", "bold tag text alt"),
        ("`std::vector<float>` and std::vector<float>", "std::vector<float> and std::vector<float>"),
        (r"sdp\_kernel \* \[x\]", "sdp_kernel * [x]"),
        ("``a`b``  x\n  y", "a`b x y"),
        ("- [x] item", "[x] item"),
        ("<https://x.y/a_b_c>", "https://x.y/a_b_c"),
        ("张量**并行**支持", "张量并行支持"),
        ("***both*** and **a *b* c**", "both and a b c"),
        ("**注意：**请升级。**Note:** here", "注意：请升级。Note: here"),
        ("_torch.compile_ and _dynamic=False_ (_new_)", "torch.compile and dynamic=False (new)"),
        (r"_torch.\_dynamo.config.x = False_", "torch._dynamo.config.x = False"),
        ("a <!-- one --> b <!-- two", "a b <!-- two"),
        ("`` ` `` and ``a`b", "` and ``a`b"),
    ],
)
def test_inline_text(markdown: str, plain: str) -> None:
    assert inline_text(markdown) == plain


@each_row(
    "text",
    [
        "torch.f(*args) and g(*kwargs)",
        "torch.f(**args) and g(**kwargs)",
        "f(*args, **kwargs) and g(x,*args,y,*z)",
        "f(*a)*b and f(*a)* b",
        "x**2 + y**2 and f(x)**2 + g(y)**2",
        "all of torch.*, nn.*",
        "torch._foreach_* ops",
        "torch.__version__ and __init__",
        "torch._foreach_add_ and torch._foreach_mul_",
        "_compute_stride, torch._check and buffer.copy_",
    ],
)
def test_names_and_code_survive_in_plain_text(text: str) -> None:
    assert inline_text(text) == reading_text(text) == text


HOSTILE = {
    "backticks": "`" * 200_000,
    "runs of backticks": " ".join("`" * length for length in range(600)),
    "open strong": "**a " * 50_000,
    "open star": " *(a" * 50_000,
    "open underscore": " _a" * 60_000,
    "open comments": "<!-- " * 40_000,
    "open tags": "<a " * 60_000,
    "open images": "![" * 100_000,
    "open image targets": "![](" * 50_000,
    "open links": "[a](" * 50_000,
    "open addresses": "<http://a" * 20_000,
    "spaces": f"a{' ' * 200_000}b",
}


@each_row("text", HOSTILE.values(), ids=HOSTILE)
@each_row("plain", [inline_text, reading_text, unescape])
def test_marks_that_never_close_cost_little(text: str, plain: Callable[[str], str]) -> None:
    """Each takes a moment; minutes where the time grows with the square of the length."""
    words = re.findall(r"[ab]", text)
    assert re.findall(r"[ab]", plain(text)) == words


@each_row(
    ("markdown", "read"),
    [
        ("Fixed ([#1](u)) (#1234, #5678).", "Fixed (#1)."),
        ("```python\nx = a*b*c  # [n](u)\n```", "```python\nx = a*b*c  # [n](u)\n```"),
        ("`[a](b)` [a](b)", "`[a](b)` a"),
        ("a  \nb", "a\nb"),
        ("x <!-- hidden --> y<br/>", "x  y"),
        ("> It is fast\n> because `x`\n>it > that", "It is fast\nbecause `x`\nit > that"),
        ("> > nested\n\n  > `a` > b", "nested\n\n`a` > b"),
        (">>> x = 1\n>= 2.4", ">>> x = 1\n>= 2.4"),
        ("```\n> prompt\n```\n> said", "```\n> prompt\n```\nsaid"),
    ],
)
def test_reading_text(markdown: str, read: str) -> None:
    assert reading_text(markdown) == read


@pytest.mark.parametrize(
    ("markdown", "text"),
    [(r"sdp\_kernel a\*b", "sdp_kernel a*b"), (r"`a\_b` c\_d", r"`a\_b` c_d"), (r"\_x \* y", r"\_x \* y")],
)
def test_unescape_gives_names_back_outside_of_code(markdown: str, text: str) -> None:
    assert unescape(markdown) == text
