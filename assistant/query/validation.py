"""The arguments of `ask`: each is used as meant, or refused in one line that says what can be given."""

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
#: Earlier questions that are read: the last ones, as many as have no more characters than this together.
MAX_HISTORY = 8
MAX_HISTORY_CHARACTERS = 2 * MAX_QUESTION
MAX_HISTORY_GIVEN = 1000  # a longer list is no conversation
MAX_RELEASES = 100
MAX_TOP_K = 50
MAX_FEATURE = 200  # characters
_SHOWN = 40  # characters of what was given
_REPR = reprlib.Repr()
_REPR.maxstring = _REPR.maxother = 3 * _SHOWN


def check_question(question: object) -> None:
    """Refuse what is no question.

    Raises:
        TorchnotesError: it is no text, empty, or too long.
    """
    if not isinstance(question, str):
        raise TorchnotesError(f"the question is {_kind(question)}; give it as a text")
    _check_text("the question", question, MAX_QUESTION)
    if not question.strip():
        raise TorchnotesError(
            "the question is empty; type one, such as: what is new in torch.compile in 2.4?"
        )


def check_history(history: object) -> Sequence[str]:
    """The earlier questions that are read: the last `MAX_HISTORY`, of `MAX_HISTORY_CHARACTERS` together.

    Raises:
        TorchnotesError: they are no list of texts (a single text would be taken for its characters), or more
            than `MAX_HISTORY_GIVEN`.
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
    """The name of a feature.

    Raises:
        TorchnotesError: it is no text, empty, or too long for a name.
    """
    if not isinstance(name, str):
        raise TorchnotesError(f"feature is {_kind(name)}; give its name as a text, such as FlexAttention")
    _check_text("the name of the feature", name, MAX_FEATURE)
    if not name.strip():
        raise TorchnotesError("the name of the feature is empty; give one, such as FlexAttention")
    return name


def check_language(language: object) -> Language:
    """A language that is spoken here.

    Raises:
        TorchnotesError: it is none.
    """
    if language not in LANGUAGES:
        shown = _shown(language)
        raise TorchnotesError(f"language {shown} is not spoken here; use one of {', '.join(LANGUAGES)}")
    return language


def check_release(given: object) -> Release:
    """A release, as text or `Release`.

    Raises:
        TorchnotesError: it is none.
    """
    if isinstance(given, Release):
        return given
    if not isinstance(given, str):
        # As a number 2.10 is 2.1.
        raise TorchnotesError(f'releases holds {_kind(given)}; write each as a text, such as "2.4"')
    try:
        return Release.parse(given)
    except ValueError as error:
        raise TorchnotesError(str(error)) from None


def check_releases(releases: object, known: Collection[Release]) -> tuple[Release, ...]:
    """The releases to look in, none for all.

    Args:
        releases: one or several, as text or `Release`; None for all.
        known: releases that documents are about.

    Raises:
        TorchnotesError: one of them is no release, or no document is about it.
    """
    if releases is None:
        return ()
    # A single release is a sequence too: of characters, or of numbers.
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
    """Refuse a language that is not spoken here, and a number of passages that is none.

    Raises:
        TorchnotesError: as said.
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
    """Refuse a text that is too long, or that cannot be written as UTF-8."""
    if (length := _length(text, most)) > most:
        raise TorchnotesError(f"{what} has {length} characters; at most {most} are read, shorten it")
    _check_whole(what, text)


def _length(text: str, most: int) -> int:
    """Characters of a text as it is read: with its ligatures written out, one of which may be eighteen."""
    return max(len(text), len(unicodedata.normalize("NFKC", text))) if len(text) <= most else len(text)


def _check_whole(what: str, text: str) -> None:
    try:
        text.encode()
    except UnicodeEncodeError as error:
        half = text[error.start]
        raise TorchnotesError(f"{what} holds half a character ({half!a}); give whole ones") from None


def _kind(given: object) -> str:
    """What was given, with its type, short and in one line."""
    return f"{_shown(given)} of type {type(given).__name__}"


def _shown(given: object) -> str:
    """What was given, short and in one line."""
    if isinstance(given, int) and given.bit_length() > _SHOWN:
        return "a number of many digits"  # Python refuses to write those of thousands
    shown = " ".join(_REPR.repr(given).split())
    return shown if len(shown) <= _SHOWN else shown[: _SHOWN - 1] + "…"
