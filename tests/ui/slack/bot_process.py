"""A bot in a process of its own, which may be killed at any of its steps."""

from __future__ import annotations

import contextlib
import itertools
import logging
import multiprocessing
import os
import signal
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from multiprocessing.context import ForkServerContext, ForkServerProcess
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

from slack_sdk import WebClient
from slack_sdk.http_retry.builtin_interval_calculators import FixedValueRetryIntervalCalculator

from assistant.answer import Answer
from assistant.assistant import Assistant
from assistant.factory import AssistantFactory
from assistant.settings import Settings
from tests.ui.answers import answer
from tests.ui.slack.conftest import QUICK, chosen_modes
from tests.ui.slack.server import APP_TOKEN, BOT_TOKEN, SECRET
from ui.shared.app_state import AppState
from ui.slack.app import build_app, identify, web_client
from ui.slack.jobs import JobQueue
from ui.slack.serve import connect, until_stopped
from ui.slack.service import Service
from ui.slack.state import State

#: What a bot does that others see: each is a step, before and after which it may be killed.
STEPS: tuple[tuple[type, str], ...] = (
    (State, "claim"),
    (State, "keep"),
    (State, "join"),
    (JobQueue, "save"),
    (JobQueue, "remove"),
    (WebClient, "api_call"),
)
#: A step by the name of its method, of the Web API or of ours, and whether it is "before" or "after" it.
Point = tuple[str, str]
POINTS: tuple[Point, ...] = tuple(
    (name, when)
    for name in (
        *("claim", "keep", "join", "save", "remove"),
        *("chat.postMessage", "chat.update", "conversations.replies", "conversations.history"),
    )
    for when in ("before", "after")
)


class Canned(AppState):
    """An app state that answers at once what names a release or FSDP2, and declines all else."""

    def __init__(self, home: Path) -> None:
        self.factory = cast("AssistantFactory", SimpleNamespace(settings=Settings(home=home)))
        manifest = SimpleNamespace(shipped="")
        self.retriever = SimpleNamespace(generation=SimpleNamespace(name="", manifest=manifest))
        self.embedder = SimpleNamespace(name="")

    def assistant(self) -> Assistant:
        """Itself."""
        return cast("Assistant", self)

    def ask(self, question: str, history: Sequence[str], **options: Any) -> Answer:
        """The answer, which repeats the question."""
        known = "2." in question or "FSDP2" in question
        told = answer(f"You asked: {question} [1]", ["A sentence of the notes."])
        return replace(told, question=question, standalone=question, abstained=not known)


def run(root: str, state: Path, home: Path | None, kill_at: int | Point | None, modes: str) -> None:
    """Run a bot until it is ended.

    Args:
        root: address of the Web API.
        state: path of the shared state.
        home: folder with an index; None: a canned assistant answers.
        kill_at: number or name of the step at which the process kills itself; None: it does not.
        modes: as in the settings.
    """
    logging.disable(logging.CRITICAL)
    if home:
        app_state = AppState(AssistantFactory(Settings(home=home, shipped_corpus=False)))
    else:
        app_state = Canned(state.parent)
    client = web_client(BOT_TOKEN, root)
    for each in client.retry_handlers:
        each.interval_calculator = FixedValueRetryIntervalCalculator(0.02)
    me = identify(client)
    shared = State(state)
    shared.tidy()
    if kill_at is not None:
        _count_steps(kill_at)
    chosen = chosen_modes(modes)
    service = Service(app_state, client, me, shared, modes=chosen, helper="UHELP", backoff=QUICK, poll=0.1)
    handler = connect(build_app(service, SECRET), APP_TOKEN, ping=1.0)
    until_stopped()
    service.close()
    handler.close()  # type: ignore[no-untyped-call]


def _count_steps(kill_at: int | Point) -> None:
    number = itertools.count()

    def step(name: str, when: str) -> None:
        if kill_at in (next(number), (name, when)):
            os.kill(os.getpid(), signal.SIGKILL)

    def counted(name: str, does: Callable[..., Any]) -> Callable[..., Any]:
        def call(*given: Any, **named: Any) -> object:
            called = given[1] if name == "api_call" else name
            step(called, "before")
            result = does(*given, **named)
            step(called, "after")
            return result

        return call

    for owner, name in STEPS:
        setattr(owner, name, counted(name, getattr(owner, name)))


@lru_cache(maxsize=1)
def context() -> ForkServerContext:
    """A server that has all imports done and forks in milliseconds."""
    server = multiprocessing.get_context("forkserver")
    server.set_forkserver_preload([__name__])
    return server


@contextlib.contextmanager
def bots() -> Iterator[list[ForkServerProcess]]:
    """A list for processes, which are killed at the end."""
    running: list[ForkServerProcess] = []
    try:
        yield running
    finally:
        for process in running:
            process.kill()
            process.join(30)
