"""What the app behind the guard says of a request is not passed on where it gives the request back."""

from __future__ import annotations

import pytest

from tests.ui.web.guard.guarded import JSON, answer
from ui.web.guard import PageFunctions, ReceivedFiles
from ui.web.guard.asgi import Message, Receive, Send
from ui.web.guard.bodies import Bodies


@pytest.mark.parametrize(("path", "line"), [("/gradio_api/mcp/", True), ("/gradio_api/run/ask", False)])
def test_what_mcp_finds_wrong_is_one_line(path: str, line: bool) -> None:
    """Its own words span several lines and hold what was sent."""

    async def app(scope: Message, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 400, "headers": []})
        await send({"type": "http.response.body", "body": b"Validation error:\n  input_value=secret"})

    functions = PageFunctions(frozenset({"ask"}), frozenset(), {})
    guarded = Bodies(app, uploads=False, functions=functions, received=ReceivedFiles())
    replied = answer(guarded, path, [b'{"data": []}'], headers=JSON)
    assert replied.status == 400 and ("secret" not in replied.body) == line
