"""Every button, also after a restart, and for answers that only one person sees."""

from __future__ import annotations

import shutil
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from assistant.factory import AssistantFactory
from assistant.feedback.store import FILE as FEEDBACK
from assistant.feedback.store import Feedback, FeedbackStore
from assistant.settings import Settings
from tests.ui.slack.conftest import Start
from tests.ui.slack.server import ANN, BOB, TEAM, FakeSlack
from tests.ui.slack.test_conversation import QUESTION, mention, slash, text_of
from ui.shared.app_state import AppState
from ui.slack import bot_messages as words


@pytest.fixture
def own(built: Path, tmp_path: Path) -> AppState:
    """An app state whose feedback is the test's own."""
    shutil.copytree(built, tmp_path / "home")
    return AppState(AssistantFactory(Settings(home=tmp_path / "home", shipped_corpus=False)))


@pytest.fixture
def answer(slack: FakeSlack, own: AppState, start: Start) -> dict[str, Any]:
    """An answer in a thread, given by a bot that has stopped; another one runs over the same state."""
    start(own)
    mention(slack, QUESTION)
    slack.until(lambda: slack.answers())
    message = slack.answers()[0]
    start(own)
    return message


def ratings(app_state: AppState) -> tuple[Feedback, ...]:
    return FeedbackStore(app_state.factory.settings.home / FEEDBACK).all()


def responded(slack: FakeSlack, count: int) -> bool:
    """Whether so much was told to single persons."""
    return len(slack.called("respond")) == count


def told(slack: FakeSlack) -> list[str]:
    """What was told to single persons."""
    return [sent["text"] for sent in slack.called("respond")]


def test_the_buttons_are_all_there(answer: dict[str, Any]) -> None:
    (row,) = [block for block in answer["blocks"] if block["type"] == "actions"]
    assert [button["text"]["text"] for button in row["elements"]] == [
        "Show quotes",
        "Nearest sections",
        "用中文回答",
        "👍 Helpful",
        "👎 Not right",
        "Delete",
    ]


def test_quotes_are_shown_once_in_the_thread(slack: FakeSlack, answer: dict[str, Any]) -> None:
    slack.press(answer, "quotes")
    slack.until(lambda: len(slack.said()) == 2)
    shown = slack.said()[1]
    assert shown["thread_ts"] == answer["thread_ts"]
    assert "*[1] [2]* <https://example.org/notes/2.4|" in text_of(shown)
    assert "\n[1]\n> The default backend of TCPStore is `libuv` in PyTorch 2.4." in text_of(shown)
    slack.press(answer, "quotes", user=BOB)
    slack.until(lambda: told(slack))
    assert told(slack) == [words.SHOWN["en"]] and len(slack.said()) == 2


def test_the_nearest_sections_are_shown(slack: FakeSlack, answer: dict[str, Any]) -> None:
    slack.press(answer, "nearest")
    slack.until(lambda: len(slack.said()) == 2)
    assert "FSDP2" in text_of(slack.said()[1]) and text_of(slack.said()[1]).startswith("*Nearest sections*")


def test_the_other_language_is_one_press_away(slack: FakeSlack, answer: dict[str, Any]) -> None:
    slack.press(answer, "other")
    slack.until(lambda: len(slack.answers()) == 2)
    other = slack.answers()[1]
    assert other["thread_ts"] == answer["thread_ts"] and "来源" in text_of(other)
    slack.press(other, "other")
    slack.until(lambda: len(slack.answers()) == 3)
    assert "Sources" in text_of(slack.answers()[2])


def test_a_thumb_is_the_same_record_as_that_of_the_page(
    slack: FakeSlack, own: AppState, answer: dict[str, Any]
) -> None:
    slack.press(answer, "good")
    slack.press(answer, "good", user=BOB)
    slack.until(lambda: len(told(slack)) == 2)
    assert set(told(slack)) == {words.THANKS["en"]}
    first, second = ratings(own)
    assert first.good and second.good and first.answer_id != second.answer_id
    assert first.question == QUESTION and first.citations and first.versions == own.assistant().versions
    assert ANN not in str(first) + str(second)


def test_a_thumb_down_asks_what_is_not_right(slack: FakeSlack, own: AppState, answer: dict[str, Any]) -> None:
    slack.press(answer, "good")
    slack.until(lambda: told(slack))
    slack.press(answer, "bad")
    slack.until(lambda: len(told(slack)) == 2 and slack.called("views.open"))
    assert [(kept.good, kept.reason) for kept in ratings(own)] == [(False, "")]
    view = slack.called("views.open")[0]["view"]
    values = {
        "reason": {"reason": {"selected_option": {"value": "incomplete"}}},
        "comment": {"comment": {"value": "no word on Windows"}},
    }
    view |= {"state": {"values": values}}
    person = {"id": ANN, "team_id": TEAM}
    payload = {"type": "view_submission", "team": {"id": TEAM}, "user": person, "view": view}
    envelope = slack.send("interactive", payload)
    slack.until(lambda: envelope in slack.acked)
    mention(slack, "And FSDP2?")
    slack.until(lambda: len(slack.answers()) == 2)
    (kept,) = ratings(own)
    assert (kept.good, kept.reason, kept.comment) == (False, "incomplete", "no word on Windows")


@pytest.mark.usefixtures("bot")
def test_the_buttons_of_a_private_answer_answer_in_private(slack: FakeSlack) -> None:
    slash(slack, QUESTION)
    slack.until(lambda: slack.called("respond"))
    private = {**slack.called("respond")[0], "private": True}
    for count, action in enumerate(("quotes", "quotes", "nearest", "other"), 2):
        slack.press(private, action)
        slack.until(partial(responded, slack, count))
    sent = slack.called("respond")[1:]
    assert all(each["response_type"] == "ephemeral" and not each["replace_original"] for each in sent)
    assert "libuv" in text_of(sent[0]) == text_of(sent[1]) and "来源" in text_of(sent[3])
    assert slack.said() == []


def test_a_press_that_is_sent_again_counts_once(slack: FakeSlack, answer: dict[str, Any]) -> None:
    again: dict[str, Any] = {"actions": [{"action_id": "torchnotes_nearest", "action_ts": "1.1"}]}
    for block in answer["blocks"]:
        for button in block.get("elements", ()):
            if button.get("action_id") == "torchnotes_nearest":
                again["actions"][0] |= {"value": button["value"]}
    envelopes = [slack.press(answer, "nearest", **again) for _ in range(3)]
    slack.until(lambda: set(envelopes) <= set(slack.acked) and len(slack.said()) == 2)
    mention(slack, "And FSDP2?")
    slack.until(lambda: len(slack.answers()) == 2)
    assert len(slack.said()) == 3 and told(slack) == []


def test_the_button_of_an_answer_that_is_forgotten_says_so(
    slack: FakeSlack, start: Start, own: AppState, tmp_path: Path, answer: dict[str, Any]
) -> None:
    start(own, state=tmp_path / "another.sqlite3")
    slack.press(answer, "quotes")
    slack.until(lambda: told(slack))
    assert "too old" in told(slack)[0]
