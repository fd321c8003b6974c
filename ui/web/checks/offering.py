"""The checks that the page offers with an answer."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from assistant.answer import Answer
from assistant.answer_checks.offers import Offer, offers
from assistant.assistant import Assistant
from ingest.document import Language
from ui.shared.app_state import AppState
from ui.web.components.check_labels import COSTS

_MOST = 4  # maximum number per answer


def offered(
    app_state: AppState, assistant: Assistant, answer: Answer, spoken: Language, *, model: bool
) -> dict[str, Any]:
    """Return the related checks, and what to send to the model for a proposal if there are none.

    Args:
        app_state: shared state, which says whether checks are allowed.
        assistant: assistant that answered.
        answer: the answer.
        spoken: language of the interface.
        model: whether the reader has selected the language model.
    """
    if app_state.checks == "off":
        return {"checks": [], "propose": None}
    found = told(offers(answer, assistant.histories), spoken)
    asks = not (found or answer.abstained) and model and assistant.model is not None
    question = {"question": answer.standalone, "releases": [str(release) for release in answer.releases]}
    return {"checks": found, "propose": question if asks else None}


def told(found: Iterable[Offer], spoken: Language) -> list[dict[str, Any]]:
    """Return offers in the form that the page's script expects.

    Args:
        found: the offers.
        spoken: language of the interface.
    """
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
