"""The web server: the page at `/`, its scripts, and a health check."""

from __future__ import annotations

import contextlib
import os
import socket
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ingest.fetch import MAX_BYTES
from ui.shared.app_state import AppState
from ui.web.guard import PageFunctions, Uploads, guard

if TYPE_CHECKING:
    import uvicorn
    from fastapi import FastAPI

_CONNECTIONS = 1000  # a page keeps one or two open


@dataclass(frozen=True, slots=True)
class Access:
    """Who can access a server.

    Attributes:
        host: that it listens on.
        password: asked of everyone; "" for nobody.
        names: that it answers to beside those of its machine.
        behind_proxy: a proxy on this machine says in `X-Forwarded-For` who asks, and in `X-Forwarded-Host`
            and `-Proto` by which address. Believed of anybody else, the first would let a sender choose the
            address that password waits and rates count by, the others what the page takes for its own.
    """

    host: str = "127.0.0.1"
    password: str = ""
    names: tuple[str, ...] = ()
    behind_proxy: bool = False


def build_app(app_state: AppState, access: Access | None = None) -> FastAPI:
    """Build the app with the page at `/` and the health check at `/healthz`.

    Args:
        app_state: shared state, with the assistant.
        access: who can access it; None: this machine only.
    """
    # Read when gradio is imported. The second one is the number of events after which it computes statistics
    # with pandas, for a dashboard that is not used here.
    os.environ["GRADIO_ANALYTICS_ENABLED"] = "False"
    os.environ["GRADIO_ANALYTICS_CACHE_FREQUENCY"] = str(10**9)
    # A folder used by this server only, because old files in it are deleted.
    folder = Path(os.environ.setdefault("GRADIO_TEMP_DIR", str(app_state.factory.settings.home / "uploads")))
    import gradio as gr
    from fastapi import FastAPI
    from starlette.staticfiles import StaticFiles

    from ui.web.checks.checking import offer_checks
    from ui.web.page import STATIC, build_page, preloaded, styles, theme
    from ui.web.sessions import bound_sessions

    access = access or Access()
    app = FastAPI(openapi_url=None)
    app.get("/healthz")(app_state.health)
    offer_checks(app, app_state)
    app.mount("/page", StaticFiles(directory=STATIC))
    page = build_page(app_state)
    guard(
        app,
        PageFunctions.of(page),
        host=access.host,
        password=access.password,
        names=access.names,
        behind_proxy=access.behind_proxy,
        uploads=Uploads(folder) if app_state.allow_documents else None,
        received=app_state.received,
        mcp=app_state.mcp,
    )
    gr.mount_gradio_app(
        app,
        page,
        path="/",
        server_name=access.host,
        footer_links=[],
        run_history=False,
        show_error=False,
        ssr_mode=False,
        pwa=False,
        max_file_size=MAX_BYTES,
        mcp_server=app_state.mcp,
        theme=theme(),
        css=styles(),
        head=preloaded(),
        favicon_path=str(STATIC / "logo.svg"),
    )
    # gradio checks the files named in requests only for pages that have been launched.
    page.has_launched = True
    bound_sessions(page.app, page)
    return app


def serve(app_state: AppState, listening: socket.socket, access: Access | None = None) -> None:
    """Serve on a listening socket until interrupted.

    Args:
        app_state: shared state, with the assistant.
        listening: the listening socket.
        access: who can access it; None: this machine only.
    """
    import uvicorn

    with contextlib.suppress(KeyboardInterrupt):
        uvicorn.Server(server_config(build_app(app_state, access), access)).run(sockets=[listening])


def server_config(app: FastAPI, access: Access | None = None) -> uvicorn.Config:
    """Return the configuration of uvicorn, with warnings only in the log and limits on connections.

    Args:
        app: the app.
        access: who can access it; None: this machine only.
    """
    import uvicorn

    from ui.web.guard.connections import TimedProtocol

    return uvicorn.Config(
        app,
        http=TimedProtocol,
        log_level="warning",
        access_log=False,
        limit_concurrency=_CONNECTIONS,
        server_header=False,
        proxy_headers=access is not None and access.behind_proxy,
        timeout_graceful_shutdown=1,
    )
