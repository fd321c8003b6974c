"""The API tab: examples for Python, curl and coding assistants, ready to copy."""

from __future__ import annotations

from html import escape

import gradio as gr

from ingest.document import Language
from ui.shared.app_state import AppState
from ui.web.components.safe import safe

_LEAD: dict[Language, str] = {
    "zh": "网页能做的，程序也能做。五个接口收发 JSON；回答与网页、命令行、Slack 完全一致。",
    "en": "Programs can do what this page does. Five endpoints take and give JSON, with the same answers.",
}
_ENDPOINTS: tuple[tuple[str, dict[Language, str]], ...] = (
    (
        'ask(question, history=[], releases=[], language="", use_model=True)',
        {"zh": "回答问题，每句都有出处", "en": "answers a question, every sentence cited"},
    ),
    ("search(query, releases=[], top_k=8)", {"zh": "最接近的段落", "en": "the nearest passages"}),
    ('history(feature, language="")', {"zh": "一个功能在各版本的历程", "en": "the life of a feature"}),
    (
        'compare(older, newer, language="en")',
        {"zh": "两个版本之间的变化", "en": "what changes between two releases"},
    ),
    (
        'upgrade(code, older, newer, language="en")',
        {"zh": "升级会影响代码的哪些地方；代码不会被运行", "en": "what breaks in Python code; it is not run"},
    ),
)
_MCP_ON: dict[Language, str] = {
    "zh": "编程助手（MCP）：把这个地址加进它的配置。",
    "en": "Coding assistants (MCP): add this address to their settings.",
}
_MCP_OFF: dict[Language, str] = {
    "zh": "编程助手（MCP）：用 torchnotes web --mcp 启动后，把下面的地址加进它的配置。",
    "en": "Coding assistants (MCP): start with torchnotes web --mcp, and add this address to their settings.",
}
_PYTHON = """from gradio_client import Client

client = Client("{address}")
answer = client.predict("What is the default backend of TCPStore in 2.4?", api_name="/ask")
print(answer["text"], [source["url"] for source in answer["citations"]])"""
_HTTP = """to={address}/gradio_api/call/compare
id=$(curl -s $to -H 'content-type: application/json' -d '{{"data": ["2.4", "2.6", "en"]}}' | cut -d'"' -f4)
curl -sN $to/$id"""
_MCP = '{{"mcpServers": {{"torchnotes": {{"url": "{address}/gradio_api/mcp/"}}}}}}'


def api_tab(app_state: AppState, shown: gr.Textbox) -> None:
    """Lay out the tab; the examples use the address at which the reader sees the page.

    Args:
        app_state: shared state.
        shown: language of the interface.
    """
    text = gr.HTML(elem_id="tn-api", apply_default_css=False)

    def tell(said: str, request: gr.Request) -> str:
        # Browsers send the origin with what a page of ours posts; other programs may leave it out.
        host, origin = request.headers.get("host", ""), request.headers.get("origin", "")
        address = origin if origin.startswith(("http://", "https://")) else f"http://{host}"
        return _page("zh" if said == "zh" else "en", address, mcp=app_state.mcp)

    # Without explicit triggers, it runs when the page opens and whenever the language changes.
    gr.on(None, tell, [shown], text, queue=False, api_visibility="private", show_progress="hidden")


def _page(language: Language, address: str, *, mcp: bool) -> str:
    rows = "".join(
        f'<tr><th scope="row"><code>{escape(call)}</code></th><td>{told[language]}</td></tr>'
        for call, told in _ENDPOINTS
    )
    examples = "".join(
        f"<h3>{title}</h3><pre><code>{escape(code.format(address=address))}</code></pre>"
        for title, code in (
            ("Python", _PYTHON),
            ("HTTP", _HTTP),
            ((_MCP_ON if mcp else _MCP_OFF)[language], _MCP),
        )
    )
    return safe(
        f'<div class="tn-answer"><p>{_LEAD[language]}</p><table><tbody>{rows}</tbody></table>{examples}</div>'
    )
