"""The `key: value` header between `---` lines at the top of a Markdown file."""

from __future__ import annotations

import re

_FIELD = re.compile(r"([A-Za-z][\w-]*)[ \t]*:(?:[ \t]+(.*))?")
_MAX_LINES = 100


def split_front_matter(text: str) -> tuple[dict[str, str], str]:
    """Split a text into front matter fields and body.

    Only flat `key: value` lines are read, with keys lowercased and quotes removed; lists and nested values
    are ignored. Values stay strings, so that release 2.10 does not become the number 2.1.

    Args:
        text: a Markdown text with LF line ends.

    Returns:
        The fields and the body; no fields and the whole text if there is no header.
    """
    lines = text.split("\n", _MAX_LINES)
    if lines[0].rstrip() != "---":
        return {}, text
    for end, line in enumerate(lines[1:_MAX_LINES], 1):
        if line.rstrip() in ("---", "..."):
            fields = _fields(lines[1:end])
            # Two horizontal rules with prose between them are not a header.
            return (fields, "\n".join(lines[end + 1 :]).lstrip("\n")) if fields else ({}, text)
    return {}, text


def _fields(lines: list[str]) -> dict[str, str]:
    fields: dict[str, str] = {}
    for line in lines:
        match = _FIELD.fullmatch(line.rstrip())
        if match and match[2]:
            fields[match[1].lower()] = _unquoted(match[2].strip())
    return fields


def _unquoted(value: str) -> str:
    if len(value) >= 2 and value[0] == value[-1] and value[0] in "\"'":
        return value[1:-1].replace('\\"', '"') if value[0] == '"' else value[1:-1].replace("''", "'")
    return re.sub(r"\s+#.*$", "", value)
