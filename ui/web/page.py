"""The page: header, tabs, and language.

Imports gradio: import it lazily, and after setting `GRADIO_ANALYTICS_ENABLED` (`ui.web.server` does both).
"""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import Any, get_args

import gradio as gr

from ingest.document import Language
from ui.shared.app_state import AppState
from ui.web.api import offer_endpoints
from ui.web.api_tab import api_tab
from ui.web.chat.tab import chat_tab
from ui.web.compare.tab import compare_tab
from ui.web.components import page_labels as words
from ui.web.components.translated import TranslatedComponents
from ui.web.documents.tab import documents_tab
from ui.web.explore.tab import explore_tab
from ui.web.upgrade.tab import upgrade_tab

STATIC = Path(__file__).with_name("static")
_SYSTEM_FONTS = (
    *("system-ui", "-apple-system", "Segoe UI", "Roboto", "PingFang SC", "Hiragino Sans GB"),
    *("Microsoft YaHei", "Noto Sans CJK SC", "Noto Sans SC", "sans-serif"),
)
_CODE_FONTS = ("ui-monospace", "SFMono-Regular", "Menlo", "Consolas", "Liberation Mono", "monospace")
# The language chosen before in this browser, and the browser's own.
_PREFERRED = '() => [localStorage.getItem("torchnotes-language") ?? "auto", navigator.language]'
_PREFER = '(chosen) => (localStorage.setItem("torchnotes-language", chosen), [chosen, navigator.language])'
# Screen readers choose the pronunciation by it.
_SPEAK = "(said) => { document.documentElement.lang = said; }"


def styles() -> str:
    """Return the style sheets of the page, starting with page.css."""
    first, *others = sorted(STATIC.glob("*.css"), key=lambda path: (path.name != "page.css", path.name))
    return "\n".join(path.read_text(encoding="utf-8") for path in (first, *others))


def theme() -> gr.themes.Base:
    """Return a plain theme with system fonts, so that none are downloaded."""
    return gr.themes.Base(
        primary_hue=gr.themes.colors.orange,
        neutral_hue=gr.themes.colors.gray,
        font=_SYSTEM_FONTS,
        font_mono=_CODE_FONTS,
        radius_size=gr.themes.sizes.radius_md,
    ).set(
        color_accent_soft="*neutral_100",
        color_accent_soft_dark="*neutral_800",
        # White text on it has the contrast required by WCAG.
        button_primary_background_fill="*primary_700",
        button_primary_background_fill_dark="*primary_700",
        button_primary_background_fill_hover="*primary_800",
        button_primary_background_fill_hover_dark="*primary_800",
    )


def build_page(app_state: AppState) -> gr.Blocks:
    """Build the page.

    Args:
        app_state: shared state, with the assistant.
    """
    page: gr.Blocks
    spoken = TranslatedComponents()
    with gr.Blocks(title="torchnotes", analytics_enabled=False, fill_height=True) as page:
        offer_endpoints(app_state)  # first: gradio renames the later of two functions with the same name
        shown = gr.Textbox("en", visible="hidden", elem_id="tn-shown")
        with gr.Row(elem_classes="tn-top"):
            spoken(gr.HTML, value={code: _head(code) for code in get_args(Language)})
            reach = gr.HTML(elem_classes="tn-reach")
            language = spoken(
                gr.Radio,
                choices=words.LANGUAGE_CHOICES,
                value="auto",
                label=words.LANGUAGE,
                show_label=False,
                container=False,
                elem_id="tn-language",
                min_width=200,
            )
        with gr.Tabs(elem_id="tn-tabs"):
            with spoken(gr.Tab, label=words.CHAT, elem_id="tn-tab-chat"):
                chat = chat_tab(app_state, spoken, language, shown)
            with spoken(gr.Tab, label=words.EXPLORE, elem_id="tn-tab-explore"):
                explore_tab(app_state, spoken, shown)
            with spoken(gr.Tab, label=words.COMPARE, elem_id="tn-tab-compare"):
                compare_tab(app_state, spoken, shown)
            with spoken(gr.Tab, label=words.UPGRADE, elem_id="tn-tab-upgrade"):
                upgrade_tab(app_state, spoken, shown)
            with spoken(gr.Tab, label=words.DOCUMENTS, elem_id="tn-tab-documents"):
                documents_tab(app_state, spoken, shown)
            with spoken(gr.Tab, label=words.API, elem_id="tn-tab-api"):
                api_tab(app_state, spoken, shown)
        _wire_language(page, spoken, language, shown)
        at_once: dict[str, Any] = {"queue": False, "api_visibility": "private", "show_progress": "hidden"}
        page.load(lambda: gr.update(choices=app_state.releases()), None, chat.releases, **at_once)
        gr.on([page.load, shown.change], lambda code: _reach(app_state, code), shown, reach, **at_once)
    page.queue(max_size=None, default_concurrency_limit=None)
    return page


def _reach(app_state: AppState, language: Language) -> str:
    """Return a line with the newest release of the notes, "" if no document is dated."""
    told = app_state.assistant().retriever.newest_told
    return f"<p>{escape(words.REACH[language].format(newest=told))}</p>" if told else ""


def _wire_language(
    page: gr.Blocks, spoken: TranslatedComponents, language: gr.Radio, shown: gr.Textbox
) -> None:
    """Set the language of the interface to the chosen one, or else to the browser's."""
    at_once: dict[str, Any] = {"queue": False, "api_visibility": "private", "show_progress": "hidden"}
    page.load(_greeting, [language, shown], [language, shown], js=_PREFERRED, **at_once)
    language.input(_shown, [language, shown], shown, js=_PREFER, **at_once)
    shown.change(spoken.updates, shown, spoken.parts, **at_once)
    shown.change(None, shown, None, js=_SPEAK, **at_once)


def _greeting(chosen: str, browser: str) -> tuple[str, Language]:
    """Return the language chosen before, and the resulting language of the interface."""
    return chosen if chosen in ("zh", "en") else "auto", _shown(chosen, browser)


def _shown(chosen: str, browser: str) -> Language:
    """Return the language of the interface, English unless Chinese is chosen or preferred by the browser."""
    return "zh" if chosen == "zh" or (chosen != "en" and browser.lower().startswith("zh")) else "en"


def _head(language: Language) -> str:
    return f'<div class="tn-title"><h1>{words.TITLE}</h1><p>{words.SUBTITLE[language]}</p></div>'
