"""Middleware that checks every request before gradio: access, origin, routes, and content."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ui.shared.received import ReceivedFiles
from ui.web.guard.bodies import MAX_BODY, Bodies
from ui.web.guard.files import PageFunctions
from ui.web.guard.headers import SecurityHeaders
from ui.web.guard.origins import LOOPBACK, KnownHosts, SameOrigin, own_names
from ui.web.guard.passwords import PasswordNeeded
from ui.web.guard.rates import RateLimit
from ui.web.guard.routes import KnownRoutes
from ui.web.guard.uploads import UploadQuota, Uploads

if TYPE_CHECKING:
    from fastapi import FastAPI

__all__ = ["LOOPBACK", "MAX_BODY", "PageFunctions", "ReceivedFiles", "Uploads", "guard"]


def guard(
    app: FastAPI,
    functions: PageFunctions,
    *,
    host: str,
    password: str = "",
    names: Sequence[str] = (),
    uploads: Uploads | None = None,
    received: ReceivedFiles | None = None,
    mcp: bool = False,
) -> None:
    """Add the middleware to an app.

    Args:
        app: the app.
        functions: functions of the page.
        host: address that the server listens on; on a loopback address it answers only to its own names.
        password: password required everywhere but at `/healthz`, with any user name; "" for none.
        names: additional names of the server.
        uploads: folder of uploaded files; None if uploads are not allowed.
        received: tracks the uploaded files; None: a new tracker.
        mcp: whether MCP clients are served.
    """
    # The middleware added last is the first to handle a request.
    if uploads is not None:
        app.add_middleware(UploadQuota, uploads=uploads)
    app.add_middleware(
        Bodies, uploads=uploads is not None, functions=functions, received=received or ReceivedFiles()
    )
    app.add_middleware(KnownRoutes, mcp=mcp)
    app.add_middleware(RateLimit)
    if password:
        app.add_middleware(PasswordNeeded, password=password)
    app.add_middleware(SameOrigin)
    app.add_middleware(KnownHosts, host=host, names=own_names(host, password, names))
    app.add_middleware(SecurityHeaders)
