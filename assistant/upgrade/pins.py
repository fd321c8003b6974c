"""Versions of torch that a code base asks for, in requirements, lock files, Dockerfiles and the like."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version

from ingest.release import Release

_V = r"(?P<version>\d{1,2}\.\d{1,2})(?:\.\w+)*"
#: A pinned version, then a lower bound; (pattern, exact).
_LINES: tuple[tuple[re.Pattern[str], bool], ...] = (
    (re.compile(rf"(?<![\w-])(?:py)?torch\s*={{1,3}}\s*v?{_V}", re.I), True),
    (re.compile(rf"""^\s*torch\s*=\s*["']=*{_V}["']"""), True),
    (re.compile(rf"\bpytorch/pytorch:{_V}"), True),
    (
        re.compile(rf"""(?<![\w-])(?:py)?torch\s*(?:\[[^\]]*\])?\s*(?:[(,]\s*)?(?:>=|~=|>)\s*{_V}""", re.I),
        False,
    ),
    (re.compile(rf"""^\s*(?:py)?torch\s*=\s*["'](?:\^|~|>=)\s*{_V}"""), False),
)
#: An entry of a lock file: the name on one line, the version on the next.
_LOCKED = re.compile(rf"""name\s*=\s*["']torch["'][ \t]*\n[ \t]*version\s*=\s*["']{_V}""")
_LINE_LIMIT = 1_000
_SPACES = re.compile(r"\s+")
_COMMENT = re.compile(r"^\s*(?:#|//)")


@dataclass(frozen=True, slots=True)
class Pin:
    """A version of torch that a file asks for.

    Attributes:
        release: the release.
        exact: whether it is pinned; else it is the lowest that is allowed.
        place: file and line, such as "requirements.txt:3".
    """

    release: Release
    exact: bool
    place: str


def pins_in(name: str, text: str) -> Iterable[Pin]:
    """Yield the versions of torch in a file.

    Args:
        name: name of the file, for `Pin.place`.
        text: the file.
    """
    row, read = 1, 0
    for match in _LOCKED.finditer(text):
        row += text.count("\n", read, match.start())
        read = match.start()
        yield Pin(Release.parse(match["version"]), True, f"{name}:{row}")
    for number, line in enumerate(text.splitlines(), 1):
        if "torch" not in line or len(line) > _LINE_LIMIT or _COMMENT.match(line):
            continue
        line = _SPACES.sub(" ", line)  # several places of a pattern could share them in many ways
        for pattern, exact in _LINES:
            if found := pattern.search(line):
                yield Pin(Release.parse(found["version"]), exact, f"{name}:{number}")
                break


def chosen(pins: Iterable[Pin]) -> Pin | None:
    """Return the pin that tells what a code base runs on: the lowest exact one, or else the lowest bound.

    Args:
        pins: all pins.
    """
    ordered = sorted(pins, key=lambda pin: (not pin.exact, pin.release))
    return ordered[0] if ordered else None


def installed() -> Release | None:
    """Return the release of torch that is installed here; nothing is imported."""
    try:
        return Release.parse(".".join(version("torch").split(".")[:2]))
    except (PackageNotFoundError, ValueError):
        return None
