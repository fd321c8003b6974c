"""Storing of ratings sent by the web page or Slack."""

from __future__ import annotations

import json
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from typing import Any

from assistant.feedback.store import FILE, Feedback, FeedbackStore
from ingest.errors import TorchnotesError
from ui.shared.app_state import AppState

#: Bytes of the ratings of one sender in a day: some hundred. Without it one could use up all that are kept.
SHARE = 10_000_000
_DAY = 24 * 3600.0
_SENDERS = 10_000  # remembered at most


def rating(app_state: AppState, sender: Callable[[], str] = lambda: "") -> Callable[[Any], dict[str, str]]:
    """Return a function, called by the scripts of the page, that stores a rating.

    Args:
        app_state: shared state, with the folder of the store.
        sender: returns who rates, "" for one without a share, such as this machine.
    """
    store = FeedbackStore(app_state.factory.settings.home / FILE)
    shares = _Shares(time.monotonic)

    def rate(sent: object) -> dict[str, str]:
        """Store a rating, or delete it if `good` is None; return `{"error": line}` on failure."""
        try:
            if not isinstance(sent, Mapping):
                raise TorchnotesError("the page sent no record of an answer; load it again")
            if sent.get("good") is None:
                store.remove(str(sent.get("answer_id")))
            else:
                feedback = Feedback.parse(sent)
                shares.take(sender(), len(json.dumps(sent, ensure_ascii=False).encode()))
                store.add(feedback)
        except TorchnotesError as error:
            line = str(error).replace(str(store.path), FILE)  # readers learn no folder of the server
            return {"error": line}
        return {}

    return rate


class _Shares:
    """Counts the bytes that each sender had stored in the last day.

    Args:
        clock: returns monotonic seconds.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._taken: OrderedDict[str, tuple[float, int]] = OrderedDict()
        self._lock = threading.Lock()

    def take(self, sender: str, size: int) -> None:
        """Count a rating.

        Args:
            sender: who sent it, "" for one without a share.
            size: its bytes.

        Raises:
            TorchnotesError: the sender has no room left.
        """
        if not sender:
            return
        with self._lock:
            now = self._clock()
            since, taken = self._taken.pop(sender, (now, 0))
            if now - since > _DAY:
                since, taken = now, 0
            fits = taken + size <= SHARE
            self._taken[sender] = (since, taken + size if fits else taken)
            if len(self._taken) > _SENDERS:
                self._taken.popitem(last=False)
        if not fits:
            raise TorchnotesError("many ratings came from your address today; rate tomorrow")
