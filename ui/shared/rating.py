"""Storing of ratings sent by the web page or Slack."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from assistant.feedback.store import FILE, Feedback, FeedbackStore
from ingest.errors import TorchnotesError
from ui.shared.app_state import AppState


def rating(app_state: AppState) -> Callable[[Any], dict[str, str]]:
    """Return a function, called by the scripts of the page, that stores a rating.

    Args:
        app_state: shared state, with the folder of the store.
    """
    store = FeedbackStore(app_state.factory.settings.home / FILE)

    def rate(sent: object) -> dict[str, str]:
        """Store a rating, or delete it if `good` is None; return `{"error": line}` on failure."""
        try:
            if not isinstance(sent, Mapping):
                raise TorchnotesError("the page sent no record of an answer; load it again")
            if sent.get("good") is None:
                store.remove(str(sent.get("answer_id")))
            else:
                store.add(Feedback.parse(sent))
        except TorchnotesError as error:
            return {"error": str(error)}
        return {}

    return rate
