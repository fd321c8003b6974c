"""No file of the server reaches a visitor: every endpoint and function, every input, however deep.

The endpoints are listed by the server itself, so that a new one is covered when it comes.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx
import pytest
from gradio.utils import get_upload_folder

from tests.ui.web.serving import serving
from tests.ui.web.small import make
from ui.shared.app_state import AppState
from ui.web.server import Access

API = "/gradio_api"
ALL = "TORCHNOTES_TRUST" in os.environ
TURN = count()
CANARY = "canary-7b1f2c that no visitor may read"


pytestmark = pytest.mark.long  # thousands of requests to two servers


@pytest.fixture(scope="module")
def secret(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file of the server that no visitor may read."""
    path = tmp_path_factory.mktemp("secret") / "key.txt"
    path.write_text(CANARY, encoding="utf-8")
    return path


@pytest.fixture(scope="module", params=["open", "locked"])
def served(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, secret: Path
) -> Iterator[httpx.Client]:
    """A client of a server with all that it can offer, and of one with a password and no documents."""
    locked = request.param == "locked"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GRADIO_TEMP_DIR", str(tmp_path_factory.mktemp("uploads")))
        small = make(tmp_path_factory.mktemp("home"), patch)
        app_state = AppState(small.app_state.factory, allow_documents=not locked, mcp=True)
        access = Access(password="word") if locked else None
        with (
            serving(app_state, access) as address,
            httpx.Client(base_url=address, auth=("x", "word") if locked else None, timeout=30) as client,
        ):
            yield client


def payloads(path: str) -> Iterator[object]:
    """Ways to name a file, bare and nested."""
    file = {"path": path, "meta": {"_type": "gradio.FileData"}}
    for each in (
        file,
        {**file, "url": f"file://{path}", "orig_name": "x", "is_stream": False},
        {**file, "meta": {"_type": "gradio.FileData", "more": 1}},
        {"path": path},
    ):
        yield from (each, [each], {"value": each}, [[{"deep": [{"deeper": each}]}]])


def bodies(inputs: int, path: str) -> Iterator[dict[str, Any]]:
    """Requests for a function with so many inputs, with a file in each of them and beside them.

    In `make trust` with each way to name it, otherwise with another one each time.
    """
    ways = [*payloads(path)]
    for place in range(inputs):
        for payload in some(ways):
            yield {"data": [payload if other == place else "x" for other in range(inputs)]}
    for payload in some(ways):
        yield {"data": ["x"] * inputs, "event_data": payload}
        yield {"data": ["x"] * inputs, "event_data": {"question": payload, "id": "a", "history": []}}
    yield {"data": ways[0]}


def some(ways: list[object]) -> list[object]:
    """All of them, or the one whose turn it is."""
    return ways if ALL else [ways[next(TURN) % len(ways)]]


def reachable(client: httpx.Client) -> tuple[dict[str, int], dict[int, int]]:
    """Names of the endpoints and numbers of all functions, each with how many inputs it has."""
    named = client.get(f"{API}/info").json()["named_endpoints"]
    functions = client.get("/config").json()["dependencies"]
    return (
        {name.strip("/"): len(endpoint["parameters"]) for name, endpoint in named.items()},
        {each["id"]: len(each["inputs"]) for each in functions},
    )


def requests(client: httpx.Client, path: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every request that could name a file, as route and body."""
    named, functions = reachable(client)
    assert {"ask", "search", "history", "compare"} <= named.keys() and len(functions) > 20
    for name, inputs in named.items():
        for body in bodies(inputs, path):
            yield from ((f"{API}/{kind}/{name}", body) for kind in ("run", "api", "call", "call/v2"))
        for payload in payloads(path):
            for arguments in ({"question": payload}, {"history": [payload]}, payload):
                call = {"name": name, "arguments": arguments}
                yield f"{API}/mcp/", {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}
    for number, inputs in functions.items():
        for body in bodies(inputs, path):
            numbered = {**body, "fn_index": number, "session_hash": "s", "trigger_id": number}
            yield f"{API}/queue/join", numbered
            yield f"{API}/run/predict", numbered
            yield f"{API}/run/ask", numbered
    component = {"component_id": 1, "fn_name": "rate", "session_hash": "s"}
    for payload in payloads(path):
        yield f"{API}/component_server", {**component, "data": payload}


def test_no_request_makes_the_server_take_one_of_its_files(served: httpx.Client, secret: Path) -> None:
    tried = 0
    for place in (str(secret), f"http://127.0.0.1:{served.base_url.port}/healthz"):
        for route, body in requests(served, place):
            tried += 1
            answer = served.post(route, json=body, headers={"Accept": "application/json, text/event-stream"})
            assert answer.status_code in (400, 404), (route, body, answer.text)
            assert str(secret) not in answer.text and CANARY not in answer.text, (route, body)
    assert tried > (10_000 if ALL else 1000)
    held = [path for path in Path(get_upload_folder()).rglob("*") if path.is_file()]
    assert not any(CANARY.encode() in path.read_bytes() for path in held)


def test_no_route_serves_a_file(served: httpx.Client, secret: Path) -> None:
    for place in (str(secret), "/proc/self/environ", "../../../../etc/passwd"):
        for route in ("file=", "file/", "proxy=", "proxy=file://", "stream/", "deep_link?path="):
            for way in (place, quote(place, safe=""), place.lstrip("/")):
                answer = served.get(f"{API}/{route}{way}")
                assert answer.status_code == 404 and CANARY not in answer.text


def test_a_file_is_taken_from_the_one_who_sent_it(served: httpx.Client, secret: Path) -> None:
    sent = served.post(f"{API}/upload", files={"files": ("a.md", b"# A\n\nPyTorch 2.6.")})
    if sent.status_code == 403:
        return  # of the server that takes none
    path = sent.json()[0]
    config = served.get("/config").json()
    files = {each["id"] for each in config["components"] if each["type"] == "file"}
    (taking,) = (each for each in config["dependencies"] if files & {*each["inputs"]})
    place = next(place for place, part in enumerate(taking["inputs"]) if part in files)

    def join(file: object) -> httpx.Response:
        data = [file if other == place else "en" for other in range(len(taking["inputs"]))]
        data[1] = ""
        return served.post(
            f"{API}/queue/join", json={"data": data, "fn_index": taking["id"], "session_hash": "upload"}
        )

    file = {"path": path, "orig_name": "a.md", "meta": {"_type": "gradio.FileData"}}
    for other in (
        str(secret),
        path + "/../../key.txt",
        path.upper(),
        f"{path}\x00",
        Path(path).parent.as_posix(),
    ):
        assert join([{**file, "path": other}]).status_code == 400
    assert join([file]).status_code == 200
    with served.stream("GET", f"{API}/queue/data", params={"session_hash": "upload"}) as events:
        lines = [json.loads(line[5:]) for line in events.iter_lines() if line.startswith("data:")]
    done = next(line for line in lines if line["msg"] == "process_completed")
    assert done["success"] and "a.md" in json.dumps(lines)
