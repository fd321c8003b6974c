"""The tab that shows features and holdings: its handlers, on a small index."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from inspect import unwrap
from pathlib import Path
from typing import Any

import gradio as gr
import pytest

from tests.ui.web.small import Small, make
from ui.web.components.translated import TranslatedComponents
from ui.web.explore.tab import explore_tab


class Tab:
    """The tab over a small index, its handlers by name; they do not wait for their turn here."""

    def __init__(self, small: Small) -> None:
        self.small = small
        self.spoken = TranslatedComponents()
        self.page: gr.Blocks
        with gr.Blocks() as self.page:
            shown = gr.Textbox("en", visible="hidden")
            with gr.Tab("Features"):
                explore_tab(small.app_state, self.spoken, shown)
        self.handlers: dict[str, Callable[..., Any]] = {
            str(handler.name): unwrap(handler.fn) for handler in self.page.fns.values() if handler.fn
        }


@pytest.fixture
def tab(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Tab:
    async def built() -> Tab:
        return Tab(make(tmp_path, monkeypatch))

    return asyncio.run(built())  # gradio asks for a loop, and would leave one of its own open


def test_the_handlers_are_the_pages_own(tab: Tab) -> None:
    assert {"draw", "tell"} <= tab.handlers.keys()
    assert all(f.api_visibility == "private" for f in tab.page.fns.values())
    drawing = next(f for f in tab.page.fns.values() if f.name == "draw")
    events = {event for _, event in drawing.targets}
    assert {"load", "change"} <= events


def test_features_are_drawn_and_told(tab: Tab) -> None:
    head, chart, table, more = tab.handlers["draw"]("", "", "all", 40, "en")
    assert "Features: 5." in head and "Prototype" in head
    assert chart["visible"] and '"FlexAttention' in chart["value"].to_json()
    assert "FSDP2 is a prototype that shards each parameter by itself." in table
    assert not more["visible"]


def test_nothing_found_shows_no_chart(tab: Tab) -> None:
    head, chart, table, more = tab.handlers["draw"]("FSPD2", "", "changed", 40, "zh")
    assert "名称相近的有：FSDP2。" in head
    assert (chart["visible"], table, more["visible"]) == (False, "", False)


def test_a_long_list_comes_in_parts(tab: Tab, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ui.web.explore.tab._PAGE", 2)
    head, chart, _, more = tab.handlers["draw"]("", "", "all", 2, "en")
    assert "the first 2 are shown" in head and more["visible"]
    assert {len(rows) for rows in chart["value"].to_dict()["datasets"].values()} == {2}
    *_, more = tab.handlers["draw"]("", "", "all", 6, "en")
    assert not more["visible"]


@pytest.mark.parametrize("had", ["beta<script>", "improvement", None], ids=["markup", "no-step", "nothing"])
def test_a_status_that_is_none_counts_as_any(tab: Tab, had: str | None) -> None:
    assert "Features: 5." in tab.handlers["draw"](None, had, "all", 40, "en")[0]


@pytest.mark.parametrize(("language", "words"), [("en", "Last whole sync"), ("zh", "最近一次完整同步")])
def test_the_index_is_told(tab: Tab, language: str, words: str) -> None:
    html = tab.handlers["tell"](language)
    assert words in html and "Notes of PyTorch" not in html
    assert '<th scope="row">2.5</th>' in html and "torchnotes sync --releases" in html


def test_a_damaged_index_is_told_in_a_line(tab: Tab) -> None:
    tab.small.damage()
    for told in (tab.handlers["tell"]("en"), tab.handlers["draw"]("", "", "all", 40, "en")[0]):
        assert 'role="alert"' in told and "torchnotes rebuild" in told


def test_what_stands_still_speaks_both_languages(tab: Tab) -> None:
    zh = [str(update) for update in tab.spoken.updates("zh")]
    for words in (
        "功能在各版本里的状态",
        "查找功能",
        "测试版（Beta）",
        "全部功能",
        "索引里有什么",
        "再显示一些",
    ):
        assert any(words in update for update in zh), words


def test_no_more_are_drawn_than_take_a_moment(tab: Tab, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ui.web.explore.tab._PAGE", 2)
    monkeypatch.setattr("ui.web.explore.tab._MOST", 3)
    _, chart, _, more = tab.handlers["draw"]("", "", "all", 10**9, "en")
    assert {len(rows) for rows in chart["value"].to_dict()["datasets"].values()} == {3}
    assert not more["visible"] and tab.handlers["<lambda>"](10**9) == 3
