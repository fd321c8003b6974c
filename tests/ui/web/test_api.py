"""The named endpoints, called as programs call them: gradio_client, plain HTTP, and an MCP client."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from gradio_client import Client
from gradio_client.exceptions import AppError

from assistant.factory import AssistantFactory
from assistant.settings import Settings
from tests.ui.web.serving import serving
from ui.shared.app_state import AppState
from ui.web.server import Access

QUESTION = "What is the default backend of TCPStore in 2.4?"


@pytest.fixture(scope="module")
def app_state(built: Path) -> AppState:
    """An app state over the small corpus, with all that a page can have, for MCP clients too."""
    return AppState(
        AssistantFactory(Settings(home=built, shipped_corpus=False)), allow_documents=True, mcp=True
    )


@pytest.fixture(scope="module")
def address(app_state: AppState) -> Iterator[str]:
    """A server of it."""
    with serving(app_state) as address:
        yield address


@pytest.fixture(scope="module")
def client(address: str) -> Client:
    """A client of it, as any Python program makes one."""
    return Client(address, verbose=False)


def test_an_answer_is_that_of_ask(client: Client, app_state: AppState) -> None:
    told = client.predict(QUESTION, api_name="/ask")
    own = app_state.assistant().ask(QUESTION).to_dict()
    assert told["text"] == own["text"] and told["citations"] == own["citations"]
    assert "libuv" in told["citations"][0]["quote"] and told["abstained"] is False


def test_small_talk_is_told_from_questions_but_not_when_searching(client: Client) -> None:
    told = client.predict(question="thanks!", history=[QUESTION], api_name="/ask")
    assert told["abstained"] and told["act"] == "thanks" and told["citations"] == []
    assert client.predict("code example", api_name="/search")


def test_a_follow_up_and_the_options_are_understood(client: Client) -> None:
    told = client.predict(
        question="How do I go back to the old backend?",
        history=[QUESTION],
        releases=["2.4"],
        language="zh",
        api_name="/ask",
    )
    assert "USE_LIBUV=0" in told["text"] and told["language"] == "zh" and told["releases"] == ["2.4"]


def test_search_gives_passages(client: Client) -> None:
    found = client.predict("FlexAttention", top_k=2, api_name="/search")
    assert len(found) <= 2 and found[0]["release"] == "2.5" and "FlexAttention" in found[0]["text"]


def test_a_feature_and_two_releases(client: Client) -> None:
    (life,) = client.predict("FlexAttention", api_name="/history")
    assert [(step["release"], step["status"]) for step in life["steps"]] == [("2.5", "prototype")]
    change = client.predict("2.4", "2.5", "en", api_name="/compare")
    assert change["between"] == ["2.5"]
    assert "FlexAttention" in [item["name"] for item in change["new"]]


def test_what_breaks_in_code(client: Client) -> None:
    told = client.predict("import torch\ntorch.load(path)\n", "2.3", "2.8", api_name="/upgrade")
    (finding,) = told["findings"]
    assert (finding["line"], finding["symbol"]) == (2, "torch.load(weights_only=)")
    assert told["searched"]["lines"] == 3 and "weights_only" in finding["quote"]


@pytest.mark.parametrize(
    ("endpoint", "arguments", "line"),
    [
        ("/ask", [" "], "the question is empty; type one"),
        ("/ask", [QUESTION, [], ["9.9"]], "no document in the index is about release 9.9"),
        ("/ask", [QUESTION, [], [], "fr"], "language 'fr' is not spoken here; use one of zh, en"),
        ("/ask", [QUESTION, ["x"] * 2000], "history has more than 1000 questions"),
        ("/ask", [QUESTION, [["x"]]], "history holds ['x'] of type list"),
        ("/ask", [QUESTION, [], ["2.4"] * 200], "releases has more than 100 entries"),
        ("/search", ["x", [], 0], "top_k"),
        ("/search", ["x", [], 10**9], "top_k"),
        ("/history", [["FlexAttention"]], "feature is ['FlexAttention'] of type list"),
        ("/compare", ["2.4", None], "releases holds None"),
        ("/history", ["FlexAtention0"], "no feature 'FlexAtention0' in the notes"),
        ("/compare", ["2.4", "two"], "'two'"),
        ("/upgrade", ["import torch (", "2.3", "2.8"], "the code is not valid Python"),
        ("/upgrade", ["x" * 200_001, "2.3", "2.8"], "code has 200,001 characters; give at most 200,000"),
        ("/upgrade", ["", "2.8", "2.3"], "2.3 is not newer than 2.8"),
        ("/compare", ["2.4", "2.4"], "release 2.4 cannot be compared with itself"),
    ],
)
def test_an_error_is_one_line_for_the_caller(
    client: Client, endpoint: str, arguments: list[Any], line: str
) -> None:
    with pytest.raises(AppError) as caught:
        client.predict(*arguments, api_name=endpoint)
    assert line in str(caught.value) and "Traceback" not in str(caught.value)


def test_plain_http_is_enough(address: str) -> None:
    place = f"{address}/gradio_api/call/ask"
    body = json.dumps({"data": [QUESTION, [], [], "", True]}).encode()
    with urlopen(Request(place, body, {"content-type": "application/json"})) as reply:
        event = json.load(reply)["event_id"]
    with urlopen(f"{place}/{event}") as reply:
        told = reply.read().decode()
    assert told.startswith("event: complete\ndata: ")
    (answer,) = json.loads(told.partition("data: ")[2])
    assert "libuv" in answer["text"]


@pytest.mark.parametrize(
    ("endpoint", "data"),
    [
        ("ask", ["TCPStore \ud800", [], [], "", True]),
        ("ask", [QUESTION, ["\udfff"], [], "", True]),
        ("ask", [QUESTION, [], ["\ud800"], "", True]),
        ("history", ["\udfff", ""]),
        ("compare", ["\ud800", "2.4", "en"]),
    ],
)
def test_half_a_character_is_refused(address: str, endpoint: str, data: list[Any]) -> None:
    place = f"{address}/gradio_api/call/{endpoint}"
    body = json.dumps({"data": data}).encode()  # escaped, as JSON can say what UTF-8 cannot
    with pytest.raises(HTTPError) as caught:
        urlopen(Request(place, body, {"content-type": "application/json"}))
    with caught.value as reply:
        told = reply.read().decode()
    assert reply.code == 400 and told.count("\n") == 1
    assert "with finite numbers and whole characters; mend it" in json.loads(told)["error"]


def test_only_the_endpoints_are_offered(client: Client) -> None:
    named = client.view_api(return_format="dict", print_info=False)["named_endpoints"]
    assert sorted(named) == ["/ask", "/compare", "/history", "/search", "/upgrade"]


def test_an_mcp_client_finds_and_calls_the_tools(address: str) -> None:
    from mcp import ClientSession
    from mcp.client.streamable_http import streamable_http_client

    async def talk() -> tuple[dict[str, str], Any]:
        async with (
            streamable_http_client(f"{address}/gradio_api/mcp/") as (read, write, _),
            ClientSession(read, write) as session,
        ):
            await session.initialize()
            tools = {tool.name: tool.description or "" for tool in (await session.list_tools()).tools}
            name = next(name for name in tools if name.endswith("ask"))
            return tools, await session.call_tool(name, {"question": QUESTION})

    tools, result = asyncio.run(talk())
    assert {name.rpartition("_")[2] for name in tools} == {"ask", "search", "history", "compare", "upgrade"}
    assert any("every sentence cited" in told for told in tools.values())
    assert not result.isError and "libuv" in result.content[0].text


def test_without_mcp_there_is_nothing_to_talk_to(built: Path) -> None:
    plain = AppState(AssistantFactory(Settings(home=built, shipped_corpus=False)))
    with serving(plain, Access()) as address, pytest.raises(OSError, match=r"404|405"):
        urlopen(Request(f"{address}/gradio_api/mcp/", b"{}", {"content-type": "application/json"}))
