"""Finds out what a language model and its server can do, with three short requests."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass

from assistant.llm.client import ChatMessage, LanguageModel
from assistant.llm.errors import CutShortError
from ingest.errors import LanguageModelError

_TOKENS = 64
_SPEED: list[ChatMessage] = [
    {"role": "user", "content": "Count from 1 to 40, with spaces between the numbers."}
]
# Neither question asks for JSON: only a server that enforces the form, or a model that can call, gives it.
_ASKED: list[ChatMessage] = [{"role": "user", "content": "How many legs has a spider?"}]
_SCHEMA = {
    "type": "object",
    "properties": {"legs": {"type": "integer"}},
    "required": ["legs"],
    "additionalProperties": False,
}
_TOOL_ASKED: list[ChatMessage] = [
    {"role": "user", "content": "What do the notes say about TCPStore? Search them."}
]
_TOOL = {
    "type": "function",
    "function": {
        "name": "search",
        "description": "Search the release notes.",
        "parameters": {
            "type": "object",
            "properties": {"query": {"type": "string"}},
            "required": ["query"],
        },
    },
}


@dataclass(frozen=True, slots=True)
class Speed:
    """How fast a model writes.

    Attributes:
        first: seconds to the first piece of text.
        rate: pieces of text per second after it, which are tokens on most servers; 0 if it wrote one piece.
    """

    first: float
    rate: float


def speed(model: LanguageModel) -> Speed:
    """Measure how fast a model writes.

    Args:
        model: language model.

    Raises:
        LanguageModelError: it does not answer.
    """
    start = time.perf_counter()
    times: list[float] = []
    try:
        for _ in model.stream(_SPEED, _TOKENS):
            times.append(time.perf_counter())
    except CutShortError:  # it counts on
        pass
    passed = times[-1] - times[0]
    return Speed(times[0] - start, (len(times) - 1) / passed if passed else 0.0)


def structured_output(model: LanguageModel) -> bool:
    """Whether a reply follows a JSON schema that the question does not mention.

    Args:
        model: language model.
    """
    try:
        written = json.loads(model.reply(_ASKED, _TOKENS, schema=_SCHEMA).text)
    except (LanguageModelError, ValueError, RecursionError):
        return False
    return isinstance(written, dict) and [*written] == ["legs"] and type(written["legs"]) is int


def tool_calls(model: LanguageModel) -> bool:
    """Whether a model calls a function that the question asks to be used.

    Args:
        model: language model.
    """
    try:
        calls = model.reply(_TOOL_ASKED, _TOKENS, tools=[_TOOL]).calls
        written = [(call.name, json.loads(call.arguments)) for call in calls]
    except (LanguageModelError, ValueError, RecursionError):
        return False
    return any(
        name == "search" and isinstance(given, dict) and isinstance(given.get("query"), str)
        for name, given in written
    )
