"""Bots over the small notes, connected to a local Slack."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest

from assistant.configuration.values import slack_modes
from assistant.factory import AssistantFactory
from assistant.settings import Settings
from tests.ui.slack.server import APP_TOKEN, BOT_TOKEN, PATIENCE, SECRET, FakeSlack
from ui.shared.app_state import AppState
from ui.slack.app import build_app, identify, web_client
from ui.slack.incoming import AccessPolicy
from ui.slack.jobs import Backoff
from ui.slack.modes import ChannelModes
from ui.slack.pools import Pools
from ui.slack.serve import connect, leave
from ui.slack.service import Service
from ui.slack.state import FILE, State

#: Starts a bot and connects it; what it is given goes to `Service`.
Start = Callable[..., Service]

QUICK = Backoff(first=0.05, longest=0.2)
_LEAVING: list[threading.Thread] = []


@pytest.fixture(scope="session")
def app_state(built: Path) -> AppState:
    """An app state over the notes; nothing is written there."""
    return AppState(AssistantFactory(Settings(home=built, shipped_corpus=False)))


@pytest.fixture
def slack() -> Iterator[FakeSlack]:
    """A Slack; at the end nothing that it was sent may have been wrong."""
    with FakeSlack() as slack:
        yield slack
        assert slack.problems == []


@pytest.fixture(scope="session", autouse=True)
def leaving() -> Iterator[None]:
    """The clients' threads take seconds to end: nobody waits for them before the last test."""
    yield
    for thread in _LEAVING:
        thread.join()


@contextmanager
def connected(service: Service) -> Iterator[Service]:
    """A service that takes what comes over the socket."""
    handler = connect(build_app(service, SECRET), APP_TOKEN, ping=1.0)
    try:
        yield service
    finally:
        leave(handler.client)
        service.close()
        _LEAVING.append(threading.Thread(target=handler.close))
        _LEAVING[-1].start()


def service_of(
    slack: FakeSlack,
    app_state: AppState,
    state: Path,
    access: AccessPolicy | None = None,
    *,
    modes: str = "",
    helper: str = "",
    backoff: Backoff = QUICK,
    **pools: int,
) -> Service:
    """A service that speaks to a Slack; after a failure it tries again soon."""
    client = web_client(BOT_TOKEN, slack.root)
    return Service(
        app_state,
        client,
        identify(client),
        State(state),
        access,
        Pools(**pools),
        modes=chosen_modes(modes),
        helper=helper,
        backoff=backoff,
        poll=0.1,
    )


def chosen_modes(given: str) -> ChannelModes:
    """The modes of a setting."""
    return ChannelModes.parse(slack_modes("slack_modes", given))


def idle(service: Service) -> None:
    """Wait until a service has done all that it was given."""
    worker = service.worker
    with worker._changed:
        assert worker._changed.wait_for(lambda: not worker._held, PATIENCE), "something is never done"


@pytest.fixture
def start(slack: FakeSlack, app_state: AppState, tmp_path: Path) -> Iterator[Start]:
    """Starts bots, all over one state file unless another is named; they are stopped at the end."""
    with ExitStack() as stack:

        def begin(app_state: AppState = app_state, state: Path = tmp_path / FILE, **given: Any) -> Service:
            count = len(slack.connections)
            service = stack.enter_context(connected(service_of(slack, app_state, state, **given)))
            slack.until(lambda: len(slack.connections) > count)
            return service

        yield begin


@pytest.fixture
def bot(start: Start) -> Service:
    """A bot."""
    return start()
