"""Calls with values that no function takes are told so, before gradio fails on them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.ui.web.serving import serving
from tests.ui.web.small import make
from ui.shared.app_state import AppState

API = "/gradio_api"


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    """A client of the server of a small index."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GRADIO_TEMP_DIR", str(tmp_path_factory.mktemp("uploads")))
        small = make(Path(tmp_path_factory.mktemp("home")), patch)
        with (
            serving(AppState(small.app_state.factory)) as address,
            httpx.Client(base_url=address, timeout=30) as client,
        ):
            yield client


@pytest.mark.parametrize(
    ("path", "sent"),
    [
        ("run/ask", {"data": ["What is TCPStore?"]}),
        ("run/ask", {"data": ["x"] * 6}),
        ("call/ask", {"data": []}),
        ("call/v2/ask", {"question": "What is TCPStore?", "nobody": 1}),
        ("call/v2/ask", {"language": "en"}),
        ("call/v2/ask", {"data": ["x"]}),
        ("call/v2/ask", ["x"]),
        ("component_server", {"component_id": 1, "fn_name": "postprocess", "data": "x", "session_hash": "s"}),
        ("component_server", {"component_id": 1, "fn_name": "nothing", "data": "x", "session_hash": "s"}),
    ],
)
def test_it_is_one_line(served: httpx.Client, path: str, sent: object) -> None:
    answer = served.post(f"{API}/{path}", json=sent)
    assert answer.status_code in (400, 404), answer.text
    assert answer.json()["error"].count("\n") == 0


def test_each_function_of_the_page_says_how_many_values_it_takes(served: httpx.Client) -> None:
    for each in served.get("/config").json()["dependencies"]:
        call = {"fn_index": each["id"], "session_hash": "s", "data": ["x"] * (len(each["inputs"]) + 1)}
        for path in ("queue/join", "run/predict"):
            answer = served.post(f"{API}/{path}", json=call)
            assert answer.status_code in (400, 404), (each["id"], path, answer.text)


def test_all_values_by_name_are_answered(served: httpx.Client) -> None:
    assert served.post(f"{API}/call/v2/ask", json={"question": "What is TCPStore?"}).status_code == 200


def test_an_address_beyond_all_is_refused(served: httpx.Client) -> None:
    """httpx, with which gradio reads its own address, takes 65,536 characters."""
    answer = served.get("/?" + "a=b&" * 15_900)
    assert answer.status_code == 414 and "shorten" in answer.json()["error"]
