"""Allow-list of the gradio routes that the page, its endpoints and MCP clients need.

gradio has routes to fetch addresses and files, and to record, profile, reload and rewrite an app. None of
them is needed, and new ones in later versions stay closed until they are listed here.
"""

from __future__ import annotations

import re

from ui.web.guard.asgi import (
    ALIVE,
    API,
    CLOSE,
    METRICS,
    READY,
    App,
    Message,
    Receive,
    Send,
    plain_path,
    refuse,
)

_NAME = r"[\w-]+"
_READ = (
    *("/", ALIVE, READY, METRICS, "/config", "/theme.css", "/favicon.ico", "/robots.txt"),
    *(r"/(?:assets|static|svelte|page)/.+", rf"/checks/{_NAME}"),
    *(rf"{API}/(?:info|openapi\.json|app_id|startup-events|theme\.css|queue/data|queue/status)",),
    *(rf"{API}/heartbeat/{_NAME}", rf"{API}/call/{_NAME}/{_NAME}", rf"{API}/call/v2/{_NAME}/{_NAME}"),
    rf"{API}/upload_progress",
)
_WRITE = (
    *("/checks", rf"/checks/{_NAME}"),
    *(rf"{API}/(?:queue/join|cancel|reset|component_server|upload)",),
    *(rf"{API}/run/{_NAME}", rf"{API}/call/{_NAME}", rf"{API}/call/v2/{_NAME}"),
)
_MCP = (rf"{API}/mcp(?:/.*)?",)
_LONGEST = 16_000  # bytes of path and query; gradio fails on some longer ones


class KnownRoutes:
    """Rejects requests for other routes.

    Args:
        app: next ASGI app.
        mcp: whether MCP clients are served.
    """

    def __init__(self, app: App, *, mcp: bool = False) -> None:
        self._app = app
        open_to_mcp = _MCP if mcp else ()
        read, write = _any_of((*_READ, *open_to_mcp)), _any_of((*_WRITE, *open_to_mcp))
        self._routes = {"GET": read, "HEAD": read, "POST": write, "DELETE": _any_of(open_to_mcp)}

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Handle a request.

        Args:
            scope: ASGI scope.
            receive: ASGI receive function.
            send: ASGI send function.
        """
        if scope["type"] == "http" and len(scope["path"]) + len(scope.get("query_string", b"")) > _LONGEST:
            await refuse(send, 414, f"the address has more than {_LONGEST} characters; shorten it", CLOSE)
        elif scope["type"] != "http" or self._known(scope):
            await self._app(scope, receive, send)
        else:
            await refuse(
                send, 404, "there is nothing here; the page is at / and its endpoints at /gradio_api/info"
            )

    def _known(self, scope: Message) -> bool:
        routes = self._routes.get(scope["method"])
        return routes is not None and routes.fullmatch(plain_path(scope)) is not None


def _any_of(patterns: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile("|".join(patterns) or r"(?!)")
