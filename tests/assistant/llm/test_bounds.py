"""Replies that never end, are too large or nested too deeply: each ends in one line."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from assistant.llm import bounds
from assistant.llm.client import ChatMessage
from assistant.llm.errors import CutShortError
from ingest.errors import LanguageModelError
from tests.assistant.model_server import ModelServer, Reply, Step, said

CHAT: list[ChatMessage] = [{"role": "user", "content": "Which backend?"}]
AS_JSON = {"Content-Type": "application/json"}
pytestmark = pytest.mark.usefixtures("no_retries")


def test_text_ends_where_a_reply_of_so_many_tokens_would() -> None:
    pieces: list[str] = []
    with ModelServer(said("word " * 2_000)) as server, pytest.raises(CutShortError, match="cut at 50 tokens"):
        pieces.extend(server.model().stream(CHAT, 50))
    text = "".join(pieces)
    assert text == ("word " * 2_000)[: len(text)] and len(text) <= 500


@pytest.mark.parametrize(
    "steps",
    [[""] * 2_000, [b": wait\n\n"] * 20_000, [b"data: " + b"x" * 200_000]],
    ids=["empty pieces", "comments", "one line"],
)
def test_a_stream_without_text_is_bounded(steps: Sequence[Step], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounds, "LARGEST", 100_000)
    with (
        ModelServer(Reply(steps)) as server,
        pytest.raises(LanguageModelError, match="more than 100,000 bytes"),
    ):
        server.model().complete(CHAT, 50)


def test_a_stream_is_bounded_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounds, "LONGEST", 0.0)
    with (
        ModelServer(said("It is libuv.")) as server,
        pytest.raises(LanguageModelError, match="takes more than 0 s"),
    ):
        server.model().complete(CHAT, 50)


def test_a_whole_reply_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounds, "LARGEST", 100_000)
    with (
        ModelServer(Reply(body=" " * 200_000 + "{}", headers=AS_JSON)) as server,
        pytest.raises(LanguageModelError, match="more than 100,000 bytes"),
    ):
        server.model().reply(CHAT, 50)


def test_deep_nesting_is_one_line() -> None:
    nested = '{"choices":' + "[" * 100_000 + "]" * 100_000 + "}"
    with (
        ModelServer(Reply(body=nested, headers=AS_JSON)) as server,
        pytest.raises(LanguageModelError, match="no chat completion"),
    ):
        server.model().reply(CHAT, 50)
