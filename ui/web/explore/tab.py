"""The explore tab: the chart of features, and the content of the index."""

from __future__ import annotations

from html import escape
from typing import Any, get_args

import gradio as gr

from assistant.query.validation import check_feature
from assistant.text.messages import STATUS_NAMES
from assistant.timeline.builder import STEPS
from corpus.catalog import load_catalog
from ingest.document import Language
from ingest.downloads import last_sync
from ingest.errors import TorchnotesError
from ingest.status import Status
from ui.shared.app_state import AppState
from ui.web.asking import in_turn
from ui.web.components.translated import TranslatedComponents
from ui.web.explore import explore_labels as words
from ui.web.explore.features import MAX_QUERY, Choice, alone, choose
from ui.web.explore.history_chart import history_chart
from ui.web.explore.history_table import history_table, legend, summary
from ui.web.explore.holdings import holdings
from ui.web.explore.holdings_html import holdings_html

_PAGE = 40  # features shown at first, and added by each click on "more"
_MOST = 400  # shown at all: each takes some milliseconds to draw, and documents may bring any number
_PLAIN: dict[str, Any] = {"apply_default_css": False}  # styled by static/explore.css
_SCRIPT = 'import(new URL("page/explore.js", document.baseURI));'
_LANGUAGES: tuple[Language, ...] = get_args(Language)
_STATUSES: dict[Language, list[tuple[str, str]]] = {
    code: [(words.ANY_STATUS[code], ""), *((STATUS_NAMES[code][status], status) for status in STEPS)]
    for code in _LANGUAGES
}
_VIEWS: dict[Language, list[tuple[str, str]]] = {
    code: [(words.VIEW_CHANGED[code], "changed"), (words.VIEW_ALL[code], "all")] for code in _LANGUAGES
}


def explore_tab(app_state: AppState, spoken: TranslatedComponents, shown: gr.Textbox) -> None:
    """Lay out and wire the tab.

    Args:
        app_state: shared state, with the assistant.
        spoken: creates components that follow the language of the interface.
        shown: language of the interface.
    """
    heads = {code: _head(words.HISTORY_HEAD[code], words.HISTORY_HINT[code]) for code in _LANGUAGES}
    spoken(gr.HTML, value=heads, **_PLAIN)
    with gr.Row(elem_classes="tn-explore-tools"):
        query = spoken(
            gr.Textbox,
            label=words.SEARCH,
            placeholder=words.SEARCH_HINT,
            max_length=MAX_QUERY,
            max_lines=1,
            min_width=200,
            elem_id="tn-feature",
        )
        status = spoken(
            gr.Dropdown,
            choices=_STATUSES,
            value="",
            label=words.STATUS,
            filterable=False,
            min_width=150,
            elem_id="tn-feature-status",
        )
        view = spoken(
            gr.Radio,
            choices=_VIEWS,
            value="changed",
            label=words.VIEW,
            min_width=330,
            elem_id="tn-feature-view",
        )
    told = gr.HTML(elem_id="tn-feature-count", js_on_load=_SCRIPT, **_PLAIN)
    chart = gr.Plot(show_label=False, container=False, buttons=[], elem_id="tn-history-chart")
    more = spoken(gr.Button, value=words.MORE, visible=False, size="sm", elem_id="tn-feature-more")
    table = gr.HTML(elem_id="tn-history-table", **_PLAIN)
    spoken(gr.HTML, value={code: _head(words.HOLDINGS_HEAD[code]) for code in _LANGUAGES}, **_PLAIN)
    held = gr.HTML(elem_id="tn-holdings", **_PLAIN)
    most = gr.State(_PAGE)

    def draw(text: str, had: str, what: str, count: int, said: str) -> tuple[Any, ...]:
        query = (text or "").strip()[:MAX_QUERY]
        try:
            choice = Choice(check_feature(query) if query else "", _status(had), what != "all")
            return _drawn(app_state, choice, count, _language(said))
        except TorchnotesError as error:
            return _error(error), gr.update(visible=False), "", gr.update(visible=False)

    def tell(said: str) -> str:
        try:
            generation = app_state.assistant().retriever.generation
            found = holdings(generation, load_catalog(), last_sync(app_state.factory.settings.home))
        except TorchnotesError as error:
            return _error(error)
        return holdings_html(found, len(load_catalog()), _language(said))

    at_once: dict[str, Any] = {"queue": False, "api_visibility": "private", "show_progress": "hidden"}
    # Without explicit triggers, these run when the page opens and whenever an input changes.
    gr.on(
        None,
        in_turn(app_state.views, draw),
        [query, status, view, most, shown],
        [told, chart, table, more],
        trigger_mode="always_last",
        **at_once,
    )
    gr.on(None, in_turn(app_state.views, tell), [shown], held, **at_once)
    more.click(lambda count: min(count + _PAGE, _MOST), most, most, **at_once)


def _drawn(app_state: AppState, choice: Choice, count: int, language: Language) -> tuple[Any, ...]:
    """Return summary and legend, chart, table, and the visibility of the "more" button."""
    assistant = app_state.assistant()
    known = assistant.histories()
    chosen = choose(known, assistant.glossary, choice)
    shown = chosen.features[: min(max(count, _PAGE), _MOST)]
    head = summary(choice, chosen, len(alone(known)), len(shown), language) + legend(shown, language)
    chart = history_chart(shown, assistant.retriever.releases, language) if shown else None
    return (
        head,
        gr.update(value=chart, visible=chart is not None),
        history_table(shown, language),
        gr.update(visible=len(shown) < min(len(chosen.features), _MOST)),
    )


def _head(title: str, hint: str = "") -> str:
    told = f"<p>{escape(hint)}</p>" if hint else ""
    return f'<div class="tn-explore-head"><h2>{escape(title)}</h2>{told}</div>'


def _error(error: TorchnotesError) -> str:
    return f'<p class="tn-count" role="alert">{escape(str(error))}</p>'


def _status(value: str) -> Status:
    return next((status for status in STEPS if status == value), "")


def _language(said: str) -> Language:
    return "zh" if said == "zh" else "en"
