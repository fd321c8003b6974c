"""A language model names checks that ship; nothing else that it writes counts."""

from __future__ import annotations

from dataclasses import replace

import pytest

from assistant.answer_checks.attach import called_for, checked
from assistant.answer_checks.proposal import MOST, propose, proposed
from assistant.assistant import Assistant
from assistant.checks.registry import find_check, load_checks
from assistant.llm.client import LanguageModel
from ingest.errors import LanguageModelError
from ingest.release import Release
from tests.assistant.model_server import ModelServer, refusal, said
from tests.rows import each_row

QUESTION = "Does torch.load refuse a pickle that runs code?"


@each_row(
    ("written", "named"),
    [
        pytest.param("weights-only", ["weights-only"], id="one"),
        pytest.param("- `sdpa-cpu`\n- weights-only", ["sdpa-cpu", "weights-only"], id="as a list"),
        pytest.param("<think>sdpa-cpu?</think>\nWEIGHTS-ONLY", ["weights-only"], id="after thoughts"),
        pytest.param("NONE", [], id="none"),
        pytest.param("import os; os.system('true')", [], id="code"),
        pytest.param("weights-only-2 ../weights", [], id="a name that none has"),
        pytest.param(" ".join(check.id for check in load_checks()[:20]), None, id="many of them"),
    ],
)
def test_only_names_of_checks_count(written: str, named: list[str] | None) -> None:
    wanted = [check.id for check in load_checks()[:MOST]] if named is None else named
    with ModelServer(said(written)) as server:
        found = propose(LanguageModel(server.url, "any"), QUESTION, load_checks())
    assert [check.id for check in found] == wanted
    shown = server.requests[0].body["messages"][-1]["content"]
    assert "weights-only: torch.load refuses" in shown and QUESTION in shown


def test_checks_of_the_releases_spoken_of_are_shown() -> None:
    with ModelServer(said("weights-only")) as server:
        model = LanguageModel(server.url, "any")
        (offer,) = proposed(model, "torch.load 会拒绝吗？", [Release(2, 6)])
        assert proposed(model, QUESTION, [Release(9, 9)]) == (), "nothing is asked where there is no check"
    assert offer.check is find_check("weights-only") and offer.numbers == ()
    (request,) = server.requests
    shown = request.body["messages"][-1]["content"]
    assert "set-stance: " in shown and "sdpa-cpu: " not in shown and "拒绝" in shown


@pytest.mark.usefixtures("no_retries")
def test_a_model_that_fails_says_so() -> None:
    with ModelServer(refusal(500, "broken")) as server, pytest.raises(LanguageModelError):
        propose(LanguageModel(server.url, "any"), QUESTION, load_checks())


def test_a_model_is_asked_only_where_no_section_has_a_check(digest_assistant: Assistant) -> None:
    answer = digest_assistant.ask("What is the default backend of the TCPStore server in 2.4?")
    assert [offer.check.id for offer in called_for(answer, digest_assistant)] == ["tcpstore-libuv"]
    plain = digest_assistant.ask("How many commits went into PyTorch 2.4?")
    assert not plain.abstained and called_for(plain, digest_assistant) == ()


@pytest.mark.usefixtures("no_retries")
@pytest.mark.parametrize(
    "question", ["How many commits went into PyTorch 2.4?", "PyTorch 2.4 有多少次提交？"]
)
def test_an_answer_outlives_a_model_that_fails(digest_assistant: Assistant, question: str) -> None:
    answer = digest_assistant.ask(question)
    assert not answer.abstained and not answer.notice
    with ModelServer(refusal(500, "broken")) as server:
        failing = replace(digest_assistant, model=LanguageModel(server.url, "any"))
        kept = checked(answer, failing)
        assert checked(answer, failing, use_model=False) is answer
    said_of_it = {
        "en": "The language model proposed no check. Reason: ",
        "zh": "语言模型没有提出可以验证的说法。",
    }
    assert kept.notice.startswith(said_of_it[answer.language]) and "broken" in kept.notice
    assert replace(kept, notices=()) == answer
