"""The chat page: one conversation, each answer with its sources under it.

It brings gradio: import it late, and after `GRADIO_ANALYTICS_ENABLED` is set (`ui.web` does both).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

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


class _Parts(NamedTuple):
    """What a reader sees and uses, and what the page remembers.

    Attributes:
        turns: the conversation.
        asked: the question being answered.
    """

    head: gr.HTML
    language: gr.Radio
    chat: gr.Chatbot
    question: gr.Textbox
    send: gr.Button
    releases: gr.Dropdown
    new: gr.Button
    turns: gr.State
    asked: gr.State


def build_page(desk: Desk) -> gr.Blocks:
    """The page over a desk."""
    page: gr.Blocks
    with gr.Blocks(title="torchnotes", analytics_enabled=False, fill_height=True) as page:
        _wire(page, _lay_out(desk), desk)
    page.queue(max_size=_WAITING, default_concurrency_limit=_AT_ONCE)
    return page


def _lay_out(desk: Desk) -> _Parts:
    """The parts, from the top of the page to its bottom, in English until it is known who reads."""
    turns, asked = gr.State([]), gr.State("")
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
            send = gr.Button(words.SEND["en"], variant="primary", scale=0, min_width=84, elem_id="tn-send")
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
    return _Parts(head, language, chat, question, send, releases, new, turns, asked)


def _wire(page: gr.Blocks, parts: _Parts, desk: Desk) -> None:
    """Which event calls which handler, on what and into what."""

    def answer(
        text: str, before: list[Turn], only: list[str], shown: Language
    ) -> Iterator[tuple[list[dict[str, Any]], list[Turn]]]:
        for grown in converse(desk, text, [Turn(*turn) for turn in before], only, shown):
            yield _messages(grown), grown

    def greet(request: gr.Request) -> tuple[Any, Any]:
        return _language_of(request), gr.update(choices=desk.releases())

    private: dict[str, Any] = {"api_visibility": "private", "show_progress": "hidden"}
    at_once: dict[str, Any] = {"queue": False, **private}
    question, asked, conversation = parts.question, parts.asked, [parts.chat, parts.turns]
    typed = gr.on([question.submit, parts.send.click], _take, question, [asked, question], **at_once)
    picked = parts.chat.example_select(_pick, None, asked, **at_once)
    inputs = [asked, parts.turns, parts.releases, parts.language]
    for given in (typed, picked):
        given.then(answer, inputs, conversation, concurrency_limit=_AT_ONCE, **private).then(
            None, None, None, js=_SHOW_LAST, **at_once
        )
    gr.on([parts.new.click, parts.chat.clear], _forget, None, [*conversation, question], **at_once)
    page.load(greet, None, [parts.language, parts.releases], **at_once)
    spoken = [parts.head, parts.chat, question, parts.send, parts.releases, parts.new]
    parts.language.change(_translate, parts.language, spoken, **at_once)


def _take(text: str) -> tuple[str, str]:
    """What was typed, and an empty field."""
    return text, ""


def _pick(event: gr.SelectData) -> str:
    """The example that was chosen."""
    return str(event.value["text"])


def _forget() -> tuple[list[Any], list[Any], str]:
    """A new conversation."""
    return [], [], ""


def _language_of(request: gr.Request) -> Language:
    """The language that a browser asks for, English where it is none of ours."""
    accepted = request.headers.get("accept-language", "")
    return "zh" if accepted.lower().startswith("zh") else "en"


def _translate(shown: Language) -> tuple[Any, ...]:
    """The words of the page, in the order of its parts."""
    return (
        _head(shown),
        gr.update(placeholder=words.EMPTY[shown]),
        gr.update(placeholder=words.ASK_HERE[shown]),
        words.SEND[shown],
        gr.update(label=words.RELEASES[shown]),
        words.NEW_CHAT[shown],
    )


def _messages(turns: Sequence[Turn]) -> list[dict[str, Any]]:
    """A conversation as the chat shows it."""
    shown: list[dict[str, Any]] = []
    for turn in turns:
        shown.append({"role": "user", "content": plain_to_html(turn.question)})
        shown.append({"role": "assistant", "content": turn.html})
    return shown


def _head(language: Language) -> str:
    return f'<div class="tn-title"><h1>{words.TITLE}</h1><p>{words.SUBTITLE[language]}</p></div>'
