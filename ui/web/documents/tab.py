"""The documents tab: list documents and, if the operator allows it, add and remove them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import gradio as gr
from gradio.utils import get_upload_folder

from ingest.document import LANGUAGES, Language
from ingest.fetch import MAX_BYTES
from ui.shared.app_state import AppState
from ui.web.components.translated import TranslatedComponents
from ui.web.documents import document_labels as words
from ui.web.documents.documents_html import LONGEST_FILTER, line_to_html
from ui.web.documents.handlers import Handlers
from ui.web.documents.intake import Intake
from ui.web.guard.uploads import MOST_FILES

_AT_ONCE = 4  # visitors whose changes are processed or wait; one at a time is written
_MEGABYTE = 1024 * 1024
_PRIVATE: dict[str, Any] = {"api_visibility": "private", "show_progress": "hidden"}
_QUICK: dict[str, Any] = {"queue": False, **_PRIVATE}


def documents_tab(app_state: AppState, spoken: TranslatedComponents, shown: gr.Textbox) -> None:
    """Lay out and wire the tab.

    Args:
        app_state: shared state, with the index and the permission to change it.
        spoken: creates components that follow the language of the interface.
        shown: language of the interface.
    """
    handlers = Handlers(app_state, Intake(app_state, Path(get_upload_folder())))
    with gr.Column(elem_classes="tn-doc-tab"):
        if app_state.allow_documents:
            _changing(handlers, spoken, shown)
        else:
            _list(handlers, spoken, shown)
            spoken(
                gr.HTML,
                elem_classes="tn-doc",
                value=_by_language(lambda said: line_to_html(words.LOCKED[said])),
            )


def _list(handlers: Handlers, spoken: TranslatedComponents, shown: gr.Textbox) -> tuple[gr.Textbox, gr.HTML]:
    """Lay out the list of documents; return its filter and its table."""
    spoken(gr.HTML, elem_classes="tn-doc", value=_by_language(lambda said: f"<h2>{words.HEAD[said]}</h2>"))
    search = spoken(
        gr.Textbox,
        label=words.FILTER,
        placeholder=words.FILTER_HINT,
        max_lines=1,
        max_length=LONGEST_FILTER,
        elem_id="tn-doc-filter",
    )
    table = gr.HTML(elem_classes="tn-doc", elem_id="tn-doc-list")
    gr.on(None, handlers.in_turn(handlers.table), [shown, search], table, **_QUICK)
    return search, table


def _changing(handlers: Handlers, spoken: TranslatedComponents, shown: gr.Textbox) -> None:
    """Lay out and wire the components that add documents, the list, and those that remove documents."""
    spoken(gr.HTML, elem_classes="tn-doc", value=_by_language(_add_head))
    files = spoken(gr.File, label=words.FILES, file_count="multiple", height=140, elem_id="tn-doc-files")
    with gr.Row(elem_classes="tn-doc-row"):
        address = spoken(
            gr.Textbox,
            label=words.ADDRESS,
            placeholder="https://",
            max_lines=1,
            elem_id="tn-doc-address",
            scale=1,
        )
        add = spoken(gr.Button, value=words.ADD, variant="primary", scale=0, elem_id="tn-doc-add")
    report = gr.HTML(elem_classes="tn-doc", elem_id="tn-doc-report")
    search, table = _list(handlers, spoken, shown)
    spoken(
        gr.HTML, elem_classes="tn-doc", value=_by_language(lambda said: f"<h2>{words.REMOVE_HEAD[said]}</h2>")
    )
    choices = spoken(gr.CheckboxGroup, choices=[], label=words.REMOVE_CHOICES, elem_id="tn-doc-choices")
    ask = spoken(gr.Button, value=words.REMOVE, elem_id="tn-doc-ask")
    question = gr.HTML(visible=False, elem_classes="tn-doc", elem_id="tn-doc-question")
    with gr.Row(visible=False, elem_classes="tn-doc-row") as decide:
        remove = spoken(gr.Button, value=words.CONFIRM_YES, variant="stop", scale=0, elem_id="tn-doc-go")
        keep = spoken(gr.Button, value=words.CONFIRM_NO, scale=0, elem_id="tn-doc-keep")
    removal = gr.HTML(elem_classes="tn-doc", elem_id="tn-doc-removal")

    # Without preprocessing by gradio, which would lose the original names of files.
    change: dict[str, Any] = {"preprocess": False, "concurrency_limit": _AT_ONCE, **_PRIVATE}
    gr.on(None, handlers.in_turn(handlers.choices), shown, [choices, ask], **_QUICK)
    gr.on(
        [add.click, address.submit],
        handlers.add,
        [files, address, shown, search],
        [report, files, address, table, choices, ask],
        **change,
    )
    raw: dict[str, Any] = {"preprocess": False, **_QUICK}
    ask.click(handlers.in_turn(handlers.ask), [choices, shown], [question, decide], **raw)
    keep.click(handlers.keep, None, [question, decide], **_QUICK)
    remove.click(
        handlers.remove,
        [choices, shown, search],
        [removal, question, decide, table, choices, ask],
        **change,
    )


def _add_head(said: Language) -> str:
    hint = words.ADD_HINT[said].format(size=MAX_BYTES // _MEGABYTE, count=MOST_FILES)
    return f'<h2>{words.ADD_HEAD[said]}</h2><p class="tn-doc-note">{hint}</p>'


def _by_language(html: Callable[[Language], str]) -> dict[Language, str]:
    return {said: html(said) for said in LANGUAGES}
