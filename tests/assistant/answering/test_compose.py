"""Composing: every sentence with its mark, in the language asked, and declines that say what was searched."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from assistant.answer import Citation
from assistant.answering.compose import compose, title
from assistant.answering.decline import decline
from assistant.retrieval.pick import Pick
from assistant.text.messages import FOREIGN_NOTES, NAMES_KEPT
from corpus.glossary import load_glossary
from index.search.passage import Passage
from ingest.release import Release
from tests.assistant.notes import ZH_26
from tests.assistant.passages import passage, question
from tests.assistant.rules import check_quotes, check_text, marks, reads_as_chinese
from tests.rows import each_row

ENGLISH = "What is new in TCPStore?"
CHINESE = "TCPStore 有什么变化？"
LONG = "TCPStore starts " + "a server with more threads and more options " * 12 + "by default."


def picked(found: Passage, keep: Callable[[str], bool] = lambda kind: kind != "heading") -> Pick:
    return Pick(found, tuple(s for s in found.sentences if keep(s.span.kind)))


def composed(text: str, *picks: Pick) -> tuple[str, tuple[Citation, ...]]:
    asked = question(text)
    out, citations = compose(asked, picks, load_glossary())
    check_text(out, citations, asked.language)
    return out, citations


def test_each_sentence_has_its_own_mark() -> None:
    found = passage("## [Beta] TCPStore\n\nIt runs on libuv. It starts faster.\n")
    other = passage("## Wheels\n\n- Wheels are smaller.\n", "en-2.5")
    text, citations = composed(ENGLISH, picked(found), picked(other))
    assert text == (
        "**PyTorch 2.4 · Beta · TCPStore**\n- It runs on libuv. [1]\n- It starts faster. [2]\n\n"
        "**PyTorch 2.5 · Wheels**\nWheels are smaller. [3]"
    )
    assert [c.quote for c in citations] == ["It runs on libuv.", "It starts faster.", "- Wheels are smaller."]
    assert [c.version for c in citations] == ["2.4", "2.4", "2.5"]


def test_titles_name_release_status_and_heading_in_the_language_asked() -> None:
    found = passage("## [原型] 新的后端\n\n默认使用新的后端。\n", "zh-2.4")
    assert composed(CHINESE, picked(found))[0].startswith("**PyTorch 2.4 · 原型（Prototype） · 新的后端**")


def test_a_title_keeps_brackets_that_tell_no_status() -> None:
    found = passage("## [ONNX] Remove caffe2\n\nIt is gone.\n")
    assert title(found, "en") == "PyTorch 2.4 · [ONNX] Remove caffe2"
    text, _ = composed(ENGLISH, picked(found, lambda kind: kind == "heading"))
    assert text == "**PyTorch 2.4**\n- [ONNX] Remove caffe2 [1]"


def test_titles_are_one_line_of_plain_words() -> None:
    found = passage("## See [the docs](https://example.org) in [3] and `a[1]`\n\nText.\n")
    assert title(found, "en") == r"PyTorch 2.4 · See the docs in \[3\] and a[1]"
    odd = replace(
        found.document, release=None, title="A **bold**\n# [title](https://example.org) [1] of ` mine"
    )
    assert title(replace(found, document=odd), "en", heading=False) == r"A bold # title \[1\] of \` mine"


def test_a_document_cannot_forge_marks() -> None:
    found = passage(
        "## TCPStore\n\n- It follows the scheme in [2] and [the docs][1], see [notes][more].\n"
        "- Names such as `x[3]`, x.shape[1] and [a][b] stay, a ` does not open.\n"
        "- Nor does ` this [ 4 ] one[5], ［６］ and [７].\n\n[more]: https://example.org\n"
    )
    text, citations = composed(ENGLISH, picked(found))
    lines = [line.removeprefix("- ") for line in text.split("\n")[1:]]
    assert lines[:3] == [
        r"It follows the scheme in \[2\] and the docs, see notes. [1]",
        r"Names such as `x[3]`, x.shape[1] and [a][b] stay, a \` does not open. [2]",
        r"Nor does \` this \[ 4 \] one\[5\], ［６］ and \[７\]. [3]",
    ]
    assert citations[0].quote == "- It follows the scheme in [2] and [the docs][1], see [notes][more]."


def test_code_of_a_document_is_closed() -> None:
    fenced = "## A\n\nTurn it off.\n\n```\nx = [2]\n"
    indented = "## A\n\nTurn it off.\n\n    x = [2]\n\nSo.\n"
    for body, code in ((fenced, "```\nx = [2]\n```"), (indented, "```\n    x = [2]\n```")):
        text, _ = composed(ENGLISH, picked(passage(body)))
        assert f"Turn it off. [1]\n\n{code}\n\n [2]" in text


def test_the_title_of_a_document_without_a_release_is_its_own() -> None:
    found = passage("## Backends\n\nOurs is libuv.\n")
    own = replace(found, document=replace(found.document, release=None, title="Team handbook"))
    assert title(own, "en") == "Team handbook · Backends"


def test_marks_links_and_names_are_shown_plainly() -> None:
    found = passage(
        "## Names\n\nUse `torch._dynamo.mark_dynamic` and `x.shape[1]`, see [the docs](https://example.org/a_b_c).\n"
    )
    text, _ = composed(ENGLISH, picked(found))
    assert "`torch._dynamo.mark_dynamic`" in text and "`x.shape[1]`" in text
    assert "example.org" not in text and "the docs" in text


def test_a_sentence_over_two_lines_is_shown_on_one() -> None:
    text, citations = composed(ENGLISH, picked(passage("## Notes\n\nThe server\nruns on libuv.\n")))
    assert (
        text.endswith("The server runs on libuv. [1]") and citations[0].quote == "The server\nruns on libuv."
    )


def test_table_rows_are_shown_with_the_titles_of_their_columns() -> None:
    table = "## Platforms\n\n| Platform | Wheels |\n| --- | --- |\n| Windows **x64** | CPU |\n"
    text, citations = composed(ENGLISH, picked(passage(table), lambda kind: kind == "row"))
    assert "\nPlatform: Windows x64 · Wheels: CPU [1]" in text
    assert citations[0].quote == "| Windows **x64** | CPU |"


@pytest.mark.parametrize(
    ("row", "told"),
    [
        ("| GCN-Reddit | 512 | 1.31x |", "Model: GCN-Reddit · Batch: 512 · Speedup: 1.31x"),
        (r"| one \| two | 1 | 2 |", "Model: one | two · Batch: 1 · Speedup: 2"),
        (r"| `a \| b` | | 3 |", "Model: a | b · Speedup: 3"),
        ("| Batch | Batch | [1] |", r"Model: Batch · Batch · Speedup: \[1\]"),
        ("| A | 1 | 2 | 3 |", "Model: A · Batch: 1 · Speedup: 2 · 3"),
    ],
    ids=["plain", "bar", "bar in code", "mark", "longer"],
)
def test_cells_of_a_row_are_told_apart(row: str, told: str) -> None:
    table = f"## Speed\n\n| Model | Batch | Speedup |\n|:---|---|---:|\n| X | 1 | 1x |\n{row}\n"
    found = passage(table)
    last = replace(picked(found), sentences=found.sentences[-1:])
    assert composed(ENGLISH, last)[0] == f"**PyTorch 2.4 · Speed**\n{told} [1]"


def test_code_stands_in_its_own_fence_byte_for_byte() -> None:
    code = '```python\nos.environ["USE_LIBUV"] = "0"\n```'
    text, citations = composed(ENGLISH, picked(passage(f"## TCPStore\n\nTurn it off.\n\n{code}\n")))
    assert f"\n{code}\n" in text and citations[1].quote == code
    assert marks(text) == [1, 2]


def test_english_notes_under_a_chinese_question_are_quoted_and_explained() -> None:
    found = passage("## TCPStore\n\nTCPStore runs on libuv.\n")
    text, citations = composed(CHINESE, picked(found))
    assert text.startswith(FOREIGN_NOTES["zh"]) and "TCPStore runs on libuv. [1]" in text
    assert "`TCPStore`：" in text and len(citations) == 1


def test_chinese_notes_under_an_english_question_become_names_and_figures() -> None:
    body = ZH_26.partition("\n\n")[2].partition("\n\n## ")[0]
    text, citations = composed("How much faster is torch.grouped_mm?", picked(passage(body, "zh-2.6")))
    assert text.startswith(FOREIGN_NOTES["en"])
    assert "torch.grouped_mm" in text and "1.7x" in text and "30%" in text
    assert citations[0].quote.startswith("新的分组矩阵乘内核")


def test_a_long_foreign_sentence_is_cut_but_whole_in_its_citation() -> None:
    text, citations = composed(CHINESE, picked(passage(f"## TCPStore\n\n{LONG}\n")))
    assert "…" in text and LONG not in text
    assert citations[0].quote == LONG


def test_foreign_sentences_go_until_the_answer_reads_as_asked() -> None:
    names = "alpha beta gamma delta epsilon zeta".split()
    body = "## TCPStore\n\n" + " ".join(
        f"The {n} server of TCPStore reads {n} requests first." for n in names
    )
    text, citations = composed(CHINESE, picked(passage(body)))
    assert 1 <= len(citations) < len(names) and citations[0].quote.startswith("The alpha")
    assert "…" not in text


NAMES = "`aot_inductor.embed_cubin_and_more_of_it` 即 `aot_inductor.embed_kernel_binary_and_more_of_it`。"


def test_names_upon_names_read_as_chinese_below_a_line_that_says_so() -> None:
    plain = passage("## [Beta] TCPStore\n\nTCPStore 默认使用新的后端，启动更快。\n", "zh-2.4")
    named = passage(f"## 配置\n\n{NAMES}\n", "zh-2.4")
    text, citations = composed(CHINESE, picked(plain), picked(named))
    assert [c.quote for c in citations] == ["TCPStore 默认使用新的后端，启动更快。", NAMES]
    assert text.startswith(NAMES_KEPT) and reads_as_chinese(text)


def test_sentences_of_names_go_until_the_answer_reads_as_asked() -> None:
    plain = passage("## [Beta] TCPStore\n\nTCPStore 默认使用新的后端，启动更快。\n", "zh-2.4")
    named = passage(f"## 配置\n\n{' '.join([NAMES] * 3)}\n", "zh-2.4")
    text, citations = composed(CHINESE, picked(plain), picked(named))
    assert citations[0].quote == "TCPStore 默认使用新的后端，启动更快。" and len(citations) < 4
    assert reads_as_chinese(text)


def test_own_language_sentences_survive_foreign_ones() -> None:
    chinese = passage("## TCPStore\n\n默认后端改为 libuv。\n", "zh-2.4")
    english = passage(f"## TCPStore\n\n{LONG}\n", "en-2.5")
    text, citations = composed(CHINESE, picked(chinese), picked(english))
    assert "默认后端改为 libuv。" in text and citations[0].version == "2.4"


@each_row("count", [1, 2, 3, 5])
@each_row("asked", [ENGLISH, CHINESE], ids=["en", "zh"])
def test_any_mix_of_languages_holds(asked: str, count: int) -> None:
    bodies = [
        ("en-2.4", "## [Beta] TCPStore\n\nTCPStore runs on libuv. It starts 16 seconds sooner.\n"),
        ("zh-2.4", "## [测试版] TCPStore\n\nTCPStore 使用 `libuv`。启动时间缩短 16 秒。\n"),
        ("en-2.5", f"## Notes\n\n{LONG}\n\n```python\nstore = TCPStore()\n```\n"),
        ("zh-2.6", "## 性能\n\n这样更好。\n"),
        ("en-2.7", "## Table\n\n| API | State |\n| --- | --- |\n| `TCPStore` | stable |\n"),
    ]
    composed(asked, *(picked(passage(body, name)) for name, body in bodies[:count]))


def declined(text: str, *found: Passage, known: str = "2.3 2.4") -> tuple[str, tuple[Citation, ...]]:
    out, citations = decline(question(text), found, [Release.parse(release) for release in known.split()])
    check_quotes(citations)
    assert marks(out) == [c.number for c in citations] == list(range(1, len(citations) + 1))
    return out, citations


def test_a_decline_says_what_was_searched_and_what_is_nearest() -> None:
    found = [
        passage(f"## {name}\n\nText.\n", f"en-2.{n}")
        for n, name in enumerate(("First", "Second", "Third"), 3)
    ]
    text, citations = declined("What is the price?", *found)
    assert text.startswith("The release notes do not answer this. Searched: PyTorch 2.3, PyTorch 2.4.")
    assert "- PyTorch 2.3 · First [1]" in text and "- PyTorch 2.4 · Second [2]" in text
    assert "Third" not in text and len(citations) == 2


def test_a_decline_in_chinese() -> None:
    text, _ = declined("要多少钱？", passage("## [测试版] 后端\n\n默认后端改为 libuv。\n", "zh-2.4"))
    assert text.startswith("发布说明里没有找到这个问题的答案。已检索：PyTorch 2.3, PyTorch 2.4。")
    assert "最接近的内容：\n- PyTorch 2.4 · 测试版（Beta） · 后端 [1]" in text
    assert reads_as_chinese(text)


def test_a_decline_names_only_the_releases_asked_for() -> None:
    assert "Searched: PyTorch 2.4." in declined("What is the price in 2.4?")[0]


def test_many_releases_are_told_by_their_ends() -> None:
    text, _ = declined("What is the price?", known="2.2 2.3 2.4 2.5 2.10")
    assert "Searched: PyTorch 2.2 – 2.10." in text


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("2.2, 2.4, 2.6 and 2.8", "PyTorch 2.2, PyTorch 2.4, PyTorch 2.6, PyTorch 2.8"),
        ("2.2, 2.4, 2.5, 2.6 and 2.7", "PyTorch 2.2, PyTorch 2.4 – 2.7"),
        ("2.4, 2.5 and 2.6", "PyTorch 2.4, PyTorch 2.5, PyTorch 2.6"),
    ],
)
def test_releases_that_were_not_searched_are_not_told(asked: str, told: str) -> None:
    text, _ = declined(f"What is the price in {asked}?", known="2.2 2.3 2.4 2.5 2.6 2.7 2.8")
    assert f"Searched: {told}." in text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("TCPStore in 2.30?", "No document in the index is about PyTorch 2.30."),
        ("2.30 的 TCPStore", "索引里没有 PyTorch 2.30 的文档。"),
        ("TCPStore in 2.30 and 2.31?", "No document in the index is about PyTorch 2.30, 2.31."),
    ],
)
def test_a_decline_says_which_release_is_unknown(text: str, expected: str) -> None:
    assert declined(text)[0].startswith(expected)


def test_a_decline_of_an_empty_index() -> None:
    text, citations = declined("What is TCPStore?", known="")
    assert "Searched: no document at all." in text and citations == ()


CODE_26 = "## [Beta] 后端\n\n用 `set_backend` 选择后端。\n\n```python\n" + "import torch\n" * 12 + "```\n"


def test_code_that_outweighs_a_chinese_answer_is_shown_where_it_is_asked_for() -> None:
    found = passage(CODE_26, "zh-2.6")
    text, _ = composed("怎么选择后端？", picked(found))
    assert "import torch" not in text and "`set_backend`" in text
    asked, _ = compose(question("选择后端的代码怎么写？"), [picked(found)], load_glossary())
    assert "import torch" in asked and "`set_backend`" in asked
