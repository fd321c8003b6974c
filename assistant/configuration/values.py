"""Validation of single settings: what is wrong is refused in one line."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Callable
from pathlib import Path

from index.milvus.address import FORMS, parse_address
from ingest.addresses import GITHUB_API
from ingest.errors import TorchnotesError

FILE = "torchnotes.toml"
PREFIX = "TORCHNOTES_"
#: Settings whose values are never shown.
SECRET = frozenset({"index_token", "llm_api_key", "metrics_token"})
SLACK_MODES = ("mentions", "threads", "questions")
LOG_LEVELS = ("debug", "info", "warning", "error")
LOG_FORMATS = ("text", "json")
_SHORTEST_TOKEN = 16  # characters
_TRUTH = {
    "true": True,
    "yes": True,
    "on": True,
    "1": True,
    "false": False,
    "no": False,
    "off": False,
    "0": False,
}


def folder(name: str, value: object) -> Path:
    """Return the path of a folder, which need not exist.

    Args:
        name: name of the setting.
        value: value as given.

    Raises:
        TorchnotesError: it can be no folder.
    """
    if isinstance(value, str | Path) and str(value):
        try:
            path = Path(value).expanduser()
        except RuntimeError:  # "~name" of an unknown user
            raise refused(name, value, "a folder, and there is no such user") from None
        # os.path, unlike Path, does not raise for folders without permission.
        there = next((p for p in (path, *path.parents) if os.path.exists(p)), path)
        if os.path.exists(there) and not os.path.isdir(there):
            raise refused(name, value, f"a folder, and {there} is a file")
        return path
    raise refused(name, value, "a folder")


def index(name: str, value: object) -> str:
    """Return the address of an index in Milvus, "" for one in the data folder.

    Args:
        name: name of the setting.
        value: value as given.

    Raises:
        TorchnotesError: it is no address.
    """
    if isinstance(value, str) and not value.strip():
        return ""
    try:
        return parse_address(str(value).strip()).text
    except TorchnotesError:
        shown = re.sub("//.*@", "//…@", str(value))
        raise refused(name, shown, f"{FORMS}, and a token is set as {PREFIX}INDEX_TOKEN") from None


def model_file(name: str, value: object) -> Path | None:
    """Return the path of a GGUF file, None if it is empty.

    Args:
        name: name of the setting.
        value: value as given.

    Raises:
        TorchnotesError: there is no such file.
    """
    if not value:
        return None
    if isinstance(value, str | Path) and os.path.isfile(path := os.path.expanduser(value)):
        return Path(path)
    raise refused(name, str(value), "a GGUF file that exists")


def truth(name: str, value: object) -> bool:
    """Return whether a value means true.

    Args:
        name: name of the setting.
        value: value as given.

    Raises:
        TorchnotesError: it means neither true nor false.
    """
    meant = value if isinstance(value, bool) else _TRUTH.get(str(value).strip().lower())
    if meant is None:
        raise refused(name, value, "true or false")
    return meant


def text(name: str, value: object) -> str:
    """Return a text that is not empty.

    Args:
        name: name of the setting.
        value: value as given.

    Raises:
        TorchnotesError: it is no text, or empty.
    """
    if isinstance(value, str) and value.strip():
        return value
    raise refused(name, value, "a name or a path")


def one_line(name: str, value: object) -> str:
    """Return a text of one line, which may be empty.

    Args:
        name: name of the setting.
        value: value as given.

    Raises:
        TorchnotesError: it has spaces around it or control characters.
    """
    if isinstance(value, str) and value.strip() == value and value.isprintable():
        return value
    raise refused(name, value, "one line of text without spaces around it")


def token(name: str, value: object) -> str:
    """Return a token for programs, "" for none.

    Args:
        name: name of the setting.
        value: value as given.

    Raises:
        TorchnotesError: it is so short that it can be guessed, or cannot be sent in a header.
    """
    if isinstance(value, str) and (not value or re.fullmatch(rf"[!-~]{{{_SHORTEST_TOKEN},}}", value)):
        return value
    raise refused(name, value, f"at least {_SHORTEST_TOKEN} letters, digits or signs, without spaces")


def choice(*allowed: str) -> Callable[[str, object], str]:
    """Return a function that validates one of several words.

    Args:
        *allowed: the words, in lower case.
    """

    def chosen(name: str, value: object) -> str:
        word = value.strip().lower() if isinstance(value, str) else ""
        if word not in allowed:
            raise refused(name, value, f"one of {', '.join(allowed)}")
        return word

    return chosen


def ids(name: str, value: object) -> tuple[str, ...]:
    """Split ids separated by commas, or validate a list of them.

    Args:
        name: name of the setting.
        value: value as given.

    Raises:
        TorchnotesError: one of them is no id.
    """
    given = value.split(",") if isinstance(value, str) else value
    if isinstance(given, list | tuple) and all(isinstance(each, str) for each in given):
        names = [each.strip() for each in given if each.strip()]
        if all(re.fullmatch(r"[A-Za-z0-9]+", each) for each in names):
            return tuple(names)
    raise refused(name, value, "ids such as C0123ABCD, with commas between them")


def slack_modes(name: str, value: object) -> dict[str, str]:
    """Parse modes of channels, such as "threads, C0123=mentions"; one without a channel is the default.

    Args:
        name: name of the setting.
        value: value as given.

    Raises:
        TorchnotesError: one of them is no mode.
    """
    modes: dict[str, str] = {}
    for each in value.split(",") if isinstance(value, str) else [None]:
        channel, _, mode = each.strip().rpartition("=") if each is not None else ("", "", "?")
        if mode.strip() in SLACK_MODES and re.fullmatch(r"[A-Za-z0-9]*", channel.strip()):
            modes[channel.strip()] = mode.strip()
        elif each is None or each.strip():
            allowed = f"one of {', '.join(SLACK_MODES)}, and others for channels, such as"
            raise refused(name, value, f'{allowed} "threads, C0123ABCD=mentions"')
    return modes


def slack_id(name: str, value: object) -> str:
    """Return the id of a person, group or channel, "" for nobody.

    Args:
        name: name of the setting.
        value: value as given.

    Raises:
        TorchnotesError: it is no id.
    """
    if isinstance(value, str) and re.fullmatch(r"(?:[UWSCG][A-Z0-9]+)?", value.strip()):
        return value.strip()
    raise refused(name, value, "the id of a person (U...), group (S...) or channel (C...)")


def number(least: float) -> Callable[[str, object], float]:
    """Return a function that validates a number.

    Args:
        least: smallest number allowed.
    """

    def checked(name: str, value: object) -> float:
        try:
            found = float(value) if isinstance(value, str | int | float) else -1.0
        except ValueError:
            found = -1.0
        if isinstance(value, bool) or not least <= found < math.inf:
            raise refused(name, value, f"a number of at least {least:g}")
        return found

    return checked


def address(example: str = GITHUB_API, *, empty: bool = False) -> Callable[[str, object], str]:
    """Return a function that validates the root of an API, and takes a slash from its end.

    Args:
        example: shown where a value is refused.
        empty: whether it may be empty.
    """

    def checked(name: str, value: object) -> str:
        if empty and not value:
            return ""
        # Without user name, query or fragment, because paths are appended.
        if isinstance(value, str) and re.fullmatch(r"https?://[^\s/@?#]+(/[^\s?#]*)?", value.strip()):
            return value.strip().rstrip("/")
        raise refused(name, value, f"an address such as {example}")

    return checked


def refused(name: str, value: object, wanted: str) -> TorchnotesError:
    """Return the error for a value that cannot be used; a secret is not quoted.

    Args:
        name: name of the setting.
        value: value as given.
        wanted: what it must be.
    """
    shown = "…" if name in SECRET else value
    return TorchnotesError(
        f"{PREFIX}{name.upper()}={shown!r} cannot be used: it must be {wanted}; "
        f"correct it in the environment or in {FILE}"
    )
