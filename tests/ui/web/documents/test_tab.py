"""The documents tab: what is laid out for whom."""

from __future__ import annotations

import asyncio
from pathlib import Path

import gradio as gr
import pytest

from tests.ui.web.small import make
from ui.shared.app_state import AppState
from ui.web.components.translated import TranslatedComponents
from ui.web.documents.tab import documents_tab


async def lay_out(app_state: AppState, spoken: TranslatedComponents) -> gr.Blocks:
    """A page with nothing but the tab; gradio takes the loop that runs, or makes some that nobody closes."""
    page: gr.Blocks
    with gr.Blocks(analytics_enabled=False) as page:
        shown = gr.Textbox("en", visible="hidden")
        with gr.Tab("Documents"):
            documents_tab(app_state, spoken, shown)
    return page


@pytest.mark.parametrize("allowed", [True, False])
def test_only_where_it_is_allowed_there_is_a_way_to_change(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, allowed: bool
) -> None:
    spoken = TranslatedComponents()
    page = asyncio.run(lay_out(make(tmp_path, monkeypatch, allowed=allowed).app_state, spoken))
    kinds = {type(block) for block in page.blocks.values()}
    changing = {gr.File, gr.Button, gr.CheckboxGroup}
    assert (kinds & changing == changing) if allowed else not kinds & changing
    handlers = {handler.name for handler in page.fns.values()}
    assert handlers == ({"table", "choices", "add", "ask", "keep", "remove"} if allowed else {"table"})
    assert all(handler.api_visibility == "private" for handler in page.fns.values())
    told = [str(update.get("value", "")) for update in spoken.updates("zh")]
    assert any("torchnotes web --allow-documents" in words for words in told) != allowed


def test_files_come_as_they_are_sent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = asyncio.run(lay_out(make(tmp_path, monkeypatch).app_state, TranslatedComponents()))
    add = next(handler for handler in page.fns.values() if handler.name == "add")
    assert not add.preprocess and isinstance(add.inputs[0], gr.File)
