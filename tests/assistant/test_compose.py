"""Composing: every sentence with its mark, in the language asked, and declines that say what was searched."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from assistant.answer import Citation
from assistant.compose import compose, decline, title
from assistant.extract import Pick
from assistant.wording import FOREIGN_NOTES
from corpus.glossary import load_glossary
from index.passage import Passage
from ingest.release import Release
from tests.assistant.checks import check_quotes, check_text, marks, reads_as_chinese
from tests.assistant.notes import ZH_26
from tests.assistant.passages import passage, question

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


def test_table_rows_are_shown_as_cells() -> None:
    table = "## Platforms\n\n| Platform | Wheels |\n| --- | --- |\n| Windows **x64** | CPU |\n"
    text, citations = composed(ENGLISH, picked(passage(table), lambda kind: kind == "row"))
    assert "Windows x64 · CPU [1]" in text
    assert citations[0].quote == "| Windows **x64** | CPU |"


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


def test_own_language_sentences_survive_foreign_ones() -> None:
    chinese = passage("## TCPStore\n\n默认后端改为 libuv。\n", "zh-2.4")
    english = passage(f"## TCPStore\n\n{LONG}\n", "en-2.5")
    text, citations = composed(CHINESE, picked(chinese), picked(english))
    assert "默认后端改为 libuv。" in text and citations[0].version == "2.4"


@pytest.mark.parametrize("count", [1, 2, 3, 5])
@pytest.mark.parametrize("asked", [ENGLISH, CHINESE], ids=["en", "zh"])
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
