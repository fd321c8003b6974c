"""Parts of the page that change their words with the language."""

from __future__ import annotations

import asyncio

import gradio as gr

from ui.web.components.translated import TranslatedComponents

ASK = {"zh": "发送", "en": "Ask"}


def test_parts_begin_in_english_and_follow_the_language() -> None:
    async def build() -> TranslatedComponents:  # gradio looks for a loop
        spoken = TranslatedComponents()
        with gr.Blocks():
            button = spoken(gr.Button, value=ASK, variant="primary")
            field = spoken(gr.Textbox, label=ASK, placeholder={"zh": "一", "en": "one"}, lines=2)
            spoken(gr.Checkbox, label="always")
            assert (button.value, button.variant, field.label, field.placeholder) == (
                *("Ask", "primary", "Ask", "one"),
            )
        return spoken

    spoken = asyncio.run(build())
    assert [type(part).__name__ for part in spoken.parts] == ["Button", "Textbox"]
    button, field = spoken.updates("zh")
    assert button["value"] == "发送" and field["label"] == "发送" and field["placeholder"] == "一"
