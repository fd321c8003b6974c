"""Which checks the page offers beside an answer."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from assistant.answer import Answer
from assistant.answer_checks.offers import Offer, offers
from assistant.assistant import Assistant
from ingest.document import Language
from ui.shared.app_state import AppState
from ui.web.components.check_labels import COSTS

_MOST = 4  # beside one answer


def offered(
    app_state: AppState, assistant: Assistant, answer: Answer, spoken: Language, *, model: bool
) -> dict[str, Any]:
    """What the page needs: the checks of what is cited, and what to ask the model for one with.

    Args:
        desk: tells whether checks may run.
        assistant: that answered.
        answer: that was given.
        spoken: language of the interface.
        model: the reader lets the language model work.
    """
    if app_state.checks == "off":
        return {"checks": [], "propose": None}
    found = told(offers(answer, assistant.histories), spoken)
    asks = not (found or answer.abstained) and model and assistant.model is not None
    question = {"question": answer.standalone, "releases": [str(release) for release in answer.releases]}
    return {"checks": found, "propose": question if asks else None}


def told(found: Iterable[Offer], spoken: Language) -> list[dict[str, Any]]:
    """Offers as the page's script reads them."""
    rows = [
        {
            "id": offer.check.id,
            "claim": offer.check.claim[spoken],
            "cost": COSTS[spoken][offer.check.cost],
            "numbers": list(offer.numbers),
        }
        for offer in found
    ]
    return rows[:_MOST]
