"""A conversation on the page: turns that grow, notices of a language model, and errors in one line."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from assistant.assemble import Workshop
from assistant.settings import load_settings
from tests.assistant.faults import FAILURES
from tests.assistant.model_server import KEY, ModelServer, Reply, said
from ui.conversation import Turn, converse
from ui.web import Desk

QUESTION = "What is the default backend of TCPStore in 2.4?"
BACKEND = "The default backend of TCPStore is `libuv`"


def shown(server: ModelServer, question: str = QUESTION, turns: tuple[Turn, ...] = ()) -> Iterator[Turn]:
    """The last turn as it grows."""
    settings = load_settings(llm_url=server.url, llm_api_key=KEY, llm_timeout=1.0)
    desk = Desk(Workshop(settings))
    for growing in converse(desk, question, turns, [], "en"):
        assert tuple(growing[:-1]) == turns
        yield growing[-1]


@pytest.mark.usefixtures("home")
def test_an_answer_grows_by_what_is_proved() -> None:
    with ModelServer(Reply([f"{BACKEND} [1]", ". It is 9", " times faster [1]."])) as server:
        waiting, *growing, last = shown(server)
    assert "tn-waiting" in waiting.html
    pending = [turn for turn in growing if "tn-pending" in turn.html]
    assert pending and f"<p>{BACKEND.split('`')[0]}<code>" not in growing[0].html
    assert "It is 9" not in last.html and "tn-pending" not in last.html and "tn-notice" in last.html
    assert "libuv" in last.html and last.answered


@pytest.mark.usefixtures("home", "no_retries")
@pytest.mark.parametrize(
    "name", ["401", "404 for the model", "cut in a sentence", "a page with 200", "no text"]
)
def test_a_failing_model_leaves_an_answer_with_a_notice(name: str) -> None:
    failure = FAILURES[name]
    with failure.server() as server:
        settings = load_settings(llm_url=server.url, llm_model="m", llm_api_key=KEY)
        (*_, last) = converse(Desk(Workshop(settings)), QUESTION, (), [], "en")
    (turn,) = last
    assert turn.answered and 'class="tn-notice"' in turn.html and "libuv" in turn.html
    assert "TORCHNOTES_LLM_" in turn.html and "tn-source" in turn.html and KEY not in turn.html


@pytest.mark.usefixtures("home")
def test_a_follow_up_is_rewritten_from_the_questions_before_it() -> None:
    with ModelServer(said("How do I turn off libuv of TCPStore in 2.4?"), said(f"{BACKEND} [1].")) as server:
        before = Turn(QUESTION, "<div></div>")
        failed = Turn("What is CUDA?", "<div></div>", answered=False)
        *_, last = shown(server, "And how do I turn it off?", (before, failed))
    rewriting = server.requests[0].prompt
    assert QUESTION in rewriting and "What is CUDA?" not in rewriting and last.answered


@pytest.mark.usefixtures("home")
def test_a_model_that_is_not_named_is_an_error_in_one_line(tmp_path: Path) -> None:
    with ModelServer(said("Yes."), models=["a", "b"]) as server:
        *_, last = shown(server)
    assert "it has a, b; set TORCHNOTES_LLM_MODEL to one of them" in last.html and "libuv" in last.html
