"""The compare tab, with download as Markdown."""

from __future__ import annotations

from functools import partial
from typing import Any

import gradio as gr

from assistant.release_diff.markdown import to_markdown
from assistant.release_diff.upgrade import Upgrade, upgrade
from ingest.document import Language
from ingest.errors import TorchnotesError
from ingest.release import Release
from ui.shared.app_state import AppState
from ui.web.asking import in_turn
from ui.web.compare.compare_html import upgrade_to_html
from ui.web.components.markdown_html import plain_to_html
from ui.web.components.translated import TranslatedComponents

_FROM: dict[Language, str] = {"zh": "现在用的版本", "en": "The release you have"}
_TO: dict[Language, str] = {"zh": "要升级到的版本", "en": "The release you go to"}
_GO: dict[Language, str] = {"zh": "对比", "en": "Compare"}
_SAVE: dict[Language, str] = {"zh": "下载 Markdown", "en": "Download as Markdown"}
# The text is already in the page: the browser creates the file, and the server stores nothing. Its name is
# that of the releases that the text compares; others may have been chosen since.
_DOWNLOAD = """(text) => {
    const [from, to] = text.split("\\n", 1)[0].match(/\\d+\\.\\d+/g);
    import(new URL("page/dom.js", document.baseURI)).then(({ download }) =>
        download(`pytorch-${from}-to-${to}.md`, text));
}"""


# The release of the environment that the reader has stated, if the index has it.
_OWN = """(older, newer, said, text) => {
    const torch = window.torchnotes?.composer.environment.facts?.torch ?? "";
    const own = torch.split(".").slice(0, 2).join(".");
    const known = window.torchnotes?.bridge.props.releases ?? [];
    return [!text && own !== newer && known.includes(own) ? own : older, newer, said, text];
}"""


def compare_tab(app_state: AppState, spoken: TranslatedComponents, shown: gr.Textbox, tab: gr.Tab) -> None:
    """Lay out and wire the tab.

    Args:
        app_state: shared state, with the assistant.
        spoken: creates components that follow the language of the interface.
        shown: language of the interface.
        tab: the tab; opening it compares.
    """
    releases = app_state.releases()
    newer = releases[0] if releases else None
    older = releases[min(2, len(releases) - 1)] if releases else None
    with gr.Row(elem_classes="tn-choose"):
        first = spoken(
            gr.Dropdown, choices=releases, value=older, label=_FROM, elem_id="tn-older", min_width=120
        )
        second = spoken(
            gr.Dropdown, choices=releases, value=newer, label=_TO, elem_id="tn-newer", min_width=120
        )
        go = spoken(gr.Button, value=_GO, variant="primary", scale=0, elem_id="tn-compare")
        save = spoken(gr.Button, value=_SAVE, scale=0, interactive=False, elem_id="tn-save")
    told = gr.HTML(elem_id="tn-upgrade", apply_default_css=False)
    text = gr.Textbox(visible="hidden")

    def tell(one: str, other: str, said: str) -> tuple[str, str, dict[str, Any]]:
        language: Language = "zh" if said == "zh" else "en"
        try:
            found = _upgrade(app_state, one, other)
        except TorchnotesError as error:
            return plain_to_html(str(error), "tn-error"), "", gr.update(interactive=False)
        return upgrade_to_html(found, language), to_markdown(found, language), gr.update(interactive=True)

    def tell_again(one: str, other: str, said: str, before: str) -> tuple[Any, Any, Any]:
        return tell(one, other, said) if before else (gr.skip(), gr.skip(), gr.skip())

    def open_(one: str, other: str, said: str, before: str) -> tuple[Any, ...]:
        return (gr.skip(),) * 4 if before or not releases else (one, *tell(one, other, said))

    private: dict[str, Any] = {"api_visibility": "private", "show_progress": "hidden"}
    turn = partial(in_turn, app_state.views)
    go.click(turn(tell), [first, second, shown], [told, text, save], **private)
    tab.select(turn(open_), [first, second, shown, text], [first, told, text, save], js=_OWN, **private)
    shown.change(turn(tell_again), [first, second, shown, text], [told, text, save], **private)
    save.click(None, text, None, js=_DOWNLOAD, queue=False, **private)


def _upgrade(app_state: AppState, one: str, other: str) -> Upgrade:
    """Compare two releases selected by a visitor."""
    try:
        first, second = Release.parse(one or ""), Release.parse(other or "")
    except ValueError as error:
        raise TorchnotesError(str(error)) from None
    assistant = app_state.assistant()
    return upgrade(assistant.retriever.generation, assistant.histories(), first, second)
