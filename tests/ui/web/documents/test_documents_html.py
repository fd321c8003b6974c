"""Documents as HTML: found, ordered, and inert whatever they hold."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from lxml import html as parser  # type: ignore[import-untyped]

from ingest.document import Language, Removal
from tests.ui.web.small import make
from ui.web.components.background_work import WorkStep
from ui.web.documents import documents_html
from ui.web.documents.documents_html import (
    Listed,
    label,
    line_to_html,
    listed,
    matching,
    outcome_to_html,
    question_to_html,
    step_to_html,
    table_to_html,
)
from ui.web.documents.intake import IntakeOutcome, RefusedDocument

HOSTILE = "<img src=x onerror=alert(1)>\"'><script>alert(2)</script>"


@pytest.fixture
def rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Listed]:
    small = make(tmp_path, monkeypatch, shipped=True)
    return listed(small.app_state.assistant().retriever.generation, shipped_corpus=True)


def inert(html: str) -> str:
    """The text of HTML in which nothing can act."""
    tree = parser.fromstring(f"<div>{html}</div>")
    for element in tree.iter():
        assert element.tag not in ("script", "img", "iframe", "style")
        assert not any(name.startswith("on") or name in ("src", "style") for name in element.attrib)
        if element.tag == "a":
            assert element.get("href", "").startswith(("http://", "https://"))
            assert element.get("target") == "_blank" and "noopener" in element.get("rel", "")
    return str(tree.text_content())


def test_the_users_own_come_first_and_of_these_the_newest(rows: list[Listed]) -> None:
    assert [row.document.version for row in rows[:3]] == ["2.5", "2.4", "2.3"]
    assert [row.shipped for row in rows] == [False] * 3 + [True] * 2
    assert [row.sections for row in rows[:3]] == [2, 3, 1]


@pytest.mark.parametrize(
    ("text", "versions"),
    [
        ("", ["2.5", "2.4", "2.3"]),
        ("2.5 中文", ["2.5"]),
        ("ENGLISH example.org", ["2.4", "2.3"]),
        ("pytorch 2.4 en.md", ["2.4"]),
        ("自有", ["2.5", "2.4", "2.3"]),
        ("nothing", []),
    ],
)
def test_every_word_of_the_filter_is_looked_for(rows: list[Listed], text: str, versions: list[str]) -> None:
    assert [row.document.version for row in matching(rows[:3], text)] == versions


@pytest.mark.parametrize("shown", ["zh", "en"])
def test_the_table_tells_the_facts(rows: list[Listed], shown: Language) -> None:
    html = table_to_html(rows, rows, shown)
    text = inert(html)
    assert "2024-10-17" in text and "PyTorch 2.5 说明" in text and "zh.md" in text
    assert html.count('scope="row"') == 5 and html.count('scope="col"') == 6
    assert html.count({"zh": "内置</span>", "en": "shipped</span>"}[shown]) == 2
    assert 'href="https://example.org/notes/2.4"' in html
    assert {"zh": "共 5 篇文档，其中 3 篇由用户添加", "en": "Documents: 5; added by users: 3"}[shown] in text
    assert {"zh": "符合筛选条件的有 1 篇", "en": "Matching the filter: 1"}[shown] in inert(
        table_to_html(rows, rows[:1], shown)
    )
    assert "<table" not in table_to_html(rows, [], shown)


def test_what_documents_hold_is_text(rows: list[Listed]) -> None:
    hostile = replace(
        rows[0].document,
        title=HOSTILE,
        url="javascript:alert(3)",
        origin=f"upload://{HOSTILE}",
        removed=(Removal(HOSTILE, 2, HOSTILE),),
    )
    row = Listed(hostile, 1, shipped=False)
    outcome = IntakeOutcome(
        taken=(("new", hostile),),
        removed=(hostile,),
        refused=(RefusedDocument(HOSTILE, HOSTILE),),
        updated=True,
    )
    web = Listed(replace(hostile, url=f"https://example.org/{HOSTILE}".replace(" ", "")), 1, shipped=True)
    for html in (
        table_to_html([row, web], [row, web], "en"),
        outcome_to_html(outcome, "zh"),
        question_to_html([hostile], "en"),
        line_to_html(HOSTILE),
        step_to_html(WorkStep(HOSTILE), "en"),
    ):
        assert "<script>alert(2)</script>" in inert(html)
    assert "\n" not in label(replace(hostile, title="a\nb\x1b"), "en")


def test_the_report_tells_what_was_taken_cleaned_and_refused(rows: list[Listed]) -> None:
    cleaned = (Removal("navigation", 3, "首页 | 关于"), Removal("unrelated tail", 1, "点赞"))
    document = replace(rows[0].document, removed=cleaned)
    outcome = IntakeOutcome(
        taken=(("changed", document),),
        refused=(RefusedDocument("a.pdf", "files of type .pdf are not read"),),
        digests=2,
        documents=1234,
        chunks=5,
        embedded=6,
        updated=True,
    )
    english, chinese = inert(outcome_to_html(outcome, "en")), inert(outcome_to_html(outcome, "zh"))
    assert "changed PyTorch 2.5 说明PyTorch 2.5 · 中文 · Own document · 2024-10-17 · zh.md" in english
    assert "cleaned away: 4 lines" in english and "navigation (3 lines): 首页 | 关于" in english
    assert "unrelated tail (1 line): 点赞" in english
    assert "not taken a.pdf: files of type .pdf are not read" in english
    assert "1,234 documents in 5 chunks" in english and "Shipped digests brought up to date: 2" in english
    assert "已更新" in chinese and "清洗掉 4 行" in chinese and "未收录 a.pdf" in chinese
    assert "Nothing was taken" in inert(outcome_to_html(IntakeOutcome(refused=outcome.refused), "en"))


@pytest.mark.parametrize(
    ("step", "english", "chinese"),
    [
        (WorkStep("embed", 1200, 3400), "Embedding: 1,200 of 3,400 texts", "计算向量：1,200 / 3,400 条文本"),
        (WorkStep("wait"), "yours is next", "完成后就轮到你"),
        (WorkStep("write", 0, 1), "Writing the index", "写入索引"),
    ],
)
def test_a_step_is_one_line(step: WorkStep, english: str, chinese: str) -> None:
    assert english in inert(step_to_html(step, "en"))
    assert chinese in inert(step_to_html(step, "zh"))


def test_a_long_filter_costs_no_more_than_a_short_one(
    rows: list[Listed], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Any visitor sends one: a thousand words took four seconds, as the row's text was made for each."""
    built = []

    def searched(row: Listed) -> str:
        built.append(row)
        return "a"

    monkeypatch.setattr(documents_html, "_searched", searched)
    assert matching(rows, "a " * 100_000) == rows
    assert len(built) == len(rows)
