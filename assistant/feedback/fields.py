"""Strict validation of JSON objects sent by a browser.

A page receives an answer and returns it with a rating, so anything in it may have been changed.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from datetime import datetime, timezone

from ingest.errors import TorchnotesError
from ingest.release import Release

_LONGEST = 40  # characters of a value quoted in an error message


class Fields:
    """Reads the values of an object by their expected type.

    Args:
        given: decoded JSON.
        what: name of the object in error messages, such as "feedback".
        needed: required keys.
        optional: other allowed keys.

    Raises:
        TorchnotesError: `given` is not an object with these keys. All methods raise it if a value is invalid.
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
        """Read a string.

        Args:
            key: key of the value.
            most: maximum length in characters.
            least: minimum length in characters, without surrounding white space.
        """
        return self._text(key, self._values[key], most, least)

    def texts(self, key: str, count: int, most: int) -> tuple[str, ...]:
        """Read a list of non-empty strings.

        Args:
            key: key of the value.
            count: maximum number of strings.
            most: maximum length of each in characters.
        """
        return tuple(self._text(key, each, most, 1) for each in self.items(key, count))

    def truth(self, key: str) -> bool:
        """Read a boolean.

        Args:
            key: key of the value.
        """
        given = self._values[key]
        if not isinstance(given, bool):
            raise self._wrong(key, given, "true or false")
        return given

    def number(self, key: str, least: int, most: int) -> int:
        """Read an integer.

        Args:
            key: key of the value.
            least: minimum.
            most: maximum.
        """
        given = self._values[key]
        if not isinstance(given, int) or isinstance(given, bool) or not least <= given <= most:
            raise self._wrong(key, given, f"a whole number from {least} to {most}")
        return given

    def one_of(self, key: str, allowed: Collection[str]) -> str:
        """Read one of several strings.

        Args:
            key: key of the value.
            allowed: valid strings.
        """
        given = self._values[key]
        if not isinstance(given, str) or given not in allowed:
            raise self._wrong(key, given, f"one of {', '.join(map(shown, allowed))}")
        return given

    def releases(self, key: str, count: int) -> tuple[Release, ...]:
        """Read a list of releases, which must be strings because the number 2.10 equals 2.1.

        Args:
            key: key of the value.
            count: maximum number of releases.
        """
        return tuple(self._release(key, each) for each in self.items(key, count))

    def version(self, key: str) -> str:
        """Read a release as a string.

        Args:
            key: key of the value.

        Returns:
            The release, or "" if the value is "".
        """
        given = self._values[key]
        return "" if given == "" else str(self._release(key, given))

    def moment(self, key: str) -> datetime:
        """Read a date and time with a time zone, and convert it to UTC.

        Args:
            key: key of the value.
        """
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
        """Read a list.

        Args:
            key: key of the value.
            count: maximum number of items.
        """
        given = self._values[key]
        if not isinstance(given, list | tuple):
            raise self._wrong(key, given, "a list")
        if len(given) > count:
            raise self._error(f'"{key}" holds {len(given)} values; at most {count} are kept')
        return list(given)

    def value(self, key: str) -> object:
        """Return a value unvalidated.

        Args:
            key: key of the value.
        """
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
        except UnicodeEncodeError:  # a lone surrogate cannot be encoded
            raise self._wrong(key, given, "a text of whole characters") from None
        return given

    def _wrong(self, key: str, given: object, wanted: str) -> TorchnotesError:
        return self._error(f'"{key}" holds {shown(given)}; it must be {wanted}')

    def _error(self, reason: str) -> TorchnotesError:
        return TorchnotesError(f"{self._what}: {reason}")


def shown(given: object) -> str:
    """Return a value as one line of JSON, truncated for an error message.

    Args:
        given: any value.
    """
    try:
        text = json.dumps(given, ensure_ascii=False)
    except (TypeError, ValueError, RecursionError):  # not from JSON
        text = f"a {type(given).__name__}"
    text = text.encode("utf-8", "backslashreplace").decode()
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
