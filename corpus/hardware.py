"""Devices by the names under which they are sold, and the glossary terms that notes use for them."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

HARDWARE = Path(__file__).with_name("hardware.toml")
_SUFFIX = r"(?: ?(?:Ti|Super|Laptop|XTX|XT))*"


@dataclass(frozen=True, slots=True)
class Device:
    """Devices of one kind.

    Attributes:
        architecture: what the vendor calls the generation.
        term: id of the glossary term that notes use.
        capability: CUDA compute capability, (major, minor); None of other vendors' devices.
        names: under which they are sold.
        short: other names that users type, which may mean something else in a text of notes.
        source: address of the vendor's list.
    """

    architecture: str
    term: str
    capability: tuple[int, int] | None
    names: tuple[str, ...]
    short: tuple[str, ...]
    source: str


@lru_cache(maxsize=1)
def load_devices(path: Path = HARDWARE) -> tuple[Device, ...]:
    """Return the devices, in the order of the file.

    Args:
        path: of the TOML file.
    """
    with path.open("rb") as file:
        tables = tomllib.load(file)["device"]
    return tuple(
        Device(
            architecture=table["architecture"],
            term=table["term"],
            capability=(table["capability"][0], table["capability"][1]) if "capability" in table else None,
            names=tuple(table["names"]),
            short=tuple(table.get("short", ())),
            source=table["source"],
        )
        for table in tables
    )


@lru_cache(maxsize=256)
def explained(text: str) -> str:
    """Return a text with what notes call them behind the devices that it names.

    >>> explained("does my RTX 5090 work with 2.6?")
    'does my RTX 5090 (Blackwell, sm_120) work with 2.6?'

    Args:
        text: a question.
    """
    folded = text.casefold()
    said: set[str] = set()

    def with_architecture(match: re.Match[str]) -> str:
        device = _by_name()[match["name"].casefold()]
        words = [word for word in _words(device) if word.casefold() not in folded and word not in said]
        said.update(words)
        return f"{match[0]} ({', '.join(words)})" if words else match[0]

    return _pattern().sub(with_architecture, text)


def named_devices(text: str) -> list[tuple[str, Device]]:
    """Return the devices that a text names, as it names them, in order.

    >>> [(name, device.architecture) for name, device in named_devices("5090 or V100?")]
    [('5090', 'Blackwell'), ('V100', 'Volta')]

    Args:
        text: a question.
    """
    return [(m[0], _by_name()[m["name"].casefold()]) for m in _pattern().finditer(text)]


def is_mentioned(name: str, device: Device, text: str) -> bool:
    """Check whether a text speaks of a device, by any of its names or by its generation.

    Args:
        name: by which it was asked about.
        device: the device.
        text: of notes.
    """
    words = (name, *device.names, device.architecture.split(" ")[0], *_words(device))
    spelled = "|".join(map(re.escape, words))
    return re.search(rf"(?<![A-Za-z\d])(?:{spelled})(?![A-Za-z\d])", text, re.I) is not None


def _words(device: Device) -> tuple[str, ...]:
    """Return what notes call a device."""
    if device.capability is None:
        return (device.architecture,)
    return (device.architecture, "sm_{}{}".format(*device.capability))


@lru_cache(maxsize=1)
def _by_name() -> Mapping[str, Device]:
    return {name.casefold(): device for device in load_devices() for name in (*device.names, *device.short)}


@lru_cache(maxsize=1)
def _pattern() -> re.Pattern[str]:
    names = "|".join(map(re.escape, sorted(_by_name(), key=len, reverse=True)))
    return re.compile(rf"(?<![A-Za-z\d.-])(?P<name>{names}){_SUFFIX}(?![A-Za-z\d])", re.I)
