"""What readers say of answers, from the page into the store."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from assistant.feedback.store import FILE, Feedback, FeedbackStore
from ingest.errors import TorchnotesError
from ui.shared.app_state import AppState


def rating(app_state: AppState) -> Callable[[Any], dict[str, str]]:
    """A function that the scripts of the page call: it keeps a reader's word on an answer."""
    store = FeedbackStore(app_state.factory.settings.home / FILE)

    def rate(sent: object) -> dict[str, str]:
        """Keep it, or take it back where `good` is None; `{"error": line}` where that cannot be."""
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
