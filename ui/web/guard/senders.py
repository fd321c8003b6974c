"""Who sends a request, as far as an address tells: what rates, waits and shares count by."""

from __future__ import annotations

from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

from ui.web.guard.asgi import Message

#: Headers by which proxies tell that they passed a request on.
FORWARDED = frozenset((b"forwarded", b"via", b"x-forwarded-for", b"x-real-ip"))
#: Of an IPv6 address, what a provider gives to one customer, who may then send from any address in it.
_CUSTOMER = 64


@lru_cache(maxsize=4096)
def sender_of(address: str) -> str:
    """Return what stands for the sender at an address: an IPv4 address, or an IPv6 network.

    >>> sender_of("2001:db8:1:2:3::4"), sender_of("::ffff:192.0.2.1"), sender_of("192.0.2.1"), sender_of("x")
    ('2001:db8:1:2::/64', '192.0.2.1', '192.0.2.1', 'x')

    Args:
        address: of a connection; what is none, such as "" of a Unix socket, stands for itself.
    """
    read = _read(address)
    if isinstance(read, IPv6Address) and not read.is_loopback:
        return str(ip_network((read, _CUSTOMER), strict=False))
    return address if read is None else str(read)


def is_this_machine(address: str) -> bool:
    """Return whether a connection came from this machine: an address of its own, or a Unix socket.

    Args:
        address: address of the sender, "" for a Unix socket.
    """
    read = _read(address)
    return read is None or read.is_loopback


def is_forwarded(scope: Message) -> bool:
    """Return whether a proxy says that it passed a request on: then it is not from the proxy's machine.

    Args:
        scope: ASGI scope of the request.
    """
    return any(name in FORWARDED for name, _ in scope["headers"])


def _read(address: str) -> IPv4Address | IPv6Address | None:
    try:
        read = ip_address(address.partition("%")[0])
    except ValueError:
        return None
    return (read.ipv4_mapped or read) if isinstance(read, IPv6Address) else read
