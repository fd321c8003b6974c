"""The chat tab: a log and a panel drawn by the browser (`static/`), and the controls around them.

gradio's chat component is not used: it gives screen readers the HTML source of an answer as its label,
redraws the whole conversation for each word, and keeps conversations on the server. Here the browser keeps
the conversation, sends one question at a time, and receives one growing turn.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import aclosing
from typing import Any, NamedTuple

import gradio as gr

from assistant.query.validation import MAX_QUESTION
from ingest.document import Language
from ingest.errors import TorchnotesError
from ui.shared.app_state import AppState
from ui.shared.rating import rating
from ui.web.asking import asking
from ui.web.chat.environment import environment_of
from ui.web.chat.turns import ChatRequest, Reply, replies
from ui.web.components import page_labels as words
from ui.web.components.script_labels import SCRIPTS
from ui.web.components.translated import TranslatedComponents

# Grey lines until the scripts have come.
_CHAT = (
    '<div class="tn-chat"><div class="tn-log"><div class="tn-skeleton">'
    "<span></span><span></span><span></span></div></div></div>"
)
# The scripts are modules next to the page; the address is relative, so that a proxy can use any prefix.
_CONNECT = """
import(new URL("page/chat.js", document.baseURI)).then(({ connect }) =>
    connect(element, { trigger, watch, props, server }));
"""


class ChatParts(NamedTuple):
    """Components of the chat that other parts of the page need.

    Attributes:
        chat: the chat; its property `releases` has those of the index.
        language: language of answers chosen by the reader: "auto", "zh" or "en".
    """

    chat: gr.HTML
    language: gr.Radio


def chat_tab(app_state: AppState, spoken: TranslatedComponents, shown: gr.Textbox) -> ChatParts:
    """Lay out and wire the chat.

    Args:
        app_state: shared state, with the assistant.
        spoken: creates components that follow the language of the interface.
        shown: language of the interface.
    """
    chat = gr.HTML(
        value={},
        elem_id="tn-chat",
        html_template=_CHAT,
        js_on_load=_CONNECT,
        apply_default_css=False,
        server_functions=[rating(app_state, asking), environment_of(app_state)],
        words=SCRIPTS,
        lang="en",
        releases=app_state.releases(),
        own_machine=app_state.checks == "here",
    )
    with gr.Column(elem_classes="tn-bottom"):
        question = spoken(
            gr.Textbox,
            placeholder=words.ASK_HERE,
            label=words.QUESTION,
            show_label=False,
            container=False,
            autofocus=True,
            lines=1,
            max_lines=6,
            max_length=MAX_QUESTION,
            elem_id="tn-question",
        )
        with gr.Row(elem_classes="tn-tools"):
            language = spoken(
                gr.Radio,
                choices=words.LANGUAGE_CHOICES,
                value="auto",
                label=words.LANGUAGE,
                show_label=False,
                container=False,
                elem_id="tn-language",
                min_width=100,
            )
            use_model = _model_switch(app_state, spoken)
            send = spoken(
                gr.Button, value=words.SEND, variant="primary", scale=0, min_width=40, elem_id="tn-send"
            )
            stop = spoken(gr.Button, value=words.STOP, scale=0, min_width=40, elem_id="tn-stop")

    async def answer(chosen: str, said: str, model: bool, event: gr.EventData) -> AsyncIterator[Reply]:
        try:
            asked = ChatRequest.parse(_sent(event), chosen, said, model)
        except TorchnotesError as error:
            raise gr.Error(str(error)) from None
        async with aclosing(replies(app_state, asked)) as growing:
            async for reply in growing:
                yield reply

    private: dict[str, Any] = {"api_visibility": "private", "show_progress": "hidden"}
    # Without a limit of gradio: the request queue limits concurrency and informs those who wait.
    answering = chat.submit(answer, [language, shown, use_model], chat, concurrency_limit=None, **private)
    answering.failure(None, None, None, js="() => window.torchnotes.lost()", **private)
    at_once: dict[str, Any] = {"queue": False, **private}
    gr.on(
        [question.submit, send.click],
        None,
        question,
        question,
        js="(text) => window.torchnotes.take(text)",
        **at_once,
    )
    stop.click(None, None, None, js="() => window.torchnotes.stop()", **at_once)
    chat.stop(None, None, None, cancels=[answering], **at_once)
    shown.change(lambda said: gr.update(lang=said), shown, chat, **at_once)
    return ChatParts(chat, language)


def _sent(event: gr.EventData) -> Mapping[str, Any]:
    data = event._data
    return data if isinstance(data, Mapping) else {}


def _model_switch(app_state: AppState, spoken: TranslatedComponents) -> gr.Checkbox:
    """Create a switch for the language model, disabled with a hint if none is configured."""
    model = app_state.model()
    label: Mapping[Language, str] = (
        {code: text.format(model=model) for code, text in words.MODEL_ON.items()}
        if model
        else words.MODEL_OFF
    )
    return spoken(
        gr.Checkbox,
        label=label,
        value=bool(model),
        interactive=bool(model),
        container=False,
        elem_id="tn-model",
        elem_classes="" if model else "tn-no-model",
    )
