"""Validates the arguments of `ask`. Each error message is one line that says what is allowed."""

from __future__ import annotations

import reprlib
import unicodedata
from collections.abc import Collection, Iterable, Sequence
from itertools import islice
from typing import cast

from ingest.document import LANGUAGES, Language
from ingest.errors import TorchnotesError
from ingest.release import Release

MAX_QUESTION = 4000  # characters
#: The last earlier turns are read, up to this number and this total length in characters. Fewer of them count as
#: questions (assistant/answering/conversation.py); the rest leaves room for small talk between them.
MAX_HISTORY = 24
MAX_HISTORY_CHARACTERS = 2 * MAX_QUESTION
MAX_HISTORY_GIVEN = 1000  # questions; a longer list is rejected, not truncated
MAX_RELEASES = 100
MAX_TOP_K = 50
MAX_FEATURE = 200  # characters
_SHOWN = 40  # characters of a value quoted in an error message
_REPR = reprlib.Repr()
_REPR.maxstring = _REPR.maxother = 3 * _SHOWN


def check_question(question: object) -> None:
    """Validate the question.

    Args:
        question: the argument as given.

    Raises:
        TorchnotesError: it is not a string, is empty or too long, or contains a lone surrogate.
    """
    if not isinstance(question, str):
        raise TorchnotesError(f"the question is {_kind(question)}; give it as a text")
    _check_text("the question", question, MAX_QUESTION)
    if not question.strip():
        raise TorchnotesError(
            "the question is empty; type one, such as: what is new in torch.compile in 2.4?"
        )


def check_history(history: object) -> Sequence[str]:
    """Validate and truncate the earlier questions.

    Args:
        history: the argument as given, oldest first.

    Returns:
        The last questions, at most `MAX_HISTORY`, with at most `MAX_HISTORY_CHARACTERS` in total.

    Raises:
        TorchnotesError: it is not an iterable of strings (a single string is rejected too), has more than
            `MAX_HISTORY_GIVEN` questions, or one of those read contains a lone surrogate.
    """
    allowed = "give a list of the earlier questions, oldest first"
    if isinstance(history, str) or not isinstance(history, Iterable):
        raise TorchnotesError(f"history is {_kind(history)}; {allowed}")
    questions = list(islice(history, MAX_HISTORY_GIVEN + 1))
    if len(questions) > MAX_HISTORY_GIVEN:
        raise TorchnotesError(
            f"history has more than {MAX_HISTORY_GIVEN} questions; the last {MAX_HISTORY} are read, "
            "give those"
        )
    read: list[str] = []
    room = MAX_HISTORY_CHARACTERS
    for question in questions:
        if not isinstance(question, str):
            raise TorchnotesError(f"history holds {_kind(question)}; {allowed}, each a text")
    for question in reversed(questions[-MAX_HISTORY:]):
        _check_whole("a question of history", question)
        room -= _length(question, room)
        if room < 0:
            break
        read.insert(0, question)
    return read


def check_feature(name: object) -> str:
    """Validate the name of a feature.

    Args:
        name: the argument as given.

    Raises:
        TorchnotesError: it is not a string, is empty or too long, or contains a lone surrogate.
    """
    if not isinstance(name, str):
        raise TorchnotesError(f"feature is {_kind(name)}; give its name as a text, such as FlexAttention")
    _check_text("the name of the feature", name, MAX_FEATURE)
    if not name.strip():
        raise TorchnotesError("the name of the feature is empty; give one, such as FlexAttention")
    return name


def check_language(language: object) -> Language:
    """Validate the language.

    Args:
        language: the argument as given.

    Raises:
        TorchnotesError: it is not a supported language.
    """
    if language not in LANGUAGES:
        shown = _shown(language)
        raise TorchnotesError(f"language {shown} is not spoken here; use one of {', '.join(LANGUAGES)}")
    return language


def check_release(given: object) -> Release:
    """Validate a release and convert it.

    Args:
        given: a string or a `Release`.

    Raises:
        TorchnotesError: it is not a release.
    """
    if isinstance(given, Release):
        return given
    if not isinstance(given, str):
        # As a float, 2.10 would be 2.1.
        raise TorchnotesError(f'releases holds {_kind(given)}; write each as a text, such as "2.4"')
    try:
        return Release.parse(given)
    except ValueError as error:
        raise TorchnotesError(str(error)) from None


def check_releases(releases: object, known: Collection[Release]) -> tuple[Release, ...]:
    """Validate the releases to search.

    Args:
        releases: one or several, as strings or `Release`; None means all.
        known: releases that documents are about.

    Returns:
        The releases; empty means all.

    Raises:
        TorchnotesError: one of them is not a release or has no document, or there are more than
            `MAX_RELEASES`.
    """
    if releases is None:
        return ()
    # A single string or Release is iterable as well.
    single = isinstance(releases, str | Release) or not isinstance(releases, Iterable)
    given = [releases] if single else list(islice(cast("Iterable[object]", releases), MAX_RELEASES + 1))
    if len(given) > MAX_RELEASES:
        raise TorchnotesError(
            f"releases has more than {MAX_RELEASES} entries; give the releases to look in, none for all"
        )
    wanted = tuple(map(check_release, given))
    for release in wanted:
        if release not in known:
            there = f"there are {', '.join(map(str, known))}" if known else "none names a release"
            raise TorchnotesError(f"no document in the index is about release {release}; {there}")
    return wanted


def check_options(language: object, top_k: object) -> None:
    """Validate the language and the number of passages.

    Args:
        language: a language, or None to use that of the question.
        top_k: number of passages, from 1 to `MAX_TOP_K`.

    Raises:
        TorchnotesError: one of them is invalid.
    """
    if language is not None:
        check_language(language)
    if not isinstance(top_k, int) or isinstance(top_k, bool):
        raise TorchnotesError(f"top_k is {_kind(top_k)}; it must be a whole number, 1 or more")
    if top_k < 1:
        raise TorchnotesError(f"top_k is {_shown(top_k)}; it must be 1 or more")
    if top_k > MAX_TOP_K:
        raise TorchnotesError(f"top_k is {_shown(top_k)}; it must be {MAX_TOP_K} or less")


def _check_text(what: str, text: str, most: int) -> None:
    """Reject a text that is too long or cannot be encoded as UTF-8."""
    if (length := _length(text, most)) > most:
        raise TorchnotesError(f"{what} has {length} characters; at most {most} are read, shorten it")
    _check_whole(what, text)


def _length(text: str, most: int) -> int:
    """Return the length after NFKC normalization, which may expand one character to eighteen."""
    return max(len(text), len(unicodedata.normalize("NFKC", text))) if len(text) <= most else len(text)


def _check_whole(what: str, text: str) -> None:
    try:
        text.encode()
    except UnicodeEncodeError as error:
        half = text[error.start]
        raise TorchnotesError(f"{what} holds half a character ({half!a}); give whole ones") from None


def _kind(given: object) -> str:
    """Describe a value and its type in one line."""
    return f"{_shown(given)} of type {type(given).__name__}"


def _shown(given: object) -> str:
    """Describe a value in one line."""
    if isinstance(given, int) and given.bit_length() > _SHOWN:
        return "a number of many digits"  # Python limits the digits of int-to-str conversion
    shown = " ".join(_REPR.repr(given).split())
    return shown if len(shown) <= _SHOWN else shown[: _SHOWN - 1] + "…"
