"""What is observed of questions, and the versions in every answer."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace

import pytest

from assistant.assistant import Assistant
from assistant.observation import Observation
from assistant.reader.network import ShippedReader
from assistant.versions import own_version
from ingest.errors import TorchnotesError
from tests.assistant.model_server import ModelServer, refusal

QUESTION = "What is the default backend of TCPStore in 2.4?"


class Seen(list[Observation]):
    """Observations, in order."""

    def observe(self, seen: Observation) -> None:
        """Keep it."""
        self.append(seen)


@pytest.fixture
def seen(assistant: Assistant) -> Iterator[Seen]:
    """What is observed of the assistant's answers."""
    observer = Seen()
    assistant.observer = observer
    yield observer
    assistant.observer = None


@pytest.mark.parametrize(
    ("question", "ending"),
    [(QUESTION, "answered"), ("Does 2.4 have Fortran bindings?", "declined"), ("thanks!", "talk")],
)
def test_each_question_is_observed_once(assistant: Assistant, seen: Seen, question: str, ending: str) -> None:
    answer = assistant.ask(question)
    (one,) = seen
    assert (one.question, one.ending, one.error, one.answer) == (question, ending, "", answer)
    assert one.seconds >= sum(answer.timings.values()) > 0 or ending == "talk"
    assert {stage.stage for stage in answer.stages} == answer.timings.keys()
    assert all(one.started <= stage.started <= one.started + one.seconds for stage in answer.stages)
    total = sum(stage.seconds for stage in answer.stages)
    assert total == pytest.approx(sum(answer.timings.values()))


def test_an_answer_that_nobody_waits_for_is_observed_as_stopped(assistant: Assistant, seen: Seen) -> None:
    stream = assistant.stream("What is new in 2.4?")
    first = next(stream)
    stream.close()  # type: ignore[attr-defined]
    assert [(one.ending, one.answer) for one in seen] == [("stopped", first)]


def test_what_fails_is_observed_and_raised(
    assistant: Assistant, seen: Seen, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(assistant._planner, "plan", broken)
    with pytest.raises(ZeroDivisionError):
        assistant.ask(QUESTION)
    assert [(one.ending, one.error, one.answer) for one in seen] == [("failed", "ZeroDivisionError", None)]


def test_an_observer_that_fails_costs_no_answer(
    assistant: Assistant, seen: Seen, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(_: Observation) -> None:
        raise OSError("the disk is full")

    monkeypatch.setattr(seen, "observe", broken)
    assert assistant.ask(QUESTION).citations and "could not be recorded" in caplog.text


def test_a_question_that_is_none_is_not_observed(assistant: Assistant, seen: Seen) -> None:
    with pytest.raises(TorchnotesError):
        assistant.ask("")
    assert not seen


@pytest.mark.usefixtures("no_retries")
@pytest.mark.parametrize(("history", "steps"), [((), ["write"]), (("What is TCPStore?",), ["rewrite"])])
def test_failures_of_the_model_are_told_by_step(
    assistant: Assistant, seen: Seen, history: tuple[str, ...], steps: list[str]
) -> None:
    with ModelServer(script=lambda request: refusal(500, "down")) as server:
        answer = replace(server.writing_for(assistant), observer=seen).ask(QUESTION, history)
    assert answer.citations and not answer.model
    assert [error.step for error in answer.model_errors] == steps
    assert all(error.reason in answer.notice for error in answer.model_errors)
    assert answer.to_dict()["model_errors"] == [error._asdict() for error in answer.model_errors]
    assert seen[-1].answer == answer
    if steps == ["write"]:
        assert answer.timings["write"] > 0, "what failed took its time as well"


def test_every_answer_has_its_versions(assistant: Assistant) -> None:
    generation = assistant.retriever.generation
    for question in (QUESTION, "Does 2.4 have Fortran bindings?", "thanks!"):
        for answer in assistant.stream(question):
            assert answer.versions == {
                "torchnotes": own_version(),
                "index": generation.name,
                "corpus": generation.manifest.shipped,
                "embedder": assistant.embedder.name,
                "reader": assistant.reader.name if assistant.reader else "",
            }
        assert json.loads(json.dumps(answer.to_dict()))["versions"] == answer.versions


def test_the_name_of_the_reader_tells_its_weights(tmp_path: object) -> None:
    reader = ShippedReader()
    assert reader.name == ShippedReader().name and reader.name.startswith("torchnotes-reader-")
    reader.failure = "no plugin for this CPU"
    assert reader.name == "", "nothing is read"
