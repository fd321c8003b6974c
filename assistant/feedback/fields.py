"""What a browser sends, read strictly: each value is what it must be, or refused in one line.

A page gives an answer out and gets it back with a rating: whatever comes back may have been changed.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from datetime import datetime, timezone

from ingest.errors import TorchnotesError
from ingest.release import Release

_LONGEST = 40  # characters of a value that an error repeats


class Fields:
    """The values of an object.

    Args:
        given: what came.
        what: what it is, for messages: "feedback".
        needed, optional: the keys that must and may be there; any other is refused.

    Raises:
        TorchnotesError: it is no such object. The readers below raise the same of a value.
    """

    def __init__(
        self, given: object, what: str, needed: Collection[str], optional: Collection[str] = ()
    ) -> None:
        self._what = what
        if not isinstance(given, Mapping):
            raise self._error(f"{shown(given)} is no object; send one with {', '.join(needed)}")
        self._values: dict[str, object] = dict(given)
        for key in self._values:
            if key not in needed and key not in optional:
                raise self._error(f"{shown(key)} is no key; there are {', '.join((*needed, *optional))}")
        for key in needed:
            if key not in self._values:
                raise self._error(f'"{key}" is missing; there must be {", ".join(needed)}')

    def __contains__(self, key: str) -> bool:
        return key in self._values

    def text(self, key: str, most: int, *, least: int = 0) -> str:
        """A text of some length in characters."""
        return self._text(key, self._values[key], most, least)

    def texts(self, key: str, count: int, most: int) -> tuple[str, ...]:
        """At most `count` texts, none of them empty."""
        return tuple(self._text(key, each, most, 1) for each in self.items(key, count))

    def truth(self, key: str) -> bool:
        """True or false."""
        given = self._values[key]
        if not isinstance(given, bool):
            raise self._wrong(key, given, "true or false")
        return given

    def number(self, key: str, least: int, most: int) -> int:
        """A whole number from `least` to `most`."""
        given = self._values[key]
        if not isinstance(given, int) or isinstance(given, bool) or not least <= given <= most:
            raise self._wrong(key, given, f"a whole number from {least} to {most}")
        return given

    def one_of(self, key: str, allowed: Collection[str]) -> str:
        """One text of a closed set."""
        given = self._values[key]
        if not isinstance(given, str) or given not in allowed:
            raise self._wrong(key, given, f"one of {', '.join(map(shown, allowed))}")
        return given

    def releases(self, key: str, count: int) -> tuple[Release, ...]:
        """At most `count` releases, each as text: as a number 2.10 is 2.1."""
        return tuple(self._release(key, each) for each in self.items(key, count))

    def version(self, key: str) -> str:
        """A release as text, "" for none."""
        given = self._values[key]
        return "" if given == "" else str(self._release(key, given))

    def moment(self, key: str) -> datetime:
        """A date and time with its zone, in UTC."""
        given = self._values[key]
        try:
            if not isinstance(given, str):
                raise ValueError
            moment = datetime.fromisoformat(given.replace("Z", "+00:00"))  # as browsers write it
            if moment.tzinfo is None:
                raise ValueError
            return moment.astimezone(timezone.utc)
        except (ValueError, OverflowError):
            raise self._wrong(key, given, 'a time with its zone, such as "2026-05-09T07:35:00Z"') from None

    def items(self, key: str, count: int) -> list[object]:
        """A list of at most `count` values."""
        given = self._values[key]
        if not isinstance(given, list | tuple):
            raise self._wrong(key, given, "a list")
        if len(given) > count:
            raise self._error(f'"{key}" holds {len(given)} values; at most {count} are kept')
        return list(given)

    def value(self, key: str) -> object:
        """A value as it came."""
        return self._values[key]

    def _release(self, key: str, given: object) -> Release:
        try:
            if not isinstance(given, str):
                raise ValueError
            return Release.parse(given)
        except ValueError:
            raise self._wrong(key, given, 'releases as texts, such as "2.4"') from None

    def _text(self, key: str, given: object, most: int, least: int) -> str:
        if not isinstance(given, str):
            raise self._wrong(key, given, "a text")
        if len(given) > most:
            raise self._error(f'"{key}" holds {len(given)} characters; at most {most} are kept')
        if len(given.strip()) < least:
            raise self._wrong(key, given, "a text that is not empty")
        try:
            given.encode()
        except UnicodeEncodeError:  # half of a pair of surrogates, which no file can hold
            raise self._wrong(key, given, "a text of whole characters") from None
        return given

    def _wrong(self, key: str, given: object, wanted: str) -> TorchnotesError:
        return self._error(f'"{key}" holds {shown(given)}; it must be {wanted}')

    def _error(self, reason: str) -> TorchnotesError:
        return TorchnotesError(f"{self._what}: {reason}")


def shown(given: object) -> str:
    """A value as JSON has it, in one line, cut short."""
    try:
        text = json.dumps(given, ensure_ascii=False)
    except (TypeError, ValueError, RecursionError):  # nothing that came as JSON
        text = f"a {type(given).__name__}"
    text = text.encode("utf-8", "backslashreplace").decode()
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
