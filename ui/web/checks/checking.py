"""Checks of the page: one is shown, and runs once a reader who has seen its program says so.

A run is a request: its lines tell how far it is, the last one what came of it, and closing it ends the run.
"""

from __future__ import annotations

import hashlib
import json
import logging
import threading
import time
from collections.abc import AsyncGenerator, Mapping
from typing import TYPE_CHECKING, Any

import anyio.to_thread
from click import unstyle

from assistant.answer_checks.proposal import proposed
from assistant.checks.check import Check
from assistant.checks.machine import describe
from assistant.checks.registry import find_check
from assistant.checks.trial import isolation_for, try_check, unmet
from assistant.query.validation import check_question
from ingest.document import Language
from ingest.errors import TorchnotesError
from ingest.release import Release
from ui.shared.app_state import AppState
from ui.shared.check_text import told
from ui.web.checks import offering
from ui.web.checks.check_html import consent_to_html, verdict_to_html
from ui.web.components import check_labels as words

if TYPE_CHECKING:
    from fastapi import FastAPI
    from starlette.requests import Request
    from starlette.responses import Response

_log = logging.getLogger(__name__)
_BEAT = 0.5  # seconds between two lines of a run
#: Tells which program a reader has seen. A page of another origin cannot send it: browsers ask before they
#: send a header of this kind, and nobody here says yes.
SEEN = "x-torchnotes-program"
#: A reader has agreed to weaker isolation.
AGREED = "x-torchnotes-weaker"


def offer_checks(app: FastAPI, app_state: AppState) -> None:
    """Add the routes of checks to an app; where the app state allows none, they say who can."""
    from starlette.responses import JSONResponse, StreamingResponse

    busy = threading.Lock()

    async def show(request: Request) -> Response:
        spoken = _spoken(request)
        if refused := _refused(app_state, request, spoken):
            return _error(403, refused)
        try:
            check = find_check(request.path_params["check"])
        except TorchnotesError as error:
            return _error(404, str(error))
        return JSONResponse(await anyio.to_thread.run_sync(_shown, check, spoken))

    async def run(request: Request) -> Response:
        spoken = _spoken(request)
        if refused := _refused(app_state, request, spoken):
            return _error(403, refused)
        try:
            check = find_check(request.path_params["check"])
        except TorchnotesError as error:
            return _error(404, str(error))
        if request.headers.get(SEEN) != program_of(check):
            return _error(409, words.CHANGED[spoken])
        isolation = await anyio.to_thread.run_sync(isolation_for, [check])
        if isolation.weaker and request.headers.get(AGREED) != "yes":
            return _error(409, words.AGAIN[spoken])
        if not busy.acquire(blocking=False):
            return _error(409, words.RUNNING[spoken])
        return StreamingResponse(Run(check, spoken, busy).lines(), media_type="application/x-ndjson")

    async def propose(request: Request) -> Response:
        spoken = _spoken(request)
        if refused := _refused(app_state, request, spoken):
            return _error(403, refused)
        # Nor does a page of another origin send JSON unasked; so it spends none of the model's tokens.
        if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
            return _error(415, "send JSON, with the header Content-Type: application/json")
        try:
            found = await anyio.to_thread.run_sync(_proposed, app_state, await request.json(), spoken)
        except (TorchnotesError, ValueError) as error:
            return _error(400, str(error))
        return JSONResponse({"checks": found})

    app.add_route("/checks", propose, methods=["POST"])
    app.add_route("/checks/{check}", show, methods=["GET"])
    app.add_route("/checks/{check}", run, methods=["POST"])


def program_of(check: Check) -> str:
    """What tells a program, with what it imports, from every other."""
    return hashlib.sha256(f"{check.code}\0{check.kit.read_text(encoding='utf-8')}".encode()).hexdigest()


def _refused(app_state: AppState, request: Request, spoken: Language) -> str:
    """Why no check runs for this request, "" where one may.

    One for this machine alone is reached by others through a proxy, which says so in what it forwards.
    """
    forwarded = any(name in request.headers for name in ("forwarded", "x-forwarded-for", "x-real-ip"))
    allowed = app_state.checks == "allowed" or (app_state.checks == "here" and not forwarded)
    return "" if allowed else words.FORBIDDEN[spoken]


def _proposed(app_state: AppState, sent: object, spoken: Language) -> list[dict[str, Any]]:
    """What the language model proposes for a question that was answered.

    Raises:
        TorchnotesError: there is no model, or it does not answer.
        ValueError: no question was sent, or its releases are none.
    """
    values = sent if isinstance(sent, Mapping) else {}
    question, releases = values.get("question"), values.get("releases", [])
    if not isinstance(question, str) or not isinstance(releases, list):
        raise ValueError('send {"question": text, "releases": [text, ...]}')
    check_question(question)
    model = app_state.assistant().model
    if model is None:
        raise TorchnotesError("no language model is configured, so none proposes a check")
    return offering.told(proposed(model, question, map(Release.parse, map(str, releases))), spoken)


def _shown(check: Check, spoken: Language) -> dict[str, Any]:
    machine, isolation = describe(), isolation_for([check])
    missing = unmet(check, machine)
    return {
        "html": consent_to_html(check, missing, isolation, str(machine), spoken),
        "program": program_of(check),
        "runs": missing is None,
        "weaker": isolation.weaker,
    }


class Run:
    """A run in a thread of its own. It begins at once, so that one whose reader is gone by then ends too.

    Args:
        check: to run.
        spoken: language of the interface.
        busy: held by the caller; let go when the run is over.
    """

    def __init__(self, check: Check, spoken: Language, busy: threading.Lock) -> None:
        self._cancelled, self._over = threading.Event(), threading.Event()
        self._outcome: dict[str, Any] = {}
        self._begun = time.monotonic()

        def work() -> None:
            try:
                self._outcome.update(_tried(check, spoken, self._cancelled))
            finally:
                busy.release()
                self._over.set()

        threading.Thread(target=work, name=f"check {check.id}", daemon=True).start()

    async def lines(self) -> AsyncGenerator[str, None]:
        """A line every half a second, and the verdict; closed early, the run is ended."""
        try:
            while not await anyio.to_thread.run_sync(self._over.wait, _BEAT, abandon_on_cancel=True):
                yield _line({"seconds": round(time.monotonic() - self._begun)})
            yield _line(self._outcome)
        finally:
            self._cancelled.set()


def _tried(check: Check, spoken: Language, cancelled: threading.Event) -> dict[str, Any]:
    try:
        verdict = try_check(check, isolation=isolation_for([check]), cancelled=cancelled)
    except Exception:  # noqa: BLE001 - a visitor sees one line, the log the rest
        _log.exception("the check %s was not run", check.id)
        return {"error": words.BROKEN[spoken].format(check=check.id)}
    if cancelled.is_set():
        return {"error": words.ENDED[spoken]}
    return {
        "html": verdict_to_html(verdict, spoken),
        "result": verdict.result,
        "markdown": f"```text\n{unstyle(told(verdict, spoken))}\n```",
    }


def _line(record: dict[str, Any]) -> str:
    return f"{json.dumps(record, ensure_ascii=False)}\n"


def _spoken(request: Request) -> Language:
    return "zh" if request.query_params.get("language") == "zh" else "en"


def _error(status: int, line: str) -> Response:
    from starlette.responses import JSONResponse

    return JSONResponse({"error": line}, status)
