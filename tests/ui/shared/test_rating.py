"""What readers say of answers, from the page into the store."""

from __future__ import annotations

import asyncio
import json
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


def test_one_sender_does_not_use_up_what_is_kept(
    app_state: AppState, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = {**record(app_state), "good": True}
    size = len(json.dumps(kept, ensure_ascii=False).encode())
    monkeypatch.setattr("ui.shared.rating.SHARE", 3 * size + 100)
    senders = iter(["192.0.2.1"] * 4 + ["192.0.2.2"] + [""] * 4)
    rate = rating(app_state, lambda: next(senders))
    told = [rate({**kept, "answer_id": f"answer-{number}"}) for number in range(9)]
    assert [*map(bool, told)] == [False] * 3 + [True] + [False] * 5
    assert "rate tomorrow" in told[3]["error"]


def test_ratings_do_not_fill_the_disk(app_state: AppState, monkeypatch: pytest.MonkeyPatch) -> None:
    kept, rate = {**record(app_state), "good": True, "text": "x" * 90_000}, rating(app_state)
    store = FeedbackStore(app_state.factory.settings.home / FILE)
    monkeypatch.setattr("assistant.feedback.store.MOST_BYTES", 1_000_000)
    told = [rate({**kept, "answer_id": f"answer-{number}"}) for number in range(20)]
    assert told[0] == {} and "no more ratings are kept" in told[-1]["error"]
    assert store.path.stat().st_size < 1_200_000
    store.clear()
    assert rate(kept) == {}


def test_a_failure_names_no_folder_of_the_server(app_state: AppState) -> None:
    home = app_state.factory.settings.home
    (home / FILE).write_text("no database")
    told = rating(app_state)({**record(app_state), "good": True})["error"]
    assert FILE in told and str(home) not in told
