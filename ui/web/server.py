"""The web page's server: the page at `/`, its scripts, and a route that tells that it is alive."""

from __future__ import annotations

import contextlib
import os
import socket
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ingest.fetch import MAX_BYTES
from ui.web.desk import Desk
from ui.web.guard import guard

if TYPE_CHECKING:
    from fastapi import FastAPI


@dataclass(frozen=True, slots=True)
class Access:
    """Who reaches a server and what for.

    Attributes:
        host: that it listens on.
        password: asked of everyone; "" for nobody.
    """

    host: str = "127.0.0.1"
    password: str = ""


def build_app(desk: Desk, access: Access | None = None) -> FastAPI:
    """The page at `/` and the state of the index at `/healthz`."""
    # Read when gradio is imported. The second is after how many events it sums up how long each took, with
    # pandas, for a dashboard that is not there.
    os.environ["GRADIO_ANALYTICS_ENABLED"] = "False"
    os.environ["GRADIO_ANALYTICS_CACHE_FREQUENCY"] = str(10**9)
    import gradio as gr
    from fastapi import FastAPI
    from starlette.staticfiles import StaticFiles

    from ui.web.checking import offer_checks
    from ui.web.page import STATIC, build_page, styles, theme

    access = access or Access()
    app = FastAPI(openapi_url=None)
    app.get("/healthz")(desk.health)
    offer_checks(app, desk)
    app.mount("/page", StaticFiles(directory=STATIC))
    guard(app, access.host, access.password, uploads=desk.allow_documents)
    gr.mount_gradio_app(
        app,
        build_page(desk),
        path="/",
        server_name=access.host,
        footer_links=[],
        run_history=False,
        show_error=False,
        ssr_mode=False,
        pwa=False,
        max_file_size=MAX_BYTES,
        mcp_server=desk.mcp,
        theme=theme(),
        css=styles(),
    )
    return app


def serve(desk: Desk, listening: socket.socket, access: Access | None = None) -> None:
    """Serve on a listening socket until interrupted."""
    import uvicorn

    config = uvicorn.Config(
        build_app(desk, access), log_level="warning", access_log=False, timeout_graceful_shutdown=1
    )
    with contextlib.suppress(KeyboardInterrupt):
        uvicorn.Server(config).run(sockets=[listening])
