"""Who asks, as the queues see it."""

from __future__ import annotations

import asyncio
import threading
from inspect import isasyncgenfunction, iscoroutinefunction, isgeneratorfunction, signature
from pathlib import Path
from types import SimpleNamespace

import gradio as gr
import pytest
from gradio.context import LocalContext

from ingest.errors import TorchnotesError
from tests.rows import each_row
from tests.ui.web.small import make
from ui.shared.request_queue import RequestQueue
from ui.web.asking import asking, in_turn
from ui.web.page import build_page

#: Functions of the page that take next to no time.
AT_ONCE = {
    "ui.web.api_tab: tell",
    "ui.web.chat.tab: <lambda>",
    "ui.web.components.translated: updates",
    "ui.web.documents.handlers: keep",
    "ui.web.explore.tab: <lambda>",
    "ui.web.page: <lambda>",
    "ui.web.page: _greeting",
    "ui.web.page: _shown",
}


@each_row(
    ("address", "sender"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("2001:db8::1", "2001:db8::/64"),
        ("127.0.0.1", ""),
        ("::1", ""),
        ("", ""),
        (None, ""),
    ],
)
def test_a_sender_is_that_of_the_request(address: str | None, sender: str) -> None:
    token = LocalContext.request.set(SimpleNamespace(client=SimpleNamespace(host=address)))  # type: ignore[arg-type]
    try:
        assert asking() == sender
    finally:
        LocalContext.request.reset(token)


def test_outside_of_a_request_nobody_asks() -> None:
    assert asking() == ""


def test_work_waits_for_its_turn() -> None:
    held, go_on = threading.Event(), threading.Event()

    def work(number: int) -> int:
        held.set()
        assert go_on.wait(30)
        return number

    turn = in_turn(RequestQueue(1, waiting=1), work)
    assert [*signature(turn).parameters] == ["number"] and turn.__name__ == "work"

    async def three() -> list[int | BaseException]:
        asked = [asyncio.ensure_future(turn(number)) for number in range(3)]
        await asyncio.to_thread(held.wait, 30)
        await asyncio.wait(asked, return_when=asyncio.FIRST_COMPLETED)
        go_on.set()
        return await asyncio.gather(*asked, return_exceptions=True)

    first, second, third = asyncio.run(three())
    assert (first, second) == (0, 1)
    assert isinstance(third, gr.Error) and "waiting already" in str(third)


def test_an_error_is_one_line() -> None:
    def fails() -> None:
        raise TorchnotesError("it does not work")

    with pytest.raises(gr.Error, match="it does not work"):
        asyncio.run(in_turn(RequestQueue(), fails)())  # type: ignore[arg-type]


def test_what_takes_time_waits_in_a_queue(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All that the page calls, as it lists it by itself: a new function is covered."""

    async def built() -> gr.Blocks:
        return build_page(make(tmp_path, monkeypatch, allowed=True).app_state)

    page = asyncio.run(built())
    kinds = (iscoroutinefunction, isgeneratorfunction, isasyncgenfunction)
    plain = {
        f"{each.fn.__module__}: {each.fn.__name__}"
        for each in page.fns.values()
        if each.fn is not None and not any(kind(each.fn) for kind in kinds)
    }
    assert plain == AT_ONCE
