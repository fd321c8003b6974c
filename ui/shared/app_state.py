"""What all visitors of a server share: one assistant over the index as it is now, and what they may do."""

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
_PATIENCE = 5.0  # seconds that a whole answer waits to be told what of it applies here
Checks = Literal["off", "here", "allowed"]


class AppState:
    """Keeps one assistant for all visitors.

    Args:
        factory: makes the assistant.
        progress: of the first start, which may build the index.
        allow_documents: visitors may add documents to the index and remove them.
        mcp: the endpoints are served to MCP clients too.
        checks: who may run checks on this machine: nobody, those who sit at it, or all visitors.

    Attributes:
        factory: has the settings and the index.
        line: where questions wait for their turn.
        received: the files that visitors sent.
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
        self.received = ReceivedFiles()
        self._started = datetime.now(timezone.utc).isoformat()
        factory.latest(progress)
        self._machine: Future[Machine | None] | None = None
        if checks == "here":  # the server's machine is the reader's
            self._machine = _looked_at()

    def assistant(self) -> Assistant:
        """The assistant; a new one when the index has changed since the last question."""
        return self.factory.latest()

    def releases(self) -> list[str]:
        """The releases in the index, the newest first."""
        return [str(release) for release in reversed(self.assistant().retriever.releases)]

    def model(self) -> str:
        """The language model that is configured and the host that it runs on, "" for none."""
        settings = self.factory.settings
        _, _, host = urlsplit(settings.llm_url).netloc.rpartition("@")  # never a user's name and password
        return " · ".join(filter(None, (settings.llm_model, host)))

    def machine(self) -> Machine | None:
        """The reader's machine; None where that is another one, or where looking takes too long."""
        if self._machine is None:
            return None
        try:
            return self._machine.result(timeout=_PATIENCE)
        except TimeoutError:
            return None

    def health(self) -> dict[str, object]:
        """What `/healthz` tells."""
        generation = self.assistant().retriever.generation
        return {
            "status": "ok",
            "started": self._started,
            "generation": generation.name,
            "documents": len(generation.documents),
            "chunks": len(generation.chunks),
        }


def _looked_at() -> Future[Machine | None]:
    """This machine, looked at beside the first questions: torch takes seconds to load, in its own process."""
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
