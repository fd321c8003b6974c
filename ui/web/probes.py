"""Routes for operators: `/healthz` (alive), `/readyz` (takes questions), `/metrics` (for Prometheus)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ui.operations.operations import INSTALL
from ui.operations.readiness import WarmUp
from ui.shared.app_state import AppState
from ui.web.guard.asgi import METRICS, READY

if TYPE_CHECKING:
    from fastapi import FastAPI
    from starlette.requests import Request
    from starlette.responses import Response

    from ui.operations.metrics import Metrics, ServerState

_NO_LIBRARY = f"metrics need the package prometheus_client, which is not installed; type `{INSTALL}`"


def offer_probes(app: FastAPI, app_state: AppState, warm_up: WarmUp, metrics: Metrics | None) -> None:
    """Add the routes to an app; who may read the metrics is decided by the guard.

    Args:
        app: the app.
        app_state: shared state, with the index and the queue of questions.
        warm_up: knows whether the server takes questions.
        metrics: the metrics; None where prometheus_client is not installed.
    """
    from starlette.responses import JSONResponse, PlainTextResponse, Response

    async def ready(request: Request) -> Response:
        status = warm_up.readiness
        return JSONResponse({"status": status}, 200 if status == "ready" else 503)

    async def tell(request: Request) -> Response:
        if metrics is None:
            return PlainTextResponse(f"{_NO_LIBRARY}\n", 501)
        body, kind = metrics.exposition(request.headers.get("accept", ""))
        return Response(body, headers={"content-type": kind})

    if metrics is not None:
        metrics.watch(lambda: state_of(app_state, warm_up))
    app.get("/healthz")(app_state.health)
    app.add_route(READY, ready, methods=["GET"])
    app.add_route(METRICS, tell, methods=["GET"])


def state_of(app_state: AppState, warm_up: WarmUp) -> ServerState:
    """Return what a server is like now, from the index that is open.

    Args:
        app_state: shared state, with the index and the queue of questions.
        warm_up: knows whether the server takes questions.
    """
    from ui.operations.metrics import ServerState

    line, assistant = app_state.line, app_state.factory.opened or app_state.assistant()
    generation = assistant.retriever.generation
    return ServerState(
        ready=warm_up.readiness == "ready",
        waiting=line.waiting,
        running=line.running,
        refused=line.refused,
        versions=assistant.versions,
        created=generation.manifest.created,
        documents=len(generation.documents),
        chunks=len(generation.chunks),
    )
