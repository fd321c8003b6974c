"""A line in the log for each question that was asked."""

from __future__ import annotations

import logging
from collections import Counter
from typing import Any

from assistant.observation import Observation

_log = logging.getLogger(__name__)


class AnswerLog:
    """Logs how answers ended: at INFO, and where the language model failed, at WARNING.

    Args:
        questions: whether the text of questions is logged.
    """

    def __init__(self, *, questions: bool = False) -> None:
        self._questions = questions

    def observe(self, seen: Observation) -> None:
        """Log a question whose answer has ended.

        Args:
            seen: the question and its answer.
        """
        answer = seen.answer
        for error in answer.model_errors if answer else ():
            _log.warning("the language model failed", extra={"fields": error._asdict()})
        if _log.isEnabledFor(logging.INFO):
            _log.info("question %s", seen.ending, extra={"fields": self._fields(seen)})

    def _fields(self, seen: Observation) -> dict[str, Any]:
        fields: dict[str, Any] = {"ending": seen.ending, "seconds": round(seen.seconds, 4)}
        if seen.error:
            fields["failure"] = seen.error
        answer = seen.answer
        if answer is not None:
            fields |= {
                "language": answer.language,
                "citations": len(answer.citations),
                "model": answer.model,
                "statements": dict(Counter(each.outcome for each in answer.sentences)),
                "stages": {stage: round(seconds, 4) for stage, seconds in answer.timings.items()},
                "index": answer.versions.get("index", ""),
            }
        return {**fields, "question": seen.question} if self._questions else fields
