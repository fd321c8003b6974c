"""Lets a language model look things up before it writes: a few rounds of function calls.

Whatever a model passes to a function is hostile: names, number, types and lengths of arguments are checked,
rounds, calls and the length of results are limited, and results are delimited as data.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from assistant.answer import ToolStep
from assistant.llm.client import LanguageModel
from assistant.llm.prompt import QUESTION, boundary_of, marks_rounded, read_prompt
from assistant.llm.replies import ToolCall
from assistant.text.markdown import one_line_title
from index.search.passage import Passage
from ingest.document import Language
from ingest.errors import LanguageModelError, TorchnotesError

MOST_ROUNDS = 4
_MOST_CALLS = 3  # in one round
_REPLY_TOKENS = 512
_LONGEST_RESULT = 3000  # characters
_LONGEST_SHOWN = 60  # characters of an argument in a step
_LONGEST_SUMMARY = 200  # characters of its result
_LISTED = 8  # passages whose headings are shown first


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What a function found.

    Attributes:
        summary: one line for the user.
        text: for the model.
        passages: passages to write from.
    """

    summary: str
    text: str
    passages: tuple[Passage, ...] = ()


@dataclass(frozen=True, slots=True)
class Tool:
    """A function that a model may call.

    Attributes:
        name: its name.
        description: what it is for.
        arguments: description and greatest length in characters of each argument, all texts and all required.
        run: called with checked arguments; may raise TorchnotesError, which is told to the model.
    """

    name: str
    description: str
    arguments: Mapping[str, tuple[str, int]]
    run: Callable[[Mapping[str, str]], ToolResult]

    def declared(self) -> dict[str, Any]:
        """Return the function as the chat API declares it."""
        properties = {
            name: {"type": "string", "description": told, "maxLength": longest}
            for name, (told, longest) in self.arguments.items()
        }
        schema = {
            "type": "object",
            "properties": properties,
            "required": [*properties],
            "additionalProperties": False,
        }
        function = {"name": self.name, "description": self.description, "parameters": schema}
        return {"type": "function", "function": function}

    def checked(self, written: str) -> dict[str, str]:
        """Validate the arguments that a model wrote.

        Args:
            written: arguments as JSON.

        Raises:
            TorchnotesError: they are not those of this function.
        """
        longest = sum(length for _, length in self.arguments.values())
        given: object = None
        if len(written) <= 200 + 6 * longest:  # escapes take up to six characters
            try:
                given = json.loads(written)
            except (ValueError, RecursionError):
                given = None
        if not isinstance(given, dict) or given.keys() != self.arguments.keys():
            raise TorchnotesError(f"{self.name} takes {', '.join(self.arguments)} as one JSON object")
        for name, (_, length) in self.arguments.items():
            value = given[name]
            if not (isinstance(value, str) and value.strip() and len(value) <= length and _is_whole(value)):
                raise TorchnotesError(f"{name} must be a text of 1 to {length} characters")
        return given


@dataclass(frozen=True, slots=True)
class Research:
    """What a model looked up.

    Attributes:
        steps: its calls, in order.
        passages: passages found, each once.
        failure: why the model failed, "" if it did not.
    """

    steps: tuple[ToolStep, ...] = ()
    passages: tuple[Passage, ...] = ()
    failure: str = ""


def research(
    model: LanguageModel,
    question: str,
    passages: Sequence[Passage],
    tools: Sequence[Tool],
    language: Language,
) -> Research:
    """Let a model call functions until it has enough, for `MOST_ROUNDS` rounds at most.

    Args:
        model: language model.
        question: standalone question.
        passages: passages found already, whose headings the model sees.
        tools: functions that it may call.
        language: language of the prompt.

    Returns:
        What it looked up until it called nothing more. If the model fails, the last step says so; an answer
        is written all the same.
    """
    known = {tool.name: tool for tool in tools}
    declared = [tool.declared() for tool in tools]
    headings = "\n".join(
        dict.fromkeys(f"- {p.version} {one_line_title(p.heading)}" for p in passages[:_LISTED])
    )
    messages: list[dict[str, Any]] = [
        {"role": "system", "content": read_prompt("tools", language)},
        {"role": "user", "content": f"{_data(headings)}\n\n{QUESTION[language]}: {one_line_title(question)}"},
    ]
    steps: list[ToolStep] = []
    found: dict[str, Passage] = {}
    asked: set[tuple[str, str]] = set()
    failure = ""
    for _ in range(MOST_ROUNDS):
        try:
            reply = model.reply(messages, _REPLY_TOKENS, tools=declared)
        except LanguageModelError as error:
            failure = str(error)
            steps.append(ToolStep("lookup", {}, _shortened(f"ended: {failure}", _LONGEST_SUMMARY)))
            break
        calls = [call for call in reply.calls[:_MOST_CALLS] if (call.name, call.arguments) not in asked]
        if not calls:
            break
        asked |= {(call.name, call.arguments) for call in calls}
        messages.append({"role": "assistant", "content": reply.text, "tool_calls": [_sent(c) for c in calls]})
        for call in calls:
            step, result = _called(call, known)
            steps.append(step)
            found |= {passage.chunk.id: passage for passage in result.passages}
            told = _data(result.text[:_LONGEST_RESULT])
            messages.append({"role": "tool", "tool_call_id": call.id, "content": told})
    return Research(tuple(steps), tuple(found.values()), failure)


def _called(call: ToolCall, known: Mapping[str, Tool]) -> tuple[ToolStep, ToolResult]:
    """Call a function; what cannot be called is told to the model and shown to the user."""
    tool = known.get(call.name)
    given: dict[str, str] = {}
    try:
        if tool is None:
            raise TorchnotesError(f"there is no such function; there are {', '.join(known)}")
        given = tool.checked(call.arguments)
        result = tool.run(given)
    except TorchnotesError as error:
        result = ToolResult(f"refused: {error}", f"refused: {error}")
    name = call.name if tool else "unknown function"
    shown = {key: _shortened(value) for key, value in given.items()}
    return ToolStep(name, shown, _shortened(result.summary, _LONGEST_SUMMARY)), result


def _sent(call: ToolCall) -> dict[str, Any]:
    return {
        "id": call.id,
        "type": "function",
        "function": {"name": call.name, "arguments": call.arguments},
    }


def _data(text: str) -> str:
    """Delimit a text as data."""
    shown = marks_rounded(text)
    boundary = boundary_of([shown])
    return f"{boundary}\n{shown}\n{boundary}"


def _is_whole(text: str) -> bool:
    """Return whether a text has no halves of characters, which JSON can name and no encoding has."""
    return not any("\ud800" <= character <= "\udfff" for character in text)


def _shortened(text: str, longest: int = _LONGEST_SHOWN) -> str:
    line = " ".join(text.split())
    return line if len(line) <= longest else f"{line[: longest - 1]}…"
