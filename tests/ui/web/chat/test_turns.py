"""A question of the page: turns that grow, notices of a language model, and errors in one line."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from typing import Any

import pytest

from assistant.factory import AssistantFactory
from assistant.feedback.store import Feedback
from assistant.settings import load_settings
from ingest.document import Language
from ingest.errors import TorchnotesError
from tests.assistant.faults import FAILURES
from tests.assistant.model_server import KEY, Fault, ModelServer, Reply, said
from tests.rows import each_row
from ui.shared.app_state import AppState
from ui.shared.request_queue import RequestQueue
from ui.web.chat.turns import ChatRequest, replies
from ui.web.components import page_labels as words

QUESTION = "What is the default backend of TCPStore in 2.4?"
BACKEND = "The default backend of TCPStore is `libuv`"
TURN = "t-1-abcdefgh"


def app_state(**settings: Any) -> AppState:
    """An app state over the index of `home`."""
    return AppState(AssistantFactory(load_settings(**settings)))


def grown(app_state: AppState, asked: ChatRequest) -> list[dict[str, Any]]:
    """All that the page is sent for a question."""

    async def collect() -> list[dict[str, Any]]:
        return [reply async for reply in replies(app_state, asked)]

    return asyncio.run(collect())


@pytest.mark.usefixtures("home")
def test_an_answer_comes_whole_with_what_the_page_keeps() -> None:
    first, *_, last = grown(app_state(), ChatRequest(TURN, QUESTION))
    assert first["state"] == "waiting" and first["html"] == "", "the page shows that it waits"
    assert last["id"] == TURN and last["state"] == "answered"
    assert "libuv" in last["html"] and f'id="source-{TURN}-1"' in last["panel"]
    assert (
        last["markdown"].startswith("**PyTorch 2.4") and "<https://example.org/notes/2.4" in last["markdown"]
    )
    kept = Feedback.parse({**last["record"], "good": True, "reason": "", "comment": ""})
    assert (kept.question, kept.answer_id) == (QUESTION, TURN) and kept.citations


@pytest.mark.usefixtures("home")
def test_what_the_notes_do_not_tell_is_declined() -> None:
    last = grown(app_state(), ChatRequest(TURN, "Does 2.4 have Fortran bindings?", shown="en"))[-1]
    assert last["state"] == "declined" and "Not in the notes" in last["html"]


@pytest.mark.usefixtures("home")
@pytest.mark.parametrize("turn", ["thanks!", "write me a poem"])
def test_what_asks_nothing_of_the_notes_has_no_badge(turn: str) -> None:
    last = grown(app_state(), ChatRequest(TURN, turn, (QUESTION,), shown="en"))[-1]
    assert last["state"] == "answered" and "Not in the notes" not in last["html"] and not last["panel"]
    assert Feedback.parse({**last["record"], "good": True, "reason": "", "comment": ""}).history == (
        QUESTION,
    )


@pytest.mark.usefixtures("home")
@pytest.mark.parametrize("language", ["zh", "en"])
def test_an_answer_has_the_language_that_was_chosen(language: Language) -> None:
    last = grown(app_state(), ChatRequest(TURN, QUESTION, language=language))[-1]
    assert f'<div class="tn-answer" lang="{language}">' in last["html"]


@pytest.mark.usefixtures("home")
@pytest.mark.parametrize(
    ("asked", "line"),
    [
        (ChatRequest(TURN, "  "), "the question is empty; type one"),
        (ChatRequest(TURN, QUESTION, releases=("9.9",)), "no document in the index is about release 9.9"),
        (ChatRequest(TURN, "x" * 4001), "the question has 4001 characters; at most 4000 are read"),
    ],
)
def test_an_error_is_one_line(asked: ChatRequest, line: str) -> None:
    last = grown(app_state(), asked)[-1]
    assert last["state"] == "failed" and line in last["html"] and "tn-error" in last["html"]
    assert last["record"] == {} and last["markdown"] == ""


@pytest.mark.usefixtures("home")
def test_a_fault_of_ours_is_one_line_and_goes_into_the_log(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    broken = app_state()
    monkeypatch.setattr(broken, "assistant", lambda: 1 / 0)
    last = grown(broken, ChatRequest(TURN, QUESTION, shown="zh"))[-1]
    assert words.BROKEN["zh"].split("`")[0] in last["html"] and "ZeroDivision" not in last["html"]
    assert "ZeroDivisionError" in caplog.text


@pytest.mark.usefixtures("home")
def test_an_answer_grows_by_what_is_proved() -> None:
    with ModelServer(Reply([f"{BACKEND} [1]", ". It is 9", " times faster [1]."])) as server:
        slow = app_state(llm_url=server.url, llm_api_key=KEY, llm_timeout=1.0)
        waiting, *growing, last = grown(slow, ChatRequest(TURN, QUESTION))
    assert waiting["state"] == "waiting"
    pending = [reply for reply in growing if "tn-pending" in reply["html"]]
    assert pending and f"<p>{BACKEND.split('`')[0]}<code>" not in growing[0]["html"]
    assert "tn-pending" not in last["html"] and "tn-notice" in last["html"]
    own = last["html"].split('<span class="tn-unsure">')[1]
    assert (
        "It is 9 times <abbr" in own
        and "faster</abbr>. " in own
        and '<span class="tn-unsure-mark">?</span></span>' in own
    )
    assert "libuv" in last["html"] and last["state"] == "answered"


@pytest.mark.usefixtures("home")
def test_the_model_is_left_out_where_the_reader_switched_it_off() -> None:
    with ModelServer(said(f"{BACKEND} [1].")) as server:
        last = grown(app_state(llm_url=server.url), ChatRequest(TURN, QUESTION, use_model=False))[-1]
    assert server.requests == [] and "libuv" in last["html"]


@pytest.mark.usefixtures("home", "no_retries")
@pytest.mark.parametrize(
    "name", ["401", "404 for the model", "cut in a sentence", "a page with 200", "no text"]
)
def test_a_failing_model_leaves_an_answer_with_a_notice(name: str) -> None:
    with FAILURES[name].server() as server:
        last = grown(
            app_state(llm_url=server.url, llm_model="m", llm_api_key=KEY), ChatRequest(TURN, QUESTION)
        )[-1]
    assert last["state"] == "answered" and 'class="tn-notice"' in last["html"] and "libuv" in last["html"]
    assert "TORCHNOTES_LLM_" in last["html"] and "tn-source" in last["html"] and KEY not in str(last)


@pytest.mark.usefixtures("home")
def test_a_follow_up_is_rewritten_from_the_questions_before_it() -> None:
    with ModelServer(said("How do I turn off libuv of TCPStore in 2.4?"), said(f"{BACKEND} [1].")) as server:
        asked = ChatRequest(TURN, "And how do I turn it off?", history=(QUESTION,))
        last = grown(app_state(llm_url=server.url), asked)[-1]
    assert QUESTION in server.requests[0].prompt and last["state"] == "answered"


@pytest.mark.usefixtures("home")
def test_a_model_that_is_not_named_is_an_error_in_one_line() -> None:
    with ModelServer(said("Yes."), models=["a", "b"]) as server:
        last = grown(app_state(llm_url=server.url), ChatRequest(TURN, QUESTION))[-1]
    assert "it has a, b; set TORCHNOTES_LLM_MODEL to one of them" in last["html"] and "libuv" in last["html"]


@pytest.mark.usefixtures("home")
def test_a_stopped_answer_gives_its_place_back_and_lets_go_of_the_model() -> None:
    silent = Reply([f"{BACKEND} [1]. It ", Fault.WAIT])
    with ModelServer(silent) as server:
        slow = app_state(llm_url=server.url, llm_timeout=3.0)

        async def stop() -> None:
            async with aclosing(replies(slow, ChatRequest(TURN, QUESTION))) as growing:
                async for reply in growing:
                    if reply["state"] == "growing":
                        break
            assert slow.line.free

        asyncio.run(stop())
        assert server.gone.wait(30)


@pytest.mark.usefixtures("home")
def test_one_too_many_is_turned_away_with_a_friendly_line() -> None:
    full = app_state()
    full.line = RequestQueue(at_once=1, waiting=1)

    async def crowd() -> list[str]:
        async def last(asked: ChatRequest) -> str:
            return str([reply async for reply in replies(full, asked)][-1]["html"])

        async with full.line.place():
            waiting = asyncio.create_task(last(ChatRequest(TURN, QUESTION)))
            while full.line.waiting < 1:
                await asyncio.sleep(0)
            refused = await last(ChatRequest("t-2-abcdefgh", QUESTION, shown="zh"))
        return [await waiting, refused]

    answered, refused = asyncio.run(crowd())
    assert "libuv" in answered and words.BUSY["zh"] in refused


def sent(**changes: Any) -> dict[str, Any]:
    """What the page sends with a question."""
    return {"id": TURN, "question": QUESTION, "history": ["Before?"], **changes}


def test_what_the_page_sends_is_read() -> None:
    asked = ChatRequest.parse(
        sent(history=[str(n) for n in range(30)], releases=["2.4"]), "auto", "zh", False
    )
    assert asked == ChatRequest(TURN, QUESTION, tuple(map(str, range(6, 30))), ("2.4",), None, "zh", False)
    assert ChatRequest.parse(sent(), "en", "zh", True).language == "en"


@each_row(
    "wrong",
    [
        sent(id='"><script>'),
        sent(id="x" * 41),
        sent(id=None),
        sent(question=7),
        sent(history="What?"),
        sent(history=[1]),
        sent(releases="2.4"),
        sent(releases=[{"path": "/etc/passwd"}]),
        {},
    ],
)
def test_what_no_page_of_ours_sends_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(TorchnotesError, match=r"the page sent no .*; load it again"):
        ChatRequest.parse(wrong, "auto", "en", True)
