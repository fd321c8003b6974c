"""State shared by all visitors of a server: the assistant, and what visitors may do."""

from __future__ import annotations

import logging
import threading
from concurrent.futures import Future, TimeoutError
from datetime import datetime, timezone
from typing import TYPE_CHECKING, Literal
from urllib.parse import urlsplit

from assistant.assistant import Assistant
from assistant.factory import AssistantFactory
from index.storage.store import BuildProgress
from ui.shared.received import ReceivedFiles
from ui.shared.request_queue import RequestQueue

if TYPE_CHECKING:
    from assistant.checks.machine import Machine

_log = logging.getLogger(__name__)
_PATIENCE = 5.0  # seconds that a complete answer waits for the description of the machine
_REPORTS_AT_ONCE, _REPORTS_WAITING, _REPORTS_OF_ONE = 2, 16, 8
_VIEWS_AT_ONCE, _VIEWS_WAITING, _VIEWS_OF_ONE = 2, 64, 16
_PROPOSALS_AT_ONCE, _PROPOSALS_WAITING, _PROPOSALS_OF_ONE = 2, 8, 4
Checks = Literal["off", "here", "allowed"]


class AppState:
    """State shared by all visitors.

    Args:
        factory: creates the assistant.
        progress: callback for progress of the first start, which may build the index.
        allow_documents: visitors may add and remove documents.
        mcp: MCP clients are served as well.
        checks: who may run checks on this machine: nobody ("off"), users of this machine ("here"), or all
            visitors ("allowed").

    Attributes:
        factory: as given, with settings and index.
        allow_documents: as given.
        mcp: as given.
        checks: as given.
        line: queue of the questions.
        reports: queue of the upgrade reports; each may take a core for half a minute, and questions do not
            wait for them.
        views: queue of the charts, tables and comparisons of the page, each of which may take a second of a
            core.
        proposals: queue of the checks that a language model is asked for, each of which may wait for minutes.
        received: files uploaded by visitors.
    """

    def __init__(
        self,
        factory: AssistantFactory,
        progress: BuildProgress | None = None,
        *,
        allow_documents: bool = False,
        mcp: bool = False,
        checks: Checks = "off",
    ) -> None:
        self.factory = factory
        self.allow_documents = allow_documents
        self.mcp = mcp
        self.checks = checks
        self.line = RequestQueue()
        self.reports = RequestQueue(_REPORTS_AT_ONCE, _REPORTS_WAITING, _REPORTS_OF_ONE)
        self.views = RequestQueue(_VIEWS_AT_ONCE, _VIEWS_WAITING, _VIEWS_OF_ONE)
        self.proposals = RequestQueue(_PROPOSALS_AT_ONCE, _PROPOSALS_WAITING, _PROPOSALS_OF_ONE)
        self.received = ReceivedFiles()
        self._started = datetime.now(timezone.utc).isoformat()
        factory.latest(progress)
        self._machine: Future[Machine | None] | None = None
        if checks == "here":  # the reader uses the same machine as the server
            self._machine = _looked_at()

    def assistant(self) -> Assistant:
        """Return the assistant, a new one if the index has changed."""
        return self.factory.latest()

    def releases(self) -> list[str]:
        """Return the releases of the index, newest first."""
        return [str(release) for release in reversed(self.assistant().retriever.releases)]

    def model(self) -> str:
        """Return the name and host of the language model, "" if there is none."""
        settings = self.factory.settings
        if settings.llm_file:
            return settings.llm_file.stem
        _, _, host = urlsplit(settings.llm_url).netloc.rpartition("@")  # without user name and password
        return " · ".join(filter(None, (settings.llm_model, host)))

    def machine(self) -> Machine | None:
        """Return the reader's machine, None if it is another one, or if inspecting it takes too long."""
        if self._machine is None:
            return None
        try:
            return self._machine.result(timeout=_PATIENCE)
        except TimeoutError:
            return None

    def health(self) -> dict[str, object]:
        """Return the content of `/healthz`, from the index that is open: none is opened for it."""
        generation = (self.factory.opened or self.assistant()).retriever.generation
        return {
            "status": "ok",
            "started": self._started,
            "generation": generation.name,
            "documents": len(generation.documents),
            "chunks": len(generation.chunks),
        }


def _looked_at() -> Future[Machine | None]:
    """Inspect this machine in a thread, because importing torch takes seconds."""
    from assistant.checks.machine import describe

    found: Future[Machine | None] = Future()

    def look() -> None:
        try:
            found.set_result(describe())
        except Exception:  # noqa: BLE001 - answers go on without it
            _log.exception("this machine was not looked at; answers come without what applies to it")
            found.set_result(None)

    threading.Thread(target=look, name="machine", daemon=True).start()
    return found
