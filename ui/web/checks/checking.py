"""HTTP routes for checks: a check is shown, and runs after a reader who has seen its program agrees.

A run is a single request: its lines report progress, the last one the result, and closing it ends the run.
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
from ui.shared.request_queue import BusyError
from ui.web.asking import sender_at
from ui.web.checks import offering
from ui.web.checks.check_html import consent_to_html, verdict_to_html
from ui.web.components import check_labels as words
from ui.web.guard.senders import is_forwarded

if TYPE_CHECKING:
    from fastapi import FastAPI
    from starlette.requests import Request
    from starlette.responses import Response

_log = logging.getLogger(__name__)
_BEAT = 0.5  # seconds between two lines of a run
#: Header with the digest of the program that the reader has seen. Pages of other origins cannot send it:
#: a custom header requires a CORS preflight, which this server does not answer.
SEEN = "x-torchnotes-program"
#: Header: the reader has agreed to weaker isolation.
AGREED = "x-torchnotes-weaker"


def offer_checks(app: FastAPI, app_state: AppState) -> None:
    """Add the routes of checks to an app; if checks are not allowed, they explain who can allow them.

    Args:
        app: the app.
        app_state: shared state, which says whether checks are allowed.
    """
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
        # JSON requires a CORS preflight too, so pages of other origins cannot use up the model's tokens.
        if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
            return _error(415, "send JSON, with the header Content-Type: application/json")
        sender = sender_at(request.client.host if request.client else None)
        try:
            sent = await request.json()
            # A model may take minutes, and all that is answered needs one of the same threads.
            async with app_state.proposals.place(sender):
                found = await anyio.to_thread.run_sync(_proposed, app_state, sent, spoken)
        except BusyError as error:
            return _error(429, str(error))
        except (TorchnotesError, ValueError) as error:
            return _error(400, str(error))
        return JSONResponse({"checks": found})

    app.add_route("/checks", propose, methods=["POST"])
    app.add_route("/checks/{check}", show, methods=["GET"])
    app.add_route("/checks/{check}", run, methods=["POST"])


def program_of(check: Check) -> str:
    """Return a digest of a program and the module it imports.

    Args:
        check: the check.
    """
    return hashlib.sha256(f"{check.code}\0{check.kit.read_text(encoding='utf-8')}".encode()).hexdigest()


def _refused(app_state: AppState, request: Request, spoken: Language) -> str:
    """Return why checks are not allowed for this request, "" if they are.

    With "here", others can still connect through a proxy, which is recognised by its headers.
    """
    here = app_state.checks == "here" and not is_forwarded(request.scope)
    allowed = app_state.checks == "allowed" or here
    return "" if allowed else words.FORBIDDEN[spoken]


def _proposed(app_state: AppState, sent: object, spoken: Language) -> list[dict[str, Any]]:
    """Return the checks that the language model proposes for an answered question.

    Raises:
        TorchnotesError: there is no model, or it does not answer.
        ValueError: no question was sent, or invalid releases.
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
    """A run in its own thread. It starts at once, so that it also ends if the reader has already gone.

    Args:
        check: the check.
        spoken: language of the interface.
        busy: lock held by the caller; released when the run has ended.
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
        """Yield a line every half second, and the verdict; closing the generator early ends the run."""
        try:
            while not await anyio.to_thread.run_sync(self._over.wait, _BEAT, abandon_on_cancel=True):
                yield _line({"seconds": round(time.monotonic() - self._begun)})
            yield _line(self._outcome)
        finally:
            self._cancelled.set()


def _tried(check: Check, spoken: Language, cancelled: threading.Event) -> dict[str, Any]:
    try:
        verdict = try_check(check, isolation=isolation_for([check]), cancelled=cancelled)
    except Exception:  # noqa: BLE001 - visitors see one line, the log has the details
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
