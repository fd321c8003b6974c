"""Reads gold questions from JSON Lines files, described in docs/quality.md.

All files are parsed and validated before the first question is asked, so that an error in the last line does
not waste a run.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from assistant.evaluation.gold import TO_DECLINE, Alternatives, GoldEvidence, GoldQuestion
from assistant.query.validation import check_question
from ingest.document import LANGUAGES
from ingest.errors import SourceError, TorchnotesError
from ingest.release import Release

HELP = "`torchnotes eval --help` shows such a line"
_NEEDED = ("id", "lang", "kind", "question")
_KEYS = (*_NEEDED, "history", "evidence", "facts", "forbid", "note")
_LONGEST = 60  # characters of a value quoted in an error message


def read_questions(paths: Sequence[Path]) -> tuple[GoldQuestion, ...]:
    """Read the questions of several files, in order.

    Args:
        paths: JSON Lines files, one question per line; blank lines are skipped.

    Raises:
        SourceError: a file is unreadable or has no questions, a line is invalid, or an id is used twice. The
            message is about the first such place.
    """
    found: dict[str, GoldQuestion] = {}
    for path in paths:
        before = len(found)
        for place, line in _lines(path):
            question = parse_question(line, place)
            if question.id in found:
                other = found[question.id].place
                raise SourceError(
                    place, f"the id {_shown(question.id)} is taken at {other}; give each an id of its own"
                )
            found[question.id] = question
        if len(found) == before:
            raise SourceError(str(path), f"it holds no question; write one JSON object a line, {HELP}")
    return tuple(found.values())


def parse_question(line: str, place: str) -> GoldQuestion:
    """Parse one line of a file.

    Args:
        line: a JSON object.
        place: `file:line`, for error messages.

    Raises:
        SourceError: the line is not a valid question. The message names the place, the value found and what
            is allowed.
    """
    try:
        values = json.loads(line)
    except (ValueError, RecursionError) as error:
        reason = (
            f"{error.msg}, column {error.colno}" if isinstance(error, json.JSONDecodeError) else str(error)
        )
        raise SourceError(
            place, f"this is no JSON ({reason}); write one JSON object a line, {HELP}"
        ) from None
    return _Line(values, place).question()


def _lines(path: Path) -> Iterator[tuple[str, str]]:
    """Yield the place and text of each line that is not blank."""
    if path.is_dir():
        raise SourceError(str(path), f"this is a folder; give files of questions, {HELP}")
    try:
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise SourceError(str(path), f"there is no such file; give one of questions, {HELP}") from None
    except UnicodeDecodeError as error:
        lines = error.object.count(b"\n", 0, error.start) + 1
        raise SourceError(
            f"{path}:{lines}", "this is no UTF-8 text; save the file in that encoding"
        ) from None
    except OSError as error:
        raise SourceError(str(path), f"it cannot be read ({error.strerror}); give another file") from None
    # Not splitlines(): JSON strings may contain other line separators, such as U+2028, unescaped.
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            yield f"{path}:{number}", line


class _Line:
    """Validates the decoded JSON of one line."""

    def __init__(self, values: object, place: str) -> None:
        self._place = place
        if not isinstance(values, dict):
            raise self._error(f"{_shown(values)} is no object; write {{...}} with {', '.join(_NEEDED)}")
        self._values: dict[str, Any] = values

    def question(self) -> GoldQuestion:
        self._only(self._values, _KEYS, "a question")
        for key in _NEEDED:
            if key not in self._values:
                raise self._error(f'"{key}" is missing; there must be {", ".join(_NEEDED)}')
        language, kind = self._values["lang"], self._text("kind")
        if language not in LANGUAGES:
            raise self._wrong("lang", language, " or ".join(f'"{name}"' for name in LANGUAGES))
        evidence = tuple(
            map(self._evidence, self._list("evidence", 'a list such as [{"version": "2.4", …}]'))
        )
        facts = self._groups("facts", self._values.get("facts"))
        forbidden = self._texts("forbid", self._list("forbid", "a list of texts"))
        for key, given in (("evidence", evidence), ("facts", facts), ("forbid", forbidden)):
            if given and kind in TO_DECLINE:
                raise self._error(f'a question of kind "{kind}" has no "{key}": it is to be declined')
            if not given and kind not in TO_DECLINE and key != "forbid":
                named = " or ".join(f'"{name}"' for name in TO_DECLINE)
                raise self._error(f'"{key}" is missing; only a question of kind {named} has none')
        try:
            check_question(self._text("question"))
        except TorchnotesError as error:
            raise self._error(str(error)) from None
        return GoldQuestion(
            id=self._text("id"),
            language=language,
            kind=kind,
            text=self._values["question"],
            history=self._texts("history", self._list("history", "the earlier questions, oldest first")),
            evidence=evidence,
            facts=facts,
            forbidden=forbidden,
            place=self._place,
        )

    def _evidence(self, given: object) -> GoldEvidence:
        form = '{"version": "2.4", "keys": [["libuv"], ["TCPStore"]]}'
        if not isinstance(given, dict) or not {"version", "keys"} <= given.keys():
            raise self._wrong("evidence", given, f"objects such as {form}")
        self._only(given, ("version", "keys"), "evidence")
        try:  # a number is refused: 2.10 would be 2.1
            release = Release.parse(given["version"])
        except (AttributeError, ValueError):
            raise self._wrong("version", given["version"], 'a release as a text, such as "2.4"') from None
        keys = self._groups("keys", given["keys"])
        if not keys:
            raise self._wrong("keys", given["keys"], 'at least one list, such as [["libuv"], ["TCPStore"]]')
        return GoldEvidence(release, keys)

    def _groups(self, key: str, given: object) -> tuple[Alternatives, ...]:
        form = 'a list of lists of texts, such as [["libuv"], ["USE_LIBUV=0", "USE_LIBUV"]]'
        groups = [] if given is None else given
        if not isinstance(groups, list) or not all(isinstance(group, list) and group for group in groups):
            raise self._wrong(key, given, form)
        return tuple(self._texts(key, group) for group in groups)

    def _texts(self, key: str, given: list[object]) -> Alternatives:
        for text in given:
            if not isinstance(text, str) or not text.strip():
                raise self._wrong(key, text, "texts that are not empty")
        return tuple(map(str, given))

    def _list(self, key: str, form: str) -> list[object]:
        given = self._values.get(key)
        if given is not None and not isinstance(given, list):
            raise self._wrong(key, given, form)
        return given or []

    def _text(self, key: str) -> str:
        given = self._values[key]
        if not isinstance(given, str) or not given.strip():
            raise self._wrong(key, given, "a text that is not empty")
        return given

    def _only(self, values: dict[str, Any], keys: Sequence[str], what: str) -> None:
        for key in values:
            if key not in keys:
                near = get_close_matches(key, keys, n=1)
                meant = f'did you mean "{near[0]}"? ' if near else ""
                raise self._error(f"{_shown(key)} is no key of {what}; {meant}there are {', '.join(keys)}")

    def _wrong(self, key: str, given: object, wanted: str) -> SourceError:
        return self._error(f'"{key}" holds {_shown(given)}; give {wanted}')

    def _error(self, reason: str) -> SourceError:
        return SourceError(self._place, f"{reason}; {HELP}")


def _shown(given: object) -> str:
    """Return a value as JSON, truncated to `_LONGEST` characters."""
    text = json.dumps(given, ensure_ascii=False)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
