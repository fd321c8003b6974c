"""Feedback: a reader's rating of an answer, with everything needed to ask the question again.

A page keeps the `record` of each answer that it shows, and sends it back with the rating. The server stores
no answers and validates everything that comes back (`Feedback.parse`).
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timezone
from typing import TYPE_CHECKING, Any, Literal, cast, get_args

from assistant.feedback.fields import Fields
from assistant.query.validation import MAX_QUESTION, check_question
from ingest.document import LANGUAGES, Language
from ingest.errors import TorchnotesError
from ingest.release import Release

if TYPE_CHECKING:
    from assistant.answer import Answer, Citation

Reason = Literal[
    "",
    "wrong",
    "incomplete",
    "not-found",  # declined, but should have been answered
    "should-decline",
    "bad-citation",
    "language",
    "other",
]

REASONS: tuple[Reason, ...] = get_args(Reason)
MAX_COMMENT = 2_000  # characters, like the next limits
MAX_TEXT = 100_000
MAX_STANDALONE = 2 * MAX_QUESTION  # a follow-up is prefixed by earlier questions
MAX_QUOTE = 20_000
MAX_URL = 2_000
MAX_NAME = 500
MAX_ITEMS = 50  # of each: citations, passages, earlier questions, releases
_ID = (8, 64)  # minimum and maximum length of an answer's id in characters
_VERSIONS = ("torchnotes", "index", "corpus", "embedder", "reader")
_CITATION = ("number", "chunk_id", "document_id", "release", "url", "quote")
_ANSWER = (
    "answer_id", "question", "standalone", "history", "releases", "language", "text", "abstained",
    "citations", "passages", "model", "versions",
)  # fmt: skip
_RATING = ("good", "reason", "comment")


@dataclass(frozen=True, slots=True)
class Feedback:
    """A reader's rating of an answer.

    Attributes:
        answer_id: random id of the answer. A new rating of the same answer replaces the earlier one.
        rated_at: time of the rating, in UTC.
        good: whether the rating is thumbs up.
        reason: what is wrong with the answer, or "" if not given. A good answer has none.
        comment: comment of the reader.
        question: question as typed.
        standalone: question as searched.
        history: earlier questions, oldest first.
        releases: releases that the reader selected in addition to the question; empty means all.
        language: language of the answer.
        text: text of the answer.
        abstained: whether the question was declined.
        citations: number, chunk_id, document_id, release ("" for none), url and quote of each citation.
        passages: ids of the chunks retrieved, best first.
        model: name of the language model that wrote the text, or "".
        versions: versions of the answer, see `assistant.versions.versions_of`; "" or missing if unknown.
        id: id in the store, 0 before it is stored.
    """

    answer_id: str
    rated_at: datetime
    good: bool
    reason: Reason
    comment: str
    question: str
    standalone: str
    history: tuple[str, ...]
    releases: tuple[Release, ...]
    language: Language
    text: str
    abstained: bool
    citations: tuple[dict[str, Any], ...]
    passages: tuple[str, ...]
    model: str
    versions: dict[str, str]
    id: int = field(default=0, compare=False)

    @classmethod
    def of(
        cls,
        answer: Answer,
        *,
        good: bool,
        reason: Reason = "",
        comment: str = "",
        answer_id: str = "",
        history: Sequence[str] = (),
        releases: Sequence[str | Release] = (),
        rated_at: datetime | None = None,
    ) -> Feedback:
        """Create the rating of an answer.

        Args:
            answer: complete answer.
            good: whether the rating is thumbs up.
            reason: what is wrong with a bad answer.
            comment: comment of the reader.
            answer_id: id of the answer; "" generates one.
            history: earlier questions that it was asked with.
            releases: releases that it was asked with.
            rated_at: time of the rating; None means now.

        Raises:
            TorchnotesError: as for `parse`.
        """
        kept = record(answer, answer_id=answer_id, history=history, releases=releases)
        rating = {"good": good, "reason": reason, "comment": comment}
        return cls.parse({**kept, **rating}, rated_at=rated_at)

    @classmethod
    def parse(cls, values: Mapping[str, object], *, rated_at: datetime | None = None) -> Feedback:
        """Parse and validate a record with its rating.

        The rating consists of "good" and, optionally, "reason", "comment" and "rated_at".

        Args:
            values: decoded JSON.
            rated_at: time of the rating, with a time zone; None uses the one in `values`, or else now.

        Raises:
            TorchnotesError: a value is invalid. The message names the value and what is allowed.
        """
        given = Fields(values, "feedback", (*_ANSWER, "good"), ("reason", "comment", "rated_at"))
        good = given.truth("good")
        reason = cast("Reason", given.one_of("reason", REASONS)) if "reason" in given else ""
        if good and reason:
            raise TorchnotesError(f'feedback: a good answer has no reason; "{reason}" is one of a bad answer')
        if rated_at is None:
            rated_at = given.moment("rated_at") if "rated_at" in given else datetime.now(timezone.utc)
        question = given.text("question", MAX_QUESTION)
        try:
            check_question(question)
        except TorchnotesError as error:
            raise TorchnotesError(f"feedback: {error}") from None
        versions = Fields(given.value("versions"), "feedback: versions", (), _VERSIONS)
        return cls(
            answer_id=_answer_id(given),
            rated_at=rated_at.astimezone(timezone.utc),
            good=good,
            reason=reason,
            comment=given.text("comment", MAX_COMMENT) if "comment" in given else "",
            question=question,
            standalone=given.text("standalone", MAX_STANDALONE),
            history=given.texts("history", MAX_ITEMS, MAX_QUESTION),
            releases=given.releases("releases", MAX_ITEMS),
            language=cast("Language", given.one_of("language", LANGUAGES)),
            text=given.text("text", MAX_TEXT),
            abstained=given.truth("abstained"),
            citations=tuple(map(_citation, given.items("citations", MAX_ITEMS))),
            passages=given.texts("passages", MAX_ITEMS, MAX_NAME),
            model=given.text("model", MAX_NAME),
            versions={key: versions.text(key, MAX_NAME) for key in _VERSIONS if key in versions},
        )

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON-serializable dictionary that `parse` accepts, without the id in the store."""
        values = {key: getattr(self, key) for key in (*_ANSWER, *_RATING)}
        values |= {"history": list(self.history), "releases": list(map(str, self.releases))}
        values |= {"citations": [dict(each) for each in self.citations], "passages": list(self.passages)}
        return {**values, "versions": dict(self.versions), "rated_at": self.rated_at.isoformat()}


def record(
    answer: Answer,
    *,
    answer_id: str = "",
    history: Sequence[str] = (),
    releases: Sequence[str | Release] = (),
) -> dict[str, Any]:
    """Return what a page keeps of an answer, to send it back with a rating.

    Args:
        answer: complete answer.
        answer_id: id of the answer; "" generates one.
        history: earlier questions that it was asked with.
        releases: releases that it was asked with.

    Returns:
        A JSON-serializable dictionary, with texts and lists truncated to the limits.
    """
    return {
        "answer_id": answer_id or secrets.token_urlsafe(12),
        "question": _cut(answer.question, MAX_QUESTION),
        "standalone": _cut(answer.standalone, MAX_STANDALONE),
        "history": [_cut(each, MAX_QUESTION) for each in history if each.strip()][-MAX_ITEMS:],
        "releases": [str(each) for each in releases][:MAX_ITEMS],
        "language": answer.language,
        "text": _cut(answer.text, MAX_TEXT),
        "abstained": answer.abstained,
        "citations": [_of(citation) for citation in answer.citations[:MAX_ITEMS]],
        "passages": [_cut(passage.chunk.id, MAX_NAME) for passage in answer.passages[:MAX_ITEMS]],
        "model": _cut(answer.model, MAX_NAME),
        "versions": {key: _cut(text, MAX_NAME) for key, text in answer.versions.items()},
    }


def _of(citation: Citation) -> dict[str, Any]:
    url = citation.url
    return {
        "number": citation.number,
        "chunk_id": _cut(citation.passage.chunk.id, MAX_NAME),
        "document_id": _cut(citation.passage.document_id, MAX_NAME),
        "release": citation.version,
        "url": _cut(url, MAX_URL) if len(url) <= MAX_URL else "",  # a truncated URL is useless
        "quote": _cut(citation.quote, MAX_QUOTE),
    }


def _citation(given: object) -> dict[str, Any]:
    values = Fields(given, "feedback: citations", _CITATION)
    return {
        "number": values.number("number", 1, 10_000),
        "chunk_id": values.text("chunk_id", MAX_NAME, least=1),
        "document_id": values.text("document_id", MAX_NAME, least=1),
        "release": values.version("release"),
        "url": values.text("url", MAX_URL),
        "quote": values.text("quote", MAX_QUOTE, least=1),
    }


def _answer_id(given: Fields) -> str:
    least, most = _ID
    text = given.text("answer_id", most, least=least)
    if not all(c.isascii() and (c.isalnum() or c in "-_") for c in text):
        raise TorchnotesError(
            f'feedback: "answer_id" must be letters, digits, "-" and "_", {least} to {most} of them'
        )
    return text


def _cut(text: str, most: int) -> str:
    """Truncate a text and replace lone surrogates."""
    return text.encode("utf-8", "replace").decode()[:most]
