"""The upgrade tab: code is pasted, or files are read by the browser, and what breaks in it is told."""

from __future__ import annotations

import base64
import json
from dataclasses import dataclass
from typing import Any

import anyio.to_thread
import gradio as gr

from assistant.query.validation import check_release
from assistant.upgrade.pasted import NAME, report_on_files
from corpus.changes import load_changes
from ingest.document import Language
from ingest.errors import TorchnotesError
from ingest.release import Release
from ui.shared.app_state import AppState
from ui.shared.request_queue import BusyError, RequestQueue
from ui.web.asking import asking
from ui.web.components import page_labels as words
from ui.web.components.markdown_html import plain_to_html
from ui.web.components.translated import TranslatedComponents
from ui.web.upgrade.upgrade_html import report_to_html

_LEAD: dict[Language, str] = {
    "zh": "粘贴代码、选择文件，或把文件、zip 压缩包拖到这里：列出升级后会出问题的用法，附发布说明原文。"
    "代码不会被运行，也不会离开这台服务器。",
    "en": "Paste code, choose files, or drop files or a zip here: what an upgrade breaks in them is listed, "
    "in the notes' own words. The code is not run, and it does not leave this server.",
}
_CODE: dict[Language, str] = {"zh": "Python 代码", "en": "Python code"}
_EXAMPLE = 'import torch\n\nmodel.load_state_dict(torch.load("model.pt"))'
_FROM: dict[Language, str] = {"zh": "现在用的版本", "en": "The release you have"}
_TO: dict[Language, str] = {"zh": "要升级到的版本", "en": "The release you go to"}
_GO: dict[Language, str] = {"zh": "会出什么问题", "en": "What breaks?"}
_FILES: dict[Language, str] = {"zh": "选择文件…", "en": "Files…"}
_FOLDER: dict[Language, str] = {"zh": "选择文件夹…", "en": "Folder…"}
_EMPTY: dict[Language, str] = {
    "zh": "没有可查的代码：粘贴 Python 代码，或选择 .py、.ipynb、requirements.txt、.zip 等文件。",
    "en": "There is no code: paste Python code, or choose files: .py, .ipynb, requirements.txt or .zip.",
}
_LEFT: dict[Language, str] = {
    "zh": "文件太多，{n} 个没有读；整个项目请用命令 torchnotes upgrade PATH。",
    "en": "{n} files were not read, they are too many; for a whole project type torchnotes upgrade PATH.",
}
_BEFORE = "1.11"
_STEP = 5  # releases between the two that are chosen at first
_PASTED = f'(code) => JSON.stringify({{ files: code.trim() ? {{ "{NAME}": code }} : {{}}, left: 0 }})'
_SCRIPT = 'import(new URL("page/files.js", document.baseURI)).then(({ acceptDrops }) => acceptDrops());'
_DROPPED = '() => import(new URL("page/files.js", document.baseURI)).then(({ dropped }) => dropped())'
_CHOSEN = '() => import(new URL("page/files.js", document.baseURI)).then(({{ choose }}) => choose({folder}))'


def upgrade_tab(app_state: AppState, spoken: TranslatedComponents, shown: gr.Textbox) -> None:
    """Lay out and wire the tab.

    Args:
        app_state: shared state, with the queue of reports.
        spoken: creates components that follow the language of the interface.
        shown: language of the interface.
    """
    releases = _releases()
    spoken(gr.Markdown, value=_LEAD)
    code = spoken(gr.Textbox, label=_CODE, placeholder=_EXAMPLE, lines=10, max_lines=24, elem_id="tn-code")
    with gr.Row(elem_classes="tn-choose"):
        given_options: dict[str, Any] = {"choices": releases, "min_width": 120}
        first = spoken(
            gr.Dropdown, value=releases[_STEP], label=_FROM, elem_id="tn-code-older", **given_options
        )
        second = spoken(gr.Dropdown, value=releases[0], label=_TO, elem_id="tn-code-newer", **given_options)
        go = spoken(gr.Button, value=_GO, variant="primary", scale=0, elem_id="tn-code-go")
        files = spoken(gr.Button, value=_FILES, scale=0, elem_id="tn-code-files")
        folder = spoken(gr.Button, value=_FOLDER, scale=0, elem_id="tn-code-folder")
        landed = gr.Button(visible="hidden", elem_id="tn-code-landed")  # pressed by files.js
    told = gr.HTML(elem_id="tn-code-report", apply_default_css=False, js_on_load=_SCRIPT)
    given = gr.Textbox(visible="hidden")

    async def tell(sent: str, one: str, other: str, said: str) -> Any:  # noqa: ANN401 - an update of gradio
        if not sent:
            return gr.skip()
        return await _in_turn(app_state.reports, sent, one, other, "zh" if said == "zh" else "en")

    private: dict[str, Any] = {"api_visibility": "private", "show_progress": "hidden"}
    go.click(None, code, given, js=_PASTED, queue=False, **private)
    files.click(None, None, given, js=_CHOSEN.format(folder="false"), queue=False, **private)
    folder.click(None, None, given, js=_CHOSEN.format(folder="true"), queue=False, **private)
    landed.click(None, None, given, js=_DROPPED, queue=False, **private)
    changes = [given.change, first.change, second.change, shown.change]
    # Without a limit of gradio: the request queue limits how many are made at a time.
    gr.on(changes, tell, [given, first, second, shown], told, concurrency_limit=None, **private)


def _releases() -> list[str]:
    """Return the releases to choose from: those with changes and the one before, newest first."""
    known = {Release.parse(change.release) for change in load_changes()}
    return [*map(str, sorted(known, reverse=True)), _BEFORE]


async def _in_turn(line: RequestQueue, sent: str, one: str, other: str, language: Language) -> str:
    """Wait for a place in the queue and return the report as HTML, or that too many are waiting."""
    try:
        async with line.place(asking()):
            return await anyio.to_thread.run_sync(_told, sent, one, other, language)
    except BusyError:
        return plain_to_html(words.BUSY[language], "tn-error")


@dataclass(frozen=True, slots=True)
class _Sent:
    """What the browser sent.

    Attributes:
        files: texts by name.
        archives: bytes by name.
        left: number of files that it left out.
    """

    files: dict[str, str]
    archives: dict[str, bytes]
    left: int


def _told(sent: str, one: str, other: str, language: Language) -> str:
    """Return the report on what the browser sent, or the error, as HTML."""
    try:
        read = _read(sent)
        if not read.files and not read.archives:
            return plain_to_html(_EMPTY[language], "tn-error")
        older, newer = check_release(one), check_release(other)
        report = report_on_files(read.files, older, newer, language, archives=read.archives)
        html = report_to_html(report, language)
    except TorchnotesError as error:
        return plain_to_html(str(error), "tn-error")
    return plain_to_html(_LEFT[language].format(n=read.left), "tn-error") + html if read.left else html


def _read(sent: str) -> _Sent:
    """Return what the browser sent.

    Raises:
        TorchnotesError: it is of another form; nothing of the page sends that.
    """
    try:
        packed = json.loads(sent)
        files, left = packed["files"], packed["left"]
        archives = {
            name: base64.b64decode(text, validate=True) for name, text in packed.get("archives", {}).items()
        }
        fits = isinstance(left, int) and all(isinstance(text, str) for text in files.values())
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        fits = False
    if not fits:
        raise TorchnotesError("what was sent are no files; paste the code, or choose the files again")
    return _Sent(files, archives, left)
