"""Replies that are not streamed: texts and function calls."""

from __future__ import annotations

import json

from tests.assistant.model_server import MODEL, Reply


def whole(message: dict[str, object]) -> Reply:
    """A reply of one message."""
    choice = {"index": 0, "message": {"role": "assistant", **message}, "finish_reason": "stop"}
    return Reply(
        body={"id": "c", "object": "chat.completion", "created": 0, "model": MODEL, "choices": [choice]}
    )


def calling(*calls: tuple[str, object]) -> Reply:
    """A reply that calls functions; arguments that are no text are written as JSON."""
    listed = [
        {
            "id": f"call-{number}",
            "type": "function",
            "function": {"name": name, "arguments": given if isinstance(given, str) else json.dumps(given)},
        }
        for number, (name, given) in enumerate(calls)
    ]
    return whole({"content": None, "tool_calls": listed})
