"""A conversation on the page: each question with its answer as HTML, or with one line of what went wrong."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from ingest.document import Language
from ingest.errors import TorchnotesError
from ui import words
from ui.render_html import plain_to_html, to_html

if TYPE_CHECKING:
    from ui.web import Desk

_log = logging.getLogger(__name__)
_REMEMBERED = 8  # earlier questions that a follow-up may lean on


class Turn(NamedTuple):
    """A question and what became of it.

    Attributes:
        question: as typed.
        html: the answer so far.
        answered: False where an error stands in its place; a follow-up does not lean on it then.
    """

    question: str
    html: str
    answered: bool = True


def converse(
    desk: Desk, question: str, turns: Sequence[Turn], releases: Sequence[str], language: Language
) -> Iterator[list[Turn]]:
    """Answer a question of a conversation, the last turn growing.

    Args:
        desk: has the assistant.
        question: as typed.
        turns: the conversation before it.
        releases: look in these only; empty: everywhere.
        language: of the interface; an answer has that of its question.
    """
    before = list(turns)
    if not question.strip():
        yield before
        return
    yield [*before, Turn(question, plain_to_html("…", "tn-waiting"))]
    history = [turn.question for turn in before if turn.answered][-_REMEMBERED:]
    try:
        for answer in desk.assistant().stream(question, history, releases=list(releases) or None):
            yield [*before, Turn(question, to_html(answer, str(len(before) + 1)))]
    except TorchnotesError as error:
        yield [*before, Turn(question, plain_to_html(str(error), "tn-error"), answered=False)]
    except Exception:  # noqa: BLE001 - a visitor sees one line, the log the rest
        _log.exception("a question was not answered")
        yield [*before, Turn(question, plain_to_html(words.BROKEN[language], "tn-error"), answered=False)]
