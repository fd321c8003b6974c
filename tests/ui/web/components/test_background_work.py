"""Work in a thread and its steps."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from ui.web.components.background_work import Tell, WorkStep, watched


def test_steps_are_told_and_the_result_is_returned() -> None:
    looked = threading.Event()

    def work(tell: Tell) -> str:
        tell("load", 1, 2)
        assert looked.wait(30)
        for done in range(50):
            tell("embed", done, 50)
        return "done"

    watching = watched(work)
    assert next(watching) == WorkStep("load", 1, 2)
    looked.set()
    result: list[str] = []

    def whole() -> Iterator[WorkStep]:
        result.append((yield from watching))

    steps = list(whole())
    assert {step.stage for step in steps} <= {"embed"} and steps == sorted(steps)
    assert result == ["done"]


def test_what_fails_is_raised_where_it_is_waited_for() -> None:
    def work(tell: Tell) -> None:
        raise ValueError("broken")

    with pytest.raises(ValueError, match="broken"):
        list(watched(work))


def test_work_goes_on_when_nobody_looks() -> None:
    left, finished = threading.Event(), threading.Event()

    def work(tell: Tell) -> None:
        tell("load", 0, 1)
        assert left.wait(30)
        tell("load", 1, 1)
        finished.set()

    watching = watched(work)
    next(watching)
    watching.close()
    left.set()
    assert finished.wait(30)
