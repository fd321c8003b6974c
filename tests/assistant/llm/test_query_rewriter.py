"""Follow-ups that a language model makes stand alone: what of its rewriting is used, and what instead."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from assistant.assistant import Assistant
from assistant.llm.query_rewriter import checked, rewrite
from ingest.document import Language
from ingest.errors import LanguageModelError
from tests.assistant.faults import FAILURES, Failure
from tests.assistant.model_server import ModelServer, Reply, Request, refusal, said

FIRST = "What is the default backend of TCPStore in 2.4?"
NEXT = "And how do I turn it off?"
ALONE = "How do I turn off the default backend of TCPStore in 2.4?"
ZH_FIRST = "2.4 里 TCPStore 默认用什么后端？"
ZH_NEXT = "那怎么关闭它？"
ZH_ALONE = "2.4 里怎么关闭 TCPStore 默认的后端？"
DRAFT = "To turn libuv off, set `USE_LIBUV=0` before the job starts [1]."


def turns(rewritten: Reply, draft: str = DRAFT) -> ModelServer:
    """A server that rewrites so, and writes an answer."""

    def script(request: Request) -> Reply:
        return rewritten if request.body["max_tokens"] == 160 else said(draft)

    return ModelServer(script=script)


@pytest.mark.parametrize(
    ("written", "used"),
    [
        pytest.param(ALONE, ALONE, id="as it is"),
        pytest.param(f'\n"{ALONE}"\n', ALONE, id="in quotation marks"),
        pytest.param(NEXT, NEXT, id="unchanged"),
        pytest.param(f"{ALONE}\nIt is libuv.", "", id="with an answer"),
        pytest.param("", "", id="empty"),
        pytest.param(ZH_ALONE, "", id="another language"),
        pytest.param(ALONE.replace("2.4", "2.5"), "", id="a release nobody said"),
        pytest.param(ALONE.replace("TCPStore", "FileStore"), "", id="a name nobody said"),
        pytest.param(ALONE.replace("backend", "`USE_LIBUV`"), "", id="a flag nobody said"),
        pytest.param(ALONE * 9, "", id="too long"),
    ],
)
def test_a_rewriting_says_what_the_questions_say(written: str, used: str) -> None:
    assert checked(written, [FIRST, NEXT], "en") == used


@pytest.mark.parametrize(
    ("written", "used"),
    [
        pytest.param(f"「{ZH_ALONE}」", ZH_ALONE, id="in quotation marks"),
        pytest.param(ZH_ALONE.replace("2.4", "2.5"), "", id="a release nobody said"),
        pytest.param(ZH_ALONE.replace("TCPStore", "FileStore"), "", id="a name nobody said"),
        pytest.param(ALONE, "", id="another language"),
    ],
)
def test_a_chinese_rewriting_says_what_the_questions_say(written: str, used: str) -> None:
    assert checked(written, [ZH_FIRST, ZH_NEXT], "zh") == used


@pytest.mark.parametrize(
    ("reply", "used"),
    [
        pytest.param(said(ALONE), ALONE, id="said"),
        pytest.param(said(f"<think>It is TCPStore.\nIn 2.4.</think>\n\n{ALONE}"), ALONE, id="after thoughts"),
        pytest.param(said(f"<think>TCPStore.</think> {ALONE}"), ALONE, id="beside thoughts"),
        pytest.param(said("<think>It is", finish="length"), "", id="thoughts, cut"),
        pytest.param(Reply([{"reasoning_content": "It"}], finish="length"), "", id="other thoughts, cut"),
    ],
)
def test_thoughts_are_no_part_of_it(reply: Reply, used: str) -> None:
    with ModelServer(reply) as server:
        assert rewrite(server.model(), NEXT, [FIRST], "en") == used


def test_a_rewriting_that_fails_is_told() -> None:
    with ModelServer(refusal(401, "no")) as server, pytest.raises(LanguageModelError, match="key is refused"):
        rewrite(server.model(), NEXT, [FIRST], "en")


@pytest.mark.parametrize(
    ("history", "question", "alone", "language", "draft"),
    [
        pytest.param([FIRST], NEXT, ALONE, "en", DRAFT, id="en"),
        pytest.param(
            [ZH_FIRST],
            ZH_NEXT,
            ZH_ALONE,
            "zh",
            "要关闭 libuv，请在作业启动前设置 `USE_LIBUV=0` [1]。",
            id="zh",
        ),
    ],
)
def test_the_rewritten_question_is_searched_and_shown(
    history: Sequence[str], question: str, alone: str, language: Language, draft: str, assistant: Assistant
) -> None:
    with turns(said(alone), draft) as server:
        answer = server.writing_for(assistant).ask(question, history)
    assert (answer.question, answer.language) == (question, language) and not answer.notice
    assert answer.standalone.rstrip("?？") == alone.rstrip("?？")
    assert answer.model and "USE_LIBUV=0" in answer.text
    asking, writing = server.requests
    assert history[0] in asking.prompt and question in asking.prompt
    assert alone.rstrip("?？") in writing.prompt and history[0] not in writing.prompt


@pytest.mark.parametrize("invented", ["2.7", "9.9"])
def test_without_a_rewriting_to_use_the_question_leans_on_those_before(
    invented: str, assistant: Assistant
) -> None:
    with turns(said(ALONE.replace("2.4", invented))) as server:
        answer = server.writing_for(assistant).ask(NEXT, [FIRST])
    usual = assistant.ask(NEXT, [FIRST])
    assert answer.standalone == usual.standalone and invented not in answer.standalone
    assert answer.model and not answer.notice and answer.citations[0].version == "2.4"


@pytest.mark.usefixtures("no_retries")
@pytest.mark.parametrize(
    "name", ["401", "cut in a sentence", "slow first word", "a page with 200", "no text"]
)
def test_a_failing_rewriting_leaves_the_notes_to_answer(name: str, assistant: Assistant) -> None:
    failure: Failure = FAILURES[name]
    with failure.server() as server:
        answer = server.writing_for(assistant, timeout=0.2).ask(NEXT, [FIRST])
    usual = assistant.ask(NEXT, [FIRST])
    assert (answer.standalone, answer.text, answer.citations) == (
        usual.standalone,
        usual.text,
        usual.citations,
    )
    assert not answer.model and "TORCHNOTES_LLM_" in answer.notice and len(server.requests) == 1


def test_a_first_question_is_not_rewritten(assistant: Assistant) -> None:
    with ModelServer(said(DRAFT)) as server:
        answer = server.writing_for(assistant).ask(FIRST)
    assert len(server.requests) == 1 and answer.standalone == assistant.ask(FIRST).standalone
