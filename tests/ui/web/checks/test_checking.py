"""Checks over HTTP: shown to those who may, run after consent, ended when the reader leaves."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Iterator
from dataclasses import replace

import httpx
import pytest

from assistant.checks.registry import find_check, load_checks
from assistant.factory import AssistantFactory
from tests.assistant.model_server import ModelServer, said
from tests.ui.web.serving import serving
from ui.shared.app_state import AppState
from ui.shared.request_queue import RequestQueue
from ui.web.checks import checking
from ui.web.checks.checking import AGREED, SEEN, program_of

QUICK = "weights-only"


@pytest.fixture(scope="module")
def client(digest_factory: AssistantFactory) -> Iterator[httpx.Client]:
    """A reader at this machine."""
    with (
        serving(AppState(digest_factory, checks="here")) as address,
        httpx.Client(base_url=address, timeout=120) as client,
    ):
        yield client


def test_a_check_is_shown_then_run_and_told(client: httpx.Client) -> None:
    shown = client.get(f"/checks/{QUICK}").json()
    assert shown["runs"] and "torch.load" in shown["html"] and "Takes about 10 s" in shown["html"]
    headers = {SEEN: shown["program"], AGREED: "yes"}
    reply = client.post(f"/checks/{QUICK}?language=zh", headers=headers)
    *beats, last = map(json.loads, reply.text.splitlines())
    assert reply.headers["content-type"].startswith("application/x-ndjson")
    assert beats and all(beat.keys() == {"seconds"} for beat in beats)
    assert last["result"] == "confirmed" and "证实" in last["html"]
    assert last["markdown"].startswith("```text\nweights-only") and "\x1b" not in last["markdown"]


@pytest.mark.parametrize(
    ("name", "headers", "status", "line"),
    [
        pytest.param(
            "weights", {}, 404, "weights: no check is called so; near it: weights-only", id="unknown"
        ),
        pytest.param(QUICK, {}, 409, "The program is not the one that was shown", id="not seen"),
        pytest.param(QUICK, {SEEN: "0" * 64}, 409, "The program is not the one that was shown", id="another"),
        pytest.param(QUICK, {SEEN: "é"}, 409, "The program is not the one that was shown", id="no digest"),
    ],
)
def test_nothing_runs_that_was_not_seen(
    client: httpx.Client, name: str, headers: dict[str, str], status: int, line: str
) -> None:
    encoded = {key: value.encode() for key, value in headers.items()}
    reply = client.post(f"/checks/{name}", headers=encoded)  # type: ignore[arg-type]
    assert reply.status_code == status and line in reply.json()["error"]


@pytest.mark.parametrize("header", ["forwarded", "x-forwarded-for", "x-real-ip"])
def test_who_comes_through_a_proxy_is_not_at_this_machine(client: httpx.Client, header: str) -> None:
    for reply in (
        client.get(f"/checks/{QUICK}", headers={header: "10.0.0.1"}),
        client.post(f"/checks/{QUICK}", headers={header: "10.0.0.1"}),
    ):
        assert reply.status_code == 403 and "torchnotes web --allow-checks" in reply.json()["error"]


def test_a_server_that_allows_none_says_who_can(digest_factory: AssistantFactory) -> None:
    with serving(AppState(digest_factory)) as address, httpx.Client(base_url=address) as client:
        for reply in (
            client.get(f"/checks/{QUICK}"),
            client.post(f"/checks/{QUICK}"),
            client.post("/checks"),
        ):
            assert reply.status_code == 403 and "--allow-checks" in reply.json()["error"]


def test_one_at_a_time_and_a_reader_who_leaves_ends_it(
    client: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, ended = threading.Event(), threading.Event()

    def slow(check: object, *, cancelled: threading.Event, **_: object) -> None:
        begun.set()
        assert cancelled.wait(60)
        ended.set()
        raise OSError("ended")

    monkeypatch.setattr(checking, "try_check", slow)
    shown = client.get(f"/checks/{QUICK}").json()
    headers = {SEEN: shown["program"], AGREED: "yes"}
    with client.stream("POST", f"/checks/{QUICK}", headers=headers) as reply:
        lines = reply.iter_lines()  # the connection lives as long as this
        assert "seconds" in json.loads(next(lines))
        assert begun.wait(60)
        other = client.post(f"/checks/{QUICK}", headers=headers)
        assert other.status_code == 409 and "Another check is running" in other.json()["error"]
    assert ended.wait(60), "the run goes on without its reader"


def test_a_run_whose_reader_was_gone_before_it_began_makes_room(monkeypatch: pytest.MonkeyPatch) -> None:
    def quick(*_: object, **__: object) -> None:
        raise OSError("ended")

    monkeypatch.setattr(checking, "try_check", quick)
    busy = threading.Lock()
    busy.acquire()
    asyncio.run(checking.Run(find_check(QUICK), "en", busy).lines().aclose())  # no line was asked for
    assert busy.acquire(timeout=60), "no check could run any more"


def test_a_run_that_fails_tells_where_to_look(
    client: httpx.Client, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise OSError("no room for the folder")

    monkeypatch.setattr(checking, "try_check", broken)
    shown = client.get(f"/checks/{QUICK}").json()
    for _ in range(100):  # the run of the test before may be ending
        reply = client.post(f"/checks/{QUICK}", headers={SEEN: shown["program"], AGREED: "yes"})
        if reply.status_code != 409:
            break
    last = json.loads(reply.text.splitlines()[-1])
    assert last == {
        "error": f"The check could not be run; type `torchnotes check {QUICK}` in a terminal to see why."
    }
    assert "no room for the folder" in caplog.text


def test_the_digest_is_of_the_program_and_its_kit() -> None:
    assert len({program_of(check) for check in load_checks()}) == len(
        {check.program for check in load_checks()}
    )
    assert program_of(find_check(QUICK)) == program_of(find_check(QUICK))


def test_a_model_proposes_checks_that_ship(digest_factory: AssistantFactory) -> None:
    with ModelServer(said("set-stance")) as server:
        settings = replace(digest_factory.settings, llm_url=server.url, llm_model="any")
        with (
            serving(AppState(AssistantFactory(settings), checks="here")) as address,
            httpx.Client(base_url=address, timeout=60) as client,
        ):
            sent = {"question": "Can I change how new shapes compile?", "releases": ["2.6"]}
            (offer,) = client.post("/checks?language=zh", json=sent).json()["checks"]
            assert offer["id"] == "set-stance" and offer["cost"] == "几秒" and offer["numbers"] == []
            wrong: object
            for wrong in ([], {"question": 1}, {"question": "a?", "releases": ["x"]}, {"question": " "}):
                reply = client.post("/checks", json=wrong)
                assert reply.status_code == 400 and reply.json()["error"]
            json_type = {"content-type": "application/json; charset=utf-8"}
            reply = client.post("/checks", content=b"{", headers=json_type)
            assert reply.status_code == 400 and reply.json()["error"]


def test_a_slow_model_holds_no_more_than_its_places(digest_factory: AssistantFactory) -> None:
    """All that is answered needs one of 40 threads, which as many of these requests would have taken."""
    asked, go_on = threading.Event(), threading.Event()

    def slow(request: object) -> object:
        asked.set()
        assert go_on.wait(60)
        return said("set-stance")

    with ModelServer(script=slow) as server:  # type: ignore[arg-type]
        settings = replace(digest_factory.settings, llm_url=server.url, llm_model="any")
        state = AppState(AssistantFactory(settings), checks="here")
        state.proposals = RequestQueue(1, waiting=0)
        with serving(state) as address, httpx.Client(base_url=address, timeout=120) as client:
            sent = {"question": "Can I change how new shapes compile?"}
            first = threading.Thread(target=client.post, args=("/checks",), kwargs={"json": sent})
            first.start()
            assert asked.wait(60)
            try:
                reply = client.post("/checks", json=sent)
            finally:
                go_on.set()
                first.join()
            assert reply.status_code == 429 and "waiting already" in reply.json()["error"]
            assert client.post("/checks", json=sent).status_code == 200


def test_without_a_model_nothing_is_proposed(client: httpx.Client) -> None:
    reply = client.post("/checks", json={"question": "Is it faster?"})
    assert reply.status_code == 400 and "no language model is configured" in reply.json()["error"]


@pytest.mark.parametrize(
    "sent", [None, "text/plain", "application/x-www-form-urlencoded", "multipart/form-data"]
)
def test_what_a_page_of_another_origin_can_send_is_refused(client: httpx.Client, sent: str | None) -> None:
    headers = {"content-type": sent} if sent else {}
    reply = client.post("/checks", content=b'{"question": "Is it faster?"}', headers=headers)
    assert reply.status_code == 415 and "Content-Type: application/json" in reply.json()["error"]
