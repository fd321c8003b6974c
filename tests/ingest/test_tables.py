from __future__ import annotations

from pathlib import Path

import pytest

from ingest import tables
from ingest.loaders import load
from ingest.tables import flatten_tables
from tests.rows import each_row

CORPUS = Path(__file__).resolve().parents[2].parent / "shared" / "corpus"


def table(*rows: str) -> str:
    return "<table>" + "".join(f"<tr>{row}</tr>" for row in rows) + "</table>"


def test_a_highlight_table_becomes_a_line_a_status() -> None:
    html = table(
        "<td><strong>Beta</strong></td><td>Prototype</td>",
        "<td>torch.compile</td><td>FSDP2 &amp; <code>DTensor_x</code></td>",
        "<td>libuv</td><td></td>",
    )
    assert flatten_tables(f"Before.\n\n{html}\n\nAfter.") == (
        "Before.\n\nBeta: torch.compile; libuv\n\nPrototype: FSDP2 & DTensor_x\n\nAfter."
    )


def test_blank_lines_inside_a_table_do_not_end_it() -> None:
    html = (
        '<table class="t">\n<tr>\n<td>Beta</td>\n\n<td>Prototype</td></tr>\n\n<tr>\n<td>\n\n'
        '<a href="#x">a</a>\n</td><td>b</td></tr>\n</table>'
    )
    assert flatten_tables(f"Before.\n\n{html}\n\nAfter.") == "Before.\n\nBeta: a\n\nPrototype: b\n\nAfter."


def test_line_breaks_and_lists_in_a_cell_do_not_glue_words() -> None:
    html = table("<td>Beta</td>", "<td>one<br>two<ul><li>three</li><li>four</li></ul></td>")
    assert flatten_tables(html) == "Beta: one two three four"


def test_cells_over_many_rows_or_columns_keep_the_others_in_place() -> None:
    html = table(
        "<td>Stable</td><td>Beta</td><td>Prototype</td>",
        '<td rowspan="2">a</td><td>b</td><td>c</td>',
        "<td>d</td><td>e</td>",
        '<td colspan="2">f</td><td>g</td>',
        "<td></td><td>h</td><td rowspan='2'>i</td>",
        "<td>j</td>",
        "<td>k</td><td>l</td><td>m</td>",
    )
    assert flatten_tables(html) == "Stable: a; f; j; k\n\nBeta: b; d; h; l\n\nPrototype: c; e; g; i; m"


def test_a_markdown_highlight_table() -> None:
    text = "| **Beta** | 原型 |\n| --- | --- |\n| a \\| b | `c_d` |\n| e | |\n\nAfter."
    assert flatten_tables(text) == "Beta: a | b; e\n\n原型: c_d\n\nAfter."


def test_other_html_tables_become_markdown() -> None:
    html = table("<th>Python</th><th>CUDA</th>", "<td>3.12</td><td>a|b</td>", "<td>3.13</td>")
    assert flatten_tables(html) == "| Python | CUDA |\n| --- | --- |\n| 3.12 | a\\|b |\n| 3.13 |  |"


@each_row(
    "text",
    [
        "| Python | CUDA |\n| --- | --- |\n| 3.12 | 12.4 |",
        "```html\n<table><tr><td>Beta</td></tr><tr><td>x</td></tr></table>\n```",
        "a\n\n<table></table>\n\nb",
        "<table>\n<tr><td>Beta</td></tr>\n<tr><td>never closed",
        "<table>\n\n```\n</table>\n```",
        "no table",
        "",
    ],
    ids=["markdown", "in-code", "empty", "unclosed", "closed-in-code", "none", "nothing"],
)
def test_what_stays_as_it_is(text: str) -> None:
    assert flatten_tables(text) == text


@pytest.mark.skipif(not CORPUS.is_dir(), reason="the release documents are not beside the checkout")
def test_no_html_table_is_left_in_the_real_documents() -> None:
    texts = {
        d.origin.removeprefix(f"{CORPUS}/"): d.text
        for d in load(CORPUS, on_skip=lambda e: pytest.fail(str(e)))
    }
    assert not [name for name, text in texts.items() if "<td" in text or "<table" in text]
    text = texts["en/pytorch-2.0-blog.md"]
    assert "Stable: Accelerated PT 2 Transformers\n" in text
    assert "Prototype: DTensor; TensorParallel; 2D Parallel; Torch.compile (dynamic=True)\n" in text
    assert "Unstable: torch::stable::Tensor; " in texts["en/pytorch-2.8.0-release-notes.md"]


@each_row("text", ["a | b\n- c", "| API | Note |\n|---|---|\n| Beta | x |\n", "`<t>` and\n---\n"])
def test_a_text_without_such_a_table_is_not_parsed(text: str) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tables, "parse_blocks", None)  # takes a tenth of the time of indexing
        assert flatten_tables(text) == text
