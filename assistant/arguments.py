"""The arguments of `ask`: each is used as meant, or refused in one line that says what can be given."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from ingest.document import LANGUAGES
from ingest.errors import TorchnotesError
from ingest.release import Release

MAX_QUESTION = 4000  # characters


def check_question(question: object) -> None:
    """Refuse what is no question.

    Raises:
        TorchnotesError: it is no text, empty, or too long.
    """
    if not isinstance(question, str):
        raise TorchnotesError(f"the question is {_kind(question)}; give it as a text")
    if not question.strip():
        raise TorchnotesError(
            "the question is empty; type one, such as: what is new in torch.compile in 2.4?"
        )
    if len(question) > MAX_QUESTION:
        raise TorchnotesError(
            f"the question has {len(question)} characters; at most {MAX_QUESTION} are read, shorten it"
        )


def check_history(history: object) -> Sequence[str]:
    """The earlier questions.

    Raises:
        TorchnotesError: they are no list of texts; a single text would be taken for its characters.
    """
    allowed = "give a list of the earlier questions, oldest first"
    if isinstance(history, str) or not isinstance(history, Iterable):
        raise TorchnotesError(f"history is {_kind(history)}; {allowed}")
    questions = list(history)
    for question in questions:
        if not isinstance(question, str):
            raise TorchnotesError(f"history holds {_kind(question)}; {allowed}, each a text")
    return questions


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
    wanted = tuple(map(_release, [releases] if single else releases))  # type: ignore[call-overload]
    for release in wanted:
        if release not in known:
            raise TorchnotesError(
                f"no document in the index is about release {release}; there are {', '.join(map(str, known))}"
            )
    return wanted


def check_options(language: object, top_k: object) -> None:
    """Refuse a language that is not spoken here, and a number of passages that is none.

    Raises:
        TorchnotesError: as said.
    """
    if language is not None and language not in LANGUAGES:
        raise TorchnotesError(f"language {language!r} is not spoken here; use one of {', '.join(LANGUAGES)}")
    if not isinstance(top_k, int) or isinstance(top_k, bool):
        raise TorchnotesError(f"top_k is {_kind(top_k)}; it must be a whole number, 1 or more")
    if top_k < 1:
        raise TorchnotesError(f"top_k is {top_k}; it must be 1 or more")


def _release(given: object) -> Release:
    if isinstance(given, Release):
        return given
    if not isinstance(given, str):
        # As a number 2.10 is 2.1.
        raise TorchnotesError(f'releases holds {_kind(given)}; write each as a text, such as "2.4"')
    try:
        return Release.parse(given)
    except ValueError as error:
        raise TorchnotesError(str(error)) from None


def _kind(given: object) -> str:
    """What was given, with its type, short and in one line."""
    shown = " ".join(repr(given).split())
    return f"{shown if len(shown) <= 40 else shown[:39] + '…'} of type {type(given).__name__}"
