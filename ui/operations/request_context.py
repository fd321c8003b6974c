"""The question that is being answered, for lines of the log: its id, and its text, which the log hides."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import NamedTuple


class RequestContext(NamedTuple):
    """A question that is being answered.

    Attributes:
        id: tells its lines in the log from others; "" outside of a request.
        question: its text as typed.
    """

    id: str = ""
    question: str = ""


_NONE = RequestContext()
_current: ContextVar[RequestContext] = ContextVar("torchnotes_request", default=_NONE)


def current_request() -> RequestContext:
    """Return the question that this thread or task answers."""
    return _current.get()


@contextmanager
def request_context(id_: str = "", question: str = "") -> Iterator[None]:
    """Mark the body of a `with` statement as work on a question.

    Args:
        id_: id of the request; "" makes one.
        question: its text as typed.
    """
    token = _current.set(RequestContext(id_ or secrets.token_hex(8), question))
    try:
        yield
    finally:
        _current.reset(token)
