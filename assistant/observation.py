"""What is observed of a question that was asked, for logs, metrics and traces."""

from __future__ import annotations

import logging
import time
from collections.abc import Generator, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Literal, Protocol

from assistant.answer import Answer

_log = logging.getLogger(__name__)

#: answered, declined: the notes answer it, or do not. talk: an act of conversation, such as "thanks".
#: stopped: nobody waited for the rest. failed: an error.
Ending = Literal["answered", "declined", "talk", "stopped", "failed"]


@dataclass(frozen=True, slots=True)
class Observation:
    """A question, and how its answer came about.

    Attributes:
        question: question as typed.
        ending: how it ended.
        started: when it was asked, in seconds since the epoch.
        seconds: from the question to the end of the answer.
        answer: the answer, as far as it came; None for none.
        error: name of the error's class, "" for none.
    """

    question: str
    ending: Ending
    started: float
    seconds: float
    answer: Answer | None = None
    error: str = ""


class Observer(Protocol):
    """Told of each question, in the thread that answers it. It does not raise."""

    def observe(self, seen: Observation) -> None:
        """Take note of a question whose answer has ended.

        Args:
            seen: the question and its answer.
        """


def observed(
    answers: Generator[Answer, None, None],
    question: str,
    versions: Mapping[str, str],
    observer: Observer | None,
) -> Iterator[Answer]:
    """Yield answers with their versions, and tell the observer how they ended.

    Args:
        answers: a growing answer.
        question: question as typed.
        versions: versions that the answer depends on.
        observer: told at the end; None for nobody.
    """
    started, clock = time.time(), time.perf_counter()
    answer: Answer | None = None
    ending: Ending = "failed"
    failure = ""
    try:
        for each in answers:
            answer = replace(each, versions=dict(versions))
            yield answer
        ending = _ending(answer)
    except GeneratorExit:
        ending = "stopped"
        raise
    except BaseException as error:
        failure = type(error).__name__
        raise
    finally:
        answers.close()
        if observer is not None:
            seconds = time.perf_counter() - clock
            _tell(observer, Observation(question, ending, started, seconds, answer, failure))


def _ending(answer: Answer | None) -> Ending:
    if answer is None:
        return "failed"
    if answer.declines:
        return "declined"
    return "talk" if answer.abstained else "answered"


def _tell(observer: Observer, seen: Observation) -> None:
    """Tell an observer; what fails there must not cost an answer."""
    try:
        observer.observe(seen)
    except Exception:  # noqa: BLE001 - whatever it is, the answer is made
        _log.exception("a question could not be recorded")
