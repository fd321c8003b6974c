"""The web server: the page at `/`, its scripts, and what operators ask for."""

from __future__ import annotations

import contextlib
import os
import socket
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from ingest.fetch import MAX_BYTES
from ui.operations.readiness import WarmUp
from ui.shared.app_state import AppState
from ui.web.guard import PageFunctions, Uploads, guard
from ui.web.probes import offer_probes

if TYPE_CHECKING:
    import uvicorn
    from fastapi import FastAPI

    from ui.operations.metrics import Metrics

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
        metrics_token: with which other machines may read `/metrics`; "" for none.
    """

    host: str = "127.0.0.1"
    password: str = field(default="", repr=False)
    names: tuple[str, ...] = ()
    behind_proxy: bool = False
    metrics_token: str = field(default="", repr=False)


def build_app(
    app_state: AppState,
    access: Access | None = None,
    *,
    warm_up: WarmUp | None = None,
    metrics: Metrics | None = None,
) -> FastAPI:
    """Build the app with the page at `/`, and `/healthz`, `/readyz` and `/metrics`.

    Args:
        app_state: shared state, with the assistant.
        access: who can access it; None: this machine only.
        warm_up: loads what questions need; None: a new one, which is not started.
        metrics: of the answers; None where there are none to be told.
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
    offer_probes(app, app_state, warm_up or WarmUp(app_state), metrics)
    offer_checks(app, app_state)
    app.mount("/page", StaticFiles(directory=STATIC))
    page = build_page(app_state)
    guard(
        app,
        PageFunctions.of(page),
        host=access.host,
        password=access.password,
        metrics_token=access.metrics_token,
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


def serve(
    app_state: AppState,
    listening: socket.socket,
    access: Access | None = None,
    metrics: Metrics | None = None,
) -> None:
    """Serve on a listening socket until interrupted, or told to stop by SIGTERM.

    Then the answers in flight end first, within the seconds of the settings, and new questions are refused.

    Args:
        app_state: shared state, with the assistant.
        listening: the listening socket.
        access: who can access it; None: this machine only.
        metrics: of the answers; None where there are none to be told.
    """
    from ui.web.stopping import StoppingServer, end_soon

    warm_up = WarmUp(app_state)
    config = server_config(build_app(app_state, access, warm_up=warm_up, metrics=metrics), access)
    warm_up.start()
    with contextlib.suppress(KeyboardInterrupt):
        seconds = app_state.factory.settings.drain_seconds
        StoppingServer(config, (app_state.line, app_state.reports), seconds, end_soon).run(
            sockets=[listening]
        )


def server_config(app: FastAPI, access: Access | None = None) -> uvicorn.Config:
    """Return the configuration of uvicorn, with warnings only in the log and limits on connections.

    Args:
        app: the app.
        access: who can access it; None: this machine only.
    """
    import uvicorn

    from ui.web.guard.connections import TimedProtocol
    from ui.web.stopping import CONNECTIONS

    return uvicorn.Config(
        app,
        http=TimedProtocol,
        log_level="warning",
        log_config=None,  # to the log that all others write to
        access_log=False,
        limit_concurrency=_CONNECTIONS,
        server_header=False,
        proxy_headers=access is not None and access.behind_proxy,
        timeout_graceful_shutdown=CONNECTIONS,
    )
