"""Tries a language model: three questions, how many sentences are proved, its speed, and what it can do."""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

from assistant.answer import Answer
from assistant.llm.capabilities import Speed, speed, structured_output, tool_calls
from assistant.llm.client import LanguageModel
from assistant.llm.judge import Judge

_QUESTIONS = Path(__file__).with_name("trial_questions.toml")


@dataclass(frozen=True, slots=True)
class Outcomes:
    """How many sentences of a language model have which outcome.

    Attributes:
        proved: a passage says so.
        unconfirmed: no passage says so, and none says otherwise.
        contradicted: a passage says otherwise.
    """

    proved: int = 0
    unconfirmed: int = 0
    contradicted: int = 0

    def __add__(self, other: Outcomes) -> Outcomes:
        return Outcomes(
            self.proved + other.proved,
            self.unconfirmed + other.unconfirmed,
            self.contradicted + other.contradicted,
        )


@dataclass(frozen=True, slots=True)
class Trial:
    """One question and what became of it.

    Attributes:
        question: the question.
        answer: text of the answer.
        outcomes: outcomes of the model's sentences.
        written: whether the answer is the model's; otherwise it is the notes' own sentences.
        notices: notices of the answer.
        first: seconds to the first sentence that is shown, 0 if the model's draft was not used.
        seconds: seconds of the whole answer.
    """

    question: str
    answer: str
    outcomes: Outcomes
    written: bool
    notices: tuple[str, ...]
    first: float
    seconds: float


@dataclass(frozen=True, slots=True)
class TrialSummary:
    """What a language model can do.

    Attributes:
        outcomes: outcomes of all sentences.
        speed: how fast it writes.
        structured_output: whether replies follow a JSON schema.
        tool_calls: whether it calls functions.
        judges: whether it judges its own sentences; None where it was not asked to.
    """

    outcomes: Outcomes
    speed: Speed
    structured_output: bool
    tool_calls: bool
    judges: bool | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON-serializable dictionary."""
        return asdict(self)


def outcomes(answer: Answer) -> Outcomes:
    """Count the sentences of a language model's answer by outcome.

    Args:
        answer: a complete answer.
    """
    told = Counter(sentence.outcome for sentence in answer.sentences)
    return Outcomes(told["proved"], told["unconfirmed"], told["contradicted"])


def trial_questions() -> list[str]:
    """Return the questions of a trial."""
    questions: list[str] = tomllib.loads(_QUESTIONS.read_text(encoding="utf-8"))["questions"]
    return questions


def run_trials(stream: Callable[[str], Iterable[Answer]]) -> Iterator[Trial]:
    """Ask the questions of a trial.

    Args:
        stream: answers a question with a language model, `Assistant.stream`.

    Yields:
        One trial a question, as soon as it is answered.
    """
    for question in trial_questions():
        start = time.perf_counter()
        first = 0.0
        for answer in stream(question):
            if not first and answer.model and answer.text:
                first = time.perf_counter() - start
        seconds = time.perf_counter() - start
        written = bool(answer.model) and not answer.abstained
        yield Trial(
            question,
            answer.text,
            outcomes(answer),
            written,
            answer.notices,
            first if written else 0.0,
            seconds,
        )


def summary(model: LanguageModel, trials: list[Trial], judge: Judge | None = None) -> TrialSummary:
    """Measure a language model, and add up its trials.

    Args:
        model: language model.
        trials: its trials.
        judge: that judged its sentences in them.

    Raises:
        LanguageModelError: it does not answer.
    """
    total = sum((trial.outcomes for trial in trials), Outcomes())
    asked = judge is not None and bool(judge.judged or judge.failures)
    judges = judge.failures == 0 if judge and asked else None
    return TrialSummary(total, speed(model), structured_output(model), tool_calls(model), judges)
