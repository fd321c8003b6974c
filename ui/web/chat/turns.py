"""Processing of questions from the page.

The server keeps no conversations: the browser sends the earlier questions with each question. Nothing is lost
on a restart, and two pages of one reader are independent.
"""

from __future__ import annotations

import logging
import re
import threading
from collections.abc import AsyncGenerator, Generator, Mapping, Sequence
from contextlib import aclosing, suppress
from dataclasses import dataclass
from typing import Any, Literal

import anyio.to_thread

from assistant.answer import Answer
from assistant.assistant import Assistant
from assistant.checks.machine import Machine
from assistant.feedback.store import record
from assistant.query.validation import MAX_HISTORY
from ingest.document import LANGUAGES, Language
from ingest.errors import TorchnotesError
from ui.operations.request_context import request_context
from ui.shared.answer_markdown import to_markdown
from ui.shared.app_state import AppState
from ui.shared.request_queue import BusyError, StoppingError
from ui.web.asking import asking
from ui.web.chat.answer_html import answer_to_html, panel_to_html
from ui.web.chat.environment import read_environment
from ui.web.checks.offering import offered
from ui.web.components import page_labels as words
from ui.web.components.markdown_html import plain_to_html

_log = logging.getLogger(__name__)
_ID = re.compile(r"[a-z0-9-]{1,40}")

State = Literal["waiting", "growing", "answered", "declined", "failed"]
Reply = dict[str, Any]


@dataclass(frozen=True, slots=True)
class ChatRequest:
    """A question sent by the browser.

    Attributes:
        id: id of the turn; letters, digits and hyphens, because it is part of anchors.
        question: question as typed.
        history: earlier answered turns of the conversation, oldest first.
        releases: use only these releases; empty: all.
        language: language of the answer; None: that of the question.
        shown: language of the interface.
        use_model: let the language model write, if there is one.
        machine: environment that the reader has stated; None: none.
    """

    id: str
    question: str
    history: tuple[str, ...] = ()
    releases: tuple[str, ...] = ()
    language: Language | None = None
    shown: Language = "en"
    use_model: bool = True
    machine: Machine | None = None

    @classmethod
    def parse(cls, sent: Mapping[str, Any], language: str, shown: str, use_model: bool) -> ChatRequest:
        """Validate what a browser sent.

        Args:
            sent: id, question, history, selected releases, and the environment that the reader has stated.
            language: selected language, or "auto".
            shown: language of the interface.
            use_model: whether the language model is selected.

        Raises:
            TorchnotesError: the page cannot have sent this.
        """
        id_, question, history = sent.get("id"), sent.get("question"), sent.get("history")
        if not (isinstance(id_, str) and _ID.fullmatch(id_) and isinstance(question, str)):
            raise TorchnotesError("the page sent no question; load it again")
        if not isinstance(history, list) or not all(isinstance(each, str) for each in history):
            raise TorchnotesError("the page sent no list of earlier questions; load it again")
        releases = sent.get("releases") or []
        if not isinstance(releases, list) or not all(isinstance(each, str) for each in releases):
            raise TorchnotesError("the page sent no list of releases; load it again")
        return cls(
            id_,
            question,
            tuple(history[-MAX_HISTORY:]),
            tuple(releases),
            language if language in LANGUAGES else None,
            "zh" if shown == "zh" else "en",
            bool(use_model),
            read_environment(sent.get("machine")),
        )


async def replies(app_state: AppState, asked: ChatRequest) -> AsyncGenerator[Reply, None]:
    """Yield what the page shows for a question, growing; the last reply is complete.

    Closing the generator stops the answer.

    Args:
        app_state: shared state, with the assistant.
        asked: the question.
    """
    sender = asking()  # known until the first reply
    waiting = "" if app_state.line.free else plain_to_html(words.IN_LINE[asked.shown], "tn-waiting")
    yield _reply(asked, "waiting", waiting)
    try:
        place, answers = app_state.line.place(sender), _in_thread(_answers(app_state, asked), asked)
        async with place, aclosing(answers) as stream:
            async for reply in stream:
                yield reply
    except BusyError:
        yield _failed(asked, words.BUSY[asked.shown])
    except StoppingError:
        yield _failed(asked, words.STOPPING[asked.shown])


async def _in_thread(stream: Generator[Reply, None, None], asked: ChatRequest) -> AsyncGenerator[Reply, None]:
    """Run each step of a generator in a thread; closing this closes it too, after the current step."""
    stopped = threading.Event()

    def step() -> Reply | None:
        with request_context(asked.id, asked.question):  # each step may run in another thread
            try:
                return next(stream, None)
            finally:
                if stopped.is_set():
                    stream.close()

    try:
        while (reply := await anyio.to_thread.run_sync(step, abandon_on_cancel=True)) is not None:
            yield reply
    finally:
        stopped.set()
        with suppress(ValueError), request_context(asked.id, asked.question):
            stream.close()  # a ValueError: a step is running, and will close it


def _answers(app_state: AppState, asked: ChatRequest) -> Generator[Reply, None, None]:
    """Yield the growing answer, or one line in case of an error."""
    try:
        assistant = app_state.assistant()
        answer: Answer | None = None
        for answer in assistant.stream(
            asked.question,
            asked.history,
            releases=asked.releases or None,
            language=asked.language,
            use_model=asked.use_model,
        ):
            html, panel = answer_to_html(answer, asked.id), panel_to_html(answer, asked.id)
            yield _reply(asked, "growing", html, panel=panel)
        if answer is not None:
            yield _whole(app_state, assistant, asked, answer)
    except TorchnotesError as error:
        yield _failed(asked, str(error))
    except Exception:  # noqa: BLE001 - visitors see one line, the log has the details
        _log.exception("a question was not answered")
        yield _failed(asked, words.BROKEN[asked.shown])


def _whole(app_state: AppState, assistant: Assistant, asked: ChatRequest, answer: Answer) -> Reply:
    return _reply(
        asked,
        "declined" if answer.declines else "answered",
        answer_to_html(answer, asked.id, asked.machine or app_state.machine()),
        panel=panel_to_html(answer, asked.id),
        markdown=to_markdown(answer),
        suggestions=answer.suggestions,
        offered=offered(app_state, assistant, answer, asked.shown, model=asked.use_model),
        record=record(
            answer,
            answer_id=asked.id,
            history=asked.history,
            releases=asked.releases,
        ),
    )


def _failed(asked: ChatRequest, line: str) -> Reply:
    return _reply(asked, "failed", plain_to_html(line, "tn-error"))


def _reply(
    asked: ChatRequest,
    state: State,
    html: str,
    *,
    panel: str = "",
    markdown: str = "",
    suggestions: Sequence[str] = (),
    offered: Mapping[str, Any] | None = None,
    record: Mapping[str, Any] | None = None,
) -> Reply:
    return {
        "id": asked.id,
        "state": state,
        "html": html,
        "panel": panel,
        "markdown": markdown,
        "suggestions": list(suggestions),
        "record": dict(record or {}),
        **(offered or {}),
    }
