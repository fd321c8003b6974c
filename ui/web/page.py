"""The page: sidebar, views, and language.

Imports gradio: import it lazily, and after setting `GRADIO_ANALYTICS_ENABLED` (`ui.web.server` does both).
"""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import Any

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
#: Colours of the theme. Text on them has at least the contrast that WCAG asks for (4.5:1).
_COLOURS = {
    "body_background_fill": "#fdfcfa",
    "body_background_fill_dark": "#171513",
    "background_fill_primary": "#ffffff",
    "background_fill_primary_dark": "#1f1c19",
    "background_fill_secondary": "#f4f1ec",
    "background_fill_secondary_dark": "#292521",
    "block_background_fill": "transparent",
    "block_background_fill_dark": "transparent",
    "block_border_width": "0px",
    "block_border_width_dark": "0px",
    "border_color_primary": "#e2dcd3",
    "border_color_primary_dark": "#3d3731",
    "body_text_color": "#211d19",
    "body_text_color_dark": "#ece7e0",
    "code_background_fill": "#f4f1ec",
    "code_background_fill_dark": "#292521",
    "color_accent": "#b93c0d",
    "color_accent_soft": "#fbeee6",
    "color_accent_soft_dark": "#3b2618",
    "input_background_fill": "#ffffff",
    "input_background_fill_dark": "#1f1c19",
    "input_border_color": "#cfc7bb",
    "input_border_color_dark": "#4d463e",
    "link_text_color": "#a5360c",
    "link_text_color_dark": "#f7a172",
    "link_text_color_hover": "#7f2a0a",
    "link_text_color_hover_dark": "#fcc4a3",
    "button_primary_background_fill": "#b93c0d",
    "button_primary_background_fill_dark": "#c2410c",
    "button_primary_background_fill_hover": "#97300a",
    "button_primary_background_fill_hover_dark": "#a5360c",
    "button_primary_border_color": "transparent",
    "button_primary_border_color_dark": "transparent",
    "button_primary_text_color": "#ffffff",
    "button_primary_text_color_dark": "#ffffff",
    "button_secondary_background_fill": "#ffffff",
    "button_secondary_background_fill_dark": "#292521",
    "button_secondary_background_fill_hover": "#f4f1ec",
    "button_secondary_background_fill_hover_dark": "#37312b",
    "button_secondary_border_color": "#cfc7bb",
    "button_secondary_border_color_dark": "#4d463e",
    "button_secondary_text_color": "#211d19",
    "button_secondary_text_color_dark": "#ece7e0",
}
_SHAPES = {"button_border_width": "1px", "button_border_width_dark": "1px", "input_border_width": "1px"}
# The language chosen before in this browser, and the browser's own.
_PREFERRED = '() => [localStorage.getItem("torchnotes-language") ?? "auto", navigator.language]'
_PREFER = '(chosen) => (localStorage.setItem("torchnotes-language", chosen), [chosen, navigator.language])'
# Screen readers choose the pronunciation by it.
_SPEAK = "(said) => { document.documentElement.lang = said; }"


# What is seen before the scripts have come; static/sidebar.js adds the rest.
_LOGO = '<img src="page/logo.svg" alt="" width="26" height="26">'
_BRAND = f'<div class="tn-brand">{_LOGO}<h1>{words.TITLE}</h1></div>'
_SIDE = f'<div class="tn-side"><a class="tn-skip" href="#tn-question">{words.SKIP["en"]}</a>{_BRAND}</div>'


def styles() -> str:
    """Return the style sheets of the page, starting with page.css."""
    first, *others = sorted(STATIC.glob("*.css"), key=lambda path: (path.name != "page.css", path.name))
    return "\n".join(path.read_text(encoding="utf-8") for path in (first, *others))


def theme() -> gr.themes.Base:
    """Return a plain theme with system fonts, so that none are downloaded."""
    return gr.themes.Base(
        primary_hue=gr.themes.colors.orange,
        neutral_hue=gr.themes.colors.stone,
        font=_SYSTEM_FONTS,
        font_mono=_CODE_FONTS,
        radius_size=gr.themes.sizes.radius_md,
    ).set(**_COLOURS, **_SHAPES)


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
        with gr.Row(elem_classes="tn-shell"):
            with gr.Column(elem_classes="tn-aside"):
                gr.HTML(_SIDE, elem_id="tn-side", apply_default_css=False)
                reach = gr.HTML(elem_classes="tn-reach")
            with gr.Column(elem_classes="tn-main"), gr.Tabs(elem_id="tn-tabs"):
                with _view("chat", spoken):
                    chat = chat_tab(app_state, spoken, shown)
                with _view("explore", spoken):
                    explore_tab(app_state, spoken, shown)
                with _view("compare", spoken) as compare:
                    compare_tab(app_state, spoken, shown, compare)
                with _view("upgrade", spoken):
                    upgrade_tab(app_state, spoken, shown)
                with _view("documents", spoken):
                    documents_tab(app_state, spoken, shown)
                with _view("api", spoken):
                    api_tab(app_state, shown)
        _wire_language(page, spoken, chat.language, shown)
        at_once: dict[str, Any] = {"queue": False, "api_visibility": "private", "show_progress": "hidden"}
        page.load(lambda: gr.update(releases=app_state.releases()), None, chat.chat, **at_once)
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


def _view(name: str, spoken: TranslatedComponents) -> gr.Tab:
    """Create the tab of a view. The sidebar leads to it: the row of tabs is not shown."""
    return spoken(gr.Tab, label=words.VIEWS[name], elem_id=f"tn-tab-{name}")


def preloaded() -> str:
    """Return elements for the head of the page that load its scripts before they import each other."""
    scripts = sorted(path.name for path in STATIC.glob("*.js"))
    return "".join(f'<link rel="modulepreload" href="page/{name}">' for name in scripts)
