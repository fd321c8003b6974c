"""Middleware that checks every request before gradio: access, origin, routes, and content."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ui.shared.received import ReceivedFiles
from ui.web.guard.bodies import MAX_BODY, Bodies
from ui.web.guard.files import PageFunctions
from ui.web.guard.headers import SecurityHeaders
from ui.web.guard.metrics_access import MetricsAccess
from ui.web.guard.origins import LOOPBACK, KnownHosts, SameOrigin, own_names
from ui.web.guard.passwords import PasswordNeeded
from ui.web.guard.rates import RateLimit
from ui.web.guard.routes import KnownRoutes
from ui.web.guard.upload_quota import UploadQuota
from ui.web.guard.uploads import Uploads

if TYPE_CHECKING:
    from fastapi import FastAPI

__all__ = ["LOOPBACK", "MAX_BODY", "PageFunctions", "ReceivedFiles", "Uploads", "guard"]


def guard(
    app: FastAPI,
    functions: PageFunctions,
    *,
    host: str,
    password: str = "",
    metrics_token: str = "",
    names: Sequence[str] = (),
    behind_proxy: bool = False,
    uploads: Uploads | None = None,
    received: ReceivedFiles | None = None,
    mcp: bool = False,
) -> None:
    """Add the middleware to an app.

    Args:
        app: to be guarded.
        functions: those that the page has.
        host: that the server listens on; one for this machine alone answers its names only.
        password: asked of everyone but at `/healthz` and `/readyz`, whatever the user name; "" for nobody.
        metrics_token: with which other machines may read `/metrics`; "" for none.
        names: further names of the server.
        behind_proxy: a proxy says in `X-Forwarded-Host` and the like how readers reach the server.
        uploads: where files that are sent lie; None where none may be sent.
        received: remembers the files that were sent.
        mcp: MCP clients are served.
    """
    # The last one added is the first that a request meets.
    received = received or ReceivedFiles()
    if uploads is not None:
        app.add_middleware(UploadQuota, uploads=uploads, received=received)
    app.add_middleware(Bodies, uploads=uploads is not None, functions=functions, received=received)
    app.add_middleware(KnownRoutes, mcp=mcp)
    app.add_middleware(RateLimit)
    if password:
        app.add_middleware(PasswordNeeded, password=password)
    app.add_middleware(MetricsAccess, token=metrics_token, password=bool(password))
    app.add_middleware(SameOrigin)
    app.add_middleware(KnownHosts, host=host, names=own_names(host, password, names))
    app.add_middleware(SecurityHeaders, behind_proxy=behind_proxy)
