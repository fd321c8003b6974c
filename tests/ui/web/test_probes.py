"""Readiness, metrics and stopping of a server, over HTTP."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import anyio.to_thread
import httpx
import pytest
from fastapi import FastAPI
from prometheus_client.parser import text_string_to_metric_families

from tests.ui.web.small import make
from ui.cli.commands.web import listen
from ui.operations.metrics import Metrics
from ui.operations.readiness import WarmUp
from ui.shared.app_state import AppState
from ui.shared.request_queue import StoppingError
from ui.web.probes import offer_probes
from ui.web.server import server_config
from ui.web.stopping import StoppingServer


class Served:
    """A server whose only other route answers as long as it is told to.

    Args:
        app_state: with the index and the queue of questions.
        seconds: that answers may take to end.
    """

    def __init__(self, app_state: AppState, seconds: float) -> None:
        self.line = app_state.line
        self.warm_up = WarmUp(app_state)
        self.metrics: Metrics | None = Metrics()
        self.go = threading.Event()
        self.cut: list[bool] = []
        self._app_state = app_state
        self._seconds = seconds

    def app(self) -> FastAPI:
        """The app."""
        app = FastAPI(openapi_url=None)
        offer_probes(app, self._app_state, self.warm_up, self.metrics)

        @app.get("/ask")
        async def ask() -> str:
            try:
                async with self.line.place():
                    await anyio.to_thread.run_sync(self.go.wait, 20, abandon_on_cancel=True)
                    return "answered"
            except StoppingError as error:
                return str(error)

        return app

    @contextmanager
    def serving(self) -> Iterator[httpx.Client]:
        """Serve, and give a client; the server has ended after the block."""
        taken = listen("127.0.0.1", 0)
        self.server = StoppingServer(
            server_config(self.app()),
            (self.line,),
            self._seconds,
            lambda: self.cut.append(not self.line.idle),
        )
        self.thread = threading.Thread(target=self.server.run, kwargs={"sockets": [taken]}, daemon=True)
        self.thread.start()
        try:
            address = f"http://127.0.0.1:{taken.getsockname()[1]}"
            with httpx.Client(base_url=address, timeout=20) as client:
                yield client
        finally:
            self.go.set()
            self.server.should_exit = True
            self.thread.join(20)
            taken.close()


@pytest.fixture
def app_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AppState:
    """An app state over the small notes."""
    return make(tmp_path, monkeypatch).app_state


def until(condition: Callable[[], bool]) -> None:
    """Wait until something is so."""
    until = time.monotonic() + 20
    while not condition():
        assert time.monotonic() < until
        time.sleep(0.01)


def test_a_server_is_ready_when_its_index_and_models_are_loaded(
    app_state: AppState, monkeypatch: pytest.MonkeyPatch
) -> None:
    served = Served(app_state, 5)
    with served.serving() as client:
        replied = client.get("/readyz")
        assert (replied.status_code, replied.json()) == (503, {"status": "starting"})
        assert client.get("/healthz").json()["status"] == "ok", "alive all the same"
        served.warm_up.start()
        until(lambda: client.get("/readyz").status_code == 200)
        assert (
            client.get("/readyz").json() == {"status": "ready"} and client.head("/readyz").status_code == 200
        )


def test_what_cannot_be_loaded_is_tried_again(
    app_state: AppState, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    failures = [OSError("no such model"), None]
    opened = app_state.assistant()

    def sometimes() -> object:
        if (failure := failures.pop(0)) is not None:
            raise failure
        return opened

    monkeypatch.setattr(app_state, "assistant", sometimes)
    monkeypatch.setattr("ui.operations.readiness._AGAIN", 0.05)
    warm_up = WarmUp(app_state)
    warm_up.start()
    until(lambda: warm_up.readiness == "ready")
    assert "cannot be loaded; it is tried again" in caplog.text and not failures


def test_metrics_tell_the_index_and_the_queue(app_state: AppState) -> None:
    served = Served(app_state, 5)
    with served.serving() as client:
        asking = threading.Thread(target=client.get, args=["/ask"])
        asking.start()
        until(lambda: served.line.running == 1)
        replied = httpx.get(f"{client.base_url}/metrics")
        assert replied.headers["content-type"].startswith("text/plain; version=")
        families = {each.name: each.samples for each in text_string_to_metric_families(replied.text)}
        (running,), (documents,) = (
            families[f"torchnotes_{name}"] for name in ("questions_running", "index_documents")
        )
        (versions,) = families["torchnotes_versions_info"]
        assert running.value == 1 and documents.value == 3
        assert versions.labels == app_state.assistant().versions
        assert "process_resident_memory_bytes" in families
        asked = {"accept": "application/openmetrics-text; version=1.0.0"}
        assert httpx.get(f"{client.base_url}/metrics", headers=asked).text.endswith("# EOF\n")
        served.go.set()
        asking.join()


def test_without_the_library_metrics_say_what_to_install(app_state: AppState) -> None:
    served = Served(app_state, 5)
    served.metrics = None
    with served.serving() as client:
        replied = client.get("/metrics")
    assert replied.status_code == 501 and replied.text.count("\n") == 1
    assert 'pip install "torchnotes[ops]"' in replied.text


def test_answers_in_flight_end_and_new_questions_are_refused(app_state: AppState) -> None:
    served = Served(app_state, 20)
    replied: list[str] = []
    with served.serving() as client:
        address = str(client.base_url)
        asking = [threading.Thread(target=lambda: replied.append(httpx.get(f"{address}/ask").text))]
        asking[0].start()
        until(lambda: served.line.running == 1)
        served.server.handle_exit(signal.SIGTERM, None)
        refused = client.get("/ask").text
        assert "the server is stopping" in refused and served.line.refused == 1
        assert client.get("/readyz").json() == {"status": "stopping"}
        assert "torchnotes_ready 0.0" in client.get("/metrics").text
        served.go.set()
        asking[0].join()
        served.thread.join(10)
        assert not served.thread.is_alive(), "it ends by itself"
    assert replied == ['"answered"'] and served.cut == [False]


def test_an_answer_that_does_not_end_is_cut_off(
    app_state: AppState, caplog: pytest.LogCaptureFixture
) -> None:
    served = Served(app_state, 0.3)
    replied: list[str] = []

    def ask(address: str) -> None:
        try:
            replied.append(httpx.get(f"{address}/ask").text)
        except httpx.HTTPError:
            replied.append("")

    with served.serving() as client:
        asking = threading.Thread(target=ask, args=[str(client.base_url)])
        asking.start()
        until(lambda: served.line.running == 1)
        begun = time.monotonic()
        served.server.handle_exit(signal.SIGTERM, None)
        served.thread.join(10)
        assert not served.thread.is_alive() and time.monotonic() - begun < 5
        asking.join()
    assert (
        len(replied) == 1
        and "answered" not in replied[0]
        and served.cut == [True]
        and "1 answers were cut off" in caplog.text
    )


def test_a_second_signal_ends_it_at_once(app_state: AppState) -> None:
    server = StoppingServer(server_config(FastAPI(openapi_url=None)), (app_state.line,), 60, lambda: None)
    server.handle_exit(signal.SIGTERM, None)
    assert app_state.line.closed and not server.should_exit
    server.handle_exit(signal.SIGTERM, None)
    assert server.should_exit
    other = StoppingServer(server_config(FastAPI(openapi_url=None)), (app_state.line,), 60, lambda: None)
    other.handle_exit(signal.SIGINT, None)
    assert other.should_exit, "as Ctrl+C always did"
