"""The chat page: one conversation, each answer with its sources under it.

It brings gradio: import it late, and after `GRADIO_ANALYTICS_ENABLED` is set (`ui.web` does both).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import gradio as gr

from assistant.arguments import MAX_QUESTION
from ingest.document import Language
from ui import words
from ui.conversation import Turn, converse
from ui.render_html import plain_to_html

if TYPE_CHECKING:
    from ui.web import Desk

CSS = Path(__file__).with_name("page.css").read_text(encoding="utf-8")
_AT_ONCE = 4  # questions answered side by side; each keeps a core busy
_WAITING = 64  # questions that may wait before new ones are turned away
_SYSTEM_FONTS = (
    *("system-ui", "-apple-system", "Segoe UI", "Roboto", "PingFang SC", "Hiragino Sans GB"),
    *("Microsoft YaHei", "Noto Sans CJK SC", "Noto Sans SC", "sans-serif"),
)
_CODE_FONTS = ("ui-monospace", "SFMono-Regular", "Menlo", "Consolas", "Liberation Mono", "monospace")
# A new question comes to the top, with its answer below it.
_SHOW_LAST = """() => {
    const asked = document.querySelectorAll("#tn-chat .tn-plain");
    if (asked.length) asked[asked.length - 1].scrollIntoView({ block: "start" });
}"""


def theme() -> gr.themes.Base:
    """Plain, with the fonts of the system: none is fetched."""
    return gr.themes.Base(
        primary_hue=gr.themes.colors.orange,
        neutral_hue=gr.themes.colors.gray,
        font=_SYSTEM_FONTS,
        font_mono=_CODE_FONTS,
        radius_size=gr.themes.sizes.radius_md,
    ).set(color_accent_soft="*neutral_100", color_accent_soft_dark="*neutral_800")


def build_page(desk: Desk) -> gr.Blocks:
    """The page over a desk."""
    page: gr.Blocks
    with gr.Blocks(title="torchnotes", analytics_enabled=False, fill_height=True) as page:
        turns = gr.State([])
        with gr.Row(elem_classes="tn-top"):
            head = gr.HTML(_head("en"))
            language = gr.Radio(
                [(name, code) for code, name in words.LANGUAGE_NAMES.items()],
                value="en",
                show_label=False,
                container=False,
                elem_id="tn-language",
                min_width=150,
            )
        chat = gr.Chatbot(
            elem_id="tn-chat",
            show_label=False,
            container=False,
            scale=1,
            height="auto",
            layout="panel",
            autoscroll=False,
            latex_delimiters=[],
            feedback_options=None,
            buttons=[],
            allow_file_downloads=False,
            placeholder=words.EMPTY["en"],
            examples=[{"text": text} for text in words.EXAMPLES],
        )
        with gr.Column(elem_classes="tn-bottom"):
            with gr.Row(elem_classes="tn-ask"):
                question = gr.Textbox(
                    placeholder=words.ASK_HERE["en"],
                    show_label=False,
                    container=False,
                    autofocus=True,
                    lines=1,
                    max_lines=6,
                    max_length=MAX_QUESTION,
                    scale=1,
                    elem_id="tn-question",
                )
                send = gr.Button(
                    words.SEND["en"], variant="primary", scale=0, min_width=84, elem_id="tn-send"
                )
            with gr.Row(elem_classes="tn-tools"):
                releases = gr.Dropdown(
                    desk.releases(),
                    value=[],
                    multiselect=True,
                    label=words.RELEASES["en"],
                    scale=1,
                    elem_id="tn-releases",
                )
                new = gr.Button(words.NEW_CHAT["en"], scale=0, min_width=84, elem_id="tn-new")

        def answer(
            text: str, before: list[Turn], only: list[str], shown: Language
        ) -> Iterator[tuple[list[dict[str, Any]], list[Turn]]]:
            for grown in converse(desk, text, [Turn(*turn) for turn in before], only, shown):
                yield _messages(grown), grown

        def take(text: str) -> tuple[str, str]:
            return text, ""

        def pick(event: gr.SelectData) -> str:
            return str(event.value["text"])

        def greet(request: gr.Request) -> tuple[Any, Any]:
            accepted = request.headers.get("accept-language", "")
            return (
                "zh" if accepted.lower().startswith("zh") else "en",
                gr.update(choices=desk.releases()),
            )

        def translate(shown: Language) -> tuple[Any, ...]:
            return (
                _head(shown),
                gr.update(placeholder=words.EMPTY[shown]),
                gr.update(placeholder=words.ASK_HERE[shown]),
                words.SEND[shown],
                gr.update(label=words.RELEASES[shown]),
                words.NEW_CHAT[shown],
            )

        asked = gr.State("")
        inputs, outputs = [asked, turns, releases, language], [chat, turns]
        private: dict[str, Any] = {"api_visibility": "private", "show_progress": "hidden"}
        typed = gr.on(
            [question.submit, send.click], take, question, [asked, question], queue=False, **private
        )
        picked = chat.example_select(pick, None, asked, queue=False, **private)
        for given in (typed, picked):
            given.then(answer, inputs, outputs, concurrency_limit=_AT_ONCE, **private).then(
                None, None, None, js=_SHOW_LAST, queue=False, **private
            )
        gr.on(
            [new.click, chat.clear],
            lambda: ([], [], ""),
            None,
            [chat, turns, question],
            queue=False,
            **private,
        )
        page.load(greet, None, [language, releases], queue=False, **private)
        language.change(
            translate, language, [head, chat, question, send, releases, new], queue=False, **private
        )
    page.queue(max_size=_WAITING, default_concurrency_limit=_AT_ONCE)
    return page


def _messages(turns: Sequence[Turn]) -> list[dict[str, Any]]:
    """A conversation as the chat shows it."""
    shown: list[dict[str, Any]] = []
    for turn in turns:
        shown.append({"role": "user", "content": plain_to_html(turn.question)})
        shown.append({"role": "assistant", "content": turn.html})
    return shown


def _head(language: Language) -> str:
    return f'<div class="tn-title"><h1>{words.TITLE}</h1><p>{words.SUBTITLE[language]}</p></div>'
