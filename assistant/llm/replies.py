"""Replies of the chat API as the client package parses them, which may be malformed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A function that a model wants to be called.

    Attributes:
        id: by which the result refers to it.
        name: name of the function, as the model wrote it.
        arguments: its arguments as the model wrote them, which should be JSON.
    """

    id: str
    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class ModelReply:
    """A whole reply.

    Attributes:
        text: its text, "" if it only calls functions.
        calls: functions to call, in order.
    """

    text: str
    calls: tuple[ToolCall, ...] = ()


def whole_reply(completion: Any) -> ModelReply | None:  # noqa: ANN401 - openai is imported late
    """Read a reply that was not streamed.

    Args:
        completion: the parsed completion.

    Returns:
        The reply without malformed function calls, or None if it is no completion.
    """
    message = getattr(first_choice(completion), "message", None)
    if message is None:
        return None
    text = getattr(message, "content", None)
    listed = getattr(message, "tool_calls", None)
    calls = (_call(call) for call in listed) if isinstance(listed, list) else ()
    return ModelReply(in_utf8(text) if isinstance(text, str) else "", tuple(call for call in calls if call))


def _call(call: Any) -> ToolCall | None:  # noqa: ANN401 - as above
    function = getattr(call, "function", None)
    name, arguments = getattr(function, "name", None), getattr(function, "arguments", None)
    if not isinstance(name, str) or not isinstance(arguments, str):
        return None
    return ToolCall(*map(in_utf8, (getattr(call, "id", None) or name, name, arguments)))


def first_choice(chunk: Any) -> Any:  # noqa: ANN401 - openai is imported late, and chunks may be malformed
    """Return the choice with index 0 of a chunk; others would be alternative replies.

    Args:
        chunk: a chunk of a stream, or a whole completion.
    """
    choices = getattr(chunk, "choices", None)
    found = [c for c in choices if not getattr(c, "index", 0)] if isinstance(choices, list) else []
    return found[0] if found else None


def in_utf8(value: object) -> str:
    r"""Return what a server sent as a text that can be sent, stored and shown.

    JSON can name halves of characters, which no encoding has.

    >>> in_utf8("a\ud83db")
    'a\ufffdb'

    Args:
        value: a text, or what stands in its place.
    """
    return str(value).encode("utf-16", "surrogatepass").decode("utf-16", "replace")
