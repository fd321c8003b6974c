"""Whether a server takes questions: its index is open, its models are loaded, and it is not stopping."""

from __future__ import annotations

import logging
import threading
from typing import Literal

from ui.shared.app_state import AppState

_log = logging.getLogger(__name__)
_AGAIN = 5.0  # seconds after which what failed is tried again
_FIRST = "What is new in PyTorch?"  # searched for and read, so that all that a question needs is loaded

Readiness = Literal["starting", "ready", "stopping"]


class WarmUp:
    """Loads what the first question needs, before it comes.

    Args:
        app_state: shared state, with the assistant and the queue of questions.
    """

    def __init__(self, app_state: AppState) -> None:
        self._app_state = app_state
        self._warm = threading.Event()

    @property
    def readiness(self) -> Readiness:
        """Whether the server takes questions."""
        if self._app_state.line.closed:
            return "stopping"
        return "ready" if self._warm.is_set() else "starting"

    def start(self) -> None:
        """Begin in a thread of its own; what fails is logged and tried again."""
        threading.Thread(target=self._run, name="warm up", daemon=True).start()

    def _run(self) -> None:
        waited = threading.Event()
        while not self._warm.is_set():
            try:
                self._app_state.assistant().passages(_FIRST)
                self._warm.set()
            except Exception:  # noqa: BLE001 - of a thread; the server is not ready meanwhile
                _log.exception("the index or a model cannot be loaded; it is tried again")
                waited.wait(_AGAIN)
