"""Answers whose sentences were judged by the model: what is shown, counted and told of the cost."""

from __future__ import annotations

from dataclasses import replace

import pytest

from assistant.assistant import Assistant
from tests.assistant.answering.test_responder import QUESTION
from tests.assistant.llm.test_judge import QUOTE, judgements, serving
from tests.assistant.model_server import refusal

OPEN = "Everybody who starts a job likes `libuv`"
DRAFT = f"{QUOTE} [1]\n\n{OPEN} [1]."


def test_the_final_states_come_at_the_end(assistant: Assistant) -> None:
    with serving(judgements((1, 1, QUOTE, "supported")), DRAFT) as server:
        judging = replace(server.writing_for(assistant), judges=True)
        *growing, last = judging.stream(QUESTION)
    assert growing[-1].text.endswith(f"{OPEN}. [?]") and growing[-1].judging is None
    assert last.text == f"{QUOTE} [1]\n\n{OPEN}. [1]" and not last.notices
    assert [each.outcome for each in last.sentences] == ["proved", "proved"]
    assert last.judging and last.judging.calls == 1 and last.timings["judge"] > 0
    assert last.to_dict()["judging"]["sentences"] == 1


def test_what_the_model_contradicts_is_counted(assistant: Assistant) -> None:
    with serving(judgements((1, 1, QUOTE, "contradicted")), DRAFT) as server:
        answer = replace(server.writing_for(assistant), judges=True).ask(QUESTION)
    assert answer.text == f"{QUOTE} [1]" and answer.notice.endswith("left out: 1.")


@pytest.mark.usefixtures("no_retries")
def test_a_failure_is_told_and_the_answer_stands(assistant: Assistant) -> None:
    with serving(refusal(500, "out of memory"), DRAFT) as server:
        answer = replace(server.writing_for(assistant), judges=True).ask(QUESTION)
    assert answer.text.endswith(f"{OPEN}. [?]") and answer.judging is None
    assert [error.step for error in answer.model_errors] == ["judge"]
