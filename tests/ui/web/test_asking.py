"""Who asks, as the queues see it."""

from __future__ import annotations

from types import SimpleNamespace

from gradio.context import LocalContext

from tests.rows import each_row
from ui.web.asking import asking


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
