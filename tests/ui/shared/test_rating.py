"""What readers say of answers, from the page into the store."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from assistant.factory import AssistantFactory
from assistant.feedback.store import FILE, FeedbackStore
from assistant.settings import load_settings
from ui.shared.app_state import AppState
from ui.shared.rating import rating
from ui.web.chat.turns import ChatRequest, replies

TURN = "t-1-abcdefgh"


@pytest.fixture
def app_state(home: object) -> AppState:
    """An app state over the small corpus."""
    return AppState(AssistantFactory(load_settings()))


def record(app_state: AppState) -> dict[str, Any]:
    """What the page keeps of an answer."""

    async def last() -> dict[str, Any]:
        asked = ChatRequest(
            TURN, "What is the default backend of TCPStore in 2.4?", history=("What is FSDP2?",)
        )
        return [reply async for reply in replies(app_state, asked)][-1]

    kept: dict[str, Any] = asyncio.run(last())["record"]
    return kept


def test_a_word_is_kept_changed_and_taken_back(app_state: AppState) -> None:
    rate, store = rating(app_state), FeedbackStore(app_state.factory.settings.home / FILE)
    kept = record(app_state)
    assert rate({**kept, "good": False, "reason": "wrong", "comment": "不对"}) == {}
    (feedback,) = store.all()
    assert (feedback.good, feedback.reason, feedback.comment) == (False, "wrong", "不对")
    assert feedback.history == ("What is FSDP2?",) and feedback.versions == app_state.assistant().versions
    assert rate({**kept, "good": True, "reason": "", "comment": ""}) == {}
    assert [each.good for each in store.all()] == [True]
    assert rate({**kept, "good": None, "reason": "", "comment": ""}) == {}
    assert store.all() == ()


def test_what_is_no_record_is_refused_in_one_line(app_state: AppState) -> None:
    rate = rating(app_state)
    assert "load it again" in rate("x")["error"]
    assert "\n" not in rate({"good": True, "answer_id": "short"})["error"]
    assert FeedbackStore(app_state.factory.settings.home / FILE).all() == ()
