"""Block Kit's limits, as Slack holds them: what is wrong with a payload.

Source: https://docs.slack.dev/reference/block-kit
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

_BLOCKS = {"message": 50, "home": 100, "modal": 100}
_WHOLE = 12_000  # characters of the blocks of a message together
_KINDS = {"section", "context", "actions", "divider", "header", "input"}
_LINK = re.compile(r"<([^<>]*)>")
_ENTITY = re.compile(r"&(?!amp;|lt;|gt;)")
_CODE = re.compile(r"```.*?```|`[^`\n]*`", re.S)


def problems(payload: Mapping[str, Any], kind: str = "message") -> list[str]:
    """What Slack would refuse, or show otherwise than meant; none where all is well."""
    return list(_of_message(payload) if kind == "message" else _of_view(payload, kind))


def _of_message(payload: Mapping[str, Any]) -> Iterator[str]:
    text, blocks = payload.get("text") or "", payload.get("blocks") or []
    if not text and not blocks:
        yield "neither text nor blocks"
    if blocks and not text:
        yield "no text for notifications"
    if len(text) > 4_000:  # of an update; of a new message 40,000
        yield f"text of {len(text)} characters"
    yield from _marks(text)
    if len(json.dumps(blocks, ensure_ascii=False)) > _WHOLE:
        yield "msg_blocks_too_long"
    yield from _of_blocks(blocks, _BLOCKS["message"])


def _of_view(view: Mapping[str, Any], kind: str) -> Iterator[str]:
    if view.get("type") != kind:
        yield f"a view of type {view.get('type')}"
    if kind == "modal":
        yield from _plain(view.get("title"), 24, "title")
        for name in ("submit", "close"):
            yield from _plain(view.get(name), 24, name)
        if len(view.get("private_metadata", "")) > 3_000:
            yield "private_metadata too long"
    yield from _of_blocks(view.get("blocks") or [], _BLOCKS[kind])


def _of_blocks(blocks: list[Mapping[str, Any]], most: int) -> Iterator[str]:
    if len(blocks) > most:
        yield f"{len(blocks)} blocks"
    names = [block["block_id"] for block in blocks if "block_id" in block]
    if len(names) != len(set(names)) or any(len(name) > 255 for name in names):
        yield "block_id"
    rows = [block for block in blocks if block.get("type") == "actions"]
    actions = [element.get("action_id") for row in rows for element in row["elements"]]
    if len(actions) != len(set(actions)):
        yield "action_id twice"
    for block in blocks:
        if block.get("type") not in _KINDS:
            yield f"block of type {block.get('type')}"
        elif block["type"] != "divider":
            yield from _OF[block["type"]](block)


def _section(block: Mapping[str, Any]) -> Iterator[str]:
    if not set(block) <= {"type", "block_id", "text", "fields", "accessory", "expand"}:
        yield f"section with {sorted(block)}"
    if "text" not in block and not block.get("fields"):
        yield "section without text"
    if len(block.get("fields", ())) > 10 or any(len(f["text"]) > 2_000 for f in block.get("fields", ())):
        yield "fields"
    yield from _words(block["text"], 3_000)


def _context(block: Mapping[str, Any]) -> Iterator[str]:
    if not 1 <= len(block.get("elements", ())) <= 10:
        yield "context elements"
    for element in block["elements"]:
        yield from _words(element, 3_000)


def _header(block: Mapping[str, Any]) -> Iterator[str]:
    yield from _plain(block.get("text"), 150, "header")


def _actions(block: Mapping[str, Any]) -> Iterator[str]:
    if not 1 <= len(block.get("elements", ())) <= 25:
        yield "actions elements"
    for button in block["elements"]:
        if button.get("type") != "button":
            yield f"element {button.get('type')}"
        yield from _plain(button.get("text"), 75, "button")
        if not 1 <= len(button.get("action_id", "")) <= 255:
            yield "action_id"
        if len(button.get("value", "")) > 2_000:
            yield "value"


def _input(block: Mapping[str, Any]) -> Iterator[str]:
    yield from _plain(block.get("label"), 2_000, "label")
    element = block["element"]
    if not 1 <= len(element.get("action_id", "")) <= 255:
        yield "action_id"
    if element["type"] == "static_select":
        options = element["options"]
        if not 1 <= len(options) <= 100:
            yield "options"
        for option in options:
            yield from _plain(option["text"], 75, "option")
            if not 1 <= len(option["value"]) <= 150:
                yield "option value"
    elif element["type"] == "plain_text_input":
        if not 1 <= element.get("max_length", 1) <= 3_000:
            yield "max_length"
    else:
        yield f"input {element['type']}"


def _words(text: Mapping[str, Any], most: int) -> Iterator[str]:
    if text.get("type") != "mrkdwn" or not text.get("verbatim"):
        yield "text that is not verbatim mrkdwn"
    if not 1 <= len(text.get("text", "")) <= most:
        yield f"text of {len(text.get('text', ''))} characters"
    yield from _marks(text.get("text", ""))
    if text.get("text", "").count("```") % 2:
        yield "a fence that is left open"


def _marks(text: str) -> Iterator[str]:
    """Angle brackets make links to the web and mentions of three people, and entities are whole."""
    for target in _LINK.findall(text):
        if not re.match(r"https?://[^\s|]+\|[^|]+$|@U(?:ANN|BOB|HELP)$", target):
            yield f"mark <{target[:40]}>"
    bare = _LINK.sub("", text)
    if "<" in bare or re.search(r"(?m)(?<!^)>", bare):
        yield "a bracket that is not escaped"
    if _ENTITY.search(text):
        yield "an ampersand that is not escaped"
    if "<" in "".join(_CODE.findall(text)):
        yield "a link in code"


def _plain(text: Mapping[str, Any] | None, most: int, name: str) -> Iterator[str]:
    if not text or text.get("type") != "plain_text" or not 1 <= len(text.get("text", "")) <= most:
        yield f"{name}: {text}"


_OF = {"section": _section, "context": _context, "header": _header, "actions": _actions, "input": _input}
