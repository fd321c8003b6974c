"""An IPv6 sender has 2^64 addresses: all of them are one sender, in rates, waits, shares and connections."""

from __future__ import annotations

from typing import Any

from tests.rows import each_row
from tests.ui.web.guard.guarded import answer, given, yes
from ui.web.guard import connections
from ui.web.guard.passwords import PasswordNeeded
from ui.web.guard.rates import RateLimit
from ui.web.guard.senders import is_this_machine, sender_of


def many(count: int) -> list[str]:
    """Addresses of one network."""
    return [f"2001:db8:1:2::{number:x}" for number in range(1, count + 1)]


@each_row(
    ("address", "sender"),
    [
        ("2001:db8:1:2:ffff::9", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("::1", "::1"),
        ("127.0.0.1", "127.0.0.1"),
        ("", ""),
    ],
)
def test_who_sends(address: str, sender: str) -> None:
    assert sender_of(address) == sender


def test_this_machine() -> None:
    own = ("127.0.0.1", "::1", "::ffff:127.0.0.1", "")
    assert all(map(is_this_machine, own)) and not any(map(is_this_machine, ("192.0.2.1", *many(1))))


def test_a_network_has_the_rate_of_one_sender() -> None:
    app = RateLimit(yes, clock=lambda: 0.0)
    statuses = [answer(app, body=[b""], client=address).status for address in many(300)]
    assert statuses.count(200) == 200 and statuses[-1] == 429
    assert answer(app, body=[b""], client="2001:db8:1:3::1").status == 200


def test_a_network_waits_after_wrong_passwords_as_one_sender() -> None:
    app = PasswordNeeded(yes, "right", clock=lambda: 0.0)
    statuses = [answer(app, headers=given("wrong"), client=address).status for address in many(6)]
    assert statuses == [401] * 5 + [429]
    assert answer(app, headers=given("wrong"), client="2001:db8:1:3::1").status == 401


def test_a_network_has_the_connections_of_one_sender() -> None:
    class Other:
        def __init__(self, address: str) -> None:
            self.client = (address, 1)

    protocol: Any = connections.TimedProtocol.__new__(connections.TimedProtocol)
    protocol.connections = {Other(address) for address in many(connections.MOST_OF_ONE + 1)}
    for address, too_many in (("2001:db8:1:2::ffff", True), ("2001:db8:1:3::1", False)):
        protocol.client = (address, 1)
        assert protocol._is_too_many() == too_many
